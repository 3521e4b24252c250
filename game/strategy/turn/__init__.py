"""The play of a shot that maximizes its expected points, for any ruleset."""

from game.strategy.turn.bank_thresholds import find_bank_threshold
from game.strategy.turn.graph import EndlessShot
from game.strategy.turn.options import DecisionPoint, Option, find_shot_points, list_options
from game.strategy.turn.points import ShotPoints, solve_shot_points

__all__ = [
    "DecisionPoint", "EndlessShot", "Option", "ShotPoints", "find_bank_threshold", "find_shot_points",
    "list_options", "solve_shot_points",
]  # fmt: skip
