"""What an undo costs in a short and in a long game: `python tests/benchmarks/undo.py` prints the times and their ratio.

The two games are undone alternately in one process, so that both meet the same load on the machine.
"""

from __future__ import annotations

import os
import secrets
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cast import Device

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
SHORT, LONG = 12, 2_000
UNDOS = 15
RATIO_MOST = 1.3


def main() -> None:
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    from tests.cast import IN, Device, bank, open_turn, throw

    device = Device()
    first = [bank(seat, 1000, IN) for seat in (0, 1)]

    def play(turns: int) -> str:
        rest = [bank(turn % 2, 50, throw("223456", "5")) for turn in range(turns - 2)]
        return device.game(*first, *rest, open_turn(turns % 2, throw("111346")), target=100_000).code

    games = {turns: play(turns) for turns in (SHORT, LONG)}
    times: dict[int, list[float]] = {turns: [] for turns in games}
    for _ in range(UNDOS):
        for turns, code in games.items():
            times[turns].append(undo_running_turn(device, code))
    for turns, took in times.items():
        print(f"undo of the running turn after {turns:>5} turns {1000 * statistics.median(took):>9.1f} ms")
    ratio = statistics.median(times[LONG]) / statistics.median(times[SHORT])
    print(f"ratio {ratio:.2f}, at most {RATIO_MOST} asked for")


def undo_running_turn(device: Device, code: str) -> float:
    """Undo the running turn, and throw its first dice again for the next time; return the CPU seconds of the undo."""
    from game import services
    from game.models import Game

    def command() -> services.Command:
        version = Game.objects.get(code=code).version
        return services.Command(device.browser.visitor(), secrets.token_urlsafe(16), version, "")

    undo = command()
    began = time.process_time()
    services.undo_turn(code, undo)
    took = time.process_time() - began
    services.throw_dice(code, command(), ())
    return took


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="ten-thousand-") as folder:
        os.environ |= {"DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
        import django

        django.setup()
        main()
