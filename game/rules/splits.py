"""How dice split into combinations, and what the best ways of splitting them are worth."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement, permutations
from typing import NamedTuple

from game.rules.combinations import FACES, Dice
from game.rules.ruleset import DICE, Ruleset
from game.rules.setting_values import KIND_SIZES


class Traits(NamedTuple):
    """What matters about a way to split dice, besides its points. Traits that no setting needs stay False or empty."""

    unproved: bool = False
    single: bool = False
    has_set: bool = False
    growing: Dice = ()

    def joined(self, other: "Traits") -> "Traits":
        """Return the traits of both together."""
        growing = max(self.growing, other.growing, key=len)
        return Traits(
            self.unproved or other.unproved, self.single or other.single, self.has_set or other.has_set, growing
        )


class Split(NamedTuple):
    """The best ways of splitting dice into combinations: their points, and the traits that they can have."""

    points: int
    parts: frozenset[Traits]


class Combinations(NamedTuple):
    """Everything that counts on its own, by its sorted dice. `best` caches the splits of other dice."""

    by_dice: Mapping[Dice, Split]
    best: dict[Dice, Split | None]


@lru_cache(maxsize=64)
def find_combinations(ruleset: Ruleset) -> Combinations:
    """Return every combination of a ruleset with its points. 0 points is no combination."""
    splits_by_dice: dict[Dice, list[Split]] = defaultdict(list)
    for kind, dice, points in _list_combinations(ruleset):
        if points:
            size = len(dice)
            traits = Traits(
                kind in ruleset.confirm,
                size == 1 and ruleset.confirm_by == "single",
                size > 2 and ruleset.entry_needs == "set",
                dice if kind == "of_a_kind" and ruleset.sets_grow == "of_a_kind" else (),
            )
            splits_by_dice[dice].append(Split(points, frozenset([traits])))
    return Combinations({dice: best for dice, splits in splits_by_dice.items() if (best := merge_best(splits))}, {})


def _list_combinations(ruleset: Ruleset) -> Iterator[tuple[str, Dice, int]]:
    """Yield the kind, the dice and the points of everything the settings name; 0 points if it does not score."""
    yield from (("singles", (face,), ruleset.singles[face - 1]) for face in FACES)
    yield from (("of_a_kind", (face,) * size, ruleset.points_for(size, face)) for size in KIND_SIZES for face in FACES)
    yield "straights", (1, 2, 3, 4, 5, 6), ruleset.straight
    yield "straights", (1, 2, 3, 4, 5), ruleset.low_straight
    yield "straights", (2, 3, 4, 5, 6), ruleset.high_straight
    groups = [((3, 2), "full_house"), ((2, 2, 2), "three_pairs"), ((3, 3), "two_triplets"), ((4, 2), "four_and_two")]
    if ruleset.four_and_two_is_three_pairs:
        groups.append(((4, 2), "three_pairs"))
    for sizes, setting in groups:
        yield from (("groups", dice, getattr(ruleset, setting)) for dice in dice_in_groups(*sizes))
    for combination in ruleset.combinations:
        yield from (("combinations", dice, points) for dice, points in combination.all_dice().items())


@cache
def dice_in_groups(*sizes: int) -> tuple[Dice, ...]:
    """Return all dice made of groups of equal dice of these sizes, each group with a different face."""
    made = set()
    for faces in permutations(FACES, len(sizes)):
        made.add(tuple(sorted(die for face, size in zip(faces, sizes, strict=True) for die in (face,) * size)))
    return tuple(sorted(made))


def find_best_splits(combos: Combinations, dice: Dice) -> Split | None:
    """Return the best ways of splitting all these dice into combinations; None if there are none."""
    if not dice:
        return _NO_DICE
    if dice not in combos.best:
        splits = []
        for part in list_parts()[dice]:
            # The first die belongs to some combination, so it is enough to try those that begin with it.
            whole = combos.by_dice.get(part) if part[0] == dice[0] else None
            if whole and (more := find_best_splits(combos, without_part(dice, part))):
                traits = frozenset(one.joined(other) for one in whole.parts for other in more.parts)
                splits.append(Split(whole.points + more.points, traits))
        combos.best[dice] = merge_best(splits)
    return combos.best[dice]


_NO_DICE = Split(0, frozenset([Traits()]))


def merge_best(splits: Iterable[Split]) -> Split | None:
    """Return the splits with the most points, merged into one; None if there are none."""
    splits = list(splits)
    points = max((split.points for split in splits), default=None)
    if points is None:
        return None
    return Split(points, frozenset(part for split in splits if split.points == points for part in split.parts))


def without_part(dice: Dice, part: Dice) -> Dice:
    """Return what remains of sorted dice without a part of them."""
    if dice[: len(part)] == part:
        return dice[len(part) :]
    rest = list(dice)
    for die in part:
        rest.remove(die)
    return tuple(rest)


@cache
def list_parts() -> Mapping[Dice, tuple[Dice, ...]]:
    """Return the parts of each throw of up to six dice, sorted, the whole throw among them."""
    # One object for thousands of equal parts.
    shared = {dice: dice for count in range(1, DICE + 1) for dice in combinations_with_replacement(FACES, count)}
    return {
        dice: tuple({shared[part] for count in range(1, len(dice) + 1) for part in combinations(dice, count)})
        for dice in shared
    }
