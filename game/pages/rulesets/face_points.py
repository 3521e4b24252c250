"""Points that differ by the face of the dice: in the shortest words, and as a table."""

from collections.abc import Sequence
from dataclasses import replace

from game.pages.parts.language import gettext as _
from game.pages.parts.text import format_dice_count, number, put_label
from game.pages.rulesets.labels import FACE_PLURALS
from game.rules import Ruleset, best_points, keeps
from game.rules.combinations import FACES


def describe_points(points: Sequence[int]) -> str:
    """Return points by face in the shortest words, as in "100 × number, 1s: 1,000"."""
    if formula := find_formula(points):
        return ", ".join(filter(None, [formula, describe_ones(points)]))
    return ", ".join(put_label(FACE_PLURALS[face], number(value)) for face, value in enumerate(points) if value)


def find_points_of_a_kind(ruleset: Ruleset, size: int) -> tuple[int, ...]:
    """Return the points that `size` equal dice score, by face.

    Where the rules give a formula for the other faces and nothing for the 1s, these score as single dice.
    """
    points = ruleset.of_a_kind[size - 3]
    if points[0] or not find_formula(points):
        return points
    return best_points(replace(ruleset, sets_need_all_dice=False), (1,) * size) or 0, *points[1:]


def find_formula(points: Sequence[int]) -> str:
    """Return how the faces 2 to 6 score: "200 × number", "3,000", or "" if no formula fits them all."""
    two = points[1]
    if not any(points):
        return ""
    if all(value == two for value in points[1:]):
        return number(two) if two else ""
    if all(points[face - 1] * 2 == two * face for face in range(2, 7)):
        return _("%(n)s × number") % {"n": number(two // 2)}
    return ""


def describe_ones(points: Sequence[int]) -> str:
    """Return what 1s score if they don't follow the formula of the other faces, else ""."""
    follows = points[1] == 2 * points[0] and points[2] == 3 * points[0]
    return "" if follows or len(set(points)) == 1 else put_label(FACE_PLURALS[0], number(points[0]))


def build_value_grid(ruleset: Ruleset) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return (number of dice, points by face) for one to all equal dice in a throw in which sets count.

    The points are "–" where none of the dice scores.
    """
    counts, rules = range(1, ruleset.dice + 1), replace(ruleset, sets_need_all_dice=False)
    return tuple(
        (format_dice_count(count), tuple(_describe_cell(rules, count, face) for face in FACES)) for count in counts
    )


def _describe_cell(ruleset: Ruleset, count: int, face: int) -> str:
    choices = keeps(ruleset, (face,) * count)
    if any(keep.wins for keep in choices):
        return _("wins")
    return number(choices[0].points) if choices else "–"
