"""Secrets of this installation, made once and kept in files. Without Django, since its settings import this."""

from collections.abc import Callable
from pathlib import Path

from filelock import FileLock

from game.whole_file import write_whole

WAIT_SECONDS = 30


def keep_secret(path: Path, make: Callable[[], str]) -> str:
    """Return the secret in this file, created if missing. Processes that start together get the same one."""
    if not path.exists():
        with FileLock(path.with_name(f"{path.name}.lock"), timeout=WAIT_SECONDS):
            if not path.exists():
                write_whole(path, lambda file: file.write(make().encode("ascii")))
    return path.read_text(encoding="ascii", errors="ignore")  # a damaged secret is too short
