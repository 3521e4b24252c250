"""Which dice of a throw may be kept, and what they are worth.

A keep is a non-empty part of the dice just thrown in which every die belongs to a combination. Its points are those of
the best way of splitting it into combinations.
"""

from collections.abc import Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement, permutations
from typing import TypeVar

from game.rules.ruleset import DICE, FACES, Dice, Ruleset
from game.rules.setting_values import KIND_SIZES

T = TypeVar("T")

_FACES = frozenset(FACES)


@dataclass(frozen=True)
class Keep:
    """Dice that may be kept, with their points."""

    dice: Dice
    """Sorted."""
    points: int
    wins: bool = False
    """Keeping them wins the game at once."""
    with_aside: bool = False
    """They are three pairs together with the dice set aside before, and `points` replace the points of those."""


def check_dice(dice: Sequence[int], most: int = DICE) -> Dice:
    """Return the dice sorted. Raises `ValueError` unless they are 1 to `most` faces from 1 to 6."""
    if not 1 <= len(dice) <= most:
        raise ValueError(f"A throw has 1 to {most} dice, not {len(dice)}.")
    if not _FACES.issuperset(dice):
        wrong = next(die for die in dice if die not in _FACES)
        raise ValueError(f"{str(wrong)[:40]} is not a face of a die.")
    return tuple(sorted(dice))


def keeps(
    ruleset: Ruleset, dice: Sequence[int], aside: Sequence[int] = (), aside_points: int | None = None
) -> tuple[Keep, ...]:
    """Return all keeps of a throw, highest points first, then by dice. A throw without any is a bust.

    `aside` are the dice set aside since the last sweep, `aside_points` what they have counted (left out: the most that
    they can count). Both matter only where three pairs may be made across throws. Raises `ValueError` for what is no
    throw.
    """
    # Dice that come sorted need neither sorting nor a check: they are a key of the table, or no throw.
    own = _keeps_by_throw(ruleset).get(tuple(dice))
    if own is None:
        own = _keeps_by_throw(ruleset)[check_dice(dice)]
    if not (aside and ruleset.three_pairs_across_throws):
        return own
    if len(dice) + len(aside) > DICE:
        raise ValueError(f"There are {DICE} dice, those set aside included.")
    aside = check_dice(aside)
    if aside_points is None:
        aside_points = _most_points(ruleset, aside)
    return _keeps_with_aside(ruleset, own, tuple(sorted(dice)), aside, aside_points)


def best_points(ruleset: Ruleset, dice: Sequence[int]) -> int | None:
    """Return the points of keeping exactly these dice of one throw, at best; None if a die adds nothing."""
    dice = check_dice(dice)
    return next((keep.points for keep in _keeps_by_throw(ruleset)[dice] if keep.dice == dice), None)


def points_gained(keep: Keep, aside_points: int) -> int:
    """Return what a keep adds to the points of the shot. `aside_points`: what the dice aside have counted."""
    return keep.points - aside_points if keep.with_aside else keep.points


def dice_left(thrown: Sized, kept: Sized) -> int:
    """Return how many dice are thrown next, or left to pick up, once `kept` of the `thrown` dice are set aside.

    After a sweep, when none would be left, these are six fresh ones.
    """
    return len(thrown) - len(kept) or DICE


def set_aside(aside: tuple[T, ...], thrown: Sized, kept: Sequence[T]) -> tuple[T, ...]:
    """Return what lies aside since the last sweep, once `kept` of the `thrown` dice join those that lie `aside`.

    Nothing lies aside after a sweep. Dice may be given as faces, columns, or whatever else tells them apart.
    """
    return () if len(kept) == len(thrown) else (*aside, *kept)


def all_throws(count: int) -> Iterator[Dice]:
    """Return every throw of so many dice once, sorted."""
    return combinations_with_replacement(FACES, count)


def _most_points(ruleset: Ruleset, aside: Dice) -> int:
    return _best_split(_points_by_combination(ruleset), aside, {}) or 0


def _keeps_with_aside(
    ruleset: Ruleset, own: tuple[Keep, ...], dice: Dice, aside: Dice, aside_points: int
) -> tuple[Keep, ...]:
    """Return the keeps of a throw, with three pairs across throws if they count more than the dice by themselves."""
    if len(dice) + len(aside) != DICE or not _is_three_pairs(ruleset, tuple(sorted(dice + aside))):
        return own
    if any(keep.dice == dice and keep.points + aside_points >= ruleset.three_pairs for keep in own):
        return own
    across = Keep(dice, ruleset.three_pairs, with_aside=True)
    return _sort_keeps([across, *(keep for keep in own if keep.dice != dice)])


