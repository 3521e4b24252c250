"""The drawings of the page of odds: what throws and turns bring under a ruleset."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.pages.parts.text import format_dice_count, number, percent
from game.rules import Ruleset
from game.rules.ruleset import DICE
from game.strategy.odds import average_points, bust_chance, sweep_chance
from game.strategy.turn import find_bank_threshold, solve_shot_points

WIDTH = 150  # of the longest bar, in units of the drawing
COUNTS = range(1, DICE + 1)


@dataclass(frozen=True)
class OddsFigures:
    """What throws and shots bring, by number of dice from 1 to 6: chances 0–1, and points.

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
    y: int
    more: str = ""  # a second figure, in the table only


@dataclass(frozen=True)
class BarChart:
    """A drawing of six bars, and the table with the same figures."""

    name: str
    title: str
    summary: str
    heads: tuple[str, ...]
    bars: tuple[Bar, ...]


@lru_cache(maxsize=64)
def compute_figures(ruleset: Ruleset) -> OddsFigures:
    """Return the figures of a ruleset. Takes up to two seconds for one that was never asked for before."""
    tries = [ruleset.last_die_throws if dice == 1 else 1 for dice in COUNTS]
    throws = (
        tuple(bust_chance(ruleset, dice) ** n for dice, n in zip(COUNTS, tries, strict=True)),
        tuple(average_points(ruleset, dice) for dice in COUNTS),
        tuple(sweep_chance(ruleset, dice) for dice in COUNTS),
    )
    try:
        shot = solve_shot_points(ruleset)
    except ValueError:
        return OddsFigures(*throws, None, None, None, None)
    below, not_in = (tuple(find_bank_threshold(ruleset, dice, entered) for dice in COUNTS) for entered in (True, False))
    return OddsFigures(*throws, below, not_in, shot.expected(), shot.expected(entered=False))


def build_charts(ruleset: Ruleset) -> dict[str, object]:
    """Return the drawings, and the points of a whole turn, by the names of the template."""
    figures = compute_figures(ruleset)
    drawings = [_draw_busts(ruleset, figures), _draw_points(figures), _draw_sweeps(figures)]
    if figures.below and figures.below_not_in:
        drawings.append(_draw_thresholds(figures.below, figures.below_not_in))
    return {
        "drawings": drawings,
        "turn": None if figures.turn is None else number(figures.turn, 0),
        "turn_not_in": None if figures.turn_not_in is None else number(figures.turn_not_in, 0),
    }


def _draw_bars(
    values: tuple[float, ...], text: Callable[[float], str], labels: list[str] | None = None
) -> tuple[Bar, ...]:
    most = max(values) or 1
    named = labels or [format_dice_count(dice) for dice in COUNTS]
    return tuple(
        Bar(label, round(WIDTH * value / most, 1), text(value), 22 * place + 15)
        for place, (label, value) in enumerate(zip(named, values, strict=True))
    )


def _write_chance(chance: float) -> str:
    return percent(chance, 1)


def _draw_busts(ruleset: Ruleset, figures: OddsFigures) -> BarChart:
    labels = [format_dice_count(dice) for dice in COUNTS]
    if ruleset.last_die_throws > 1:
        tries = ruleset.last_die_throws
        labels[0] = ngettext("1 die, %(n)s try", "1 die, %(n)s tries", tries) % {"n": tries}
    return BarChart(
        "bust",
        _("How often a throw is a bust"),
        _("%(one)s with one die, %(six)s with six.")
        % {"one": _write_chance(figures.bust[0]), "six": _write_chance(figures.bust[-1])},
        (_("You throw"), _("Bust")),
        _draw_bars(figures.bust, _write_chance, labels),
    )


def _draw_points(figures: OddsFigures) -> BarChart:
    return BarChart(
        "points",
        _("Average points per throw"),
        _("Keeping everything that scores, with a bust as 0: %(one)s with one die, %(six)s with six.")
        % {"one": number(figures.points[0], 0), "six": number(figures.points[-1], 0)},
        (_("You throw"), _("Points")),
        _draw_bars(figures.points, lambda value: number(value, 0)),
    )


def _draw_sweeps(figures: OddsFigures) -> BarChart:
    return BarChart(
        "sweep",
        _("How often every die scores"),
        _("Then you throw six fresh dice: %(one)s with one die, %(six)s with six.")
        % {"one": _write_chance(figures.sweep[0]), "six": _write_chance(figures.sweep[-1])},
        (_("You throw"), _("All score")),
        _draw_bars(figures.sweep, _write_chance),
    )


def _draw_thresholds(below: tuple[int | None, ...], not_in: tuple[int | None, ...]) -> BarChart:
    """Draw a full bar where throwing is always better, and for six dice, whose bar would dwarf the others."""
    most = max((value for value in below[:-1] if value), default=1)
    drawn = _draw_bars(tuple(float(most if value is None else min(value, most)) for value in below), str)
    return BarChart(
        "below",
        _("Throw again with fewer than…"),
        _("Above this, banking earns more on average. Before your first bank, the minimum counts too."),
        (_("Dice left"), _("On the board"), _("Not yet")),
        tuple(
            Bar(bar.label, bar.width, _name_threshold(value), bar.y, _name_threshold(other))
            for bar, value, other in zip(drawn, below, not_in, strict=True)
        ),
    )


def _name_threshold(value: int | None) -> str:
    return _("always") if value is None else number(value)
