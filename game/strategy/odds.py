"""Exact chances of a throw under a ruleset."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from math import factorial, prod

from game.rules.ruleset import Ruleset
from game.rules.scoring import Dice, all_throws, keeps


def bust_chance(ruleset: Ruleset, dice: int, aside: Dice = ()) -> float:
    """The chance, 0 to 1, that one throw of so many dice offers nothing to keep.

    `aside` are the dice set aside since the last sweep: they matter only where three pairs may be made across throws.
    With several tries for the last die this is the chance of one try.
    """
    counts = aside if ruleset.three_pairs_across_throws else ()
    return _bust_chance(ruleset, dice, tuple(sorted(counts)))


@lru_cache(maxsize=4096)
def _bust_chance(ruleset: Ruleset, dice: int, aside: Dice) -> float:
    busts = (throw for throw in all_throws(dice) if not keeps(ruleset, throw, aside))
    return float(Fraction(sum(_ways(throw) for throw in busts), 6**dice))


def _ways(throw: Dice) -> int:
    """In how many orders the same faces can fall."""
    return factorial(len(throw)) // prod(factorial(count) for count in Counter(throw).values())
