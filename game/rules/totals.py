"""Which points a whole shot can make at all: for shots with real dice, of which only the total is entered.

Totals are kept as the bits of one long number, so that adding a part to all of them is one shift.
"""

from dataclasses import replace
from functools import lru_cache
from math import gcd
from typing import NamedTuple

from game.rules.ruleset import DICE, Dice, Ruleset
from game.rules.scoring import all_throws, keeps, points_gained

# Up to here every total is listed; above it they repeat with the smallest sweep.
TOTALS_LISTED = 1_000_000

PointsByDiceLeft = dict[int, frozenset[int]]


class Totals(NamedTuple):
    """The totals that can be made."""

    unit: int
    """The points that one bit stands for: the greatest common divisor of all that can be kept."""
    bits: int
    """Bit n is set if n units can be made, up to `TOTALS_LISTED` points."""
    period: int
    """So many units more can be made from every total as well: the smallest sweep; 0 if there is none."""

    def __contains__(self, points: object) -> bool:
        """Tell whether these points can be made, however many they are."""
        if not isinstance(points, int) or points <= 0 or points % self.unit:
            return False
        place, most = points // self.unit, TOTALS_LISTED // self.unit
        if place > most and self.period:
            place -= -((most - place) // self.period) * self.period
        return place <= most and bool(self.bits >> place & 1)


def can_make(ruleset: Ruleset, points: int, dice: int = DICE, left: int | None = None) -> bool:
    """Tell whether throws, keeps and sweeps can make exactly these points, and the shot be banked then.

    `dice`: how many the shot begins with. `left`: how many are left at the end, 6 after a sweep; None for any number.
    """
    return points in _find_totals(ruleset, dice, left)


def rules_before_bank(ruleset: Ruleset) -> Ruleset:
    """Return the same rules for points that a shot has gathered but not banked: they may be those of a sweep, too."""
    return replace(ruleset, sweep="may_bank")


def nearest_totals(
    ruleset: Ruleset, points: int, dice: int = DICE, left: int | None = None
) -> tuple[int | None, int | None]:
    """Return the totals next below and above these points, as `can_make` knows them; None if none up to 1,000,000."""
    unit, bits, _ = _find_totals(ruleset, dice, left)
    lower = bits & ((1 << -(-points // unit)) - 1) if points > 0 else 0
    place = max(points, 0) // unit + 1
    upper = bits >> place
    below = (lower.bit_length() - 1) * unit if lower else None
    above = (place + (upper & -upper).bit_length() - 1) * unit if upper else None
    return below, above


@lru_cache(maxsize=64)
def _find_totals(ruleset: Ruleset, dice: int, left: int | None) -> Totals:
    """Return all totals: sums of any number of sweeps, and of what is kept after the last one."""
    first, fresh = _sums_to_sweep(ruleset, dice), _sums_to_sweep(ruleset, DICE)
    ends = range(1, DICE) if left is None else range(left, left + 1)
    may_bank = ruleset.sweep == "may_bank" and left in (None, DICE)
    unit = gcd(*(points for sums in (first, fresh) for parts in sums.values() for points in parts)) or 1
    sweeps = _sum_of_both(_any_sum(fresh[0], unit), first[0], unit)
    bits = sweeps if may_bank else 0
    for end in ends:
        bits |= _sum_of_both(1, first.get(end, frozenset()), unit)
        bits |= _sum_of_both(sweeps, fresh.get(end, frozenset()), unit)
    return Totals(unit, bits, min(fresh[0], default=0) // unit)


def _any_sum(parts: frozenset[int], unit: int) -> int:
    """Return the bits of all sums of any number of these points, 0 included."""
    most = TOTALS_LISTED // unit
    bits = 1
    for points in sorted(parts):
        step = points // unit
        if bits >> step & 1:
            continue  # a sum of smaller parts already: it makes nothing new
        while step <= most:
            bits |= (bits << step) & ((2 << most) - 1)
            step *= 2  # once or twice, then up to four times, up to eight times the part
    return bits


def _sum_of_both(bits: int, parts: frozenset[int], unit: int) -> int:
    """Return the bits of all sums of one that is set and one of these points."""
    most = TOTALS_LISTED // unit
    sums = 0
    for points in parts:
        sums |= bits << points // unit
    return sums & ((2 << most) - 1)


@lru_cache(maxsize=64)
def _sums_to_sweep(ruleset: Ruleset, dice: int) -> PointsByDiceLeft:
    """Return what can be gathered up to and including the first sweep, by the dice that are left (0 is the sweep).

    Which dice were set aside matters only where three pairs may be made across throws.
    """
    across = ruleset.three_pairs_across_throws and dice == DICE
    gathered: dict[int, set[tuple[Dice, int]]] = {left: set() for left in range(dice + 1)}
    gathered[dice].add(((), 0))
    for left in range(dice, 0, -1):
        parts = _keepable_parts(ruleset, left, across)
        for aside, points in gathered[left]:
            joins = across and bool(aside)
            for part, worth in parts:
                if not (joins and len(part) == left):  # else it is one of the sweeps below
                    gathered[left - len(part)].add((tuple(sorted(aside + part)) if across else (), points + worth))
            if joins:
                gathered[0] |= _sweeps_with_aside(ruleset, left, aside, points)
    gathered[dice].clear()  # nothing kept is no end of a shot
    return {left: frozenset(points for _, points in ways) for left, ways in gathered.items()}


def _keepable_parts(ruleset: Ruleset, most: int, across: bool) -> set[tuple[Dice, int]]:
    """Return what may be kept of so many dice, with its points; zeros for the dice unless it matters which."""
    parts = set()
    for count in range(1, most + 1):
        for dice in all_throws(count):
            for keep in keeps(ruleset, dice):
                if keep.dice == dice and not keep.wins:
                    parts.add((dice if across else (0,) * count, keep.points))
    return parts


def _sweeps_with_aside(ruleset: Ruleset, left: int, aside: Dice, points: int) -> set[tuple[Dice, int]]:
    """Return the totals of keeping all dice that are left, three pairs with those set aside where they count more."""
    totals: set[tuple[Dice, int]] = set()
    for dice in all_throws(left):
        for keep in keeps(ruleset, dice, aside, points):
            if keep.dice == dice:
                totals.add(((), points + points_gained(keep, points)))
    return totals
