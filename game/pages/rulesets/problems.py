"""The problems of an invalid ruleset in the reader's language, with settings named as on the pages."""

import re

from game.pages.parts.language import gettext as _
from game.pages.parts.text import number, quote
from game.pages.rulesets.labels import COMBINATION_LABELS, LABELS
from game.rules import Problem

# The rules' sentences refer to settings by key; keys with an underscore are replaced by the settings' names.
KEYS = re.compile(r"\b(" + "|".join(sorted((key for key in LABELS if "_" in key), key=len, reverse=True)) + r")\b")


def describe_problem(problem: Problem) -> str:
    """Return the sentence of a problem; one within a setting, as "combinations.2.pattern", is named with its number."""
    name = name_place(*problem.setting.split("."))
    values = {arg: number(value) if isinstance(value, int) else value for arg, value in problem.args.items()}
    text = _(problem.sentence) % {**values, "setting": name}
    return KEYS.sub(lambda key: quote(LABELS[key[0]]), text).rstrip(".") + "."


def name_place(key: str, *place: str) -> str:
    """Return what a sentence calls a setting, or a place in it: “Target”, “Combination 2: dice”, Combination 2.

    A place that does not exist has no name but its own: “combinations.2.dice”.
    """
    if place and not place[-1].isdigit():
        label = COMBINATION_LABELS.get(place[-1]) if key == "combinations" else None
        return quote(label % {"n": place[0]} if label else ".".join((key, *place)))
    if key == "combinations" and place:
        return _("Combination %(n)s") % {"n": place[0]}
    return " ".join([quote(LABELS.get(key, key)), *place])
