"""The points of equal dice in one throw: a row for each number of dice, a column for each face."""

from dataclasses import dataclass, replace

from game.pages.parts.language import gettext as _
from game.pages.parts.text import format_dice_count, number
from game.rules import Ruleset, keeps
from game.rules.combinations import FACES


@dataclass(frozen=True)
class GridRow:
    """A number of equal dice, and their points for each face from 1 to 6; "–" where none of them scores."""

    label: str
    cells: tuple[str, ...]


def build_value_grid(ruleset: Ruleset) -> tuple[GridRow, ...]:
    """Return a row for each number of dice, from one to all: their points in a throw in which sets count."""
    counts, rules = range(1, ruleset.dice + 1), replace(ruleset, sets_need_all_dice=False)
    return tuple(
        GridRow(format_dice_count(count), tuple(_describe_cell(rules, count, face) for face in FACES))
        for count in counts
    )


def _describe_cell(ruleset: Ruleset, count: int, face: int) -> str:
    choices = keeps(ruleset, (face,) * count)
    if any(keep.wins for keep in choices):
        return _("wins")
    return number(choices[0].points) if choices else "–"
