"""The chance to win of two players where a number of rounds ends the game: a table for each number of shots left.

W[shots left, own entered, other entered, own streak, other streak, low, place] is the chance of the player to move.
Only the difference of the scores counts: the place stands for the lead of the player to move, in rows, and for equal
scores also for who has held theirs longer. Each shot leaves one fewer, so each table follows directly from the one
before, and no chance depends on itself.

Where busts cost points, the busts in a row of both players count as well. So does the lower of the two scores, as long
as a cost can be more than that; `lows` are the lower scores that are told apart. On a coarse grid these are only a few,
and leads are solved some rows apart, except for the last shots; values in between are read off straight lines.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from math import prod
from typing import Any

from game.strategy.arrays import Flags, Floats, Indices, NDArray, np
from game.strategy.win.endgame import Endgame, find_extra_chances, solve_endgame
from game.strategy.win.partner import (
    SHOTS_PER_BATCH,
    SolveBatches,
    find_partner,
    share_values,
    shots_of_batch,
    split_batches,
)
from game.strategy.win.race import Race, make_plain_race
from game.strategy.win.race_bounds import SAFE_REPLY, SETTLED_CHANCE, ProgressCallback, forbid_banks, largest_reply
from game.strategy.win.shot_values import fill_values, find_precision, must_throw_sweeps, value_ends
from game.strategy.win.win_table import WinTable

# A lead of more than this many points, plus this many for each round, but at most the third, is as good as decided.
LEAD_MOST, LEAD_PER_ROUND, LEAD_LIMIT = 10_000, 2_500, 60_000
# The value of a tie that leaves dice on offer is found to within this much, in at most this many extra rounds.
EXTRA_ROUND_TOLERANCE, EXTRA_ROUNDS_MOST = 1e-11, 60
# More points on offer than this are treated as this many, with the lead reduced by as much.
OFFER_MOST = 10_000
# A chance this close to 0 or 1 counts as 0 or 1.
SURE = 1e-8
# Where busts cost points, nobody throws on with a chance this close to a win; what a throw could still gain is ignored.
NEARLY_SURE = 1e-6
# With no more than this many shots left, the nodes of a coarse grid are this many times closer together.
LAST_SHOTS, LAST_NEARER = 3, 10
# How many batches are solved before checking whether anyone farther behind still has a chance.
BATCHES_TOGETHER = 8
# On a coarse grid the lower score has about this many nodes at most. Next to 0 they are closer together: with this many
# in the distance between two leads.
LOWS_MOST, NEAR_ZERO = 8, 2
# If there are no more gains than this, each has eight bytes while they are solved, otherwise four.
PRECISE_GAINS_MOST = 10_000_000


@dataclass(frozen=True, eq=False)
class Standings:
    """Standings of games, side by side, each seen from the player to move: arrays have one entry for each.

    All have the same number of shots `left`, this one included, and the same `entered`: 0 or 1 for the player to move
    and for the other. `streaks`: the busts in a row of both. `own`, `other`: their scores, in rows. `holds`: whether
    the player to move has held their score longer, where the scores are equal.
    """

    left: int
    entered: tuple[int, int]
    streaks: tuple[Indices | int, Indices | int]
    own: Indices
    other: Indices
    holds: Flags | bool

    def after(self, score: Indices, streak: Indices | int, *, entered: int, holds: Flags | bool = False) -> Standings:
        """Return the standings of the other players after this shot, which makes this score and streak of busts.

        `entered`, `holds`: those of the player who had this shot.
        """
        both = (self.entered[1], entered), (self.streaks[1], streak)
        return Standings(self.left - 1, *both, self.other, score, ~np.asarray(holds))


@dataclass(frozen=True, eq=False)
class RoundsTable(WinTable):
    """The table of a game that a number of rounds ends: `chances` as W above, from no shot left to all of them.

    Chances that were read from a file have four bytes each. `lows`: the nodes of the lower score, in rows; the last one
    stands for all higher scores, and is the only one where only leads count. `gains` (shots left x kinds x places x
    points x dice), in multiples of `quantum`: what picking up adds for the player to move, by the points that the other
    has just banked, in rows, and the dice that they left; None where no dice are picked up. The kinds are players who
    have entered or, where all may pick up, first those who have not, then those who have.
    """

    lows: Indices = field(default_factory=lambda: np.zeros(1, dtype=np.intp))
    gains: NDArray[Any] | None = None
    quantum: float = 1.0

    @property
    def most(self) -> int:
        """The largest lead, in rows, that has a place of its own."""
        return int(self.chances.shape[-1]) // 2 - 1

    def read(self, at: Standings) -> Floats:
        """Return the chances to win of the players to move."""
        chances, places = self.chances[at.left, at.entered[0], at.entered[1]], self.find_places(at)
        if len(self.lows) == 1:
            return np.asarray(chances[*at.streaks, 0, places], dtype=np.float64)
        low = np.clip(np.minimum(at.own, at.other), self.lows[0], self.lows[-1])
        if len(self.lows) > self.lows[-1] - self.lows[0]:  # every score
            return np.asarray(chances[*at.streaks, low - self.lows[0], places], dtype=np.float64)
        below = np.searchsorted(self.lows, low, side="right") - 1
        above = np.minimum(below + 1, len(self.lows) - 1)
        share = (low - self.lows[below]) / np.maximum(self.lows[above] - self.lows[below], 1)
        between: Floats = (1 - share) * chances[*at.streaks, below, places]
        between += share * chances[*at.streaks, above, places]
        return between

    def find_places(self, at: Standings) -> Indices:
        """Return the places of the leads of the players to move."""
        leads = at.own - at.other
        places = np.clip(leads, -self.most, self.most) + self.most
        after: Indices = np.where((leads > 0) | ((leads == 0) & at.holds), places + 1, places)
        return after

    def find_kind(self, at: Standings) -> int | None:
        """Return the kind of the players to move, as its place among the gains; None where they may not pick up."""
        by_all = self.race.graph.ruleset.pick_up_by == "all"
        picks_up = self.gains is not None and at.entered[1] and (at.entered[0] or by_all)
        return at.entered[0] * by_all if picks_up else None

    def read_gains(self, at: Standings, points: Indices) -> Floats:
        """Return what picking up adds (… x dice). `points`: those that the other players have just banked, in rows."""
        kind = self.find_kind(at)
        if self.gains is None or kind is None:
            return np.zeros((*np.broadcast(at.own, at.other, points).shape, 1))
        # Points or leads too large to have a place are both reduced by the same amount, so as many are still missing.
        kept = np.ones_like(points) if self.race.offer_worth else points
        most = self.gains.shape[-2]
        beyond = np.maximum(np.maximum(at.other - at.own - self.most, kept - most), 0)
        places = self.find_places(replace(at, other=at.other - beyond))
        gains: Floats = self.gains[at.left, kind, places, np.clip(kept - beyond, 1, most) - 1] * self.quantum
        return gains

    def read_banks(self, at: Standings, scores: Indices) -> Floats:
        """Return the chances after banks that make these scores, in rows (… x players)."""
        return 1 - self.read(at.after(scores, 0, entered=1))

    def read_busts(self, at: Standings, cost: int = 0, gathered: Indices | int = 0) -> Floats:
        """Return the chances after busts; `cost` and `gathered` as in `Race.score_after_bust`."""
        race, entered = self.race, np.array(at.entered[0] > 0)
        score = race.score_after_bust(at.own, entered, np.asarray(at.streaks[0]), cost, gathered)
        streak = (at.streaks[0] + int(race.pays(entered))) % race.streaks
        # A score that the bust changed is the newer one.
        return 1 - self.read(at.after(score, streak, entered=at.entered[0], holds=at.holds & (score == at.own)))


def count_gains(race: Race) -> tuple[int, ...]:
    """Return the shape of `RoundsTable.gains`."""
    _, shape = lay_out_table(race)
    points = 1 if race.offer_worth else min(OFFER_MOST // race.graph.unit, shape[-1] // 2)
    return (shape[0], 2 if race.graph.ruleset.pick_up_by == "all" else 1, shape[-1], points, race.graph.ruleset.dice)


def lay_out_table(race: Race, step: int = 1) -> tuple[Indices, tuple[int, ...]]:
    """Return the nodes of the lower score and the shape of the chances; `step` as in `make_empty_table`."""
    rounds = race.graph.ruleset.rounds
    most = min(LEAD_LIMIT, LEAD_MOST + LEAD_PER_ROUND * rounds) // race.graph.unit
    lowest, highest = _range_of_lows(race, rounds, most)
    apart = step if step == 1 else max(step, (highest - lowest) // LOWS_MOST)
    # A smaller score than a bust costs is lost as a whole, so chances bend most up to that cost.
    cost = min(max(race.costs, default=0) // race.graph.unit, highest)
    lows = np.unique(np.r_[lowest:highest:apart, 0 : cost + 1 : max(step // NEAR_ZERO, 1), highest])
    return lows, (2 * rounds + 1, 2, 2, race.streaks, race.streaks, len(lows), 2 * most + 2)


def make_empty_table(race: Race, step: int = 1) -> RoundsTable:
    """Make a table of which nothing is solved yet; `step`: how many rows the nodes are apart, 1 for an exact table."""
    lows, shape = lay_out_table(race, step)
    gains: NDArray[Any] | None = None
    if race.has_offers:
        size = count_gains(race)
        gains = share_values(size, np.float64 if prod(size) <= PRECISE_GAINS_MOST else np.float32, 0.0)
    precision = find_precision(prod(shape)) if race.may_fall else float
    chances = share_values(shape, np.float64, 0.0)
    return RoundsTable(race, solve_endgame(race), chances, lows=lows, gains=gains, precision=precision)


def solve_rounds(race: Race, on_progress: ProgressCallback | None, step: int) -> RoundsTable:
    """Solve the table of a game to within about 1e-8; where busts cost points, to within 1e-6.

    In the second case large tables are valued in four-byte numbers, which adds an error of about 5e-8 for each turn
    left. For ten rounds it takes 10 to 60 s, about 90 s where dice are picked up; where three busts in a row cost
    points, about 160 s of one core and 440 MiB. `step`: as in `make_empty_table`.
    """
    rounds, table = race.graph.ruleset.rounds, make_empty_table(race, step)
    most = table.most
    table.chances[0, ..., most + 1 :] = 1.0
    if race.tie != "leader_stands":
        nobody, both = find_extra_chances(race)
        level = table.chances[0, ..., most : most + 2]
        level[:], level[0, 0] = both[..., None, None], nobody
    with find_partner(partial(_solve_shots, table)) as solve:
        if table.gains is not None and race.plays_ties_out:
            _solve_extra_rounds(table, table.gains, solve, max(step // LAST_NEARER, 1))
        for left in range(1, len(table.chances)):
            for entered in product((0, 1), (0, 1)):
                _solve_leads(table, solve, left, entered, step if left > LAST_SHOTS else max(step // LAST_NEARER, 1))
            if on_progress:
                on_progress(left / (2 * rounds))
    return table


def solve_final_round(race: Race, step: int = 1) -> Endgame:
    """Solve the final round of a race; where a tie may leave dice on offer, as a game of one round.

    `step`: as in `make_empty_table`.
    """
    if not race.has_offers or not race.plays_ties_out:
        return solve_endgame(race)
    rules = replace(race.graph.ruleset, ending="rounds", rounds=1, target_choices=())
    table = solve_rounds(make_plain_race(rules, rules.target), None, step)
    gains, most = table.gains, table.most
    assert gains is not None
    extra = float(table.chances[0, 1, 1, 0, 0, 0, most])
    endgame = solve_endgame(race, extra=extra)
    # The second player has the last shot. Their chances are by the lead of the first player, from 0 on.
    fresh, picked_up = table.chances[1, :, 1, 0, 0, 0, most::-1], gains[1, ..., most::-1, :, :]
    endgame.reply[1, :, : most + 1] = fresh
    return replace(endgame, level=extra + gains[0, -1, most], behind=fresh[..., None, None] + picked_up)


def _solve_extra_rounds(table: RoundsTable, gains: NDArray[Any], solve: SolveBatches, step: int) -> None:
    """Find the value of a tie whose last bank leaves dice on offer: that of two more shots from equal scores.

    First it is solved for two players who have entered, then also for players who have not, because one of them may
    enter. `step`: as in `_solve_leads`.
    """
    level, offers, none = slice(table.most, table.most + 2), gains[0, -1], np.zeros(2, dtype=np.intp)
    for kinds in ((1,), (0, 1)):
        change = 1.0
        for _ in range(EXTRA_ROUNDS_MOST):
            if change < EXTRA_ROUND_TOLERANCE:
                break
            for entered in product(kinds, kinds):
                _solve_leads(table, solve, 1, entered, step)
            change = 0.0
            for kind in kinds:
                at, tie = Standings(2, (kind, kind), (none, none), none, none, np.array([False, True])), (kind, kind)
                begun = _solve_shots(table, at, table.read_busts(at))
                change = max(change, float(np.abs(begun - table.chances[0, *tie, 0, 0, 0, level]).max()))
                table.chances[0, *tie, 0, 0, 0, level] = begun
            change = max(change, float(np.abs(gains[2, -1, level] - offers[level]).max()))
            offers[level] = gains[2, -1, level]


def _range_of_lows(race: Race, shots: int, most: int) -> tuple[int, int]:
    """Return the lowest and the highest score, in rows, between which the lower score of the two counts.

    That depends on how much busts can cost a player in this many shots. `most`: the largest lead, in rows.
    """
    rules = race.graph.ruleset
    cost = max((end.cost for end in race.graph.ends), default=0)
    row = rules.bust_streak_penalty * ((race.streaks - 1 + shots) // rules.bust_streak) if rules.bust_streak else 0
    costs = (row + shots * cost) // race.graph.unit
    takes_all = rules.streak_costs and rules.bust_cost == "everything"
    if not race.may_fall or (rules.below_zero != "never" and not takes_all):
        return 0, 0
    lowest = 0 if rules.below_zero == "never" else -costs
    return lowest, most if rules.streak_costs and rules.bust_cost != "fixed" else min(costs, most)


def _solve_leads(table: RoundsTable, solve: SolveBatches, left: int, entered: tuple[int, int], step: int) -> None:
    """Solve all chances with this many shots left and these `entered`; solved leads are `step` rows apart."""
    most, chances = table.most, table.chances[left, entered[0], entered[1]]
    # If the lower score is more than busts can cost from now on, it does not matter how much more.
    _, highest = _range_of_lows(table.race, (left + 1) // 2, most)
    nodes = min(int(np.searchsorted(table.lows, highest)) + 1, len(table.lows))
    shape = (*chances.shape[:2], nodes, chances.shape[-1])
    mine, theirs, low, places = (axis.ravel() for axis in np.indices(shape))
    leads = np.where(places > most, places - 1, places) - most
    scores = (table.lows[low] + np.maximum(leads, 0), table.lows[low] + np.maximum(-leads, 0))
    at = Standings(left, entered, (mine, theirs), *scores, places > most)
    possible = _find_possible(table.race, at)
    is_node = (np.abs(leads) % step == 0) | (np.abs(leads) == most)
    bust = table.read_busts(at)
    # Where even the worst end is as good as won, the game is. Costs can be more than the points of one throw.
    ends = table.race.graph.ends
    worst = (table.read_busts(at, end.cost, table.race.graph.reach) * (end.kind != "out") for end in ends)
    least = np.min([bust, *worst], axis=0)
    values = np.where(possible & (least > 0.5), 1.0, 0.0)
    solved = np.flatnonzero(possible & is_node & (least < 1 - SURE))
    solved = solved[np.argsort(-places[solved], kind="stable")]
    parts = split_batches(solved, shots_of_batch(table.race.graph) if table.race.streaks > 1 else SHOTS_PER_BATCH)
    for first in range(0, len(parts), BATCHES_TOGETHER):
        here = parts[first : first + BATCHES_TOGETHER]
        batches = [
            (Standings(left, entered, (mine[part], theirs[part]), at.own[part], at.other[part], places[part] > most),
             bust[part])
            for part in here
        ]  # fmt: skip
        for part, chances_of_part in zip(here, solve(batches), strict=True):
            values[part] = np.clip(chances_of_part, 0.0, 1.0)  # four-byte numbers can be beyond by about 1e-7
        if values[here[-1]].max() < SURE and table.gains is None:
            break  # whoever is farther behind has no chance
    values = values.reshape(shape)
    for side in (slice(0, most + 1), slice(most + 1, None)) if step > 1 else ():
        known = np.flatnonzero(is_node[: shape[-1]][side])
        values[..., side] = _draw_lines(values[..., side], known)
    if table.gains is not None and step > 1:
        # Places between two nodes have the gains of the node below.
        known = np.flatnonzero(is_node[: shape[-1]])
        below = known[np.maximum(np.searchsorted(known, np.arange(shape[-1]), side="right") - 1, 0)]
        for gains in table.gains[left]:
            gains[:] = gains[below]
    chances[:, :, :nodes] = values
    chances[:, :, nodes:] = values[:, :, -1:]


def _draw_lines(values: Floats, known: Indices) -> Floats:
    """Return the values (… x places) with straight lines between the places that are known."""
    places = np.arange(values.shape[-1])
    above = np.clip(np.searchsorted(known, places), 1, len(known) - 1)
    low, high = known[above - 1], known[above]
    share = (places - low) / (high - low)
    return (1 - share) * values[..., low] + share * values[..., high]


def _find_possible(race: Race, at: Standings) -> Flags:
    """Return which standings can occur: before entering there are no points or busts, unless all pay for busts."""
    possible = np.ones(len(at.own), dtype=bool)
    rules = race.graph.ruleset
    if rules.below_zero == "always" and race.may_fall:
        return possible
    for entered, score, streak in zip(at.entered, (at.own, at.other), at.streaks, strict=True):
        if not entered:
            possible &= (streak == 0) & ((score == 0) | (rules.below_zero != "never"))
    return possible


def _solve_shots(table: RoundsTable, at: Standings, bust: Floats) -> Floats:
    """Return the chance to win by a shot from fresh dice for each of these standings; rows are leads.

    `bust`: the chances after a bust. The gains of these standings are written to the table.
    """
    race, most = table.race, table.most
    graph, leads = race.graph, at.own - at.other
    first = int(leads.min())
    safe = SAFE_REPLY if must_throw_sweeps(graph) else 1.0
    share = np.maximum(min(largest_reply(graph), safe) * (1 - bust), NEARLY_SURE if race.may_fall else SURE)
    if table.gains is not None:  # at such leads, dice on offer are worth the same however many points they come with
        share[:] = SETTLED_CHANCE

    def is_enough(lead: int) -> bool:
        return bool(1 - table.read_banks(at, lead + at.other).min() <= share.min())

    enough = bisect_left(range(first, 2 * most + graph.reach), True, key=is_enough)
    top = max(enough, int(leads.max()) - first + max(race.entry, race.least, 1))
    rows = np.arange(first, first + top + graph.reach + 1)
    scores = rows[:, None] + at.other
    banks, thrown = table.read_banks(at, scores), None
    if table.gains is not None:
        left = banks[..., None] - table.read_gains(at.after(scores, 0, entered=1), rows[:, None] - leads)
        banks = np.broadcast_to(left, (*banks.shape, graph.ruleset.dice))[..., graph.offers].swapaxes(1, 2)
        thrown = np.zeros((len(rows), graph.width, len(leads)), dtype=table.precision)
    forbid_banks(race, banks, rows[:, None], leads, np.full(len(leads), bool(at.entered[0])))

    def read_bust(cost: int) -> Floats:
        return table.read_busts(at, cost, np.maximum(rows[:, None] - leads, 0))

    ends = value_ends(graph, len(rows), len(leads), read_bust)
    values = fill_values(graph, banks, bust, begins=leads - first, ends=ends, thrown=thrown, precision=table.precision)
    shots: Floats = values[leads - first, race.graph.start_column(bool(at.entered[0])), np.arange(len(leads))]
    if thrown is not None:
        _write_gains(table, at, thrown, leads - first, shots)
    return shots


def _write_gains(table: RoundsTable, at: Standings, thrown: Floats, begins: Indices, fresh: Floats) -> None:
    """Write what picking up adds for these players into the table.

    `thrown` (rows x columns x players): the values of throwing. `begins` (players): the rows in which shots have no
    points. `fresh` (players): the values of beginning with fresh dice.
    """
    kind, race = table.find_kind(at), table.race
    if table.gains is None or kind is None:
        return
    points = np.array([race.offer_worth]) if race.offer_worth else np.arange(1, table.gains.shape[-2] + 1)
    rows = np.minimum(begins[:, None] + points, len(thrown) - 1)
    values = thrown[rows[..., None], race.plain_columns(bool(at.entered[0])), np.arange(len(begins))[:, None, None]]
    table.gains[at.left, kind, table.find_places(at)] = np.maximum(values - fresh[:, None, None], 0.0)
