"""What grows with a game, or with the number of games: `python tests/benchmarks/growth.py` prints CPU times and ratios.

Short and long are measured alternately in one process, by its CPU time, so that a busy machine hardly counts.
"""

from __future__ import annotations

import os
import resource
import statistics
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.test import Client

    from game.models import Game

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
LONG, SHORT = 2000, 20
TIMES = 15
RATIO_MOST, LIST_RATIO_MOST = 1.2, 1.3
MS_A_TURN_MOST = 0.04
STORED = 100_000
PAGES = {"page": "", "board": "/board?version=0"}
BY_TURN = {
    "game file": ".json",
    "score sheet": "/sheet",
    "table": ".csv",
    "replay, first step": "?at=1",
    "replay, last step": "?at=last",
}
PLAIN = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}


def main() -> None:
    from django.conf import settings
    from django.core.management import call_command
    from django.test import override_settings

    call_command("migrate", verbosity=0)
    never = dict.fromkeys(settings.LIMITS, (10**6, 1))
    with override_settings(ALLOWED_HOSTS=["*"], STORAGES={"staticfiles": PLAIN}, LIMITS=never):
        compare_games()
        compare_lists()


def compare_games() -> None:
    """Compare pages of a long game with those of a short one, and print what each turn costs in files and sheets."""
    from tests.cast import Device
    from tests.stored_games import TWELVE, store_long_game

    device = Device()
    games = {
        (turns, over): store_long_game(device, turns, over=over, names=TWELVE)
        for turns in (SHORT, LONG)
        for over in (False, True)
    }
    counts = {which: game.shots.count() for which, game in games.items()}
    store_review(games[LONG, True])
    print(f"{'':44}{'short':>10}{'long':>10}")
    for name, path in PAGES.items():
        new = f"{games[SHORT, False].get_absolute_url()}{path}"
        for over, what in ((False, "running"), (True, "over")):
            short, long = measure_paths(device.client, new, games[LONG, over].get_absolute_url() + path)
            print_row(
                f"{name}, {what}, {counts[LONG, over]} turns",
                short,
                long,
                f"{long / short:.2f} x, at most {RATIO_MOST}",
            )
    for name, path in BY_TURN.items():
        for over, what in ((False, "running"), (True, "over")):
            short, long = measure_paths(
                device.client, *(games[turns, over].get_absolute_url() + path for turns in (SHORT, LONG))
            )
            slope = (long - short) / (counts[LONG, over] - counts[SHORT, over])
            print_row(f"{name}, {what}", short, long, f"{slope:.4f} ms a turn, at most {MS_A_TURN_MOST}")


def store_review(game: Game) -> None:
    """Store a review as large as a real one of this game: two decisions a turn, with eight ways to keep each."""
    from game.models import Review
    from game.services.reviews import StoredOption, StoredThrow

    seats, shots = game.players.count(), game.shots.count()
    figures = {"accuracy": 90, "luck": 120, "luck_win": 0.01, "busts": 3, "expected_busts": 2.5}
    option = StoredOption("155", "throw", 450, 3, 0.51234, 512.3, 0.2778)
    shown = {"dice": "112556", "points": 250, "score": 4000, "options": [option] * 8, "chosen": 1, "computer": False}
    decisions = [
        {"seat": n % seats, "step": n, "throw": 1, "round": n, "loss": n / 10**6, "mark": "?", **shown}
        for n in range(2 * shots)
    ]
    throws = [StoredThrow(n, n % seats, n, 0.5, 0.01, 12.5, 0) for n in range(2 * shots)]
    data = {"by": "win", "start": [0.5] * seats, "players": [figures] * seats, "decisions": decisions, "throws": throws}
    Review.objects.create(game=game, progress=100, data=data | {"typed": 0})


def compare_lists() -> None:
    """Compare the lists of somebody who has played little before and after others have stored very many games."""
    from tests.cast import Device
    from tests.stored_games import store_many_games

    device = Device()
    store_many_games(device, 25)
    paths = "/games", "/games?show=finished", "/games?show=finished&player=ana&order=oldest", "/games/with/*HAL"
    before = [measure_paths(device.client, path)[0] for path in paths]
    store_many_games(Device(), STORED, turns=0)
    for path, short in zip(paths, before, strict=True):
        long = measure_paths(device.client, path)[0]
        print_row(f"{path}, among {STORED:,}", short, long, f"{long / short:.2f} x, at most {LIST_RATIO_MOST}")


def measure_paths(client: Client, *paths: str) -> list[float]:
    """Return the median CPU milliseconds of each path; the paths are requested alternately."""
    taken: dict[str, list[float]] = {path: [] for path in paths}
    for _time in range(TIMES):
        for path in paths:
            began = read_cpu_seconds()
            response = client.get(path)
            content = b"".join(response) if response.streaming else response.content
            taken[path].append(read_cpu_seconds() - began)
            assert response.status_code == 200 and content, (path, response.status_code)
    return [1000 * statistics.median(times) for times in taken.values()]


def read_cpu_seconds() -> float:
    """Return the CPU seconds of this process so far."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def print_row(name: str, short: float, long: float, verdict: str) -> None:
    print(f"{name:44}{short:>7.1f} ms{long:>7.1f} ms  {verdict}", flush=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="ten-thousand-") as folder:
        os.environ |= {"DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": ""}
        import django

        django.setup()
        main()
        from django.db import connections

        connections.close_all()
