"""How a game of two ends: the chance to win of a last shot, by the points that are missing.

Everything here counts points in rows of the graph's unit and chances from 0 to 1. A shared win counts one half.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from game.rules.ruleset import Ending, Ruleset, TieRule
from game.strategy.turn.backward_induction import solve_backward
from game.strategy.turn.graph import Floats, Graph, Indices, build_graph

# A lead of so many points is taken to be safe from one last shot (its chance is below one in a billion).
SAFE_LEAD = 60_000
# The chance of the first player in an extra round is found to so much, in at most so many iterations.
EXTRA_ROUND_TOLERANCE, EXTRA_ROUND_ITERATIONS = 1e-14, 100


class NoTable(ValueError):
    """The chance to win is not solved for this ruleset: the table would need more than two scores."""


@dataclass(frozen=True, eq=False)
class Race:
    """A game of two as its solver sees it. `target`, `entry` and `least` (the bank minimum) in rows, rounded up."""

    graph: Graph
    target: int
    entry: int
    least: int
    ending: Ending
    tie: TieRule

    @property
    def roles(self) -> int:
        """2 where it matters whether the player to move is the first (0) or the second (1) of the order, else 1."""
        extra = self.ending == "last_shot_each" and self.tie == "extra_rounds"
        return 2 if self.ending == "complete_round" or extra else 1

    def other(self, role: int) -> int:
        """Return the role of the opponent of a player in this role."""
        return self.roles - 1 - role


def make_race(ruleset: Ruleset, target: int) -> Race:
    """Make the race to a target.

    Raises `NoTable` for pick-up, three pairs across throws, busts in a row that cost points, and for settings that the
    graph of a shot or the end of a game does not know.
    """
    costs = ruleset.bust_streak and ruleset.bust_streak_penalty
    unknown = ruleset.later_settings() or ruleset.tie == "tied_only"
    if ruleset.pick_up or ruleset.three_pairs_across_throws or costs or unknown:
        raise NoTable("Under these rules the chance to win is not known; expected points are.")
    return make_plain_race(ruleset, target)


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
    that part is `risk` times the worth of a bust. `extra`: the chance of the first player in an extra round.
    """

    reply: Floats
    forced: Floats
    risk: float
    extra: float


def solve_endgame(race: Race) -> Endgame:
    """Solve the final round of a race. Takes up to 2 s; nothing where the first at the target wins there and then."""
    rows = 1 if race.ending == "at_once" else max(SAFE_LEAD // race.graph.unit, 10 * race.graph.reach)
    extra = _solve_extra_round(race, rows) if race.ending != "at_once" and race.tie == "extra_rounds" else 0.0
    reply = np.zeros((race.roles, 2, rows + 1))
    if rows > 1:
        for role in range(race.roles):
            tie = tie_value(race, role, extra)
            reply[role] = [_solve_reply(race, minimum, tie, rows) for minimum in (race.entry, race.least)]
        if race.ending == "complete_round":
            reply[0] = 0.0
    reply[..., -1] = 0.0
    forced, risk = _solve_forced(race, reply)
    return Endgame(reply, forced, risk, extra)


def tie_value(race: Race, role: int, extra: float) -> float:
    """Return what catching up exactly is worth to the player in this role; `extra`: as in `Endgame`."""
    return {"leader_stands": 0.0, "shared": 0.5, "extra_rounds": extra if role == 0 else 1 - extra}[race.tie]


def _solve_reply(race: Race, minimum: int, tie: float, rows: int) -> Floats:
    """Compute the chance to win of a last shot by the rows missing; none missing is the tie of an extra round."""
    chances = _overtake_chances(race, tie, rows)
    if minimum > 1:
        chances[: min(minimum, rows)] = _overtake_chances(race, 0.0, rows)[min(minimum - 1, rows)]
    if tie:
        bank = np.where(np.arange(rows + 1) >= max(minimum, 1), 1.0, -1.0)
        chances[0] = _shot_value(race, bank, tie)[0]
    return chances


def _overtake_chances(race: Race, tie: float, rows: int) -> Floats:
    """Compute the chance to bank more than 0 to `rows` rows, where banking exactly so many is worth `tie`."""
    bank = np.zeros(rows + 1)
    bank[rows] = tie
    return _shot_value(race, bank, 0.0)[::-1].copy()


def _shot_value(race: Race, bank: Floats, bust: float) -> Floats:
    """Compute the value of throwing six dice by the rows gathered, given the values of banking and of a bust.

    `bank` (rows; -1: not allowed): beyond these rows a bank is worth 1.
    """
    graph = race.graph
    banks = np.append(bank, np.ones(graph.reach + 1))[:, None]
    forced = 1.0 if graph.bankable[graph.start] else ForcedThrow.of(graph).value(bust)
    values = fill_values(graph, banks, np.full((graph.reach + 1, 1), forced), np.array([bust]))
    return values[: len(bank), graph.start, 0]


def fill_values(graph: Graph, bank: Floats, forced: Floats, bust: Floats) -> Floats:
    """Compute the values of arriving (rows x columns x batch) from those of a bank and of a bust.

    `bank` (rows x batch; -1: not allowed): in the last `graph.reach` + 1 rows banking is the best wherever the rules
    allow it. `forced` (those rows x batch): the value there of six dice after a sweep. `bust` (batch).
    """
    top = len(bank) - graph.reach - 1
    values = np.empty((len(bank), graph.width, bank.shape[1]))
    values[top:] = bank[top:, None, :]
    values[top:, graph.start] = forced
    values[:, graph.win] = 1.0
    banked = bank[:, None, :] + np.where(graph.bankable, 0.0, -2.0)[:, None]

    def arrive(rows: slice, columns: Indices, thrown: Floats) -> Floats:
        return np.maximum(thrown, banked[rows, columns])

    solve_backward(graph, values, top, bust, arrive)
    return values


def _solve_extra_round(race: Race, rows: int) -> float:
    """Compute the chance of the first player when an extra round begins: scores are equal, both have one shot."""
    chance = 0.5
    for _ in range(EXTRA_ROUND_ITERATIONS):
        reply = _solve_reply(race, race.least, 1 - chance, rows)
        bank = np.where(np.arange(rows + 1) >= max(race.least, 1), 1 - reply, -1.0)
        better = float(_shot_value(race, bank, 1 - float(reply[0]))[0])
        if abs(better - chance) < EXTRA_ROUND_TOLERANCE:
            break
        chance = better
    return chance


@dataclass(frozen=True, eq=False)
class ForcedThrow:
    """Six dice that have to be thrown after a sweep, by a player who banks as soon as possible.

    `banks`: chance and rise in rows of each class of throws that can be banked; `sweeps`: of each that sweeps again.
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
            free = [rise for rise, column in choices if graph.bankable[column] or column == graph.win]
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
    for lead in range(most - 1, -1, -1):
        banked = sum(chance * (1 - reply[..., min(lead + rise, most)]) for chance, rise in throw.banks)
        again = sum(chance * forced[..., min(lead + rise, most)] for chance, rise in throw.sweeps)
        forced[..., lead] = banked + again
    return forced, throw.risk
