"""What changed from one version of a ruleset to the next, in words: "Three pairs: 500 → 750"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.formats import number_format
from django.utils.text import format_lazy
from django.utils.translation import gettext as _

from game.pages.rulesets.labels import CHOICES, LABELS, SIZES, cell_label
from game.rules import Ruleset


def differences(before: Ruleset, after: Ruleset) -> list[str]:
    """One line for each setting that differs, in the order of the editor."""
    return list(_lines(before, after))


def _lines(before: Ruleset, after: Ruleset) -> Iterator[str]:
    for name, label in LABELS.items():
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield _line(str(label), in_words(name, old), in_words(name, new))
    for size in SIZES:
        for face, (old, new) in enumerate(zip(_row(before, size), _row(after, size), strict=True), 1):
            if old != new:
                yield _line(cell_label(size, face), in_words("", old), in_words("", new))


def _row(ruleset: Ruleset, size: str) -> tuple[int, ...]:
    return ruleset.singles if size == "1" else ruleset.of_a_kind[int(size) - 3]


def _line(label: str, old: str, new: str) -> str:
    return str(format_lazy("{label}: {old} → {new}", label=label, old=old, new=new))


def in_words(name: str, value: Any) -> str:
    """A setting's value as the editor shows it."""
    if name in CHOICES:
        return str(dict(CHOICES[name])[str(value)])
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, tuple):
        return ", ".join(number_format(each, force_grouping=True) for each in value) or _("none")
    if isinstance(value, int):
        return number_format(value, force_grouping=True)
    return str(value)
