"""The one thread that asks the database for all streams of a process."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from django.db import connections

Params = ParamSpec("Params")
Result = TypeVar("Result")


class DatabaseThread:
    """A thread with a connection of its own, for work on the event loop: there nothing may wait for a database."""

    def __init__(self) -> None:
        self.pool = ThreadPoolExecutor(1, thread_name_prefix="live")

    async def run(self, question: Callable[Params, Result], *args: Params.args, **kwargs: Params.kwargs) -> Result:
        """Return what a function returns that asks the database."""
        return await asyncio.get_running_loop().run_in_executor(self.pool, partial(question, *args, **kwargs))

    def disconnect(self) -> None:
        """Let the connection go once everything before is answered. The next question makes a new one."""
        self.pool.submit(connections.close_all)

    def wait(self) -> None:
        """Wait, in another thread, until everything before is answered."""
        self.pool.submit(int).result()
