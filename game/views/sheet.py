"""The score sheet: every turn of a game in a table of rounds and players, to read and to print; and a blank one."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from game.history.replay import turns_of
from game.identity import PageRequest
from game.models import Game, RulesetRow
from game.pages.link_preview import preview_page
from game.pages.parts.text import number
from game.pages.rulesets import summary
from game.pages.rulesets.value_grid import build_value_grid
from game.pages.score_sheet import list_empty_rounds, list_rounds
from game.services import has_part
from game.storage import load_state
from game.views.game import get_game_or_404

BROAD = 6  # with more players than this the sheet is printed in landscape
BLANK_PLAYERS = 6


@require_safe
def sheet(request: PageRequest, code: str) -> HttpResponse:
    """Before the end it has empty rows, to continue by hand."""
    game = get_game_or_404(request, code)
    played = list_rounds(len(game.seats), turns_of(game))
    link = request.build_absolute_uri(game.get_absolute_url())
    context = {
        "game": game,
        "ruleset": game.settings["name"],
        "target": number(game.target if game.status == Game.Status.WAITING else load_state(game).target),
        "players": [(seat.name, number(seat.score)) for seat in game.seats],
        "rounds": played,
        "empty": () if game.is_over else list_empty_rounds(len(played)),
        "broad": len(game.seats) > BROAD,
        "takes_away": game.is_over or (bool(played) and has_part(game, request.browser.visitor())),
        "link": link,
    }
    return render(request, "game/sheet.html", context)


@require_safe
def blank(request: PageRequest) -> HttpResponse:
    """An empty sheet with what scores, by the rules of `?ruleset=` or else the first on offer."""
    rulesets = list(RulesetRow.objects.filter(latest=True, retired=None))
    slug = request.GET.get("ruleset")
    row = next((row for row in rulesets if row.slug == slug), rulesets[0] if rulesets else None)
    context = {
        "row": row,
        "rulesets": rulesets,
        "grid": build_value_grid(row.rules) if row else (),
        "scores": summary.list_scores(row.rules) if row else (),
        "target": number(row.rules.target) if row else "",
        "entry": number(row.rules.entry_minimum) if row and row.rules.entry_minimum else "",
        "players": [("", "")] * BLANK_PLAYERS,
        "rounds": (),
        "empty": list_empty_rounds(0),
        "preview": preview_page(
            _("Blank score sheet"),
            _("A score sheet for the dice game 10,000 to print, with what scores by the rules that you choose."),
            "blank-sheet",
        ),
    }
    return render(request, "game/sheet_blank.html", context)
