"""The drawings of the page of odds: what throws and turns bring under a ruleset."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from game.pages.parts.language import gettext as _
from game.pages.parts.language import ngettext
from game.pages.parts.text import format_dice_count, name_all_dice, number, percent
from game.rules import Ruleset
from game.strategy.odds import average_points, chance_to_end_with, sweep_chance
from game.strategy.turn import find_bank_threshold, solve_shot_points

WIDTH = 150  # of the longest bar, in units of the drawing
Bar = tuple[str, float, str, str]


@dataclass(frozen=True)
class OddsFigures:
    """What throws and shots bring, by number of dice from one to all: chances 0–1, and points.

    None where points have no bound or nothing scores. `below`: bank with this many points or more.
    """

    bust: tuple[float, ...]
    points: tuple[float, ...]
    sweep: tuple[float, ...]
    below: tuple[int | None, ...] | None
    below_not_in: tuple[int | None, ...] | None
    turn: float | None
    turn_not_in: float | None


@lru_cache(maxsize=64)
def compute_figures(ruleset: Ruleset) -> OddsFigures:
    """Return the figures of a ruleset. The first time for a ruleset takes up to five seconds."""
    counts = list_counts(ruleset)
    throws = (
        tuple(chance_to_end_with(ruleset, dice) for dice in counts),
        tuple(average_points(ruleset, dice) for dice in counts),
        tuple(sweep_chance(ruleset, dice) for dice in counts),
    )
    try:
        shot = solve_shot_points(ruleset)
    except ValueError:
        return OddsFigures(*throws, None, None, None, None)
    below, not_in = (tuple(find_bank_threshold(ruleset, dice, entered) for dice in counts) for entered in (True, False))
    return OddsFigures(*throws, below, not_in, shot.expected(), shot.expected(entered=False))


def list_counts(ruleset: Ruleset) -> range:
    """Return the numbers of dice that can be thrown."""
    return range(1, ruleset.dice + 1)


def build_charts(ruleset: Ruleset) -> dict[str, object]:
    """Return the bars of each drawing, and the points of a whole turn.

    A bar is its label, its width, its figure and a second one, which is in the table only.
    """
    figures, tries = compute_figures(ruleset), ruleset.last_die_throws
    labels = [format_dice_count(dice) for dice in list_counts(ruleset)]
    with_tries = [ngettext("1 die, %(n)s try", "1 die, %(n)s tries", tries) % {"n": tries}] if tries > 1 else labels[:1]
    below, not_in = figures.below or (), figures.below_not_in or ()
    return {
        "all_dice": name_all_dice(ruleset.dice),
        "bust": _draw_bars(figures.bust, [percent(value, 1) for value in figures.bust], with_tries + labels[1:]),
        "points": _draw_bars(figures.points, [number(value, 0) for value in figures.points], labels),
        "sweep": _draw_bars(figures.sweep, [percent(value, 1) for value in figures.sweep], labels),
        "thresholds": _draw_thresholds(below, not_in, labels) if below and not_in else (),
        "turn": None if figures.turn is None else number(figures.turn, 0),
        "turn_not_in": None if figures.turn_not_in is None else number(figures.turn_not_in, 0),
    }


def _draw_bars(values: Sequence[float], texts: Sequence[str], labels: Sequence[str]) -> list[Bar]:
    most = max(values) or 1
    rows = zip(labels, values, texts, strict=True)
    return [(label, round(WIDTH * value / most, 1), text, "") for label, value, text in rows]


def _draw_thresholds(below: Sequence[int | None], not_in: Sequence[int | None], labels: Sequence[str]) -> list[Bar]:
    """Draw a full bar where throwing is always better, and for all dice, whose bar would dwarf the others."""
    most = max((value for value in below[:-1] if value), default=1)
    widths = [WIDTH if value is None else round(WIDTH * min(value, most) / most, 1) for value in below]
    texts, others = (
        [_("always") if value is None else number(value) for value in values] for values in (below, not_in)
    )
    return list(zip(labels, widths, texts, others, strict=True))
