"""The page of odds: what throws bring under any ruleset, and whether to bank or to throw."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from game.forms.new import list_offered
from game.forms.odds import FIRST, OddsForm
from game.pages.odds_answer import Question, answer, why_not
from game.pages.parts.text import dice_count, number, percent
from game.rules import Ruleset
from game.rules.ruleset import DICE
from game.strategy.odds import average_points, bust_chance, sweep_chance
from game.strategy.turn import find_bank_threshold, solve_shot_points

WIDTH = 150  # of the longest bar, in units of the drawing
COUNTS = range(1, DICE + 1)
LONGEST = 9  # digits of a number


@dataclass(frozen=True)
class Numbers:
    """What throws and shots bring, by number of dice from 1 to 6; None where points have no bound or nothing scores."""

    bust: tuple[float, ...]
    points: tuple[float, ...]
    sweep: tuple[float, ...]
    below: tuple[int | None, ...] | None
    below_not_in: tuple[int | None, ...] | None
    turn: float | None
    turn_not_in: float | None


@dataclass(frozen=True)
class Bar:
    label: str
    width: float
    text: str
    y: int
    more: str = ""  # a second figure, in the table only


@dataclass(frozen=True)
class Bars:
    """A drawing of six bars, and the table with the same figures."""

    name: str
    title: str
    summary: str
    heads: tuple[str, ...]
    bars: tuple[Bar, ...]


@lru_cache(maxsize=64)
def numbers(ruleset: Ruleset) -> Numbers:
    """Takes up to two seconds for rules that were never asked for before."""
    tries = [ruleset.last_die_throws if dice == 1 else 1 for dice in COUNTS]
    throws = (
        tuple(bust_chance(ruleset, dice) ** n for dice, n in zip(COUNTS, tries, strict=True)),
        tuple(average_points(ruleset, dice) for dice in COUNTS),
        tuple(sweep_chance(ruleset, dice) for dice in COUNTS),
    )
    try:
        shot = solve_shot_points(ruleset)
    except ValueError:
        return Numbers(*throws, None, None, None, None)
    below, not_in = (tuple(find_bank_threshold(ruleset, dice, entered) for dice in COUNTS) for entered in (True, False))
    return Numbers(*throws, below, not_in, shot.expected(), shot.expected(entered=False))


@require_safe
def odds(request: HttpRequest) -> HttpResponse:
    rows = list_offered()
    form = OddsForm(request.GET, rows)
    row = form.ruleset
    problems = form.problems()
    said = ""
    if row and not problems:
        said, problem = answered(row.rules, form)
        problems = [("held", problem)] if problem else []
    context = {
        "rows": rows,
        "row": row,
        "asked": {name: form.data.get(name, "")[:LONGEST] for name in FIRST},
        "counts": COUNTS,
        "problems": problems,
        "wrong": dict(problems),
        "answer": said,
        **(shown(row.rules) if row else {}),
    }
    return render(request, "game/odds.html", context, status=422 if problems else 200)


def answered(ruleset: Ruleset, form: OddsForm) -> tuple[str, str]:
    """The sentence; or why there is none."""
    given = form.cleaned_data
    question = Question(given["dice"], given["points"], given["in"])
    problem = why_not(ruleset, question)
    if numbers(ruleset).turn is None:
        return _("Under these rules no turn can be told from another: nothing scores, or everything does."), ""
    if problem and not form.is_asked:
        return "", ""  # our own first question does not fit these rules: nothing was done wrong
    return ("", problem) if problem else (answer(ruleset, question), "")


def shown(ruleset: Ruleset) -> dict[str, object]:
    """The drawings, and what a whole turn brings."""
    found = numbers(ruleset)
    drawings = [busts(ruleset, found), points(found), sweeps(found)]
    if found.below and found.below_not_in:
        drawings.append(limits(found.below, found.below_not_in))
    return {
        "drawings": drawings,
        "turn": None if found.turn is None else number(found.turn, 0),
        "turn_not_in": None if found.turn_not_in is None else number(found.turn_not_in, 0),
    }


def bars(values: tuple[float, ...], text: Callable[[float], str], labels: list[str] | None = None) -> tuple[Bar, ...]:
    most = max(values) or 1
    named = labels or [dice_count(dice) for dice in COUNTS]
    return tuple(
        Bar(label, round(WIDTH * value / most, 1), text(value), 22 * place + 15)
        for place, (label, value) in enumerate(zip(named, values, strict=True))
    )


def exact(chance: float) -> str:
    return percent(chance, 1)


def busts(ruleset: Ruleset, found: Numbers) -> Bars:
    labels = [dice_count(dice) for dice in COUNTS]
    if ruleset.last_die_throws > 1:
        tries = ruleset.last_die_throws
        labels[0] = ngettext("1 die, %(n)s try", "1 die, %(n)s tries", tries) % {"n": tries}
    return Bars(
        "bust",
        _("How often a throw is a bust"),
        _("%(one)s with one die, %(six)s with six.") % {"one": exact(found.bust[0]), "six": exact(found.bust[-1])},
        (_("You throw"), _("Bust")),
        bars(found.bust, exact, labels),
    )


def points(found: Numbers) -> Bars:
    return Bars(
        "points",
        _("Points of a throw, on average"),
        _("All that scores is kept, and a bust counts 0: %(one)s with one die, %(six)s with six.")
        % {"one": number(found.points[0], 0), "six": number(found.points[-1], 0)},
        (_("You throw"), _("Points")),
        bars(found.points, lambda value: number(value, 0)),
    )


def sweeps(found: Numbers) -> Bars:
    return Bars(
        "sweep",
        _("How often all dice thrown score"),
        _("Then six fresh dice follow: %(one)s with one die, %(six)s with six.")
        % {"one": exact(found.sweep[0]), "six": exact(found.sweep[-1])},
        (_("You throw"), _("All score")),
        bars(found.sweep, exact),
    )


def limits(below: tuple[int | None, ...], not_in: tuple[int | None, ...]) -> Bars:
    """Where throwing always is better the bar is full; six dice are, too, since theirs would dwarf the others."""
    most = max((value for value in below[:-1] if value), default=1)
    drawn = bars(tuple(float(most if value is None else min(value, most)) for value in below), str)
    return Bars(
        "below",
        _("Throw again if you have less than"),
        _("By points on average: with more it is better to bank. Before you are in, the minimum counts as well."),
        (_("Dice left"), _("You are in"), _("Not in yet")),
        tuple(
            Bar(bar.label, bar.width, limit(value), bar.y, limit(other))
            for bar, value, other in zip(drawn, below, not_in, strict=True)
        ),
    )


def limit(value: int | None) -> str:
    return _("always") if value is None else number(value)
