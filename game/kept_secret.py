"""Secrets of this installation, made once and kept in files. Without Django, since its settings import this."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock

WAIT_SECONDS = 30


def keep_secret(path: Path, make: Callable[[], str]) -> str:
    """Return the secret in this file, created if missing. Processes that start together get the same one."""
    if not path.exists():
        with FileLock(path.with_name(f"{path.name}.lock"), timeout=WAIT_SECONDS):
            if not path.exists():
                handle, draft = tempfile.mkstemp(dir=path.parent)  # readable by its owner only
                with os.fdopen(handle, "w", encoding="ascii") as file:
                    file.write(make())
                    file.flush()
                    os.fsync(file.fileno())  # else a power cut could leave an empty file under the name
                Path(draft).rename(path)  # whole or not at all, also for those who read without the lock
    return path.read_text(encoding="ascii", errors="ignore")  # a damaged secret is too short
