"""Shots in which far up nearly everything is banked, valued with fewer choices."""

import numpy as np
import pytest

from game.rules import preset
from game.strategy.turn.backward_induction import solve_rows
from game.strategy.turn.graph import build_graph

SHOTS, ROWS = 7, 150


@pytest.mark.parametrize("slug", ["farkle", "classic", "greed"])
def test_values_are_the_same_where_all_choices_are_compared(slug: str) -> None:
    graph, random = build_graph(preset(slug)), np.random.default_rng(7)
    rises = random.exponential(size=(ROWS + graph.reach + 1, 1, SHOTS)) ** 4
    rises[ROWS - 30 :] = 0.0  # so that a bank is the best in the last rows
    bank = np.cumsum(rises, axis=0) / rises.sum(axis=0)
    bank[:9, :, 1::2] = -1.0
    banked = bank + np.where(graph.bankable, 0.0, -2.0)[:, None]
    bust, every, few = random.uniform(0.0, 0.2, SHOTS), banked.copy(), banked.copy()
    for values in (every, few):
        values[:, graph.win :] = 1.0
        values[ROWS:, np.flatnonzero(~graph.bankable[: graph.win])] = 0.9
    solve_rows(graph, every, ROWS, bust, banked)
    solve_rows(graph, few, ROWS, bust, banked, narrows=True)
    assert np.abs(few - every).max() < 1e-12
