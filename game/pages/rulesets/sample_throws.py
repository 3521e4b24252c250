"""Dice to try a ruleset with: the points of a typed throw and of six sample throws, and the bust chances."""

import re
from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext_lazy

from game.pages.parts.language import gettext as _
from game.pages.parts.language import ngettext
from game.pages.parts.text import format_dice, name_all_dice, number, write_percent
from game.pages.rulesets.examples import ScoredThrow, score_throw
from game.pages.rulesets.warnings import find_warnings
from game.rules import Ruleset
from game.strategy.odds import chance_to_end_with

SAMPLES = (
    (1, 2, 2, 2, 4, 5),
    (1, 1, 1, 3, 5, 5),
    (2, 2, 3, 3, 6, 6),
    (1, 2, 3, 4, 5, 6),
    (2, 4, 4, 4, 4, 4),
    (2, 3, 3, 4, 6, 6),
)
FIRST_THROW = "122245"
NOT_DICE = gettext_lazy("Type one to %(all)s dice with faces from 1 to 6, for example %(dice)s.")


def build_live_example(rules: Ruleset | None, typed: str, more: Sequence[str] = ()) -> dict[str, Any]:
    """Return the template context of the live example; for invalid settings, only the typed dice.

    `rules`: None for invalid settings; `more`: warnings besides those about the rules themselves.
    """
    if rules is None:
        return {
            "example": None,
            "warnings": [],
            "heard": _("Fix the settings to see the example."),
            "typed": typed[:20],
        }
    typed = FIRST_THROW[: rules.dice] if typed == FIRST_THROW else typed
    shown = try_throws(rules, typed)
    warnings = [*find_warnings(rules), *more]
    heard = _summarise_throw(shown["tried"], len(warnings)) if shown["tried"] else shown["error"]
    return {"example": shown, "warnings": warnings, "heard": heard, "typed": typed[:20]}


def _summarise_throw(tried: ScoredThrow, warnings: int) -> str:
    """Return the example in a sentence, for screen readers and the top of a narrow screen."""
    if not tried.keeps:
        return tried.outcome
    best = tried.keeps[0]
    if best.wins:
        return _("Keep %(dice)s and you win the game.") % {"dice": format_dice(best.dice)}
    words = {"dice": format_dice(tried.dice), "points": number(best.points), "warnings": warnings}
    if not warnings:
        return _("%(dice)s: %(points)s points at best.") % words
    sentence = ngettext(
        "%(dice)s: %(points)s points at best. %(warnings)s warning.",
        "%(dice)s: %(points)s points at best. %(warnings)s warnings.",
        warnings,
    )
    return sentence % words


def try_throws(ruleset: Ruleset, typed: str) -> dict[str, Any]:
    """Return what the typed throw scores under a ruleset, or why it stands for none; and samples.

    `chances`: (dice, bust chance), from one die to all.
    """
    dice, most = read_dice(typed), ruleset.dice
    dice = dice if len(dice) <= most else ()
    return {
        "tried": score_throw(ruleset, dice) if dice else None,
        "error": "" if dice else NOT_DICE % {"all": name_all_dice(most), "dice": FIRST_THROW[:most]},
        "samples": [score_throw(ruleset, sample[:most]) for sample in SAMPLES],
        "chances": [(count, write_percent(chance_to_end_with(ruleset, count), 1)) for count in range(1, most + 1)],
    }


def read_dice(typed: str) -> tuple[int, ...]:
    """Return the dice in a text such as "1 2 2 2 4 5" or "122245"; () for anything else."""
    text = re.sub(r"[ ,]", "", typed)
    return tuple(map(int, text)) if re.fullmatch(r"[1-6]{1,6}", text) else ()
