"""A client that reads its answer slowly keeps nobody else waiting."""

from __future__ import annotations

import asyncio
import tracemalloc
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.conf import settings

from game.serving.page_threads import IN_MEMORY, PageThreads
from game.serving.responses import App

LINE = b"x" * 65_535 + b"\n"
LINES = 3 * IN_MEMORY // len(LINE)


def answer_request(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """WSGI application with a long answer, yielded line by line, at /long and a short one elsewhere."""
    start_response("200 OK", [("Content-Type", "text/plain")])
    return (LINE for _ in range(LINES)) if environ["PATH_INFO"] == "/long" else [b"short"]


class Reader:
    """The client of a connection, which takes the head of its answer, and the rest only once `may` is set."""

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


def test_a_long_answer_goes_to_disk_while_it_is_made() -> None:
    begun: list[int] = []

    def long_pages(_environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        start_response("200 OK", [])
        for _ in range(8):
            yield bytes(IN_MEMORY)
            begun.append(tracemalloc.get_traced_memory()[0])

    tracemalloc.start()
    try:
        _head, body = PageThreads(long_pages, 1).make({})
    finally:
        tracemalloc.stop()
    with body:
        assert body.seek(0, 2) == 8 * IN_MEMORY
    assert max(begun) < 4 * IN_MEMORY


async def read_while_others_are_slow() -> tuple[bytes, list[bytes]]:
    """Return a short answer that is read while every thread has a slow reader, and the slow readers' long answers."""
    from game.serving import front  # here, so that the settings of the tests apply

    site = front.build_site(answer_request)
    slow = [Reader(site, "/long", may=False) for _ in range(settings.PAGE_THREADS)]
    reading = [asyncio.create_task(reader.read()) for reader in slow]
    await asyncio.gather(*(reader.begins.wait() for reader in slow))
    short = await asyncio.wait_for(Reader(site, "/short").read(), 10)
    for reader in slow:
        reader.may.set()
    return short, await asyncio.gather(*reading)


def test_a_page_opens_while_others_read_a_long_download_slowly() -> None:
    with ThreadPoolExecutor(1) as own:  # a browser of an earlier test leaves its loop running in this thread
        short, long = own.submit(asyncio.run, read_while_others_are_slow()).result()
    assert short == b"short"
    assert [body == LINE * LINES for body in long] == [True] * settings.PAGE_THREADS
