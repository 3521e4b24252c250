"""Chances to win with pick up: every pair of scores with every offer, compared with a second way to solve them."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game.rules import Ruleset, preset
from game.rules.scoring import keeps
from game.strategy.win import WinTable, decode_table, encode_table, make_race, solve_race, store
from game.strategy.win.race_solver import cut_table
from tests.require import require
from tests.strategy.positions import FEW_SCORES

FEW = {
    **FEW_SCORES,
    "combinations": [{"pattern": "AABB", "points": 500}],
    "entry_minimum": 1000,
    "pick_up": True,
    "min_players": 2,
    "target": 1500,
}
SETTINGS: dict[str, dict[str, Any]] = {
    "at once": {"ending": "at_once"},
    "last shots": {},
    "whole rounds": {"ending": "complete_round", "tie": "shared"},
    "by all": {"pick_up_by": "all"},
    "for so many points": {"pick_up_worth": 1000, "pick_up_by": "all", "ending": "at_once"},
    "a minimum": {"sweep": "must_throw", "bank_minimum": 1000},
    "exactly": {"exact": "stay"},
}
# Turns of this many points are banked wherever that is allowed: hardly one in 10^10 has them.
PLENTY = 7000

# The chance to win when throwing a number of dice with a number of points.
Throws = Callable[[int, int], float]


class Counting:
    """The chance to win of the player to move, by plain recursion over turns and scores; None: not entered."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.rules = ruleset
        self.groups = [self.group_throws(count) for count in range(1, ruleset.dice + 1)]
        self.shots: dict[tuple[int | None, int | None, int], Throws] = {}
        self.replies: dict[tuple[int | None, int], Throws] = {}

    def group_throws(self, count: int) -> list[tuple[frozenset[tuple[int, int]], float]]:
        orders: Counter[frozenset[tuple[int, int]]] = Counter()
        for dice in product(range(1, 7), repeat=count):
            orders[frozenset((len(keep.dice), keep.points) for keep in keeps(self.rules, tuple(sorted(dice))))] += 1
        return [(offered, times / 6**count) for offered, times in orders.items()]

    def play(self, score: int, bank: Callable[[int, int], float | None], bust: float) -> Throws:
        """Return the values of a turn. `bank` values a bank by its points and the dice it leaves, None if forbidden."""
        known_throws: dict[tuple[int, int], float] = {}
        exact = self.rules.exact != "no"

        def throws(left: int, points: int) -> float:
            if (left, points) not in known_throws:
                total = 0.0
                for offered, share in self.groups[left - 1]:
                    worths = [follow(left - count, points + gain) for count, gain in offered]
                    fitting = [worth for worth in worths if worth is not None]
                    total += share * max(fitting, default=bust)
                known_throws[left, points] = total
            return known_throws[left, points]

        def follow(left: int, points: int) -> float | None:
            if exact and score + points > self.rules.target:
                return None
            banked = None if left == 0 and self.rules.sweep == "must_throw" else bank(left or self.rules.dice, points)
            if banked is not None and points >= PLENTY:
                return banked
            if points >= 2 * PLENTY:
                return 0.5
            return max(throws(left or self.rules.dice, points), -1.0 if banked is None else banked)

        return throws

    def find_minimum(self, entered: bool) -> int:
        return max(self.rules.bank_minimum if entered else self.rules.entry_minimum, 1)

    def begin(self, throws: Throws, own: int | None, left: int, points: int) -> float:
        """Return the better chance of fresh dice and those on offer."""
        fresh = throws(self.rules.dice, 0)
        may = own is not None or self.rules.pick_up_by == "all"
        worth = points if isinstance(self.rules.pick_up_worth, str) else self.rules.pick_up_worth
        if self.rules.exact != "no" and (own or 0) + worth >= self.rules.target:
            return fresh
        return max(fresh, throws(left, worth)) if may else fresh

    def reply(self, own: int | None, other: int) -> Throws:
        """Return the values of the last turn, against a player who is at the target."""
        if (own, other) not in self.replies:
            tie = 0.5 if self.rules.tie == "shared" else 0.0

            def bank(_left: int, points: int) -> float | None:
                lead = (own or 0) + points - other
                at_target = self.rules.exact != "no" and lead == 0 and own is not None
                if points < self.find_minimum(own is not None) and not at_target:
                    return None
                return 1.0 if lead > 0 else tie if lead == 0 else 0.0

            self.replies[own, other] = self.play(own or 0, bank, 0.0)
        return self.replies[own, other]

    def shot(self, own: int | None, other: int | None, role: int, bust: float) -> Throws:
        def bank(left: int, points: int) -> float | None:
            score = (own or 0) + points
            at_target = self.rules.exact != "no" and score == self.rules.target and own is not None
            if points < self.find_minimum(own is not None) and not at_target:
                return None
            if score < self.rules.target:
                return 1 - self.begin(self.solve(other, score, self.find_next_role(role)), other, left, points)
            if self.rules.ending == "at_once" or (self.rules.ending == "complete_round" and role == 1):
                return 1.0
            return 1 - self.begin(self.reply(other, score), other, left, points)

        return self.play(own or 0, bank, bust)

    def find_next_role(self, role: int) -> int:
        return 1 - role if self.rules.ending == "complete_round" else 0

    def solve(self, own: int | None, other: int | None, role: int) -> Throws:
        """Solve two chances that depend on each other, because a bust hands the dice over, by Steffensen's method."""
        if (own, other, role) not in self.shots:
            fresh = self.rules.dice

            def once_round(bust: float) -> float:
                theirs = 1 - self.shot(own, other, role, bust)(fresh, 0)
                return 1 - self.shot(other, own, self.find_next_role(role), theirs)(fresh, 0)

            bust = 0.5
            for _ in range(50):
                first = once_round(bust)
                second = once_round(first)
                bend = second - 2 * first + bust
                bust, before = (bust - (first - bust) ** 2 / bend if abs(bend) > 1e-15 else second), bust
                if abs(bust - before) < 1e-13:
                    break
            self.shots[own, other, role] = self.shot(own, other, role, bust)
            theirs = 1 - self.shots[own, other, role](fresh, 0)
            self.shots[other, own, self.find_next_role(role)] = self.shot(other, own, self.find_next_role(role), theirs)
        return self.shots[own, other, role]


