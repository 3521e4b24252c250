"""The play of a shot that maximises its expected points, for any ruleset."""

from game.strategy.turn.bank_thresholds import find_bank_threshold
from game.strategy.turn.options import Option, list_options, solve_points_of
from game.strategy.turn.points import ShotPoints, solve_shot_points
from game.strategy.turn.positions import NoBestPlay

__all__ = [
    "NoBestPlay", "Option", "ShotPoints", "find_bank_threshold", "list_options", "solve_points_of",
    "solve_shot_points",
]  # fmt: skip
