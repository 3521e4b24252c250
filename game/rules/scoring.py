"""Which dice of a throw may be kept, and what they are worth.

A keep is a non-empty part of the dice just thrown in which every die belongs to a combination. Its points are those of
the best way of splitting it into combinations.
"""

from collections.abc import Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import TypeVar

from game.rules.combinations import FACES, Combination, Dice, contains
from game.rules.ruleset import DICE, Ruleset
from game.rules.splits import (
    Combinations,
    Split,
    Traits,
    find_best_splits,
    find_combinations,
    list_parts,
    merge_best,
    without_part,
)

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
    """They make three pairs with dice set aside before, and `points` replace the points of those."""
    unproved: bool = field(default=False, compare=False)
    """However they are split for these points, something in the split has to be proved."""
    single: bool = field(default=False, compare=False)
    """Such a split can contain a single die, which proves what was open. Known only if the ruleset needs it."""
    has_set: bool = field(default=False, compare=False)
    """Such a split can contain a combination of three or more dice. Known only if the ruleset needs it."""
    growing: Dice = field(default=(), compare=False)
    """The set among the dice aside, with these, that dice of later throws may join."""
    nothing: bool = field(default=False, compare=False)
    """All dice of a throw without any combination, for the bonus."""


def check_dice(dice: Sequence[int], most: int = DICE) -> Dice:
    """Return the dice sorted. Raises `ValueError` unless they are 1 to `most` faces from 1 to 6."""
    if not 1 <= len(dice) <= most:
        raise ValueError(f"A throw has 1 to {most} dice, not {len(dice)}.")
    if not _FACES.issuperset(dice):
        wrong = next(die for die in dice if die not in _FACES)
        raise ValueError(f"{str(wrong)[:40]} is not a face of a die.")
    return tuple(sorted(dice))


def keeps(
    ruleset: Ruleset,
    dice: Sequence[int],
    aside: Sequence[int] = (),
    aside_points: int | None = None,
    *,
    growing: Dice = (),
    singles_only: bool = False,
    factor: int = 1,
) -> tuple[Keep, ...]:
    """Return all keeps of a throw, highest points first, then by dice. A throw without any is a bust or thrown again.

    `aside` are the dice set aside since the last sweep, `aside_points` what they counted (by default the most that they
    can). Both matter only where three pairs may be made across throws. `growing`: the set among them that may grow.
    `singles_only`: no combination counts. `factor`: multiplies the points. Raises `ValueError` for an invalid throw.
    """
    if growing or singles_only or factor > 1:
        table = _special_keeps(ruleset, growing, singles_only, factor)
    else:
        # The ruleset itself holds its table once there is one, because a lookup by hash takes longer than the rest.
        table = ruleset.__dict__.get("_keeps") or ruleset.__dict__.setdefault("_keeps", _keeps_by_throw(ruleset))
    # Sorted dice need neither sorting nor a check: either they are a key of the table, or they are no throw.
    own = table.get(tuple(dice))
    if own is None:
        own = table[check_dice(dice, ruleset.dice)]
    if singles_only or not (aside and ruleset.three_pairs_across_throws):
        return own
    if len(dice) + len(aside) > DICE:
        raise ValueError(f"There are {DICE} dice, those set aside included.")
    aside = check_dice(aside)
    if aside_points is None:
        split = find_best_splits(find_combinations(ruleset), aside)
        aside_points = split.points * factor if split else 0
    return _keeps_with_aside(ruleset, own, tuple(sorted(dice)), aside, aside_points, factor)


def find_effect(ruleset: Ruleset, dice: Sequence[int]) -> Combination | None:
    """Return the combination by which a throw eliminates its player, else the costliest bust in it, or None."""
    return _effects_by_throw(ruleset).get(tuple(sorted(dice))) if ruleset.combinations else None


