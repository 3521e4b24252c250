"""What background work records about itself: its progress and its result."""

import time
from contextlib import suppress

from django.db import OperationalError
from django.utils import timezone

from game.lock import write_lock
from game.models import Review, SolvedTable

WRITE_SECONDS = 1
SAVE_TRIES = 5


class NotWanted(Exception):
    """The row that the work was for is gone, or another worker has done it."""


class Progress:
    """Records in a row how far its work has got. Raises `NotWanted` if nobody needs that any more."""

    def __init__(self, row: Review | SolvedTable) -> None:
        self.rows = type(row)._default_manager.filter(pk=row.pk, data__isnull=True)
        self.last_write = time.monotonic() - WRITE_SECONDS

    def __call__(self, share: float) -> None:
        """Record the share that is done, 0 to 1; at most once a second, and never as 100 per cent."""
        if time.monotonic() - self.last_write < WRITE_SECONDS:
            return
        self.last_write = time.monotonic()
        with suppress(OperationalError):  # another writer holds the lock; the next call will do
            self.write(progress=min(int(share * 100), 99))

    def save_result(self, data: object) -> None:
        """Store the result. Retry if the database is busy, since hours of work could be lost."""
        for _ in range(SAVE_TRIES - 1):
            with suppress(OperationalError):
                return self.write(progress=100, data=data)
        return self.write(progress=100, data=data)

    def write(self, **values: object) -> None:
        """Write to the row. Raises `NotWanted` if it is gone or done."""
        with write_lock():
            if not self.rows.update(touched=timezone.now(), **values):
                raise NotWanted
