"""What a process does about clients that take more than their share of its memory and its connections."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest
from pytest_django import Settings

from game.live.hub import hub
from game.serving import front, process
from game.serving.forking import Family
from game.serving.page_threads import PageThreads
from game.serving.responses import App
from tests import patience
from tests.conftest import Site


async def send_path(scope: dict[str, Any], _receive: Any, send: Any) -> None:
    """ASGI application that answers everything with its path."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": scope["path"].encode()})


class Echo:
    """Pages that answer each form with what was posted."""

    def __init__(self) -> None:
        self.posted: list[bytes] = []
        self.closed = 0

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Echo:
        self.posted.append(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
        start_response("200 OK", [("Content-Length", environ["CONTENT_LENGTH"])])
        return self

    def __iter__(self) -> Iterator[bytes]:
        yield self.posted[-1]

    def close(self) -> None:
        self.closed += 1


@contextmanager
def open_connection(application: App = send_path) -> Iterator[socket.socket]:
    """Yield a connection to a server of these pages."""
    server = process.make_server(application, Family())
    with socket.create_server(("127.0.0.1", 0)) as opened, pytest.MonkeyPatch.context() as patch:
        patch.setattr(hub, "closing", False)  # by a server that stops, while the tests after this need streams
        running = threading.Thread(target=asyncio.run, args=[server.serve(sockets=[opened])])
        running.start()
        try:
            with socket.create_connection(opened.getsockname(), timeout=patience.SECONDS) as connection:
                yield connection
        finally:
            server.stop()
            running.join()


def read_all(connection: socket.socket) -> bytes:
    """Return what comes until the server closes the connection."""
    parts = []
    try:
        while part := connection.recv(65536):
            parts.append(part)
    except ConnectionResetError:  # it did not read the rest of what we sent
        pass
    return b"".join(parts)


@pytest.mark.parametrize("before", [b"", b"GET /first HTTP/1.1\r\nHost: localhost\r\n\r\n"])
def test_a_head_without_end_is_refused(before: bytes) -> None:
    with open_connection() as connection:
        connection.sendall(before + b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        try:
            for _ in range(100):
                connection.sendall(b"X-More: " + b"x" * process.HEAD_LIMIT + b"\r\n")
        except OSError:
            pass
        else:
            pytest.fail("all of it was read")


def test_long_bodies_and_many_requests_on_a_connection_are_no_long_head() -> None:
    body = b"x" * (3 * process.HEAD_LIMIT)
    post = b"POST /post HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body)
    last = b"GET /last HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    with open_connection() as connection:
        for _ in range(3):
            connection.sendall(post + body)
        connection.sendall(last)
        answers = read_all(connection)
    assert answers.count(b"200 OK") == 4 and b"/last" in answers


POST = b"POST /post HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"


def test_a_form_that_is_sent_in_chunks_arrives_whole_and_its_answer_is_closed() -> None:
    echo = Echo()
    with open_connection(front.Front(PageThreads(echo, 1))) as connection:
        connection.sendall(POST + b"Transfer-Encoding: chunked\r\n\r\n4\r\nmode\r\n5\r\n=auto\r\n0\r\n\r\n")
        assert read_all(connection).endswith(b"\r\n\r\nmode=auto")
    assert echo.closed == 1


def test_a_form_whose_connection_breaks_does_not_arrive() -> None:
    echo = Echo()
    with open_connection(front.Front(PageThreads(echo, 1))) as connection:
        connection.sendall(POST + b"Content-Length: 10\r\n\r\nmode")
        connection.shutdown(socket.SHUT_WR)
        assert read_all(connection) == b""
    assert echo.posted == []


def test_a_page_leaves_nothing_to_the_next_one_that_its_thread_makes() -> None:
    reader = ContextVar("reader", default="nobody")

    def greet(_environ: WSGIEnvironment, start_response: StartResponse) -> list[bytes]:
        known = reader.get().encode()
        reader.set("Ana")
        start_response("200 OK", [("Content-Length", str(len(known)))])
        return [known]

    with open_connection(front.Front(PageThreads(greet, 1))) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert read_all(connection).count(b"\r\n\r\nnobody") == 2


def test_a_form_that_does_not_arrive_is_given_up(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(front, "BODY_SECONDS", 0.05)
    with socket.create_connection(("127.0.0.1", site.port), timeout=patience.SECONDS) as connection:
        connection.sendall(b"POST /prefs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nd")
        assert connection.recv(100).startswith(b"HTTP/1.1 408 ")


def test_a_connection_is_kept_for_longer_than_proxies_keep_it() -> None:
    config = process.make_server(send_path, Family()).config
    assert config.timeout_keep_alive > 120  # seconds in Caddy; 60 in nginx


@pytest.mark.parametrize(
    ("soft", "hard", "files", "streams"),
    [
        (1024, 524_288, 6000, 5000),
        (1024, 1024, 1024, 512),
        (1_000_000, 1_000_000, 1_000_000, 5000),
        (256, -1, 6000, 5000),
        (-1, -1, -1, 5000),
    ],
)
def test_a_process_opens_as_many_files_as_it_has_streams_or_has_fewer_streams(
    soft: int, hard: int, files: int, streams: int, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    resource = pytest.importorskip("resource")
    settings.STREAMS = 5000
    limits = [(soft, hard)]
    monkeypatch.setattr(resource, "getrlimit", lambda _kind: limits[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda _kind, pair: limits.append(pair))
    process.make_room_for_streams()
    assert (limits[-1][0], settings.STREAMS) == (files, streams)
