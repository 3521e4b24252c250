"""The options of a decision: every way to keep dice of a throw and then go on, with its expected points."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from game.rules.play.moves import Bank, Throw, Win
from game.rules.ruleset import Dice, Ruleset
from game.rules.scoring import Keep, keeps, points_gained
from game.strategy.turn.points import ShotPoints, solve_shot_points


@dataclass(frozen=True)
class DecisionPoint:
    """The moment of a choice: `dice`, sorted, have just fallen.

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
    then: Literal["bank", "throw", "win"]
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


def list_options(ruleset: Ruleset, point: DecisionPoint) -> tuple[Option, ...]:
    """List every option that the rules allow, the most expected points first; empty for a bust.

    Raises `ValueError` for dice that are no throw, `EndlessShot` where points have no bound.
    """
    allowed = keeps(ruleset, point.dice, point.aside, point.aside_points)
    solved = solve_shot_points(ruleset, point.taken or not ruleset.pick_up)
    options = (option for keep in allowed for option in _options_with(solved, point, keep))
    return tuple(sorted(options, key=lambda option: -option.points))


def _options_with(solved: ShotPoints, point: DecisionPoint, keep: Keep) -> Iterator[Option]:
    graph, kind = solved.graph, solved.kind(point.entered, point.streak)
    total = point.points + points_gained(keep, point.aside_points)
    if keep.wins:
        yield Option(keep, "win", total, graph.win, total + solved.rewards.prize, 0.0)
        return
    column = graph.column_after(len(point.dice), point.aside, point.aside_points, keep)
    yield Option(keep, "throw", total, column, solved.throw(column, total, kind), graph.bust_chance(column))
    if solved.may_bank(column, total, kind):
        yield Option(keep, "bank", total, column, solved.bank(column, total, kind), 0.0)
