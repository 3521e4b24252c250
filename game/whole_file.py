"""Writing a file so that nobody ever reads half of it."""

import os
from collections.abc import Callable
from pathlib import Path
from tempfile import mkstemp
from typing import BinaryIO


def write_whole(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Write a file, readable by its owner only, that gets its name once it is whole and would survive a power cut.

    Raises `OSError`, and then leaves nothing behind.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException:
        os.unlink(draft)
        raise
