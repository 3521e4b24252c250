"""Every choice of every throw as arrays, so that thousands of games can be played side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from game.rules.ruleset import DICE, Ruleset
from game.rules.scoring import Dice, all_throws, gain, keeps
from game.strategy.computers.policy import code, holds, straights_in
from game.strategy.splitmix import Numbers
from game.strategy.turn.graph import Graph, Places, Position, graph_of


@dataclass(frozen=True, eq=False)
class Choices:
    """The choices of all throws, one throw after the other.

    A throw has a slot: `first_slot` of its column in the graph, plus the place of its sorted dice. `start`, `count`:
    where its choices are; none is a bust. Of each choice: the column that it leads to, by how many points the shot
    rises, a number for the dice kept, and whether it leaves every straight whole.
    """

    graph: Graph
    first_slot: Places
    start: Places
    count: Places
    dice: Places
    to: Places
    rise: Places
    kept: Places
    whole: NDArray[np.bool_]

    @property
    def left(self) -> Places:
        """How many dice are thrown from each column."""
        return np.array([position.left for position in self.graph.positions], dtype=np.intp)

    def slots(self, columns: Places, numbers: Numbers) -> Places:
        """The slots of the throws that these numbers bring."""
        left = self.left[columns]
        falls = (numbers % (6**left).astype(np.uint64)).astype(np.intp)
        slots: Places = self.first_slot[columns] + _places()[_first_fall(left) + falls]
        return slots


def faces(number: int, count: int) -> Dice:
    """The dice that a number brings, as they fall."""
    return tuple(number // 6**place % 6 + 1 for place in range(count))


def _first_fall(left: Places) -> Places:
    """Where the falls of so many dice begin in `_places`."""
    begin: Places = (6**left - 6) // 5
    return begin


@cache
def _places() -> Places:
    """The place of the sorted dice among all throws of so many, for all falls of one die, of two, and so on."""
    found = []
    for count in range(1, DICE + 1):
        codes = np.array([code(throw) for throw in all_throws(count)])
        falls = np.arange(6**count)
        dice = np.sort(falls[:, None] // 6 ** np.arange(count) % 6 + 1, axis=1)
        found.append(np.searchsorted(codes, dice @ 7 ** np.arange(count)[::-1]))
    return np.concatenate(found).astype(np.intp)


# What one choice is: the column it leads to, the rise in points, a number for its dice, whether straights stay whole.
_Choice = tuple[int, int, int, bool]


@lru_cache(maxsize=8)
def choices_of(ruleset: Ruleset) -> Choices:
    """The choices under a ruleset. Takes some 20 ms, more where dice set aside matter; kept afterwards."""
    graph = graph_of(ruleset)
    throws = [(position, throw) for position in graph.positions for throw in all_throws(position.left)]
    found = [list(_choices(graph, position, throw)) for position, throw in throws]
    sizes = [sum(1 for _ in all_throws(position.left)) for position in graph.positions]
    count = np.array([len(each) for each in found], dtype=np.intp)
    flat = np.array([choice for each in found for choice in each], dtype=np.intp).reshape(-1, 4)
    return Choices(
        graph,
        first_slot=np.cumsum([0, *sizes[:-1]], dtype=np.intp),
        start=np.cumsum(count) - count,
        count=count,
        dice=np.array([code(throw) for _, throw in throws], dtype=np.intp),
        to=flat[:, 0],
        rise=flat[:, 1],
        kept=flat[:, 2],
        whole=flat[:, 3].astype(bool),
    )


def _choices(graph: Graph, position: Position, throw: Dice) -> Iterator[_Choice]:
    found = keeps(graph.ruleset, throw, position.aside, position.aside_points)
    runs = straights_in(graph.ruleset, throw)
    can_hold = any(holds(keep.dice, runs) for keep in found)
    for keep in found:
        left = position.left - len(keep.dice)
        column = graph.start
        if keep.wins:
            column = graph.win
        elif left:
            column = graph.column(left, position.aside + keep.dice, position.aside_points + keep.points)
        whole = not can_hold or holds(keep.dice, runs)
        yield column, gain(keep, position.aside_points), code(keep.dice), whole
