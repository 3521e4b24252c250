"""Moves and boards a second, each compared with a bare view that makes the same work for the database.

`python tests/benchmarks/site.py` on SQLite, and on PostgreSQL too where it is installed; `--seconds 1` for a short
look, `--games 1000` for fewer games around.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import secrets
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests import pgserver  # noqa: E402
from tests.own_sites import RealSite, lend_database  # noqa: E402

GOAL = 0.6
LAY_OUT = (Path(__file__).parent / "lay_out.py").read_text()


@dataclass
class Line:
    """One browser: one connection that is kept open, one game, one visitor."""

    port: int
    number: int
    code: str
    kept: dict[str, str] = field(default_factory=dict)
    body: str = ""
    shown: int = 0
    times: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.connect()
        self.kept["visitor"] = f"{self.number:043}"
        self.ask("GET", f"/g/{self.code}")

    def connect(self) -> None:
        self.open = socket.create_connection(("127.0.0.1", self.port))
        self.open.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.open.makefile("rb", 1 << 16)

    def ask(self, method: str, path: str, form: list[tuple[str, str]] | None = None) -> None:
        body = urlencode(form or []).encode()
        cookies = "; ".join(f"{name}={value}" for name, value in self.kept.items())
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookies}\r\nHX-Request: true\r\n"
        if form:
            head += f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
        request = head.encode() + b"\r\n" + body
        try:
            self.open.sendall(request)
            first = self.file.readline()
        except ConnectionError:
            first = b""
        if not first:  # as a browser does after a connection was closed because it was idle for too long
            self.connect()
            self.open.sendall(request)
            first = self.file.readline()
        status, headers = self.read_head(first)
        self.body = self.read_body(headers).decode()
        assert status == 200, f"{status} {method} {path} {self.body[:2000]}"

    def read_head(self, first: bytes) -> tuple[int, dict[str, str]]:
        status, headers = int(first.split()[1]), {}
        while (line := self.file.readline().decode().strip()) != "":
            name, _, value = line.partition(": ")
            headers[name.lower()] = value
            if name.lower() == "set-cookie":
                cookie, _, rest = value.partition("=")
                self.kept[cookie] = rest.partition(";")[0]
        return status, headers

    def read_body(self, headers: dict[str, str]) -> bytes:
        if "content-length" in headers:
            return bytes(self.file.read(int(headers["content-length"])))
        body = b""
        while size := int(self.file.readline(), 16):
            body += self.file.read(size)
            self.file.readline()
        self.file.readline()
        return body

    # ── requests ──

    def move(self) -> None:
        """Throw, keeping the dice that are ticked on the board."""
        tray = self.body.split('id="tray"')[1].split("</form>")[0]
        self.form = [(name, read_hidden_field(tray, name)) for name in ("csrfmiddlewaretoken", "version")]
        ticked = re.findall(r'name="keep" value="(\d)" checked', tray)
        form = [*self.form, ("key", secrets.token_urlsafe(16)), *(("keep", column) for column in ticked)]
        self.ask("POST", f"/g/{self.code}/throw", form)

    def make_bare_move(self) -> None:
        self.ask("POST", f"/bare/{self.code}/throw", [*self.form, ("key", secrets.token_urlsafe(16)), ("keep", "1")])

    def play_to_a_choice(self) -> None:
        """Play until a throw does not end the turn: pages that saw the throw before then have the least to fetch."""
        self.ask("GET", f"/g/{self.code}")
        self.move()
        while 'id="earlier"' in self.body:
            self.move()
        self.shown = int(read_hidden_field(self.body, "version")) - 1

    def load_step(self) -> None:
        self.ask("GET", f"/g/{self.code}/board?version={self.shown}")

    def load_bare_step(self) -> None:
        self.ask("GET", f"/bare/{self.code}/step")

    def load_board(self) -> None:
        self.ask("GET", f"/g/{self.code}/board?version=0")

    def load_bare_board(self) -> None:
        self.ask("GET", f"/bare/{self.code}/board")

    def load_bare_watched(self) -> None:
        self.ask("GET", f"/bare/{self.code}/watched")


def read_hidden_field(html: str, name: str) -> str:
    match = re.search(rf'name="{name}" value="([^"]*)"', html)
    assert match, f"no {name} in {html[:500]}"
    return match[1]


def ask_at_once(lines: list[Line], ask: Callable[[Line], None], seconds: float) -> tuple[list[float], float]:
    """Let all lines ask at once for these seconds; return the seconds of each answer, and of the whole."""
    start = time.perf_counter()
    until = start + seconds

    def go(line: Line) -> None:
        line.times = []
        while (began := time.perf_counter()) < until:
            ask(line)
            line.times.append(time.perf_counter() - began)

    threads = [threading.Thread(target=go, args=[line]) for line in lines]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [taken for line in lines for taken in line.times], time.perf_counter() - start


def compare_with_bare(what: str, lines: list[Line], game: str, bare: str, seconds: float) -> bool:
    """Measure the game and the bare view alternately, so that a busy machine slows both; return whether it's good."""
    taken: dict[str, list[float]] = {game: [], bare: []}
    spent = {game: 0.0, bare: 0.0}
    for _ in range(4):
        boards: list[str] = []
        for name in (game, bare):
            times, wall = ask_at_once(lines, getattr(Line, name), seconds / 4)
            taken[name] += times
            spent[name] += wall
            if name == game:
                boards = [line.body for line in lines]
        for line, body in zip(lines, boards, strict=True):
            line.body = body
    rate = {name: len(taken[name]) / spent[name] for name in (game, bare)}
    ratio = rate[game] / rate[bare]
    columns = [f"{rate[name]:6.0f}/s {format_percentiles(taken[name])}" for name in (game, bare)]
    print(f"{what:40} {columns[0]}   bare {columns[1]}   {ratio:4.2f} {'' if ratio >= GOAL else '← below'}", flush=True)
    return ratio >= GOAL


