"""What the hub remembers of a game that somebody listens to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from game.models import Game

AT_ONCE = 500  # games in one query: databases limit its parameters


@dataclass(frozen=True)
class Standing:
    game: int  # its row
    version: int
    watching: bool  # whether others than those who belong to it may see it
    belonging: frozenset[int]  # the visitors who do


def standings(known: Mapping[str, int | None]) -> dict[str, Standing]:
    """How those of these games stand that have moved on from the versions known. A code of no game is left out."""
    found: dict[str, Standing] = {}
    codes = list(known)
    for start in range(0, len(codes), AT_ONCE):
        games = Game.objects.filter(code__in=codes[start : start + AT_ONCE])
        moved = [code for code, version in games.values_list("code", "version") if version != known[code]]
        rows = games.filter(code__in=moved).only("code", "version", "watching", "host")
        found |= {game.code: standing(game) for game in (Game.with_seats(rows) if moved else ())}
    return found


def standing(game: Game) -> Standing:
    return Standing(game.pk, game.version, game.watching, game.belonging)
