"""The value of a setting in a word or two, for tables and for the history."""

from typing import Any

from game.pages.parts.language import gettext as _
from game.pages.parts.language import ngettext
from game.pages.parts.text import format_money, number, put_label
from game.pages.rulesets.choices import CHOICES, find_choice
from game.pages.rulesets.labels import CONFIRM_KINDS
from game.pages.rulesets.patterns import describe_combination_worth, name_combination
from game.rules import Ruleset
from game.sentences import isolate


def describe_setting(ruleset: Ruleset, name: str) -> str:
    """Return what a ruleset has for a setting: its value in words, and coins in their currency."""
    value = getattr(ruleset, name)
    if name in ("ante", "bust_penalty"):
        return format_money(value, ruleset.currency)
    return describe_value(name, value)


def describe_value(name: str, value: Any) -> str:
    """Return a setting's value in words."""
    if name == "combinations":
        return "; ".join(
            put_label(isolate(name_combination(combination)), describe_combination_worth(combination))
            for combination in value
        ) or _("none")
    if name == "confirm":
        return ", ".join(str(CONFIRM_KINDS[kind]) for kind in value) or _("nothing")
    if name == "confirm_by" and isinstance(value, int):
        return _("%(n)s points") % {"n": number(value)}
    if name in CHOICES and not (name == "pick_up_worth" and isinstance(value, int)):
        return str(find_choice(name, value).short)
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, tuple):
        return ", ".join(number(item) for item in value) or _("none")
    return number(value) if isinstance(value, int) else str(value)


def describe_goal(ruleset: Ruleset, target: int | None = None) -> str:
    """Return what ends a game: "10,000", "exactly 10,000" or "10 rounds". `target`: None for the ruleset's own."""
    points = number(ruleset.target if target is None else target)
    if ruleset.ending == "rounds":
        return ngettext("%(n)s round", "%(n)s rounds", ruleset.rounds) % {"n": ruleset.rounds}
    return _("exactly %(n)s") % {"n": points} if ruleset.exact != "no" else points


def describe_length(ruleset: Ruleset, target: int | None = None) -> str:
    """Return how long a game goes on: "to 10,000" or "10 rounds". `target`: None for the ruleset's own."""
    goal = describe_goal(ruleset, target)
    return goal if ruleset.ending == "rounds" else _("to %(target)s") % {"target": goal}
