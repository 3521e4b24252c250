"""What changed from one version of a ruleset to the next, in words: "Three pairs: 500 → 750"."""

from collections.abc import Iterator
from typing import Any

from django.utils.text import format_lazy
from django.utils.translation import gettext as _

from game.pages.parts.text import number
from game.pages.rulesets.labels import CHOICES, LABELS, SIZES, find_choice, name_cell
from game.rules import Ruleset


def list_changes(before: Ruleset, after: Ruleset) -> list[str]:
    """Return a line for each setting that differs, in the order of the editor."""
    return list(_find_changes(before, after))


def _find_changes(before: Ruleset, after: Ruleset) -> Iterator[str]:
    for name, label in LABELS.items():
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield _write_change(str(label), describe_value(name, old), describe_value(name, new))
    for size in SIZES:
        for face, (old, new) in enumerate(zip(_points_of(before, size), _points_of(after, size), strict=True), 1):
            if old != new:
                yield _write_change(name_cell(size, face), describe_value("", old), describe_value("", new))


def _points_of(ruleset: Ruleset, size: str) -> tuple[int, ...]:
    return ruleset.singles if size == "1" else ruleset.of_a_kind[int(size) - 3]


def _write_change(label: str, old: str, new: str) -> str:
    return str(format_lazy("{label}: {old} → {new}", label=label, old=old, new=new))


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
