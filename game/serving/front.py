"""The site as one ASGI application: Django's pages in a few lasting threads, which wait for nobody at the other end."""

import asyncio

from a2wsgi import WSGIMiddleware
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler

from game.serving.buffer import Buffer
from game.serving.responses import App, Message, Receive, Send, answer

BODY_SECONDS = 30


class Refused(Exception):
    """What came in is answered here, without a thread: a status and a sentence."""


class Front:
    """Reads the whole body before a page takes a thread.

    A thread that waited for a slow sender would be missing for everybody else, and a line cut in the middle of a
    body would look like its end.
    """

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["path"] == "/healthz" and scope["method"] in ("GET", "HEAD"):
            await answer(send, 200, "alive")  # no thread, no database: it says that the process answers, no more
            return
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = await read(scope, receive)
        except Refused as refused:
            await answer(send, *refused.args)
        except TimeoutError:
            await answer(send, 408, "Nothing more arrived. Try again.")
        except ConnectionError:
            pass  # nobody is left to answer
        else:
            await self.app(with_length(scope, len(body)), once(body, receive), send)


async def read(scope: Message, receive: Receive) -> bytes:
    limit = settings.BODY_LIMITS.get(scope["path"], settings.BODY_LIMIT)
    if not scope["query_string"].isascii():
        raise Refused(400, "This address could not be read.")
    check_size(declared_length(scope), limit)
    body = bytearray()
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionError
        body += message.get("body", b"")
        check_size(len(body), limit)
        more = message.get("more_body", False)
    return bytes(body)


def check_size(size: int, limit: int) -> None:
    if size > limit:
        raise Refused(413, f"That is too large: at most {limit // 1024} KiB fit here.")


def declared_length(scope: Message) -> int:
    values = [value for name, value in scope["headers"] if name == b"content-length"]
    if len(values) > 1 or not all(value.isdigit() and len(value) < 20 for value in values):
        raise Refused(400, "The length of this request could not be read.")
    return int(values[0]) if values else 0


def with_length(scope: Message, length: int) -> Message:
    """WSGI reads as much as the length says, and a body sent in chunks comes without one."""
    dropped = (b"content-length", b"transfer-encoding")
    headers = [(name, value) for name, value in scope["headers"] if name not in dropped]
    return {**scope, "headers": [*headers, (b"content-length", str(length).encode())]}


def once(body: bytes, receive: Receive) -> Receive:
    """The body as one message; after it whatever the connection has to say."""
    messages = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def next_message() -> Message:
        message = next(messages, None)
        return message if message is not None else await receive()

    return next_message


def site(pages: WSGIHandler) -> App:
    from game.serving.streams import Streams  # once Django is set up

    return Streams(Front(Buffer(WSGIMiddleware(pages, workers=settings.PAGE_THREADS))))
