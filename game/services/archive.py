"""Games restored from an archive: the missing ones, each in its own transaction."""

import re
import struct
import time
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from django.utils.translation import gettext_noop

from game.history.lists import query_games_of
from game.identity import Browser, derive_token
from game.models import Game
from game.models.visitors import CODE
from game.rules import Record, RecordError, record
from game.rules.record import BYTES_MOST, Flaw, from_json
from game.services.games import digest_content
from game.services.loading import load_game

NAMED = re.compile(rf"ten-thousand-({CODE})\.json\Z")
UNPACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, OverflowError, RuntimeError, ValueError)
SECONDS_MOST = 4.0  # others need the page thread too; the rest comes with the next press


@dataclass(frozen=True)
class ArchivedFile:
    """A file in the zip file, not unpacked yet."""

    archive: zipfile.ZipFile
    info: zipfile.ZipInfo

    @property
    def name(self) -> str:
        """The file's name, without its folders."""
        return PurePosixPath(self.info.filename).name

    @property
    def code(self) -> str:
        """The game's code in the file's name; "" if the name has none."""
        match = NAMED.match(self.name)
        return match[1] if match else ""

    def read(self) -> Record:
        """Return the record in the file. Raises `RecordError`. Never unpacks more bytes than a game file may have."""
        try:
            with self.archive.open(self.info) as file:
                text = file.read(BYTES_MOST + 1) if self.info.compress_type in UNPACKED else None
        except BROKEN:
            text = None
        if text is None:
            raise RecordError([Flaw("file", gettext_noop("This file cannot be read."))])
        if len(text) > BYTES_MOST:
            raise RecordError([Flaw("file", gettext_noop("This file is too large. A game file is at most 256 KiB."))])
        return from_json(text)


def list_files(archive: zipfile.ZipFile) -> Iterator[ArchivedFile]:
    """Yield the game files, skipping folders and what operating systems add."""
    for info in archive.infolist():
        if not info.is_dir() and info.filename.endswith(".json") and "__MACOSX" not in info.filename:
            yield ArchivedFile(archive, info)


@dataclass
class RestoreResult:
    """What became of the files: how many were loaded, already there or left for later; which were refused, and why."""

    restored: int = 0
    there: int = 0
    left: int = 0
    refused: list[tuple[str, RecordError]] = field(default_factory=list)


def restore_games(browser: Browser, files: Sequence[ArchivedFile]) -> RestoreResult:
    """Load each file whose game is missing, for a limited time. Sending the same files again loads the rest.

    A game is not missing if this browser has a part in the one with its code, or loaded the same file before. Each game
    is loaded in a transaction of its own, so a refused file leaves nothing behind.
    """
    done, until = RestoreResult(), time.monotonic() + SECONDS_MOST
    visitor = browser.visitor()
    codes = set(query_games_of(visitor).values_list("code", flat=True)) if visitor else set()
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

    `codes`: those of the browser's games. The new game's key is derived from the file's content, so the same file never
    makes a second game for the same people.
    """
    if saved.proof and saved.proof.code in codes:
        return False
    if browser.visitor() is None:
        record.replay(saved)  # a refused file creates no visitor
    visitor = browser.visitor_or_new()
    key = derive_token("game.restore", visitor.pk, digest_content(saved))
    if Game.objects.filter(key=key).exists():
        return False
    load_game(browser, key, saved)
    return True
