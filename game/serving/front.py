"""The site as one ASGI application: Django's pages in a few lasting threads, which never wait for slow clients."""

import asyncio
import re
from contextlib import nullcontext
from io import BytesIO
from wsgiref.types import WSGIApplication

from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.utils.translation import get_language_from_request, gettext, gettext_noop, override

from game.serving.page_threads import PageThreads
from game.serving.responses import App, Message, Receive, Send, send_sentence

BODY_SECONDS = 30
BODY_HEADERS = (b"content-length", b"transfer-encoding")  # without either there is no body
CHARSET = re.compile(rb";[^;=]*charset[^;]*", re.I)


class RequestRefused(Exception):
    """The request is refused here, without a thread, with a status and a sentence with placeholders."""

    def __init__(self, status: int, sentence: str, **values: int) -> None:
        super().__init__(status, sentence)
        self.status, self.sentence, self.values = status, sentence, values


class Front:
    """Reads the whole body before a page takes a thread.

    A thread that waits for a slow sender would be missing for everybody else, and a body whose connection broke would
    look complete.
    """

    def __init__(self, pages: PageThreads) -> None:
        self.pages = pages

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass on a request once it is complete; refuse one that is too large, too slow or broken."""
        if scope["path"] == "/healthz" and scope["method"] in ("GET", "HEAD"):
            await send_sentence(send, 200, "alive")  # no thread, no database: it only says that the process answers
            return
        scope = drop_charset(scope)
        try:
            body = await read_body(scope, receive)
        except RequestRefused as refused:
            await send_sentence(send, refused.status, translate(refused.sentence, scope) % refused.values)
        except TimeoutError:
            sentence = gettext_noop("The request took too long to arrive. Try again.")
            await send_sentence(send, 408, translate(sentence, scope))
        except ConnectionError:
            pass  # the client is gone
        else:
            await self.pages.answer(correct_length(scope, len(body)), body, send)


def translate(sentence: str, scope: Message) -> str:
    """Return a sentence in the language of this request."""
    with override(get_language_from_request(ASGIRequest(scope, BytesIO()))):
        return gettext(sentence)


async def read_body(scope: Message, receive: Receive) -> bytes:
    """Return the whole body.

    Raises `RequestRefused`, `TimeoutError` for a slow sender, `ConnectionError` for one who goes away.
    """
    limit = settings.BODY_LIMITS.get(scope["path"], settings.BODY_LIMIT)
    if not scope["query_string"].isascii():
        raise RequestRefused(400, gettext_noop("This address is not valid."))
    check_size(read_length(scope), limit)
    body = bytearray()
    more = any(name in BODY_HEADERS for name, _ in scope["headers"])
    async with asyncio.timeout(BODY_SECONDS) if more else nullcontext():
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ConnectionError
            body += message.get("body", b"")
            check_size(len(body), limit)
            more = message.get("more_body", False)
    return bytes(body)


def check_size(size: int, limit: int) -> None:
    """Raise `RequestRefused` for a body of more bytes than its URL accepts."""
    if size > limit:
        raise RequestRefused(
            413, gettext_noop("That is too large: the limit here is %(limit)s KiB."), limit=limit // 1024
        )


def read_length(scope: Message) -> int:
    """Return the Content-Length, 0 if there is none. Raises `RequestRefused` if it is not a number."""
    values = [value for name, value in scope["headers"] if name == b"content-length"]
    if len(values) > 1 or not all(value.isdigit() and len(value) < 20 for value in values):
        raise RequestRefused(400, gettext_noop("The Content-Length of this request is not a number."))
    return int(values[0]) if values else 0


def drop_charset(scope: Message) -> Message:
    """Return the scope without the charset of its body: forms are UTF-8, and any other would be an error in Django."""
    headers = [
        (name, CHARSET.sub(b"", value) if name == b"content-type" else value) for name, value in scope["headers"]
    ]
    return {**scope, "headers": headers}


def correct_length(scope: Message, length: int) -> Message:
    """Return the scope with the true length, which tells WSGI where to stop; a chunked body comes without it."""
    headers = [(name, value) for name, value in scope["headers"] if name not in BODY_HEADERS]
    return {**scope, "headers": [*headers, (b"content-length", str(length).encode())]}


def build_site(pages: WSGIApplication) -> App:
    """Return the whole site as one ASGI application: live streams, front and Django's pages."""
    from game.serving.streams import Streams  # its models need Django to be set up

    return Streams(Front(PageThreads(pages, settings.PAGE_THREADS)))
