"""How much memory a serving process takes, compared with a stock project: `python tests/benchmarks/memory.py`.

A page of memory that several processes share counts in equal parts (PSS). The part of shared libraries depends on
what else runs on the machine, for both projects alike.
"""

from __future__ import annotations

import argparse
import os
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
from tests.benchmarks.process_memory import read_memory_of_family  # noqa: E402
from tests.own_sites import find_free_port  # noqa: E402

MIB_MOST = 65


def measure_memory(process: int, *, with_worker: bool) -> tuple[float, float]:
    """Return the memory of a serving process, the mean of several, and that of the whole site, both in MiB.

    A worker, if there is one, was forked before the others.
    """
    sizes = read_memory_of_family(process)
    serving = sizes[:1] + sizes[1 + with_worker :]
    return sum(serving) / len(serving), sum(sizes)


@contextmanager
def serve_site(
    folder: Path, processes: int, more: Mapping[str, str], *, with_worker: bool
) -> Iterator[tuple[int, int, str]]:
    """Serve a new site by the command that a service manager starts. Yields port, process id and a game's code."""
    environment = os.environ | {"DATA_DIR": str(folder), "LIMITS": "off", "LOG": "text", **more}

    def run(*command: str) -> str:
        return subprocess.check_output([sys.executable, "manage.py", *command], env=environment, cwd=ROOT, text=True)

    run("serve", "--set-up")
    code = run("shell", "-v0", "-c", OUR_GAME.format(VISITOR)).splitlines()[-1]
    port = find_free_port()
    command = [sys.executable, "manage.py", "serve", "--port", str(port), "--processes", str(processes)]
    command += ["--worker"] * with_worker
    server = subprocess.Popen(command, env=environment, cwd=ROOT)
    try:
        wait_for_port(port)
        yield port, server.pid, code
    finally:
        server.terminate()
        server.wait()


def print_memory(moment: str, process: int, *, with_worker: bool = False) -> None:
    part, site = measure_memory(process, with_worker=with_worker)
    print(f"{moment:36}{part:12.1f}{site:12.1f}", flush=True)


def measure_site(folder: Path, name: str, processes: int, more: Mapping[str, str], *, with_worker: bool) -> None:
    """Print the memory of a serving process after its start, a page, the moves and pages of a game, and odds."""
    with serve_site(folder, processes, more, with_worker=with_worker) as (port, process, code):
        time.sleep(10)  # for all that is loaded in the background
        print_memory(f"{name}, {processes}{' and a worker' * with_worker}, started", process, with_worker=with_worker)
        players = [Player(port, code, VISITOR) for _ in range(3 * processes)]  # enough for each process to serve some
        print_memory("a page", process, with_worker=with_worker)
        for player in players:
            player.play_to_a_choice()
            for _ in range(100):
                player.load_page()
                player.move()
            for _ in range(30):
                player.load_home()
                player.load_page()
                player.load_whole_board()
        print_memory("moves and pages", process, with_worker=with_worker)
        for player in players:  # each of several processes serves some of them
            player.cookies["prefs"] = "hints=coach"
            player.play_to_a_choice()
        time.sleep(5)  # for the tables of chances, which are loaded in the background
        for player in players:
            player.load_page()
        print_memory("with a coach", process, with_worker=with_worker)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--processes", type=int, nargs="+", default=[1, 2, 4], help="that serve a port, on PostgreSQL")
    chosen = options.parse_args()
    print(f"{'MiB (PSS)':36}{'a process':>12}{'whole site':>12}")
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        with serve_stock(Path(folder, "stock"), {1, 40_000}) as (port, process):
            stranger = Stranger(port)
            for _ in range(100):
                stranger.write(40_000)
            print_memory("stock, 100 answers", process)
        for with_worker in (False, True):
            measure_site(Path(folder, f"sqlite{with_worker}"), "SQLite", 1, {}, with_worker=with_worker)
        programs = pgserver.find_programs()
        assert programs, "PostgreSQL is not installed."
        for processes, with_worker in ((number, worker) for number in chosen.processes for worker in (False, True)):
            with pgserver.run_server(programs) as address:
                data = Path(folder, f"of{processes}{with_worker}")
                measure_site(data, "PostgreSQL", processes, {"DATABASE_URL": address}, with_worker=with_worker)
    print(f"at most {MIB_MOST} MiB wanted for a process that serves")


if __name__ == "__main__":
    os.environ.pop("DATABASE_URL", None)
    main()
