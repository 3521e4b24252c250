"""The streams of the pages, beside Django: a view would hold a thread and a connection for as long as a page is open.

A stream says nothing but the number of the game's present version, first of all and whenever it moves on; the page
then fetches what it shows. So news that were missed cost nothing.
"""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress

from django.db import Error

from game.live.hub import Full, Stream, hub
from game.live.token import PATH, listener
from game.serving.responses import App, Message, Receive, Send, answer, start

PING_SECONDS = 15  # proxies close what is silent
LIFE_SECONDS = (540, 660)
END_SECONDS = 5
BACK_MS = (500, 2000)  # how soon a page comes back after its stream ended: not all in the same moment
RETRY_SECONDS = 30

STREAM = {"Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no"}


class Streams:
    """Answers below /live/; everything else is `pages`."""

    def __init__(self, pages: App) -> None:
        self.pages = pages

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        hub.loop = asyncio.get_running_loop()
        if not scope["path"].startswith(PATH):
            await self.pages(scope, receive, send)
        elif scope["method"] != "GET":
            await answer(send, 405, "This address can only be listened to.", Allow="GET")
        elif (who := listener(scope["path"])) is None:
            await answer(send, 404, "There is no game here.")
        else:
            try:
                stream = await hub.open(who, (scope["client"] or ("",))[0])
            except Full:
                await answer(send, 503, "Too many pages listen. Ask for the page instead.", Retry_After=wait())
            except Error:
                await answer(send, 503, "The database is busy. Try again.", Retry_After=wait())
            else:
                await tell(stream, receive, send)


def wait() -> str:
    return str(random.randint(RETRY_SECONDS, 2 * RETRY_SECONDS))


async def tell(stream: Stream | None, receive: Receive, send: Send) -> None:
    if stream is None:
        await answer(send, 404, "There is no game here.")
        return
    leaving = asyncio.create_task(end_when_gone(stream, receive))
    try:
        async with asyncio.timeout(random.uniform(*LIFE_SECONDS)):
            await send(start(200, STREAM))
            await send(body(f"retry: {random.randint(*BACK_MS)}\n\n"))
            await news(stream, send)
    except TimeoutError:
        pass  # the page comes back
    finally:
        leaving.cancel()
        hub.close(stream)
    with suppress(TimeoutError):  # somebody who takes nothing does not take the end either
        async with asyncio.timeout(END_SECONDS):
            await send({"type": "http.response.body", "body": b""})


async def end_when_gone(stream: Stream, receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.end()


async def news(stream: Stream, send: Send) -> None:
    """The version whenever there is a newer one, else a sign of life, until the stream is to end."""
    told = -1
    while not stream.ended:
        stream.news.clear()
        standing = stream.room.standing
        assert standing  # it was known before the stream began
        if standing.version != told:
            told = standing.version
            await send(body(f"data: {told}\n\n"))
        try:
            async with asyncio.timeout(PING_SECONDS):
                await stream.news.wait()
        except TimeoutError:
            await send(body(":\n\n"))


def body(text: str) -> Message:
    return {"type": "http.response.body", "body": text.encode(), "more_body": True}
