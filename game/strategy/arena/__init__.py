"""Thousands of games between computers, played side by side."""

from game.strategy.arena.match import Match, dice_of, play

__all__ = ["Match", "dice_of", "play"]
