"""Up to how many points it pays to throw again."""

from __future__ import annotations

from functools import lru_cache

from game.rules.ruleset import Ruleset
from game.strategy.turn.points import shot_points

# Points beyond these are not looked at: no shot of a person ever has them.
MOST = 60_000


@lru_cache(maxsize=1024)
def throw_below(ruleset: Ruleset, dice: int, entered: bool = True) -> int | None:
    """The fewest points with which banking is worth as much as throwing so many dice; None: throwing always is better.

    By expected points. Without pick-up it holds for all points above as well: what a throw is worth rises by less than
    a point with each point, because it can be a bust. Raises `EndlessShot`.
    """
    values = shot_points(ruleset)
    column, lane = values.graph.column(dice), values.lane(entered)
    for points in range(0, MOST + 1, values.graph.unit):
        if values.may_bank(column, points, lane):
            banked, thrown = values.bank(column, points, lane), values.throw(column, points, lane)
            if banked >= thrown:
                return points
    return None
