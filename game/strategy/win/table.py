"""The table of the chance to win for two players, solved from the end of the game to its beginning.

W[role, own, other] is the chance of the player to move at the start of a shot. A place on the axes of scores is 0 for
a player who has not entered, and 1 + score / unit for one who has. A bank leads to a larger sum of places, so the
table is solved by falling sum. Within a sum two chances depend on each other, because a bust hands the dice over:
W(a, b) = F(1 - W(b, a)), where F, the worth of a shot by what a bust is worth, is convex and rises with a slope below
1 (the chance of a bust). Newton's method on both, with slopes from the values themselves, settles in two or three
rounds; slopes are kept between 0 and SLOPE_MOST.

On a coarse grid only some places, its nodes, are solved; what a bank to a score between two nodes is worth is read off
the straight line between them. With nodes ten places apart that takes two to five seconds and is off by some
thousandths, next to the target by some hundredths.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from game.strategy.turn.graph import Floats, Graph, Places
from game.strategy.win.ends import Ends, Race, fill_plane, solve_endgame

# Where a guess is that near, the next value is nearer than the square of it.
NEAR = 1e-7
ROUNDS_MOST = 12
SLOPE_MOST = 0.999
# So many pairs of scores are valued side by side.
LANES = 48

ProgressCallback = Callable[[float], None]


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of scores side by side: the places of the player to move and of the other, who may be at the target."""

    role: int
    own: Places
    other: Places

    def part(self, places: slice) -> Pairs:
        """Some of the pairs."""
        return Pairs(self.role, self.own[places], self.other[places])


@dataclass(frozen=True, eq=False)
class Grid:
    """The table while it is solved. `nodes`: the places that are solved, `chances` and `slopes` (roles x nodes x nodes)
    theirs, and `table` (roles x places x places) with what lies between; with every place a node it is `chances`.
    """

    nodes: Places
    chances: Floats
    slopes: Floats
    table: Floats

    @classmethod
    def of(cls, race: Race, step: int) -> Grid:
        """Nothing solved yet. Place 0, of who has not entered, is a node in any case, and so are both ends."""
        size = race.target + 1
        nodes = np.unique(np.append(np.arange(1, size, step), (0, size - 1)))
        chances = np.full((race.roles, len(nodes), len(nodes)), 0.5)
        table = chances if len(nodes) == size else np.full((race.roles, size, size), 0.5)
        return cls(nodes, chances, np.full(chances.shape, 0.3), table)

    def places(self, pairs: Pairs) -> Pairs:
        """The places of pairs of nodes."""
        return Pairs(pairs.role, self.nodes[pairs.own], self.nodes[pairs.other])

    def spread(self, pairs: Pairs) -> None:
        """Write what changed for these pairs into the table, and on the lines to the next node of the other score."""
        if self.table is self.chances:
            return
        chances, last = self.chances[pairs.role], len(self.nodes) - 1
        own, here = self.nodes[pairs.own], self.nodes[pairs.other]
        after = np.minimum(pairs.other + 1, last)
        width = np.maximum(self.nodes[after] - here, 1)
        at, ahead = chances[pairs.own, pairs.other], chances[pairs.own, after]
        for further in range(int(width.max())):
            inside = further < width
            value = at + (ahead - at) * further / width
            self.table[pairs.role, own[inside], here[inside] + further] = value[inside]

    def finish(self) -> Floats:
        """The whole table, with the lines between the own scores of the nodes as well."""
        if self.table is not self.chances:
            for low, high in zip(self.nodes, self.nodes[1:], strict=False):
                for own in range(low + 1, high):
                    share = (own - low) / (high - low)
                    self.table[:, own] = (1 - share) * self.table[:, low] + share * self.table[:, high]
        return self.table


def solve_race(race: Race, on_progress: ProgressCallback | None = None, step: int = 1) -> Floats:
    """The table of a race (roles x places x places). `told` hears the share that is done, 0 to 1.

    `step`: how many places apart the nodes are; 1 solves every place.
    """
    ends = solve_endgame(race)
    grid = Grid.of(race, step)
    last = len(grid.nodes) - 1
    for total in range(2 * last, -1, -1):
        _solve_sum(race, ends, grid, total)
        if on_progress:
            on_progress(1 - (total / last) ** 2 / 2 if total <= last else (2 - total / last) ** 2 / 2)
    return grid.finish()


