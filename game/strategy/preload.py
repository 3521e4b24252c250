"""What a choice is rated with, made ready beside the running site: a table takes seconds to load, values a part of one.

One thread does it, one ruleset after the other, so that nobody who plays waits for it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from contextlib import suppress
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Literal

from game.rules import Ruleset, State, keeps
from game.strategy.turn import solve_shot_points
from game.strategy.win import RatedOption, load_shipped_table, rate_options, rate_state
from game.strategy.win.state import find_decision_point, make_score_situation

LOG = logging.getLogger(__name__)

Readiness = Literal["not yet", "points", "all"]
Played = tuple[Ruleset, int]

# So many rulesets with their targets are remembered; of those that come after them, some are made ready again.
REMEMBERED = 64

_ready: dict[Played, Readiness] = {}
_waiting: SimpleQueue[Played] = SimpleQueue()
_lock = Lock()
_thread: Thread | None = None


def preload_ruleset(ruleset: Ruleset, target: int) -> None:
    """Make everything ready now. Under rules by which points have no bound, or nothing scores, nothing ever is."""
    with suppress(ValueError):
        keeps(ruleset, (1,))
        for taken in {True, not ruleset.pick_up}:
            solve_shot_points(ruleset, taken)
        _ready[ruleset, target] = "points"
        load_shipped_table(ruleset, target)
        _ready[ruleset, target] = "all"


def request_readiness(ruleset: Ruleset, target: int) -> Readiness:
    """What is ready of a ruleset; what is not will be soon."""
    with _lock:
        if (ruleset, target) in _ready:
            return _ready[ruleset, target]
        if len(_ready) >= REMEMBERED:
            _ready.pop(next(iter(_ready)))
        _ready[ruleset, target] = "not yet"
        _start()
    _waiting.put((ruleset, target))
    return "not yet"


def queue_rulesets(rulesets: Iterable[Ruleset]) -> None:
    """Begin with these before anybody asks."""
    for ruleset in rulesets:
        request_readiness(ruleset, ruleset.target)


def _start() -> None:
    global _thread
    if _thread is None:
        _thread = Thread(target=_work, name="strategy", daemon=True)
        _thread.start()


def _work() -> None:
    while True:
        ruleset, target = _waiting.get()
        try:
            preload_ruleset(ruleset, target)
        except Exception:  # a broken file, too little memory: the rulesets that wait must not go without for it
            LOG.exception("%s to %s could not be made ready.", ruleset.slug, target)


def rate_if_ready(state: State) -> tuple[RatedOption, ...]:
    """Every way to keep, best first, if it can be told at once: by points until the table is there, before it none."""
    spot = find_decision_point(state)
    now = request_readiness(state.ruleset, state.target)
    if spot is None or now == "not yet":
        return ()
    if now == "all":
        return rate_state(state)
    return rate_options(state.ruleset, spot, make_score_situation(state), None)
