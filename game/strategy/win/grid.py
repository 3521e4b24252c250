"""The table of chances while it is solved: at every place, or at the nodes of a coarse grid with lines between them."""

from __future__ import annotations

from dataclasses import dataclass

from game.strategy.arrays import Floats, Indices, np
from game.strategy.win.partner import share_values
from game.strategy.win.race import Race

# This number, divided by the square of the grid's step, is how many places next to the target are all nodes; but at
# most a quarter of all places are.
NEAR_PLACES = 225


@dataclass(frozen=True, eq=False)
class ScorePairs:
    """Pairs of scores side by side: the planes, and the places of the player to move and of the other player.

    The other player may be at the target.
    """

    plane: Indices
    own: Indices
    other: Indices

    def part(self, places: Indices) -> ScorePairs:
        """Return some of the pairs."""
        return ScorePairs(self.plane[places], self.own[places], self.other[places])


@dataclass(frozen=True, eq=False)
class Grid:
    """The table while it is being solved.

    `nodes`: the places that are solved. `chances`, `slopes` (planes x nodes x nodes): those of the nodes. `busts` (same
    shape): the values of a bust with which they were solved, where several busts in a row cost points; -1 where it is
    not known. `table` (planes x places x places): the chances at all places; if all are nodes it is `chances` itself.
    """

    nodes: Indices
    chances: Floats
    slopes: Floats
    busts: Floats
    table: Floats

    @classmethod
    def of(cls, race: Race, step: int) -> Grid:
        """Make a grid of which nothing is solved yet, with nodes that are `step` places apart.

        The first and last places of players who have not entered, and of those who have, are nodes as well. So is every
        place next to the target: chances bend most there, at each score that needs one more bank of the minimum.
        """
        size, first = race.places, race.entry_places
        near = max(first, size - min(NEAR_PLACES // step**2, size // 4))
        nodes = np.unique(np.r_[0:first:step, first - 1, first:size:step, near:size, size - 1])
        table = share_values((race.planes, size, size), np.float64, 0.5)
        chances = table if len(nodes) == size else np.full((race.planes, len(nodes), len(nodes)), 0.5)
        return cls(nodes, chances, np.full(chances.shape, 0.3), np.full(chances.shape, -1.0), table)

    def find_free_sums(self, race: Race) -> int:
        """Return how many neighbouring sums of nodes can be solved together, because every bank leads beyond them."""
        least = max(min(race.least, race.entry), 1)
        after = np.searchsorted(self.nodes, self.nodes + least, side="right") - 1 - np.arange(len(self.nodes))
        return max(int(after[self.nodes + least < self.nodes[-1]].min(initial=len(self.nodes))), 1)

    def places(self, pairs: ScorePairs) -> ScorePairs:
        """Return pairs of nodes as pairs of places."""
        return ScorePairs(pairs.plane, self.nodes[pairs.own], self.nodes[pairs.other])

    def spread(self, pairs: ScorePairs) -> None:
        """Write the chances of these pairs into the table, with the lines to the next node of the other score."""
        if self.table is self.chances:
            return
        last = len(self.nodes) - 1
        own, here = self.nodes[pairs.own], self.nodes[pairs.other]
        after = np.minimum(pairs.other + 1, last)
        width = np.maximum(self.nodes[after] - here, 1)
        at, ahead = self.chances[pairs.plane, pairs.own, pairs.other], self.chances[pairs.plane, pairs.own, after]
        for further in range(int(width.max())):
            inside = further < width
            value = at + (ahead - at) * further / width
            self.table[pairs.plane[inside], own[inside], here[inside] + further] = value[inside]

    def finish(self) -> Floats:
        """Return the whole table, filled with the lines between the nodes of both scores."""
        if self.table is not self.chances:
            span = np.arange(self.table.shape[-1])
            for own, node in enumerate(self.nodes):
                self.table[:, node] = [np.interp(span, self.nodes, chances) for chances in self.chances[:, own]]
            for low, high in zip(self.nodes, self.nodes[1:], strict=False):
                for own in range(low + 1, high):
                    share = (own - low) / (high - low)
                    self.table[:, own] = (1 - share) * self.table[:, low] + share * self.table[:, high]
        return self.table