def _solve_sum(race: Race, ends: Ends, grid: Grid, total: int) -> None:
    """Solve all pairs of nodes with this sum."""
    table, slopes = grid.chances, grid.slopes
    size = len(grid.nodes)
    own = np.arange(max(0, total - size + 1), min(total, size - 1) + 1)
    sides = [Pairs(role, own, total - own) for role in range(race.roles)]
    for side in sides:
        table[side.role, side.own, side.other] = _guess(table, side)
        slopes[side.role, side.own, side.other] = _guess_slope(slopes, side)
    open_lanes = np.ones((race.roles, len(own)), dtype=bool)
    before: list[tuple[Floats, Floats]] = []
    for _ in range(ROUNDS_MOST):
        for side in sides:
            grid.spread(side)
        bust = np.array([1 - table[race.other(side.role), side.other, side.own] for side in sides])
        value = _value_all(race, ends, grid, sides, bust, open_lanes, before)
        slope = np.array([slopes[side.role, side.own, side.other] for side in sides])
        if before:
            slope = _better_slope(slope, before[-1], (bust, value))
        settled = _meet(race, sides, table, bust, value, slope)
        for side in sides:
            slopes[side.role, side.own, side.other] = slope[side.role]
        before.append((bust, value))
        open_lanes = settled > NEAR
        if not open_lanes.any():
            break
    for side in sides:
        grid.spread(side)


def _value_all(
    race: Race,
    ends: Ends,
    grid: Grid,
    sides: list[Pairs],
    bust: Floats,
    open_lanes: np.ndarray[tuple[int, ...], np.dtype[np.bool_]],
    before: list[tuple[Floats, Floats]],
) -> Floats:
    """The worth of a shot for all pairs of a sum; those that are settled keep the value they had."""
    value = before[-1][1].copy() if before else np.zeros(bust.shape)
    for side in sides:
        for places in _slices(open_lanes[side.role]):
            pairs = grid.places(side.part(places))
            value[side.role, places] = shot_values(race, ends, grid.table, pairs, bust[side.role, places])
    return value


