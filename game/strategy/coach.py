"""The coach's advice on a choice: the best option, the reason, and its numbers. The pages put it into words.

The best option is the one with the largest chance to win or, where only points are known, the most expected points.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from game.rules import Ruleset, State, apply, points_needed
from game.strategy.arrays import np
from game.strategy.turn import solve_points_of
from game.strategy.turn.graph import build_graph
from game.strategy.win import RatedOption, ShotChances, rate_pick_up
from game.strategy.win.endgame import ForcedThrow
from game.strategy.win.shot_values import fill_values, must_throw_sweeps

Reason = Literal[
    "six",  # the dice win at once
    "wins",  # the bank ends the game, won alone
    "shares",  # the bank ends the game, won together with others
    "ahead",  # final round: the bank passes the leader
    "level",  # final round: the bank catches up with the leader
    "behind",  # final round: throw, because `need` points are needed to pass the leader
    "finishing",  # the bank reaches the target
    "sweep",  # all dice score and are thrown again
    "get_in",  # throw: `need` points are needed for the first bank
    "minimum",  # throw: `need` points are needed to bank
    "only",  # there is no other option
    "win",  # the largest chance to win, though not the most points
    "points",  # the most points on average
]

# Values this close count as equal.
EQUAL_WITHIN = 1e-9
# A chance that takes more comparisons of choices than this, up to half a second, is not solved. With the rulesets that
# come with the app that is one to make 290,000 points: nobody needs it but whoever wrote the game file.
COMPARISONS_MOST = 20_000_000


@dataclass(frozen=True)
class Advice:
    """The best of the options, and the reason.

    `other`: the best option that throws if `best` does not, or does not if `best` throws; the next best one where
    points are missing to bank; None if there is none.
    `need`: the points that the whole shot has to make. `rival`: the seat to pass, None if alone. `chance`: that of
    making `need`, 0 to 1; None where it is unknown or not needed.
    """

    best: RatedOption
    reason: Reason
    other: RatedOption | None = None
    need: int = 0
    rival: int | None = None
    chance: float | None = None


def give_advice(state: State, rated: Sequence[RatedOption]) -> Advice:
    """Return the advice on what to do with the dice on the table. `rated`: all options, best first; at least one."""
    rival = find_rival(state)
    best = rated[0]
    throws = best.option.then == "throw"
    other = next((entry for entry in rated if (entry.option.then == "throw") != throws), None)
    reason = _reason_at_the_end(state, best, rival) or _reason_of_the_rules(state, best, rated)
    if reason is None:
        most = max(entry.option.points for entry in rated)
        reason = "points" if best.option.points >= most - EQUAL_WITHIN else "win"
    if reason in ("get_in", "minimum"):
        other = rated[1]
    need = points_to_pass(state, rival if reason in ("behind", "ahead") else None)
    chance = chance_to_reach(state.ruleset, best.option.column, best.option.total, need) if reason == "behind" else None
    return Advice(best, reason, other, need, rival, chance)


def find_rival(state: State) -> int | None:
    """Find the other seat with the highest score, of equals the one that has held it longest; None if alone."""
    others = [seat for seat in state.active if seat != state.player]
    return min(others, key=lambda seat: (-state.players[seat].score, state.players[seat].since), default=None)


def points_to_pass(state: State, rival: int | None) -> int:
    """Return the fewest points of a shot that may be banked and, with a rival, bring the player above them."""
    need = points_needed(state)
    if rival is not None:
        need = max(need, state.players[rival].score - state.players[state.player].score + 1, 1)
    # Dice can only make multiples of their unit, and banks have to be multiples of the step.
    unit = math.lcm(build_graph(state.ruleset).unit, state.ruleset.bank_step or 1)
    return -(-need // unit) * unit


def _reason_at_the_end(state: State, best: RatedOption, rival: int | None) -> Reason | None:
    option, score = best.option, state.players[state.player].score
    if option.then == "win":
        return "six"
    winners = () if option.then == "throw" else apply(state, option.move).state.winners
    if state.player in winners:
        return "wins" if len(winners) == 1 else "shares"
    banks = option.then == "bank"
    if state.final_stands and rival is not None and state.players[rival].score >= score:
        if banks and score + option.total == state.players[rival].score:
            return "level"
        enough = option.total >= points_to_pass(state, rival)
        can_be_passed = state.ruleset.exact == "no" or state.players[rival].score < state.target
        if banks == enough and can_be_passed:
            return "ahead" if enough else "behind"
    return "finishing" if banks and not state.final_stands and 0 < state.goal <= score + option.total else None


def _reason_of_the_rules(state: State, best: RatedOption, rated: Sequence[RatedOption]) -> Reason | None:
    shot = state.shot
    if best.option.then == "throw" and shot is not None and len(best.option.keep.dice) == len(shot.dice):
        return "sweep"
    if len(rated) == 1:
        return "only"
    options, need = [entry.option for entry in rated], points_to_pass(state, None)
    if any(option.then != "throw" or option.total >= need for option in options):
        return None
    return "minimum" if state.players[state.player].entered else "get_in"


def chance_to_reach(ruleset: Ruleset, column: int, points: int, need: int) -> float | None:
    """Return the largest chance, 0 to 1, that a shot with this many points banks at least `need`.

    `column`: that of the graph from which the shot is thrown next. None where more of a shot counts than its points and
    its number of dice, and beyond `COMPARISONS_MOST`.
    """
    graph = build_graph(ruleset)
    if len(graph.positions) > ruleset.dice or graph.strikes or ruleset.bank_step:
        return None
    if need // graph.unit * graph.choices > COMPARISONS_MOST:
        return None
    return _solve_chances_to_reach(ruleset, need).throw(column, points)


@lru_cache(maxsize=64)
def _solve_chances_to_reach(ruleset: Ruleset, need: int) -> ShotChances:
    """Solve a shot that is played only to bank at least this many points."""
    graph = build_graph(ruleset)
    goal = -(-need // graph.unit)
    bank = np.where(np.arange(goal + graph.reach + 1) < goal, -1.0, 1.0)[:, None]
    after_sweep = ForcedThrow.of(graph).value(0.0) if must_throw_sweeps(graph) else 1.0
    values = fill_values(graph, bank, np.zeros(1), forced=np.full((graph.reach + 1, 1), after_sweep))
    return ShotChances(graph, values, bank, 0, 0.0, graph.start, estimate=False)


@dataclass(frozen=True)
class PickUpChoice:
    """The choice between picking up the dice that the player before left, and fresh dice.

    `dice` and `points`: what is on offer. `taken` and `fresh`: what either is worth, in expected points; as chances to
    win with `by_win`; or, where a leader (`rival`) has to be passed in the last shot of all, as chances to make `need`.
    """

    dice: int
    points: int
    taken: float
    fresh: float
    need: int = 0
    rival: int | None = None
    by_win: bool = False

    @property
    def takes(self) -> bool:
        """Whether the dice are worth picking up."""
        return self.taken > self.fresh


def judge_pick_up(state: State) -> PickUpChoice | None:
    """Judge the dice on offer; None if there are none. Raises `NoBestPlay` where points have no bound."""
    if state.pick_up is None:
        return None
    dice, points = state.pick_up
    player, rival = state.players[state.player], find_rival(state)
    graph = build_graph(state.ruleset)
    column = graph.plain_column(dice, entered=player.entered)
    behind = rival is not None and state.players[rival].score >= player.score
    if state.due == (state.player,) and behind and state.ruleset.tie not in ("extra_rounds", "tied_only"):
        need = points_to_pass(state, rival)
        taken = chance_to_reach(state.ruleset, column, points, need)
        fresh = chance_to_reach(state.ruleset, graph.start, 0, need)
        if taken is not None and fresh is not None:
            return PickUpChoice(dice, points, taken, fresh, need, rival)
    if chances := rate_pick_up(state):
        return PickUpChoice(dice, points, *chances, by_win=True)
    solved = solve_points_of(state)
    worth = solved.throw(column, points, solved.kind(player.entered, player.streak, picked_up=True))
    return PickUpChoice(dice, points, worth, solved.expected(player.entered, player.streak))
