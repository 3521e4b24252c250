"""Part of the site that `streams.py` measures: notes when each version was written, by the clock of all processes."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from django.apps import AppConfig

if TYPE_CHECKING:  # models cannot be loaded yet
    from game.live.live_snapshot import LiveSnapshot


class Stamps(AppConfig):
    name = "tests.benchmarks.stamps"
    label = "stamps"

    def ready(self) -> None:
        from game.live.hub import Hub

        notify = Hub.notify
        file = os.open(os.environ["STAMPS"], os.O_WRONLY | os.O_APPEND)

        def stamped(hub: Hub, code: str, snapshot: LiveSnapshot) -> None:
            os.write(file, f"{code} {snapshot.version} {time.monotonic_ns()}\n".encode())
            notify(hub, code, snapshot)

        setattr(Hub, "notify", stamped)  # noqa: B010
