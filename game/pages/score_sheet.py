"""The score sheet of a game: every turn by round and player."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from game.history.replay import Turn
from game.models import ShotRow
from game.pages.parts.text import number

EMPTY_ROWS = 15


@dataclass(frozen=True)
class SheetTurn:
    """One player's turn in one round; empty where there was none."""

    change: str = ""  # "+450", "bust", with what it cost
    score: str = ""
    entered: bool = False  # the turn that got the player on the board


def list_empty_rounds(after: int) -> list[str]:
    """Return the numbers of the rounds to fill in by hand, after this many played ones."""
    return [number(after + n) for n in range(1, EMPTY_ROWS + 1)]


def list_rounds(players: int, played: Sequence[Turn]) -> list[tuple[str, list[SheetTurn]]]:
    """Return (round, a cell for each seat), first round first, without undone turns."""
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
        row[turn.seat] = SheetTurn(describe_change(turn, penalty), number(turn.score), gets_in)
        scores[turn.seat] = turn.score
    return [(number(round_), rows[round_]) for round_ in sorted(rows)]


def describe_change(turn: Turn, penalty: int) -> str:
    """Return what a turn brought, in a word or a number. `penalty`: points that it cost."""
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
