"""The figures of the page of odds: what throws and turns bring under a ruleset."""

from dataclasses import dataclass
from functools import lru_cache

from game.rules import Ruleset
from game.strategy.odds import average_points, chance_to_end_with, sweep_chance
from game.strategy.turn import find_bank_threshold, solve_shot_points


@dataclass(frozen=True)
class OddsFigures:
    """What throws and shots bring, by number of dice from one to all: chances 0–1, and points.

    None where points have no bound or nothing scores. `below`: bank with this many points or more.
    """

    bust: tuple[float, ...]
    points: tuple[float, ...]
    sweep: tuple[float, ...]
    below: tuple[int | None, ...] | None
    below_not_in: tuple[int | None, ...] | None
    turn: float | None
    turn_not_in: float | None


@lru_cache(maxsize=64)
def compute_figures(ruleset: Ruleset) -> OddsFigures:
    """Return the figures of a ruleset. The first time for a ruleset takes up to five seconds."""
    counts = range(1, ruleset.dice + 1)
    throws = (
        tuple(chance_to_end_with(ruleset, dice) for dice in counts),
        tuple(average_points(ruleset, dice) for dice in counts),
        tuple(sweep_chance(ruleset, dice) for dice in counts),
    )
    try:
        shot = solve_shot_points(ruleset)
    except ValueError:
        return OddsFigures(*throws, None, None, None, None)
    below, not_in = (tuple(find_bank_threshold(ruleset, dice, entered) for dice in counts) for entered in (True, False))
    return OddsFigures(*throws, below, not_in, shot.expected(), shot.expected(entered=False))
