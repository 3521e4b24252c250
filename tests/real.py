"""A site of its own: its own folder and database, its own processes, to be started, killed and put back."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from django.db import connection

from tests import patience

ROOT = Path(__file__).resolve().parent.parent


class RealSite:
    """`manage("backup", file)` runs a command; `start()` and `kill()` are for the server."""

    def __init__(self, folder: Path, **more: str) -> None:
        self.environment = os.environ | {"DATA_DIR": str(folder), "LIMITS": "off", "LOG": "text", **more}
        self.port = free_port()
        self.line: subprocess.Popen[str] | None = None

    def manage(self, *arguments: object, ok: bool = True) -> str:
        """What the command says; with `ok=False` it has to fail, and what it says about that."""
        command = [sys.executable, str(ROOT / "manage.py"), *map(str, arguments)]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, cwd=ROOT)
        assert (done.returncode == 0) is ok, done.stdout + done.stderr
        return done.stdout if ok else done.stderr

    def ask(self, code: str) -> str:
        """What a piece of Python prints, run beside the site."""
        return self.manage("shell", "-v0", "-c", code).strip()

    # ── the server: one process that has everything loaded, and forks the one that serves ──

    def start(self) -> int:
        """The process that serves now."""
        if self.line is None:
            command = [sys.executable, "-c", SERVER, str(self.port)]
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
            self.line = subprocess.Popen(command, env=self.environment, text=True, cwd=ROOT, **pipes)
        assert self.line.stdin and self.line.stdout
        self.line.stdin.write("start\n")
        self.line.stdin.flush()
        process = int(self.line.stdout.readline())
        self.wait_until_it_answers()
        return process

    def wait_until_it_answers(self) -> None:
        until = time.monotonic() + patience.SECONDS
        while time.monotonic() < until:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1) as line:
                line.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                if b" 200 " in line.recv(100):
                    return
            time.sleep(0.01)
        raise TimeoutError("The site did not start.")

    def kill(self, process: int) -> None:
        """Returns when it is gone, and its port with it."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
            while True:
                os.kill(process, 0)
                time.sleep(0.002)

    def stop(self) -> None:
        if self.line:
            self.line.communicate()
            self.line = None


SERVER = """
import os, signal, sys
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
import django
django.setup()
import config.asgi
from game.management.commands import play
from django.db import connections
from django.test import Client

from tests import patience
Client(SERVER_NAME="localhost").get("/help")  # templates and addresses are read once, not after every start
connections.close_all()
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
serving = 0
for _ in sys.stdin:
    serving = os.fork()
    if not serving:
        play.serve(play.listen("127.0.0.1", int(sys.argv[1])))
        os._exit(0)
    print(serving, flush=True)
if serving:
    os.kill(serving, signal.SIGKILL)
"""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as opened:
        return int(opened.getsockname()[1])


@contextlib.contextmanager
def real_site(folder: Path) -> Iterator[RealSite]:
    """On the kind of database that the tests run on, empty and set up."""
    with database(os.environ["DATABASE_URL"] if connection.vendor == "postgresql" else "") as more:
        site = RealSite(folder, **more)
        site.manage("serve", "--set-up")
        try:
            yield site
        finally:
            site.stop()


@contextlib.contextmanager
def database(server: str) -> Iterator[dict[str, str]]:
    """The environment of a database of its own: one more on this PostgreSQL, or with "" a file in the site's folder."""
    if not server:
        yield {}
        return
    name = f"site_{secrets.token_hex(4)}"
    with psycopg.connect(server, autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
        try:
            yield {"DATABASE_URL": urlsplit(server)._replace(path=f"/{name}").geturl()}
        finally:
            admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
