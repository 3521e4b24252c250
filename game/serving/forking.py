"""Several processes that serve one port, forked from one, so that what it had loaded is in memory only once.

None watches over the others: when one of them ends, for whatever reason, all do, and the service manager starts the
site again.
"""

import asyncio
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

PARTING_SECONDS = 5


@dataclass
class Family:
    """The processes that serve one port and end together, as one of them sees them.

    Nothing is sent over the lines between them. When a line closes, the process at its other end has ended, perhaps by
    a crash.
    """

    first: int = field(default_factory=os.getpid)
    """The process that the service manager started."""
    number: int = 0
    """This process's number, in the order in which they were forked; 0 is the first."""
    lines: list[socket.socket] = field(default_factory=list)
    """The first process has one to each of the others; each of those has one to the first."""

    def watch(self, stop: Callable[[], None]) -> None:
        """Call `stop` as soon as one of the others has ended."""
        for line in self.lines:
            asyncio.get_running_loop().add_reader(line, stop)

    def end(self) -> None:
        """Make the others end, if this is the first process. The first sees the end of any other by its line."""
        for line in self.lines:
            asyncio.get_running_loop().remove_reader(line)
            if self.number == 0:
                line.shutdown(socket.SHUT_WR)

    async def wait(self) -> None:
        """Wait for the others, if this is the first process: a service manager takes its end for the site's."""
        if self.number == 0:
            ends = [asyncio.get_running_loop().sock_recv(line, 1) for line in self.lines]
            with suppress(TimeoutError):
                async with asyncio.timeout(PARTING_SECONDS):
                    await asyncio.gather(*ends, return_exceptions=True)


def fork_family(processes: int) -> Family:
    """Fork so that this many processes run, and return each one's own view of them. Call it before any thread runs."""
    family = Family()
    for number in range(1, processes):
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        theirs.setblocking(False)
        if os.fork() == 0:
            for line in (ours, *family.lines):  # otherwise the others would not see the end of the first
                line.close()
            return Family(family.first, number, [theirs])
        theirs.close()
        family.lines.append(ours)
    return family
