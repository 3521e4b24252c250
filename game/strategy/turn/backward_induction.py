"""Backward induction over the points of a shot: from many points down to none.

The value array (rows x columns of the graph x batch, C order) holds the values of arriving: what it is worth to stand
at a position with the right to bank, where there is one, or to throw. The entries of the batch are questions that are
answered side by side.
"""

from collections.abc import Callable

import numpy as np

from game.strategy.turn.graph import BEYOND, STRUCK, Floats, Graph, Indices, Layer

# Values that are the same in all rows settle to so much in at most this many rounds.
SETTLE_TOLERANCE, SETTLE_ROUNDS = 1e-14, 400
# From this many questions on, in all rows together, it is faster to compare choice by choice than throw by throw.
BY_CHOICE_FROM = 12
# A single question compares up to so many choices of a layer one by one.
COMPARED_MOST = 4000
# Where rows do not matter, this many are valued at once, for all questions together.
ROWS_AT_ONCE = 1024

# Given rows, columns (n) and the values of throwing there (rows x n x batch), return the values of arriving.
Arrive = Callable[[slice, Indices, Floats], Floats]


def solve_backward(
    graph: Graph, values: Floats, top: int, bust: Floats, arrive: Arrive, over: Floats | None = None
) -> None:
    """Fill the rows from `top` - 1 down to 0; those from `top` to `top` + `graph.reach` must be filled already.

    So must the columns of the ends, in all rows. `bust` (batch, or rows x batch): the value of a bust; `over` (batch):
    that of a shot in which every keep goes beyond an exact target, where it is another one. `arrive` turns values of
    throwing into values of arriving.
    """
    flat = _flatten(values)
    losses = [layer.bust[:, None] * bust for layer in graph.layers] if bust.ndim == 1 else []
    step = max(graph.step, ROWS_AT_ONCE // values.shape[2]) if graph.never_returns else graph.step
    for high in range(top, 0, -step):
        rows = slice(max(high - step, 0), high)
        begins = np.arange(rows.start, rows.stop, dtype=np.intp) * graph.width
        here = bust if losses else bust[rows]
        for number, layer in enumerate(graph.layers):
            loss = losses[number] if losses else layer.bust[:, None] * here[:, None]
            values[rows, layer.columns] = arrive(
                rows, layer.columns, _throw_layer(graph, layer, flat, begins, loss, here, over)
            )


def solve_alone(
    graph: Graph, values: Floats, top: int, bust: float, banked: Floats, thrown: Floats | None = None
) -> None:
    """Do the same for a single question, where `banked` (rows x columns) says what banks are worth; nothing is struck.

    `thrown` is filled with the values of throwing. All arrays are (rows x columns).
    """
    stages = [_Stage(layer, bust) for layer in graph.joined or graph.layers]
    flat = values.reshape(-1)
    for row in range(top - 1, -1, -1):
        ahead = flat[row * graph.width :]
        for stage in stages:
            sums = stage.throw(ahead)
            if thrown is not None:
                thrown[row, stage.columns] = sums
            values[row, stage.columns] = np.maximum(sums, banked[row, stage.columns])


class _Stage:
    """A layer with the arrays that each row of a single question fills anew: no step asks for memory.

    Few choices are compared one by one, many as they merge.
    """

    def __init__(self, layer: Layer, bust: float) -> None:
        columns = layer.columns
        follow = (np.diff(columns) == 1).all()
        self.columns = slice(columns[0], columns[-1] + 1) if follow else columns
        self.layer, self.loss, self.merges = layer, layer.bust * bust, layer.choices.size > COMPARED_MOST
        if not self.merges:
            # Beside the classes of throws stands the bust.
            self.weights = np.column_stack([layer.weights, layer.bust])
            self.offered, self.values = np.empty(layer.choices.shape), np.full(layer.weights.shape[1] + 1, bust)
            self.best, self.thrown = self.values[:-1], np.empty(len(columns))
            return
        self.best = np.empty(layer.weights.shape[1])
        merging = layer.merging
        self.nodes = np.empty(merging.size)
        self.steps: list[tuple[Indices, Floats, Floats, Floats, Floats]] = []
        pairs = np.empty(2 * max(len(left) for left, _ in merging.steps))
        last = len(merging.sources)
        self.first = self.nodes[:last]
        for left, right in merging.steps:
            size = len(left)
            goal = self.nodes[last : last + size]
            self.steps.append((np.append(left, right), pairs[: 2 * size], pairs[:size], pairs[size : 2 * size], goal))
            last += size

    def throw(self, ahead: Floats) -> Floats:
        """Return the values of throwing (positions); `ahead`: all values from this row on, one after the other."""
        if not self.layer.ranks:
            return self.loss
        if not self.merges:
            ahead.take(self.layer.choices, out=self.offered, mode="clip")
            np.maximum.reduce(self.offered, axis=0, out=self.best)
            return np.dot(self.weights, self.values, out=self.thrown)
        ahead.take(self.layer.merging.sources, out=self.first, mode="clip")
        for both, pair, left, right, goal in self.steps:
            self.nodes.take(both, out=pair, mode="clip")
            np.maximum(left, right, out=goal)
        best, sums, thrown = self.best, self.layer.sums, self.loss.copy()
        self.nodes.take(sums.nodes, out=best, mode="clip")
        np.multiply(best, sums.weights, out=best)
        thrown[sums.places] += np.add.reduceat(best, sums.begins)
        return thrown


def settle_values(graph: Graph, banked: Floats, bust: Floats) -> tuple[Floats, Floats]:
    """Compute values that repeat from period to period (rows of a period x columns x batch), of arriving and throwing.

    `banked` (as the values): what a bank is worth, below 0 where there is none, and what the ends are worth; `bust`
    (batch).
    """
    arriving, thrown = np.maximum(banked, 0.0), banked.copy()
    losses = [layer.bust[:, None] * bust for layer in graph.layers]
    begins, flat = np.zeros(1, dtype=np.intp), _flatten(arriving)
    for _ in range(SETTLE_ROUNDS):
        before = arriving.copy()
        for row, layers in enumerate(graph.folded):
            for layer, loss in zip(layers, losses, strict=True):
                columns = layer.columns
                thrown[row, columns] = _throw_layer(graph, layer, flat, begins, loss, bust, None)[0]
                arriving[row, columns] = np.maximum(thrown[row, columns], banked[row, columns])
        if np.abs(arriving - before).max() < SETTLE_TOLERANCE:
            break
    return arriving, thrown


def throw_values(
    graph: Graph, layer: Layer, values: Floats, rows: Indices, bust: Floats, over: Floats | None = None
) -> Floats:
    """Compute the values of throwing in these rows (rows x positions of the layer x batch) from the rows above.

    `bust`: (batch), or these rows x batch.
    """
    loss = layer.bust[:, None] * (bust if bust.ndim == 1 else bust[:, None])
    return _throw_layer(graph, layer, _flatten(values), rows * values.shape[1], loss, bust, over)


def struck_chance(layer: Layer, values: Floats, row: int) -> Floats:
    """Compute the chance that every keep of a throw in this row is struck (positions of the layer x batch)."""
    begins = np.array([row * values.shape[1]], dtype=np.intp)
    struck = _best_choices(layer, _flatten(values), begins)[0] < STRUCK / 2
    if layer.retries.any():
        struck &= layer.retries[:, None] < 0
    chances: Floats = layer.weights @ struck
    return chances


def _throw_layer(
    graph: Graph, layer: Layer, flat: Floats, begins: Indices, loss: Floats, bust: Floats, over: Floats | None
) -> Floats:
    if layer.is_spent:
        return np.full((len(begins), len(layer.columns), flat.shape[1]), STRUCK)
    if not layer.ranks:
        return np.broadcast_to(loss, (len(begins), *loss.shape[-2:]))
    if len(begins) == 1 and flat.shape[1] >= BY_CHOICE_FROM and not layer.retries.any():
        weights, best = layer.node_weights, layer.merging.merge_values(flat, int(begins[0]))[None]
    else:
        weights, best = layer.weights, _best_choices(layer, flat, begins)
    if graph.strikes:
        instead = bust if bust.ndim == 1 else bust[:, None]
        beyond = instead if over is None else over
        instead = np.where(best < (STRUCK + BEYOND) / 2, beyond, instead)
        if layer.retries.any():
            again = flat.take(begins[:, None] + np.maximum(layer.retries, 0), axis=0)
            instead = np.where(layer.retries[:, None] < 0, instead, again)
        best = np.where(best > STRUCK / 2, best, instead)
    thrown: Floats = weights @ best + loss
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
