"""What work in the background tells about itself: how far it is, and what came of it."""

from __future__ import annotations

import time
from contextlib import suppress

from django.db import OperationalError
from django.utils import timezone

from game.lock import write_lock
from game.models import Review, SolvedTable

TELL_SECONDS = 1
SAVE_TRIES = 5


class NotWanted(Exception):
    """The row that the work was for is gone, or somebody else has done it."""


class Progress:
    """Tells a row how far the work for it is, at most once a second. Raises `NotWanted` where it is not needed."""

    def __init__(self, row: Review | SolvedTable) -> None:
        self.rows = type(row)._default_manager.filter(pk=row.pk, data__isnull=True)
        self.told = time.monotonic() - TELL_SECONDS

    def __call__(self, share: float) -> None:
        if time.monotonic() - self.told < TELL_SECONDS:
            return
        self.told = time.monotonic()
        with suppress(OperationalError):  # somebody else writes for long: the next time will do
            self.write(progress=min(int(share * 100), 99))

    def done(self, data: object) -> None:
        """Keeps what came of it. A busy database is asked again."""
        for left in reversed(range(SAVE_TRIES)):
            try:
                return self.write(progress=100, data=data)
            except OperationalError:
                if not left:
                    raise
        return None

    def write(self, **values: object) -> None:
        with write_lock():
            if not self.rows.update(touched=timezone.now(), **values):
                raise NotWanted
