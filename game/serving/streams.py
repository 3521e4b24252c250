"""The event streams of the pages, outside Django: a view would hold a thread and a connection while a page is open.

A stream carries the number of the game's current version, once at the start and again whenever it rises; the page then
fetches what it shows. So a lost message costs nothing. In between it carries broadcasts, as events named by their kind:
transient things that every page of the game may see.
"""

import asyncio
import random
from contextlib import suppress

from django.db import Error

from game.live.hub import HubFull, Stream, hub
from game.live.token import PATH, read_listener
from game.serving.rate_limits import find_network
from game.serving.responses import App, Message, Receive, Send, make_start, send_sentence

PING_SECONDS = 15  # proxies close silent connections
LIFE_SECONDS = (540, 660)
END_SECONDS = 5
BACK_MS = (500, 2000)  # how soon a page reconnects after its stream has ended, so that not all do at the same moment
RETRY_SECONDS = 30

STREAM = {"Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no"}


class Streams:
    """Answers requests below /live/, and passes all others on to `pages`."""

    def __init__(self, pages: App) -> None:
        self.pages = pages

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer requests for a stream, and pass on all others."""
        hub.loop = asyncio.get_running_loop()
        if not scope["path"].startswith(PATH):
            await self.pages(scope, receive, send)
        elif scope["method"] != "GET":
            await send_sentence(send, 405, "This address can only be listened to.", Allow="GET")
        elif (listener := read_listener(scope["path"])) is None:
            await send_sentence(send, 404, "There is no game here.")
        else:
            try:
                stream = await hub.open(listener, find_network((scope["client"] or ("",))[0]))
            except HubFull:
                await send_sentence(
                    send, 503, "Too many pages are live. Ask for the page instead.", Retry_After=draw_retry_seconds()
                )
            except Error:
                await send_sentence(send, 503, "The database is busy. Try again.", Retry_After=draw_retry_seconds())
            else:
                await serve_stream(stream, receive, send)


def draw_retry_seconds() -> str:
    """Return seconds to wait, spread so that pages do not all reconnect at the same moment."""
    return str(random.randint(RETRY_SECONDS, 2 * RETRY_SECONDS))


async def serve_stream(stream: Stream | None, receive: Receive, send: Send) -> None:
    """Send news until the page goes away or the stream has lived long enough; answer 404 if there is no stream."""
    if stream is None:
        await send_sentence(send, 404, "There is no game here.")
        return
    leaving = asyncio.create_task(end_when_gone(stream, receive))
    try:
        async with asyncio.timeout(random.uniform(*LIFE_SECONDS)):
            await send(make_start(200, STREAM))
            await send(make_part(f"retry: {random.randint(*BACK_MS)}\n\n"))
            await send_news(stream, send)
    except TimeoutError:
        pass  # the page reconnects
    finally:
        leaving.cancel()
        hub.close(stream)
    with suppress(TimeoutError):  # a client that reads nothing will not read the end either
        async with asyncio.timeout(END_SECONDS):
            await send({"type": "http.response.body", "body": b""})


async def end_when_gone(stream: Stream, receive: Receive) -> None:
    """End the stream as soon as the page disconnects."""
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.end()


async def send_news(stream: Stream, send: Send) -> None:
    """Send each newer version and each broadcast, and a comment if all is quiet, until the stream is to end."""
    sent = -1
    while not stream.ended:
        stream.news.clear()
        snapshot = stream.room.snapshot
        assert snapshot  # known before the stream began
        if snapshot.version != sent:
            sent = snapshot.version
            await send(make_part(f"data: {sent}\n\n"))
        while stream.broadcasts and not stream.ended:  # nobody who may no longer watch hears what is still queued
            broadcast = stream.broadcasts.popleft()
            await send(make_part(f"event: {broadcast.kind}\ndata: {broadcast.text}\n\n"))
        try:
            async with asyncio.timeout(PING_SECONDS):
                await stream.news.wait()
        except TimeoutError:
            await send(make_part(":\n\n"))


def make_part(text: str) -> Message:
    """Return a piece of the stream, with more to come."""
    return {"type": "http.response.body", "body": text.encode(), "more_body": True}
