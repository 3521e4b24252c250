"""The parts of an analysis. Chances are from 0 to 1, None if unknown; points are expected points."""

from dataclasses import dataclass
from typing import Literal

from game.rules.ruleset import Dice
from game.strategy.analysis.grading import FULL, WON, Mark, grade_decision

Measure = Literal["win", "estimate", "points"]


@dataclass(frozen=True)
class Worth:
    """What a moment is worth to the player at the dice: chance to win, and expected points of the shot."""

    win: float | None
    points: float


@dataclass(frozen=True)
class ReviewedOption:
    """One option of a decision. `total`: points of the shot with it; `left`: dice left to throw or on offer then.

    "fresh" and "pick_up" begin a shot: with six dice, or with those that the player before left. `bust`: the chance
    that the throw that follows is a bust, 0 without one.
    """

    keep: Dice
    then: Literal["bank", "throw", "win", "fresh", "pick_up"]
    total: int
    left: int
    worth: Worth
    bust: float


@dataclass(frozen=True)
class StepPlace:
    """Where in the game: the seat, the throw in its shot (from 1; 0 before the first), the step and the round.

    Steps and rounds count from 1. Each throw of the record is a step, and so is a shot without throws, those taken
    back included.
    """

    seat: int
    throw: int
    step: int
    round: int


@dataclass(frozen=True)
class Decision:
    """A choice between at least two options, best first. `unit`: expected points of a whole shot.

    `dice` as they fell, none for a choice before the first throw; `points` of the shot before it, `score` of the
    player; `computer`: whether a computer chose.
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
        """The worth of each option as `grading` counts it."""
        return tuple(
            option.worth.points / (FULL * self.unit) if option.worth.win is None else option.worth.win
            for option in self.options
        )

    @property
    def loss(self) -> float:
        """What the choice gave away of the chance to win, or of expected points if that is unknown."""
        best, chosen = self.options[0].worth, self.options[self.chosen].worth
        if best.win is None or chosen.win is None:
            return best.points - chosen.points
        return best.win - chosen.win

    @property
    def loss_in_points(self) -> float:
        """The loss in expected points, even if it is known as a chance to win."""
        shares = self.shares
        return (shares[0] - shares[self.chosen]) * FULL * self.unit

    @property
    def mark(self) -> Mark:
        """The mark by the loss."""
        return grade_decision(self.shares, self.chosen, won=(self.options[0].worth.win or 0.0) >= WON)

    @property
    def at_stake(self) -> tuple[float, float]:
        """Loss and stake, as `grading.compute_accuracy` takes them."""
        shares = self.shares
        return shares[0] - shares[self.chosen], shares[0] - min(shares)


@dataclass(frozen=True)
class ReviewedThrow:
    """A throw: what the moment was worth before and after it. `risk`: the chance that it would end the shot."""

    at: StepPlace
    dice: Dice
    bust: bool
    risk: float
    before: Worth
    after: Worth

    @property
    def luck(self) -> float | None:
        """What the dice gave, or took, of the chance to win."""
        if self.before.win is None or self.after.win is None:
            return None
        return self.after.win - self.before.win

    @property
    def luck_points(self) -> float:
        """What the dice gave, or took, of the expected points of the shot."""
        return self.after.points - self.before.points


@dataclass(frozen=True)
class TypedShot:
    """A shot of which only the points are known: what it changed, luck and decisions together."""

    at: StepPlace
    before: float | None
    after: float | None

    @property
    def gain(self) -> float:
        """The change of the chance to win."""
        return 0.0 if self.before is None or self.after is None else self.after - self.before


@dataclass(frozen=True)
class SeatBalance:
    """How a seat did. None: unknown. `luck`, `typed` and `outside` are chances, `luck_points` points.

    `busts` among the throws that are known, and how many of them were to be `expected`. With two players and exact
    chances: result = start + (luck - loss + typed) - (the same of the other) + outside.
    """

    start: float | None
    luck: float | None
    luck_points: float | None
    loss: float
    typed: float
    outside: float
    busts: int
    expected: float | None
    accuracy: float | None


@dataclass(frozen=True)
class Analysis:
    """What each decision and each throw of a game was worth. See `game.strategy.analysis` for what is exact."""

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
