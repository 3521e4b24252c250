"""The changes from one version of a ruleset to the next, in words: "Three pairs: 500 → 750"."""

from game.pages.parts.text import put_label
from game.pages.rulesets.labels import LABELS, SIZES, name_cell
from game.pages.rulesets.values import describe_value
from game.rules import Ruleset


def list_changes(before: Ruleset, after: Ruleset) -> list[str]:
    """Return a line for each setting that differs, in the order of the editor."""
    pairs = [(label, name, getattr(before, name), getattr(after, name)) for name, label in LABELS.items()]
    for size in SIZES:
        points = zip(_points_of(before, size), _points_of(after, size), strict=True)
        pairs += [(name_cell(size, face), "", *values) for face, values in enumerate(points, 1)]
    return [
        put_label(label, f"{describe_value(name, old)} → {describe_value(name, new)}")
        for label, name, old, new in pairs
        if old != new
    ]


def _points_of(ruleset: Ruleset, size: str) -> tuple[int, ...]:
    return ruleset.singles if size == "1" else ruleset.of_a_kind[int(size) - 3]
