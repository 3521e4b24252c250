"""The parts of an analysis. Chances are from 0 to 1, or None if unknown; the points of a worth are expected points."""

from dataclasses import dataclass
from typing import Literal

from game.rules import Dice
from game.strategy.analysis.grading import FULL, WON, Mark, grade_decision

Measure = Literal["win", "estimate", "points"]


@dataclass(frozen=True)
class Worth:
    """What a moment is worth to the player at the dice: the chance to win, and the expected points of the shot."""

    win: float | None
    points: float


@dataclass(frozen=True)
class ReviewedOption:
    """One option of a decision.

    `then`: what follows the keep; "fresh" and "pick_up" begin a shot, with all dice or with those that the player
    before left. `total`: the points of the shot with this option. `left`: the dice that are then left to throw or to
    pick up. `bust`: the chance that the throw that follows is a bust, 0 if none follows.
    """

    keep: Dice
    then: Literal["bank", "throw", "win", "fresh", "pick_up"]
    total: int
    left: int
    worth: Worth
    bust: float


@dataclass(frozen=True)
class StepPlace:
    """A place in the game: the seat, the throw in its shot (from 1; 0 before the first), the step and the round.

    Steps and rounds count from 1. Each throw of the record is a step, and so is each shot without throws; undone shots
    are included.
    """

    seat: int
    throw: int
    step: int
    round: int


@dataclass(frozen=True)
class Decision:
    """A choice between at least two options, best first.

    `computer`: whether a computer chose. `dice`: as they fell, none before the first throw. `points`: those of the shot
    before the choice. `score`: that of the player. `chosen`: the place of the option taken. `unit`: the expected points
    of a whole shot.
    """

    at: StepPlace
    computer: bool
    dice: Dice
    points: int
    score: int
    options: tuple[ReviewedOption, ...]
    chosen: int
    unit: float

    @property
    def shares(self) -> tuple[float, ...]:
        """The worth of each option, in shares as `grading` counts them."""
        return tuple(
            option.worth.points / (FULL * self.unit) if option.worth.win is None else option.worth.win
            for option in self.options
        )

    @property
    def loss(self) -> float:
        """The chance to win that the choice gave away; if it is unknown, the expected points."""
        best, chosen = self.options[0].worth, self.options[self.chosen].worth
        if best.win is None or chosen.win is None:
            return best.points - chosen.points
        return best.win - chosen.win

    @property
    def mark(self) -> Mark:
        """The mark that the loss earns."""
        return grade_decision(self.shares, self.chosen, won=(self.options[0].worth.win or 0.0) >= WON)

    @property
    def at_stake(self) -> tuple[float, float]:
        """The loss and the stake, in shares, as `grading.compute_accuracy` takes them."""
        shares = self.shares
        return shares[0] - shares[self.chosen], shares[0] - min(shares)


@dataclass(frozen=True)
class ReviewedThrow:
    """A throw, and what the moments before and after it were worth.

    `risk`: the chance beforehand that it ends the shot with nothing, all tries with the last die together, and all
    throws that have to be made again without points; 0 for a further try, and for such a throw made again.
    """

    at: StepPlace
    dice: Dice
    bust: bool
    risk: float
    before: Worth
    after: Worth

    @property
    def luck(self) -> float | None:
        """The chance to win that the dice gave, or took if it is below 0."""
        if self.before.win is None or self.after.win is None:
            return None
        return self.after.win - self.before.win

    @property
    def luck_points(self) -> float:
        """The expected points of the shot that the dice gave, or took if they are below 0."""
        return self.after.points - self.before.points


@dataclass(frozen=True)
class TypedShot:
    """A shot of which only the points are known. `before` and `after`: the chance to win then."""

    at: StepPlace
    before: float | None
    after: float | None


@dataclass(frozen=True)
class SeatBalance:
    """How a seat did; None stands for unknown.

    `start` and `luck` are chances to win, `luck_points` points. `busts`: how many of the known throws were a bust;
    `expected`: how many were to be expected. `accuracy`: 0 to 100, without what a computer decided for a person.
    """

    start: float | None
    luck: float | None
    luck_points: float | None
    busts: int
    expected: float | None
    accuracy: float | None


@dataclass(frozen=True)
class Analysis:
    """What each decision and each throw of a game was worth. See `game.strategy.analysis` for what is exact.

    `steps`: in order of play. `balances`: by seat.
    """

    by: Measure
    steps: tuple[Decision | ReviewedThrow | TypedShot, ...]
    balances: tuple[SeatBalance, ...]

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The choices between at least two options, in order of play."""
        return tuple(step for step in self.steps if isinstance(step, Decision))

    @property
    def throws(self) -> tuple[ReviewedThrow, ...]:
        """The throws, in order of play."""
        return tuple(step for step in self.steps if isinstance(step, ReviewedThrow))

    @property
    def typed(self) -> tuple[TypedShot, ...]:
        """The shots without known dice, in order of play."""
        return tuple(step for step in self.steps if isinstance(step, TypedShot))