@pytest.mark.examples
@pytest.mark.parametrize("name", SETTINGS)
def test_the_table_and_every_offer_are_those_of_plain_counting(name: str) -> None:
    ruleset = Ruleset.from_json({**FEW, **SETTINGS[name]})
    table, counting = solve_race(make_race(ruleset, 1500)), Counting(ruleset)
    offers, unit = require(table.offers), table.race.graph.unit
    scores = [None, *range(0, 1500, unit)]
    for role, (mine, own), (theirs, other) in product(range(table.race.roles), enumerate(scores), enumerate(scores)):
        throws = counting.solve(own, other, role)
        fresh = throws(5, 0)
        assert table.chances[role, mine, theirs] == pytest.approx(fresh, abs=1e-9)
        for points, left in product(range(unit, (other or 0) + 1, unit), range(1, 6)):
            gain = offers.read_gains(role, np.array(mine), np.array(theirs), np.array(points // unit))[left - 1]
            assert fresh + gain == pytest.approx(counting.begin(throws, own, left, points), abs=1e-9)


@pytest.fixture(scope="module")
def wikipedia() -> WinTable:
    return solve_race(make_race(replace(preset("wikipedia"), target=900), 900))


def test_a_stored_table_keeps_the_values_of_offers(wikipedia: WinTable) -> None:
    stored = decode_table(preset("wikipedia"), 900, encode_table(wikipedia))
    kept, solved = require(stored.offers), require(wikipedia.offers)
    assert kept.gains * kept.quantum == pytest.approx(solved.gains, abs=4e-5)
    assert stored.endgame.taken == pytest.approx(wikipedia.endgame.taken)


def test_a_memory_mapped_table_says_the_same_even_after_its_file_was_broken(
    wikipedia: WinTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "_mapped", tmp_path)
    stored = encode_table(wikipedia)
    plain = decode_table(preset("wikipedia"), 900, stored)
    for _ in range(2):
        mapped = decode_table(preset("wikipedia"), 900, stored, "table")
        gains = require(mapped.offers).gains
        assert isinstance(gains.base, np.memmap)
        assert (gains == require(plain.offers).gains).all() and require(mapped.offers).quantum == require(
            plain.offers
        ).quantum
        (tmp_path / "table.npy").write_bytes(b"")


def test_the_offers_of_a_smaller_target_are_cut_out_of_a_larger_one(wikipedia: WinTable) -> None:
    race = make_race(preset("wikipedia"), 600)
    cut, solved = cut_table(wikipedia, race.target), solve_race(race)
    assert cut.chances == pytest.approx(solved.chances, abs=1e-7)
    assert require(cut.offers).gains == pytest.approx(require(solved.offers).gains, abs=1e-6)
