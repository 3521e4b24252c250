"""The one thread that queries the database for all streams of a process."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar, TypeVarTuple

from django.db import connections

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


class DatabaseThread:
    """A thread with its own connection, for the event loop, which must never wait for a database."""

    def __init__(self) -> None:
        self.pool = ThreadPoolExecutor(1, thread_name_prefix="live")

    async def run(self, question: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        """Run a function that queries the database, and return its result."""
        return await asyncio.get_running_loop().run_in_executor(self.pool, question, *arguments)

    def disconnect(self) -> None:
        """Close the connection once everything queued before is done. The next query opens a new one."""
        self.pool.submit(connections.close_all)