def best_points(ruleset: Ruleset, dice: Sequence[int]) -> int | None:
    """Return the points of keeping exactly these dice of one throw, at best; None if a die adds nothing."""
    dice = check_dice(dice, ruleset.dice)
    return next((keep.points for keep in _keeps_by_throw(ruleset)[dice] if keep.dice == dice), None)


def points_gained(keep: Keep, aside_points: int) -> int:
    """Return what a keep adds to the points of the shot. `aside_points`: what the dice aside counted."""
    return keep.points - aside_points if keep.with_aside else keep.points


def dice_left(thrown: Sized, kept: Sized, fresh: int = DICE) -> int:
    """Return how many dice are thrown next, or left to pick up, once `kept` of the `thrown` dice are set aside.

    After a sweep none would be left, so `fresh` is returned: the number of all dice.
    """
    return len(thrown) - len(kept) or fresh


def set_aside(aside: tuple[T, ...], thrown: Sized, kept: Sequence[T]) -> tuple[T, ...]:
    """Return the dice set aside since the last sweep, once `kept` of the `thrown` dice join those `aside`.

    After a sweep there are none. Dice may be given as faces, columns, or anything else that identifies them.
    """
    return () if len(kept) == len(thrown) else (*aside, *kept)


def all_throws(count: int) -> Iterator[Dice]:
    """Return every throw of this many dice once, sorted."""
    return combinations_with_replacement(FACES, count)


def _keeps_with_aside(
    ruleset: Ruleset, own: tuple[Keep, ...], dice: Dice, aside: Dice, aside_points: int, factor: int
) -> tuple[Keep, ...]:
    """Return the keeps of a throw, with three pairs across throws if they count more than the dice alone."""
    if len(dice) + len(aside) != DICE or not _is_three_pairs(ruleset, tuple(sorted(dice + aside))):
        return own
    points = ruleset.three_pairs * factor
    better = any(keep.dice == dice and (keep.wins or keep.points + aside_points >= points) for keep in own)
    if better or find_effect(ruleset, dice):
        return own
    across = Keep(dice, points, with_aside=True, unproved="groups" in ruleset.confirm, has_set=True)
    return _offer_keeps(ruleset, [across, *(keep for keep in own if keep.dice != dice)])


def _is_three_pairs(ruleset: Ruleset, dice: Dice) -> bool:
    counts = sorted(dice.count(face) for face in set(dice))
    allowed = counts == [2, 2, 2] or (counts == [2, 4] and ruleset.four_and_two_is_three_pairs)
    return allowed and ruleset.three_pairs > 0


@lru_cache(maxsize=64)
def _keeps_by_throw(
    ruleset: Ruleset, growing: Dice = (), singles_only: bool = False
) -> Mapping[Dice, tuple[Keep, ...]]:
    """Return the keeps of every throw of one to all dice (923 throws with six dice), by its sorted dice."""
    parts, effects = list_parts(), _effects_by_throw(ruleset)
    most = ruleset.dice - len(growing)
    combos = find_combinations(ruleset)
    alone = combos
    if singles_only or ruleset.sets_need_all_dice:
        alone = Combinations({dice: split for dice, split in combos.by_dice.items() if len(dice) == 1}, {})
    throws = [dice for dice in parts if len(dice) <= most]
    whole = {dice: _keep_of_all(ruleset, dice, alone, growing) for dice in throws}
    of_all_dice = whole
    if alone is not combos and not singles_only:
        of_all_dice = {dice: _keep_of_all(ruleset, dice, combos, growing) for dice in throws}
    table = {}
    for dice in throws:
        of_all = len(dice) == ruleset.dice
        made = of_all_dice if of_all else whole
        offered = [] if dice in effects else [keep for part in parts[dice] if (keep := made[part]) is not None]
        if not offered and of_all and ruleset.nothing_bonus and ruleset.nothing == "sweep" and dice not in effects:
            offered = [Keep(dice, ruleset.nothing_bonus, nothing=True)]
        table[dice] = _offer_keeps(ruleset, offered)
    return table


