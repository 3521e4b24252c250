"""Why something is not allowed, in the reader's language: the sentences of the rules, and for some what would do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from game.pages.parts.text import format_dice, number
from game.rules import IllegalMove

ECHOED_MOST = 40


def describe_refusal(refusal: IllegalMove) -> str:
    """Return the reason as a sentence in the reader's language, with a suggestion where there is one."""
    match refusal.code:
        case "cannot_keep" | "not_thrown":
            return _describe_wrong_dice(refusal.data)
        case "cannot_make":
            return _describe_wrong_points(refusal.data)
        case "name_empty" | "name_text":
            return _("Enter a name, up to 24 characters.")
    return _(refusal.sentence) % {name: _format_value(value) for name, value in refusal.data.items()}


def _format_value(value: Any) -> str:
    if isinstance(value, tuple):
        return format_dice(value)
    if isinstance(value, int):
        return number(value)
    return str(value)[:ECHOED_MOST]


def _describe_wrong_dice(data: Mapping[str, Any]) -> str:
    nearest = data.get("nearest")
    if nearest:
        text = _("These dice do not all score. Keep %(suggestion)s, or choose again.")
        return text % {"suggestion": format_dice(nearest)}
    return _("These dice do not all score. Choose again.")


def _describe_wrong_points(data: Mapping[str, Any]) -> str:
    points, below, above = data["points"], data.get("below"), data.get("above")
    if below and above:
        text = _("No turn can make %(points)s points under these rules. Did you mean %(below)s or %(above)s?")
    elif below or above:
        text = _("No turn can make %(points)s points under these rules. Did you mean %(nearest)s?")
    else:
        text = _("No turn can make %(points)s points under these rules.")
    values = {"points": points, "below": below or 0, "above": above or 0, "nearest": below or above or 0}
    return text % {name: number(value) for name, value in values.items()}
