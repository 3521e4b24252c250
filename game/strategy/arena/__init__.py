"""Thousands of games between computers, played side by side."""

from game.strategy.arena.match import Match, play_match

__all__ = ["Match", "play_match"]
