"""What it is worth to pick up the dice that the other player left, for every pair of scores.

An offer is another way to begin at the same pair of scores: whoever picks up is where their own shot would be with this
many points and dice. So nothing has to be solved a second time. The values of throwing there are taken from the shot
that is solved for the pair anyway; less the value of beginning with fresh dice, and never below 0, they are the gains.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from game.strategy.arrays import Flags, Floats, Indices, NDArray, np
from game.strategy.win.endgame import Endgame
from game.strategy.win.grid import ScorePairs
from game.strategy.win.partner import share_values
from game.strategy.win.race import Race
from game.strategy.win.shot_values import ShotValues

# Stored tables count gains in multiples of this.
QUANTUM = 2.0**-14
# On a coarse grid about this many numbers of points on offer are told apart, where they matter for what a bust costs.
POINTS_TOLD = 8
# More points than anybody offers, in rows.
MOST_POINTS = 2**31


class Offers:
    """What picking up adds to the chance to win, by who picks up, both scores, and the points and dice on offer.

    `gains` (kinds x entries x dice), in multiples of `quantum`: the kinds are those of `Race.offer_kind`, the entries
    those of `find_entries`. On a coarse grid (`is_coarse`) only the `nodes` have entries, and the places between use
    those of the node below.
    """

    def __init__(self, race: Race, nodes: Indices) -> None:
        self.race, self.nodes = race, nodes
        self.worth = race.offer_worth
        self.is_coarse = len(nodes) < race.places
        banked = np.maximum(nodes - race.entry_places, 0)
        # Nobody can have just banked more points than their score, counted from the lowest place.
        self.most = np.minimum(banked, 1) if self.worth else banked
        self.begins = np.append(0, np.cumsum(len(nodes) * self.most))
        # Where the first bank ends the game there is no offer, but the gains are read nonetheless.
        shape = (race.offer_kinds, max(int(self.begins[-1]), 1), race.graph.ruleset.dice)
        # Where scores can fall, chances are known only to 1e-6, and each of several kinds of players needs this memory.
        self.gains: NDArray[Any] = share_values(shape, np.float32 if race.may_fall else np.float64, 0.0)
        self.quantum = 1.0
        # Where a bust costs what the shot gathers beyond the points on offer, a shot is solved for each of these
        # numbers of points, in rows; on a coarse grid the numbers between use the shot of the one below.
        every = np.arange(1, max(int(self.most.max()), 1) + 1)
        few = np.unique(np.geomspace(1, len(every), POINTS_TOLD).astype(np.intp))
        self.apart = few if self.is_coarse else every

    def find_entries(self, own: Indices, other: Indices, points: Indices) -> Indices:
        """Return the entries for the places of the player who picks up and of the other, who left the dice.

        `points`: those that the other player banked, in rows.
        """
        mine, theirs = self._node_below(own), self._node_below(other)
        kept = np.clip(points, 1, np.maximum(self.most[theirs], 1))
        entries = self.begins[theirs] + mine * self.most[theirs] + kept - 1
        inside: Indices = np.minimum(entries, self.gains.shape[1] - 1)
        return inside

    def _node_below(self, places: Indices) -> Indices:
        return np.searchsorted(self.nodes, places, side="right") - 1

    def most_points(self, other: Indices) -> Indices:
        """Return the most points, in rows, that these players can have just banked; 1 if all offers are alike."""
        return self.most[self._node_below(other)]

    def picks_up(self, pairs: ScorePairs) -> Flags:
        """Return in which pairs the player to move may pick up; the other has just banked, so has no busts in a row."""
        race = self.race
        by_all = race.graph.ruleset.pick_up_by == "all"
        picks_up: Flags = (race.has_entered(pairs.own) | by_all) & (pairs.plane % race.streaks == 0)
        return picks_up & (self.most_points(pairs.other) > 0)

    def write_gains(
        self, pairs: ScorePairs, shots: ShotValues, fresh: Floats, points: tuple[int, int] = (1, MOST_POINTS)
    ) -> None:
        """Write the gains of these pairs, from the values of their `shots`.

        `fresh`: the values of beginning with fresh dice. `points`: the fewest and the most points on offer, in rows.
        """
        if shots.thrown is None:
            return
        race = self.race
        nodes, kinds = self._node_below(pairs.other), race.offer_kind(pairs.plane)
        entered = race.has_entered(pairs.own).tolist()
        by_pair = {
            has_entered: np.ascontiguousarray(shots.thrown[:, race.plain_columns(has_entered)].transpose(2, 0, 1))
            for has_entered in set(entered)
        }
        for pair in np.flatnonzero(self.picks_up(pairs)).tolist():
            mine, theirs = int(pairs.own[pair]), int(nodes[pair])
            most = int(self.most[theirs])
            offered = np.arange(points[0], min(points[1], most) + 1)
            scores = race.score_at(np.array(mine)) + (np.full_like(offered, self.worth) if self.worth else offered)
            values = by_pair[entered[pair]][pair].take(
                np.minimum(scores - shots.first[pair], len(shots.thrown) - 1), axis=0
            )
            gains = np.maximum(values - fresh[pair], 0.0)
            if race.is_exact:
                gains[scores >= race.target] = 0.0
            begin = int(self.begins[theirs]) + int(self._node_below(np.array(mine))) * most + points[0] - 1
            self.gains[kinds[pair], begin : begin + len(offered)] = gains

    def read_gains(self, plane: Indices, own: Indices, other: Indices, points: Indices) -> Floats:
        """Return the gains (… x dice), as chances, for places and points as in `find_entries`."""
        entries = self.race.offer_kind(plane) * self.gains.shape[1] + self.find_entries(own, other, points)
        gains: Floats = self.gains.reshape(-1, self.gains.shape[-1]).take(entries, axis=0) * self.quantum
        return gains

    def cut(self, race: Race) -> Offers:
        """Return the offers of a race to a smaller target, without the gains for players who have not entered.

        Not for a coarse grid, whose nodes are elsewhere on the way to another target.
        """
        smaller = Offers(race, np.arange(race.target + 1))
        smaller.quantum = self.quantum
        shorter, size = self.race.target - race.target, len(self.nodes)
        for place in range(2, len(smaller.nodes)):
            most, larger = int(smaller.most[place]), int(self.most[place + shorter])
            begin = int(self.begins[place + shorter])
            block = self.gains[:, begin : begin + size * larger].reshape(len(self.gains), size, larger, -1)
            goal = smaller.gains[:, smaller.begins[place] : smaller.begins[place + 1]]
            goal.reshape(len(goal), -1, most, goal.shape[-1])[:, 1:] = block[:, 1 + shorter :, :most]
        return smaller

    def pack_gains(self) -> NDArray[np.uint8]:
        """Return the gains rounded to `QUANTUM`, as differences of neighbours, which make a file a tenth as long."""
        kinds, entries, dice = self.gains.shape
        packed = np.zeros((2, kinds, dice, entries), dtype=np.uint8)
        for kind, inside, shape in self._list_blocks():  # one after the other: together they can be hundreds of MB
            counts = np.rint(self.gains[kind, inside] * (self.quantum / QUANTUM)).astype(np.uint16)
            block = counts.reshape(shape)
            block[1:] -= block[:-1].copy()
            block[:, 1:] -= block[:, :-1].copy()
            packed[:, kind, :, inside] = counts.T & 255, counts.T >> 8
        return packed

    def unpack_gains(self, packed: NDArray[np.uint8]) -> NDArray[np.uint16]:
        """Return gains that `pack_gains` packed for the same target, in multiples of `QUANTUM`."""
        counts = np.zeros(self.gains.shape, dtype=np.uint16)
        for kind, inside, shape in self._list_blocks():
            low, high = packed[:, kind, :, inside].astype(np.uint16)
            block = (low + high * np.uint16(256)).T.reshape(shape)
            np.cumsum(block, axis=1, dtype=np.uint16, out=block)
            np.cumsum(block, axis=0, dtype=np.uint16, out=block)
            counts[kind, inside] = block.reshape(-1, shape[-1])
        return counts

    def _list_blocks(self) -> Iterator[tuple[int, slice, tuple[int, int, int]]]:
        """Yield, for each kind and each node of the other player, the entries of the gains and the shape of the block.

        The shape is (own nodes, points, dice).
        """
        for kind in range(len(self.gains)):
            for node, most in enumerate(self.most.tolist()):
                if most:
                    inside = slice(int(self.begins[node]), int(self.begins[node + 1]))
                    yield kind, inside, (len(self.nodes), most, self.gains.shape[-1])


def values_of_offers(
    race: Race, endgame: Endgame, role: Indices, lead: Indices, points: Indices, entered: Flags
) -> Floats:
    """Return the chances to win of a last shot that begins with the dice on offer (… x dice).

    `role`, `entered`: those of the player who picks up. `lead`: that of the other player, in rows. `points`: those on
    offer, in rows.
    """
    least = np.where(entered, 0 if race.is_exact else race.least, race.entry)
    missing = lead if race.is_exact else np.maximum(lead, least - 1)
    missing = np.clip(missing - (race.offer_worth or points), 0, endgame.taken.shape[-1] - 1)
    ties = (lead >= least).astype(np.intp)
    by_missing = endgame.taken.swapaxes(-1, -2)
    where = np.broadcast_arrays(role, entered.astype(np.intp), ties, missing)
    flat = np.ravel_multi_index(tuple(where), by_missing.shape[:-1])
    chances: Floats = by_missing.reshape(-1, by_missing.shape[-1]).take(flat, axis=0)
    if endgame.knows_ties:
        # Points or leads too large to have a place are both reduced by the same amount, so as many are still missing.
        _, leads, most, _ = endgame.behind.shape
        kept = np.ones_like(points) if race.offer_worth else points
        beyond = np.maximum(np.maximum(lead - leads + 1, kept - most), 0)
        near, kept = np.clip(lead - beyond, 0, leads - 1), np.clip(kept - beyond, 1, most)
        behind = endgame.behind[entered.astype(np.intp), near, kept - 1]
        chances = np.where(np.asarray(role == 1)[..., None], behind, chances)
    return chances
