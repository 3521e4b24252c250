"""Somebody who reads slowly keeps nobody else waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.conf import settings

from game.serving.page_threads import IN_MEMORY
from game.serving.responses import App

LINE = b"x" * 65_535 + b"\n"
LINES = 3 * IN_MEMORY // len(LINE)


def pages(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """A long answer, written line by line, and a short one."""
    start_response("200 OK", [("Content-Type", "text/plain")])
    return (LINE for _ in range(LINES)) if environ["PATH_INFO"] == "/long" else [b"short"]


class Reader:
    """At the other end of a connection. It takes the head of its answer, and more only once it may."""

    def __init__(self, site: App, path: str, *, may: bool = True) -> None:
        self.site, self.path = site, path
        self.begins, self.may = asyncio.Event(), asyncio.Event()
        self.body = b""
        if may:
            self.may.set()

    async def read(self) -> bytes:
        scope = {"type": "http", "http_version": "1.1", "method": "GET", "scheme": "http", "headers": []}
        more = {"path": self.path, "raw_path": self.path.encode(), "query_string": b"", "root_path": ""}
        ends = {"client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80)}
        await self.site(scope | more | ends, self.receive, self.send)
        return self.body

    async def receive(self) -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(self, message: dict[str, Any]) -> None:
        self.begins.set()
        self.body += message.get("body", b"")
        await self.may.wait()


async def while_others_read_slowly() -> tuple[bytes, list[bytes]]:
    """A short answer that is read while a slow reader at every thread has the head of a long one, and the long ones."""
    from game.serving import front  # once the settings of the tests hold

    site = front.build_site(pages)
    slow = [Reader(site, "/long", may=False) for _ in range(settings.PAGE_THREADS)]
    reading = [asyncio.create_task(each.read()) for each in slow]
    await asyncio.gather(*(each.begins.wait() for each in slow))
    short = await asyncio.wait_for(Reader(site, "/short").read(), 10)
    for each in slow:
        each.may.set()
    return short, await asyncio.gather(*reading)


def test_a_page_opens_while_others_take_their_time_over_a_long_download() -> None:
    with ThreadPoolExecutor(1) as own:  # a browser of an earlier test leaves its loop running in this thread
        short, long = own.submit(asyncio.run, while_others_read_slowly()).result()
    assert short == b"short"
    assert [body == LINE * LINES for body in long] == [True] * settings.PAGE_THREADS
