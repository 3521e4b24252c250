"""A lock for one writer at a time on SQLite, which does not queue writers fairly."""

import contextlib
import os
import threading
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.db import OperationalError, connection
from django.db.models import Model
from filelock import FileLock, Timeout

LOCK_SECONDS = 5
LOCKED = "The write lock is held by somebody else."

_threads = threading.Lock()


@contextlib.contextmanager
def write_lock() -> Iterator[None]:
    """Hold the site's write lock on SQLite; do nothing on PostgreSQL.

    The process's own lock comes first, so that threads queue in memory and only one waits for the file. Waiting too
    long raises `OperationalError`, as a busy database does.
    """
    if connection.vendor != "sqlite":
        yield
        return
    if not _threads.acquire(timeout=LOCK_SECONDS):
        raise OperationalError(LOCKED)
    try:
        try:
            file = find_file_lock(settings.WRITE_LOCK_FILE, os.getpid()).acquire(timeout=LOCK_SECONDS)
        except Timeout as busy:
            raise OperationalError(LOCKED) from busy
        except OSError as broken:  # a folder that has become read-only, or is gone
            raise OperationalError(f"unable to open {settings.WRITE_LOCK_FILE}: {broken.strerror}") from broken
        with file:
            yield
    finally:
        _threads.release()


@lru_cache(maxsize=1)
def find_file_lock(path: Path, process: int) -> FileLock:  # noqa: ARG001 - a forked process gets its own
    """Return the lock between processes. Each process makes one object, since making it takes as long as holding it."""
    return FileLock(path, thread_local=False)  # for whichever thread holds the process's own lock


def keep_others_out(table: type[Model]) -> None:
    """Lock the table against other writers until the transaction ends. On SQLite this locks the whole database."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {connection.ops.quote_name(table._meta.db_table)} IN SHARE ROW EXCLUSIVE MODE")
