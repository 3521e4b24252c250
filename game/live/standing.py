"""What the hub remembers of a game that somebody listens to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from game.models import Game

AT_ONCE = 500  # games in one query: databases limit its parameters


@dataclass(frozen=True)
class Standing:
    game: int  # its row
    version: int
    watching: bool  # whether others than the players may see it


def standings(codes: Sequence[str]) -> dict[str, Standing]:
    """How these games stand now. A code that is no game's is left out."""
    found: dict[str, Standing] = {}
    for start in range(0, len(codes), AT_ONCE):
        games = Game.objects.filter(code__in=codes[start : start + AT_ONCE])
        for code, *standing in games.values_list("code", "pk", "version", "watching"):
            found[code] = Standing(*standing)
    return found
