"""Streams like those of a page, over the network."""

from __future__ import annotations

import asyncio
import http.client
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from game import live, services
from game.models import Game
from tests import patience
from tests.cast import Device, device, make_key, other_device
from tests.conftest import Site

__all__ = ["device", "other_device"]


class Stream:
    """An open stream, whose lines are read as they come."""

    def __init__(self, port: int, address: str, method: str = "GET", **headers: str) -> None:
        self.line = http.client.HTTPConnection("127.0.0.1", port, timeout=patience.SECONDS)
        self.line.request(method, address, headers=headers)
        self.answer = self.line.getresponse()

    def iterate_lines(self) -> Iterator[bytes]:
        """Yield the lines of the stream. Fail if it goes on for `patience.SECONDS`, even with signs of life only."""
        until = time.monotonic() + patience.SECONDS
        while line := self.answer.readline():
            assert time.monotonic() < until, "the stream goes on"
            yield line

    def read_version(self) -> int:
        """Return the next version that the stream says. Raises `EOFError` at its end."""
        for line in self.iterate_lines():
            if line.startswith(b"data: "):
                return int(line[6:])
        raise EOFError("the stream has ended")

    def read_broadcast(self, kind: str) -> str:
        """Return the next broadcast of this kind. Raises `EOFError` at the end of the stream."""
        lines = self.iterate_lines()
        for line in lines:
            if line == f"event: {kind}\n".encode():
                return next(lines).decode().removeprefix("data: ").removesuffix("\n")
        raise EOFError("the stream has ended")

    def read_rest(self) -> bytes:
        """Return the rest of the stream. Raises `IncompleteRead` if it was cut off, and not ended by the site."""
        until, rest = time.monotonic() + patience.SECONDS, b""
        while piece := self.answer.read1():  # for `readline`, a stream that was cut off has ended
            assert time.monotonic() < until, "the stream goes on"
            rest += piece
        return rest

    def close(self) -> None:
        self.answer.close()
        self.line.close()


@pytest.fixture
def listen(site: Site) -> Iterator[Callable[..., Stream]]:
    """listen(game, device) opens the stream of a page; listen(address) asks for any address.

    `client`: the address of its browser, as a proxy in front of the site names it.
    """
    opened: list[Stream] = []

    def open_stream(
        what: Game | str, who: Device | None = None, method: str = "GET", client: str = "127.0.0.1"
    ) -> Stream:
        address = what if isinstance(what, str) else make_address(what, who or Device())
        opened.append(Stream(site.port, address, method, **{"X-Forwarded-For": client}))
        return opened[-1]

    yield open_stream
    for stream in opened:
        stream.close()


def make_address(game: Game, device: Device) -> str:
    visitor = device.browser.visitor()
    seated = visitor is not None and game.players.filter(visitor=visitor).exists()
    return live.make_stream_address(game.code, device.browser, visitor if seated else None)


def move_seats(new: Device, old: Device, game: Game) -> None:
    """Move the seats of a device to another one."""
    token = services.offer_transfer(game.code, services.Command(old.browser.visitor(), make_key(), None, ""))
    services.claim_transfer(new.browser, token, make_key(), "")


def run_beside(coroutine: Coroutine[Any, Any, object]) -> None:
    """Run it in a loop and a thread of its own: in this one, a browser of an earlier test may have a loop."""
    with ThreadPoolExecutor() as pool:
        pool.submit(asyncio.run, coroutine).result()
