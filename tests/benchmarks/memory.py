"""What a serving process holds in memory, beside one of a stock project: `python tests/benchmarks/memory.py`.

A page of memory that several processes share counts in equal parts (PSS). That of the libraries depends on what else
runs on the machine, for both alike.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests import pgserver  # noqa: E402
from tests.benchmarks.floor import OUR_GAME, VISITOR, Player, Stranger, serve_stock, wait_for_port  # noqa: E402
from tests.real import free_port  # noqa: E402

MOST = 65  # MB


def measure(process: int) -> tuple[float, float]:
    """Return the part of all memory that a process and those it forked have, and of that what is no file; MB, means."""
    family = [process, *map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split())]
    sums = [0.0, 0.0]
    for member in family:
        lines = Path(f"/proc/{member}/smaps_rollup").read_text()
        for column, name in enumerate(("Pss", "Pss_Anon")):
            size = re.search(rf"^{name}:\s+(\d+)", lines, re.M)
            assert size
            sums[column] += int(size[1]) / 1024 / len(family)
    return sums[0], sums[1]


@contextmanager
def serve_site(folder: Path, processes: int, more: Mapping[str, str]) -> Iterator[tuple[int, int, str]]:
    """Serve a new site by the command that a service manager starts. Yields port, process and the code of a game."""
    environment = os.environ | {"DATA_DIR": str(folder), "LIMITS": "off", "LOG": "text", **more}

    def run(*command: str) -> str:
        return subprocess.check_output([sys.executable, "manage.py", *command], env=environment, cwd=ROOT, text=True)

    run("serve", "--set-up")
    code = run("shell", "-v0", "-c", OUR_GAME.format(VISITOR)).splitlines()[-1]
    port = free_port()
    command = [sys.executable, "manage.py", "serve", "--port", str(port), "--processes", str(processes)]
    server = subprocess.Popen(command, env=environment, cwd=ROOT)
    try:
        wait_for_port(port)
        yield port, server.pid, code
    finally:
        server.terminate()
        server.wait()


def show(moment: str, process: int) -> None:
    part, own = measure(process)
    print(f"{moment:30}{part:12.1f}{own:12.1f}", flush=True)


def measure_site(folder: Path, name: str, processes: int, more: Mapping[str, str]) -> None:
    """Print the part of a serving process as it starts, and after it has answered whatever a game asks for."""
    with serve_site(folder, processes, more) as (port, process, code):
        time.sleep(10)  # for what is loaded beside the answers
        show(f"{processes} on {name}, started", process)
        players = [Player(port, code, VISITOR) for _ in range(3 * processes)]  # a process takes some of these lines
        show("a page", process)
        for player in players:
            player.play_to_a_choice()
            for _ in range(100):
                player.load_page()
                player.move()
            for _ in range(30):
                player.load_home()
                player.load_page()
                player.load_whole_board()
        show("moves and pages", process)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--processes", type=int, nargs="+", default=[1, 2, 4], help="that serve a port, on PostgreSQL")
    chosen = options.parse_args()
    print(f"{'MB for each process':30}{'part (PSS)':>12}{'not files':>12}")
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        with serve_stock(Path(folder, "stock"), {1, 40_000}) as (port, process):
            stranger = Stranger(port)
            for _ in range(100):
                stranger.write(40_000)
            show("stock, 100 answers", process)
        measure_site(Path(folder, "sqlite"), "SQLite", 1, {})
        programs = pgserver.binaries()
        assert programs, "PostgreSQL is not installed."
        for processes in chosen.processes:
            with pgserver.server(programs) as address:
                measure_site(Path(folder, f"of{processes}"), "PostgreSQL", processes, {"DATABASE_URL": address})
    print(f"at most {MOST} wanted")


if __name__ == "__main__":
    os.environ.pop("DATABASE_URL", None)
    main()
