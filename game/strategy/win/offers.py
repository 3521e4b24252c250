"""What it is worth to pick up the dice that the other player left, for every pair of scores.

An offer is another start in the plane of the same pair of scores: whoever picks up stands where a shot of their own
would stand with this many points and dice. So nothing is solved a second time; what throwing is worth there is kept of
the shot that is solved for the pair anyway, less what beginning with fresh dice is worth, and never below 0.
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

# Stored tables count gains in steps of this size.
QUANTUM = 2.0**-14
# About as many numbers of points on offer are told apart on a coarse grid where they matter for what a bust costs.
POINTS_TOLD = 8
# More points than anybody offers, in rows.
MOST_POINTS = 2**31


class Offers:
    """What picking up adds to the chance to win, by who picks up, both scores, the points and the dice on offer.

    `gains` (kinds x entries x dice), in multiples of `quantum`: the kinds are those of `Race.offer_kind`, the entries
    those of `find_entries`. On a coarse grid only the `nodes` have entries; the places between take those of
    the node below.
    """

    def __init__(self, race: Race, nodes: Indices) -> None:
        self.race, self.nodes = race, nodes
        self.worth = race.offer_worth
        is_coarse = len(nodes) < race.places
        banked = np.maximum(nodes - race.entry_places, 0)
        # Nobody can have banked more points than their score, counted from the lowest place.
        self.most = np.minimum(banked, 1) if self.worth else banked
        self.begins = np.append(0, np.cumsum(len(nodes) * self.most))
        shape = (race.offer_kinds, int(self.begins[-1]), race.graph.ruleset.dice)
        # Where scores can fall, chances are known to 1e-6, and several kinds of players take as much room.
        self.gains: NDArray[Any] = share_values(shape, np.float32 if race.may_fall else np.float64, 0.0)
        self.quantum = 1.0
        # Where a bust costs what the shot gathers beyond the points on offer, these numbers of them, in rows, begin a
        # shot of their own; on a coarse grid those between do as the one below.
        every = np.arange(1, int(self.most.max(initial=0)) + 1)
        few = np.unique(np.geomspace(1, max(len(every), 1), POINTS_TOLD).astype(np.intp))
        self.apart = few if is_coarse else every

    def find_entries(self, own: Indices, other: Indices, points: Indices) -> Indices:
        """Return the entries for the places of who picks up (`own`) and of who left this many points, in rows."""
        mine, theirs = self._node_below(own), self._node_below(other)
        kept = np.clip(points, 1, np.maximum(self.most[theirs], 1))
        entries = self.begins[theirs] + mine * self.most[theirs] + kept - 1
        inside: Indices = np.minimum(entries, self.gains.shape[1] - 1)
        return inside

    def _node_below(self, places: Indices) -> Indices:
        below: Indices = np.searchsorted(self.nodes, places, side="right") - 1
        return below

    def most_points(self, other: Indices) -> Indices:
        """Return how many points, in rows, these players have banked at most; 1 where all offers are worth the same."""
        most: Indices = self.most[self._node_below(other)]
        return most

    def picks_up(self, pairs: ScorePairs) -> Flags:
        """Return where the player to move may pick up; who has left dice has no busts in a row."""
        race = self.race
        by_all = race.graph.ruleset.pick_up_by == "all"
        picks_up: Flags = (race.has_entered(pairs.own) | by_all) & (pairs.plane % race.streaks == 0)
        return picks_up & (self.most_points(pairs.other) > 0)

    def write_gains(
        self, pairs: ScorePairs, shots: ShotValues, fresh: Floats, points: tuple[int, int] = (1, MOST_POINTS)
    ) -> None:
        """Note what picking up adds for these pairs, by their shots; `fresh`: what beginning with fresh dice is worth.

        `points`: from how many to how many, in rows, are on offer.
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
        """Return what picking up adds, by places and points as in `find_entries`, with the dice as a last axis."""
        entries = self.race.offer_kind(plane) * self.gains.shape[1] + self.find_entries(own, other, points)
        gains: Floats = self.gains.reshape(-1, self.gains.shape[-1]).take(entries, axis=0) * self.quantum
        return gains

    def cut(self, race: Race) -> Offers:
        """Return those of a race to a smaller target, without those of a player who has not entered."""
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
        """Return the gains to `QUANTUM`, as differences of neighbours, for a file that is a tenth as long."""
        kinds, entries, dice = self.gains.shape
        packed = np.empty((2, kinds, dice, entries), dtype=np.uint8)
        for kind, inside, shape in self._list_blocks():  # one after the other: together they can be hundreds of MB
            counts = np.rint(self.gains[kind, inside] * (self.quantum / QUANTUM)).astype(np.uint16)
            block = counts.reshape(shape)
            block[1:] -= block[:-1].copy()
            block[:, 1:] -= block[:, :-1].copy()
            packed[:, kind, :, inside] = counts.T & 255, counts.T >> 8
        return packed

    def unpack_gains(self, packed: NDArray[np.uint8]) -> NDArray[np.uint16]:
        """Return what `pack_gains` made of others to the same target, in multiples of `QUANTUM`, to be taken over."""
        counts = np.empty(self.gains.shape, dtype=np.uint16)
        for kind, inside, shape in self._list_blocks():
            low, high = packed[:, kind, :, inside].astype(np.uint16)
            block = (low + high * np.uint16(256)).T.reshape(shape)
            np.cumsum(block, axis=1, dtype=np.uint16, out=block)
            np.cumsum(block, axis=0, dtype=np.uint16, out=block)
            counts[kind, inside] = block.reshape(-1, shape[-1])
        return counts

    def take_gains(self, counts: NDArray[np.uint16]) -> None:
        """Take over gains, in multiples of `QUANTUM`."""
        self.gains, self.quantum = counts, QUANTUM

    def _list_blocks(self) -> Iterator[tuple[int, slice, tuple[int, int, int]]]:
        """List the kinds and entries of the gains for each other node, and their shape: own nodes, points and dice."""
        for kind in range(len(self.gains)):
            for node, most in enumerate(self.most.tolist()):
                if most:
                    inside = slice(int(self.begins[node]), int(self.begins[node + 1]))
                    yield kind, inside, (len(self.nodes), most, self.gains.shape[-1])


def values_of_offers(
    race: Race, endgame: Endgame, role: Indices, lead: Indices, points: Indices, entered: Flags
) -> Floats:
    """Return the chances of a last shot that begins with the dice on offer (… x dice).

    `role` of who picks up, and whether they have `entered`; `lead` of the other player and
    `points` on offer, in rows.
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
        # Where more points or a larger lead have no place, both are taken to be less: then as much is missing.
        _, leads, most, _ = endgame.behind.shape
        kept = np.ones_like(points) if race.offer_worth else points
        beyond = np.maximum(np.maximum(lead - leads + 1, kept - most), 0)
        near, kept = np.clip(lead - beyond, 0, leads - 1), np.clip(kept - beyond, 1, most)
        behind = endgame.behind[entered.astype(np.intp), near, kept - 1]
        chances = np.where(np.asarray(role == 1)[..., None], behind, chances)
    return chances
