"""The computers as characters: the name of each level, how it plays in a few words, and names for its computers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from game.pages.parts.names import is_free
from game.pages.parts.text import put_label
from game.rules.names import same_name

STAR = "*"


@dataclass(frozen=True)
class Level:
    """A level on the page. `names`: the names of its computers, without the star, in the order they are given."""

    slug: str
    name: Promise
    line: Promise
    names: tuple[str, ...]


LEVELS: Mapping[str, Level] = {
    level.slug: level
    for level in (
        Level("beginner", _("Beginner"), _("plays by gut, often leaves points behind"), ("Tik-Tok", "Marvin", "Hex")),
        Level("careful", _("Careful"), _("would rather have points in the bank"), ("Eliza", "Robbie", "Nova")),
        Level("balanced", _("Balanced"), _("knows the odds, sometimes misjudges them"), ("HAL", "Orac", "Joshua")),
        Level("bold", _("Bold"), _("knows the odds, always up for one more throw"), ("Wintermute", "Zora", "Speedy")),
        Level(
            "best",
            pgettext_lazy("level of a computer", "Best"),
            _("weighs every throw by the chance to win"),
            ("Ada", "Deep Thought", "Multivac"),
        ),
    )
}


def suggest_computer_name(taken: Sequence[str], level: str) -> str:
    """Return the first free name of a level, star included; another level's, or a numbered HAL, if all are taken."""
    own = LEVELS[level].names if level in LEVELS else ()
    names = (*own, *(name for other in LEVELS.values() for name in other.names))
    free = (STAR + name for name in names if is_free(STAR + name, taken))
    return next(free, f"{STAR}HAL {len(taken) + 1}")


def is_given_name(name: str) -> bool:
    """Return whether this is one of the names above, which are replaced when the computer's level changes."""
    return any(same_name(name, STAR + own) for level in LEVELS.values() for own in level.names)


def list_level_choices() -> list[tuple[str, Promise]]:
    """Return the levels to choose from, the weakest first: value and words."""
    return [(level.slug, level.name) for level in LEVELS.values()]


def describe_play(level: str) -> str:
    """Return how a level plays; empty for an unknown one."""
    return str(LEVELS[level].line) if level in LEVELS else ""


def describe_level(level: str) -> str:
    """Return a level with how it plays, as "Bold: knows the odds, always up for one more throw"; empty if unknown."""
    if level not in LEVELS:
        return ""
    return put_label(LEVELS[level].name, LEVELS[level].line)
