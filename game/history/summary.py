"""What stands out in a whole game, from light rows of its turns."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise
from operator import attrgetter

from game.history.replay import Turn, list_counted_scores, list_points_by_throw, list_turns
from game.history.scores import Score, thin_scores
from game.models import Game, ShotRow, ThrowRow
from game.rules import Ruleset
from game.rules.play.banking import is_bankable
from game.strategy.odds import chance_to_end_with

ENDS_KEPT = 64
BRAVE_FROM = 0.25  # the chance to lose the points at stake


@dataclass(frozen=True)
class GameEnd:
    """What the page of a finished game shows of all its turns.

    `best`: (points, seat) of the best banked turn, unless several players had one. `bravest`: (dice, points at
    stake, seat) of the throw with the fewest dice, and the most at stake, that did not bust though it might well have,
    and that its player need not have made. `mean`: points of a banked turn. None if there is none. `scores`: as a chart
    needs them; `steps`: how many its replay has, up to the last turn that ended; `outcome`: that of the last turn that
    counts; `seats_with_dice`: those with a turn of which more than its points is known.
    """

    best: tuple[int, int] | None
    bravest: tuple[int, int, int] | None
    busts: int
    mean: float | None
    scores: tuple[Score, ...]
    steps: int
    outcome: str
    seats_with_dice: frozenset[int]


def read_end(game: Game) -> GameEnd:
    """Return the summary of a finished game. Two queries, for the first page that shows it in this process.

    It stays the same until the version changes, so every later page costs the same, however long the game was.
    """
    return _read_end(game.pk, game.code, game.version, game.rules)


@lru_cache(maxsize=ENDS_KEPT)
def _read_end(game: int, _code: str, _version: int, ruleset: Ruleset) -> GameEnd:
    turns = list_turns(ShotRow.objects.filter(game=game))
    counted = [turn for turn in turns if not turn.cancelled]
    banks = [turn for turn in counted if turn.outcome == "bank"]
    most = max((turn.points for turn in banks), default=0)
    best = {turn.seat for turn in banks if turn.points == most}
    return GameEnd(
        best=(most, best.pop()) if len(best) == 1 else None,
        bravest=find_bravest_throw(game, ruleset, banks, list_picked_up(counted, ruleset.pick_up_worth)),
        busts=sum(turn.outcome == "bust" for turn in counted),
        mean=sum(turn.points for turn in banks) / len(banks) if banks else None,
        scores=tuple(thin_scores(list_counted_scores(turns))),
        steps=max((turn.last for turn in turns if turn.outcome or turn.cancelled), default=0),
        outcome=counted[-1].outcome if counted else "",
        seats_with_dice=frozenset(turn.seat for turn in counted if turn.count),
    )


def list_picked_up(counted: Sequence[Turn], worth: str | int) -> dict[int, int]:
    """Return the points with which turns began, by primary key, for turns that picked up the dice of the one before."""
    return {
        turn.pk: worth if isinstance(worth, int) else before.points
        for before, turn in pairwise(counted)
        if turn.picked_up is not None
    }


def find_bravest_throw(
    game: int, ruleset: Ruleset, banks: Sequence[Turn], picked_up: dict[int, int]
) -> tuple[int, int, int] | None:
    """Return the bravest throw of these turns. `picked_up`: the points with which they began, by primary key."""
    thrown = ThrowRow.objects.filter(game=game, shot__isnull=False).order_by("shot_id", "pk")
    thrown = thrown.only("shot", "dice", "kept", "points", "with_aside")
    seats = {turn.pk: turn.seat for turn in banks}
    first_banks = {turn.seat: turn.pk for turn in reversed(banks)}.values()
    throws = []
    for shot, of_shot in groupby(thrown, key=attrgetter("shot_id")):
        if shot in seats:
            rows = list(of_shot)
            before = [points for points, _after in list_points_by_throw(rows, picked_up.get(shot, 0))]
            for row, stake in zip(rows, before, strict=True):
                dice = len(row.dice)
                free = is_bankable(ruleset, stake, dice, entered=shot not in first_banks)
                if row.kept and stake and free and chance_to_end_with(ruleset, dice) >= BRAVE_FROM:
                    throws.append((dice, stake, seats[shot]))
    return min(throws, key=lambda throw: (throw[0], -throw[1], throw[2]), default=None)
