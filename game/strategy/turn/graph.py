"""One shot as a graph: the positions between two throws, and what every throw offers there.

The same graph serves every aim (expected points, chance to win). Values over it are arrays of rows x columns:

- a column for each position (`Graph.positions`), then one for each end that the dice can make (`Graph.ends`). The first
  of these is `Graph.win`, for dice that win at once.
- a row for every `unit` points. The row of a position is (points of the shot - `aside_points` of the position) / unit.
  For most positions these are simply the points of the shot; for positions that remember dice set aside they are the
  points that the shot had after its last sweep. So a choice never leads to a lower row. It leads to the same row only
  with fewer dice or, where a throw is made again, with the same dice. The graph has no cycles, and backward induction
  visits each position once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from graphlib import TopologicalSorter
from math import gcd

from game.rules import Ruleset, Shot
from game.strategy.arrays import Flags, Floats, Indices, np
from game.strategy.turn.merging import Merging
from game.strategy.turn.positions import (
    BUST,
    WIN,
    NoBestPlay,
    ShotEnd,
    ShotPosition,
    ShotPositions,
    is_shot_split,
    position_of,
    start_position,
)

# The value of arriving where a keep is struck, which means that it may not be made: on the last throw, if it cannot be
# banked; and beyond an exact target.
STRUCK, BEYOND = -1e12, -2e12
# Graphs with more positions than this have a layer of their own for each number of dice.
LAYER_MOST = 16
# The risks of throwing on until the shot can be banked settle to 1e-15 within this many rounds.
RISK_ROUNDS = 200


@dataclass(frozen=True, eq=False)
class Layer:
    """Positions that can be valued together, once all higher rows and the earlier layers are known.

    Throws that offer the same choices form one class. `choices` (most choices x classes): those of every class, the
    last one repeated to fill the column; a choice is an offset in the flattened value array, counted from the first
    column of the row of the position. `ranks[k]`: the (k+1)-th choices of all classes that have that many. `weights`
    (positions x classes): the chances of the classes. `bust` (positions): the chance of a throw without a choice, all
    tries with the last die together. `ends` (positions): the chance of busts and eliminations that have a column of
    their own. `retries` (classes): the column of the next try after a throw whose keeps are all struck, -1 where no try
    follows; empty if no class has one.
    """

    columns: Indices
    choices: Indices
    ranks: tuple[Indices, ...]
    weights: Floats
    bust: Floats
    ends: Floats
    retries: Indices

    @cached_property
    def merging(self) -> Merging:
        """The plan by which the best choices of all classes are found together."""
        return Merging.of(frozenset(offered.tolist()) for offered in self.choices.T)

    @cached_property
    def node_weights(self) -> Floats:
        """The weights by the nodes of the merging (positions x nodes)."""
        weights = np.zeros((len(self.columns), self.merging.size))
        np.add.at(weights.T, self.merging.classes, self.weights.T)
        return weights

    @cached_property
    def sums(self) -> tuple[Indices, Floats, Indices, Indices]:
        """The classes sorted by position, to sum up the values of a single question; each belongs to one position.

        Of each class, its node of the merging and its chance; of each position that has any, its first class and its
        place in the layer.
        """
        place = self.weights.argmax(axis=0)
        order = np.argsort(place, kind="stable")
        begins = np.flatnonzero(np.diff(place[order], prepend=-1))
        weights = self.weights[place[order], order]
        return self.merging.classes[order], weights, begins, place[order][begins]

    @cached_property
    def is_spent(self) -> bool:
        """Whether no throw is left in these positions, so that the shot has to be banked."""
        return not self.ranks and not self.bust.any()


@dataclass(frozen=True, eq=False)
class Graph:
    """All positions of a shot under a ruleset, and the ends that the dice can make of it.

    `unit`: the points of a row. `step` and `reach`: the smallest rise above 0, and the largest, in rows. `start`,
    `entry_start`: the columns in which a shot begins with all dice, of a player who has entered and of one who has not.
    `bankable` (columns): whether the rules let a shot that arrives there be banked, minimums and step aside;
    `bankable_at_target` (columns): the same where the bank makes exactly the target. `kept` (columns): whether a keep
    leads there, dice set aside ignored. `joined`: other layers for a single question, for which few large ones are
    faster.
    """

    ruleset: Ruleset
    unit: int
    positions: tuple[ShotPosition, ...]
    ends: tuple[ShotEnd, ...]
    layers: tuple[Layer, ...]
    step: int
    reach: int
    start: int
    entry_start: int
    bankable: Flags
    bankable_at_target: Flags
    kept: Flags
    joined: tuple[Layer, ...] = ()

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.positions) + len(self.ends)

    @property
    def win(self) -> int:
        """The column of the win at once, the first of those of the ends."""
        return len(self.positions)

    @cached_property
    def choices(self) -> int:
        """The number of choices, those of all classes of throws together."""
        return sum(layer.choices.size for layer in self.layers)

    @cached_property
    def offsets(self) -> Indices:
        """The points that the row of each column leaves out: those of the dice set aside."""
        points = [position.aside_points for position in self.positions] + [0] * len(self.ends)
        return np.array(points, dtype=np.intp)

    @cached_property
    def offers(self) -> Indices:
        """For each column, the one in which the next player begins who picks up the dice that a bank there leaves."""
        last = self.ruleset.dice
        return np.array([position.left - 1 for position in self.positions] + [last - 1] * len(self.ends), dtype=np.intp)

    @cached_property
    def strikes(self) -> bool:
        """Whether keeps can be struck, because of a last throw or an exact target."""
        return self.ruleset.throws_most > 0 or self.ruleset.exact != "no"

    @cached_property
    def period(self) -> int:
        """How many rows apart banks have to be: 1 unless points have to be multiples of a step."""
        step = self.ruleset.bank_step
        return step // gcd(step, self.unit) if step else 1

    @cached_property
    def folded(self) -> tuple[tuple[Layer, ...], ...]:
        """The layers for each row of a period, for values that repeat after it: choices lead to rows of the period."""

        def fold(row: int, layer: Layer) -> Layer:
            around = self.period * self.width
            choices, *ranks = ((row * self.width + part) % around for part in (layer.choices, *layer.ranks))
            return replace(layer, choices=choices, ranks=tuple(ranks))

        return tuple(tuple(fold(row, layer) for layer in self.layers) for row in range(self.period))

    @cached_property
    def beyond(self) -> Floats:
        """The values of arriving in each column beyond an exact target, where neither a keep nor a rethrow may lead."""
        bound = [position.bound for position in self.positions] + [False] * len(self.ends)
        return np.where(bound, STRUCK, BEYOND)

    @cached_property
    def risks(self) -> Floats:
        """The chance, 0 to 1, of each bad end before the shot can be banked (rows of a period x columns x ends).

        The rows are those that the shot has beyond a multiple of the step; without a step there is a single one. The
        first of the ends is the plain bust, the others are those of the graph; a win at once counts as no risk.
        """
        period = self.period
        free = np.zeros((period, self.width, 1), dtype=bool)
        free[0, :, 0] = self.bankable
        risks = np.zeros((period, self.width, 1 + len(self.ends)))
        struck = 1 + self.ends.index(BUST) if BUST in self.ends else 0  # keeps after which no throw is left
        risks[:, np.arange(self.win), np.where(self.spent, struck, 0)[: self.win]] = ~free[:, : self.win, 0]
        risks[:, self.win + 1 :, 2:] = np.eye(len(self.ends) - 1)
        for _ in range(RISK_ROUNDS * period):
            before = risks.copy()
            for layer in self.layers:
                for row in range(period if layer.ranks else 0):
                    rises, columns = np.divmod(layer.choices, self.width)
                    offered = risks[(row + rises) % period, columns]
                    least = offered.sum(axis=-1).argmin(axis=0)
                    thrown = layer.weights @ offered[least, np.arange(len(least))]
                    thrown[:, 0] += layer.bust
                    risks[row, layer.columns] = np.where(free[row, layer.columns], 0.0, thrown)
            if np.abs(risks - before).max() < 1e-15:
                break
        return risks

    @property
    def never_returns(self) -> bool:
        """Whether every choice leads to an earlier layer, because throws are counted; rows are then independent."""
        return counts_throws(self.ruleset)

    @cached_property
    def is_sure_to_bank(self) -> bool:
        """Whether a shot with enough points can always be banked, except perhaps after a sweep."""
        unsure = np.flatnonzero(~self.bankable[: self.win]).tolist()
        return not self.strikes and not self.ruleset.bank_step and set(unsure) <= {self.start} and len(self.ends) == 1

    @cached_property
    def throws_on(self) -> bool:
        """Whether a shot may have to be thrown on, however many points it has."""
        return self.period > 1 or not self.bankable[: self.win].all()

    @property
    def never_busts(self) -> bool:
        """Whether all dice can be thrown without any risk."""
        return self.bust_chance_at_once(self.start) == 0

    @cached_property
    def least_risk(self) -> float:
        """The smallest chance of a bust, 0 to 1, with which dice can be thrown instead of a bank."""
        columns = range(self.win) if self.is_sure_to_bank else np.flatnonzero(self.bankable).tolist()
        return min((self.bust_chance_at_once(column) for column in columns if not self.spent[column]), default=0.0)

    def start_column(self, entered: bool) -> int:
        """Return the column in which a shot begins with fresh dice."""
        return self.start if entered else self.entry_start

    def plain_column(self, dice: int, *, entered: bool = True) -> int:
        """Return the column of this many dice with nothing kept before: where a shot begins that picks them up."""
        return self.find_column(ShotPosition(dice, entering=is_shot_split(self.ruleset) and not entered))

    def kept_columns(self, dice: int, *, entered: bool) -> list[int]:
        """Return the columns of this many dice in a shot that has kept some, the most usual one first; never empty.

        If possible that is one with nothing to prove, and with as few throws and sweeps as there can be.
        """
        sought = dice, is_shot_split(self.ruleset) and not entered
        columns = [
            column
            for column, position in enumerate(self.positions)
            if (position.left, position.entering) == sought and self.kept[column] and not self.spent[column]
        ]
        columns.sort(key=lambda column: (not self.bankable[column], self.positions[column]))
        return columns or [self.plain_column(dice, entered=entered)]

    @cached_property
    def _columns(self) -> dict[ShotPosition, int]:
        return {position: column for column, position in enumerate(self.positions)}

    def find_column(self, position: ShotPosition) -> int:
        """Return the column of a position; dice set aside that no longer matter are ignored."""
        if position in self._columns:
            return self._columns[position]
        return self._columns[replace(position, aside=(), aside_points=0)]

    def column_of(self, shot: Shot, *, entered: bool) -> int:
        """Return the column of a shot whose dice are about to be thrown, perhaps again."""
        position = position_of(self.ruleset, shot, entered=entered)
        bound = replace(position, bound=True)
        ways = (bound, replace(bound, aside=(), aside_points=0))
        return self.find_column(next((where for where in ways if where in self._columns), position))

    @cached_property
    def spent(self) -> Flags:
        """Whether no throw is left, so that the shot has to be banked (columns)."""
        most = self.ruleset.throws_most
        spent = [most > 0 and position.throws >= most for position in self.positions]
        return np.array(spent + [False] * len(self.ends))

    def bust_chance(self, column: int) -> float:
        """Return the chance, 0 to 1, that throwing from this column ends the shot with nothing, whatever its points.

        That is a bust or an elimination. All tries with the last die count together, and so do throws that have to be
        made again without points.
        """
        again = self.made_again.get(column, ())
        return self.bust_chance_at_once(column) + sum(chance * self.bust_chance(to) for chance, to in again)

    def bust_chance_at_once(self, column: int) -> float:
        """Return the same chance without the throws that are made again from columns of their own."""
        if column >= self.win or self.spent[column]:
            return 0.0
        layer, place = self.layer_of[column]
        return float(layer.bust[place] + layer.ends[place])

    @cached_property
    def made_again(self) -> dict[int, list[tuple[float, int]]]:
        """For each column, the throws after which the same dice have to be thrown again, from a column of their own.

        Of each the chance, 0 to 1, and that column. Throws that bring points are left out.
        """
        throws: dict[int, list[tuple[float, int]]] = {}
        bound = {column for column, position in enumerate(self.positions) if position.bound}
        for layer in self.layers if bound else ():
            for number in range(layer.weights.shape[1]):
                column = int(layer.choices[0, number])
                if column in bound:
                    place = int(layer.weights[:, number].argmax())
                    chance = float(layer.weights[place, number])
                    throws.setdefault(int(layer.columns[place]), []).append((chance, column))
        return throws

    @cached_property
    def layer_of(self) -> dict[int, tuple[Layer, int]]:
        """The layer of each position's column, and its place in the layer."""
        return {int(column): (layer, place) for layer in self.layers for place, column in enumerate(layer.columns)}