def format_percentiles(times: list[float]) -> str:
    cuts = statistics.quantiles(times, n=100)
    return " ".join(f"{cuts[cut - 1] * 1000:5.1f}" for cut in (50, 95, 99)) + " ms"


@contextmanager
def serve_site(folder: Path, more: dict[str, str]) -> Iterator[tuple[RealSite, dict[str, list[str]]]]:
    costs = folder / "costs.json"
    settings = {
        "DJANGO_SETTINGS_MODULE": "tests.benchmarks.bare_settings",
        "COSTS": str(costs),
        "PYTHONPATH": str(ROOT),
    }
    site = RealSite(folder, more | settings)
    costs.write_text(
        json.dumps({name: {"reads": 2, "writes": 2, "bytes": 100} for name in ("move", "step", "board", "watched")})
    )
    site.manage("serve", "--set-up")
    laid_out = json.loads(site.ask(LAY_OUT).splitlines()[-1])
    costs.write_text(json.dumps(laid_out["costs"]))
    for name, cost in laid_out["costs"].items():
        print(f"  {name}: {cost['reads']} questions, {cost['writes']} writes, {cost['bytes']:,} bytes", flush=True)
    try:
        site.start()
        yield site, laid_out["codes"]
    finally:
        site.stop()


def measure_site(folder: Path, more: dict[str, str], seconds: float, games: int) -> bool:
    good = []
    with serve_site(folder, more) as (site, codes):
        for kind, around in (("new", "new games"), ("long", "500 turns")):
            good += [measure_lines(site, codes[kind][:count], around, seconds) for count in (2, 16)]
        site.ask(f"GAMES = {games}\n{(Path(__file__).parent / 'crowd.py').read_text()}")
        good += [measure_lines(site, codes["new"][:count], f"{games:,} games", seconds) for count in (2, 16)]
    return all(good)


def measure_lines(site: RealSite, codes: list[str], around: str, seconds: float) -> bool:
    """Measure moves, the board that a player's page fetches after one, its whole board, and the board of spectators.

    The board of spectators is made once for all of them.
    """
    name = f"{len(codes)} lines, {around}"

    def lines(watching: bool) -> list[Line]:
        first, shown = (1000, codes[:1] * len(codes)) if watching else (0, codes)
        return [Line(site.port, first + number, code) for number, code in enumerate(shown)]

    playing = lines(False)
    good = [compare_with_bare(f"moves, {name}", playing, "move", "make_bare_move", seconds)]
    for line in playing:
        line.play_to_a_choice()
    good += [
        compare_with_bare(f"boards, {name}", playing, "load_step", "load_bare_step", seconds),
        compare_with_bare(f"whole boards, {name}", playing, "load_board", "load_bare_board", seconds),
        compare_with_bare(f"watched, {name}", lines(True), "load_board", "load_bare_watched", seconds),
    ]
    return all(good)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=4, help="for each figure")
    options.add_argument("--games", type=int, default=100_000, help="around those that are played")
    options.add_argument("--only", choices=["sqlite", "postgresql"])
    chosen = options.parse_args()
    good = []
    print("answers a second, p50 p95 p99; then the bare view; then the ratio", flush=True)
    for name in ("sqlite", "postgresql"):
        if chosen.only in (None, name):
            print(name, flush=True)
            good.append(measure_on(name, chosen.seconds, chosen.games))
    sys.exit(not all(good))


def measure_on(name: str, seconds: float, games: int) -> bool:
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        if name == "sqlite":
            return measure_site(Path(folder), {}, seconds, games)
        if not (programs := pgserver.find_programs()):
            print("  not installed")
            return True
        with pgserver.run_server(programs) as address, lend_database(address) as more:
            return measure_site(Path(folder), more, seconds, games)


if __name__ == "__main__":
    os.environ.pop("DATABASE_URL", None)
    main()
