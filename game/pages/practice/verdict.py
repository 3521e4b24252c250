"""What an answer to a position is worth."""

from collections.abc import Sequence
from dataclasses import dataclass

from game.pages.parts import coach
from game.pages.parts.refusals import describe_refusal
from game.rules import Bank, State, Throw, Win, dice_left, why_not
from game.strategy.coach import Advice, give_advice
from game.strategy.win import RatedOption, rate_state

# Smaller losses than these are no mistake: in chance to win (0–1), and in points.
NEGLIGIBLE_CHANCE, NEGLIGIBLE_POINTS = 0.0005, 0.5


@dataclass(frozen=True)
class Verdict:
    """What an answer is worth: `chosen` is one of the ways in `rated`, which has the best first."""

    state: State
    rated: Sequence[RatedOption]
    chosen: RatedOption
    advice: Advice

    @property
    def right(self) -> bool:
        """Whether the answer costs nothing, or next to nothing."""
        best, chosen = self.advice.best, self.chosen
        if best.win is not None and chosen.win is not None:
            same = coach.format_chance(best.win) == coach.format_chance(chosen.win)  # or it would cost 0.0
            return same or best.win - chosen.win < NEGLIGIBLE_CHANCE
        return best.option.points - chosen.option.points < NEGLIGIBLE_POINTS

    @property
    def sentence(self) -> str:
        """What the coach says of the best way."""
        return coach.describe_advice(self.state, self.advice)

    @property
    def points_apart(self) -> tuple[str, str]:
        """The points of the answer and of the best way, with as few decimals as tell them apart."""
        return coach.format_apart(self.chosen.option.points, self.advice.best.option.points)

    def count_left(self, way: RatedOption) -> int:
        """Return how many dice a way leaves to throw."""
        thrown = self.state.shot.dice if self.state.shot else ()
        return dice_left(thrown, way.option.keep.dice, self.state.ruleset.dice)


def judge_choice(state: State, keep: Sequence[int], then: str) -> Verdict | None:
    """Return what an answer is worth; None if the dice cannot be kept. `then`: 'bank' or 'throw'.

    Raises `ValueError` if there are no expectations to judge by.
    """
    rated = rate_state(state)
    faces = tuple(sorted(keep))
    options = (o for o in rated if o.option.keep.dice == faces and o.option.then in (then, "win"))
    chosen = next(options, None)
    return Verdict(state, rated, chosen, give_advice(state, rated)) if chosen else None


def explain_wrong_keep(state: State, faces: tuple[int, ...], then: str) -> str:
    """Return why these dice cannot be kept."""
    reason = why_not(state, Bank(faces) if then == "bank" else Throw(faces)) or why_not(state, Win(faces))
    return describe_refusal(reason) if reason else ""
