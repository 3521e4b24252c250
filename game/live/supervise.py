"""Background tasks that nobody else would restart if they failed."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from django.db import Error

RETRY_SECONDS = 1

log = logging.getLogger(__name__)

Work = Callable[[], Awaitable[None]]


async def run_forever(work: Work) -> None:
    """Run this work until its task is cancelled. If it fails, log that, and restart it after a pause."""
    while True:
        try:
            await work()
        except (Error, OSError) as error:  # the database is away
            log.warning("%s waits for the database: %s", work.__qualname__, error)
        except Exception:
            log.exception("%s broke off and begins again", work.__qualname__)
        await asyncio.sleep(RETRY_SECONDS)
