"""Which points a whole shot can make at all: for shots with real dice, of which only the total is entered."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from math import gcd
from typing import NamedTuple

from game.rules.ruleset import DICE, Ruleset
from game.rules.scoring import Dice, all_throws, gain, keeps

# Up to here every total is listed; above it they repeat with the smallest sweep.
LISTED = 1_000_000

Sums = dict[int, frozenset[int]]


class Totals(NamedTuple):
    """The totals that can be made: bit n of `bits` is n × `unit` points; `period` units more is possible as well."""

    unit: int
    bits: int
    period: int

    def __contains__(self, points: object) -> bool:
        if not isinstance(points, int) or points <= 0 or points % self.unit:
            return False
        place, most = points // self.unit, LISTED // self.unit
        if place > most and self.period:
            place -= -((most - place) // self.period) * self.period
        return place <= most and bool(self.bits >> place & 1)


def can_make(ruleset: Ruleset, points: int, dice: int = DICE, left: int | None = None) -> bool:
    """Whether throws, keeps and sweeps can make exactly these points, and the shot be banked then.

    It begins with so many dice. `left`: so many dice were not set aside at the end (6 after a sweep); None for any.
    """
    return points in _totals(ruleset, dice, left)


def on_the_way(ruleset: Ruleset) -> Ruleset:
    """The same rules for points that a shot has gathered but does not bank yet: after a sweep, too."""
    return replace(ruleset, sweep="may_bank")


def nearest(ruleset: Ruleset, points: int, dice: int = DICE, left: int | None = None) -> tuple[int | None, int | None]:
    """The totals next below and above these points that can be made; None where there is none up to 1,000,000."""
    unit, bits, _ = _totals(ruleset, dice, left)
    lower = bits & ((1 << -(-points // unit)) - 1) if points > 0 else 0
    place = max(points, 0) // unit + 1
    upper = bits >> place
    below = (lower.bit_length() - 1) * unit if lower else None
    above = (place + (upper & -upper).bit_length() - 1) * unit if upper else None
    return below, above


@lru_cache(maxsize=64)
def _totals(ruleset: Ruleset, dice: int, left: int | None) -> Totals:
    """All totals: sums of any number of sweeps, and of what is kept after the last one."""
    first, fresh = _sums(ruleset, dice), _sums(ruleset, DICE)
    ends = range(1, DICE) if left is None else range(left, left + 1)
    may_bank = ruleset.sweep == "may_bank" and left in (None, DICE)
    unit = gcd(*(points for sums in (first, fresh) for each in sums.values() for points in each)) or 1
    sweeps = _times(_any_sum(fresh[0], unit), first[0], unit)
    bits = sweeps if may_bank else 0
    for end in ends:
        bits |= _times(1, first.get(end, frozenset()), unit)
        bits |= _times(sweeps, fresh.get(end, frozenset()), unit)
    return Totals(unit, bits, min(fresh[0], default=0) // unit)


def _any_sum(parts: frozenset[int], unit: int) -> int:
    """The bits of all sums of any number of these points, 0 included."""
    most = LISTED // unit
    bits = 1
    for points in sorted(parts):
        step = points // unit
        if bits >> step & 1:
            continue
        while step <= most:
            bits |= (bits << step) & ((2 << most) - 1)
            step *= 2
    return bits


def _times(bits: int, parts: frozenset[int], unit: int) -> int:
    """The bits of all sums of one that is set and one of these points."""
    most = LISTED // unit
    sums = 0
    for points in parts:
        sums |= bits << points // unit
    return sums & ((2 << most) - 1)


@lru_cache(maxsize=64)
def _sums(ruleset: Ruleset, dice: int) -> Sums:
    """What can be gathered up to and including the first sweep, by the number of dice that are left (0 is the sweep).

    Which dice were set aside matters only where three pairs may be made across throws.
    """
    across = ruleset.three_pairs_across_throws and dice == DICE
    gathered: dict[int, set[tuple[Dice, int]]] = {left: set() for left in range(dice + 1)}
    gathered[dice].add(((), 0))
    for left in range(dice, 0, -1):
        parts = _parts(ruleset, left, across)
        for aside, points in gathered[left]:
            joins = across and bool(aside)
            for part, worth in parts:
                if not (joins and len(part) == left):
                    gathered[left - len(part)].add((_joined(aside, part) if across else (), points + worth))
            if joins:
                gathered[0] |= _swept(ruleset, left, aside, points)
    gathered[dice].clear()
    return {left: frozenset(points for _, points in each) for left, each in gathered.items()}


def _joined(aside: Dice, part: Dice) -> Dice:
    return tuple(sorted(aside + part))


def _parts(ruleset: Ruleset, most: int, across: bool) -> set[tuple[Dice, int]]:
    """What may be kept of so many dice, with its points; by the number of dice alone unless it matters which."""
    parts = set()
    for count in range(1, most + 1):
        for dice in all_throws(count):
            for keep in keeps(ruleset, dice):
                if keep.dice == dice and not keep.wins:
                    parts.add((dice if across else (0,) * count, keep.points))
    return parts


def _swept(ruleset: Ruleset, left: int, aside: Dice, points: int) -> set[tuple[Dice, int]]:
    """Totals of keeping all the dice that are left: three pairs with those set aside stand where they count more."""
    found: set[tuple[Dice, int]] = set()
    for dice in all_throws(left):
        for keep in keeps(ruleset, dice, aside, points):
            if keep.dice == dice:
                found.add(((), points + gain(keep, points)))
    return found
