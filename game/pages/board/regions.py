"""The regions of the game page, and which of them a change makes old."""

from __future__ import annotations

from game.models import Game

OF_A_MOVE = frozenset({"top", "banner", "scores", "say", "tray", "ways", "turnlog"})
OF_A_TURN = OF_A_MOVE | {"earlier", "chart"}
OF_ALL = OF_A_TURN | {"people", "options"}

# Who is there, and what waits for them.
OF_PEOPLE = frozenset({"scores", "people", "banner"})


def old_since(game: Game, version: int | None) -> frozenset[str]:
    """What may be old of a page that shows this version: the end of a turn changes more than a throw."""
    if game.is_over or version is None or not game.table_version <= version < game.version:
        return OF_ALL
    return OF_A_TURN if version < game.turn_version else OF_A_MOVE
