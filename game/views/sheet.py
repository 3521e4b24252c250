"""The score sheet: every turn of a game as a table of rounds and players, to read and to print; and a blank one."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from game.history.replay import Turn, turns_of
from game.identity import PageRequest
from game.models import Game, RulesetRow, ShotRow
from game.pages.link_preview import preview_page
from game.pages.parts.text import number
from game.pages.rulesets import summary
from game.pages.rulesets.value_grid import build_value_grid
from game.services import has_part
from game.storage import load_state
from game.views.game import get_game_or_404

BROAD = 6  # more players than this stand on paper laid across
EMPTY_ROWS = 15
BLANK_PLAYERS = 6


@dataclass(frozen=True)
class SheetTurn:
    """One player's turn in one round; empty where there was none."""

    change: str = ""  # "+450", "bust", with what it cost
    score: str = ""
    entered: bool = False  # the turn that got the player on the board


@require_safe
def sheet(request: PageRequest, code: str) -> HttpResponse:
    """Before the end with empty rows, to be gone on with by hand."""
    game = get_game_or_404(request, code)
    played = rounds(len(game.seats), turns_of(game))
    link = request.build_absolute_uri(game.get_absolute_url())
    context = {
        "game": game,
        "ruleset": game.settings["name"],
        "target": number(game.target if game.status == Game.Status.WAITING else load_state(game).target),
        "players": [(seat.name, number(seat.score)) for seat in game.seats],
        "rounds": played,
        "empty": () if game.is_over else empty_rounds(len(played)),
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
        "empty": empty_rounds(0),
        "preview": preview_page(
            _("Blank score sheet"),
            _("A score sheet for the dice game 10,000 to print, with what scores by the rules that you choose."),
            "blank-sheet",
        ),
    }
    return render(request, "game/sheet_blank.html", context)


def empty_rounds(after: int) -> list[str]:
    return [number(after + n) for n in range(1, EMPTY_ROWS + 1)]


def rounds(players: int, played: Sequence[Turn]) -> list[tuple[str, list[SheetTurn]]]:
    """(round, a cell per seat), first round first. Undone turns are not on it."""
    rows: dict[int, list[SheetTurn]] = {}
    scores: dict[int, int] = {}
    seen: set[int] = set()
    for turn in played:
        if turn.cancelled:
            continue
        gets_in = turn.outcome == ShotRow.Outcome.BANK and turn.seat not in seen
        if gets_in:
            seen.add(turn.seat)
        row = rows.setdefault(turn.round, [SheetTurn()] * players)
        penalty = scores.get(turn.seat, 0) - turn.score
        row[turn.seat] = SheetTurn(change(turn, penalty), number(turn.score), gets_in)
        scores[turn.seat] = turn.score
    return [(number(round_), rows[round_]) for round_ in sorted(rows)]


def change(turn: Turn, penalty: int) -> str:
    match turn.outcome:
        case ShotRow.Outcome.BANK:
            return f"+{number(turn.points)}"
        case ShotRow.Outcome.WIN:
            return _("won at once")
        case ShotRow.Outcome.OVER:
            return _("beyond the target")
        case ShotRow.Outcome.ELIMINATED:
            return _("eliminated")
        case ShotRow.Outcome.BUST:
            return _("bust −%(points)s") % {"points": number(penalty)} if penalty > 0 else _("bust")
    return _("no turn")
