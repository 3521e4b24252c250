"""This browser's games, and loading a saved one."""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from game import services
from game.forms.commands import read_key
from game.forms.games import FilterForm, page_number
from game.forms.load import LoadForm, TooLarge
from game.history import lists
from game.history.lists import GameFilter
from game.identity import PageRequest
from game.models import Game, Visitor
from game.pages import game_list
from game.pages.statistics import describe_statistics
from game.rules.record import Flaw, RecordError
from game.rules.ruleset import PLAYERS_MOST
from game.views.responses import see_other
from game.views.watched import watched_codes

PAGE = 25
EVENT = re.compile(r"event (\d+)(?:, throw (\d+))?\Z")
TABS = {"open": Game.OPEN, "finished": Game.OVER, "watching": ()}


@require_safe
def games(request: PageRequest) -> HttpResponse:
    """The tabs Open, Finished and Watching; htmx gets only the rows of a further page."""
    visitor = request.browser.visitor()
    tab = request.GET.get("show", "")
    tab = tab if tab in TABS else "open"
    filters = FilterForm(request.GET)
    wanted = filters.wanted if tab == "finished" else replace(filters.wanted, result="")
    page = find_page(visitor, tab, wanted, request.GET.get("page", ""))
    watching = tab == "watching"
    listed = lists.watched_games(watched_codes(request), visitor) if watching else lists.games_by_numbers(page.numbers)
    context: dict[str, object] = {
        "tab": tab,
        "page": page,
        "rows": game_list.list_games(listed, visitor),
        "here": list_address(tab, wanted),
    }
    if request.htmx and "page" in request.GET:
        return render(request, "game/partials/games_rows.html", context)
    statistics = describe_statistics(visitor) if page.number == 1 and not wanted else None
    # Whether any game is over takes a while to ask: only where the page does not show one.
    shows_over = statistics is not None or (tab == "finished" and bool(listed))
    context |= {
        "filters": filters,
        "seats_most": PLAYERS_MOST,
        "filtered": bool(wanted),
        "open_count": lists.filtered_numbers(visitor, Game.OPEN, GameFilter()).count() if visitor else 0,
        "figures": statistics,
        "any_over": shows_over
        or (visitor is not None and lists.filtered_numbers(visitor, Game.OVER, GameFilter()).exists()),
    }
    return render(request, "game/games.html", context)


@dataclass(frozen=True)
class Page:
    """The numbers of the games on one page of the list."""

    numbers: Sequence[int] = ()
    number: int = 1
    more: bool = False

    @property
    def next(self) -> int:
        """The number of the next page."""
        return self.number + 1


def find_page(visitor: Visitor | None, tab: str, wanted: GameFilter, number: str) -> Page:
    """Return a page of the list; the last one where there is none of this number, for which the rows are counted."""
    if visitor is None or tab == "watching":
        return Page()
    numbers = lists.filtered_numbers(visitor, TABS[tab], wanted)
    page = cut_page(numbers, page_number(number))
    if page.numbers or page.number == 1:
        return page
    return cut_page(numbers, -(-numbers.count() // PAGE) or 1)


def cut_page(numbers: QuerySet[Game, int], page: int | None) -> Page:
    """Return the rows of a page; none for a page that no list has."""
    if page is None:
        return Page(number=0)
    begin = (page - 1) * PAGE
    cut = list(numbers[begin : begin + PAGE + 1])
    return Page(cut[:PAGE], page, len(cut) > PAGE)


def list_address(tab: str, wanted: GameFilter) -> str:
    """Return the address of the list as it is, to be followed by the number of a page."""
    query = {"show": tab} | {name: value for name, value in asdict(wanted).items() if value}
    return f"?{urlencode(query)}"


@require_http_methods(["GET", "HEAD", "POST"])
def load(request: PageRequest) -> HttpResponse:
    """Make a new game of a game file, with newly sealed dice for what is still to be thrown."""
    if request.method != "POST":
        return render(request, "game/import.html", {"problems": [], "key": ""})
    key = read_key(request)
    form = LoadForm(request.POST, request.FILES)
    try:
        if not form.is_valid():
            return refuse_file(request, [str(error) for error in form.errors["file"]], 422)
        game = services.load_game(request.browser, key, form.cleaned_data["file"])
    except TooLarge:
        return refuse_file(request, [_("This file is too large. A game file is at most 256 KiB.")], 413)
    except services.Refusal as refusal:
        return refuse_file(request, [str(refusal)], refusal.status)
    except RecordError as error:
        return refuse_file(request, [describe_flaw(flaw) for flaw in error.problems], 422)
    return see_other(request, game.get_absolute_url())


def describe_flaw(flaw: Flaw) -> str:
    """Return what is wrong in a game file, with its place in front."""
    return _("%(place)s: %(reason)s.") % {
        "place": name_place(flaw.place),
        "reason": _(flaw.sentence).rstrip(".") % flaw.args,
    }


def name_place(words: str) -> str:
    """Return "event 12, throw 2" in the reader's language; other places are the names of fields."""
    if words == "file":
        return _("File")
    match = EVENT.match(words)
    if not match:
        return words
    numbers = {"n": match[1], "k": match[2]}
    return _("Event %(n)s, throw %(k)s") % numbers if match[2] else _("Event %(n)s") % numbers


def refuse_file(request: PageRequest, reasons: Sequence[str], status: int) -> HttpResponse:
    problems = [("file", str(reason)) for reason in reasons]
    return render(request, "game/import.html", {"problems": problems, "key": request.POST["key"]}, status=status)
