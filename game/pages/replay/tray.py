"""The tray as it lay at one step of a replay, with nothing to press."""

from collections.abc import Mapping, Sequence

from game.history.replay import Turn, points_by_throw
from game.models import ShotRow, ThrowRow
from game.pages.parts.components import Tray
from game.pages.parts.dice import fill_tray, find_aside, lay_aside, lay_shown
from game.rules import Ruleset


def build_tray(
    ruleset: Ruleset,
    turn: Turn,
    throws: Sequence[ThrowRow],
    index: int,
    base: int,
    hidden: bool,
    taken_over: Mapping[int, int],
) -> Tray:
    """Return the tray.

    `index`: of the throw on the table; `base`: points picked up; `hidden`: the choice is not shown yet; `taken_over`:
    column → face of the dice that lay aside when the others were picked up.
    """
    throw, tries = throws[index], _count_misses(throws, index)
    missed = len(throw.dice) == 1 and (tries > 0 or (not throw.kept and index + 1 < len(throws)))
    bust = turn.outcome == ShotRow.Outcome.BUST and index == len(throws) - 1 and not hidden
    before, after = points_by_throw(throws, base)[index]
    shown = lay_shown(throw, () if hidden else throw.kept_columns, has_tries=missed and not hidden)
    return fill_tray(
        lay_aside(find_aside(throws[:index], taken_over)) + shown,
        before,
        0 if hidden else after - before,
        yours=False,
        throw_number=throw.pk,
        seat=turn.seat + 1,
        tries_used=tries,
        rules=ruleset,
        lost=bust,
    )


def _count_misses(throws: Sequence[ThrowRow], index: int) -> int:
    """Return how many tries with the last die had missed before this throw."""
    misses = 0
    while index - misses > 0 and len(throws[index].dice) == 1 and not throws[index - misses - 1].kept:
        misses += 1
    return misses
