"""A visitor's statistics in words, and the accuracy of recent games as a drawing."""

from collections.abc import Sequence
from dataclasses import dataclass

from game.history.head_to_head import list_opponents
from game.history.statistics import Statistics, statistics_of
from game.models import Visitor
from game.pages.parts.language import gettext as _
from game.pages.parts.language import ngettext
from game.pages.parts.standings import address_of
from game.pages.parts.text import number, percent, sign_number
from game.pages.rulesets.names import name_stored

WIDTH, HEIGHT, EDGE = 280, 80, 6


@dataclass(frozen=True)
class Trend:
    """Accuracy by game, 0 to 100, as a drawing of 280 × 80 units, with 100 at the top."""

    points: str
    summary: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class StatisticsShown:
    """The figures as (name, value), the drawing, and (name, URL) of the opponents met most."""

    facts: tuple[tuple[str, str], ...]
    trend: Trend | None
    opponents: tuple[tuple[str, str], ...]


def describe_statistics(visitor: Visitor | None) -> StatisticsShown | None:
    """Return the statistics of a visitor; None before the first game that counts."""
    counts = statistics_of(visitor) if visitor else None
    if visitor is None or counts is None:
        return None
    opponents = tuple((name, address_of(name)) for name in list_opponents(visitor))
    return StatisticsShown(tuple(_list_facts(counts)), _draw_trend(counts.accuracy), opponents)


def _list_facts(counts: Statistics) -> list[tuple[str, str]]:
    facts = [(_("Games"), number(counts.games))]
    if counts.contests:
        facts.append((_("Wins"), _count_wins(counts)))
    if counts.banks:
        facts.append((_("Average bank"), number(round(counts.banked / counts.banks))))
    if counts.turns:
        rates = {
            "rate": percent(counts.busts / counts.turns),
            "expected": percent(counts.expected_busts / counts.turns),
        }
        facts.append((_("Bust rate"), _("%(rate)s of turns, %(expected)s expected") % rates))
    if counts.luck is not None:
        facts.append((_("Luck in recent games"), write_luck(round(counts.luck))))
    if counts.ruleset:
        slug, name = counts.ruleset
        facts.append((_("Favourite ruleset"), name_stored({"slug": slug, "name": name})))
    return facts


def _count_wins(counts: Statistics) -> str:
    """Return the wins, and of how many games if not all count: only those against computers or other devices do."""
    if counts.contests == counts.games:
        return number(counts.wins)
    values = {"wins": number(counts.wins), "games": number(counts.contests)}
    return (
        ngettext("%(wins)s of %(games)s against others", "%(wins)s of %(games)s against others", counts.contests)
        % values
    )


def write_luck(points: int) -> str:
    """Return points above or below the expectation."""
    return ngettext("%(points)s point", "%(points)s points", abs(points)) % {"points": sign_number(points)}


def _draw_trend(accuracy: Sequence[float]) -> Trend | None:
    """Return the drawing; None for fewer than two games, since a point is not a line."""
    if len(accuracy) < 2:
        return None
    step = (WIDTH - 2 * EDGE) / (len(accuracy) - 1)
    points = " ".join(
        f"{EDGE + i * step:.1f},{HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * value / 100:.1f}"
        for i, value in enumerate(accuracy)
    )
    mean = sum(accuracy) / len(accuracy)
    values = {"n": number(len(accuracy)), "mean": number(mean, 0), "last": number(accuracy[-1], 0)}
    summary = ngettext(
        "Over the last %(n)s game: %(mean)s on average, %(last)s in the last one.",
        "Over the last %(n)s games: %(mean)s on average, %(last)s in the last one.",
        len(accuracy),
    )
    return Trend(points, summary % values, tuple(number(value, 0) for value in accuracy))
