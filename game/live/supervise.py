"""Work beside the requests that nobody would begin again if it broke off."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from django.db import Error

if TYPE_CHECKING:
    from game.live.hub import Hub

RETRY_SECONDS = 1

log = logging.getLogger(__name__)

Work = Callable[["Hub"], Awaitable[None]]


async def steadily(work: Work, hub: Hub) -> None:
    """Until it is cancelled. What broke off is written to the log, and begun again after a pause."""
    while True:
        try:
            await work(hub)
        except (Error, OSError) as error:  # the database is away
            log.warning("%s waits for the database: %s", work.__qualname__, error)
        except Exception:
            log.exception("%s broke off and begins again", work.__qualname__)
        await asyncio.sleep(RETRY_SECONDS)
