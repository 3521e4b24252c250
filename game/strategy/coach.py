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
from game.strategy.turn import solve_shot_points
from game.strategy.turn.graph import graph_of
from game.strategy.win import Race, RatedOption, ShotChances, next_may_pick_up
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
EQUAL_WITHIN = 1e-9
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

    best: RatedOption
    reason: Reason
    other: RatedOption | None = None
    need: int = 0
    rival: int | None = None
    chance: float | None = None


def give_advice(state: State, rated: Sequence[RatedOption]) -> Advice:
    """What to do with the dice on the table. `rated`: all ways to keep, best first; at least one."""
    rival = find_rival(state)
    best = find_best(state, rated)
    other = next((each for each in rated if (each.option.then == "throw") != (best.option.then == "throw")), None)
    reason = _at_the_end(state, best, rival) or _forced(state, best, rated) or _preferred(best, rated)
    need = {"behind": points_to_pass(state, rival), "ahead": points_to_pass(state, rival)}.get(reason, minimum(state))
    chance = chance_to_reach(state.ruleset, best.option.column, best.option.total, need) if reason == "behind" else None
    return Advice(best, reason, other, need, rival, chance)


def find_rival(state: State) -> int | None:
    """The seat with the highest score beside the player; of equal ones who has held it longest. None without others."""
    others = [seat for seat in state.active if seat != state.player]
    return min(others, key=lambda seat: (-state.players[seat].score, state.players[seat].since), default=None)


def points_to_pass(state: State, rival: int | None) -> int:
    """The fewest points of the shot that bring the player above the rival, a minimum included."""
    if rival is None:
        return minimum(state)
    unit = graph_of(state.ruleset).unit
    gap = state.players[rival].score - state.players[state.player].score
    return max((gap // unit + 1) * unit, minimum(state), unit)


def find_best(state: State, rated: Sequence[RatedOption]) -> RatedOption:
    """The way to recommend; `rated` best first."""
    if rated[0].win is not None:
        return rated[0]
    winning = [each for each in rated if _winners(state, each) == (state.player,)]
    rival = find_rival(state)
    if winning or not state.final or rival is None:
        return winning[0] if winning else rated[0]
    hopeful = [each for each in rated if each.option.then == "throw" or _in_front(state, each, rival)] or list(rated)
    if state.due != (state.player,):
        return hopeful[0]
    return max(hopeful, key=lambda each: (_chance(state, each, rival), each.option.points))


def _chance(state: State, each: RatedOption, rival: int) -> float:
    """The chance to pass the rival in the last shot of all, to catch up counted half; 0 where it is not known."""
    if each.option.then != "throw":
        return _in_front(state, each, rival)
    return chance_to_reach(state.ruleset, each.option.column, each.option.total, points_to_pass(state, rival)) or 0.0


def _in_front(state: State, each: RatedOption, rival: int) -> float:
    """What a bank is against the rival: 1 in front, `LEVEL` with the same score where that is worth it, 0 behind."""
    lead = state.players[state.player].score + each.option.total - state.players[rival].score
    return 1.0 if lead > 0 else LEVEL if not lead and state.ruleset.tie != "leader_stands" else 0.0


def _winners(state: State, each: RatedOption) -> tuple[int, ...]:
    """Who has won if this way ends the game; nobody if it goes on."""
    return () if each.option.then == "throw" else apply(state, each.option.move).state.winners


def _at_the_end(state: State, best: RatedOption, rival: int | None) -> Reason | None:
    way = best.option
    if way.then == "win":
        return "six"
    winners = _winners(state, best)
    if state.player in winners:
        return "wins" if len(winners) == 1 else "shares"
    if state.final and rival is not None and state.players[rival].score >= state.players[state.player].score:
        if way.then == "bank" and _in_front(state, best, rival) == LEVEL:
            return "level"
        enough = way.total >= points_to_pass(state, rival)
        if (way.then == "bank") == enough:
            return "ahead" if enough else "behind"
    if not state.final and way.then == "bank" and state.players[state.player].score + way.total >= state.target:
        return "finishing"
    return None


def _forced(state: State, best: RatedOption, rated: Sequence[RatedOption]) -> Reason | None:
    """The reasons that the rules give."""
    shot = state.shot
    if best.option.then == "throw" and shot is not None and len(best.option.keep.dice) == len(shot.dice):
        return "sweep"
    if len(rated) == 1:
        return "only"
    if any(each.option.then != "throw" for each in rated) or max(each.option.total for each in rated) >= minimum(state):
        return None
    return "minimum" if state.players[state.player].entered else "get_in"


def _preferred(best: RatedOption, rated: Sequence[RatedOption]) -> Reason:
    return "points" if best.option.points >= max(each.option.points for each in rated) - EQUAL_WITHIN else "win"


def chance_to_reach(ruleset: Ruleset, column: int, points: int, need: int) -> float | None:
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
class PickUpChoice:
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


def judge_pick_up(state: State) -> PickUpChoice | None:
    """What the dice on offer are worth; None where none are."""
    if state.pick_up is None:
        return None
    dice, points = state.pick_up
    player, rival = state.players[state.player], find_rival(state)
    graph = graph_of(state.ruleset)
    if state.due == (state.player,) and rival is not None and state.ruleset.tie != "extra_rounds":
        need = points_to_pass(state, rival)
        taken = chance_to_reach(state.ruleset, graph.column(dice), points, need)
        fresh = chance_to_reach(state.ruleset, graph.start, 0, need)
        if taken is not None and fresh is not None:
            return PickUpChoice(dice, points, taken, fresh, need, rival)
    values = solve_shot_points(state.ruleset, next_may_pick_up(state))
    lane = values.lane(player.entered, player.streak)
    return PickUpChoice(
        dice, points, values.throw(graph.column(dice), points, lane), values.expected(True, player.streak)
    )
