"""Bank or throw, for a number of dice and points: one plain sentence."""

from dataclasses import dataclass

from game.pages.odds_figures import compute_figures
from game.pages.parts.language import gettext as _
from game.pages.parts.refusals import describe_refusal
from game.pages.parts.text import format_dice_count, name_all_dice, number, percent
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


def answer_question(ruleset: Ruleset, question: Question) -> tuple[str, str]:
    """Return (sentence, ""), or ("", the reason why there is none)."""
    figures = compute_figures(ruleset)
    if figures.turn is None:
        if any(0 < chance < 1 for chance in figures.bust):
            return _("For these rules we can’t say whether to bank or to throw."), ""
        return _("These rules have no odds to compare: either nothing scores or everything does."), ""
    problem = find_problem(ruleset, question)
    return ("", problem) if problem else (advise(ruleset, question), "")


def find_problem(ruleset: Ruleset, question: Question) -> str:
    """Return why no turn can be in this position under these rules; "" if one can."""
    everything = {"all": name_all_dice(ruleset.dice)}
    if question.dice > ruleset.dice:
        return _("These rules are played with %(all)s dice.") % everything
    if question.points == 0:
        fewer = _("With fewer than %(all)s dice left you already have points. Enter them.") % everything
        return "" if question.dice == ruleset.dice else fewer
    free = rules_before_bank(ruleset)
    if can_make(free, question.points, ruleset.dice, left=question.dice):
        return ""
    below, above = nearest_totals(free, question.points, ruleset.dice, left=question.dice)
    return describe_refusal(IllegalMove("cannot_make", points=question.points, below=below, above=above))


def advise(ruleset: Ruleset, question: Question) -> str:
    """Return whether to bank or to throw, and why. Raises `NoBestPlay` if points have no bound."""
    values = solve_shot_points(ruleset)
    if not question.points:
        fresh = {"all": name_all_dice(ruleset.dice), "value": number(values.expected(question.entered), 0)}
        return _("Throw: a turn with %(all)s fresh dice gives %(value)s points on average.") % fresh
    kind = values.kind(question.entered)
    columns = find_columns(values.graph, question.dice, question.points, entered=question.entered)
    column = (columns or values.graph.kept_columns(question.dice, entered=question.entered))[0]
    thrown = values.throw(column, question.points, kind)
    words = {
        "dice": format_dice_count(question.dice),
        "bust": percent(values.graph.bust_chance(column), 1),
        "value": number(thrown, 0),
        "points": number(question.points),
        "all": name_all_dice(ruleset.dice),
        "need": number(ruleset.least_bank if question.entered else ruleset.least_first_bank),
    }
    if not values.may_bank(column, question.points, kind):
        return _explain_throw(ruleset, question, words, to_prove=must_prove(values.graph, column))
    banked = values.bank(column, question.points)
    words |= {"worth": number(banked, 0)}
    answer = _compare_values(question.points, banked, thrown) % words
    bound = [other for other in columns if not values.may_bank(other, question.points, kind)]
    if banked < thrown or not bound:
        return answer
    if must_prove(values.graph, bound[0]):
        return f"{answer} " + _("Throw if some of them are still to be proved.")
    return f"{answer} " + _("Throw if they don’t get you on the board.")


def must_prove(graph: Graph, column: int) -> bool:
    """Tell whether points are to be proved in a column before they may be banked."""
    return graph.positions[column].memory.to_prove > 0


def _explain_throw(ruleset: Ruleset, question: Question, words: dict[str, str], *, to_prove: bool) -> str:
    enough = question.points >= (ruleset.least_bank if question.entered else ruleset.least_first_bank)
    if question.dice == ruleset.dice and ruleset.sweep == "must_throw":
        text = _(
            "Throw: all %(all)s have scored, and these rules require another throw. It busts %(bust)s of the time, "
            "and the turn gives %(value)s on average."
        )
    elif enough and to_prove:
        text = _(
            "Throw: these points must be proved first. Throwing %(dice)s busts %(bust)s of the time, "
            "and the turn gives %(value)s on average."
        )
    elif enough:
        text = _(
            "Throw: you can’t bank yet. Throwing %(dice)s busts %(bust)s of the time, "
            "and the turn gives %(value)s on average."
        )
    elif question.entered:
        text = _(
            "Throw: you need %(need)s to bank. Throwing %(dice)s busts %(bust)s of the time, "
            "and the turn gives %(value)s on average."
        )
    else:
        text = _(
            "Throw: your first bank must be at least %(need)s. Throwing %(dice)s busts %(bust)s of the time, "
            "and the turn gives %(value)s on average."
        )
    return text % words


def _compare_values(points: int, banked: float, thrown: float) -> str:
    """Return the sentence with placeholders for its numbers."""
    taken = points - banked > EQUAL_WITHIN
    if banked >= thrown and taken:
        return _(
            "Bank. Throwing %(dice)s busts %(bust)s of the time and gives %(value)s on average; you hold %(points)s, "
            "worth %(worth)s since the next player may pick up."
        )
    if banked >= thrown:
        return _(
            "Bank. Throwing %(dice)s busts %(bust)s of the time and gives %(value)s on average; you hold %(points)s."
        )
    if taken:
        return _(
            "Throw. Throwing %(dice)s busts %(bust)s of the time and gives %(value)s on average; the %(points)s you "
            "hold are worth %(worth)s, since the next player may pick up."
        )
    return _(
        "Throw. Throwing %(dice)s busts %(bust)s of the time, but gives %(value)s on average, "
        "more than the %(points)s you hold."
    )
