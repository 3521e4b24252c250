"""The regions of the game page, and which of them are outdated after a change."""

from collections.abc import Sequence
from typing import Literal

from game import history, services
from game.models import Game
from game.pages.parts.view_of_game import find_newest_change
from game.rules import events
from game.rules.events import Event
from game.storage import load_state

OF_A_MOVE = frozenset({"top", "banner", "scores", "say", "tray", "ways", "turnlog"})
OF_A_TURN = OF_A_MOVE | {"earlier", "chart"}
OF_ALL = OF_A_TURN | {"people", "options"}

# The regions that show who is present, and what is waiting for them.
OF_PEOPLE = frozenset({"scores", "people", "banner"})

# What is outdated on a page: only who is present; also changes at the table; or also the dice.
Outdated = Literal["people", "table", "dice"]


def find_missed(row: Game, version: int) -> Outdated:
    """Return what a page of this version may lack. A version newer than the game's dates from before a restore."""
    if version == row.version:
        return "people"
    return "table" if row.dice_version <= version < row.version else "dice"


def find_regions_after_move(row: Game, version: int | None) -> frozenset[str]:
    """Return the outdated regions of a page of this version after a move: a turn's end changes more than a throw.

    The players panel is among them when the invite that the host's page shows has ended with its last round.
    """
    if row.is_over or version is None or not row.table_version <= version < row.version:
        return OF_ALL
    if version >= row.turn_version:
        return OF_A_MOVE
    return OF_A_TURN | {"people"} if load_state(row).round == services.INVITE_ROUNDS + 1 else OF_A_TURN


def find_regions_after_change(row: Game, version: int | None, happened: Sequence[Event]) -> frozenset[str]:
    """Return the outdated regions of the page from which something was changed at the table.

    Dice that somebody is choosing stay as they are, unless the turn has changed or their buttons mention the target.
    After the end, the result stands in their place, and it names the players.
    """
    moved = version is None or version < row.dice_version
    rebuilt = any(isinstance(event, events.TargetSet | events.ModeSet) for event in happened)
    return OF_ALL if moved or rebuilt or row.is_over else OF_ALL - {"tray"}


def find_regions_missed(row: Game, version: int, missed: Outdated, came_or_went: bool) -> frozenset[str]:
    """Return the outdated regions of a page of this version that did nothing itself."""
    if missed == "people":
        return OF_PEOPLE
    if missed == "table":
        change = find_newest_change(row, history.list_latest_changes(row, 1))
        # The rematch has replaced the tray, or its buttons mention the target.
        return OF_ALL if row.is_over or (change and change.kind == "target") else OF_ALL - {"tray"}
    return find_regions_after_move(row, version) | (OF_PEOPLE if came_or_went else frozenset())
