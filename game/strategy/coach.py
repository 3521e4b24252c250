"""What a coach would say of a choice: the best way, the reason for it, the numbers behind it. The words are the page's.

The best way is the first by chance to win. Where only points are known it is the first by expected points, but for the
end of the game: there a bank that wins comes first, a bank that loses for certain last, and in the very last shot of
all the largest chance to pass the leader.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from game.rules import Ruleset, State, apply, minimum
from game.rules.ruleset import DICE
from game.strategy.turn import shot_points
from game.strategy.turn.graph import graph_of
from game.strategy.win import Race, Rated, ShotChances, move_of, next_may_take
from game.strategy.win.ends import Forced, fill_plane

Reason = Literal[
    "six",  # six alike win at once
    "wins",  # the bank ends the game, won alone
    "shares",  # the bank ends the game, won together with others
    "ahead",  # final round: the bank passes the leader
    "level",  # final round: the bank catches up with the leader
    "behind",  # final round: throw, because `need` points are needed to pass the leader
    "finishing",  # the bank reaches the target
    "sweep",  # all six score and are thrown again
    "get_in",  # throw: `need` points are needed to get in
    "minimum",  # throw: `need` points are needed to bank
    "only",  # there is no other way
    "win",  # the largest chance to win, though not the most points
    "points",  # the most points on average
]

# Chances this near are taken to be equal.
NEAR = 1e-9
# What a tie is worth, where it is worth something.
LEVEL = 0.5
# A graph with more positions than these remembers dice set aside.
PLAIN = DICE


@dataclass(frozen=True)
class Advice:
    """The best of the ways, and why.

    `other`: the best way that does the other thing (bank or throw), None if there is none. `need`: the points that the
    whole shot has to make. `rival`: the seat to pass. `chance` of making `need`, 0 to 1, where it is known.
    """

    best: Rated
    reason: Reason
    other: Rated | None = None
    need: int = 0
    rival: int | None = None
    chance: float | None = None


def advice(state: State, rated: Sequence[Rated]) -> Advice:
    """What to do with the dice on the table. `rated`: all ways to keep, best first; at least one."""
    rival = strongest(state)
    best = best_of(state, rated)
    other = next((each for each in rated if (each.way.then == "throw") != (best.way.then == "throw")), None)
    reason = _at_the_end(state, best, rival) or _forced(state, best, rated) or _preferred(best, rated)
    need = {"behind": to_pass(state, rival), "ahead": to_pass(state, rival)}.get(reason, minimum(state))
    chance = reach(state.ruleset, best.way.column, best.way.total, need) if reason == "behind" else None
    return Advice(best, reason, other, need, rival, chance)


def strongest(state: State) -> int | None:
    """The seat with the highest score beside the player; of equal ones who has held it longest. None without others."""
    others = [seat for seat in state.active if seat != state.player]
    return min(others, key=lambda seat: (-state.players[seat].score, state.players[seat].since), default=None)


def to_pass(state: State, rival: int | None) -> int:
    """The fewest points of the shot that bring the player above the rival, a minimum included."""
    if rival is None:
        return minimum(state)
    unit = graph_of(state.ruleset).unit
    gap = state.players[rival].score - state.players[state.player].score
    return max((gap // unit + 1) * unit, minimum(state), unit)


def best_of(state: State, rated: Sequence[Rated]) -> Rated:
    """The way to recommend; `rated` best first."""
    if rated[0].win is not None:
        return rated[0]
    winning = [each for each in rated if _winners(state, each) == (state.player,)]
    rival = strongest(state)
    if winning or not state.final or rival is None:
        return winning[0] if winning else rated[0]
    hopeful = [each for each in rated if each.way.then == "throw" or _in_front(state, each, rival)] or list(rated)
    if state.due != (state.player,):
        return hopeful[0]
    return max(hopeful, key=lambda each: (_chance(state, each, rival), each.way.points))


def _chance(state: State, each: Rated, rival: int) -> float:
    """The chance to pass the rival in the last shot of all, to catch up counted half; 0 where it is not known."""
    if each.way.then != "throw":
        return _in_front(state, each, rival)
    return reach(state.ruleset, each.way.column, each.way.total, to_pass(state, rival)) or 0.0


def _in_front(state: State, each: Rated, rival: int) -> float:
    """What a bank is against the rival: 1 in front, `LEVEL` with the same score where that is worth it, 0 behind."""
    lead = state.players[state.player].score + each.way.total - state.players[rival].score
    return 1.0 if lead > 0 else LEVEL if not lead and state.ruleset.tie != "leader_stands" else 0.0


def _winners(state: State, each: Rated) -> tuple[int, ...]:
    """Who has won if this way ends the game; nobody if it goes on."""
    return () if each.way.then == "throw" else apply(state, move_of(each.way)).state.winners


def _at_the_end(state: State, best: Rated, rival: int | None) -> Reason | None:
    way = best.way
    if way.then == "win":
        return "six"
    winners = _winners(state, best)
    if state.player in winners:
        return "wins" if len(winners) == 1 else "shares"
    if state.final and rival is not None and state.players[rival].score >= state.players[state.player].score:
        if way.then == "bank" and _in_front(state, best, rival) == LEVEL:
            return "level"
        enough = way.total >= to_pass(state, rival)
        if (way.then == "bank") == enough:
            return "ahead" if enough else "behind"
    if not state.final and way.then == "bank" and state.players[state.player].score + way.total >= state.target:
        return "finishing"
    return None


def _forced(state: State, best: Rated, rated: Sequence[Rated]) -> Reason | None:
    """The reasons that the rules give."""
    shot = state.shot
    if best.way.then == "throw" and shot is not None and len(best.way.keep.dice) == len(shot.dice):
        return "sweep"
    if len(rated) == 1:
        return "only"
    if any(each.way.then != "throw" for each in rated) or max(each.way.total for each in rated) >= minimum(state):
        return None
    return "minimum" if state.players[state.player].entered else "get_in"


def _preferred(best: Rated, rated: Sequence[Rated]) -> Reason:
    return "points" if best.way.points >= max(each.way.points for each in rated) - NEAR else "win"


def reach(ruleset: Ruleset, column: int, points: int, need: int) -> float | None:
    """The largest chance, 0 to 1, that a shot with so many points, thrown from a column of the graph, banks `need`.

    None where dice set aside matter.
    """
    if len(graph_of(ruleset).positions) > PLAIN:
        return None
    chances = _chances(ruleset, need)
    return chances.throw(column, min(points, need + chances.race.graph.unit - 1))


@lru_cache(maxsize=64)
def _chances(ruleset: Ruleset, need: int) -> ShotChances:
    """The chance to make these points at every position of a shot that is played for nothing else."""
    graph = graph_of(ruleset)
    goal = -(-need // graph.unit)
    bank = np.where(np.arange(goal + graph.reach + 1) < goal, -1.0, 1.0)[:, None]
    after_sweep = 1.0 if graph.bankable[graph.start] else Forced.of(graph).value(0.0)
    plane = fill_plane(graph, bank, np.full((graph.reach + 1, 1), after_sweep), np.zeros(1))
    race = Race(graph, goal, 0, 0, "at_once", "leader_stands")
    return ShotChances(race, plane, bank, 0, 0.0, estimate=False)


@dataclass(frozen=True)
class Choice:
    """To pick up the dice that the player before left, or to begin with six fresh ones.

    Both in expected points; or, where a leader has to be passed in the last shot of all, as chances to make `need`.
    """

    dice: int
    points: int
    taken: float
    fresh: float
    need: int = 0
    rival: int | None = None

    @property
    def takes(self) -> bool:
        """Whether the dice are worth picking up."""
        return self.taken > self.fresh


def pick_up_choice(state: State) -> Choice | None:
    """What the dice on offer are worth; None where none are."""
    if state.pick_up is None:
        return None
    dice, points = state.pick_up
    player, rival = state.players[state.player], strongest(state)
    graph = graph_of(state.ruleset)
    if state.due == (state.player,) and rival is not None and state.ruleset.tie != "extra_rounds":
        need = to_pass(state, rival)
        taken = reach(state.ruleset, graph.column(dice), points, need)
        fresh = reach(state.ruleset, graph.start, 0, need)
        if taken is not None and fresh is not None:
            return Choice(dice, points, taken, fresh, need, rival)
    values = shot_points(state.ruleset, next_may_take(state))
    lane = values.lane(player.entered, player.streak)
    return Choice(dice, points, values.throw(graph.column(dice), points, lane), values.expected(True, player.streak))
