"""Every choice of every throw as arrays, so that thousands of games can be played in parallel."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from game.rules import Dice, Ruleset
from game.rules.ruleset import DICE
from game.rules.scoring import all_throws, keeps, points_gained
from game.strategy.arrays import Flags, Hashes, Indices, np
from game.strategy.computers.policy import encode_dice, find_straights, holds_straight
from game.strategy.turn.graph import Graph, build_graph
from game.strategy.turn.positions import ShotPosition, position_after


@dataclass(frozen=True, eq=False)
class ChoiceArrays:
    """The choices of all throws, one throw after the other.

    Each throw from each column of the graph has a slot: `first_slot` of the column, plus the place of its sorted dice
    among all throws of this many dice. For each slot: `start` and `count`, the first of its choices and their number (0
    for a bust); `dice`, a number that stands for the throw. For each choice: `to`, the column that it leads to; `rise`,
    the points that it adds to the shot; `kept`, a number that stands for the dice kept; `whole`, whether it breaks up
    no straight.
    """

    graph: Graph
    first_slot: Indices
    start: Indices
    count: Indices
    dice: Indices
    to: Indices
    rise: Indices
    kept: Indices
    whole: Flags

    @property
    def left(self) -> Indices:
        """The number of dice thrown from each column."""
        return np.array([position.left for position in self.graph.positions], dtype=np.intp)

    def slots(self, columns: Indices, numbers: Hashes) -> Indices:
        """Return the slots of the throws that these random numbers make from these columns."""
        left = self.left[columns]
        ordered = (numbers % (6**left).astype(np.uint64)).astype(np.intp)
        # The ordered throws of one die, of two, and so on stand one after the other.
        slots: Indices = self.first_slot[columns] + _place_sorted()[(6**left - 6) // 5 + ordered]
        return slots


@cache
def _place_sorted() -> Indices:
    """Return, for all ordered throws of 1 to 6 dice, the place of the sorted dice among all throws of this many.

    The dice of ordered throw n are the digits of n to the base 6, the lowest first.
    """
    places = []
    for count in range(1, DICE + 1):
        codes = np.array([encode_dice(throw) for throw in all_throws(count)])
        dice = np.sort(np.arange(6**count)[:, None] // 6 ** np.arange(count) % 6 + 1, axis=1)
        places.append(np.searchsorted(codes, dice @ 7 ** np.arange(count)[::-1]))
    return np.concatenate(places).astype(np.intp)


@lru_cache(maxsize=8)
def build_choice_arrays(ruleset: Ruleset) -> ChoiceArrays:
    """Build the choices under a ruleset. Takes some 20 ms, more where dice set aside matter; cached."""
    graph = build_graph(ruleset)
    throws = [(position, throw) for position in graph.positions for throw in all_throws(position.left)]
    choices = [list(_list_choices(graph, position, throw)) for position, throw in throws]
    sizes = [sum(1 for _ in all_throws(position.left)) for position in graph.positions]
    count = np.array([len(offered) for offered in choices], dtype=np.intp)
    flat = np.array([choice for offered in choices for choice in offered], dtype=np.intp).reshape(-1, 4)
    return ChoiceArrays(
        graph,
        first_slot=np.cumsum([0, *sizes[:-1]], dtype=np.intp),
        start=np.cumsum(count) - count,
        count=count,
        dice=np.array([encode_dice(throw) for _, throw in throws], dtype=np.intp),
        to=flat[:, 0],
        rise=flat[:, 1],
        kept=flat[:, 2],
        whole=flat[:, 3].astype(bool),
    )


def _list_choices(graph: Graph, position: ShotPosition, throw: Dice) -> Iterator[tuple[int, int, int, bool]]:
    """Yield `to`, `rise`, `kept` and `whole` of every choice of a throw."""
    offered = keeps(graph.ruleset, throw, position.aside, position.aside_points)
    straights = find_straights(graph.ruleset, throw)
    can_hold = any(holds_straight(keep.dice, straights) for keep in offered)
    for keep in offered:
        column = graph.win if keep.wins else graph.find_column(position_after(graph.ruleset, position, keep))
        whole = not can_hold or holds_straight(keep.dice, straights)
        yield column, points_gained(keep, position.aside_points), encode_dice(keep.dice), whole
