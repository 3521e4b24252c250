"""Loads the values by which decisions are rated: a win table takes seconds, expected points less than one.

On the running site a single thread does it, one ruleset after the other, so that no player waits.
"""

import logging
from contextlib import suppress
from functools import cache
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Literal

from game.rules import Ruleset, State, keeps
from game.strategy.turn import solve_shot_points
from game.strategy.win import RatedOption, make_rough_table, prepare_table, rate_state, rate_with_chances

LOG = logging.getLogger(__name__)

Readiness = Literal["not yet", "points", "all"]

# This many rulesets with their targets are remembered; beyond that the oldest is forgotten, and loaded again if needed.
REMEMBERED = 64
# This many wait at most, since a complex one takes up to 40 s. Others are turned away, and queued when a page asks for
# them again. If the one that has waited longest were dropped instead, a flood would drop each before its turn.
WAITING_MOST = 8

_ready: dict[tuple[Ruleset, int], Readiness] = {}
_waiting: SimpleQueue[tuple[Ruleset, int]] = SimpleQueue()
_lock = Lock()


def preload_ruleset(ruleset: Ruleset, target: int) -> None:
    """Load everything now. If points have no bound, or nothing scores, nothing ever becomes ready."""
    with suppress(ValueError):
        keeps(ruleset, (1,))
        for taken in {True, not ruleset.pick_up}:
            solve_shot_points(ruleset, taken)
        _ready[ruleset, target] = "points"
        if prepare_table(ruleset, target) is None:
            make_rough_table(ruleset, target)
        _ready[ruleset, target] = "all"


def request_readiness(ruleset: Ruleset, target: int) -> Readiness:
    """Return what is ready of a ruleset with this target; the first time, queue it to be loaded, if there is room."""
    with _lock:
        if (ruleset, target) in _ready:
            return _ready[ruleset, target]
        if _waiting.qsize() >= WAITING_MOST:
            return "not yet"
        if len(_ready) >= REMEMBERED:
            _ready.pop(next(iter(_ready)))
        _ready[ruleset, target] = "not yet"
        _waiting.put((ruleset, target))
        _start_worker()
    return "not yet"


@cache
def _start_worker() -> None:
    """Start the thread that loads what is queued."""
    Thread(target=_load_forever, name="strategy", daemon=True).start()


def _load_forever() -> None:
    while True:
        load_next()


def load_next() -> None:
    """Load the ruleset that has been queued longest; while none is queued, wait for one."""
    preload_or_log(*_waiting.get())


def preload_or_log(ruleset: Ruleset, target: int) -> None:
    """Load everything now. If that fails, it is logged, and tried again when a player needs the ruleset."""
    try:
        preload_ruleset(ruleset, target)
    except Exception:  # a broken file, too little memory: the other rulesets must still be loaded
        LOG.exception("%s to %s could not be preloaded.", ruleset.slug, target)


def rate_if_ready(state: State) -> tuple[RatedOption, ...]:
    """Return the rated options, best first, if that takes no time; empty until values are ready.

    They are rated by expected points until the win table is ready, too.
    """
    readiness = request_readiness(state.ruleset, state.target)
    if readiness == "not yet":
        return ()
    return rate_state(state) if readiness == "all" else rate_with_chances(state, None)
