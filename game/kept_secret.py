"""Secrets of this installation, made once and kept in files. Standard library only, since the settings import it."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path


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
        finally:
            os.unlink(draft)
    return path.read_text(encoding="ascii")
