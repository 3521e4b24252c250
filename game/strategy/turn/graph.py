"""One shot as a graph: the positions between two throws, and what every throw offers there.

The same graph serves every aim (points, chance to win). Values are kept in a plane of rows and columns:

- a column per position (`Graph.positions`), and a last one, `Graph.win`, for six equal dice that win at once;
- a row per `unit` points. The row of a position is (points of the shot - `aside_points` of the position) / unit:
  for most positions simply the points of the shot, for those that remember dice set aside the points that the shot
  had after its last sweep. So a move never leads to a lower row, and to the same row only with fewer dice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import gcd

import numpy as np
from numpy.typing import NDArray

from game.rules.ruleset import DICE, Ruleset
from game.rules.scoring import Dice, Keep, all_throws, gain, keeps
from game.strategy.odds import count_orders

Floats = NDArray[np.float64]
Places = NDArray[np.intp]


@dataclass(frozen=True)
class Position:
    """So many dice are about to be thrown.

    `aside`, sorted, with its `aside_points`: the dice set aside since the last sweep, remembered only where they can
    still become three pairs together with a throw; otherwise empty.
    """

    left: int
    aside: Dice = ()
    aside_points: int = 0


@dataclass(frozen=True, eq=False)
class Level:
    """Positions that can be valued together, once all higher rows and the levels before are known.

    Throws with the same choices are one class. `choices` (most choices x classes) are those of every class, the last
    one repeated to the end, as places in the plane counted from the first column of the row of the position; `ranks[k]`
    are the (k+1)-th choices of all classes that have so many. `weights` (positions x classes) are the chances of the
    classes, `bust` (positions) that of no choice, all tries with the last die included.
    """

    columns: Places
    choices: Places
    ranks: tuple[Places, ...]
    weights: Floats
    bust: Floats


@dataclass(frozen=True, eq=False)
class Graph:
    """All positions of a shot under a ruleset. `step` and `reach`: least and largest rise in rows above none."""

    ruleset: Ruleset
    unit: int
    positions: tuple[Position, ...]
    levels: tuple[Level, ...]
    step: int
    reach: int

    @property
    def width(self) -> int:
        """Columns of the plane."""
        return len(self.positions) + 1

    @property
    def win(self) -> int:
        """The column of the win at once."""
        return len(self.positions)

    @property
    def start(self) -> int:
        """The column of six fresh dice, at the start of a shot and after a sweep."""
        return DICE - 1

    @property
    def offsets(self) -> Places:
        """For every column the points that its row leaves out."""
        return np.array([position.aside_points for position in self.positions] + [0], dtype=np.intp)

    @property
    def bankable(self) -> NDArray[np.bool_]:
        """For every column whether the rules let the shot be banked on arriving there (points aside)."""
        allowed = np.ones(self.width, dtype=bool)
        allowed[self.start] = self.ruleset.sweep == "may_bank"
        allowed[self.win] = False
        return allowed

    def column(self, left: int, aside: Dice = (), aside_points: int = 0) -> int:
        """The column of a position; dice set aside that no longer matter are left out of account."""
        position = Position(left, tuple(sorted(aside)), aside_points)
        places = _places(self)
        return places.get(position, places[Position(left)])

    def bust(self, column: int) -> float:
        """The chance, 0 to 1, that throwing from here is a bust, all tries with the last die included."""
        if column == self.win:
            return 0.0
        level, place = self.level_of(column)
        return float(level.bust[place])

    def level_of(self, column: int) -> tuple[Level, int]:
        """The level of a position, and its place in there."""
        return _levels_of(self)[column]


@lru_cache(maxsize=64)
def _places(graph: Graph) -> dict[Position, int]:
    return {position: place for place, position in enumerate(graph.positions)}


@lru_cache(maxsize=64)
def _levels_of(graph: Graph) -> dict[int, tuple[Level, int]]:
    return {int(column): (level, place) for level in graph.levels for place, column in enumerate(level.columns)}


# A choice: the column that it leads to, and by how many rows it rises.
_Choice = tuple[int, int]
# The chance of every set of choices that a throw can offer; the empty set is the bust.
_Classes = dict[frozenset[_Choice], float]


@lru_cache(maxsize=32)
def graph_of(ruleset: Ruleset) -> Graph:
    """The graph of a ruleset. Takes 10 to 50 ms, more where dice set aside matter; kept afterwards."""
    positions = _find_positions(ruleset)
    places = {position: place for place, position in enumerate(positions)}
    rises = {rise for position in positions for *_, rise in _moves(ruleset, position)}
    unit = gcd(*rises) or 1
    classes = [_classes(ruleset, position, places, unit) for position in positions]
    steps = {rise // unit for rise in rises if rise}
    return Graph(
        ruleset, unit, positions, _levels(classes, len(positions) + 1), min(steps, default=1), max(steps, default=1)
    )


def _find_positions(ruleset: Ruleset) -> tuple[Position, ...]:
    """1 to 6 dice with nothing to remember, then those reached from six fresh dice with something to remember."""
    plain = [Position(left) for left in range(1, DICE + 1)]
    found = set(plain)
    waiting = list(plain)
    while waiting:
        for _, target, _ in _moves(ruleset, waiting.pop()):
            if target is not None and target not in found:
                found.add(target)
                waiting.append(target)
    rest = sorted(found - set(plain), key=lambda each: (each.left, each.aside, each.aside_points))
    return (*plain, *rest)


def _moves(ruleset: Ruleset, position: Position) -> Iterator[tuple[Dice, Position | None, int]]:
    """Every choice of every throw: the throw, the position it leads to (None: the win), the rise in points."""
    for throw in all_throws(position.left):
        for keep in keeps(ruleset, throw, position.aside, position.aside_points):
            target = None if keep.wins else _after(ruleset, position, keep)
            yield throw, target, _rise(position, keep, target)


def _after(ruleset: Ruleset, position: Position, keep: Keep) -> Position:
    left = position.left - len(keep.dice)
    if not left:
        return Position(DICE)
    fresh = position.left == DICE or position.aside
    aside = tuple(sorted(position.aside + keep.dice))
    if not (fresh and _matters(ruleset, aside)):
        return Position(left)
    return Position(left, aside, position.aside_points + keep.points)


def _rise(position: Position, keep: Keep, target: Position | None) -> int:
    left_out = target.aside_points if target else 0
    return position.aside_points + gain(keep, position.aside_points) - left_out


@lru_cache(maxsize=4096)
def _matters(ruleset: Ruleset, aside: Dice) -> bool:
    """Whether these dice can still become three pairs with dice of another throw."""
    if not ruleset.three_pairs_across_throws:
        return False
    throws = all_throws(DICE - len(aside))
    return any(keep.with_aside for throw in throws for keep in keeps(ruleset, throw, aside, 0))


def _classes(ruleset: Ruleset, position: Position, places: dict[Position, int], unit: int) -> _Classes:
    """The chance of every set of choices, in one throw or, with the last die, in all tries allowed."""
    choices: dict[Dice, set[_Choice]] = {throw: set() for throw in all_throws(position.left)}
    for throw, target, rise in _moves(ruleset, position):
        column = len(places) if target is None else places[target]
        choices[throw].add((column, rise // unit))
    falls: Counter[frozenset[_Choice]] = Counter({frozenset(): 0})
    for throw, found in choices.items():
        falls[frozenset(found)] += count_orders(throw)
    chances = {key: count / 6**position.left for key, count in falls.items()}
    return _with_tries(chances, ruleset.last_die_throws if position.left == 1 else 1)


def _with_tries(chances: _Classes, tries: int) -> _Classes:
    """The chances when a miss is thrown again, up to so many tries."""
    miss = chances[frozenset()]
    again = sum(miss**k for k in range(tries))
    return {key: chance * again if key else miss**tries for key, chance in chances.items()}


def _levels(classes: list[_Classes], width: int) -> tuple[Level, ...]:
    """The positions grouped so that a choice without a rise leads to a level before."""
    order: list[int] = [-1] * width

    def height(place: int) -> int:
        if order[place] < 0 and place < len(classes):
            level = {column for key in classes[place] for column, rise in key if not rise}
            order[place] = 1 + max((height(column) for column in level if column < len(classes)), default=-1)
        return order[place]

    heights = [height(place) for place in range(len(classes))]
    groups = [[place for place in range(len(classes)) if heights[place] == level] for level in range(max(heights) + 1)]
    return tuple(_level(group, classes, width) for group in groups)


def _level(places: list[int], classes: list[_Classes], width: int) -> Level:
    """The arrays of one level; the classes with the most choices come first."""
    own = [(row, key, chance) for row, place in enumerate(places) for key, chance in classes[place].items() if key]
    own.sort(key=lambda each: -len(each[1]))
    weights = np.zeros((len(places), len(own)))
    for number, (row, _, chance) in enumerate(own):
        weights[row, number] = chance
    lists = [[rise * width + column for column, rise in sorted(key)] for _, key, _ in own]
    most = max(map(len, lists), default=0)
    return Level(
        columns=np.array(places, dtype=np.intp),
        choices=np.array([[each[min(k, len(each) - 1)] for each in lists] for k in range(most)], dtype=np.intp),
        ranks=tuple(np.array([each[k] for each in lists if len(each) > k], dtype=np.intp) for k in range(most)),
        weights=weights,
        bust=np.array([classes[place][frozenset()] for place in places]),
    )
