"""The games of this browser, head to head between its people and an opponent, and loading a game file."""

from collections.abc import Sequence
from dataclasses import replace

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from game import services
from game.forms.commands import read_key, read_number
from game.forms.game_files import TOO_LARGE, LoadForm
from game.forms.games import FilterForm, read_page_number
from game.history import lists
from game.history.head_to_head import find_opponents, list_meetings, list_own_seats, read_reviewed
from game.history.lists import GameFilter
from game.identity import PageRequest
from game.models import Game
from game.pages import game_list
from game.pages.parts.head_to_head import find_heads_address
from game.pages.parts.refusals import describe_flaw
from game.pages.statistics import build_statistics
from game.rules import IllegalMove, clean_name
from game.rules.record import RecordError
from game.rules.ruleset import PLAYERS_MOST
from game.views.responses import see_other
from game.web.remembered import recall_watched_codes

TABS = {"open": Game.OPEN, "finished": Game.OVER, "watching": ()}


@require_safe
def games(request: PageRequest) -> HttpResponse:
    """Show the tabs Open, Finished and Watching; htmx gets only the rows of a further page. `?done=left` says so."""
    visitor = request.browser.visitor()
    tab = request.GET.get("show", "")
    tab = tab if tab in TABS else "open"
    filters = FilterForm(request.GET)
    wanted = filters.wanted if tab == "finished" else replace(filters.wanted, result="")
    page = lists.find_page(visitor, TABS[tab], wanted, read_page_number(request.GET.get("page", "")))
    if tab == "watching":
        listed = lists.list_watched_games(recall_watched_codes(request), visitor)
    else:
        listed = lists.list_games_by_keys(page.keys)
    context: dict[str, object] = {
        "tab": tab,
        "page": page,
        "rows": game_list.list_games(listed, visitor),
        "here": game_list.list_address(tab, wanted),
    }
    if request.htmx and "page" in request.GET:
        return render(request, "game/partials/games_rows.html", context)
    statistics = build_statistics(visitor) if page.number == 1 and not wanted else None
    # Whether any game is over takes a slow query, which is made only if the page shows none.
    shows_over = statistics is not None or (tab == "finished" and bool(listed))
    context |= {
        "done": request.GET.get("done"),
        "filters": filters,
        "seats_most": PLAYERS_MOST,
        "filtered": bool(wanted),
        "open_count": lists.query_game_keys(visitor, Game.OPEN, GameFilter()).count() if visitor else 0,
        "figures": statistics,
        "any_over": shows_over
        or (visitor is not None and lists.query_game_keys(visitor, Game.OVER, GameFilter()).exists()),
    }
    return render(request, "game/games.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def load(request: PageRequest) -> HttpResponse:
    """Make a new game from a game file, with a newly sealed seed for the throws to come."""
    if request.method != "POST":
        return render(request, "game/import.html")
    key = read_key(request)
    form = LoadForm(request.POST, request.FILES)
    try:
        if not form.is_valid():
            status = 413 if form.has_error("file", TOO_LARGE) else 422
            return refuse_file(request, [str(error) for error in form.errors["file"]], status)
        game = services.load_game(request.browser, key, form.cleaned_data["file"])
    except services.Refusal as refusal:
        return refuse_file(request, [str(refusal)], refusal.status)
    except RecordError as error:
        summary = _("This is not a game file, or it was changed by hand. What doesn’t fit:")
        return refuse_file(request, [summary, *map(describe_flaw, error.problems)], 422)
    return see_other(request, game.get_absolute_url())


def refuse_file(request: PageRequest, reasons: Sequence[str], status: int) -> HttpResponse:
    """Return the page for loading a game file, with the reasons why this one was not loaded."""
    problems = [("file", reason) for reason in reasons]
    return render(request, "game/import.html", {"problems": problems}, status=status)


@require_safe
@never_cache
def head_to_head(request: PageRequest, name: str = "") -> HttpResponse:
    """Show head to head with the opponent of this name; of several, `?who=2` is the second one met.

    By default it is the one last played. Without a name, lead to the games, whose page lists the opponents.
    """
    name = name or request.GET.get("name", "")
    if not name:
        return redirect("game:games")
    try:
        name = clean_name(name)
    except IllegalMove as error:
        raise Http404 from error
    visitor = request.browser.visitor()
    opponents = find_opponents(visitor, name) if visitor else []
    if visitor is None or not opponents:
        return render(request, "game/head_to_head.html", {"name": name, "heads": None})
    who = read_number(request.GET.get("who", "")) or 0
    chosen = opponents[who - 1] if 0 < who <= len(opponents) else max(opponents, key=lambda heads: heads.last)
    own = list_own_seats(visitor, chosen)
    context = {
        "name": name,
        "heads": chosen,
        "others": [(find_heads_address(heads.opponent.name, n), heads) for n, heads in enumerate(opponents, 1)],
        "reviewed": read_reviewed(own),
        "meetings": list_meetings(own),
    }
    return render(request, "game/head_to_head.html", context)
