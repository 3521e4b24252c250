"""How long tests wait: a busy machine is no reason to fail, so they wait far longer than anything should take."""

import time
from collections.abc import Callable

SECONDS = 60  # what has not come by then does not come at all


def wait_until(happened: Callable[[], bool], complaint: str) -> None:
    """Wait until something has happened; fail with this complaint if it does not."""
    end = time.monotonic() + SECONDS
    while not happened():
        assert time.monotonic() < end, complaint
        time.sleep(0.02)
