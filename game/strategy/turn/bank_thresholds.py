"""The points from which on it pays to bank rather than to throw again."""

from bisect import bisect_left
from functools import lru_cache
from math import lcm

from game.rules.ruleset import Ruleset
from game.strategy.turn.points import solve_shot_points

# No more points than these are searched, because no shot of a person ever has more.
POINTS_SEARCHED = 60_000


@lru_cache(maxsize=1024)
def find_bank_threshold(ruleset: Ruleset, dice: int, entered: bool) -> int | None:
    """Find the fewest points with which banking has at least the expected points of throwing this many dice.

    None if throwing is always better, or there is no bank. Without pick-up, banking is then better with all larger
    points, too: with each point more the value of a throw rises by no more than a point. The shot is assumed to have
    nothing to prove, and as few throws and sweeps as possible. Raises `NoBestPlay` where points have no bound.
    """
    solved = solve_shot_points(ruleset)
    column, kind = solved.graph.kept_columns(dice, entered=entered)[0], solved.kind(entered)
    every = range(0, POINTS_SEARCHED + 1, lcm(solved.graph.unit, ruleset.bank_step or 1))

    def is_bank_best(points: int) -> bool:
        is_allowed = solved.may_bank(column, points, kind)
        return is_allowed and solved.bank(column, points) >= solved.throw(column, points, kind)

    if ruleset.pick_up:  # what a bank leaves to the next player can be worth more with more points
        return next(filter(is_bank_best, every), None)
    place = bisect_left(every, True, key=is_bank_best)
    return every[place] if place < len(every) else None
