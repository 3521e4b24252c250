"""The values of a shot's positions, by what banks and busts are worth in a game."""

from __future__ import annotations

from dataclasses import dataclass

from game.strategy.arrays import Flags, Floats, Indices, Precision, np
from game.strategy.turn.backward_induction import settle_values, solve_backward, solve_rows
from game.strategy.turn.graph import BEYOND, LAYER_MOST, STRUCK, Graph

# From this many chances of a table on, where they are found only to 1e-6, numbers of four bytes take half the time.
COARSE_FROM = 50_000
# A bank to a higher score may come out as worth this much less, by rounding alone; the second in numbers of four bytes.
SAME_CHANCE, COARSELY_SAME_CHANCE = 1e-10, 5e-7


@dataclass(frozen=True, eq=False)
class ShotValues:
    """Chances to win in some shots. Unlike in `ShotPoints`, a row stands for the score that a bank would make.

    `values` (rows x columns x pairs), of arriving. `bank` (rows x columns, or 1 where all are alike, x pairs): of
    banking, -1 under the minimum. `first` (pairs): the scores, in rows, of row 0. `thrown`: as the values, of throwing,
    only where dice are picked up.
    """

    values: Floats
    bank: Floats
    first: Indices
    thrown: Floats | None


def must_throw_sweeps(graph: Graph) -> bool:
    """Return whether a sweep is all that can keep a shot with enough points from being banked."""
    return graph.is_sure_to_bank and not graph.bankable[graph.start]


def throws_after_sweep(graph: Graph) -> bool:
    """Return whether a shot with enough points is thrown on after a sweep: it has to be, or these dice never bust."""
    return graph.is_sure_to_bank and (not graph.bankable[graph.start] or graph.never_busts)


def find_precision(chances: int) -> Precision:
    """Return in which kind of numbers to value the shots of a table with this many chances, where scores can fall."""
    return np.float32 if chances >= COARSE_FROM else float


