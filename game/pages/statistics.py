"""A visitor's statistics, worded: figures with what they are, and the accuracy of the last games as a drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.history.statistics import Statistics, statistics_of
from game.models import Visitor
from game.pages.parts.text import number, percent

WIDTH, HEIGHT, EDGE = 280, 80, 6


@dataclass(frozen=True)
class Trend:
    """Accuracy by game in a drawing of 280 × 80 units: 100 on top, 0 at the bottom."""

    points: str
    summary: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Figures:
    facts: tuple[tuple[str, str], ...]
    trend: Trend | None


def figures(visitor: Visitor | None) -> Figures | None:
    found = statistics_of(visitor) if visitor else None
    return Figures(tuple(facts(found)), trend(found.accuracy)) if found else None


def facts(found: Statistics) -> list[tuple[str, str]]:
    told = [(_("Games"), number(found.games))]
    if found.contests:
        told.append((_("Wins"), wins(found)))
    if found.banks:
        told.append((_("Average banked turn"), number(round(found.banked / found.banks))))
    if found.turns:
        rates = {
            "rate": percent(found.busts / found.turns),
            "expected": percent(found.expected_busts / found.turns),
        }
        told.append((_("Bust rate"), _("%(rate)s of turns, %(expected)s expected") % rates))
    if found.luck is not None:
        told.append((_("Luck of the last games"), luck(round(found.luck))))
    if found.ruleset:
        told.append((_("Favourite rules"), found.ruleset))
    return told


def wins(found: Statistics) -> str:
    """Of games that were only passed round on this device none is counted, and then it is said."""
    if found.contests == found.games:
        return number(found.wins)
    said = {"wins": number(found.wins), "games": number(found.contests)}
    return (
        ngettext("%(wins)s of %(games)s against others", "%(wins)s of %(games)s against others", found.contests) % said
    )


def luck(points: int) -> str:
    """Points above or below what the dice let expect, with a true minus sign."""
    sign = "+" if points > 0 else "−" if points < 0 else ""
    return ngettext("%(points)s point", "%(points)s points", abs(points)) % {"points": sign + number(abs(points))}


def trend(accuracy: Sequence[float]) -> Trend | None:
    """Nothing below two games: a point is no line."""
    if len(accuracy) < 2:
        return None
    step = (WIDTH - 2 * EDGE) / (len(accuracy) - 1)
    points = " ".join(
        f"{EDGE + i * step:.1f},{HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * value / 100:.1f}"
        for i, value in enumerate(accuracy)
    )
    mean = sum(accuracy) / len(accuracy)
    said = {"n": number(len(accuracy)), "mean": number(mean, 0), "last": number(accuracy[-1], 0)}
    summary = _("Over the last %(n)s games %(mean)s on average, %(last)s in the last one.") % said
    return Trend(points, summary, tuple(number(value, 0) for value in accuracy))
