"""Valuing the positions of a shot from many points down to none.

A plane holds the values of arriving (rows x columns of the graph x lanes): what it is worth to stand there with the
right to bank, where there is one, or to throw. Lanes are questions that are answered side by side.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from game.strategy.turn.graph import Floats, Graph, Level, Places

# From so many lanes on it is faster to compare choice by choice than throw by throw.
MANY_LANES = 12

# Given rows (b), columns (n) and what throwing is worth there (b x n x lanes), what arriving is worth.
Arrive = Callable[[Places, Places, Floats], Floats]


def descend(graph: Graph, plane: Floats, top: int, low: int, bust: Floats, arrive: Arrive) -> None:
    """Fill the rows from `top` - 1 down to `low`; those from `top` to `top` + `graph.reach` must be there.

    `bust` (lanes): what a bust is worth. The shape of `plane` is rows x columns x lanes, in C order.
    """
    for high in range(top, low, -graph.step):
        rows = np.arange(max(high - graph.step, low), high, dtype=np.intp)
        for level in graph.levels:
            thrown = throw_values(level, plane, rows, bust)
            plane[rows[:, None], level.columns] = arrive(rows, level.columns, thrown)


def throw_values(level: Level, plane: Floats, rows: Places, bust: Floats) -> Floats:
    """What throwing is worth in these rows (rows x positions of the level x lanes), by the rows above."""
    _, width, lanes = plane.shape
    flat = plane.reshape(-1, lanes)
    base = rows * width
    if lanes < MANY_LANES:
        best = np.maximum.reduceat(flat.take(base[:, None] + level.flat, axis=0), level.starts, axis=1)
    else:
        best = flat.take(base[:, None] + level.ranks[0], axis=0)
        for places in level.ranks[1:]:
            part = best[:, : len(places)]
            np.maximum(part, flat.take(base[:, None] + places, axis=0), out=part)
    value: Floats = level.weights @ best + level.bust[:, None] * bust
    return value
