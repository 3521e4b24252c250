"""Several processes that serve one port. What they had loaded before they parted lies in memory once.

None watches over the others: when one of them ends, for whatever reason, all do, and the service manager starts the
site again.
"""

from __future__ import annotations

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

    Nothing is sent over their lines. One that has come to its end tells that the process at its other end has, even by
    a crash.
    """

    first: int = field(default_factory=os.getpid)
    """The process that the service manager started."""
    number: int = 0
    """Of this process, in the order in which they were forked; 0 is the first."""
    lines: list[socket.socket] = field(default_factory=list)
    """The first process has one to each of the others, they have one to it."""

    def watch(self, stop: Callable[[], None]) -> None:
        """Call `stop` as soon as one of the others has ended."""
        for line in self.lines:
            asyncio.get_running_loop().add_reader(line, stop)

    def end(self) -> None:
        """Let the others end, if this is the first. They learn of any other's end by themselves."""
        for line in self.lines:
            asyncio.get_running_loop().remove_reader(line)
            if self.number == 0:
                line.shutdown(socket.SHUT_WR)

    async def wait(self) -> None:
        """Wait for the others, if this is the first: with it a service manager takes the whole site to have stopped."""
        if self.number == 0:
            ends = [asyncio.get_running_loop().sock_recv(line, 1) for line in self.lines]
            with suppress(TimeoutError):
                async with asyncio.timeout(PARTING_SECONDS):
                    await asyncio.gather(*ends, return_exceptions=True)


def fork_family(processes: int) -> Family:
    """Fork so that this many processes run; each goes on with its own view of them. No thread may run by then."""
    family = Family()
    for number in range(1, processes):
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        theirs.setblocking(False)
        if os.fork() == 0:
            for line in (ours, *family.lines):  # or the others would not see the first one's end
                line.close()
            return Family(family.first, number, [theirs])
        theirs.close()
        family.lines.append(ours)
    return family