@lru_cache(maxsize=256)
def _special_keeps(ruleset: Ruleset, growing: Dice, singles_only: bool, factor: int) -> Mapping[Dice, tuple[Keep, ...]]:
    """Return the same as `_keeps_by_throw`, with points multiplied by `factor`."""
    table = _keeps_by_throw(ruleset, growing, singles_only)
    if factor == 1:
        return table
    single = {id(keep): keep for offered in table.values() for keep in offered}
    multiplied = {place: replace(keep, points=keep.points * factor) for place, keep in single.items()}
    return {dice: tuple(multiplied[id(keep)] for keep in offered) for dice, offered in table.items()}


@lru_cache(maxsize=64)
def _effects_by_throw(ruleset: Ruleset) -> Mapping[Dice, Combination]:
    """Return the throws that eliminate or are a bust whatever else they show, each with the combination at fault."""
    effects: dict[Dice, Combination] = {}
    ends = [combination for combination in ruleset.combinations if combination.effect in ("out", "bust")]
    for combination in sorted(ends, key=lambda combination: (combination.effect == "out", combination.cost)):
        for throw in list_parts():
            if any(contains(throw, dice) for dice in combination.all_dice()):
                effects[throw] = combination
    return effects


def _keep_of_all(ruleset: Ruleset, dice: Dice, combos: Combinations, growing: Dice) -> Keep | None:
    """Return the keep of exactly these dice, or None if one of them adds nothing."""
    wins = dice in _winning_dice(ruleset)
    split = find_best_splits(combos, dice)
    if growing:
        split = _best_with_growth(ruleset, combos, dice, growing, split)
    if split is None:
        return Keep(dice, 0, wins=True) if wins else None
    proved = [part for part in split.parts if not part.unproved]
    return Keep(
        dice,
        split.points,
        wins,
        unproved=not proved,
        single=any(part.single for part in proved),
        has_set=any(part.has_set for part in split.parts),
        growing=max((part.growing or growing for part in split.parts), key=len),
    )


def _best_with_growth(
    ruleset: Ruleset, combos: Combinations, dice: Dice, growing: Dice, best: Split | None
) -> Split | None:
    """Return the best splits of these dice, some of which may join the set that grows."""
    face, size = growing[0], len(growing)
    for more in range(1, dice.count(face) + 1):
        points = value_of_growth(ruleset, growing, more)
        rest = find_best_splits(combos, without_part(dice, (face,) * more))
        if points > 0 and rest is not None:
            grown = Traits("of_a_kind" in ruleset.confirm, False, True, (face,) * (size + more))
            split = Split(points + rest.points, frozenset(grown.joined(part) for part in rest.parts))
            best = merge_best([split] if best is None else [best, split])
    return best


def value_of_growth(ruleset: Ruleset, growing: Dice, more: int = 1) -> int:
    """Return what this many dice add when they join a set: the value of the larger set less that of the smaller."""
    return ruleset.points_for(len(growing) + more, growing[0]) - ruleset.points_for(len(growing), growing[0])


@lru_cache(maxsize=64)
def _winning_dice(ruleset: Ruleset) -> frozenset[Dice]:
    """Return all dice that win at once if they, and no others, are kept of one throw."""
    own = [
        dice for combination in ruleset.combinations if combination.effect == "wins" for dice in combination.all_dice()
    ]
    return frozenset(own + [(face,) * DICE for face in FACES if ruleset.six_of_a_kind_wins])


def _offer_keeps(ruleset: Ruleset, choices: Sequence[Keep]) -> tuple[Keep, ...]:
    """Return the keeps, best first; if all dice that score have to be kept, without those that are part of another."""
    if ruleset.must_keep == "all":
        choices = [
            keep
            for keep in choices
            if keep.wins
            or not any(len(keep.dice) < len(more.dice) and contains(more.dice, keep.dice) for more in choices)
        ]
    return tuple(sorted(choices, key=lambda keep: (-keep.points, keep.dice)))
