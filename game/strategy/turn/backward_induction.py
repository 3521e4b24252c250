"""Backward induction over the points of a shot: from many points down to none.

The value array (rows x columns of the graph x batch, C order) holds the values of arriving: what it is worth to be at a
position where the shot may be thrown on or, if the rules allow it, banked. The entries of a batch are questions (kinds
of player, pairs of scores) that are answered side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from threading import get_ident
from typing import Any

from game.strategy.arrays import Flags, Floats, Indices, np
from game.strategy.turn.graph import BEYOND, STRUCK, Graph, Layer, narrow_layers

# Values that are the same in all rows settle to within this much in at most this many rounds.
SETTLE_TOLERANCE, SETTLE_ROUNDS = 1e-14, 400
# With this many questions or more, in all rows together, comparing choice by choice is faster than throw by throw.
BY_CHOICE_FROM = 12
# If a layer has at most this many choices, counted for all questions together, they are compared one by one.
COMPARED_MOST = 4000
# After this many rows, check again which numbers of dice are no longer always banked.
ROWS_CHECKED = 8
# Sums of four-byte numbers are made in this many parts, which leaves a tenth of the error.
PARTS_OF_SUMS = 8
# Where rows do not depend on each other, this many are valued at once, counted for all questions together.
ROWS_AT_ONCE = 1024

# Given rows, columns (n) and the values of throwing there (rows x n x batch), return the values of arriving.
Arrive = Callable[[slice, Indices | slice, Floats], Floats]


def solve_backward(graph: Graph, values: Floats, top: int, bust: Floats, arrive: Arrive, over: Floats | None) -> None:
    """Fill the rows of `values` from `top` - 1 down to 0.

    The rows from `top` to `top` + `graph.reach` must be filled already, and so must the columns of the ends, in all
    rows. `bust` (batch, or rows x batch): the value of a bust. `over` (batch): the value of a shot in which every keep
    goes beyond an exact target, None where it is that of a bust. `arrive` turns values of throwing into values of
    arriving.
    """
    flat = _flatten(values)
    losses = [layer.bust[:, None] * bust for layer in graph.layers] if bust.ndim == 1 else []
    columns = [_slice_of(layer.columns) for layer in graph.layers]
    step = find_rows_at_once(graph, values.shape[2])
    for high in range(top, 0, -step):
        rows = slice(max(high - step, 0), high)
        begins = np.arange(rows.start, rows.stop, dtype=np.intp) * graph.width
        here = bust if losses else bust[rows]
        for number, layer in enumerate(graph.layers):
            loss = losses[number] if losses else layer.bust[:, None] * here[:, None]
            thrown = _throw_layer(graph, layer, flat, begins, loss, here, over)
            values[rows, columns[number]] = arrive(rows, columns[number], thrown)


def find_rows_at_once(graph: Graph, batch: int) -> int:
    """Return how many rows `solve_backward` values together, for this many questions."""
    return max(graph.step, ROWS_AT_ONCE // batch) if graph.never_returns else graph.step


def _slice_of(columns: Indices) -> Indices | slice:
    """Return the columns as a slice if they are consecutive, because a slice is read and written without a copy."""
    follow = (np.diff(columns) == 1).all()
    return slice(int(columns[0]), int(columns[-1]) + 1) if follow else columns


def solve_rows(
    graph: Graph,
    values: Floats,
    top: int,
    bust: Floats | float,
    banked: Floats,
    *,
    over: Floats | float | None = None,
    above: Flags | None = None,
    thrown: Floats | None = None,
    narrows: bool = False,
) -> None:
    """Fill the same rows as `solve_backward`, one by one; for graphs without retries.

    `banked` (shape of the values): what banks are worth. `above` (rows x columns): which positions are beyond an exact
    target. `thrown` (shape of the values) is filled with the values of throwing. With several questions all arrays have
    the batch as their last axis, with a single one they have none. `narrows`: whether a bank is worth the same in all
    columns, and more points are never worse.
    """
    left = np.array([position.left for position in graph.positions])
    # With many points, banking is best for nearly all numbers of dice. A number of dice becomes open, and stays so, at
    # the first row on the way down at which throwing is better.
    is_open = ~graph.bankable[: graph.win] if narrows else np.ones(graph.win, dtype=bool)

    def begin_stages() -> list[_Stage]:
        open_dice = None if is_open.all() else frozenset(left[is_open].tolist())
        kind = np.shape(bust), np.dtype(values.dtype)
        stages = _keep_stages(graph, open_dice, *kind, get_ident()) if narrows else _lay_out(graph, open_dice, *kind)
        for stage in stages:
            stage.begin(bust)
        return stages

    stages, flat, width = begin_stages(), values.reshape(-1, *values.shape[2:]), graph.width
    high = top
    while high:
        low = 0 if is_open.all() else max(high - ROWS_CHECKED, 0)
        for row in range(high - 1, low - 1, -1):
            ahead = flat[row * width :]
            for stage in stages:
                columns = stage.columns
                sums = stage.throw(ahead, graph.strikes, over)
                if thrown is not None:
                    thrown[row, columns] = sums
                arriving = np.maximum(sums, banked[row, columns])
                if above is not None:
                    arriving[above[row, columns]] = BEYOND
                values[row, columns] = arriving
        high, rows = low, slice(low, high)
        if not is_open.all():
            goes_on: Flags = np.any(values[rows, : graph.win] > banked[rows, : graph.win], axis=-1)
            if (opening := np.flatnonzero((goes_on & ~is_open).any(axis=-1))).size:
                high = low + int(opening[-1]) + 1
                is_open |= (left[:, None] == left[goes_on[opening[-1]]]).any(axis=1)
                stages = begin_stages()


class _Stage:
    """A layer with arrays that every row reuses, so that no step allocates memory.

    Few choices are compared one by one, many by the plan of their `Merging`.
    """

    def __init__(self, layer: Layer, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self.columns = _slice_of(layer.columns)
        empty = partial(np.empty, dtype=dtype)
        self.layer, self.bust, self.thrown = layer, empty(shape), empty((len(layer.columns), *shape))
        self.merges = layer.choices.size * self.bust.size > COMPARED_MOST
        self.alone = self.merges and not shape
        classes = layer.weights.shape[1]
        self.offered = empty((*layer.choices.shape, *shape) if not self.merges else 0)
        # The bust comes last, after the classes of throws or the nodes of their merging.
        weights = layer.node_weights if self.merges else layer.weights
        last, self.loss = weights.shape[1], empty((len(layer.bust), *shape))
        self.weights = weights if self.alone else np.column_stack([weights, layer.bust])
        # Four-byte numbers are added a few at a time, because each addition rounds in proportion to the sum so far.
        parts = PARTS_OF_SUMS if dtype != self.weights.dtype and shape else 1
        self.values = np.zeros((-(-(last + 1) // parts) * parts, *shape), dtype=dtype)
        self.best, self.bust_value = self.values[:last], self.values[last : last + 1]
        if parts > 1:
            padded = np.pad(_round_weights(self.weights, dtype), ((0, 0), (0, len(self.values) - last - 1)))
            self.weights = padded.reshape(len(layer.bust), parts, -1).swapaxes(0, 1).copy()
            self.values_in_parts = self.values.reshape(parts, -1, *shape)
            self.sums_of_parts = empty((parts, *self.thrown.shape))
        self.of_class = empty(classes if self.alone else 0)
        self.steps = list(self._lay_out_steps()) if self.merges else []

    def begin(self, bust: Floats | float) -> None:
        """Set the value of a bust for all rows that follow."""
        self.bust[...], self.bust_value[...] = bust, bust
        self.loss[...] = np.multiply.outer(self.layer.bust, bust)

    def _lay_out_steps(self) -> Iterator[tuple[Indices, Floats, Floats, Floats, Floats]]:
        merging = self.layer.merging
        most = 2 * max((len(left) for left, _ in merging.steps), default=0)
        pairs = np.empty((most, *self.bust.shape), dtype=self.bust.dtype)
        last = len(merging.sources)
        for left, right in merging.steps:
            size = len(left)
            goal = self.best[last : last + size]
            yield np.append(left, right), pairs[: 2 * size], pairs[:size], pairs[size : 2 * size], goal
            last += size

    def throw(self, ahead: Floats, strikes: bool, over: Floats | float | None) -> Floats:
        """Return the values of throwing (positions, or positions x batch), which the next call overwrites.

        `ahead`: the flattened values from this row on. `strikes`: whether some of them may be struck. `over`: as in
        `solve_backward`.
        """
        if self.layer.is_spent:
            self.thrown[:] = STRUCK
            return self.thrown
        if not self.layer.ranks:
            return self.loss
        if self.merges:
            sources = self.layer.merging.sources
            ahead.take(sources, axis=0, out=self.best[: len(sources)], mode="clip")
            for both, pair, left, right, goal in self.steps:
                self.best.take(both, axis=0, out=pair, mode="clip")
                np.maximum(left, right, out=goal)
        else:
            ahead.take(self.layer.choices, axis=0, out=self.offered, mode="clip")
            np.maximum.reduce(self.offered, axis=0, out=self.best)
        if strikes:  # what is struck becomes a bust or, beyond the target, `over` if that is given
            if over is not None:
                np.copyto(self.best, over, where=self.best < (STRUCK + BEYOND) / 2)
            np.copyto(self.best, self.bust, where=self.best < STRUCK / 2)
        if self.alone:
            return self._sum_up()
        if self.weights.ndim == 2:
            return np.dot(self.weights, self.values, out=self.thrown)
        np.matmul(self.weights, self.values_in_parts, out=self.sums_of_parts)
        return np.add.reduce(self.sums_of_parts, axis=0, out=self.thrown)

    def _sum_up(self) -> Floats:
        """Return the values of throwing for a single question, where each class belongs to one position.

        There may be hundreds of positions.
        """
        (nodes, weights, begins, places), thrown = self.layer.sums, self.loss.copy()
        self.best.take(nodes, out=self.of_class, mode="clip")
        np.multiply(self.of_class, weights, out=self.of_class)
        thrown[places] += np.add.reduceat(self.of_class, begins)
        return thrown


def _round_weights(weights: Floats, dtype: np.dtype[Any]) -> Floats:
    """Return the weights as numbers of this kind, keeping the sums of rows, because rounding errors would add up."""
    rounded, rows = weights.astype(dtype), np.arange(len(weights))
    rounded[rows, rounded.argmax(axis=1)] += weights.sum(axis=1) - rounded.sum(axis=1, dtype=float)
    return rounded


def _lay_out(
    graph: Graph, open_dice: frozenset[int] | None, shape: tuple[int, ...], dtype: np.dtype[Any]
) -> list[_Stage]:
    """Return the stages for questions of this shape. `open_dice`: as in `narrow_layers`, None if all dice are open."""
    full = graph.layers if shape or not graph.joined else graph.joined
    return [_Stage(layer, shape, dtype) for layer in (full if open_dice is None else narrow_layers(graph, open_dice))]


@lru_cache(maxsize=32)
def _keep_stages(
    graph: Graph, open_dice: frozenset[int] | None, shape: tuple[int, ...], dtype: np.dtype[Any], _thread: int
) -> list[_Stage]:
    """Return the same stages, cached for this thread alone, because solving reuses and overwrites their arrays."""
    return _lay_out(graph, open_dice, shape, dtype)


def settle_values(graph: Graph, banked: Floats, bust: Floats) -> tuple[Floats, Floats]:
    """Compute values that repeat after every period: of arriving and of throwing (rows of a period x columns x batch).

    `banked` (same shape): what a bank is worth, below 0 where none is allowed, and what the ends are worth. `bust`
    (batch): the value of a bust.
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

    `bust` (batch, or these rows x batch): the value of a bust. `over`: as in `solve_backward`.
    """
    loss = layer.bust[:, None] * (bust if bust.ndim == 1 else bust[:, None])
    return _throw_layer(graph, layer, _flatten(values), rows * values.shape[1], loss, bust, over)


def struck_chance(layer: Layer, values: Floats, row: int, place: int, question: int) -> tuple[float, int]:
    """Compute the chance, 0 to 1, that every keep of a throw in this row is struck, at this place of the layer.

    `question`: an index of the batch. Also returns the column of the try that then follows, -1 if none does.
    """
    weights = layer.weights[place]
    if not layer.ranks:
        return 0.0, -1
    begins = np.array([row * values.shape[1]], dtype=np.intp)
    struck = _best_choices(layer, _flatten(values), begins)[0][:, question] < STRUCK / 2
    retry = int(layer.retries[weights.argmax()]) if layer.retries.size else -1
    return float(weights @ struck), retry


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
    return weights @ best + loss


def _flatten(values: Floats) -> Floats:
    return values.reshape(-1, values.shape[2])


def _best_choices(layer: Layer, flat: Floats, begins: Indices) -> Floats:
    """Return the value of the best choice of every class (rows x classes x batch).

    `begins`: where the rows begin in the flattened values.
    """
    if len(begins) == 1 and flat.shape[1] < BY_CHOICE_FROM:
        only: Floats = np.maximum.reduce(flat[begins[0] :].take(layer.choices, axis=0))[None]
        return only
    if len(begins) * flat.shape[1] < BY_CHOICE_FROM:
        few: Floats = np.maximum.reduce(flat.take(begins[:, None, None] + layer.choices, axis=0), axis=1)
        return few
    best = flat.take(begins[:, None] + layer.ranks[0], axis=0)
    for choices in layer.ranks[1:]:
        part = best[:, : len(choices)]
        np.maximum(part, flat.take(begins[:, None] + choices, axis=0), out=part)
    return best
