"""What is wrong with a ruleset, in the reader's language and with the names that the pages have for settings."""

import re

from game.pages.parts.language import gettext as _
from game.pages.rulesets.labels import LABELS
from game.rules import Problem

# The rules refer to settings by key; keys that are not plain words are replaced by their names.
KEYS = re.compile(r"\b(" + "|".join(sorted((key for key in LABELS if "_" in key), key=len, reverse=True)) + r")\b")


def describe_problem(problem: Problem) -> str:
    """Return the sentence of a problem. For a place within a setting ("combinations.2.pattern") it has the number."""
    key, *place = problem.setting.split(".")
    name = " ".join([f"“{LABELS.get(key, key)}”", *(part for part in place if part.isdigit())])
    text = _(problem.sentence) % {**problem.args, "setting": name}
    return KEYS.sub(lambda key: f"“{LABELS[key[0]]}”", text).rstrip(".") + "."
