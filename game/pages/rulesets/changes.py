"""What changed from one version of a ruleset to the next, in words: "Three pairs: 500 → 750"."""

from typing import Any

from django.utils.translation import gettext as _

from game.pages.parts.text import number
from game.pages.rulesets.labels import CHOICES, LABELS, SIZES, find_choice, name_cell
from game.rules import Ruleset


def list_changes(before: Ruleset, after: Ruleset) -> list[str]:
    """Return a line for each setting that differs, in the order of the editor."""
    pairs = [(label, name, getattr(before, name), getattr(after, name)) for name, label in LABELS.items()]
    for size in SIZES:
        points = zip(_points_of(before, size), _points_of(after, size), strict=True)
        pairs += [(name_cell(size, face), "", *values) for face, values in enumerate(points, 1)]
    return [
        f"{label}: {describe_value(name, old)} → {describe_value(name, new)}"
        for label, name, old, new in pairs
        if old != new
    ]


def _points_of(ruleset: Ruleset, size: str) -> tuple[int, ...]:
    return ruleset.singles if size == "1" else ruleset.of_a_kind[int(size) - 3]


def describe_value(name: str, value: Any) -> str:
    """Return a setting's value in words."""
    if name in CHOICES:
        return str(find_choice(name, value).short)
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, tuple):
        return ", ".join(number(item) for item in value) or _("none")
    if isinstance(value, int):
        return number(value)
    return str(value)