@lru_cache(maxsize=256)
def narrow_layers(graph: Graph, open_dice: frozenset[int]) -> tuple[Layer, ...]:
    """Return the layers of a shot that is thrown on only with these numbers of dice, and banked with all others.

    A throw then has fewer choices: the one with the most points of all that are banked, and the one with the most
    points of those that lead to the same column. This assumes that more points are never worse.
    """
    is_open = np.array([position.left in open_dice for position in graph.positions])

    def narrow(offered: list[int]) -> frozenset[int]:
        most: dict[int, tuple[int, int]] = {}
        for choice in offered:
            rise, column = divmod(choice, graph.width)
            kind = column if column >= graph.win or is_open[column] else -1
            most[kind] = max(most.get(kind, (0, 0)), (rise * graph.unit + int(graph.offsets[column]), choice))
        banks = [points for column, (points, _) in most.items() if column >= 0 and graph.bankable[column]]
        if -1 in most and most[-1][0] <= max(banks, default=-1):
            del most[-1]
        return frozenset(choice for _, choice in most.values())

    def narrow_layer(layer: Layer) -> Layer:
        chances: dict[frozenset[int], Floats] = {}
        for offered, weights in zip(layer.choices.T.tolist(), layer.weights.T, strict=True):
            few = narrow(offered)
            chances[few] = chances.get(few, 0.0) + weights
        lists = sorted(map(sorted, chances), key=len, reverse=True)
        choices, ranks = _lay_out_choices(lists)
        weights = np.array([chances[frozenset(offered)] for offered in lists]).reshape(-1, len(layer.columns)).T
        return replace(layer, choices=choices, ranks=ranks, weights=weights)

    return tuple(map(narrow_layer, graph.layers))


