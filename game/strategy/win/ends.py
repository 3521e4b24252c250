"""How a game of two ends: the chance to win of a last shot, by the points that are missing.

Everything here counts points in rows of the graph's unit and chances from 0 to 1. A shared win counts one half.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from game.rules.ruleset import Ending, Ruleset, Tie
from game.strategy.turn.backward_induction import descend
from game.strategy.turn.graph import Floats, Graph, Places, graph_of

# A lead of so many points is taken to be safe from one last shot (its chance is below one in a billion).
SAFE_LEAD = 60_000
SETTLED = 1e-14
ROUNDS_MOST = 100


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
    tie: Tie

    @property
    def roles(self) -> int:
        """2 where it matters whether the player to move is the first (0) or the second (1) of the order, else 1."""
        extra = self.ending == "last_shot_each" and self.tie == "extra_rounds"
        return 2 if self.ending == "complete_round" or extra else 1

    def other(self, role: int) -> int:
        """The role of the opponent of a player."""
        return self.roles - 1 - role


def make_race(ruleset: Ruleset, target: int) -> Race:
    """The race to a target. Raises `NoTable` for pick-up, three pairs across throws and busts in a row that cost."""
    if ruleset.pick_up or ruleset.three_pairs_across_throws or (ruleset.bust_streak and ruleset.bust_streak_penalty):
        raise NoTable("The chance to win is not known under this ruleset; expected points are.")
    graph = graph_of(ruleset)
    target, entry, least = (
        -(-points // graph.unit) for points in (target, ruleset.entry_minimum, ruleset.bank_minimum)
    )
    return Race(graph, target, entry, least, ruleset.ending, ruleset.tie)


@dataclass(frozen=True, eq=False)
class Ends:
    """What the final phase is worth.

    `reply` (roles x entered or not x rows): the chance to win of the player in this role whose last shot it is, by the
    rows that he is behind; the last entry holds for all more. `forced` (same shape): the chance of the leader, by the
    lead in rows, who has to throw six dice and then banks as soon as he can, but for the part that a bust is worth;
    that part is `risk` times the worth of a bust. `extra`: the chance of the first player in an extra round.
    """

    reply: Floats
    forced: Floats
    risk: float
    extra: float


def solve_endgame(race: Race) -> Ends:
    """The final phase of a race: none where the first at the target wins there and then."""
    rows = 1 if race.ending == "at_once" else max(SAFE_LEAD // race.graph.unit, 10 * race.graph.reach)
    extra = _extra_round(race, rows) if race.ending != "at_once" and race.tie == "extra_rounds" else 0.0
    reply = np.zeros((race.roles, 2, rows + 1))
    if rows > 1:
        for role in range(race.roles):
            reply[role] = [_reply(race, minimum, tie, rows) for minimum, tie in _cases(race, role, extra)]
        if race.ending == "complete_round":
            reply[0] = 0.0
    reply[..., -1] = 0.0
    forced, risk = _forced(race, reply)
    return Ends(reply, forced, risk, extra)


def _cases(race: Race, role: int, extra: float) -> list[tuple[int, float]]:
    """For a player who has not entered and one who has: the minimum in rows and what a tie is worth."""
    tie = tie_value(race, role, extra)
    return [(race.entry, tie), (race.least, tie)]


def tie_value(race: Race, role: int, extra: float) -> float:
    """What catching up exactly is worth to the player in this role."""
    return {"leader_stands": 0.0, "shared": 0.5, "extra_rounds": extra if role == 0 else 1 - extra}[race.tie]


def _reply(race: Race, minimum: int, tie: float, rows: int) -> Floats:
    """The chance to win of a last shot by the rows that are missing; nothing missing is the tie of an extra round."""
    chances = _overtake(race, tie, rows)
    if minimum > 1:
        chances[: min(minimum, rows)] = _overtake(race, 0.0, rows)[min(minimum - 1, rows)]
    if tie:
        bank = np.where(np.arange(rows + 1) >= max(minimum, 1), 1.0, -1.0)
        chances[0] = _value(race, bank, tie)[0]
    return chances


def _overtake(race: Race, tie: float, rows: int) -> Floats:
    """The chance to bank more than so many rows (0 to `rows`), where banking exactly so many is worth `tie`."""
    bank = np.zeros(rows + 1)
    bank[rows] = tie
    return _value(race, bank, 0.0)[::-1].copy()


def _value(race: Race, bank: Floats, bust: float) -> Floats:
    """What six dice to throw are worth by the rows gathered, with these values of banking (-1: not allowed) and a bust.

    Beyond the given rows a bank is worth 1.
    """
    graph = race.graph
    banks = np.append(bank, np.ones(graph.reach + 1))[:, None]
    forced = 1.0 if graph.bankable[graph.start] else Forced.of(graph).value(bust)
    return fill_plane(graph, banks, np.full((graph.reach + 1, 1), forced), np.array([bust]))[
        : len(bank), graph.start, 0
    ]


def fill_plane(graph: Graph, bank: Floats, forced: Floats, bust: Floats) -> Floats:
    """The values of arriving by what a bank and a bust are worth.

    `bank` (rows x lanes; -1: not allowed): in the last `graph.reach` + 1 rows banking is the best wherever the rules
    have it. `forced`: in those rows, what six dice are worth after a sweep.
    """
    top = len(bank) - graph.reach - 1
    plane = np.empty((len(bank), graph.width, bank.shape[1]))
    plane[top:] = bank[top:, None, :]
    plane[top:, graph.start] = forced
    plane[:, graph.win] = 1.0
    banked = bank[:, None, :] + np.where(graph.bankable, 0.0, -2.0)[:, None]

    def arrive(rows: slice, columns: Places, thrown: Floats) -> Floats:
        return np.maximum(thrown, banked[rows, columns])

    descend(graph, plane, top, 0, bust, arrive)
    return plane


def _extra_round(race: Race, rows: int) -> float:
    """The chance of the first player when an extra round begins: equal scores, both have a shot, then it is judged."""
    chance = 0.5
    for _ in range(ROUNDS_MOST):
        reply = _reply(race, race.least, 1 - chance, rows)
        bank = np.where(np.arange(rows + 1) >= max(race.least, 1), 1 - reply, -1.0)
        better = float(_value(race, bank, 1 - float(reply[0]))[0])
        if abs(better - chance) < SETTLED:
            break
        chance = better
    return chance


@dataclass(frozen=True, eq=False)
class Forced:
    """Six dice that have to be thrown after a sweep, by a player who banks as soon as he can.

    `banks`: chance and rise in rows of each class of throws that he can bank; `sweeps`: of each that sweeps again.
    """

    banks: tuple[tuple[float, int], ...]
    sweeps: tuple[tuple[float, int], ...]
    bust: float

    @classmethod
    def of(cls, graph: Graph) -> Forced:
        """From the choices of six dice."""
        level, place = graph.level_of(graph.start)
        weights = level.weights[place]
        banks: list[tuple[float, int]] = []
        sweeps: list[tuple[float, int]] = []
        for number in np.flatnonzero(weights):
            choices = [divmod(int(choice), graph.width) for choice in level.choices[:, number]]
            free = [rise for rise, column in choices if graph.bankable[column] or column == graph.win]
            (banks if free else sweeps).append((float(weights[number]), max(free or [rise for rise, _ in choices])))
        return cls(tuple(banks), tuple(sweeps), graph.bust(graph.start))

    @property
    def risk(self) -> float:
        """The chance that it ends in a bust."""
        return self.bust / (1 - sum(chance for chance, _ in self.sweeps))

    def value(self, bust: float) -> float:
        """What it is worth where every bank wins."""
        return 1 - self.risk + self.risk * bust


def _forced(race: Race, reply: Floats) -> tuple[Floats, float]:
    """The worth of a lead to a player who has to throw six dice, but for what a bust is worth; and its risk."""
    throws = Forced.of(race.graph)
    most = reply.shape[-1] - 1
    bust = np.full(reply.shape, 1 - throws.risk)
    for lead in range(most - 1, -1, -1):
        value = sum(chance * (1 - reply[..., min(lead + rise, most)]) for chance, rise in throws.banks)
        again = sum(chance * bust[..., min(lead + rise, most)] for chance, rise in throws.sweeps)
        bust[..., lead] = value + again
    return bust, throws.risk
