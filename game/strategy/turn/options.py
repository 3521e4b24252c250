"""The options of a decision: every way to keep dice of a throw and then bank or throw, with its expected points."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from game.rules import Dice, Ruleset
from game.rules.play.banking import is_last_throw, points_with, why_not_bank_in
from game.rules.play.choosing import keeps_allowed, keeps_scored
from game.rules.play.moves import Bank, Throw, Win
from game.rules.play.playable import begin_alone
from game.rules.play.state import Shot, ShotMemory, State, alter, with_player
from game.rules.scoring import Keep, check_dice
from game.strategy.turn.points import ShotPoints, solve_shot_points
from game.strategy.turn.positions import NOTHING_NOTED


@dataclass(frozen=True)
class DecisionPoint:
    """The moment of a choice: `dice`, sorted, have just fallen.

    `points`: those of the shot before, points picked up included. `aside`, `aside_points`: the dice set aside since the
    last sweep, and what they counted. `entered`, `streak` (busts in a row), `score`: those of the player to move.
    `taken`: whether the next player may pick up what is left, where the ruleset has pick-up. Needed only by some
    rulesets: `memory`, what the shot remembers of its keeps; `throws`, how many it has had, this one included;
    `picked_up`, the number of dice that it began with, None for fresh ones; `target`, that of the game.
    """

    dice: Dice
    points: int = 0
    aside: Dice = ()
    aside_points: int = 0
    entered: bool = True
    streak: int = 0
    taken: bool = True
    memory: ShotMemory = NOTHING_NOTED
    throws: int = 1
    picked_up: int | None = None
    score: int = 0
    target: int | None = None

    @property
    def shot(self) -> Shot:
        """The shot as the rules see it."""
        return Shot(
            0, len(self.dice), self.points, self.dice, self.aside, self.aside_points, picked_up=self.picked_up,
            throws=self.throws, memory=self.memory,
        )  # fmt: skip

    def state(self, ruleset: Ruleset) -> State:
        """Return a game in which this choice is due, to ask the rules about it."""
        state = with_player(begin_alone(ruleset, self.entered), 0, score=self.score, streak=self.streak)
        target = state.target if self.target is None else self.target
        return alter(state, shot=self.shot, target=target)


@dataclass(frozen=True)
class Option:
    """A keep, and what is done after it (`then`).

    `total`: the points of the shot with the keep. `column`: where it leads in the graph. `points`: the expected points
    of the shot with the best play from then on. `bust`: the chance, 0 to 1, that the throw that follows ends the shot
    with nothing; 0 if none follows.
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

    Raises `ValueError` for an invalid throw, `EndlessShot` if points have no bound.
    """
    check_dice(point.dice, ruleset.dice)
    state, shot = point.state(ruleset), point.shot
    allowed = keeps_allowed(state, shot, keeps_scored(state, shot))
    solved = find_shot_points(ruleset, point)
    options = (option for keep in allowed for option in _options_with(solved, point, state, keep))
    return tuple(sorted(options, key=lambda option: -option.points))


def find_shot_points(ruleset: Ruleset, point: DecisionPoint) -> ShotPoints:
    """Return the values by which a choice is judged by points. Raises `EndlessShot`."""
    missing = None if point.target is None else point.target - point.score
    return solve_shot_points(ruleset, point.taken or not ruleset.pick_up, missing=missing, lost=point.score)


def _options_with(solved: ShotPoints, point: DecisionPoint, state: State, keep: Keep) -> Iterator[Option]:
    graph, shot = solved.graph, point.shot
    kind = solved.kind(point.entered, point.streak, picked_up=point.picked_up is not None)
    total = points_with(shot, keep)
    if keep.wins:
        yield Option(keep, "win", total, graph.win, total + solved.rewards.prize, 0.0)
        return
    column = graph.column_after(shot, keep, entered=point.entered)
    if not is_last_throw(graph.ruleset, shot):
        risk = solved.bust_chance(column, total, kind)
        yield Option(keep, "throw", total, column, solved.throw(column, total, kind), risk)
    if why_not_bank_in(state, shot, keep) is None:
        yield Option(keep, "bank", total, column, solved.bank(column, total), 0.0)
