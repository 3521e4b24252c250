"""What stands out in a whole game, from its light rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from game.history.replay import Turn
from game.models import Game


@dataclass(frozen=True)
class Summary:
    """What stands out in a game.

    `best`: (points, seat) of the best banked turn. `bravest`: (dice, points at stake, seat) of the throw with the
    fewest dice, and the most at stake, that did not bust. `mean`: points of a banked turn. None where there is none.
    """

    best: tuple[int, int] | None
    bravest: tuple[int, int, int] | None
    busts: int
    mean: float | None


def summarize_game(game: Game, turns: Sequence[Turn]) -> Summary:
    """Return what stands out; undone turns do not count. One query."""
    counted = [turn for turn in turns if not turn.cancelled]
    banks = [turn for turn in counted if turn.outcome == "bank"]
    best = max(banks, key=lambda turn: turn.points, default=None)
    return Summary(
        best=(best.points, best.seat) if best else None,
        bravest=boldest_throw(game, {turn.pk: turn.seat for turn in banks if turn.count > 1}),
        busts=sum(turn.outcome == "bust" for turn in counted),
        mean=sum(turn.points for turn in banks) / len(banks) if banks else None,
    )


def boldest_throw(game: Game, seats: dict[int, int]) -> tuple[int, int, int] | None:
    """Return the bravest throw of the turns that come into question. `seats`: by their rows."""
    thrown = game.throws.filter(shot__isnull=False).order_by("shot", "pk")
    throws = []
    for shot, rows in groupby(thrown.values_list("shot", "dice", "kept", "points"), key=itemgetter(0)):
        stake = 0
        for _shot, faces, kept, points in rows if shot in seats else ():
            if stake and kept:
                throws.append((len(faces), stake, seats[shot]))
            stake += points
    return min(throws, key=lambda throw: (throw[0], -throw[1], throw[2]), default=None)
