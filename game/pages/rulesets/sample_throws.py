"""Dice to try a ruleset with: what a throw typed in scores, six sample throws, and the bust chances."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

from game.rules import Keep, Ruleset, keeps
from game.strategy.odds import bust_chance

SAMPLES = (
    (1, 2, 2, 2, 4, 5),
    (1, 1, 1, 3, 5, 5),
    (2, 2, 3, 3, 6, 6),
    (1, 2, 3, 4, 5, 6),
    (2, 4, 4, 4, 4, 4),
    (2, 3, 3, 4, 6, 6),
)
FIRST = "122245"
WRONG = _("Type one to six dice with faces from 1 to 6, for example 122245.")


@dataclass(frozen=True)
class Tried:
    """A throw and what may be kept of it, best first; nothing is a bust."""

    dice: tuple[int, ...]
    keeps: tuple[Keep, ...]


@dataclass(frozen=True)
class Bench:
    """`typed` as it came, with the throw that it is, or the sentence that says why it is none."""

    typed: str
    tried: Tried | None
    error: str
    samples: tuple[Tried, ...]
    chances: tuple[tuple[int, str], ...]


def bench(ruleset: Ruleset, typed: str) -> Bench:
    dice = read_dice(typed)
    return Bench(
        typed=typed[:20],
        tried=tried(ruleset, dice) if dice else None,
        error="" if dice else str(WRONG),
        samples=tuple(tried(ruleset, sample) for sample in SAMPLES),
        chances=tuple((count, percent(bust_chance(ruleset, count))) for count in range(1, 7)),
    )


def read_dice(typed: str) -> tuple[int, ...]:
    """The dice in a text such as "1 2 2 2 4 5" or "122245"; none where it is anything else."""
    text = re.sub(r"[ ,]", "", typed)
    return tuple(map(int, text)) if re.fullmatch(r"[1-6]{1,6}", text) else ()


def tried(ruleset: Ruleset, dice: tuple[int, ...]) -> Tried:
    return Tried(dice, keeps(ruleset, dice))


def percent(chance: float) -> str:
    return f"{number_format(round(100 * chance, 1), 1)}%"
