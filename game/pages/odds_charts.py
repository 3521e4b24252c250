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


@dataclass(frozen=True)
class Bar:
    """One bar, and its row in the table."""

    label: str
    width: float
    text: str
    more: str = ""  # a second figure, in the table only


@dataclass(frozen=True)
class BarChart:
    """A drawing of a bar for each number of dice, and the table with the same figures."""

    name: str
    title: str
    summary: str
    heads: tuple[str, ...]
    bars: tuple[Bar, ...]


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
    """Return the drawings, and the points of a whole turn, by the names of the template."""
    figures, tries = compute_figures(ruleset), ruleset.last_die_throws
    labels = [format_dice_count(dice) for dice in list_counts(ruleset)]
    with_tries = [ngettext("1 die, %(n)s try", "1 die, %(n)s tries", tries) % {"n": tries}] if tries > 1 else labels[:1]
    from_one_to_all = _("%(one)s with one die, %(most)s with %(all)s.")
    keeping_all = _("Keeping everything that scores, with a bust as 0: %(one)s with one die, %(most)s with %(all)s.")
    all_fresh = _("Then you throw %(all)s fresh dice: %(one)s with one die, %(most)s with %(all)s.")
    drawings = [
        _draw_figures(
            "bust", _("How often a throw is a bust"), from_one_to_all, _("Bust"), figures.bust, with_tries + labels[1:]
        ),
        _draw_figures("points", _("Average points per throw"), keeping_all, _("Points"), figures.points, labels),
        _draw_figures("sweep", _("How often all dice score"), all_fresh, _("All score"), figures.sweep, labels),
    ]
    if figures.below and figures.below_not_in:
        drawings.append(_draw_thresholds(figures.below, figures.below_not_in, labels))
    return {
        "drawings": drawings,
        "turn": None if figures.turn is None else number(figures.turn, 0),
        "turn_not_in": None if figures.turn_not_in is None else number(figures.turn_not_in, 0),
    }


def _draw_figures(
    name: str, title: str, summary: str, head: str, values: tuple[float, ...], labels: Sequence[str]
) -> BarChart:
    """Draw chances or points by the number of dice. `summary`: a sentence with placeholders for one die and for all."""
    texts = [number(value, 0) if name == "points" else percent(value, 1) for value in values]
    most = max(values) or 1
    rows = zip(labels, values, texts, strict=True)
    bars = tuple(Bar(label, round(WIDTH * value / most, 1), text) for label, value, text in rows)
    return BarChart(
        name,
        title,
        summary % {"one": texts[0], "most": texts[-1], "all": name_all_dice(len(texts))},
        (_("You throw"), head),
        bars,
    )


def _draw_thresholds(below: tuple[int | None, ...], not_in: tuple[int | None, ...], labels: Sequence[str]) -> BarChart:
    """Draw a full bar where throwing is always better, and for all dice, whose bar would dwarf the others."""
    most = max((value for value in below[:-1] if value), default=1)
    widths = [WIDTH if value is None else WIDTH * min(value, most) / most for value in below]
    texts, others = (
        [_("always") if value is None else number(value) for value in values] for values in (below, not_in)
    )
    return BarChart(
        "below",
        _("Throw again with fewer than…"),
        _("Above this, banking earns more on average. Before your first bank, the minimum counts too."),
        (_("Dice left"), _("On the board"), _("Not yet")),
        tuple(map(Bar, labels, (round(width, 1) for width in widths), texts, others)),
    )
