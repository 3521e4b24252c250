"""The totals that a turn with real dice can have, compared with every way to throw and keep."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules import Ruleset, keeps, preset
from game.rules.scoring import all_throws, points_gained
from game.rules.totals import can_make, nearest_totals
from tests.examples import try_examples
from tests.rules.playing import rulesets

MOST = 700


def find_totals(ruleset: Ruleset, dice: int) -> set[tuple[int, int]]:
    """Return every (points, dice left) that some turn can bank, up to MOST points, by going through all turns."""
    todo: list[tuple[int, tuple[int, ...], int, int]] = [(dice, (), 0, 0)]
    totals, seen = set(), set()
    while todo:
        left, aside, worth, points = todo.pop()
        for keep in {keep for throw in all_throws(left) for keep in keeps(ruleset, throw, aside, worth)}:
            total, rest = points + points_gained(keep, worth), left - len(keep.dice)
            if keep.wins or total > MOST:
                continue
            if rest or ruleset.sweep == "may_bank":
                totals.add((total, rest or 6))
            matters = rest and ruleset.three_pairs_across_throws
            next_aside = tuple(sorted(aside + keep.dice)) if matters else ()
            after = (rest or 6, next_aside, worth + keep.points if matters else 0, total)
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return totals


def simplify_ruleset(ruleset: Ruleset, across: bool) -> Ruleset:
    """Let few faces score, so that all ways can be gone through, and let three pairs across throws lose no points."""
    return replace(
        ruleset, singles=(100, 0, 0, 0, 50, 0), three_pairs=max(ruleset.three_pairs, 750),
        three_pairs_across_throws=across,
    )  # fmt: skip


@try_examples(6)
@given(rulesets(), st.sampled_from([1, 2, 3, 6, 6]), st.booleans())
def test_a_total_can_be_made_exactly_when_some_turn_makes_it(ruleset: Ruleset, dice: int, across: bool) -> None:
    ruleset = simplify_ruleset(ruleset, across)
    totals = find_totals(ruleset, dice)
    for points in range(0, MOST + 1, 25):
        assert can_make(ruleset, points, dice) == any(total == points for total, _ in totals)
        for left in range(1, 7):
            assert can_make(ruleset, points, dice, left) == ((points, left) in totals)


@pytest.mark.parametrize(("points", "possible"), [(350, True), (75, False), (0, False), (-50, False), (50, True)])
def test_350_can_be_made_and_75_cannot(points: int, possible: bool) -> None:
    assert can_make(preset("classic"), points) == possible


def test_the_nearest_totals_are_offered() -> None:
    assert nearest_totals(preset("classic"), 175) == (150, 200)
    assert nearest_totals(preset("classic"), 20) == (None, 50)
    assert nearest_totals(preset("classic"), -50) == (None, 50)
    assert nearest_totals(preset("classic"), 999_999_990)[0] == 1_000_000


def test_totals_of_many_sweeps_are_exact() -> None:
    only_straight = replace(preset("pot"), singles=(0,) * 6, of_a_kind=((0,) * 6,) * 4, three_pairs=0)
    assert can_make(only_straight, 999_999_000)
    assert not can_make(only_straight, 999_999_500)
    assert not can_make(replace(only_straight, sweep="must_throw"), 1500)


def test_only_hot_dice_at_the_highest_multiplier_count_any_number_of_times() -> None:
    only_straight = replace(preset("pot"), singles=(0,) * 6, of_a_kind=((0,) * 6,) * 4, three_pairs=0)
    tripled = replace(only_straight, sweep_multiplier=3)
    points = [points for points in range(1500, 20_000, 1500) if can_make(tripled, points)]
    assert points == [1500, 1500 + 3000, 1500 + 3000 + 4500, 1500 + 3000 + 2 * 4500, 1500 + 3000 + 3 * 4500]


def test_the_dice_left_must_fit_the_points() -> None:
    assert can_make(preset("wikipedia"), 50, left=5)
    assert not can_make(preset("wikipedia"), 50, left=4)
    assert not can_make(preset("classic"), 1500, left=6)
    assert can_make(preset("wikipedia"), 2000, left=6)


@pytest.mark.parametrize("bonus", [{"nothing": "again", "nothing_bonus": 70}, {"nothing_bonus": 1030}])
def test_a_bonus_of_the_first_throw_is_not_made_after_picking_up_all_dice(bonus: dict[str, Any]) -> None:
    rules = replace(preset("wikipedia"), nothing_when="first_throw", **bonus)
    points = bonus["nothing_bonus"] + 100
    assert can_make(rules, points) and not can_make(rules, points, picked_up=True)
    assert nearest_totals(rules, points, picked_up=True) == (points // 50 * 50, points // 50 * 50 + 50)
    assert can_make(replace(rules, nothing_when="all_dice"), points, picked_up=True)


@pytest.mark.parametrize("bonus", [{"nothing": "again", "nothing_bonus": 70}, {"nothing_bonus": 1030}])
def test_a_bonus_of_the_first_throw_is_made_once(bonus: dict[str, Any]) -> None:
    rules = replace(preset("wikipedia"), nothing_when="first_throw", **bonus)
    points = 2 * bonus["nothing_bonus"] + 100
    assert not can_make(rules, points) and can_make(replace(rules, nothing_when="all_dice"), points)


def test_where_nothing_scores_nothing_can_be_made() -> None:
    empty = replace(preset("pot"), singles=(0,) * 6, of_a_kind=((0,) * 6,) * 4, straight=0, three_pairs=0)
    assert not can_make(empty, 50)
    assert nearest_totals(empty, 50) == (None, None)
