"""Secrets of this installation, made once and kept in files. Standard library only, since the settings import it."""

import os
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

TURNS_MOST, TURN_SECONDS = 100, 0.05


def keep_secret(path: Path, make: Callable[[], str]) -> str:
    """Return the secret in this file, created if missing. Processes that start together get the same one."""
    if not path.exists():
        handle, draft = tempfile.mkstemp(dir=path.parent)  # readable by its owner only
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(make())
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        except OSError:  # a disk without hard links, as memory sticks and shared folders often are
            move_unless_there(Path(draft), path)
        finally:
            Path(draft).unlink(missing_ok=True)
    return path.read_text(encoding="ascii")


def move_unless_there(draft: Path, path: Path) -> None:
    """Give a file its name unless there is one of that name: one process at a time, which makes a folder meanwhile."""
    turn = path.with_name(f"{path.name}.turn")
    for _ in range(TURNS_MOST):
        with suppress(FileExistsError):
            turn.mkdir()
            try:
                if not path.exists():
                    draft.rename(path)
            finally:
                turn.rmdir()
            return
        time.sleep(TURN_SECONDS)
    raise FileExistsError(f"{path} is not made, since {turn} is there. Delete that folder, and start again.")
