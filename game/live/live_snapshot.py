"""What live pages need from a game: its version, and who may listen to it in which role."""

from collections.abc import Mapping
from dataclasses import dataclass

from game.models import Game

AT_ONCE = 500  # games in one query: databases limit its parameters


@dataclass(frozen=True)
class LiveSnapshot:
    """A game as the hub knows it: its primary key, its version, and who belongs to it."""

    game: int
    version: int
    watching: bool  # whether outsiders may see it
    belonging: frozenset[int]  # keys of the visitors who belong to it


def make_snapshot(game: Game) -> LiveSnapshot:
    """Return the snapshot of a game as it is now."""
    return LiveSnapshot(game.pk, game.version, game.watching, game.belonging)


def load_snapshots(known: Mapping[str, int | None]) -> dict[str, LiveSnapshot]:
    """Return the snapshots of the games that have moved on from their known versions, by code.

    `known`: version by code, None where none is known. Unknown codes are left out.
    """
    snapshots: dict[str, LiveSnapshot] = {}
    codes = list(known)
    for start in range(0, len(codes), AT_ONCE):
        games = Game.objects.filter(code__in=codes[start : start + AT_ONCE])
        moved = [code for code, version in games.values_list("code", "version") if version != known[code]]
        rows = games.filter(code__in=moved).only("code", "version", "watching", "host")
        snapshots |= {game.code: make_snapshot(game) for game in (Game.with_seats(rows) if moved else ())}
    return snapshots
