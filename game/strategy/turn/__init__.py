"""The shot with the largest expected points, for any ruleset."""

from game.strategy.turn.asymptote import EndlessShot
from game.strategy.turn.bank_thresholds import throw_below
from game.strategy.turn.options import Spot, Way, picks_up, ways
from game.strategy.turn.points import ShotPoints, shot_points
from game.strategy.turn.throws import average_points, sweep_chance

__all__ = [
    "EndlessShot",
    "ShotPoints",
    "Spot",
    "Way",
    "average_points",
    "picks_up",
    "shot_points",
    "sweep_chance",
    "throw_below",
    "ways",
]
