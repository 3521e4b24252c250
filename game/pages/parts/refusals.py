"""Refusals in the reader's language: the rules' sentences, some with what would be allowed instead."""

import re
from collections.abc import Mapping
from typing import Any

from game.pages.parts.language import gettext as _
from game.pages.parts.text import format_dice, number
from game.rules import IllegalMove
from game.rules.record import Flaw
from game.sentences import quote_input

EVENT = re.compile(r"event (\d+)(?:, throw (\d+))?\Z")


def describe_refusal(refusal: IllegalMove) -> str:
    """Return the reason as a sentence in the reader's language, with a suggestion where there is one."""
    data = refusal.data
    match refusal.code:
        case "cannot_keep" | "not_thrown" if data.get("nearest"):
            text = _("These dice don’t all score. Keep %(nearest)s, or choose again.")
        case "cannot_keep" | "not_thrown":
            text = _("These dice don’t all score. Choose again.")
        case "cannot_make" if data.get("below") or data.get("above"):
            text = suggest_points(data)
        case _:
            text = _(refusal.sentence)
    return text % {name: format_value(value) for name, value in data.items()}


def suggest_points(data: Mapping[str, Any]) -> str:
    """Return the sentence for points that no turn makes, with placeholders for the nearest possible ones."""
    if not data.get("below"):
        return _("No turn can make %(points)s points under these rules. Did you mean %(above)s?")
    if not data.get("above"):
        return _("No turn can make %(points)s points under these rules. Did you mean %(below)s?")
    return _("No turn can make %(points)s points under these rules. Did you mean %(below)s or %(above)s?")


def format_value(value: object) -> str:
    """Return a value of a refusal as people write it."""
    if isinstance(value, tuple):
        return format_dice(value)
    return number(value) if isinstance(value, int) else quote_input(value)


def describe_flaw(flaw: Flaw) -> str:
    """Return a fault of a game file, with its place in front."""
    return _("%(place)s: %(reason)s.") % {
        "place": name_flaw_place(flaw.place),
        "reason": _(flaw.sentence).rstrip(".") % flaw.write_args(number),
    }


def name_flaw_place(words: str) -> str:
    """Return "event 12, throw 2" in the reader's language; any other place is a field's name and stays as it is."""
    if words == "file":
        return _("File")
    match = EVENT.match(words)
    if not match:
        return words
    numbers = {"n": match[1], "k": match[2]}
    return _("Event %(n)s, throw %(k)s") % numbers if match[2] else _("Event %(n)s") % numbers
