"""Django's pages, made in a few lasting threads that never wait for clients."""

import asyncio
import contextvars
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from io import BytesIO
from tempfile import SpooledTemporaryFile
from typing import Any, cast
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from a2wsgi.wsgi import build_environ

from game.serving.responses import Message, Send

IN_MEMORY = 1024 * 1024  # longer answers go to disk
BLOCK = 64 * 1024


class PageThreads:
    """Has a thread make the whole answer before any of it is sent.

    Otherwise a slow reader would hold one of the few threads, and its database connection, for as long as the reading
    takes. An answer changes threads twice, there and back; with a2wsgi it would do so five times or more, which costs a
    tenth of a short answer's time (`tests/benchmarks/floor.py`).
    """

    def __init__(self, pages: WSGIApplication, threads: int) -> None:
        self.pages = pages
        self.threads = ThreadPoolExecutor(threads, "pages")

    async def answer(self, scope: Message, request_body: bytes, send: Send) -> None:
        """Send what the pages answer to a request. Raises what they raise."""
        environ = cast(WSGIEnvironment, build_environ(cast(Any, scope), cast(Any, BytesIO(request_body))))
        make = partial(contextvars.copy_context().run, self.make, environ)  # leaves nothing to the next in its thread
        head, body = await asyncio.get_running_loop().run_in_executor(self.threads, make)
        with body:
            await send(head)
            length, sent = body.seek(0, 2), body.seek(0)
            while length - sent > BLOCK:
                await send({"type": "http.response.body", "body": body.read(BLOCK), "more_body": True})
                sent += BLOCK
            await send({"type": "http.response.body", "body": body.read()})

    def make(self, environ: WSGIEnvironment) -> tuple[Message, SpooledTemporaryFile[bytes]]:
        """Return the head of the answer as a message, and its body."""
        heads: list[Message] = []

        def start_response(status: str, headers: list[tuple[str, str]], _error: object = None) -> None:
            pairs = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
            heads.append({"type": "http.response.start", "status": int(status[:3]), "headers": pairs})

        body = SpooledTemporaryFile[bytes](IN_MEMORY)
        blocks = self.pages(environ, cast(StartResponse, start_response))
        try:
            for block in blocks:  # `writelines` would keep all of them in memory
                body.write(block)
        except BaseException:
            body.close()
            raise
        finally:
            getattr(blocks, "close", lambda: None)()
        return heads[-1], body
