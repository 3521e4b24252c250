"""Up to how many points it pays to throw again."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from game.rules.ruleset import Ruleset
from game.strategy.turn.backward_induction import throw_values
from game.strategy.turn.graph import Floats
from game.strategy.turn.points import ShotPoints, solve_shot_points

# Points beyond these are not looked at: no shot of a person ever has them.
MOST = 60_000


@lru_cache(maxsize=1024)
def find_bank_threshold(ruleset: Ruleset, dice: int, entered: bool = True) -> int | None:
    """The fewest points with which banking is worth as much as throwing so many dice; None: throwing always is better.

    By expected points. Without pick-up it holds for all points above as well: what a throw is worth rises by less than
    a point with each point, because it can be a bust. Raises `ValueError` where no points can be expected.
    """
    values = solve_shot_points(ruleset)
    column, lane = values.graph.column(dice), values.lane(entered)
    points = np.arange(0, MOST + 1, values.graph.unit, dtype=np.float64)
    thrown = _thrown(values, column, lane, points)
    banks = values.terms.bank(points, thrown) >= thrown
    found = np.flatnonzero(banks & (points >= values.terms.minimum[lane]))
    return int(points[found[0]]) if len(found) and values.graph.bankable[column] else None


def _thrown(values: ShotPoints, column: int, lane: int, points: Floats) -> Floats:
    """What throwing is worth with each of these points, which are all multiples of the unit from 0 on."""
    level, place = values.graph.level_of(column)
    rows = np.arange(min(len(points), values.top), dtype=np.intp)
    near = throw_values(level, values.plane, rows, values.terms.bust)[:, place, lane]
    far = values.throwing.slope[column, lane] * points[len(rows) :] + values.throwing.intercept[column, lane]
    whole: Floats = np.concatenate([near, far])
    return whole
