"""The ways to keep dice of a throw, each with what it is worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from game.rules.play.moves import Bank, Throw, Win
from game.rules.ruleset import Ruleset
from game.rules.scoring import Dice, Keep, gain, keeps
from game.strategy.turn.points import ShotPoints, solve_shot_points

Then = Literal["bank", "throw", "win"]


@dataclass(frozen=True)
class DecisionPoint:
    """The moment of a choice: these dice have just fallen.

    `points` of the shot before them, picked-up ones included. `aside`: the dice set aside since the last sweep, with
    what they counted. `entered`, `streak` (busts in a row): of the player to move. `taken`: whether the next player
    may pick up what is left, where the ruleset has pick-up.
    """

    dice: Dice
    points: int = 0
    aside: Dice = ()
    aside_points: int = 0
    entered: bool = True
    streak: int = 0
    taken: bool = True


@dataclass(frozen=True)
class Option:
    """A keep, and what is done then.

    `total`: points of the shot with it. `column`: where it leads in the graph. `points`: expected points of the shot
    under the best play after it. `bust`: the chance, 0 to 1, that the throw that follows is a bust; 0 with a bank.
    """

    keep: Keep
    then: Then
    total: int
    column: int
    points: float
    bust: float

    @property
    def move(self) -> Bank | Throw | Win:
        """The move of the rules that takes this option."""
        if self.then == "win":
            return Win(self.keep.dice)
        return Bank(self.keep.dice) if self.then == "bank" else Throw(self.keep.dice)


def list_options(ruleset: Ruleset, spot: DecisionPoint) -> tuple[Option, ...]:
    """Every way to keep and then bank or throw that the rules allow; the most expected points first.

    Empty for a bust. Raises `ValueError` for what is no throw, `EndlessShot` where points have no bound.
    """
    found = keeps(ruleset, spot.dice, spot.aside, spot.aside_points)
    values = solve_shot_points(ruleset, spot.taken or not ruleset.pick_up)
    return tuple(sorted((way for keep in found for way in _options(values, spot, keep)), key=lambda way: -way.points))


def _options(values: ShotPoints, spot: DecisionPoint, keep: Keep) -> Iterator[Option]:
    graph, lane = values.graph, values.lane(spot.entered, spot.streak)
    total = spot.points + gain(keep, spot.aside_points)
    if keep.wins:
        yield Option(keep, "win", total, graph.win, total + values.terms.prize, 0.0)
        return
    left = len(spot.dice) - len(keep.dice)
    column = graph.start if not left else graph.column(left, spot.aside + keep.dice, spot.aside_points + keep.points)
    yield Option(keep, "throw", total, column, values.throw(column, total, lane), graph.bust(column))
    if values.may_bank(column, total, lane):
        yield Option(keep, "bank", total, column, values.bank(column, total, lane), 0.0)
