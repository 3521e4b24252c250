"""Valuing the positions of a shot from many points down to none.

A plane holds the values of arriving (rows x columns of the graph x lanes): what it is worth to stand there with the
right to bank, where there is one, or to throw. Lanes are questions that are answered side by side.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from game.strategy.turn.graph import Floats, Graph, Level, Places

# From so many questions on, in all rows together, it is faster to compare choice by choice than throw by throw.
MANY = 12

# Given rows, columns (n) and what throwing is worth there (rows x n x lanes), what arriving is worth.
Arrive = Callable[[slice, Places, Floats], Floats]


def descend(graph: Graph, plane: Floats, top: int, low: int, bust: Floats, arrive: Arrive) -> None:
    """Fill the rows from `top` - 1 down to `low`; those from `top` to `top` + `graph.reach` must be there.

    `bust` (lanes): what a bust is worth. The shape of `plane` is rows x columns x lanes, in C order.
    """
    flat = _flat(plane)
    lost = [level.bust[:, None] * bust for level in graph.levels]
    for high in range(top, low, -graph.step):
        rows = slice(max(high - graph.step, low), high)
        base = np.arange(rows.start, rows.stop, dtype=np.intp) * graph.width
        for level, loss in zip(graph.levels, lost, strict=True):
            thrown = level.weights @ _best(level, flat, base) + loss
            plane[rows, level.columns] = arrive(rows, level.columns, thrown)


def throw_values(level: Level, plane: Floats, rows: Places, bust: Floats) -> Floats:
    """What throwing is worth in these rows (rows x positions of the level x lanes), by the rows above."""
    value: Floats = level.weights @ _best(level, _flat(plane), rows * plane.shape[1]) + level.bust[:, None] * bust
    return value


def _flat(plane: Floats) -> Floats:
    return plane.reshape(-1, plane.shape[2])


def _best(level: Level, flat: Floats, base: Places) -> Floats:
    """What the best choice of every class is worth (rows x classes x lanes), in rows that begin at these places."""
    if len(base) == 1 and flat.shape[1] < MANY:
        only: Floats = flat[base[0] :].take(level.choices, axis=0).max(axis=0)[None]
        return only
    if len(base) * flat.shape[1] < MANY:
        few: Floats = flat.take(base[:, None, None] + level.choices, axis=0).max(axis=1)
        return few
    best = flat.take(base[:, None] + level.ranks[0], axis=0)
    for places in level.ranks[1:]:
        part = best[:, : len(places)]
        np.maximum(part, flat.take(base[:, None] + places, axis=0), out=part)
    return best
