"""The values of a shot's positions, given what banks and busts are worth in a game."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from game.strategy.arrays import Flags, Floats, Indices, Precision, np
from game.strategy.turn.backward_induction import Arrive, settle_values, solve_backward, solve_rows
from game.strategy.turn.graph import BEYOND, LAYER_MOST, STRUCK, Graph
from game.strategy.turn.positions import BUST

# Tables with this many chances or more, found only to within 1e-6, are valued in four-byte numbers, in half the time.
COARSE_FROM = 50_000
# By rounding alone, a bank to a higher score may seem to be worth this much less; the second is for four-byte numbers.
SAME_CHANCE, COARSELY_SAME_CHANCE = 1e-10, 5e-7


@dataclass(frozen=True, eq=False)
class ShotValues:
    """Chances to win in some shots. Unlike in `ShotPoints`, a row stands for the score that a bank would make.

    `values` (rows x columns x pairs): the chances of arriving. `bank` (rows x columns x pairs; a single column where
    all are alike): those of banking, -1 where the points forbid it. `first` (pairs): the scores of row 0, in rows.
    `thrown` (shape of the values): the chances of throwing; None unless dice are picked up.
    """

    values: Floats
    bank: Floats
    first: Indices
    thrown: Floats | None


def must_throw_sweeps(graph: Graph) -> bool:
    """Return whether shots with enough points can always be banked, except after a sweep."""
    return graph.is_sure_to_bank and not graph.bankable[graph.start]


def throws_after_sweep(graph: Graph) -> bool:
    """Return whether shots with enough points are thrown on only after a sweep: they must be, or cannot bust then."""
    return graph.is_sure_to_bank and (not graph.bankable[graph.start] or graph.never_busts)


def find_precision(chances: int) -> Precision:
    """Return the type of number in which to value shots for a table with this many chances, where scores can fall."""
    return np.float32 if chances >= COARSE_FROM else float


def value_ends(graph: Graph, rows: int, batch: int, value_bust: Callable[[int], Floats | float]) -> Floats | None:
    """Compute the values of the ends of shots (rows x ends x batch); None where all busts are worth the same.

    `value_bust`: gives those of a bust (rows x batch, batch, or all alike) by the points that its dice cost.
    """
    if not graph.ruleset.busts_may_cost:
        return None
    values = np.empty((rows, len(graph.ends), batch))
    for number, end in enumerate(graph.ends):
        values[:, number] = value_bust(end.cost) if end.kind == "bust" else float(end.kind == "win")
    return values


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
    """Compute the values of arriving (rows x columns x batch) from those of banks and of a bust.

    `bank` (rows x batch, or rows x columns x batch): the values of banking, -1 where it is not allowed. In the last
    `graph.reach` + 1 rows banking has to be the best wherever the rules allow it. `bust` (batch): the value of a bust.
    `forced` (the last rows x batch): the value of all dice after a sweep; without it, banks are assumed to be worth the
    same in all rows above. `target`: the row of an exact target, beyond which nothing is kept. `begins` (batch): the
    rows in which the shots have no points, from which steps between banks are counted. `thrown` (shape of the values)
    is filled with the values of throwing; with it, banks need not be the best in the last rows, but are assumed to be
    worth the same in all of them. `ends` (rows x ends x batch): the values of the graph's ends, where busts differ.
    `over` (batch): the value of a shot beyond an exact target, where that differs from a bust. `precision`: the type of
    the numbers in which several shots are valued row by row; other ways always use eight bytes.
    """
    same_busts = not (graph.strikes and BUST in graph.ends)
    by_rows = same_busts and not graph.never_returns and not any(layer.retries.any() for layer in graph.layers)
    if not by_rows or len(bust) == 1:
        precision = float
    bank, bust = (array.astype(precision, copy=False) for array in (bank, bust))
    bank = bank if bank.ndim == 3 else bank[:, None]
    top = len(bank) - graph.reach - 1 if target is None else target + 1
    # Rows leave out the points of dice set aside, but a bank counts them.
    scores = np.minimum(np.arange(len(bank))[:, None] + graph.offsets // graph.unit, len(bank) - 1)
    by_column, banked = _value_banks(graph, bank, scores, target)
    values = np.empty((len(bank), graph.width, bank.shape[-1]), dtype=precision)
    _write_ends(graph, values, bust, ends)
    positions = values[top:, : graph.win]
    if target is not None:
        positions[:] = graph.beyond[: graph.win, None]
    elif thrown is not None:
        arriving, thrown[top:] = _settle_top(graph, banked, bust, top, ends)
        positions[:] = arriving[:, : graph.win]
    else:
        lost = [bust, *values[top:, None, graph.win :].transpose(2, 0, 1, 3)]
        positions[:] = _bank_at_top(graph, bank, by_column, lost, top, forced, begins)[:, : graph.win]
    if graph.strikes:
        banked = np.where(banked < 0, STRUCK, banked)
        if target is None:
            values[top:, graph.spent] = banked[top:, graph.spent]  # there is no throwing on
    above = scores > target if target is not None and graph.offsets.any() else None
    if not by_rows:
        solve_backward(graph, values, top, value_struck(graph, values, bust), _make_arrive(banked, above, thrown), over)
    elif len(bust) > 1:
        narrows = target is None and _may_narrow(graph, bank)
        solve_rows(graph, values, top, bust, banked, over=over, above=above, thrown=thrown, narrows=narrows)
    else:
        only, alone = (None if array is None else array[..., 0] for array in (over, thrown))
        solve_rows(graph, values[..., 0], top, bust[0], banked[..., 0], over=only, above=above, thrown=alone)
    return values


def value_struck(graph: Graph, values: Floats, bust: Floats) -> Floats:
    """Return what it is worth to bust because every keep of a throw is struck (rows x batch); arguments as above."""
    if BUST in graph.ends:  # it costs what the shot has gathered
        return values[:, graph.win + graph.ends.index(BUST)]
    return np.broadcast_to(bust, (len(values), len(bust)))


def _make_arrive(banked: Floats, above: Flags | None, thrown: Floats | None) -> Arrive:
    """Return what `solve_backward` takes for these arrays of `solve_rows`."""

    def arrive(rows: slice, columns: Indices | slice, values_of_throwing: Floats) -> Floats:
        if thrown is not None:
            thrown[rows, columns] = values_of_throwing
        arriving = np.maximum(values_of_throwing, banked[rows, columns])
        return arriving if above is None else np.where(above[rows, columns][..., None], BEYOND, arriving)

    return arrive


def _value_banks(graph: Graph, bank: Floats, scores: Indices, target: int | None) -> tuple[Floats, Floats]:
    """Return the values of banking in each column, first whether allowed or not, then below 0 where it is not allowed.

    The first has the shape rows x columns x batch, or a single column where all are alike; the second always has all
    columns. `scores` (rows x columns): the rows of what would be banked.
    """
    columns = np.arange(graph.width) if bank.shape[1] > 1 else 0
    by_column = bank[scores, columns] if graph.offsets.any() else bank
    banked = by_column + np.where(graph.bankable, 0.0, -2.0).astype(bank.dtype)[:, None]
    if target is not None:
        banked[target] = by_column[target] + np.where(graph.bankable_at_target, 0.0, -2.0)[:, None]
    return by_column, banked


def _may_narrow(graph: Graph, bank: Floats) -> bool:
    """Return whether more points are never worse, so that `solve_rows` may leave out choices that are never the best.

    More points are worse where a bust costs what was gathered, and where they begin the last shots too soon. With many
    positions, narrowing would need more layers than it saves.
    """
    if graph.period > 1 or len(graph.ends) > 1 or len(graph.positions) > LAYER_MOST or bank.shape[1] > 1:
        return False
    same = SAME_CHANCE if bank.dtype == float else COARSELY_SAME_CHANCE
    return bool((bank[1:] >= bank[:-1] - same).all())


def _settle_top(graph: Graph, banked: Floats, bust: Floats, top: int, ends: Floats | None) -> tuple[Floats, Floats]:
    """Return the values of arriving and of throwing in the last rows, in all of which banks are worth the same."""
    last = np.arange(len(banked) - graph.period, len(banked))
    settled = banked[last[np.argsort(last % graph.period)]].astype(float)
    _write_ends(graph, settled, bust, None if ends is None else ends[top])
    if graph.strikes:
        settled = np.where(settled < 0, STRUCK, settled)
    arriving, thrown = settle_values(graph, settled, value_struck(graph, settled, bust)[0])
    if graph.period == 1:
        return arriving, thrown
    repeats = np.arange(top, len(banked)) % graph.period
    return arriving[repeats], thrown[repeats]


def _bank_at_top(
    graph: Graph,
    bank: Floats,
    by_column: Floats,
    lost: Sequence[Floats],
    top: int,
    forced: Floats | None,
    begins: Indices | None,
) -> Floats:
    """Return the values of arriving in the last rows, in which banking is the best wherever the rules allow it.

    `lost`: the value of each end in `Graph.risks`.
    """
    if graph.is_sure_to_bank and (forced is not None or graph.bankable[graph.start]):
        values = np.broadcast_to(bank[top:], (len(bank) - top, graph.width, bank.shape[-1])).copy()
        if forced is not None:
            values[:, graph.start] = forced
        return values
    sure = np.where(by_column[top:] < 0, by_column[top:].max(axis=0), by_column[top:])
    ahead = np.arange(top, len(bank))[:, None] - (0 if begins is None else begins)
    risks = graph.risks[ahead % len(graph.risks)].swapaxes(1, 2)
    risked: Floats = sure + sum(risks[..., end] * (value - sure) for end, value in enumerate(lost))
    return risked


def _write_ends(graph: Graph, values: Floats, bust: Floats, ends: Floats | None) -> None:
    """Write the values of the graph's ends into their columns; `ends` as in `fill_values`."""
    for column, end in enumerate(graph.ends, graph.win):
        values[:, column] = bust if end.kind == "bust" else float(end.kind == "win")
    if ends is not None:
        values[:, graph.win :] = ends
