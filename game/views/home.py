"""The home page: a tray that is one tap from the first throw, and what this browser is in the middle of."""

from contextlib import suppress

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from game import services
from game.forms.commands import read_key
from game.forms.new import list_offered
from game.history import lists
from game.identity import PageRequest
from game.models import RulesetRow
from game.pages import game_list
from game.pages.crews import list_crews
from game.pages.link_preview import preview_page
from game.pages.parts.names import is_free, suggest_person_name
from game.pages.rulesets import summary
from game.rules import Entry
from game.strategy.computers import FIRST_LEVEL
from game.views.game import find_first_page
from game.views.remembered import last_name
from game.views.responses import see_other

SHOWN = 5  # open games on the home page, and as many again in which others wait
CREWS_SHOWN = 3
OPPONENT = "*HAL"
HERO = (1, 5, 3, 3, 6, 3)


@require_safe
def home(request: PageRequest) -> HttpResponse:
    """Show the home page."""
    return render_home(request)


def render_home(request: PageRequest, problem: str = "", status: int = 200) -> HttpResponse:
    """Render the page, with what went wrong with its button."""
    visitor = request.browser.visitor()
    rows = game_list.list_games(lists.open_games(visitor), visitor) if visitor else []
    waiting = [row for row in rows if row.waits][:SHOWN]
    mine = [row for row in rows if row not in waiting]
    ruleset = find_ruleset_for_two()
    return render(
        request,
        "game/home.html",
        {
            "waiting": waiting,
            "mine": mine[:SHOWN],
            "crews": list_crews(visitor, CREWS_SHOWN),
            "first": game_list.pick_first(waiting or mine[:SHOWN]),
            "more": len(mine) > SHOWN,
            "opponent": OPPONENT,
            "hero": list(enumerate(HERO, 1)),
            "ruleset": ruleset,
            "scores": summary.list_scores(ruleset.rules) if ruleset else (),
            "problems": [("throw", problem)] if problem else [],
            "preview": preview_page(
                _("10,000, the dice game"),
                _(
                    "Play 10,000, also known as Farkle, Zilch or Greed, in your browser: against the computer, "
                    "with friends near and far, or with real dice. Free, and without an account."
                ),
                "home",
            ),
        },
        status=status,
    )


@require_POST
def quick(request: PageRequest) -> HttpResponse:
    """Create a game against the computer and throw, or let a word be added first. Idempotent."""
    key, words = read_key(request), request.POST.get("do") == "words"
    ruleset = find_ruleset_for_two()
    if ruleset is None:
        return see_other(request, reverse("game:new"))
    try:
        game = services.create_game(request.browser, key, ruleset, list_entries(request), wait=words)
    except services.Refusal as refusal:
        return render_home(request, str(refusal), refusal.status)
    if words:
        return see_other(request, find_first_page(game, words))
    with suppress(services.AlreadyDone, services.Refusal):
        services.throw_dice(game.code, services.Command(game.host, key, game.version, "quick"), ())
    return see_other(request, game.get_absolute_url() + "#top")  # so that the page plays the throw


def find_ruleset_for_two() -> RulesetRow | None:
    """Return the first ruleset on offer that two can play by."""
    return next((row for row in list_offered() if row.rules.min_players <= 2 <= row.rules.max_players), None)


def list_entries(request: PageRequest) -> list[Entry]:
    """Return the visitor, by the name last used, and the computer."""
    last = last_name(request)
    name = last if last and is_free(last, [OPPONENT]) else suggest_person_name(1, ())
    return [Entry(name), Entry(OPPONENT, FIRST_LEVEL)]
