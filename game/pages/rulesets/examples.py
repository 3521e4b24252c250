"""Throws worked out under a ruleset, and how often a throw of so many dice is a bust."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.pages.parts.text import dice_count, faces, number, percent
from game.rules import Keep, Ruleset, keeps
from game.strategy.odds import bust_chance

# Throws, and the setting that makes them worth showing; those without one are always shown.
THROWS = (
    ((1, 2, 2, 2, 4, 5), ""),
    ((1, 5, 5, 2, 3, 6), ""),
    ((4, 4, 4, 4, 2, 3), ""),
    ((5, 5, 5, 5, 5, 5), ""),
    ((1, 2, 3, 4, 5, 6), "straight"),
    ((1, 2, 3, 4, 5, 2), "low_straight"),
    ((2, 3, 4, 5, 6, 6), "high_straight"),
    ((2, 2, 2, 6, 6, 4), "full_house"),
    ((1, 1, 5, 5, 6, 6), "three_pairs"),
    ((3, 3, 3, 6, 6, 6), "two_triplets"),
    ((2, 2, 2, 2, 6, 6), "four_and_two"),
    ((3, 3, 3, 3, 2, 2), "four_and_two_is_three_pairs"),
    ((2, 3, 4, 6, 6, 3), ""),
)
WAYS_SHOWN = 3
RARE = 0.2  # below it a chance is said as one in so many


@dataclass(frozen=True)
class Example:
    """A throw and what to say about it."""

    dice: tuple[int, ...]
    words: str


@dataclass(frozen=True)
class Chance:
    """How likely a throw of so many dice is a bust."""

    dice: str
    percent: str
    words: str


def examples(ruleset: Ruleset) -> list[Example]:
    shown = (dice for dice, setting in THROWS if not setting or getattr(ruleset, setting))
    return [Example(dice, outcome(keeps(ruleset, dice))) for dice in shown]


def outcome(found: Sequence[Keep]) -> str:
    """The best keep of a throw in words, and some of the others."""
    if not found:
        return _("Nothing scores: a bust.")
    best = found[0]
    if any(keep.wins for keep in found):
        return _("Six alike: keep them all, and you win the game.")
    if len(best.dice) == 6:
        return _("Keep all six for %(points)s.") % {"points": number(best.points)}
    sentence = _("Keep %(dice)s for %(points)s.") % {"dice": together(best.dice), "points": number(best.points)}
    return f"{sentence} {less(found[1:])}".strip()


def less(found: Sequence[Keep]) -> str:
    if not found:
        return ""
    shown = " · ".join(f"{together(keep.dice)}\u00a0= {number(keep.points)}" for keep in found[:WAYS_SHOWN])
    more = len(found) - WAYS_SHOWN
    if more <= 0:
        return _("You may keep less: %(ways)s.") % {"ways": shown}
    return ngettext(
        "You may keep less: %(ways)s, or in %(n)s other way.",
        "You may keep less: %(ways)s, or in %(n)s other ways.",
        more,
    ) % {"ways": shown, "n": more}


def together(dice: Sequence[int]) -> str:
    """Dice that do not part at the end of a line."""
    return faces(dice).replace(" ", "\u00a0")


def chances(ruleset: Ruleset) -> list[Chance]:
    """From six dice down to one; the last die with all the tries that it has."""
    return [chance(ruleset, dice) for dice in range(6, 0, -1)]


def chance(ruleset: Ruleset, dice: int) -> Chance:
    tries = ruleset.last_die_throws if dice == 1 else 1
    risk = bust_chance(ruleset, dice) ** tries
    label = dice_count(dice)
    if tries > 1:
        label = ngettext("%(dice)s, %(n)s try", "%(dice)s, %(n)s tries", tries) % {"dice": label, "n": tries}
    return Chance(label, percent(risk), in_words(risk))


def in_words(risk: float) -> str:
    if risk in (0, 1):
        return _("always") if risk else _("never")
    if risk < RARE:
        return _("about one time in %(n)s") % {"n": number(round(1 / risk))}
    part = Fraction(risk).limit_denominator(9)
    if part == 1:
        return _("nearly always")
    return _("about %(k)s times in %(n)s") % {"k": part.numerator, "n": part.denominator}
