"""The points that a whole shot can possibly make, to check shots with real dice when only their total is entered.

Totals are the bits of one big integer, so adding a part to all of them is one shift.
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from math import gcd
from typing import NamedTuple

from game.rules.combinations import Dice
from game.rules.ruleset import DICE, Ruleset
from game.rules.scoring import all_throws, find_effect, keeps, points_gained

# Up to here every total is listed; beyond, they repeat with the period of the smallest sweep.
TOTALS_LISTED = 1_000_000

# More points than anybody ever makes in a shot: what game files and databases can hold.
SHOT_POINTS_MOST = 999_999_999

PointsByDiceLeft = dict[int, frozenset[int]]


class Totals(NamedTuple):
    """The possible totals."""

    unit: int
    """The points that one bit stands for: the greatest common divisor of all that can be kept."""
    bits: int
    """Bit n is set if n units are possible, up to `TOTALS_LISTED` points."""
    period: int
    """From every total, this many units more are possible too: the smallest sweep; 0 if there is none."""

    def __contains__(self, points: object) -> bool:
        """Return whether these points are possible, however many they are."""
        if not isinstance(points, int) or points <= 0 or points % self.unit:
            return False
        place, most = points // self.unit, TOTALS_LISTED // self.unit
        if place > most and self.period:
            place -= -((most - place) // self.period) * self.period
        return place <= most and bool(self.bits >> place & 1)


def can_make(
    ruleset: Ruleset, points: int, dice: int = DICE, left: int | None = None, *, picked_up: bool = False
) -> bool:
    """Return whether throws, keeps and sweeps can make exactly these points, and the shot be banked then.

    `dice`: how many the shot begins with; `picked_up`: the previous player left them. `left`: how many are left at the
    end, all dice after a sweep; None for any.
    """
    return points <= SHOT_POINTS_MOST and points in _find_totals(ruleset, dice, left, picked_up)


def rules_before_bank(ruleset: Ruleset) -> Ruleset:
    """Return the rules as they apply to points gathered but not banked: those may also end with a sweep."""
    return replace(ruleset, sweep="may_bank")


def may_bank_sweep(ruleset: Ruleset, *, at_target: bool) -> bool:
    """Return whether a sweep may ever be banked: it may on a last throw, and if it makes an exact target."""
    return ruleset.sweep == "may_bank" or ruleset.throws_most > 0 or at_target


def nearest_totals(
    ruleset: Ruleset, points: int, dice: int = DICE, left: int | None = None, *, picked_up: bool = False
) -> tuple[int | None, int | None]:
    """Return the nearest possible totals below and above these points, None if there is none up to 1,000,000.

    `dice`, `left` and `picked_up` as in `can_make`.
    """
    unit, bits, _ = _find_totals(ruleset, dice, left, picked_up)
    lower = bits & ((1 << -(-points // unit)) - 1) if points > 0 else 0
    place = max(points, 0) // unit + 1
    upper = bits >> place
    below = (lower.bit_length() - 1) * unit if lower else None
    above = (place + (upper & -upper).bit_length() - 1) * unit if upper else None
    return below, above


@lru_cache(maxsize=64)
def _find_totals(ruleset: Ruleset, dice: int, left: int | None, picked_up: bool) -> Totals:
    """Return all totals: sums of any number of sweeps, and of what is kept after the last one.

    Proofs, the number of throws, entry conditions and forced keeps are ignored: with real dice the players' word
    counts. The first throw after a pick-up is no "first_throw" of `nothing_when`, even with all dice.
    """
    ruleset = replace(ruleset, must_keep="one")
    first, fresh = _sums_to_sweep(ruleset, dice, first=not picked_up), _sums_to_sweep(ruleset, ruleset.dice)
    ends = range(1, ruleset.dice) if left is None else range(left, left + 1)
    may_bank = ruleset.sweep == "may_bank" and left in (None, ruleset.dice)
    bonus = _find_bonus(ruleset)
    unit = gcd(bonus, *(points for sums in (first, fresh) for parts in sums.values() for points in parts)) or 1
    often = frozenset([bonus] if bonus and ruleset.nothing_when == "all_dice" else [])
    begun = _close(1, often, unit) if dice == ruleset.dice else 1
    if dice == ruleset.dice and not picked_up:
        begun |= 1 << bonus // unit
    bits = _sum_to_ends(begun, first, ends, 1, unit)
    sweeps, most = _sum_of_both(begun, first[0], unit), ruleset.sweep_multiplier
    for factor in range(min(2, most), most + 1):
        bits |= sweeps if may_bank else 0
        # Once the multiplier is at its most, any number of sweeps may follow.
        begun = _close(sweeps, _times(often | fresh[0] if factor == most else often, factor), unit)
        bits |= _sum_to_ends(begun, fresh, ends, factor, unit)
        sweeps = _sum_of_both(begun, _times(fresh[0], factor), unit)
    bits |= sweeps if may_bank else 0
    return Totals(unit, bits, min(fresh[0], default=0) * most // unit)


def _find_bonus(ruleset: Ruleset) -> int:
    """Return the points that a throw of nothing adds before it is repeated; 0 if there is no such throw."""
    if ruleset.nothing != "again" or not ruleset.nothing_bonus:
        return 0
    throws = all_throws(ruleset.dice)
    possible = any(not keeps(ruleset, throw) and not find_effect(ruleset, throw) for throw in throws)
    return ruleset.nothing_bonus if possible else 0


def _times(parts: frozenset[int], factor: int) -> frozenset[int]:
    return frozenset(points * factor for points in parts)


def _sum_to_ends(bits: int, sums: PointsByDiceLeft, ends: Iterable[int], factor: int, unit: int) -> int:
    """Return the bits reached from a set bit by what is gathered until one of `ends` is the number of dice left."""
    parts = frozenset(points for end in ends if end for points in sums.get(end, ()))
    return _sum_of_both(bits, _times(parts, factor), unit)


def _close(bits: int, parts: frozenset[int], unit: int) -> int:
    """Return the bits reached from a set bit by adding any number of these points, or none."""
    most = TOTALS_LISTED // unit
    mask, made = (2 << most) - 1, 1
    for points in sorted(parts):
        step = points // unit
        if made >> step & 1:
            continue  # already a sum of smaller parts: adds nothing new
        while step <= most:
            made |= (made << step) & mask
            bits |= (bits << step) & mask
            step *= 2  # once or twice, then up to four times, up to eight times the part
    return bits


def _sum_of_both(bits: int, parts: frozenset[int], unit: int) -> int:
    """Return the bits reached from a set bit by adding exactly one of these points."""
    most = TOTALS_LISTED // unit
    sums = 0
    for points in parts:
        sums |= bits << points // unit
    return sums & ((2 << most) - 1)


@lru_cache(maxsize=64)
def _sums_to_sweep(ruleset: Ruleset, dice: int, *, first: bool = False) -> PointsByDiceLeft:
    """Return what can be gathered up to and including the first sweep, by the dice that are left (0 is the sweep).

    Which dice were set aside matters only if three pairs may span throws, or a set may grow. `first`: at
    the beginning of a shot that was not picked up.
    """
    across = ruleset.three_pairs_across_throws and dice == DICE
    gathered: dict[int, set[tuple[Dice, int]]] = {left: set() for left in range(dice + 1)}
    gathered[dice].add(((), 0))
    for left in range(dice, 0, -1):
        for memory, points in gathered[left]:
            joins = across and bool(memory)
            for kept, worth, growing in _keepable_parts(ruleset, left, () if across else memory, first):
                if not (joins and len(kept) == left):  # else it is one of the sweeps below
                    after = tuple(sorted(memory + kept)) if across else growing
                    gathered[left - len(kept)].add((after, points + worth))
            if joins:
                gathered[0] |= _sweeps_with_aside(ruleset, left, memory, points)
    gathered[dice].clear()  # a shot cannot end with nothing kept
    return {left: frozenset(points for _, points in ways) for left, ways in gathered.items()}


@lru_cache(maxsize=256)
def _keepable_parts(ruleset: Ruleset, dice: int, growing: Dice, first: bool) -> frozenset[tuple[Dice, int, Dice]]:
    """Return what may be kept of some throw of this many dice: the dice, their points, and the set that may grow then.

    The dice are zeros unless it matters which.
    """
    parts = set()
    for throw in all_throws(dice):
        for keep in keeps(ruleset, throw, growing=growing):
            if not keep.wins and (first or not keep.nothing or ruleset.nothing_when == "all_dice"):
                kept = keep.dice if ruleset.three_pairs_across_throws else (0,) * len(keep.dice)
                parts.add((kept, keep.points, keep.growing))
    return frozenset(parts)


def _sweeps_with_aside(ruleset: Ruleset, left: int, aside: Dice, points: int) -> set[tuple[Dice, int]]:
    """Return the totals of keeping all dice that are left, three pairs with those set aside where they count more."""
    totals: set[tuple[Dice, int]] = set()
    for dice in all_throws(left):
        for keep in keeps(ruleset, dice, aside, points):
            if keep.dice == dice:
                totals.add(((), points + points_gained(keep, points)))
    return totals
