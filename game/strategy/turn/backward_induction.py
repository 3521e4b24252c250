"""Backward induction over the points of a shot: from many points down to none.

The value array (rows x columns of the graph x batch, C order) holds the values of arriving: what it is worth to stand
at a position with the right to bank, where there is one, or to throw. The entries of the batch are questions that are
answered side by side.
"""

from collections.abc import Callable

import numpy as np

from game.strategy.turn.graph import Floats, Graph, Indices, Layer

# From so many questions on, in all rows together, it is faster to compare choice by choice than throw by throw.
BY_CHOICE_FROM = 12

# Given rows, columns (n) and the values of throwing there (rows x n x batch), return the values of arriving.
Arrive = Callable[[slice, Indices, Floats], Floats]


def solve_backward(graph: Graph, values: Floats, top: int, bust: Floats, arrive: Arrive) -> None:
    """Fill the rows from `top` - 1 down to 0; those from `top` to `top` + `graph.reach` must be filled already.

    `bust` (batch): the value of a bust. `arrive` turns values of throwing into values of arriving.
    """
    flat = _flatten(values)
    losses = [layer.bust[:, None] * bust for layer in graph.layers]
    for high in range(top, 0, -graph.step):
        rows = slice(max(high - graph.step, 0), high)
        begins = np.arange(rows.start, rows.stop, dtype=np.intp) * graph.width
        for layer, loss in zip(graph.layers, losses, strict=True):
            thrown = layer.weights @ _best_choices(layer, flat, begins) + loss
            values[rows, layer.columns] = arrive(rows, layer.columns, thrown)


def throw_values(layer: Layer, values: Floats, rows: Indices, bust: Floats) -> Floats:
    """Compute the values of throwing in these rows (rows x positions of the layer x batch) from the rows above."""
    begins = rows * values.shape[1]
    thrown: Floats = layer.weights @ _best_choices(layer, _flatten(values), begins) + layer.bust[:, None] * bust
    return thrown


def _flatten(values: Floats) -> Floats:
    return values.reshape(-1, values.shape[2])


def _best_choices(layer: Layer, flat: Floats, begins: Indices) -> Floats:
    """Return the value of the best choice of every class (rows x classes x batch), in rows that begin at `begins`."""
    if len(begins) == 1 and flat.shape[1] < BY_CHOICE_FROM:
        only: Floats = flat[begins[0] :].take(layer.choices, axis=0).max(axis=0)[None]
        return only
    if len(begins) * flat.shape[1] < BY_CHOICE_FROM:
        few: Floats = flat.take(begins[:, None, None] + layer.choices, axis=0).max(axis=1)
        return few
    best = flat.take(begins[:, None] + layer.ranks[0], axis=0)
    for choices in layer.ranks[1:]:
        part = best[:, : len(choices)]
        np.maximum(part, flat.take(begins[:, None] + choices, axis=0), out=part)
    return best
