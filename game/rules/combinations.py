"""Combinations that a ruleset adds to the common ones: each is a pattern of dice with its points or its effect.

In a pattern a digit stands for its face, and a letter for any face that is not among the digits: equal letters are
equal faces, different letters are different ones. "AAABB" is a full house, "1234" a row of four.
"""

from collections.abc import Mapping
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
    """The same for all dice of the pattern; or six values, one for each face that A can be, 0 for no points."""
    effect: Effect | None = None
    """Keeping exactly these dice of one throw "wins" at once; a throw that contains them is a "bust", or puts the
    player "out"."""
    cost: int = 0
    """What a bust by this pattern takes off the score, in points."""
    name: str = ""
    """Shown instead of the pattern, unless empty."""

    def all_dice(self) -> Mapping[Dice, int]:
        """Return all dice that fit the pattern, each sorted, with their points; 0 points for an effect."""
        return _all_dice(self.pattern, self.points)

    def list_points(self) -> tuple[int, ...]:
        """Return the points that dice of the pattern can be worth; 0 for none."""
        return self.points if isinstance(self.points, tuple) else (self.points or 0,)


def is_pattern(pattern: object) -> bool:
    """Return whether this is a pattern of one to six dice: digits ascending, then letters from A on in order."""
    if not isinstance(pattern, str) or not 1 <= len(pattern) <= len(FACES):
        return False
    digits = [character for character in pattern if character in "123456"]
    letters = [character for character in pattern if character in LETTERS]
    in_order = pattern == "".join(sorted(digits) + sorted(letters))
    return in_order and "".join(sorted(set(letters))) == LETTERS[: len(set(letters))]


@lru_cache(maxsize=256)
def _all_dice(pattern: str, points: int | tuple[int, ...] | None) -> Mapping[Dice, int]:
    worth: dict[Dice, int] = {}
    letters = sorted(set(pattern) & set(LETTERS))
    free = [face for face in FACES if str(face) not in pattern]
    for assigned in permutations(free, len(letters)):
        faces = dict(zip(letters, assigned, strict=True))
        dice = tuple(sorted(faces.get(character) or int(character) for character in pattern))
        value = points[faces["A"] - 1] if isinstance(points, tuple) else points or 0
        if value or points is None:
            worth[dice] = max(value, worth.get(dice, 0))
    return worth


def contains(throw: Dice, dice: Dice) -> bool:
    """Return whether a throw has all of these dice."""
    return all(throw.count(die) >= dice.count(die) for die in dice)
