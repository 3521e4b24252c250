"""Shots are solved on two cores: in this process and, while a table is being solved, in a partner process.

Threads would not help, because a shot takes thousands of short steps, and Python runs one of them at a time.
"""

from __future__ import annotations

import mmap
import os
import signal
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

from game.strategy.arrays import Floats, Indices, np
from game.strategy.turn.graph import LAYER_MOST, Graph

# This many shots are valued side by side while a table is solved.
SHOTS_PER_BATCH = 48
# This many are, if they begin at about the same score and have few positions.
LIKE_SHOTS_PER_BATCH = 192
# This many or more are divided between the processes, even if one batch could hold them all.
SHOTS_WORTH_SHARING = 12
# The partner has up to this many batches at a time, so that it need not wait for the next one.
BATCHES_AHEAD = 2
# A batch takes much less than a second. But a fork copies locks that other threads hold, so a partner might wait for
# one for ever.
PATIENCE_SECONDS = 60

# Given batches, each the arguments of a function, return the function's result for each.
SolveBatches = Callable[[Sequence[tuple[Any, ...]]], list[Floats]]


def shots_of_batch(graph: Graph) -> int:
    """Return how many shots that begin at about the same score are valued side by side."""
    return LIKE_SHOTS_PER_BATCH if len(graph.positions) <= LAYER_MOST else SHOTS_PER_BATCH


def split_batches(places: Indices, most: int = SHOTS_PER_BATCH) -> list[Indices]:
    """Split places into batches of at most this many, all about as long; with a partner, into an even number."""
    count = -(-len(places) // most)
    if count % 2 and len(places) >= SHOTS_WORTH_SHARING and has_cores():
        count += 1
    return np.array_split(places, count) if count else []


def share_values(shape: tuple[int, ...], dtype: type[np.floating[Any]], value: float) -> Any:
    """Return an array filled with this value, in memory that a partner shares: it sees what is written later."""
    size = int(np.prod(shape))
    shared = np.frombuffer(mmap.mmap(-1, max(size, 1) * np.dtype(dtype).itemsize), dtype, size).reshape(shape)
    shared[...] = value
    return shared


@contextmanager
def find_partner(solve: Callable[..., Floats], *, worthwhile: bool = True) -> Iterator[SolveBatches]:
    """Yield a function that solves batches: on two cores if there are two and it is `worthwhile`, else on one.

    The partner is forked here. Of later changes it sees only its batches and the arrays of `share_values`, and it
    writes only to those arrays. If it ends too early or does not answer, this process goes on alone.
    """
    line, number = fork_partner(solve) if worthwhile and has_cores() else (None, 0)
    helps = line is not None

    def solve_batches(batches: Sequence[tuple[Any, ...]]) -> list[Floats]:
        nonlocal helps
        values: dict[int, Floats] = {}
        waiting, theirs = list(range(len(batches)))[::-1], list[int]()
        while waiting or theirs:
            try:
                while line and helps and len(waiting) > 1 and len(theirs) < BATCHES_AHEAD:
                    line.send(batches[waiting[-1]])
                    theirs.append(waiting.pop())
                while line and theirs and (not waiting or line.poll()):
                    if not line.poll(PATIENCE_SECONDS):
                        raise TimeoutError
                    values[theirs[0]] = line.recv()
                    theirs.pop(0)
            except (EOFError, OSError):
                helps, waiting, theirs = False, waiting + theirs, []
            if waiting:
                mine = waiting.pop()
                values[mine] = solve(*batches[mine])
        return [values[place] for place in range(len(batches))]

    try:
        yield solve_batches
    finally:
        if line:
            line.close()
            os.kill(number, signal.SIGKILL)  # it has nothing to save
            os.waitpid(number, 0)


def has_cores() -> bool:
    """Return whether a partner would have a core to itself."""
    return hasattr(os, "fork") and hasattr(os, "sched_getaffinity") and len(os.sched_getaffinity(0)) > 1


def fork_partner(solve: Callable[..., Floats]) -> tuple[Connection[Any, Any], int]:
    """Fork a process that solves what comes down a pipe until that is closed. Return our end of the pipe and its id."""
    ours, theirs = Pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # about forking beside threads, from Python 3.12 on
        number = os.fork()
    if number:
        theirs.close()
        return ours, number
    try:
        ours.close()
        with suppress(EOFError):
            while True:
                theirs.send(solve(*theirs.recv()))
    finally:  # without any cleaning up: the first process has to close the files and connections that both share
        os._exit(0)
