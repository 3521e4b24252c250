"""How a game of two ends: the chance to win of a last shot, by the points that are missing.

Everything here counts points in rows of the graph's unit and chances from 0 to 1. A shared win counts one half.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from game.rules.marking import gettext_noop
from game.rules.ruleset import Ending, Ruleset, TieRule
from game.strategy.turn.backward_induction import settle_values, solve_backward, solve_rows
from game.strategy.turn.fixed_point import guess_next
from game.strategy.turn.graph import BEYOND, STRUCK, Flags, Floats, Graph, Indices, build_graph
from game.strategy.turn.positions import is_shot_split

# A table for shots with more positions than this would take hours.
POSITIONS_MOST = 120
# A lead of this many points is taken to be safe from one last shot (its chance is below one in a billion).
SAFE_LEAD = 60_000
# Where no dice are picked up.
NO_OFFERS = np.zeros((1, 2, 2, 1, 1))
# The chance of the first player in an extra round is found to so much, in at most this many iterations.
EXTRA_ROUND_TOLERANCE, EXTRA_ROUND_ITERATIONS = 1e-14, 100
# Tables have at most this many chances, of 8 bytes each.
CHANCES_MOST = 20_000_000
# Where scores fall below 0, the lowest with a place is this part of the target below it, and two costs more.
FLOOR_PART = 4
UNKNOWN = gettext_noop("Under these rules the chance to win is not known; expected points are.")


class NoTable(ValueError):
    """The chance to win is not solved for this ruleset: the table would need more than two scores."""


@dataclass(frozen=True, eq=False)
class Race:
    """A game of two as its solver sees it. `target`, `entry` and `least` (the bank minimum) in rows, rounded up.

    The chances make a plane of both scores for each role of the player to move and, where several busts in a row cost
    points, for each number of busts that either of the two has in a row.
    """

    graph: Graph
    target: int
    entry: int
    least: int
    ending: Ending
    tie: TieRule

    @property
    def roles(self) -> int:
        """2 where it matters whether the player to move is the first (0) or the second (1) of the order, else 1."""
        extra = self.ending == "last_shot_each" and self.plays_ties_out
        return 2 if self.ending == "complete_round" or extra else 1

    @property
    def plays_ties_out(self) -> bool:
        """Whether extra rounds follow a shared highest score. Two who share it are all of two players."""
        return self.tie in ("extra_rounds", "tied_only")

    @property
    def is_exact(self) -> bool:
        """Whether only the target itself is reached."""
        return self.graph.ruleset.exact != "no"

    @property
    def costs(self) -> tuple[int, ...]:
        """What busts can take off a score beside what the shot had gathered or everything, in points."""
        rules = self.graph.ruleset
        row = rules.bust_streak_penalty if rules.bust_streak else 0
        return tuple(cost for cost in (row, rules.pick_up_cost, *(end.cost for end in self.graph.ends)) if cost)

    @property
    def may_fall(self) -> bool:
        """Whether a bust can take points off a score, so that what comes after does not only depend on larger ones."""
        return may_cost_points(self.graph.ruleset)

    @cached_property
    def streaks(self) -> int:
        """How many numbers of busts in a row are told apart: as many as make a row that costs points; else 1."""
        return self.graph.ruleset.bust_streak if does_row_cost(self.graph.ruleset) else 1

    @property
    def planes(self) -> int:
        """How many planes of scores there are."""
        return self.roles * self.streaks**2

    def plane(self, role: int, own_streak: int = 0, other_streak: int = 0) -> int:
        """Return the plane of a player in this role, by the busts that both have in a row."""
        rows = (streak % self.streaks for streak in (own_streak, other_streak))
        return int(np.ravel_multi_index((role, *rows), (self.roles, self.streaks, self.streaks)))

    def streak_of(self, plane: Indices) -> Indices:
        """Return how many busts in a row the players to move have in these planes."""
        streak: Indices = plane // self.streaks % self.streaks
        return streak

    def plane_after_bank(self, plane: Indices) -> Indices:
        """Return the planes in which the other player moves after a bank."""
        others = self.roles - 1 - plane // self.streaks**2
        after: Indices = (others * self.streaks + plane % self.streaks) * self.streaks
        return after

    def plane_after_bust(self, plane: Indices, entered: Flags) -> Indices:
        """Return the planes in which the other player moves after a bust; nobody counts one before entering."""
        after: Indices = self.plane_after_bank(plane) + (self.streak_of(plane) + self.pays(entered)) % self.streaks
        return after

    def plane_after_over(self, plane: Indices) -> Indices:
        """Return the planes in which the other player moves after a shot that is over, which counts no bust."""
        after: Indices = self.plane_after_bank(plane) + self.streak_of(plane)
        return after

    @property
    def tells_over(self) -> bool:
        """Whether a shot that is over beyond an exact target is worth something else than a bust."""
        rules = self.graph.ruleset
        return rules.exact == "stay" and (does_row_cost(rules) or rules.pick_up_cost > 0)

    @cached_property
    def floor(self) -> int:
        """How far below 0 there are places for scores, in rows; lower ones hardly come about and count as the last."""
        rules = self.graph.ruleset
        if rules.below_zero == "never" or not self.may_fall:
            return 0
        if self.ending == "rounds":
            return SAFE_LEAD // self.graph.unit  # only leads have places
        return self.target // FLOOR_PART + 2 * max(self.costs, default=0) // self.graph.unit

    @cached_property
    def enters_alike(self) -> bool:
        """Whether who has not entered stands where an entered player with the same score does."""
        rules = self.graph.ruleset
        return rules.below_zero == "always" and not asks_more_of_entry(rules)

    @cached_property
    def entry_places(self) -> int:
        """How many places there are for who has not entered: one, or those of the scores from the floor to 0."""
        return 1 if self.enters_alike or self.graph.ruleset.below_zero != "always" else self.floor + 1

    @property
    def places(self) -> int:
        """How many places each axis of a plane has."""
        return self.entry_places + self.target + self.floor

    def place_of(self, score: Indices, entered: Flags) -> Indices:
        """Return the places of scores, in rows; those of who has not entered come first."""
        above, last = np.maximum(score + self.floor, 0), self.entry_places - 1
        place: Indices = np.where(entered | self.enters_alike, 1 + last + above, np.minimum(above, last))
        return place

    def score_at(self, place: Indices) -> Indices:
        """Return the scores at these places, in rows."""
        last = self.entry_places - 1
        score: Indices = np.where(place > last, place - 1 - self.floor, place) - last
        return score

    def has_entered(self, place: Indices) -> Flags:
        """Return who has entered, by the places of their scores."""
        entered: Flags = place >= self.entry_places
        return entered

    def pays(self, entered: Flags) -> Flags:
        """Return who pays for a bust."""
        everybody = self.graph.ruleset.below_zero == "always"
        return np.full_like(entered, fill_value=True) if everybody else entered

    def score_after_bust(
        self, own: Indices, entered: Flags, streak: Indices, cost: int = 0, gathered: Indices | int = 0
    ) -> Indices:
        """Return the scores after a bust, in rows.

        `streak`: the busts in a row before it; `cost`: in points, of the bust itself; `gathered`: the rows of the shot
        before the throw that bust.
        """
        rules = self.graph.ruleset
        lost, ends_row = np.asarray(cost // self.graph.unit), streak + 1 == self.streaks
        if rules.bust_streak:
            row = gathered if rules.bust_cost == "shot" else rules.bust_streak_penalty // self.graph.unit
            lost = lost + np.where(ends_row, row, 0)
        left: Indices = np.maximum(own - lost, -self.floor)
        if rules.bust_cost == "everything":
            left = np.where(ends_row, np.minimum(left, 0), left)
        return np.where(self.pays(entered), left, own)

    @property
    def has_offers(self) -> bool:
        """Whether dice are picked up, and what they are worth can be solved."""
        worth = self.graph.ruleset.pick_up_worth
        in_rows = isinstance(worth, str) or worth % self.graph.unit == 0
        settles = self.graph.period <= self.graph.reach
        return self.graph.ruleset.pick_up and in_rows and settles and not asks_more_of_offers(self.graph.ruleset)

    @property
    def offer_kinds(self) -> int:
        """How many kinds of players there are who pick up: by role, and by their busts in a row."""
        return self.roles * self.streaks

    def offer_kind(self, plane: Indices) -> Indices:
        """Return which kind of player picks up in these planes; whoever leaves dice has no busts in a row."""
        kind: Indices = plane // self.streaks
        return kind

    @property
    def offer_worth(self) -> int:
        """The points with which who picks up begins, in rows; 0 where they are those that were banked."""
        worth = self.graph.ruleset.pick_up_worth
        return worth // self.graph.unit if isinstance(worth, int) and self.has_offers else 0

    def plain_columns(self, entered: bool) -> Indices:
        """Return the columns of 1 to all dice, as a shot begins that picks them up."""
        dice = range(1, self.graph.ruleset.dice + 1)
        return np.array([self.graph.plain_column(left, entered=entered) for left in dice], dtype=np.intp)

    def start(self, entered: bool) -> int:
        """Return the column in which a shot with all dice begins."""
        return self.graph.start if entered else self.graph.entry_start

    def other(self, plane: Indices) -> Indices:
        """Return the roles of the opponents of the players to move in these planes."""
        role: Indices = self.roles - 1 - plane // self.streaks**2
        return role


def make_race(ruleset: Ruleset, target: int) -> Race:
    """Make the race to a target.

    Raises `NoTable` for costs and for pick-up where more counts than the table can know (`asks_more_of_costs`,
    `asks_more_of_offers`); for shots of more than `POSITIONS_MOST` positions, and for more than `CHANCES_MOST` chances.
    """
    if never_has_table(ruleset):
        raise NoTable(UNKNOWN)
    race = make_plain_race(ruleset, target)
    if (ruleset.pick_up and not race.has_offers) or any(cost % race.graph.unit for cost in race.costs):
        raise NoTable(UNKNOWN)
    if len(race.graph.positions) > POSITIONS_MOST:
        raise NoTable(gettext_noop("Under these rules a turn has too many positions to solve the chance to win."))
    if race.planes * race.places**2 > CHANCES_MOST and race.ending != "rounds":
        raise NoTable(gettext_noop("Under these rules there are too many scores to solve the chance to win."))
    return race


def never_has_table(ruleset: Ruleset) -> bool:
    """Tell whether the settings alone rule a table out. Takes no time, where `make_race` may take a second."""
    costs = may_cost_points(ruleset) and asks_more_of_costs(ruleset)
    return costs or (ruleset.pick_up and asks_more_of_offers(ruleset))


def asks_more_of_costs(ruleset: Ruleset) -> bool:
    """Return whether what a tie is worth depends on more than the two scores, because busts cost points.

    Two busts that cost points can bring both players of an extra round below the target again, which calls it off: what
    a tie is worth would depend on how far above the target it is, and on the table that is being solved. Where rounds
    end the game nothing is called off, but only leads count in extra rounds, which is not enough where a bust costs
    what somebody has, or costs those who have not entered.
    """
    open_ended = ruleset.bust_cost != "fixed" or ruleset.below_zero == "always"
    return plays_ties_out(ruleset) and (ruleset.ending != "rounds" or open_ended)


def asks_more_of_entry(ruleset: Ruleset) -> bool:
    """Return whether the entry asks for something else than later banks, or lets dice be picked up."""
    picks_up = ruleset.pick_up and ruleset.pick_up_by == "entered"
    return ruleset.entry_minimum != ruleset.bank_minimum or is_shot_split(ruleset) or picks_up


def asks_more_of_offers(ruleset: Ruleset) -> bool:
    """Return whether more counts of dice on offer than their number, their points and the two scores.

    In extra rounds a tie leaves an offer, too, so a last shot would be another one for each number of points missing:
    200 of them, each with as many offers, for every guess of what a tie is worth. Where rounds end the game an offer
    would be worth something else for each number of turns left and each lead: 20 turns x 1,400 leads x 200 points
    x 6 dice x 3 kinds of players are 100 million chances, or 800 MB. Where a bust costs what the shot had gathered, the
    points that were picked up are no part of that, so each number of points on offer would be a shot of its own: 100
    shots for each pair of scores, on average, where there is one now.
    """
    return ruleset.ending == "rounds" or plays_ties_out(ruleset) or ruleset.bust_cost == "shot"


def plays_ties_out(ruleset: Ruleset) -> bool:
    """Return whether extra rounds can follow the end of the game; the first at the target has nobody to tie with."""
    return ruleset.tie in ("extra_rounds", "tied_only") and ruleset.ending != "at_once"


def may_cost_points(ruleset: Ruleset) -> bool:
    """Return whether a bust can take points off a score."""
    patterns = any(made.cost for made in ruleset.combinations)
    return bool(does_row_cost(ruleset) or ruleset.nothing_cost or ruleset.pick_up_cost or patterns)


def does_row_cost(ruleset: Ruleset) -> bool:
    """Return whether busts in a row, or each of them, cost points."""
    return bool(ruleset.bust_streak and (ruleset.bust_streak_penalty or ruleset.bust_cost != "fixed"))


def make_plain_race(ruleset: Ruleset, target: int) -> Race:
    """Make the race to a target as if nobody picked up dice and a bust cost nothing."""
    graph = build_graph(ruleset)
    rows, entry, least = (-(-points // graph.unit) for points in (target, ruleset.entry_minimum, ruleset.bank_minimum))
    return Race(graph, rows, entry, least, ruleset.ending, ruleset.tie)


@dataclass(frozen=True, eq=False)
class Endgame:
    """What the final round is worth.

    `reply` (roles x entered or not x rows): the chance to win of the player in this role whose last shot it is, by the
    rows that are missing; the last entry holds for all more. `forced` (same shape): the chance of the leader, by the
    lead in rows, who has to throw six dice and then banks as soon as possible, but for the part that a bust is worth;
    that part is `risk` times the worth of a bust. `extra`: the chance of the first player in an extra round. `taken`,
    where dice are picked up (roles x entered or not x 2 x dice x rows): the chance of a last shot that begins with 1 to
    all dice on offer, by the rows missing beyond the points of the offer; first without, then with what a tie is worth.
    """

    reply: Floats
    forced: Floats
    risk: float
    extra: float
    taken: Floats


def solve_endgame(race: Race, rows_most: int | None = None) -> Endgame:
    """Solve the final round of a race. Takes up to 2 s; nothing where there is none.

    That is where the first at the target wins there and then, and where a number of rounds ends the game. `rows_most`:
    a lead, in rows, that is taken to be safe.
    """
    if race.ending == "rounds":
        return Endgame(np.zeros((1, 2, 1)), np.zeros((1, 2, 1)), 0.0, 0.0, NO_OFFERS)
    rows = 1 if race.ending == "at_once" else max(SAFE_LEAD // race.graph.unit, 10 * race.graph.reach)
    rows = race.target if race.is_exact and rows > 1 else min(rows, rows_most or rows)
    extra = 0.0
    if race.ending != "at_once" and race.plays_ties_out:
        extra = float(_solve_extra_round(race, rows)[0, 0])
    reply = np.zeros((race.roles, 2, rows + 1))
    if race.ending != "at_once":
        for role in range(race.roles):
            tie = tie_value(race, role, extra)
            solve = _solve_exact_reply if race.is_exact else _solve_reply
            reply[role] = [solve(race, entered, tie, rows) for entered in (False, True)]
        if race.ending == "complete_round":
            reply[0] = 0.0
    if not race.is_exact:
        reply[..., -1] = 0.0
    forced, risk = _solve_forced(race, reply) if must_throw_sweeps(race.graph) else (np.zeros(reply.shape), 0.0)
    return Endgame(reply, forced, risk, extra, _solve_taken(race, rows) if race.has_offers else NO_OFFERS)


def _solve_taken(race: Race, rows: int) -> Floats:
    """Compute `Endgame.taken`."""
    taken = np.zeros((race.roles, 2, 2, race.graph.ruleset.dice, rows + 1))
    first = 1 if race.ending == "complete_round" else 0
    for role in range(first, race.roles if race.ending != "at_once" else 0):
        for entered in (0, 1):
            for ties in (0, 1):
                tie = tie_value(race, role, 0.0) if ties else -1.0 if race.is_exact else 0.0
                bank = np.zeros((rows + race.graph.reach + 2, 1))
                bank[rows] = tie
                bank[rows + 1 :] = 1.0
                taken[role, entered, ties] = _value_takings(race, bank, rows)[:, race.plain_columns(bool(entered))].T
    return taken


def _value_takings(race: Race, bank: Floats, rows: int) -> Floats:
    """Compute what throwing is worth (rows missing x columns), given what banking is; row `rows` catches up."""
    thrown, target = np.zeros((len(bank), race.graph.width, 1)), rows if race.is_exact else None
    values = np.empty((rows + 1, race.graph.width))
    period = race.graph.period
    # Points of the offer count for the step, and are a multiple of it where they are those that were banked.
    begins = np.arange(len(bank)) + race.offer_worth
    for first in range(period):
        allowed = np.where(((begins - first) % period == 0)[:, None], bank, -1.0)
        if target is not None:
            allowed[target] = bank[target]
        fill_values(race.graph, allowed, np.zeros(1), target=target, thrown=thrown)
        here = np.arange(first, rows + 1, period)
        values[rows - here] = thrown[here, :, 0]
    return values


def tie_value(race: Race, role: int, extra: float) -> float:
    """Return what catching up exactly is worth to the player in this role; `extra`: as in `Endgame`."""
    played_out = extra if role == 0 else 1 - extra
    return {"leader_stands": 0.0, "shared": 0.5, "extra_rounds": played_out, "tied_only": played_out}[race.tie]


def _solve_exact_reply(race: Race, entered: bool, tie: float, rows: int) -> Floats:
    """Compute the chance to win of a last shot that has to make exactly the rows missing."""
    chances = _exact_value(race, entered, tie, rows)
    if not entered:
        least = min(race.entry, rows + 1)
        chances[:least] = _exact_value(race, entered, -1.0, rows)[:least]
    return chances


def _exact_value(race: Race, entered: bool, tie: float, rows: int) -> Floats:
    """Compute the value of throwing all dice by the rows missing, where to make them all is worth `tie`, less nothing.

    `tie` is -1 where that bank is not allowed.
    """
    bank = np.zeros((rows + race.graph.reach + 2, 1))
    bank[rows] = tie
    values = fill_values(race.graph, bank, np.zeros(1), target=rows)
    return values[: rows + 1, race.start(entered), 0][::-1].copy()


def _solve_reply(race: Race, entered: bool, tie: float, rows: int) -> Floats:
    """Compute the chance to win of a last shot by the rows missing; none missing is the tie of an extra round."""
    minimum = race.least if entered else race.entry
    chances = _overtake_chances(race, entered, tie, rows)
    if minimum > 1:
        chances[: min(minimum, rows)] = _overtake_chances(race, entered, 0.0, rows)[min(minimum - 1, rows)]
    if tie:
        bank = np.where(np.arange(rows + 1) >= max(minimum, 1), 1.0, -1.0)
        chances[0] = _shot_value(race, entered, bank, tie)[0]
    return chances


def _overtake_chances(race: Race, entered: bool, tie: float, rows: int) -> Floats:
    """Compute the chance to bank more than 0 to `rows` rows, where banking exactly this many is worth `tie`."""
    bank = np.zeros(rows + 1)
    bank[rows] = tie
    # Which banks are multiples of a step depends on where the shot began: once for each remainder of that.
    period = min(race.graph.period, rows + 1)
    worth = [_shot_value(race, entered, bank, 0.0, first) for first in range(period)]
    return np.array([worth[row % period][row] for row in range(rows, -1, -1)])


def _shot_value(
    race: Race, entered: bool, bank: Floats, bust: float, first: int = 0, ends: Sequence[float] | None = None
) -> Floats:
    """Compute the value of throwing all dice by the rows gathered, given the values of banking and of a bust.

    `bank` (rows; -1: not allowed): beyond these rows a bank is worth 1. `first`: a row in which a shot begins, as far
    as points have to be multiples of a step. `ends`: what the ends of the graph are worth, where busts differ.
    """
    graph = race.graph
    banks = np.append(bank, np.ones(graph.reach + 1))
    banks[(np.arange(len(banks)) - first) % graph.period != 0] = -1.0
    forced = np.full((graph.reach + 1, 1), ForcedThrow.of(graph).value(bust)) if must_throw_sweeps(graph) else None
    known = None if ends is None else np.broadcast_to(np.array(ends)[:, None], (len(banks), len(ends), 1))
    values = fill_values(graph, banks[:, None], np.array([bust]), forced=forced, begins=np.array([first]), ends=known)
    return values[: len(bank), race.start(entered), 0]


def must_throw_sweeps(graph: Graph) -> bool:
    """Return whether a sweep is all that can keep a shot with enough points from being banked."""
    return graph.is_sure_to_bank and not graph.bankable[graph.start]


def fill_values(
    graph: Graph,
    bank: Floats,
    bust: Floats,
    *,
    forced: Floats | None = None,
    target: int | None = None,
    begins: Indices | None = None,
    thrown: Floats | None = None,
    ends: Floats | None = None,
    over: Floats | None = None,
) -> Floats:
    """Compute the values of arriving (rows x columns x batch) from those of a bank and of a bust.

    `bank` (rows x batch, or rows x columns x batch; -1: not allowed): in the last `graph.reach` + 1 rows banking is the
    best wherever the rules allow it. `bust` (batch). `forced` (those rows x batch): the value there of all dice after a
    sweep; without it, it is taken that banks are worth the same in all rows above. `target`: the row of an exact
    target: nothing is kept beyond it. `begins` (batch): the rows in which the shots have no points, for banks that are
    steps apart. `thrown` (as the values) is filled with the values of throwing; then nothing is taken to be the best in
    the last rows, but that banks are worth the same in all of them. `ends` (rows x ends x batch): what the ends of the
    graph are worth, where that is not the same for every bust. `over` (batch): what a shot beyond an exact target is
    worth, where that is something else than a bust.
    """
    bank = bank if bank.ndim == 3 else bank[:, None]
    top = len(bank) - graph.reach - 1 if target is None else target + 1
    values = np.empty((len(bank), graph.width, bank.shape[-1]))
    # Rows leave out the points of dice set aside; a bank counts them.
    rows = np.minimum(np.arange(len(bank))[:, None] + graph.offsets // graph.unit, len(bank) - 1)
    columns = np.arange(graph.width) if bank.shape[1] > 1 else 0
    by_column = bank[rows, columns] if graph.offsets.any() else bank
    banked = by_column + np.where(graph.bankable, 0.0, -2.0)[:, None]
    if target is not None:
        banked[target] = by_column[target] + np.where(graph.bankable_at_target, 0.0, -2.0)[:, None]
        values[top:] = graph.beyond[:, None]
    elif thrown is not None:
        last = np.arange(len(bank) - graph.period, len(bank))
        settled = banked[last[np.argsort(last % graph.period)]]
        for column, end in enumerate(graph.ends, graph.win):
            settled[:, column] = bust if end.kind == "bust" else float(end.kind == "win")
        if ends is not None:
            settled[:, graph.win :] = ends[top]
        if graph.strikes:
            settled = np.where(settled < 0, STRUCK, settled)
        repeats = np.arange(top, len(bank)) % graph.period
        values[top:], thrown[top:] = (part[repeats] for part in settle_values(graph, settled, bust))
    elif graph.is_sure_to_bank and (forced is not None or graph.bankable[graph.start]):
        values[top:] = bank[top:]
        if forced is not None:
            values[top:, graph.start] = forced
    else:
        sure = np.where(by_column[top:] < 0, by_column[top:].max(axis=0), by_column[top:])
        ahead = np.arange(top, len(bank))[:, None] - (0 if begins is None else begins)
        risks = graph.risks[ahead % len(graph.risks)].swapaxes(1, 2)
        values[top:] = sure + risks * (bust - sure)
    if graph.strikes:
        banked = np.where(banked < 0, STRUCK, banked)
    for column, end in enumerate(graph.ends, graph.win):
        values[:, column] = bust if end.kind == "bust" else float(end.kind == "win")
    if ends is not None:
        values[:, graph.win :] = ends
    above = rows > top - 1 if target is not None and graph.offsets.any() else None

    def arrive(rows: slice, columns: Indices, values_of_throwing: Floats) -> Floats:
        if thrown is not None:
            thrown[rows, columns] = values_of_throwing
        arriving = np.maximum(values_of_throwing, banked[rows, columns])
        return arriving if above is None else np.where(above[rows, columns][..., None], BEYOND, arriving)

    if graph.never_returns or any(layer.retries.any() for layer in graph.layers):
        solve_backward(graph, values, top, bust, arrive, over)
    elif len(bust) > 1:
        solve_rows(graph, values, top, bust, banked, over=over, above=above, thrown=thrown)
    else:
        only, alone = (None if array is None else array[..., 0] for array in (over, thrown))
        solve_rows(graph, values[..., 0], top, bust[0], banked[..., 0], over=only, above=above, thrown=alone)
    return values


def _solve_extra_round(race: Race, rows: int) -> Floats:
    """Compute the chances of the first player when an extra round begins: scores are equal, both have one shot.

    By the busts in a row of the first and of the second player. Scores are taken to be above what busts cost.
    """

    def begin_again(extra: Floats) -> Floats:
        reply = _solve_reply(race, True, 1 - float(extra[0, 0]), rows)
        bank = np.where(np.arange(rows + 1) >= max(race.least, 1), 1 - reply, -1.0)

        def begin(mine: int, theirs: int) -> float:
            def after(cost: int) -> float:
                left = -_count_lost_rows(race, mine, cost)
                return 1 - value_level_reply(race, extra, left, ((mine + 1) % race.streaks, theirs))

            return float(_shot_value(race, True, bank, after(0), ends=_value_ends(race, after))[0])

        return np.array([[begin(*streaks) for streaks in row] for row in _list_streaks(race)])

    return _find_fixed_point(begin_again, (race.streaks, race.streaks))


def _list_streaks(race: Race) -> list[list[tuple[int, int]]]:
    return [[(mine, theirs) for theirs in range(race.streaks)] for mine in range(race.streaks)]


def value_level_reply(race: Race, extra: Floats, lead: int, streaks: tuple[int, int]) -> float:
    """Return the chance of the second player of an extra round, where the first has gained nothing.

    `lead`: of the first player, in rows, 0 or less where a bust cost points; `streaks`: busts in a row, of the first
    after this shot and of the second; `extra`: as in `Endgame`.
    """
    bank = np.where(np.arange(race.least + 2) >= max(race.least, 1), 1.0, -1.0)

    def after(cost: int) -> float:
        left = -_count_lost_rows(race, streaks[1], cost)
        tie = 1 - float(extra[streaks[0], (streaks[1] + 1) % race.streaks])
        return tie if left == lead else float(left > lead)

    return float(_shot_value(race, True, bank, after(0), ends=_value_ends(race, after))[0])


def _count_lost_rows(race: Race, streak: int, cost: int) -> int:
    """Return how many rows a bust takes off a high score; `streak` and `cost` as in `Race.score_after_bust`."""
    high = np.array(SAFE_LEAD)
    return int(high - race.score_after_bust(high, np.array([True]), np.array(streak), cost)[0])


def _value_ends(race: Race, after: Callable[[int], float]) -> list[float] | None:
    """Return what the ends of the graph are worth, given that of a bust by its own cost; None without costs."""
    if not race.may_fall:
        return None
    return [after(end.cost) if end.kind == "bust" else float(end.kind == "win") for end in race.graph.ends]


def _find_fixed_point(begin_again: Callable[[Floats], Floats], shape: tuple[int, ...]) -> Floats:
    """Return the chances that are the same when everything begins again."""
    chances, history = np.full(shape, 0.5), list[tuple[Floats, Floats]]()
    for _ in range(EXTRA_ROUND_ITERATIONS):
        after = begin_again(chances)
        history = [*history[-chances.size :], (chances, after)]
        if np.abs(after - chances).max() < EXTRA_ROUND_TOLERANCE:
            break
        chances = guess_next(history)
    return chances


def find_extra_chances(race: Race) -> tuple[float, Floats]:
    """Find the chance of the first player where scores are equal at the end: nobody has entered; both have.

    The latter by the busts in a row of both.
    """
    if not race.plays_ties_out:
        tie = tie_value(race, 0, 0.0)
        return tie, np.full((race.streaks, race.streaks), tie)
    rows = max(SAFE_LEAD // race.graph.unit, 10 * race.graph.reach)
    both = _solve_extra_round(race, rows)
    reply = _solve_reply(race, False, 1 - float(both[0, 0]), rows)
    enough = np.arange(rows + 1) >= max(race.entry, 1)
    bank, reach = np.where(enough, 1 - reply, -1.0), np.where(enough, 1.0, -1.0)

    def begin_again(chance: Floats) -> Floats:
        # After two busts the same begins again; a tie of two banks is one of players who have entered.
        level = _shot_value(race, False, reach, 1 - float(chance[0]))[0]
        return np.array([_shot_value(race, False, bank, 1 - float(level))[0]])

    return float(_find_fixed_point(begin_again, (1,))[0]), both


@dataclass(frozen=True, eq=False)
class ForcedThrow:
    """Six dice that have to be thrown after a sweep, by a player who banks as soon as possible.

    `banks`: chance and rise in rows of each class of throws that can be banked, of a win more than any lead; `sweeps`:
    of each that sweeps again.
    """

    banks: tuple[tuple[float, int], ...]
    sweeps: tuple[tuple[float, int], ...]
    bust: float

    @classmethod
    def of(cls, graph: Graph) -> Self:
        """Read it from the choices of six dice."""
        layer, place = graph.layer_of(graph.start)
        weights = layer.weights[place]
        banks: list[tuple[float, int]] = []
        sweeps: list[tuple[float, int]] = []
        for number in np.flatnonzero(weights):
            choices = [divmod(int(choice), graph.width) for choice in layer.choices[:, number]]
            free = [rise for rise, column in choices if graph.bankable[column]]
            free += [SAFE_LEAD for _, column in choices if column == graph.win]
            (banks if free else sweeps).append((float(weights[number]), max(free or [rise for rise, _ in choices])))
        return cls(tuple(banks), tuple(sweeps), graph.bust_chance(graph.start))

    @property
    def risk(self) -> float:
        """The chance that it ends in a bust, after however many sweeps."""
        return self.bust / (1 - sum(chance for chance, _ in self.sweeps))

    def value(self, bust: float) -> float:
        """Return what it is worth where every bank wins and a bust is worth `bust`."""
        return 1 - self.risk + self.risk * bust


def _solve_forced(race: Race, reply: Floats) -> tuple[Floats, float]:
    """Compute `Endgame.forced` and `Endgame.risk`."""
    throw = ForcedThrow.of(race.graph)
    most = reply.shape[-1] - 1
    forced = np.full(reply.shape, 1 - throw.risk)
    leads = np.arange(most)
    banks = (chance * (1 - reply[..., np.minimum(leads + rise, most)]) for chance, rise in throw.banks)
    banked = sum(banks, np.zeros_like(reply[..., :most]))
    for lead in range(most - 1, -1, -1):
        again = sum(chance * forced[..., min(lead + rise, most)] for chance, rise in throw.sweeps)
        forced[..., lead] = banked[..., lead] + again
    return forced, throw.risk
