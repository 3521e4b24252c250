"""Pictures that are drawn once and kept on disk, for all processes of the site, within a limit."""

import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from filelock import FileLock

from game.whole_file import write_whole

DAY = 24 * 60 * 60
WAIT_SECONDS = 5
# One picture at a time: drawing takes memory, and a thread that waited for the same one finds it drawn.
DRAWING = threading.Lock()


def find_or_draw(owner: str, name: str, draw: Callable[[], bytes]) -> bytes:
    """Return the picture of this name as PNG, drawn now if it is not cached.

    `owner`: for whom `forget_pictures` drops it. On a full or read-only disk a picture is simply drawn again each time.
    """
    path = settings.PICTURES_DIR / f"{owner}-{name}.png"
    if kept := _read_picture(path):
        return kept
    with DRAWING:
        try:
            settings.PICTURES_DIR.mkdir(parents=True, exist_ok=True)
            with FileLock(settings.PICTURES_DIR / "drawing.lock", timeout=WAIT_SECONDS):
                kept = _read_picture(path)
                if kept:
                    return kept
                picture = draw()
                write_whole(path, lambda file: file.write(picture))
                _forget_beyond_limit()
                return picture
        except OSError:  # includes the time-out of a lock that is not released
            return draw()


def forget_pictures(owner: str) -> None:
    """Forget all pictures of an owner. One that cannot be deleted now is left to `forget_unused`."""
    for path in settings.PICTURES_DIR.glob(f"{owner}-*.png"):
        with suppress(OSError):
            path.unlink()


def forget_unused(age: timedelta) -> int:
    """Drop the pictures that nobody has asked for in this long, and return how many."""
    before, forgotten = time.time() - age.total_seconds(), 0
    for path in settings.PICTURES_DIR.glob("*.png"):
        with suppress(OSError):
            if path.stat().st_mtime < before:
                path.unlink()
                forgotten += 1
    return forgotten


def _read_picture(path: Path) -> bytes:
    """Return the cached picture, or empty bytes. Its last use is noted at most once a day."""
    try:
        kept = path.read_bytes()
        if time.time() - path.stat().st_mtime > DAY:
            os.utime(path)
    except OSError:
        return b""
    return kept


def _forget_beyond_limit() -> None:
    """If the pictures exceed the limit, remove the least recently used until they take three quarters of it."""
    files = []
    for entry in os.scandir(settings.PICTURES_DIR):
        with suppress(FileNotFoundError):  # it was forgotten meanwhile
            if entry.name != "drawing.lock":
                files.append((entry.stat(), entry.path))
    total = sum(stat.st_size for stat, _path in files)
    if total <= settings.PICTURES_LIMIT:
        return
    for stat, path in sorted(files, key=lambda file: file[0].st_mtime):
        Path(path).unlink(missing_ok=True)
        total -= stat.st_size
        if total <= settings.PICTURES_LIMIT * 3 // 4:
            return
