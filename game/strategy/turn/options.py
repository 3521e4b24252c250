"""The ways to keep dice of a throw, each with what it is worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from game.rules.ruleset import Ruleset
from game.rules.scoring import Dice, Keep, gain, keeps
from game.strategy.turn.points import ShotPoints, shot_points

Then = Literal["bank", "throw", "win"]


@dataclass(frozen=True)
class Spot:
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
class Way:
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


def ways(ruleset: Ruleset, spot: Spot) -> tuple[Way, ...]:
    """Every way to keep and then bank or throw that the rules allow; the most expected points first.

    Empty for a bust. Raises `ValueError` for what is no throw, `EndlessShot` where points have no bound.
    """
    found = keeps(ruleset, spot.dice, spot.aside, spot.aside_points)
    values = shot_points(ruleset, spot.taken or not ruleset.pick_up)
    return tuple(sorted((way for keep in found for way in _ways(values, spot, keep)), key=lambda way: -way.points))


def _ways(values: ShotPoints, spot: Spot, keep: Keep) -> Iterator[Way]:
    graph, lane = values.graph, values.lane(spot.entered, spot.streak)
    total = spot.points + gain(keep, spot.aside_points)
    if keep.wins:
        yield Way(keep, "win", total, graph.win, total + values.terms.prize, 0.0)
        return
    left = len(spot.dice) - len(keep.dice)
    column = graph.start if not left else graph.column(left, spot.aside + keep.dice, spot.aside_points + keep.points)
    yield Way(keep, "throw", total, column, values.throw(column, total, lane), graph.bust(column))
    if values.may_bank(column, total, lane):
        yield Way(keep, "bank", total, column, values.bank(column, total, lane), 0.0)


def picks_up(ruleset: Ruleset, dice: int, points: int, taken: bool = True) -> bool:
    """Whether an entered player does better with these dice and points on offer than with six fresh dice."""
    values = shot_points(ruleset, taken)
    return values.throw(values.graph.column(dice), points, 0) > values.expected()
