"""Dice to try a ruleset with: what a throw typed in scores, six sample throws, and the bust chances."""

import re
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from game.pages.parts.text import name_all_dice, percent
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
FIRST_THROW = "122245"
NOT_DICE = _("Type one to %(all)s dice with faces from 1 to 6, for example %(dice)s.")


@dataclass(frozen=True)
class ScoredThrow:
    """A throw and what may be kept of it, best first; nothing for a bust."""

    dice: tuple[int, ...]
    keeps: tuple[Keep, ...]


@dataclass(frozen=True)
class SampleThrows:
    """`typed` as it came, with the throw it stands for, or the sentence that says why it stands for none."""

    typed: str
    tried: ScoredThrow | None
    error: str
    samples: tuple[ScoredThrow, ...]
    chances: tuple[tuple[int, str], ...]


def try_throws(ruleset: Ruleset, typed: str) -> SampleThrows:
    """Return what the typed throw and the samples score under a ruleset."""
    dice, most = read_dice(typed), ruleset.dice
    dice = dice if len(dice) <= most else ()
    return SampleThrows(
        typed=typed[:20],
        tried=score_throw(ruleset, dice) if dice else None,
        error="" if dice else NOT_DICE % {"all": name_all_dice(most), "dice": FIRST_THROW[:most]},
        samples=tuple(score_throw(ruleset, sample[:most]) for sample in SAMPLES),
        chances=tuple((count, percent(bust_chance(ruleset, count), 1)) for count in range(1, most + 1)),
    )


def read_dice(typed: str) -> tuple[int, ...]:
    """Return the dice in a text such as "1 2 2 2 4 5" or "122245"; () where it is anything else."""
    text = re.sub(r"[ ,]", "", typed)
    return tuple(map(int, text)) if re.fullmatch(r"[1-6]{1,6}", text) else ()


def score_throw(ruleset: Ruleset, dice: tuple[int, ...]) -> ScoredThrow:
    """Return the dice with all that may be kept of them."""
    return ScoredThrow(dice, keeps(ruleset, dice))
