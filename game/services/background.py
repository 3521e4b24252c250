"""What work in the background writes of itself: how far it is, and what came of it."""

import time
from contextlib import suppress

from django.db import OperationalError
from django.utils import timezone

from game.lock import write_lock
from game.models import Review, SolvedTable

WRITE_SECONDS = 1
SAVE_TRIES = 5


class NotWanted(Exception):
    """The row that the work was for is gone, or somebody else has done it."""


class Progress:
    """Writes to a row how far the work for it is. Raises `NotWanted` where nobody needs it any more."""

    def __init__(self, row: Review | SolvedTable) -> None:
        self.rows = type(row)._default_manager.filter(pk=row.pk, data__isnull=True)
        self.last_write = time.monotonic() - WRITE_SECONDS

    def __call__(self, share: float) -> None:
        """Write the share, 0 to 1, that is done; at most once a second, and never 100 per cent."""
        if time.monotonic() - self.last_write < WRITE_SECONDS:
            return
        self.last_write = time.monotonic()
        with suppress(OperationalError):  # somebody else writes for long: the next time will do
            self.write(progress=min(int(share * 100), 99))

    def done(self, data: object) -> None:
        """Store what came of it. Where the database is busy try again, since hours of work may be lost."""
        for left in reversed(range(SAVE_TRIES)):
            try:
                return self.write(progress=100, data=data)
            except OperationalError:
                if not left:
                    raise
        return None

    def write(self, **values: object) -> None:
        """Write to the row, unless it is gone or done."""
        with write_lock():
            if not self.rows.update(touched=timezone.now(), **values):
                raise NotWanted
