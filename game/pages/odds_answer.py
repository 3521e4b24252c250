"""The answer to the question of the odds page: whether to bank or to throw, with this many dice and points."""

from dataclasses import dataclass
from typing import Literal

from game.pages.parts.language import gettext as _
from game.pages.parts.refusals import describe_refusal
from game.pages.parts.text import name_all_dice
from game.rules import IllegalMove, Ruleset
from game.rules.totals import can_make, nearest_totals, rules_before_bank
from game.strategy.coach import EQUAL_WITHIN
from game.strategy.turn import solve_shot_points
from game.strategy.turn.graph import Graph
from game.strategy.turn.reaching import find_columns


@dataclass(frozen=True)
class Question:
    """The dice left, the points at risk, and whether the player is on the board."""

    dice: int
    points: int
    entered: bool


@dataclass(frozen=True)
class Answer:
    """Whether to bank or to throw, or why the rules leave no choice.

    `value`: the points of the turn on average, if the dice are thrown; `bust`: the chance, 0–1, that they bust.
    `worth`: what the points held are worth where the next player may pick up, else None. `unless`: when to throw all
    the same, although banking is better: while points are still to be proved, or if they do not suffice to enter.
    """

    way: Literal["bank", "throw", "fresh", "sweep", "prove", "cannot", "minimum", "entry"]
    value: float
    bust: float = 0
    worth: float | None = None
    unless: Literal["", "prove", "entry"] = ""


def find_problem(ruleset: Ruleset, question: Question) -> str:
    """Return why no turn can be in this position under these rules; "" if one can."""
    if question.points == 0:
        fewer = _("With fewer than %(all)s dice left you already have points. Enter them.")
        return "" if question.dice == ruleset.dice else fewer % {"all": name_all_dice(ruleset.dice)}
    free = rules_before_bank(ruleset)
    if can_make(free, question.points, ruleset.dice, left=question.dice):
        return ""
    below, above = nearest_totals(free, question.points, ruleset.dice, left=question.dice)
    return describe_refusal(IllegalMove("cannot_make", points=question.points, below=below, above=above))


def find_answer(ruleset: Ruleset, question: Question) -> Answer:
    """Return whether to bank or to throw, and why. Raises `NoBestPlay` if points have no bound."""
    values = solve_shot_points(ruleset)
    if not question.points:
        return Answer("fresh", values.expected(question.entered))
    kind = values.kind(question.entered)
    columns = find_columns(values.graph, question.dice, question.points, entered=question.entered)
    column = (columns or values.graph.kept_columns(question.dice, entered=question.entered))[0]
    thrown, bust = values.throw(column, question.points, kind), values.graph.bust_chance(column)
    if not values.may_bank(column, question.points, kind):
        return Answer(_find_reason(ruleset, question, to_prove=must_prove(values.graph, column)), thrown, bust)
    banked = values.bank(column, question.points)
    worth = banked if question.points - banked > EQUAL_WITHIN else None
    if banked < thrown:
        return Answer("throw", thrown, bust, worth)
    bound = [other for other in columns if not values.may_bank(other, question.points, kind)]
    if not bound:
        return Answer("bank", thrown, bust, worth)
    return Answer("bank", thrown, bust, worth, "prove" if must_prove(values.graph, bound[0]) else "entry")


def _find_reason(
    ruleset: Ruleset, question: Question, *, to_prove: bool
) -> Literal["sweep", "prove", "cannot", "minimum", "entry"]:
    """Return why the points may not be banked."""
    if question.dice == ruleset.dice and ruleset.sweep == "must_throw":
        return "sweep"
    if question.points >= (ruleset.least_bank if question.entered else ruleset.least_first_bank):
        return "prove" if to_prove else "cannot"
    return "minimum" if question.entered else "entry"


def must_prove(graph: Graph, column: int) -> bool:
    """Return whether points are to be proved in a column before they may be banked."""
    return graph.positions[column].memory.to_prove > 0
