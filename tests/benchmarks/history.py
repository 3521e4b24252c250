"""How long the pages of history take: `python tests/benchmarks/history.py` prints each figure beside its goal.

One visitor with 10,000 stored games, and games of 500 turns, in a database of its own.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

from django.test import Client

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
MOST_MS = 50
TIMES = 9
PLAIN = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}


def main() -> None:
    from django.core.management import call_command
    from django.test import override_settings

    from tests.cast import Device
    from tests.stored_games import store_long_game, store_many_games

    call_command("migrate", verbosity=0)
    with override_settings(ALLOWED_HOSTS=["*"], STORAGES={"staticfiles": PLAIN}):
        device = Device()
        store_many_games(device, 10_000)
        count_them()
        over, running = (
            store_long_game(device).get_absolute_url(),
            store_long_game(device, over=False).get_absolute_url(),
        )
        print(f"{'':58}{'measured':>12}  asked for")
        for name, path in (*list_pages(), *list_game_pages("over", over), *list_game_pages("running", running)):
            print(f"{name:58}{time_page(device.client, path):>9.1f} ms  at most {MOST_MS} ms")
        compare_with_recount()
        print(f"{'a step of the replay, for htmx':58}{time_step(device.client, over):>9.1f} ms  at most {MOST_MS} ms")


def count_them() -> None:
    """Count the games as if each had been played here to its end."""
    from game.models import Player

    Player.objects.update(turns=20, banks=14, banked=6000, best_bank=1000, busts=6, expected_busts=5.8, contest=True)


def compare_with_recount() -> None:
    """Check head to head over 10,000 games of all kinds against a recount of their rows, and time its page."""
    from dataclasses import astuple

    from game.history.head_to_head import find_opponents
    from tests.cast import Device
    from tests.recount import NAMES, count_again, is_same, store_mixed_games

    devices = [Device() for _n in range(3)]
    visitors = [device.browser.visitor_or_new() for device in devices]
    store_mixed_games(visitors, devices[0].game(), 10_000)
    opponents = 0
    for name in (*NAMES, "*HAL", "*Eva"):
        listed = {astuple(heads.opponent): heads for heads in find_opponents(visitors[0], name)}
        counted = count_again(visitors[0], name)
        assert set(listed) == set(counted) and all(is_same(listed[who], counted[who]) for who in listed), name
        opponents += len(listed)
    print(f"{'head to head is a recount of 10,000 mixed games for':58}{opponents:>9} opponents")
    taken = time_page(devices[0].client, "/games/with/Bruno")
    print(f"{'head to head, of 10,000 mixed games':58}{taken:>9.1f} ms  at most {MOST_MS} ms")


def list_pages() -> tuple[tuple[str, str], ...]:
    return (
        ("home", "/"),
        ("games, open", "/games"),
        ("games, finished", "/games?show=finished"),
        ("games, finished, page 400", "/games?show=finished&page=400"),
        ("games, finished, won, by a name", "/games?show=finished&result=won&player=ana"),
        ("games, finished, lost, by rules", "/games?show=finished&result=lost&ruleset=classic"),
        ("games, finished, by days, my best score first", "/games?show=finished&since=2020-01-01&seats=2&order=score"),
        ("head to head with the computer", "/games/with/*HAL"),
    )


def list_game_pages(what: str, url: str) -> list[tuple[str, str]]:
    pages = {
        "game page": "",
        "replay, first step": "?at=1",
        "replay, last step": "?at=last",
        "score sheet": "/sheet",
        "game file": ".json",
        "table": ".csv",
    }
    return [(f"500 turns, {what}: {name}", url + path) for name, path in pages.items()]


def time_page(client: Client, path: str, **headers: str) -> float:
    """Return the median CPU milliseconds of this process alone, so that a busy machine does not count."""
    taken = []
    for _time in range(TIMES):
        began = time.process_time()
        assert client.get(path, headers=headers).status_code == 200
        taken.append(time.process_time() - began)
    return 1000 * sorted(taken)[TIMES // 2]


def time_step(client: Client, url: str) -> float:
    return time_page(client, f"{url}?at=600", **{"HX-Request": "true"})


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="ten-thousand-") as folder:
        os.environ.update(DATA_DIR=folder, DJANGO_SETTINGS_MODULE="config.settings", DATABASE_URL="")
        import django

        django.setup()
        main()
        from django.db import connections

        connections.close_all()
