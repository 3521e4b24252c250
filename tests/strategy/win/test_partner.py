"""Turns that two processes solve together."""

import os
import signal

import numpy as np
import pytest

from game.strategy.arrays import Floats
from game.strategy.win import partner
from game.strategy.win.partner import find_partner, share_values, split_batches


@pytest.fixture(autouse=True)
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a partner start whatever the machine has; on a single core, both processes share it."""
    monkeypatch.setattr(partner, "has_cores", lambda: True)


def test_both_processes_solve_and_the_values_come_back_in_order() -> None:
    def solve(number: float) -> Floats:
        return np.array([number, os.getpid()])

    with find_partner(solve) as solve_batches:
        values = np.array(solve_batches([(number,) for number in range(200)]))
    assert values[:, 0].tolist() == list(range(200))
    assert len(set(values[:, 1].tolist())) == 2
    assert os.getpid() in values[:, 1]


def test_the_partner_sees_what_is_written_to_shared_values_later() -> None:
    shared = share_values((3, 2), np.float64, 0.5)

    def solve(row: int) -> Floats:
        values: Floats = shared[row].copy()
        return values

    with find_partner(solve) as solve_batches:
        shared[1:] = 0.25
        values = solve_batches([(row,) for row in (0, 1, 2)])
    assert np.array(values).tolist() == [[0.5, 0.5], [0.25, 0.25], [0.25, 0.25]]


def test_one_process_goes_on_alone_when_the_partner_is_killed() -> None:
    first = os.getpid()

    def solve(number: int) -> Floats:
        if os.getpid() != first:
            os.kill(os.getpid(), signal.SIGKILL)
        return np.array([number])

    with find_partner(solve) as solve_batches:
        for _ in range(2):
            assert np.concatenate(solve_batches([(number,) for number in range(20)])).tolist() == list(range(20))


def test_one_process_goes_on_alone_when_the_partner_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    first = os.getpid()
    monkeypatch.setattr(partner, "PATIENCE_SECONDS", 0.1)

    def solve(number: int) -> Floats:
        if os.getpid() != first:
            signal.pause()
        return np.array([number])

    with find_partner(solve) as solve_batches:
        assert np.concatenate(solve_batches([(number,) for number in range(20)])).tolist() == list(range(20))


def test_the_partner_ends_with_the_work() -> None:
    with find_partner(lambda number: np.array([os.getpid()])) as solve_batches:
        (number,) = {int(values[0]) for values in solve_batches([(n,) for n in range(9)])} - {os.getpid()}
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def test_batches_are_about_equally_long_and_each_process_gets_as_many() -> None:
    assert [len(part) for part in split_batches(np.arange(101))] == [26, 25, 25, 25]
    assert [len(part) for part in split_batches(np.arange(12))] == [6, 6]
    assert [len(part) for part in split_batches(np.arange(11))] == [11]
    assert split_batches(np.arange(0)) == []