def _slices(wanted: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Iterator[slice]:
    """Stretches of at most LANES places in which something is wanted."""
    for first in range(0, len(wanted), LANES):
        found = np.flatnonzero(wanted[first : first + LANES])
        if len(found):
            yield slice(first + int(found[0]), first + int(found[-1]) + 1)


def _better_slope(slope: Floats, before: tuple[Floats, Floats], now: tuple[Floats, Floats]) -> Floats:
    """The slope between two values, where they are far enough apart to tell."""
    run, rise = now[0] - before[0], now[1] - before[1]
    tells = np.abs(run) > NEAR / 100
    better: Floats = np.where(tells, np.clip(rise / np.where(tells, run, 1.0), 0.0, SLOPE_MOST), slope)
    return better


def _meet(race: Race, sides: list[Pairs], table: Floats, bust: Floats, value: Floats, slope: Floats) -> Floats:
    """Write where the two lines of pairs that depend on each other meet; returns how far a bust was off there."""
    constant = value + slope * (1 - bust)
    away = np.zeros(bust.shape)
    for side in sides:
        other = race.other(side.role)
        # On an antidiagonal the pair with the places exchanged is found from the other end.
        theirs, their_slope = constant[other, ::-1], slope[other, ::-1]
        mine = slope[side.role]
        chance = (constant[side.role] - mine * theirs) / (1 - mine * their_slope)
        table[side.role, side.own, side.other] = np.clip(chance, 0.0, 1.0)
    for side in sides:
        now = 1 - table[race.other(side.role), side.other, side.own]
        away[side.role] = np.abs(now - bust[side.role])
    return away


def _guess(table: Floats, side: Pairs) -> Floats:
    """What the chances will be about, by those of the larger sums."""
    plane, last = table[side.role], table.shape[1] - 1
    up, right = np.minimum(side.own + 1, last), np.minimum(side.other + 1, last)
    guess = plane[up, side.other] + plane[side.own, right] - plane[up, right]
    inside = (side.own < last) & (side.other < last)
    edge = np.where(side.own < last, plane[up, right], plane[side.own, right])
    guessed: Floats = np.where(inside, np.clip(guess, 0.0, 1.0), edge)
    return guessed


def _guess_slope(slopes: Floats, side: Pairs) -> Floats:
    plane, last = slopes[side.role], slopes.shape[1] - 1
    mean: Floats = (
        plane[np.minimum(side.own + 1, last), side.other] + plane[side.own, np.minimum(side.other + 1, last)]
    ) / 2
    return mean


def shot_values(race: Race, ends: Ends, table: Floats, pairs: Pairs, bust: Floats) -> Floats:
    """The chance to win of a shot from six fresh dice, by what a bust is worth, pair by pair."""
    found = value_shots(race, ends, table, pairs, bust)
    starts = np.maximum(pairs.own - 1, 0) - found.low
    values: Floats = found.plane[starts, race.graph.start, np.arange(len(bust))]
    return values


@dataclass(frozen=True, eq=False)
class Shots:
    """The planes of some shots. Unlike in the plane of points, a row stands for the score that a bank would make.

    `low`: the score, in rows, of row 0. `bank` (rows x pairs): what banking is worth, -1 under the minimum.
    """

    plane: Floats
    bank: Floats
    low: int


def value_shots(race: Race, ends: Ends, table: Floats, pairs: Pairs, bust: Floats, reach: int = 0) -> Shots:
    """Value all positions of these shots, up to where banking is the best under all circumstances.

    `reach`: up to this score, in rows, at least.
    """
    graph = race.graph
    own, other = np.maximum(pairs.own - 1, 0), np.maximum(pairs.other - 1, 0)
    least = own + np.maximum(np.where(pairs.own == 0, race.entry, race.least), 1)
    low, top = int(own.min()), max(_top(race, ends, pairs, bust), int(least.max()), reach)
    rows = np.arange(low, top + graph.reach + 1)
    bank = _bank_values(race, ends, table, pairs, rows)
    bank[rows[:, None] < least] = -1.0
    sure = bank[top - low :]
    forced = None
    if not graph.bankable[graph.start]:
        lead = np.clip(rows[top - low :, None] - other, 0, ends.forced.shape[-1] - 1)
        entered = (pairs.other > 0).astype(np.intp)
        forced = ends.forced[race.other(pairs.role), entered, lead] + ends.risk * bust
    return Shots(fill_plane(graph, bank, sure if forced is None else forced, bust), bank, low)


def _bank_values(race: Race, ends: Ends, table: Floats, pairs: Pairs, rows: Places) -> Floats:
    """What banking to each of these scores is worth (rows x pairs), minimum aside."""
    role = race.other(pairs.role)
    inside = rows[rows < race.target]
    values = np.empty((len(rows), len(pairs.own)))
    values[: len(inside)] = 1 - table[role][pairs.other[None, :], inside[:, None] + 1]
    lead = rows[len(inside) :, None] - np.maximum(pairs.other - 1, 0)
    entered = (pairs.other > 0).astype(np.intp)
    values[len(inside) :] = 1 - ends.reply[role, entered, np.minimum(lead, ends.reply.shape[-1] - 1)]
    return values


def _top(race: Race, ends: Ends, pairs: Pairs, bust: Floats) -> int:
    """From this score on banking is the best for all of these pairs.

    A throw risks at least the smallest chance of a bust, which costs 1 - `bust`; banking risks the reply. Half of the
    first is taken, since `bust` is a guess at first.
    """
    allowed = 0.5 * least_risk(race.graph) * (1 - bust)
    entered = (pairs.other > 0).astype(np.intp)
    reply = ends.reply[race.other(pairs.role)]
    leads = np.array([first_below(reply[side], float(share)) for side, share in zip(entered, allowed, strict=True)])
    return int(max(race.target, (leads + np.maximum(pairs.other - 1, 0)).max()))


def first_below(falling: Floats, share: float) -> int:
    """The first place whose value is at most this share."""
    return min(int(np.searchsorted(-falling, -share)), len(falling) - 1)


def least_risk(graph: Graph) -> float:
    """The smallest chance of a bust, 0 to 1, with which dice can be thrown."""
    return min(graph.bust(column) for column in range(graph.win))
