"""One shot as a graph: the positions between two throws, and what every throw offers there.

The same graph serves every aim (expected points, chance to win). Values over it are arrays of rows x columns:

- a column per position (`Graph.positions`), and a last one, `Graph.win`, for six of a kind that wins at once;
- a row per `unit` points. The row of a position is (points of the shot - `aside_points` of the position) / unit:
  for most positions simply the points of the shot, for those that remember dice set aside the points that the shot
  had after its last sweep. So no choice leads to a lower row, and to the same row only with fewer dice: the graph has
  no cycles, and backward induction visits each position once.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import gcd

import numpy as np
from numpy.typing import NDArray

from game.rules.ruleset import DICE, Dice, Ruleset
from game.rules.scoring import Keep, all_throws, keeps, points_gained
from game.strategy.odds import count_orders

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


class EndlessShot(ValueError):
    """Under this ruleset a shot can go on for ever without risk: no shot has the largest expected points."""


class UnsolvedShot(EndlessShot):
    """The ruleset has settings under which the best shot is not solved yet."""


@dataclass(frozen=True)
class ShotPosition:
    """A number of dice about to be thrown.

    `aside`, sorted, with its `aside_points`: the dice set aside since the last sweep, remembered only where they can
    still become three pairs together with a throw; otherwise empty.
    """

    left: int
    aside: Dice = ()
    aside_points: int = 0


@dataclass(frozen=True, eq=False)
class Layer:
    """Positions that can be valued together, once all higher rows and the layers before are known.

    Throws that offer the same choices form one class. `choices` (most choices x classes) are those of every class,
    the last one repeated to the end, as offsets into the flattened value array from the first column of the row of
    the position; `ranks[k]` are the (k+1)-th choices of all classes that have as many. `weights`
    (positions x classes) are the chances of the classes, `bust` (positions) that of no choice, all tries with the
    last die included.
    """

    columns: Indices
    choices: Indices
    ranks: tuple[Indices, ...]
    weights: Floats
    bust: Floats


@dataclass(frozen=True, eq=False)
class Graph:
    """All positions of a shot under a ruleset. `step` and `reach`: the least and the largest rise in rows above 0."""

    ruleset: Ruleset
    unit: int
    positions: tuple[ShotPosition, ...]
    layers: tuple[Layer, ...]
    step: int
    reach: int

    @property
    def width(self) -> int:
        """The number of columns."""
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
    def offsets(self) -> Indices:
        """The points that the row of each column leaves out."""
        return np.array([position.aside_points for position in self.positions] + [0], dtype=np.intp)

    @property
    def bankable(self) -> NDArray[np.bool_]:
        """Whether the rules let the shot be banked on arriving in each column, minimums left out of account."""
        allowed = np.ones(self.width, dtype=bool)
        allowed[self.start] = self.ruleset.sweep == "may_bank"
        allowed[self.win] = False
        return allowed

    def column(self, left: int, aside: Dice = (), aside_points: int = 0) -> int:
        """Return the column of a position; dice set aside that no longer matter are left out of account."""
        columns = _index_columns(self)
        position = ShotPosition(left, tuple(sorted(aside)), aside_points)
        return columns.get(position, columns[ShotPosition(left)])

    def column_after(self, dice: int, aside: Dice, aside_points: int, keep: Keep) -> int:
        """Return the column that a keep of so many thrown dice leads to; `aside` lay there before it."""
        if keep.wins:
            return self.win
        left = dice - len(keep.dice)
        return self.column(left, aside + keep.dice, aside_points + keep.points) if left else self.start

    def bust_chance(self, column: int) -> float:
        """Return the chance, 0 to 1, that throwing from here is a bust, all tries with the last die included."""
        if column == self.win:
            return 0.0
        layer, place = self.layer_of(column)
        return float(layer.bust[place])

    def layer_of(self, column: int) -> tuple[Layer, int]:
        """Return the layer of a position, and its place in there."""
        return _index_layers(self)[column]


@lru_cache(maxsize=64)
def _index_columns(graph: Graph) -> dict[ShotPosition, int]:
    return {position: column for column, position in enumerate(graph.positions)}


@lru_cache(maxsize=64)
def _index_layers(graph: Graph) -> dict[int, tuple[Layer, int]]:
    return {int(column): (layer, place) for layer in graph.layers for place, column in enumerate(layer.columns)}


# A choice: the column that it leads to, and by how many rows it rises.
_Transition = tuple[int, int]
# The chance of every set of choices that a throw can offer; the empty set is the bust.
_Classes = dict[frozenset[_Transition], float]


@lru_cache(maxsize=32)
def build_graph(ruleset: Ruleset) -> Graph:
    """Build the graph of a ruleset in 10 to 50 ms, more where dice set aside matter; cached. Raises `UnsolvedShot`."""
    if ruleset.later_settings():
        raise UnsolvedShot("Under these rules the expected points of a turn are not known.")
    positions = _find_positions(ruleset)
    columns = {position: column for column, position in enumerate(positions)}
    rises = {rise for position in positions for *_, rise in _list_transitions(ruleset, position)}
    unit = gcd(*rises) or 1
    classes = [_classify_throws(ruleset, position, columns, unit) for position in positions]
    steps = {rise // unit for rise in rises if rise}
    layers = _build_layers(classes, len(positions) + 1)
    return Graph(ruleset, unit, positions, layers, min(steps, default=1), max(steps, default=1))


def _find_positions(ruleset: Ruleset) -> tuple[ShotPosition, ...]:
    """List 1 to 6 dice with nothing to remember, then what six fresh dice lead to with something to remember."""
    plain = [ShotPosition(left) for left in range(1, DICE + 1)]
    seen, waiting = set(plain), list(plain)
    while waiting:
        for _, target, _ in _list_transitions(ruleset, waiting.pop()):
            if target is not None and target not in seen:
                seen.add(target)
                waiting.append(target)
    return (
        *plain,
        *sorted(seen - set(plain), key=lambda position: (position.left, position.aside, position.aside_points)),
    )


def _list_transitions(ruleset: Ruleset, position: ShotPosition) -> Iterator[tuple[Dice, ShotPosition | None, int]]:
    """Yield every choice of every throw: the throw, the position it leads to (None: the win), the rise in points."""
    for throw in all_throws(position.left):
        for keep in keeps(ruleset, throw, position.aside, position.aside_points):
            target = None if keep.wins else _position_after(ruleset, position, keep)
            left_out = target.aside_points if target else 0
            yield throw, target, position.aside_points + points_gained(keep, position.aside_points) - left_out


def _position_after(ruleset: Ruleset, position: ShotPosition, keep: Keep) -> ShotPosition:
    left = position.left - len(keep.dice)
    if not left:
        return ShotPosition(DICE)
    fresh = position.left == DICE or position.aside
    aside = tuple(sorted(position.aside + keep.dice))
    if not (fresh and _may_make_pairs(ruleset, aside)):
        return ShotPosition(left)
    return ShotPosition(left, aside, position.aside_points + keep.points)


@lru_cache(maxsize=4096)
def _may_make_pairs(ruleset: Ruleset, aside: Dice) -> bool:
    """Whether these dice can still become three pairs with dice of another throw."""
    if not ruleset.three_pairs_across_throws:
        return False
    throws = all_throws(DICE - len(aside))
    return any(keep.with_aside for throw in throws for keep in keeps(ruleset, throw, aside, 0))


def _classify_throws(ruleset: Ruleset, position: ShotPosition, columns: dict[ShotPosition, int], unit: int) -> _Classes:
    """Compute the chance of every set of choices, in one throw or, with the last die, in all tries allowed."""
    choices: dict[Dice, set[_Transition]] = {throw: set() for throw in all_throws(position.left)}
    for throw, target, rise in _list_transitions(ruleset, position):
        column = len(columns) if target is None else columns[target]
        choices[throw].add((column, rise // unit))
    orders: Counter[frozenset[_Transition]] = Counter({frozenset(): 0})
    for throw, offered in choices.items():
        orders[frozenset(offered)] += count_orders(throw)
    chances = {offered: count / 6**position.left for offered, count in orders.items()}
    return _repeat_misses(chances, ruleset.last_die_throws if position.left == 1 else 1)


def _repeat_misses(chances: _Classes, tries: int) -> _Classes:
    """Compute the chances when a miss is thrown again, up to so many tries in all."""
    miss = chances[frozenset()]
    again = sum(miss**k for k in range(tries))
    return {offered: chance * again if offered else miss**tries for offered, chance in chances.items()}


def _build_layers(classes: list[_Classes], width: int) -> tuple[Layer, ...]:
    """Group the positions so that a choice without a rise leads to a layer before."""
    depths: list[int] = [-1] * width

    def depth(column: int) -> int:
        if depths[column] < 0 and column < len(classes):
            same_row = {target for offered in classes[column] for target, rise in offered if not rise}
            depths[column] = 1 + max((depth(target) for target in same_row if target < len(classes)), default=-1)
        return depths[column]

    columns = range(len(classes))
    deepest = max(depth(column) for column in columns)
    groups = [[column for column in columns if depth(column) == wanted] for wanted in range(deepest + 1)]
    return tuple(_build_layer(group, classes, width) for group in groups)


def _build_layer(columns: list[int], classes: list[_Classes], width: int) -> Layer:
    """Build the arrays of one layer; the classes with the most choices come first."""
    own = [
        (place, key, chance) for place, column in enumerate(columns) for key, chance in classes[column].items() if key
    ]
    own.sort(key=lambda entry: -len(entry[1]))
    weights = np.zeros((len(columns), len(own)))
    for number, (place, _, chance) in enumerate(own):
        weights[place, number] = chance
    lists = [[rise * width + column for column, rise in sorted(key)] for _, key, _ in own]
    most = max(map(len, lists), default=0)
    return Layer(
        columns=np.array(columns, dtype=np.intp),
        choices=np.array(
            [[offered[min(k, len(offered) - 1)] for offered in lists] for k in range(most)], dtype=np.intp
        ),
        ranks=tuple(
            np.array([offered[k] for offered in lists if len(offered) > k], dtype=np.intp) for k in range(most)
        ),
        weights=weights,
        bust=np.array([classes[column][frozenset()] for column in columns]),
    )
