"""Playing by expected points, to somebody's taste."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from game.rules import Move, State
from game.rules.ruleset import Ruleset
from game.rules.scoring import Dice
from game.strategy.computers.ends import is_lost
from game.strategy.splitmix import mixed, share
from game.strategy.turn import Option, ShotPoints, list_options, solve_shot_points
from game.strategy.win import next_may_pick_up
from game.strategy.win.state import find_decision_point


@dataclass(frozen=True)
class NoisyPolicy:
    """How somebody sees expected points. All in shares of what a fresh shot brings.

    `bank`: what a bank counts more than it is worth; below 0, less. `spread`: up to so much more any choice may seem
    to be worth. Together they bound what one decision can cost. `straights`: a straight is never broken up.
    """

    bank: float = 0.0
    spread: float = 0.0
    straights: bool = True

    @property
    def bound(self) -> float:
        """The most that a decision can cost, as far as neither a straight nor the end of the game is at stake."""
        return abs(self.bank) + self.spread


# Expected points as they are.
EXACT = NoisyPolicy(straights=False)


def choose_dice(state: State, taste: NoisyPolicy) -> Move:
    """The way to keep that seems to be worth the most. A choice of dice must be due. Raises `EndlessShot`."""
    spot = find_decision_point(state)
    if spot is None:
        raise ValueError("There is nothing to keep.")
    found = list_options(state.ruleset, spot)
    score = state.players[state.player].score
    useful = [way for way in found if way.then != "bank" or not is_lost(state, score + way.total)]
    if taste.straights:
        useful = _with_straights(state.ruleset, spot.dice, useful)
    fresh = solve_shot_points(state.ruleset, spot.taken).expected()
    extra = seeming(taste, context(state, spot.dice), useful)
    return max(zip(useful, extra, strict=True), key=lambda each: each[0].points + fresh * each[1])[0].move


def picks_up(state: State, taste: NoisyPolicy) -> bool:
    """Whether the dice on offer seem to be worth more than six fresh ones. Raises `EndlessShot`."""
    if state.pick_up is None:
        return False
    dice, points = state.pick_up
    values: ShotPoints = solve_shot_points(state.ruleset, next_may_pick_up(state))
    lane, fresh = values.lane(True, state.players[state.player].streak), values.expected()
    taken = values.throw(values.graph.column(dice), points, lane)
    number = context(state, ())
    seems = taste.spread * (share(mixed(number, 1)) - share(mixed(number, 0)))
    return bool(taken + fresh * seems[0] > values.throw(values.graph.start, 0, lane))


def context(state: State, dice: Dice) -> int:
    """A number for the public state of a choice: nothing in it tells of dice to come."""
    shot, score = state.shot, state.players[state.player].score
    others = sum(state.players[seat].score for seat in state.active) - score
    points = shot.points if shot else state.pick_up[1] if state.pick_up else 0
    return int(mixed(score, others, points, code(dice))[0])


def code(dice: Dice) -> int:
    """A number for sorted dice."""
    number = 0
    for die in dice:
        number = 7 * number + die
    return number


def seeming(taste: NoisyPolicy, number: int, choices: Sequence[Option]) -> list[float]:
    """What each choice seems to be worth above its points, in shares of a fresh shot."""
    codes = np.array([2 * code(way.keep.dice) + (way.then == "bank") for way in choices])
    banks = np.array([way.then == "bank" for way in choices])
    extra: list[float] = (taste.bank * banks + taste.spread * share(mixed(number, codes))).tolist()
    return extra


def straights_in(ruleset: Ruleset, dice: Dice) -> tuple[Dice, ...]:
    """The straights in a throw that count more than their dice would alone, longest first."""
    worth = {
        (1, 2, 3, 4, 5, 6): ruleset.straight,
        (1, 2, 3, 4, 5): ruleset.low_straight,
        (2, 3, 4, 5, 6): ruleset.high_straight,
    }
    alone = ruleset.singles
    return tuple(run for run, points in worth.items() if points > sum(alone[f - 1] for f in run) and {*run} <= {*dice})


def holds(keep: Dice, runs: Sequence[Dice]) -> bool:
    """Whether these dice have one of the straights in them, or there is none to hold."""
    return not runs or any({*run} <= {*keep} for run in runs)


def _with_straights(ruleset: Ruleset, dice: Dice, choices: Sequence[Option]) -> list[Option]:
    """The choices that break up no straight; all, if every one does."""
    runs = straights_in(ruleset, dice)
    return [way for way in choices if holds(way.keep.dice, runs)] or list(choices)
