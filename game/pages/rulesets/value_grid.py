"""The points of equal dice in one throw: a row for each number of dice, a column for each face."""

from dataclasses import replace

from game.pages.parts.language import gettext as _
from game.pages.parts.text import format_dice_count, number
from game.rules import Ruleset, keeps
from game.rules.combinations import FACES


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
