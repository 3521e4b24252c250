"""The one way to write a game: lock, seat, request key, running, version, and then the verb itself."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from django.conf import settings
from django.db import OperationalError, connection, transaction
from django.db.models import F
from filelock import FileLock, Timeout

from game import live
from game.models import Game, Visitor
from game.services.refusals import (
    AlreadyDone,
    GameOver,
    KeyUsed,
    NoSuchGame,
    NotYourSeat,
    StaleMove,
    UnknownVersion,
)

LOCK_SECONDS = 5
LOCKED = "The write lock is held by somebody else."

_threads = threading.Lock()


@contextlib.contextmanager
def write_lock() -> Iterator[None]:
    """One writer at a time where the database is SQLite, whose own waiting is unfair; nothing elsewhere.

    The lock of the process comes first, so that threads queue in memory and only one of them waits for the file. Who
    waits too long gets what a busy database answers.
    """
    if connection.vendor != "sqlite":
        yield
        return
    if not _threads.acquire(timeout=LOCK_SECONDS):
        raise OperationalError(LOCKED)
    try:
        try:
            file = FileLock(settings.WRITE_LOCK_FILE).acquire(timeout=LOCK_SECONDS)
        except Timeout as busy:
            raise OperationalError(LOCKED) from busy
        with file:
            yield
    finally:
        _threads.release()


@dataclass(frozen=True)
class Asked:
    """What came with a form: who, the form's own key, the version it was made from and a digest of its content."""

    visitor: Visitor | None
    key: str
    version: int | None  # None where the form does not depend on how the game stands
    digest: str


@contextlib.contextmanager
def change(code: str, asked: Asked, *, dice: bool = True, over: bool = False) -> Iterator[Game]:
    """A game that nobody else can change meanwhile. Whatever is raised inside takes everything back.

    `dice`: the change is one of the shot or its legal moves, so the form's version must be the present one, and forms
    made before it are stale. `over`: it is allowed after the end, too.
    Raises a `Refusal`, or `AlreadyDone` for a retry of what was applied.
    """
    with write_lock(), transaction.atomic():
        # On both databases this statement is the lock: whoever comes second waits here.
        if not Game.objects.filter(code=code).update(version=F("version") + 1):
            raise NoSuchGame
        game = Game.objects.get(code=code)
        if asked.visitor is None or all(seat.visitor_id != asked.visitor.pk for seat in game.seats):
            raise NotYourSeat
        remember(game, asked.visitor, asked)
        if game.status != Game.Status.RUNNING and not over:
            raise GameOver
        check_version(game, asked.version, dice)
        yield game
        transaction.on_commit(partial(live.notify, game.code, game.version))


def check_version(game: Game, version: int | None, dice: bool) -> None:
    """A move has to be made from the board as it is: on the last change of the dice or a later one."""
    if version is not None and version >= game.version:
        raise UnknownVersion
    if dice:
        if version is None or version < game.moved:
            raise StaleMove
        game.moved = game.version


def remember(game: Game, visitor: Visitor, asked: Asked) -> None:
    """Uses up the form's key. Before the version is looked at: a retry of an applied move must succeed."""
    before = game.requests.filter(visitor=visitor, key=asked.key).first()
    if before:
        raise AlreadyDone if before.digest == asked.digest else KeyUsed
    game.requests.create(visitor=visitor, key=asked.key, digest=asked.digest)