def fill_values(
    graph: Graph,
    bank: Floats,
    bust: Floats,
    *,
    forced: Floats | None = None,
    target: int | None = None,
    begins: Indices | None = None,
    thrown: Floats | None = None,
    ends: Floats | None = None,
    over: Floats | None = None,
    precision: Precision = float,
) -> Floats:
    """Compute the values of arriving (rows x columns x batch) from those of a bank and of a bust.

    `bank` (rows x batch, or rows x columns x batch; -1: not allowed): in the last `graph.reach` + 1 rows banking is the
    best wherever the rules allow it. `bust` (batch). `forced` (those rows x batch): the value there of all dice after a
    sweep; without it, it is taken that banks are worth the same in all rows above. `target`: the row of an exact
    target: nothing is kept beyond it. `begins` (batch): the rows in which the shots have no points, for banks that are
    steps apart. `thrown` (as the values) is filled with the values of throwing; then nothing is taken to be the best in
    the last rows, but that banks are worth the same in all of them. `ends` (rows x ends x batch): what the ends of the
    graph are worth, where that is not the same for every bust. `over` (batch): what a shot beyond an exact target is
    worth, where that is something else than a bust. `precision`: of the numbers in which several shots are valued row
    by row; any other way takes eight bytes.
    """
    by_rows = not graph.never_returns and not any(layer.retries.any() for layer in graph.layers)
    if not by_rows or len(bust) == 1:
        precision = float
    bank, bust = (array.astype(precision, copy=False) for array in (bank, bust))
    bank = bank if bank.ndim == 3 else bank[:, None]
    top = len(bank) - graph.reach - 1 if target is None else target + 1
    # Rows leave out the points of dice set aside; a bank counts them.
    scores = np.minimum(np.arange(len(bank))[:, None] + graph.offsets // graph.unit, len(bank) - 1)
    by_column, banked = _find_banks(graph, bank, scores, target)
    values = np.empty((len(bank), graph.width, bank.shape[-1]), dtype=precision)
    if target is not None:
        values[top:] = graph.beyond[:, None]
    elif thrown is not None:
        values[top:], thrown[top:] = _settle_top(graph, banked, bust, top, ends)
    else:
        values[top:] = _bank_at_top(graph, bank, by_column, bust, top, forced, begins)
    if graph.strikes:
        banked = np.where(banked < 0, STRUCK, banked)
    _write_ends(graph, values, bust, ends)
    above = scores > target if target is not None and graph.offsets.any() else None
    if not by_rows:
        _fill_backward(graph, values, top, bust, banked, over=over, above=above, thrown=thrown)
    elif len(bust) > 1:
        narrows = target is None and _may_narrow(graph, bank)
        solve_rows(graph, values, top, bust, banked, over=over, above=above, thrown=thrown, narrows=narrows)
    else:
        only, alone = (None if array is None else array[..., 0] for array in (over, thrown))
        solve_rows(graph, values[..., 0], top, bust[0], banked[..., 0], over=only, above=above, thrown=alone)
    return values


def _fill_backward(
    graph: Graph,
    values: Floats,
    top: int,
    bust: Floats,
    banked: Floats,
    *,
    over: Floats | None,
    above: Flags | None,
    thrown: Floats | None,
) -> None:
    """Fill the rows below `top` where a position can return to itself; the arrays are those of `solve_rows`."""

    def arrive(rows: slice, columns: Indices | slice, values_of_throwing: Floats) -> Floats:
        if thrown is not None:
            thrown[rows, columns] = values_of_throwing
        arriving = np.maximum(values_of_throwing, banked[rows, columns])
        return arriving if above is None else np.where(above[rows, columns][..., None], BEYOND, arriving)

    solve_backward(graph, values, top, bust, arrive, over)


def _find_banks(graph: Graph, bank: Floats, scores: Indices, target: int | None) -> tuple[Floats, Floats]:
    """Return what a bank is worth in each column (rows x columns, or 1 where all are alike, x batch), allowed or not.

    Second, the same with values below 0 where the rules allow none (rows x columns x batch). `scores` (rows x columns):
    the rows of what would be banked.
    """
    columns = np.arange(graph.width) if bank.shape[1] > 1 else 0
    by_column = bank[scores, columns] if graph.offsets.any() else bank
    banked = by_column + np.where(graph.bankable, 0.0, -2.0).astype(bank.dtype)[:, None]
    if target is not None:
        banked[target] = by_column[target] + np.where(graph.bankable_at_target, 0.0, -2.0)[:, None]
    return by_column, banked


def _may_narrow(graph: Graph, bank: Floats) -> bool:
    """Return whether more points are never worse, so that `solve_rows` may leave out what never wins.

    They are worse where a bust costs what was gathered, and where they begin the last shots too soon. Many positions
    would ask for more layers than they save.
    """
    if graph.period > 1 or len(graph.ends) > 1 or len(graph.positions) > LAYER_MOST or bank.shape[1] > 1:
        return False
    same = SAME_CHANCE if bank.dtype == float else COARSELY_SAME_CHANCE
    return bool((bank[1:] >= bank[:-1] - same).all())


def _settle_top(graph: Graph, banked: Floats, bust: Floats, top: int, ends: Floats | None) -> tuple[Floats, Floats]:
    """Return the values of arriving and of throwing in the last rows, where banks are worth the same in all of them."""
    last = np.arange(len(banked) - graph.period, len(banked))
    settled = banked[last[np.argsort(last % graph.period)]].astype(float)
    _write_ends(graph, settled, bust, None if ends is None else ends[top])
    if graph.strikes:
        settled = np.where(settled < 0, STRUCK, settled)
    arriving, thrown = settle_values(graph, settled, bust)
    if graph.period == 1:
        return arriving, thrown
    repeats = np.arange(top, len(banked)) % graph.period
    return arriving[repeats], thrown[repeats]


def _bank_at_top(
    graph: Graph,
    bank: Floats,
    by_column: Floats,
    bust: Floats,
    top: int,
    forced: Floats | None,
    begins: Indices | None,
) -> Floats:
    """Return the values of arriving in the last rows, where banking is the best wherever the rules allow it."""
    if graph.is_sure_to_bank and (forced is not None or graph.bankable[graph.start]):
        values = np.broadcast_to(bank[top:], (len(bank) - top, graph.width, bank.shape[-1])).copy()
        if forced is not None:
            values[:, graph.start] = forced
        return values
    sure = np.where(by_column[top:] < 0, by_column[top:].max(axis=0), by_column[top:])
    ahead = np.arange(top, len(bank))[:, None] - (0 if begins is None else begins)
    risks = graph.risks[ahead % len(graph.risks)].swapaxes(1, 2)
    risked: Floats = sure + risks * (bust - sure)
    return risked


def _write_ends(graph: Graph, values: Floats, bust: Floats, ends: Floats | None) -> None:
    """Write what the ends of the graph are worth into their columns; `ends` as in `fill_values`."""
    for column, end in enumerate(graph.ends, graph.win):
        values[:, column] = bust if end.kind == "bust" else float(end.kind == "win")
    if ends is not None:
        values[:, graph.win :] = ends
