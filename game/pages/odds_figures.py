"""The figures of the odds page: what throws and turns bring under a ruleset. `odds_answer` answers its question."""

from dataclasses import dataclass
from functools import lru_cache

from game.rules import Ruleset
from game.strategy.odds import average_points, chance_to_end_with, sweep_chance
from game.strategy.turn import find_bank_threshold, solve_shot_points


@dataclass(frozen=True)
class OddsFigures:
    """What throws and turns bring, by number of dice from one to all: chances 0–1, and points.

    `bank_from`: the fewest points with which to bank; `…_before_entering`: for a player not on the board. None where
    points have no bound or nothing scores.
    """

    bust: tuple[float, ...]
    points: tuple[float, ...]
    sweep: tuple[float, ...]
    bank_from: tuple[int | None, ...] | None
    bank_from_before_entering: tuple[int | None, ...] | None
    turn: float | None
    turn_before_entering: float | None


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
    bank_from, before = (
        tuple(find_bank_threshold(ruleset, dice, entered) for dice in counts) for entered in (True, False)
    )
    return OddsFigures(*throws, bank_from, before, shot.expected(), shot.expected(entered=False))
