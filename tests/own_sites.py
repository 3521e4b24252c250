"""Sites of their own, each with its own folder, database and processes, which can be started, killed and restored."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
from django.db import connection
from filelock import FileLock

from tests import patience

ROOT = Path(__file__).resolve().parent.parent

REVIEW = f"""
import time
from game.models import Review
from game.services.reviews import request_review
from tests.cast import Device
from tests.reviews import load_finished_game
game = load_finished_game(Device())
request_review(game)
until = time.monotonic() + {patience.SECONDS}
while not Review.objects.get(game=game).is_done and time.monotonic() < until:
    time.sleep(0.05)
print(Review.objects.get(game=game).is_done)
"""


class RealSite:
    """A site: `manage("backup", file)` runs a command; `start()` and `kill()` are for the server."""

    def __init__(self, folder: Path, more: Mapping[str, str], *, with_odds: bool = True) -> None:
        """Without odds, a new server doesn't spend its first seconds on the odds of all shipped rulesets."""
        self.environment = os.environ | {"DATA_DIR": str(folder), "LIMITS": "off", "LOG": "text", **more}
        self.port = find_free_port()
        self.with_odds = with_odds
        self.loaded: subprocess.Popen[str] | None = None

    def manage(self, *arguments: object, ok: bool = True) -> str:
        """Run a command; return its output. With `ok=False` it has to fail, and its errors are returned."""
        with tempfile.TemporaryDirectory(prefix="ten-thousand-") as folder:
            code = self._ask_process("manage", folder, *map(str, arguments))
            out, err = (Path(folder, name).read_text() for name in ("out", "err"))
        assert (code == 0) is ok, out + err
        return out if ok else err

    def ask(self, code: str) -> str:
        """Return what a piece of Python prints that is run beside the site."""
        return self.manage("shell", "-v0", "-c", code).strip()

    def has_a_game_reviewed(self) -> bool:
        """Whether the site's worker reviews a finished game. The worker must be running."""
        return self.ask(REVIEW) == "True"

    def start(self) -> int:
        """Start the server; return its process id."""
        process = self._ask_process("start", self.port, self.with_odds)
        self.wait_until_it_answers()
        return process

    def kill(self, process: int) -> None:
        """Kill a process; return when it is gone and its port is free."""
        self._ask_process("kill", process)

    def stop(self) -> None:
        """End all processes of the site."""
        if self.loaded:
            self.loaded.communicate()
            self.loaded = None

    def _ask_process(self, *what: object) -> int:
        if self.loaded is None:
            command = [sys.executable, "-m", "tests.forking_site"]
            self.loaded = subprocess.Popen(
                command, env=self.environment, text=True, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        assert self.loaded.stdin and self.loaded.stdout
        self.loaded.stdin.write(json.dumps(what) + "\n")
        self.loaded.stdin.flush()
        return int(self.loaded.stdout.readline())

    def wait_until_it_answers(self) -> None:
        patience.wait_until(self.answers, "The site did not start.")

    def answers(self) -> bool:
        address = "127.0.0.1", self.port
        with contextlib.suppress(OSError), socket.create_connection(address, timeout=patience.SECONDS) as line:
            line.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return b" 200 " in line.recv(100)
        return False


def find_free_port() -> int:
    """Return a port at which nobody listens.

    It stays free, whatever else runs meanwhile: systems give higher ones to outgoing connections, and to whoever asks
    for any port.
    """
    while True:
        port = 20_000 + secrets.randbelow(12_000)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


def find_database_server() -> str:
    """Return the PostgreSQL server of the tests, where a site of its own has its database too; "" on SQLite."""
    return os.environ["DATABASE_URL"] if connection.vendor == "postgresql" else ""


@contextlib.contextmanager
def lend_database(server: str, like: str = "template1") -> Iterator[dict[str, str]]:
    """Yield the environment for a new database: one more on this PostgreSQL, or with "" a file in the site's folder."""
    if not server:
        yield {}
        return
    name = create_database(server, like)
    try:
        yield {"DATABASE_URL": find_address(server, name)}
    finally:
        drop_database(server, name)


def create_database(server: str, like: str = "template1", name: str = "") -> str:
    """Create one more database on this PostgreSQL; return its name."""
    name = name or f"site_{secrets.token_hex(4)}"
    with psycopg.connect(server, autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name} TEMPLATE {like}")
    return name


def drop_database(server: str, name: str) -> None:
    with psycopg.connect(server, autocommit=True) as admin:
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


def find_address(server: str, name: str) -> str:
    return urlsplit(server)._replace(path=f"/{name}").geturl()


@contextlib.contextmanager
def share_site(folder: Path) -> Iterator[str]:
    """Yield the name of the database, "" on SQLite, of a site in this folder that all test processes share.

    The first process sets it up, which takes seven seconds of a core, and the last one deletes it.
    """
    server, turn, shared = find_database_server(), FileLock(folder.with_suffix(".lock")), folder.with_suffix(".json")

    def count_users(more: int) -> dict[str, Any]:
        known: dict[str, Any] = {"users": 0}
        known |= json.loads(shared.read_text()) if shared.exists() else {"database": set_up(folder, server)}
        known["users"] += more
        shared.write_text(json.dumps(known))
        return known

    with turn:
        name: str = count_users(1)["database"]
    yield name
    with turn:
        if not count_users(-1)["users"]:
            shared.unlink()
            shutil.rmtree(folder)
            if name:
                drop_database(server, name)


def set_up(folder: Path, server: str) -> str:
    """Set up a site; return the name of its database on PostgreSQL, or "" where it is in the folder."""
    name = create_database(server) if server else ""
    folder.mkdir()
    site = RealSite(folder, {"DATABASE_URL": find_address(server, name)} if server else {})
    try:
        site.manage("serve", "--set-up")
    except BaseException:
        shutil.rmtree(folder)
        if server:
            drop_database(server, name)
        raise
    finally:
        site.stop()
    return name
