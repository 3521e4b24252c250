"""The score sheet: every turn of a game as a table of rounds and players, to read and to print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from game import history
from game.identity import PageRequest
from game.models import Shot
from game.views.board.words import number
from game.views.game import game_for

BROAD = 6  # more players than this stand on paper laid across


@dataclass(frozen=True)
class Cell:
    """One player's turn in one round; empty where there was none."""

    change: str = ""  # "+450", "–" for a bust
    score: str = ""
    entered: bool = False  # the turn that got the player in


@require_safe
def sheet(request: PageRequest, code: str) -> HttpResponse:
    game = game_for(request, code)
    state = game.state()
    context = {
        "game": game,
        "ruleset": state.ruleset.name,
        "target": number(state.target),
        "players": [(player.name, number(player.score)) for player in state.players],
        "rounds": rounds(len(state.players), history.turns_by_round(game)),
        "broad": len(state.players) > BROAD,
    }
    return render(request, "game/sheet.html", context)


def rounds(players: int, turns: Sequence[Shot]) -> list[tuple[str, list[Cell]]]:
    """(round, a cell per seat), first round first."""
    rows: dict[int, list[Cell]] = {}
    seen: set[int] = set()
    for turn in turns:
        seat = turn.player.seat
        gets_in = turn.outcome == Shot.Outcome.BANK and seat not in seen
        if gets_in:
            seen.add(seat)
        row = rows.setdefault(turn.round, [Cell()] * players)
        row[seat] = Cell(change(turn), number(turn.score), gets_in)
    return [(number(round_), rows[round_]) for round_ in sorted(rows)]


def change(turn: Shot) -> str:
    match turn.outcome:
        case Shot.Outcome.BANK:
            return f"+{number(turn.points)}"
        case Shot.Outcome.WIN:
            return _("six alike")
        case Shot.Outcome.BUST:
            return "–"
    return _("no turn")
