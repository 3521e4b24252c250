"""What open streams cost a process, and how soon 200 spectators of one game hear of a move while others play.

`python tests/benchmarks/streams.py` on SQLite, and on PostgreSQL too where it is installed. Fails above its goals.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import psycopg  # noqa: E402

from tests import pgserver  # noqa: E402
from tests.benchmarks.process_memory import read_memory  # noqa: E402
from tests.benchmarks.site import Line  # noqa: E402
from tests.own_sites import RealSite, lend_database  # noqa: E402

STREAMS, SPECTATORS, PLAYED = 5000, 200, 10
MOVES_A_SECOND = 50
POOL = 4
GOALS = {"KiB a stream": 21, "threads": POOL + 6, "connections": POOL + 3, "p99 ms": 60, "idle CPU %": 12}

# The first game has SPECTATORS streams, and the others four each; the first ones of these are played as well.
LAY_OUT = f"""
import json, secrets
from game import identity, live, services
from game.models import RulesetRow
from game.rules import Entry
classic = RulesetRow.objects.get(slug="classic")
def make(number):
    browser = identity.Browser(f"{{number:043}}", True)
    return services.create_game(browser, secrets.token_urlsafe(16), classic, [Entry("Ana"), Entry("Bo")]).code
codes = [make(number) for number in range(1 + ({STREAMS} - {SPECTATORS}) // 4)]
def address(code):
    return live.make_stream_address(code, identity.Browser(secrets.token_urlsafe(32), True), None)
heard = [codes[0]] * {SPECTATORS} + [code for code in codes[1:] for _ in range(4)]
print(json.dumps({{"codes": codes, "streams": [(code, address(code)) for code in heard]}}))
"""

VERSION = re.compile(rb"data: (\d+)")


@dataclass(eq=False)
class Listener(asyncio.Protocol):
    """A page's stream, which notes when it heard of each version."""

    code: str
    address: str
    heard: dict[int, int] = field(default_factory=dict)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.line = transport
        transport.write(f"GET {self.address} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())

    def data_received(self, data: bytes) -> None:
        now = time.monotonic_ns()
        for version in VERSION.findall(data):
            self.heard[int(version)] = now


@dataclass(frozen=True)
class Cost:
    """What a process takes at one moment. Memory in KiB: its own and its part of what it shares with others."""

    memory: int
    threads: int
    seconds: float  # of CPU, since it began

    @classmethod
    def measure(cls, process: int) -> Cost:
        proc = Path(f"/proc/{process}")
        times = (proc / "stat").read_text().rpartition(")")[2].split()
        return cls(
            memory=read_memory(process),
            threads=len(list((proc / "task").iterdir())),
            seconds=(int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK"),
        )


def count_connections(process: int, address: str) -> int:
    """Count the server's connections to its database: its open files, or the sessions that PostgreSQL lists."""
    if address:
        with psycopg.connect(address) as session:
            row = session.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            ).fetchone()
        return row[0] if row else 0
    links = [os.readlink(link) for link in Path(f"/proc/{process}/fd").iterdir() if link.is_symlink()]
    return sum(link.endswith("game.sqlite3") for link in links)


# ── players, in processes of their own ──


def play_moves(port: int, codes: list[str], first: int, pause: float, seconds: float) -> None:
    lines = [Line(port, first + n, code) for n, code in enumerate(codes)]
    began = time.monotonic()
    due, n = began, 0
    while due < began + seconds:
        time.sleep(max(0, due - time.monotonic()))
        lines[n % len(lines)].move()
        due, n = due + pause, n + 1


def list_players(port: int, codes: list[str], seconds: float) -> Iterator[BaseProcess]:
    """Yield two processes that move in the other games, and one that moves in the crowd's game twice a second."""
    half = PLAYED // 2
    crews = [(codes[1 : 1 + half], 1, 2 / MOVES_A_SECOND), (codes[1 + half : 1 + PLAYED], 1 + half, 2 / MOVES_A_SECOND)]
    for crew, first, pause in [*crews, (codes[:1], 0, 0.5)]:
        yield multiprocessing.get_context("spawn").Process(target=play_moves, args=(port, crew, first, pause, seconds))


# ── measuring ──


async def open_streams(port: int, wanted: list[tuple[str, str]]) -> list[Listener]:
    loop = asyncio.get_running_loop()
    listeners = []
    for code, address in wanted:
        listeners.append((await loop.create_connection(partial(Listener, code, address), "127.0.0.1", port))[1])
    while not all(listener.heard for listener in listeners):
        await asyncio.sleep(0.05)
    return listeners


async def wait_for_rest(process: int) -> None:
    """Wait for five quiet seconds: until the process has done its work after a start, or after a crowd came."""
    quiet = 0
    while quiet < 5:
        before = Cost.measure(process)
        await asyncio.sleep(1)
        quiet = quiet + 1 if Cost.measure(process).seconds - before.seconds < 0.05 else 0


async def measure_streams(
    site: RealSite, games: dict[str, list[Any]], stamps: Path, address: str, seconds: float
) -> dict[str, float]:
    process = site.start()
    Line(site.port, 0, games["codes"][0])  # so that what the first page loads does not count as the cost of a stream
    (await open_streams(site.port, games["streams"][-1:]))[0].line.close()
    await wait_for_rest(process)
    before = Cost.measure(process)
    began = time.monotonic()
    listeners = await open_streams(site.port, games["streams"])
    print(f"  {len(listeners):,} streams open after {time.monotonic() - began:.1f} s", flush=True)
    await wait_for_rest(process)
    idle = Cost.measure(process)
    await asyncio.sleep(10)
    after = Cost.measure(process)
    crews = list(list_players(site.port, games["codes"], seconds))
    for crew in crews:
        crew.start()
    while any(crew.is_alive() for crew in crews):
        await asyncio.sleep(0.2)
    busy = Cost.measure(process)
    times, moves = read_delays(listeners, stamps, games["codes"][0])
    cuts = statistics.quantiles(times, n=100)
    return {
        "KiB a stream": (idle.memory - before.memory) / len(listeners),
        "threads": busy.threads,
        "connections": count_connections(process, address),
        "idle CPU %": (after.seconds - idle.seconds) * 10,
        "moves a second": moves / seconds,
        "news to the crowd": len(times),
        "p50 ms": cuts[49],
        "p99 ms": cuts[98],
        "longest ms": max(times),
    }


def read_delays(listeners: list[Listener], stamps: Path, crowded: str) -> tuple[list[float], int]:
    """Return the milliseconds from commit to arrival, of each move for each listener in the crowd; and all moves."""
    written = {}
    for line in stamps.read_text().splitlines():
        code, version, at = line.split()
        written[code, int(version)] = int(at)
    crowd = [listener for listener in listeners if listener.code == crowded]
    news = [version for code, version in written if code == crowded]
    missed = sum(version not in listener.heard for listener in crowd for version in news)
    if missed:
        print(f"  {missed} of {len(crowd) * len(news)} were overtaken by newer news")
    heard = [
        (listener.heard[version] - written[crowded, version]) / 1e6
        for listener in crowd
        for version in news
        if version in listener.heard
    ]
    return heard, len(written)


def measure_on(name: str, address: str, seconds: float) -> bool:
    print(name, flush=True)
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, lend_database(address) as more:
        stamps = Path(folder) / "stamps"
        stamps.touch()
        own = {
            "DJANGO_SETTINGS_MODULE": "tests.benchmarks.stamps_settings",
            "PYTHONPATH": str(ROOT),
            "STAMPS": str(stamps),
            "STREAMS": str(2 * STREAMS),
            "STREAMS_PER_ADDRESS": str(2 * STREAMS),
            "PAGE_THREADS": str(POOL),
        }
        site = RealSite(Path(folder), more | own)
        site.manage("serve", "--set-up")
        games = json.loads(site.ask(LAY_OUT).splitlines()[-1])
        stamps.write_text("")
        try:
            figures = asyncio.run(measure_streams(site, games, stamps, more.get("DATABASE_URL", ""), seconds))
        finally:
            site.stop()
    for what, value in figures.items():
        goal = f"at most {GOALS[what]}" if what in GOALS else ""
        print(f"  {what:20}{value:10.1f}  {goal}{' ← above' if value > GOALS.get(what, value) else ''}", flush=True)
    return all(figures[what] <= goal for what, goal in GOALS.items())


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=20, help="of playing")
    options.add_argument("--only", choices=["sqlite", "postgresql"])
    chosen = options.parse_args()
    good = []
    if chosen.only != "postgresql":
        good.append(measure_on("sqlite", "", chosen.seconds))
    programs = pgserver.find_programs()
    if chosen.only != "sqlite" and programs:
        with pgserver.run_server(programs) as address:
            good.append(measure_on("postgresql", address, chosen.seconds))
    sys.exit(not all(good))


if __name__ == "__main__":
    os.environ.pop("DATABASE_URL", None)
    main()
