"""Bank or throw, for a number of dice and points: one plain sentence."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from game.pages.parts.refusals import sentence as reason
from game.pages.parts.text import dice_count, number, percent
from game.rules import IllegalMove, Ruleset
from game.rules.ruleset import DICE
from game.rules.totals import can_make, nearest
from game.strategy.coach import EQUAL_WITHIN
from game.strategy.turn import solve_shot_points


@dataclass(frozen=True)
class Question:
    """So many dice are left, so many points were made, by a player who is in or not."""

    dice: int
    points: int
    entered: bool


def why_not(ruleset: Ruleset, asked: Question) -> str:
    """Why no turn stands there under these rules; empty where one can."""
    if asked.points == 0:
        return "" if asked.dice == DICE else _("With fewer than six dice left there are points already. Enter them.")
    free = replace(ruleset, sweep="may_bank")  # six dice are left after a sweep, whatever may be done then
    if can_make(free, asked.points, left=asked.dice):
        return ""
    below, above = nearest(free, asked.points, left=asked.dice)
    return reason(IllegalMove("cannot_make", points=asked.points, below=below, above=above))


def answer(ruleset: Ruleset, asked: Question) -> str:
    """Raises `EndlessShot` where points have no bound."""
    values = solve_shot_points(ruleset)
    column, kind = values.graph.column(asked.dice), values.kind(asked.entered)
    thrown = values.throw(column, asked.points, kind)
    said = {
        "dice": dice_count(asked.dice),
        "bust": percent(values.graph.bust_chance(column), 1),
        "value": number(thrown, 0),
        "points": number(asked.points),
        "need": number(ruleset.bank_minimum if asked.entered else ruleset.entry_minimum),
    }
    if not asked.points:
        return _("Throw: a turn with six fresh dice gives %(value)s points on average.") % said
    if not values.may_bank(column, asked.points, kind):
        return must_throw(ruleset, asked, said)
    banked = values.bank(column, asked.points, kind)
    said |= {"worth": number(banked, 0)}
    return bank_or_throw(asked.points, banked, thrown) % said


def must_throw(ruleset: Ruleset, asked: Question, said: dict[str, str]) -> str:
    if asked.dice == DICE and ruleset.sweep == "must_throw":
        text = _(
            "Throw: all six have scored, and these rules want another throw. It busts %(bust)s of the time, "
            "and the turn gives %(value)s on average."
        )
    elif asked.entered:
        text = _(
            "Throw: %(need)s are needed to bank. Throwing %(dice)s busts %(bust)s of the time, "
            "and the turn gives %(value)s on average."
        )
    else:
        text = _(
            "Throw: %(need)s are needed to get in. Throwing %(dice)s busts %(bust)s of the time, "
            "and the turn gives %(value)s on average."
        )
    return text % said


def bank_or_throw(points: int, banked: float, thrown: float) -> str:
    """The sentence, with places for its numbers."""
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
