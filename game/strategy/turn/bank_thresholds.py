"""Up to how many points it pays to throw again."""

from functools import lru_cache

import numpy as np

from game.rules.ruleset import Ruleset
from game.strategy.turn.backward_induction import throw_values
from game.strategy.turn.graph import Floats
from game.strategy.turn.points import ShotPoints, solve_shot_points

# Points beyond these are not searched: no shot of a person ever has them.
POINTS_SEARCHED = 60_000


@lru_cache(maxsize=1024)
def find_bank_threshold(ruleset: Ruleset, dice: int, entered: bool = True) -> int | None:
    """Find the fewest points with which banking is worth as much as throwing so many dice, by expected points.

    None: throwing always is better. Without pick-up it holds for all points above as well: what a throw is worth rises
    by less than a point with each point, because it can be a bust. Raises `EndlessShot` where points have no bound.
    """
    solved = solve_shot_points(ruleset)
    column, kind = solved.graph.column(dice), solved.kind(entered)
    points = np.arange(0, POINTS_SEARCHED + 1, solved.graph.unit, dtype=np.float64)
    thrown = _values_of_throwing(solved, column, kind, points)
    banks = solved.rewards.bank(points, thrown) >= thrown
    enough = np.flatnonzero(banks & (points >= solved.rewards.minimum[kind]))
    return int(points[enough[0]]) if len(enough) and solved.graph.bankable[column] else None


def _values_of_throwing(solved: ShotPoints, column: int, kind: int, points: Floats) -> Floats:
    """Compute the values of throwing with each of these points, which are all multiples of the unit from 0 on."""
    layer, place = solved.graph.layer_of(column)
    rows = np.arange(min(len(points), solved.top), dtype=np.intp)
    near = throw_values(layer, solved.values, rows, solved.rewards.bust)[:, place, kind]
    far = solved.throwing.slope[column, kind] * points[len(rows) :] + solved.throwing.intercept[column, kind]
    return np.concatenate([near, far])
