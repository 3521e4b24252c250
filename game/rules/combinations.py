"""Combinations that a ruleset adds of its own: a pattern of dice, and what it is worth or does.

In a pattern a digit is that face; equal letters are equal faces, different letters different faces, none of them one of
the digits. "AAABB" is a full house, "1234" a row of four.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Literal

FACES = (1, 2, 3, 4, 5, 6)
LETTERS = "ABCDEF"
EFFECTS = ("wins", "bust", "out")

Dice = tuple[int, ...]
"""Faces from 1 to 6."""

Effect = Literal["wins", "bust", "out"]


@dataclass(frozen=True)
class Combination:
    """One pattern. It has either `points` or an `effect`."""

    pattern: str
    points: int | tuple[int, ...] | None = None
    """For any dice of the pattern; or six values, one for each face of the letter A, 0 for none."""
    effect: Effect | None = None
    """Keeping exactly these dice of one throw wins at once; a throw that contains them is a bust, or eliminates."""
    cost: int = 0
    """What such a bust costs, in points of the score."""
    name: str = ""
    """What is shown instead of the pattern."""

    def all_dice(self) -> Mapping[Dice, int]:
        """Return all dice that make the pattern, sorted, with their points; an effect has 0."""
        return _all_dice(self.pattern, self.points)

    def list_points(self) -> tuple[int, ...]:
        """Return the distinct points that it can be worth, without 0."""
        values = self.points if isinstance(self.points, tuple) else (self.points or 0,)
        return tuple(sorted({points for points in values if points}))


def is_pattern(pattern: object) -> bool:
    """Tell whether this is a pattern of one to six dice: digits ascending, then letters from A on in order."""
    if not isinstance(pattern, str) or not 1 <= len(pattern) <= len(FACES):
        return False
    digits = [character for character in pattern if character in "123456"]
    letters = [character for character in pattern if character in LETTERS]
    in_order = pattern == "".join(sorted(digits) + sorted(letters))
    return in_order and "".join(sorted(set(letters))) == LETTERS[: len(set(letters))]


@lru_cache(maxsize=256)
def _all_dice(pattern: str, points: int | tuple[int, ...] | None) -> Mapping[Dice, int]:
    worth: dict[Dice, int] = {}
    for faces in _faces_of_letters(pattern):
        dice = tuple(sorted(faces.get(character) or int(character) for character in pattern))
        value = points[faces["A"] - 1] if isinstance(points, tuple) else points or 0
        if value or points is None:
            worth[dice] = max(value, worth.get(dice, 0))
    return worth


def _faces_of_letters(pattern: str) -> Iterator[dict[str, int]]:
    """Yield every way to assign different faces to the letters."""
    letters = sorted(set(pattern) & set(LETTERS))
    free = [face for face in FACES if str(face) not in pattern]
    for faces in permutations(free, len(letters)):
        yield dict(zip(letters, faces, strict=True))


def contains(throw: Dice, dice: Dice) -> bool:
    """Tell whether a throw has all of these dice."""
    return all(throw.count(die) >= dice.count(die) for die in dice)
