"""The production server: uvicorn with our settings."""

import ctypes
import gc
import logging
import os
import socket
import sys
from contextlib import suppress

import uvicorn
from django.conf import settings

from game.serving.forking import Family
from game.serving.headers import HEADERS, METHODS
from game.serving.responses import App

LOG = logging.getLogger(__name__)
M_ARENA_MAX = -8
"""The parameter's number in glibc's malloc.h."""
HEAD_LIMIT = 64 * 1024
OTHER_FILES = 1000
"""Files and connections that a process may need besides those of its streams."""
KEEP_ALIVE_SECONDS = 150
"""Longer than proxies keep a silent connection (nginx 60 seconds, Caddy 120): if we closed one first, the request that
the proxy had just sent on it would be lost."""


class Server(uvicorn.Server):
    """uvicorn, changed to end the live streams before it waits for open responses: they don't end by themselves."""

    def __init__(self, config: uvicorn.Config, family: Family) -> None:
        super().__init__(config)
        self.family = family
        self.lost_another = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and make the garbage collector leave alone what has been loaded so far, which stays to the end.

        Otherwise it would look through all of that again and again, for nothing: a request makes thousands of objects,
        but hardly a cycle.
        """
        await super().startup(sockets)
        self.family.watch(self.stop)
        gc.collect()
        gc.freeze()

    def stop(self) -> None:
        """End as if the process had been told to; if it is the first and was not, say that another has ended."""
        if self.family.number == 0 and not self.should_exit:
            self.lost_another = True
            LOG.error("A process of the site has ended unexpectedly, and so all of them end.")
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, and then the server."""
        from game.live.hub import hub  # once Django is set up

        self.family.end()
        hub.stop()
        await super().shutdown(sockets)
        await self.family.wait()


def make_server(application: App, family: Family) -> Server:
    """Return the server, not yet started: `.run(sockets=[...])` serves until it is told to stop, or its family ends."""
    return Server(
        uvicorn.Config(
            application,
            http=make_protocol(),
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,  # URLs contain the keys of games
            server_header=False,
            proxy_headers=bool(settings.TRUSTED_PROXIES),
            forwarded_allow_ips=settings.TRUSTED_PROXIES,
            timeout_graceful_shutdown=2,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
        ),
        family,
    )


def use_one_core(family: Family) -> None:
    """Pin this process to one core: threads on several cores would only contend for its one interpreter lock.

    The processes of one family take one core after the other.
    """
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[(family.first + family.number) % len(cores)]})


def make_room_for_streams() -> None:
    """Let a process open a file for each of its streams; if the system won't, serve fewer streams.

    Systems allow 1024 files or fewer unless asked. Without one left, a process could not even say that it is full.
    """
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = settings.STREAMS + OTHER_FILES
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY:
        if soft < wanted:
            with suppress(OSError, ValueError):  # macOS has a lower limit than it says
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
                soft = wanted
        settings.STREAMS = min(settings.STREAMS, max(soft - OTHER_FILES, soft // 2))


def use_one_malloc_arena() -> None:
    """Make all threads take memory from one arena. Call it before any of them starts.

    glibc gives each thread an arena of its own, and each arena keeps what it once needed (2 MB of 72). Threads that
    take turns at one interpreter lock gain nothing by that.
    """
    with suppress(AttributeError, OSError, TypeError):  # other systems have no mallopt
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)


def make_protocol() -> type | str:
    """Return uvicorn's protocol, changed to refuse a method that its parser does not know with 405 and our headers.

    It also refuses a head without end, which uvicorn would collect in memory. It overrides methods that uvicorn does
    not document; a test fails if one is gone.
    """
    try:
        import httptools
        from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
    except ImportError:  # not on Windows; the parser used there lets every method through to Django
        return "h11"

    class Protocol(HttpToolsProtocol):
        head: int | None = 0  # bytes that have come of a head so far; None while a body comes

        def data_received(self, data: bytes) -> None:
            if self.head is not None:
                self.head += len(data)
            super().data_received(data)
            if self.head is not None and self.head > HEAD_LIMIT and not self.transport.is_closing():
                self.refuse("431 Request Header Fields Too Large")

        def on_headers_complete(self) -> None:
            self.head = None
            super().on_headers_complete()

        def on_message_complete(self) -> None:
            self.head = 0
            super().on_message_complete()

        def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - uvicorn's signature
            if isinstance(sys.exception(), httptools.HttpParserInvalidMethodError):
                self.refuse("405 Method Not Allowed", Allow=", ".join(METHODS))
            else:
                self.refuse("400 Bad Request")

        def refuse(self, status: str, **more: str) -> None:
            headers = {**HEADERS, "Content-Length": "0", "Connection": "close", **more}
            lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
            self.transport.write("\r\n".join(lines).encode())
            self.transport.close()

    return Protocol