def _is_three_pairs(ruleset: Ruleset, dice: Dice) -> bool:
    counts = sorted(dice.count(face) for face in set(dice))
    allowed = counts == [2, 2, 2] or (counts == [2, 4] and ruleset.four_and_two_is_three_pairs)
    return allowed and ruleset.three_pairs > 0


@lru_cache(maxsize=32)
def _keeps_by_throw(ruleset: Ruleset) -> Mapping[Dice, tuple[Keep, ...]]:
    """Return the keeps of all 923 throws of one to six dice, by their sorted dice."""
    split = _points_by_combination(ruleset)
    best: dict[Dice, int | None] = {}
    whole = {dice: _keep_of_all(ruleset, dice, split, best) for dice in _parts_of_throws()}
    table = {}
    for dice, parts in _parts_of_throws().items():
        own = [keep for part in parts if (keep := whole[part]) is not None]
        if not own and len(dice) == DICE and ruleset.nothing_bonus:
            own = [Keep(dice, ruleset.nothing_bonus)]
        table[dice] = _sort_keeps(own)
    return table


@cache
def _parts_of_throws() -> Mapping[Dice, frozenset[Dice]]:
    """Return the parts of each throw, sorted, the whole throw among them."""
    throws = (dice for count in range(1, DICE + 1) for dice in all_throws(count))
    return {
        dice: frozenset(part for count in range(1, len(dice) + 1) for part in combinations(dice, count))
        for dice in throws
    }


def _keep_of_all(ruleset: Ruleset, dice: Dice, split: Mapping[Dice, int], best: dict[Dice, int | None]) -> Keep | None:
    """Return the keep of exactly these dice, or None if one of them adds nothing."""
    wins = ruleset.six_of_a_kind_wins and len(dice) == DICE and len(set(dice)) == 1
    points = _best_split(split, dice, best)
    return None if points is None and not wins else Keep(dice, points or 0, wins=wins)


def _sort_keeps(choices: Sequence[Keep]) -> tuple[Keep, ...]:
    return tuple(sorted(choices, key=lambda keep: (-keep.points, keep.dice)))


def _best_split(split: Mapping[Dice, int], dice: Dice, best: dict[Dice, int | None]) -> int | None:
    """Return the most points of splitting all these dice into combinations; None if that cannot be done.

    `split` has all combinations; `best` remembers what was found, across calls.
    """
    if not dice:
        return 0
    if dice not in best:
        rests = ((points, _without_part(dice, part)) for part, points in split.items() if part[0] == dice[0])
        totals = [
            points + more
            for points, rest in rests
            if rest is not None and (more := _best_split(split, rest, best)) is not None
        ]
        best[dice] = max(totals, default=None)
    return best[dice]


def _without_part(dice: Dice, part: Dice) -> Dice | None:
    """Return what remains of sorted dice without a part of them; None if the part is not in there."""
    rest = list(dice)
    for die in part:
        if die not in rest:
            return None
        rest.remove(die)
    return tuple(rest)


@lru_cache(maxsize=32)
def _points_by_combination(ruleset: Ruleset) -> Mapping[Dice, int]:
    """Return every combination of a ruleset as sorted dice, with its points. 0 points is no combination."""
    worth: list[tuple[Dice, int]] = [((face,), ruleset.singles[face - 1]) for face in FACES]
    worth += [((face,) * size, ruleset.of(size, face)) for size in KIND_SIZES for face in FACES]
    worth += [((1, 2, 3, 4, 5, 6), ruleset.straight)]
    worth += [((1, 2, 3, 4, 5), ruleset.low_straight), ((2, 3, 4, 5, 6), ruleset.high_straight)]
    worth += [(dice, ruleset.full_house) for dice in _dice_in_groups(3, 2)]
    worth += [(dice, ruleset.three_pairs) for dice in _dice_in_groups(2, 2, 2)]
    worth += [(dice, ruleset.two_triplets) for dice in _dice_in_groups(3, 3)]
    worth += [(dice, ruleset.four_and_two) for dice in _dice_in_groups(4, 2)]
    if ruleset.four_and_two_is_three_pairs:
        worth += [(dice, ruleset.three_pairs) for dice in _dice_in_groups(4, 2)]
    best: dict[Dice, int] = {}
    for dice, points in worth:
        if points > best.get(dice, 0):
            best[dice] = points
    return best


@cache
def _dice_in_groups(*sizes: int) -> tuple[Dice, ...]:
    """Return all dice made of groups of equal dice of these sizes, each group of another face."""
    made = set()
    for faces in permutations(FACES, len(sizes)):
        made.add(tuple(sorted(die for face, size in zip(faces, sizes, strict=True) for die in (face,) * size)))
    return tuple(sorted(made))
