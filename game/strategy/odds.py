"""Exact chances and mean points of one throw under a ruleset, whatever is done with it."""

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from math import factorial, prod

from game.rules.ruleset import Dice, Ruleset
from game.rules.scoring import all_throws, keeps


def bust_chance(ruleset: Ruleset, dice: int, aside: Dice = ()) -> float:
    """Return the chance, 0 to 1, that one throw of so many dice offers nothing to keep.

    `aside` are the dice set aside since the last sweep: they matter only where three pairs may be made across throws.
    With several tries for the last die this is the chance of one try.
    """
    return _bust_chance(ruleset, dice, tuple(sorted(aside)) if ruleset.three_pairs_across_throws else ())


@lru_cache(maxsize=4096)
def _bust_chance(ruleset: Ruleset, dice: int, aside: Dice) -> float:
    busts = (throw for throw in all_throws(dice) if not keeps(ruleset, throw, aside))
    return float(Fraction(sum(count_orders(throw) for throw in busts), 6**dice))


@lru_cache(maxsize=1024)
def sweep_chance(ruleset: Ruleset, dice: int) -> float:
    """Return the chance, 0 to 1, that every die of a throw of so many dice may be kept."""
    sweeps = (throw for throw in all_throws(dice) if any(len(keep.dice) == dice for keep in keeps(ruleset, throw)))
    return float(Fraction(sum(count_orders(throw) for throw in sweeps), 6**dice))


@lru_cache(maxsize=1024)
def average_points(ruleset: Ruleset, dice: int) -> float:
    """Return the mean, over all throws of so many dice, of the most points that can be kept; a bust counts 0."""
    best = ((throw, keeps(ruleset, throw)) for throw in all_throws(dice))
    return float(Fraction(sum(count_orders(throw) * keep[0].points for throw, keep in best if keep), 6**dice))


def count_orders(throw: Dice) -> int:
    """Return in how many orders dice with these faces can fall: n! / (n1! n2! …), one factor a face."""
    return factorial(len(throw)) // prod(factorial(count) for count in Counter(throw).values())
