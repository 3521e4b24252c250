"""The points from which on it pays to bank rather than to throw again."""

from functools import lru_cache

from game.rules.ruleset import Ruleset
from game.strategy.arrays import Floats, np
from game.strategy.turn.backward_induction import throw_values
from game.strategy.turn.points import ShotPoints, solve_shot_points

# No more points than these are searched, because no shot of a person ever has more.
POINTS_SEARCHED = 60_000


@lru_cache(maxsize=1024)
def find_bank_threshold(ruleset: Ruleset, dice: int, entered: bool = True) -> int | None:
    """Find the fewest points with which banking has at least the expected points of throwing this many dice.

    None if throwing is always better. Without pick-up, banking is then better with all larger points, too: with each
    point more the value of a throw rises by less than a point, because it can be a bust. The shot is assumed to have
    nothing to prove, and as few throws and sweeps as possible. Raises `NoBestPlay` where points have no bound.
    """
    solved = solve_shot_points(ruleset)
    column, kind = solved.graph.kept_columns(dice, entered=entered)[0], solved.kind(entered)
    step = np.lcm(solved.graph.unit, ruleset.bank_step or 1)
    points = np.arange(0, POINTS_SEARCHED + 1, step, dtype=np.float64)
    banks = _values_of_banking(solved, column, points) >= _values_of_throwing(solved, column, kind, points)
    enough = np.flatnonzero(banks & (points >= solved.rewards.minimum[kind]))
    return int(points[enough[0]]) if len(enough) and solved.graph.bankable[column] else None


def _values_of_banking(solved: ShotPoints, column: int, points: Floats) -> Floats:
    """Compute the values of banking each of these points, less what the next player gains from the dice left."""
    rewards, offer = solved.rewards, int(solved.graph.offers[column])
    if rewards.fresh is None:
        return points
    if rewards.offers is not None:
        return points - max(float(rewards.offers[offer]) - rewards.fresh, 0.0)
    left: Floats = np.maximum(_values_of_throwing(solved, offer, rewards.kinds.next, points) - rewards.fresh, 0.0)
    return points - left


def _values_of_throwing(solved: ShotPoints, column: int, kind: int, points: Floats) -> Floats:
    """Compute the values of throwing with each of these points, which are multiples of the unit from 0 on."""
    layer, place = solved.graph.layer_of[column]
    rows = (points // solved.graph.unit).astype(np.intp)
    near = rows < solved.top
    values = np.empty(len(points))
    bust = solved.rewards.busts(points[near])
    thrown = throw_values(solved.graph, layer, solved.values, rows[near], bust, solved.rewards.over)
    values[near] = thrown[:, place, kind]
    if solved.throwing:
        lines = solved.throwing
        values[~near] = lines.slope[column, kind] * points[~near] + lines.intercept[column, kind]
    return values
