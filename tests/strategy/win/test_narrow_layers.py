"""Turns in which nearly everything is banked at high points, valued by comparing fewer choices."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from game.rules import preset
from game.strategy.turn.backward_induction import solve_rows
from game.strategy.turn.graph import Graph, build_graph

SHOTS, ROWS = 7, 150


Values = NDArray[Any]


def draw_shots(graph: Graph, kind: type[float] | type[np.float32] = float) -> tuple[Values, Values, Values]:
    """Draw the values of busts and banks, and an array of values that are known in its last rows only."""
    random = np.random.default_rng(7)
    rises = random.exponential(size=(ROWS + graph.reach + 1, 1, SHOTS)) ** 4
    rises[ROWS - 30 :] = 0.0  # so that a bank is the best in the last rows
    bank = np.cumsum(rises, axis=0) / rises.sum(axis=0)
    bank[:9, :, 1::2] = -1.0
    banked = bank + np.where(graph.bankable, 0.0, -2.0)[:, None]
    bust, values = random.uniform(0.0, 0.2, SHOTS), banked.copy()
    values[:, graph.win :] = 1.0
    values[ROWS:, np.flatnonzero(~graph.bankable[: graph.win])] = 0.9
    return bust.astype(kind), banked.astype(kind), values.astype(kind)


@pytest.mark.parametrize("slug", ["farkle", "classic", "greed"])
def test_values_are_the_same_as_when_all_choices_are_compared(slug: str) -> None:
    graph = build_graph(preset(slug))
    bust, banked, every = draw_shots(graph)
    few = every.copy()
    solve_rows(graph, every, ROWS, bust, banked)
    solve_rows(graph, few, ROWS, bust, banked, narrows=True)
    assert np.abs(few - every).max() < 1e-12


@pytest.mark.parametrize("narrows", [False, True])
@pytest.mark.parametrize("slug", ["farkle", "classic", "greed"])
def test_four_byte_floats_are_hardly_off(slug: str, narrows: bool) -> None:
    graph = build_graph(preset(slug))
    bust, banked, exact = draw_shots(graph)
    solve_rows(graph, exact, ROWS, bust, banked)
    bust, banked, rounded = draw_shots(graph, np.float32)
    solve_rows(graph, rounded, ROWS, bust, banked, narrows=narrows)
    assert rounded.dtype == np.float32
    assert np.abs(rounded - exact).max() < 5e-7
