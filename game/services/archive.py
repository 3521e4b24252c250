"""Games restored from an archive: the missing ones, each in its own transaction."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from game.history.lists import games_of
from game.identity import Browser, derive_token
from game.models import Game
from game.rules import Record, RecordError, record
from game.services.games import content_digest
from game.services.loading import load_game

SECONDS_MOST = 4.0  # others need the page thread too; the rest comes with the next press


class GameFile(Protocol):
    """A file that may hold a game."""

    @property
    def name(self) -> str:
        """Its name."""
        ...

    @property
    def code(self) -> str:
        """The game code in its name; "" for none."""
        ...

    def read(self) -> Record:
        """Return its content. Raises `RecordError`."""
        ...


@dataclass
class Restoring:
    """What became of the files: how many were loaded, already there or left for later; which were refused, and why."""

    restored: int = 0
    there: int = 0
    left: int = 0
    refused: list[tuple[str, RecordError]] = field(default_factory=list)


def restore_games(browser: Browser, files: Sequence[GameFile]) -> Restoring:
    """Load each file whose game is missing, for a limited time. Sending the same files again loads the rest.

    A game is not missing if this browser has a part in the one with its code, or loaded the same file before. Each game
    is loaded in a transaction of its own, so a refused file leaves nothing behind.
    """
    done, until = Restoring(), time.monotonic() + SECONDS_MOST
    visitor = browser.visitor()
    codes = set(games_of(visitor).values_list("code", flat=True)) if visitor else set()
    for number, file in enumerate(files):
        if time.monotonic() > until:
            done.left = len(files) - number
            break
        try:
            restored = file.code not in codes and restore_game(browser, file.read(), codes)
        except RecordError as error:
            done.refused.append((file.name, error))
            continue
        done.restored += restored
        done.there += not restored
    return done


def restore_game(browser: Browser, saved: Record, codes: set[str]) -> bool:
    """Load a game unless it is there already; return whether it was missing. Raises `RecordError`.

    `codes`: of the browser's games. The new game's key is derived from the file's content, so the same file never makes
    a second game for the same people.
    """
    if saved.proof and saved.proof.code in codes:
        return False
    if browser.visitor() is None:
        record.replay(saved)  # a refused file creates no visitor
    visitor = browser.visitor_or_new()
    key = derive_token("game.restore", visitor.pk, content_digest(saved))
    if Game.objects.filter(key=key).exists():
        return False
    load_game(browser, key, saved)
    return True