def counts_throws(ruleset: Ruleset) -> bool:
    """Return whether the number of throws orders all positions.

    With pick-up it does not, because what a bank leaves is worth what another shot makes of it.
    """
    return ruleset.throws_most > 0 and not ruleset.pick_up


# The chance, 0 to 1, of every set of choices that a throw can offer. A choice is a column and the rows that it rises
# by; the empty set is a bust.
_Classes = dict[frozenset[tuple[int, int]], float]


def build_graph(ruleset: Ruleset) -> Graph:
    """Build the graph of a ruleset; cached. Takes 10 to 50 ms, longer where much of a shot has to be remembered.

    Raises `NoBestPlay` where that would be far too much.
    """
    graph = _build_or_refuse(ruleset)
    if isinstance(graph, NoBestPlay):
        raise type(graph)(*graph.args)
    return graph


@lru_cache(maxsize=32)
def _build_or_refuse(ruleset: Ruleset) -> Graph | NoBestPlay:
    """Return the graph, or the error in its place: it takes as long to find, so it is cached as well."""
    try:
        return _build_graph(ruleset)
    except NoBestPlay as refused:
        return refused.with_traceback(None)  # which would keep alive what was built so far


def _build_graph(ruleset: Ruleset) -> Graph:
    reached = ShotPositions(ruleset)
    positions = reached.in_order()
    choices = [choice for outcomes in reached.outcomes.values() for offered in outcomes for choice in offered]
    ends = (WIN, *sorted({to for to, _ in choices if isinstance(to, ShotEnd) and to != WIN}))
    columns: dict[ShotPosition | ShotEnd, int] = {position: column for column, position in enumerate(positions)}
    columns |= {end: column for column, end in enumerate(ends, len(positions))}
    rises = {rise for _, rise in choices}
    begun = ruleset.pick_up_worth if isinstance(ruleset.pick_up_worth, int) else 0
    unit = gcd(begun, *rises) or 1
    steps = {rise // unit for rise in rises if rise}
    classes: list[_Classes] = [
        {
            frozenset((columns[target], rise // unit) for target, rise in offered): chance
            for offered, chance in reached.outcomes[position].items()
        }
        for position in positions
    ]
    never = [False] * len(ends)
    start, entry_start = (columns[start_position(ruleset, entered=entered)] for entered in (True, False))
    retries = {columns[position]: columns[bound] for position, bound in reached.retries.items()}
    at_target = [reached.banks_at_target.get(position, False) for position in positions]
    kept = {replace(position, aside=(), aside_points=0) for position in reached.banks}
    group = partial(_group_columns, classes, rows_matter=not counts_throws(ruleset))
    by_dice, joined = group(_depend_on_offers(ruleset, positions)), group({})
    if len(positions) > LAYER_MOST:
        by_dice = _part_by_dice(by_dice, positions)
    build = partial(_build_layer, classes=classes, width=len(columns), retries=retries)
    return Graph(
        ruleset,
        unit,
        positions,
        ends,
        tuple(map(build, by_dice)),
        min(steps, default=1),
        max(steps, default=1),
        start,
        entry_start,
        np.array([reached.may_bank(position) for position in positions] + never, dtype=bool),
        np.array(at_target + never, dtype=bool),
        np.array([position in kept for position in positions] + never, dtype=bool),
        tuple(map(build, joined)),
    )


def _depend_on_offers(ruleset: Ruleset, positions: tuple[ShotPosition, ...]) -> dict[int, int]:
    """Return, for each column where a bank leaves dice to pick up, the other column that has to be valued first.

    Positions whose throw is made again are left out: they have no bank, and the other column leads to them.
    """
    if not ruleset.pick_up:
        return {}
    pairs = ((column, position.left - 1) for column, position in enumerate(positions) if not position.bound)
    return {column: offer for column, offer in pairs if column != offer}


def _group_columns(classes: list[_Classes], before: Mapping[int, int], *, rows_matter: bool) -> list[list[int]]:
    """Group the columns so that each comes after the columns that have to be valued first.

    Those are the columns that its choices lead to without a rise (with any rise unless `rows_matter`), and the one in
    `before`. Columns in which no throw is left make groups of their own.
    """
    sorter, groups = TopologicalSorter[int](), list[list[int]]()
    for column, lists in enumerate(classes):
        earlier = {to for offered in lists for to, rise in offered if to < len(classes) and not (rise and rows_matter)}
        sorter.add(column, *earlier, *([before[column]] if column in before else ()))
    sorter.prepare()
    while sorter:
        ready = sorted(sorter.get_ready())
        groups += [[column for column in ready if (not classes[column]) == spent] for spent in (True, False)]
        sorter.done(*ready)
    return [group for group in groups if group]


def _part_by_dice(groups: list[list[int]], positions: tuple[ShotPosition, ...]) -> list[list[int]]:
    """Split the groups by the number of dice, because positions with different numbers have no throw in common."""
    return [
        [column for column in group if positions[column].left == left]
        for group in groups
        for left in sorted({positions[column].left for column in group})
    ]


def _build_layer(columns: list[int], classes: list[_Classes], width: int, retries: Mapping[int, int]) -> Layer:
    """Build the arrays of one layer; the classes with the most choices come first."""
    own = [
        (place, key, chance) for place, column in enumerate(columns) for key, chance in classes[column].items() if key
    ]
    own.sort(key=lambda entry: -len(entry[1]))
    weights = np.zeros((len(columns), len(own)))
    for number, (place, _, chance) in enumerate(own):
        weights[place, number] = chance
    lists = [[rise * width + column for column, rise in sorted(key)] for _, key, _ in own]
    choices, ranks = _lay_out_choices(lists)
    return Layer(
        columns=np.array(columns, dtype=np.intp),
        choices=choices,
        ranks=ranks,
        weights=weights,
        bust=np.array([classes[column].get(frozenset(), 0.0) for column in columns]),
        ends=np.array([_chance_of_ends(classes[column], len(classes)) for column in columns]),
        retries=np.array([retries.get(columns[place], -1) for place, _, _ in own] if retries else [], dtype=np.intp),
    )


def _lay_out_choices(lists: list[list[int]]) -> tuple[Indices, tuple[Indices, ...]]:
    """Return `Layer.choices` and `Layer.ranks` of classes with these choices; `lists`: the longest first."""
    most = len(lists[0]) if lists else 0
    choices = [[offered[min(k, len(offered) - 1)] for offered in lists] for k in range(most)]
    ranks = ([offered[k] for offered in lists if len(offered) > k] for k in range(most))
    return np.array(choices, dtype=np.intp), tuple(np.array(rank, dtype=np.intp) for rank in ranks)


def _chance_of_ends(classes: _Classes, win: int) -> float:
    """Return the chance, 0 to 1, of the ends that are not chosen: busts that cost points, and eliminations."""
    return sum(chance for offered, chance in classes.items() if offered and min(offered)[0] > win)
