"""Which positions of a shot can hold a given number of points. They tell, for one, whether the points are proved."""

from collections import defaultdict, deque
from functools import lru_cache

from game.strategy.turn.graph import Graph

# By column: the columns that its choices lead to, each with the rows that the points rise by.
_Ways = dict[int, frozenset[tuple[int, int]]]


def find_columns(graph: Graph, dice: int, points: int, *, entered: bool) -> list[int]:
    """Return those of `Graph.kept_columns` in which a shot that began with all dice can have exactly these points.

    Columns reached after a sweep are left out if others remain. Empty if no such shot can have these points.
    """
    kept = graph.kept_columns(dice, entered=entered)
    reached = (_reach(graph, points, entered=entered, after_sweeps=after_sweeps) for after_sweeps in (False, True))
    return next(filter(None, ([column for column in kept if column in columns] for columns in reached)), [])


def _reach(graph: Graph, points: int, *, entered: bool, after_sweeps: bool) -> frozenset[int]:
    """Return the columns in which a shot can have these points. `after_sweeps`: follow it beyond a sweep, too."""
    mask, ways = (2 << points // graph.unit) - 1, _list_ways(graph)
    start = graph.start_column(entered)
    rows = defaultdict(int, {start: 1})  # by column, the rows that can be reached, as bits of a number
    waiting = deque([start])
    while waiting:
        column = waiting.popleft()
        for target, rise in ways.get(column, ()):
            reached = rows[target] | rows[column] << rise & mask
            if reached != rows[target]:
                rows[target] = reached
                if target not in waiting and (after_sweeps or not _is_swept(graph, target)):
                    waiting.append(target)
    return frozenset(column for column in rows if _holds(graph, rows[column], points - int(graph.offsets[column])))


def _holds(graph: Graph, rows: int, points: int) -> bool:
    row, rest = divmod(points, graph.unit)
    return row >= 0 and not rest and bool(rows >> row & 1)


def _is_swept(graph: Graph, column: int) -> bool:
    return column < graph.win and bool(graph.kept[column]) and graph.positions[column].left == graph.ruleset.dice


@lru_cache(maxsize=8)
def _list_ways(graph: Graph) -> _Ways:
    ways: dict[int, set[tuple[int, int]]] = defaultdict(set)
    for layer in graph.layers:
        if not layer.ranks:
            continue
        for places, offered in zip(layer.weights.T, layer.choices.T, strict=True):
            leads = (divmod(int(choice), graph.width) for choice in offered)
            ways[int(layer.columns[places.argmax()])] |= {(column, rise) for rise, column in leads}
    return {column: frozenset(targets) for column, targets in ways.items()}
