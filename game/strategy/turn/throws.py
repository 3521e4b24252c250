"""What one throw brings, whatever is done with it."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from game.rules.ruleset import Ruleset
from game.rules.scoring import all_throws, keeps
from game.strategy.turn.graph import ways_to_fall


@lru_cache(maxsize=1024)
def sweep_chance(ruleset: Ruleset, dice: int) -> float:
    """The chance, 0 to 1, that all dice of a throw of so many may be kept."""
    full = (throw for throw in all_throws(dice) if any(len(keep.dice) == dice for keep in keeps(ruleset, throw)))
    return float(Fraction(sum(ways_to_fall(throw) for throw in full), 6**dice))


@lru_cache(maxsize=1024)
def average_points(ruleset: Ruleset, dice: int) -> float:
    """The mean over all throws of so many dice of the most points that can be kept; a bust counts 0."""
    best = ((throw, keeps(ruleset, throw)) for throw in all_throws(dice))
    return float(Fraction(sum(ways_to_fall(throw) * found[0].points for throw, found in best if found), 6**dice))
