"""The best turn by expected points, compared with the literature, with plain counting, and with its own properties."""

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules import PRESETS, Dice, Keep, Ruleset, State, keeps, preset
from game.rules.play.playable import why_unplayable
from game.rules.scoring import points_gained
from game.strategy.odds import average_points, bust_chance, sweep_chance
from game.strategy.turn import NoBestPlay, ShotPoints, list_options, solve_shot_points
from game.strategy.turn import points as turn_points
from tests.examples import try_examples
from tests.rules.playing import rulesets
from tests.strategy.positions import set_up_choice

ZILCH = Ruleset(
    singles=(100, 0, 0, 0, 50, 0),
    of_a_kind=tuple(tuple(times * points for points in (1000, 200, 300, 400, 500, 600)) for times in (1, 2, 4, 8)),
    straight=1500,
    three_pairs=1500,
    four_and_two_is_three_pairs=True,
    nothing_bonus=500,
    bank_minimum=300,
    bust_streak=3,
    bust_streak_penalty=500,
)


def test_a_turn_of_zilch_brings_the_published_points() -> None:
    assert solve_shot_points(ZILCH).expected() == pytest.approx(620.855, abs=0.0005)


def test_a_turn_of_classic_brings_the_known_points_before_and_after_entering() -> None:
    shot = solve_shot_points(preset("classic"))
    assert shot.expected() == pytest.approx(561.8, abs=0.05)
    assert shot.expected(entered=False) == pytest.approx(537.2, abs=0.05)


@cache
def count_orders(dice: int) -> Counter[Dice]:
    """Return every throw of this many dice, sorted, with the number of orders in which they can fall."""
    return Counter(tuple(sorted(fallen)) for fallen in product(range(1, 7), repeat=dice))


def compute_points(ruleset: Ruleset, minimum: int, stop: int) -> float:
    """Return the expected points by plain recursion; from `stop` points on, a turn is banked as soon as it may be."""

    @cache
    def thrown(left: int, points: int, aside: Dice, aside_points: int) -> float:
        bust, value = 0, 0.0
        for dice, orders in count_orders(left).items():
            best = choices(dice, points, aside, aside_points)
            bust += orders * (best is None)
            value += orders * (best or 0)
        tries = ruleset.last_die_throws if left == 1 else 1
        miss = bust / 6**left
        return float(value / 6**left * sum(miss**k for k in range(tries)))

    @cache
    def choices(dice: Dice, points: int, aside: Dice, aside_points: int) -> float | None:
        options = keeps(ruleset, dice, aside, aside_points)
        return max((worth(dice, keep, points, aside, aside_points) for keep in options), default=None)

    def worth(dice: Dice, keep: Keep, points: int, aside: Dice, aside_points: int) -> float:
        total = points + points_gained(keep, aside_points)
        if keep.wins:
            return total + ruleset.target
        left = len(dice) - len(keep.dice)
        banks = total >= minimum and (left or ruleset.sweep == "may_bank")
        if banks and total >= stop:
            return total
        if total >= 3 * stop:
            return 0
        here = (
            (left, total, tuple(sorted(aside + keep.dice)), aside_points + keep.points) if left else (6, total, (), 0)
        )
        return max(total if banks else 0, thrown(*here))

    return thrown(6, 0, (), 0)


ROUGH = Ruleset(
    singles=(100, 0, 0, 0, 200, 0),
    of_a_kind=((300, 100, 100, 100, 600, 100), *((0,) * 6 for _ in range(3))),
    three_pairs=800,
    bank_minimum=250,
    entry_minimum=600,
)


@pytest.mark.examples
@pytest.mark.parametrize(
    "changes",
    [{}, {"last_die_throws": 3}, {"three_pairs_across_throws": True}, {"six_of_a_kind_wins": True}],
    ids=["plain", "three tries", "across throws", "a win at once"],
)
@pytest.mark.parametrize("entered", [True, False])
def test_the_expected_points_are_those_of_plain_counting(changes: dict[str, Any], entered: bool) -> None:
    ruleset = replace(ROUGH, **changes)
    minimum = ruleset.bank_minimum if entered else ruleset.entry_minimum
    counted = compute_points(ruleset, minimum, 2500)
    exact = solve_shot_points(ruleset).expected(entered)
    assert counted - 1e-9 <= exact == pytest.approx(counted, rel=0.003)


@try_examples(6)
@given(rulesets(), st.booleans())
def test_under_any_rules_a_throw_is_worth_the_mean_of_its_best_options(ruleset: Ruleset, entered: bool) -> None:
    try:
        shot = solve_shot_points(replace(ruleset, pick_up=False, bust_streak=0, three_pairs_across_throws=False))
    except NoBestPlay:
        return
    kind = shot.kind(entered)
    for points in (about // shot.graph.unit * shot.graph.unit for about in (0, 450, 5000, 250_000)):
        assert average_best(shot, 3, points, entered) == pytest.approx(shot.throw(2, points, kind), rel=1e-9, abs=1e-6)


def average_best(shot: ShotPoints, left: int, points: int, entered: bool) -> float:
    rules, total = shot.graph.ruleset, 0.0
    for dice, falls in count_orders(left).items():
        options = list_options(set_up_choice(rules, dice, points, entered=entered))
        total += falls * (options[0].points if options else shot.rewards.bust[shot.kind(entered)])
    return float(total / 6**left)


def test_a_turn_that_can_go_on_without_risk_has_no_solution() -> None:
    with pytest.raises(NoBestPlay):
        solve_shot_points(Ruleset(singles=(100, 50, 50, 50, 50, 50)))


ODD = Ruleset(singles=(97, 0, 0, 0, 53, 0))


@pytest.mark.examples
@pytest.mark.parametrize(
    "complex_rules",
    [
        replace(ODD, entry_minimum=99_999, sweep_multiplier=6),
        replace(ODD, bust_streak=100, bust_streak_penalty=1000, entry_minimum=9999),
        replace(
            ROUGH,
            of_a_kind=((210, 220, 230, 240, 250, 260), *ROUGH.of_a_kind[1:]),
            confirm=("of_a_kind",),
            confirm_by=3000,
        ),
        replace(
            preset("classic"),
            singles=(100, 1, 0, 0, 50, 0),
            of_a_kind=(*preset("classic").of_a_kind[:3], (0, 0, 0, 0, 0, 100_000)),
            sets_grow="of_a_kind",
        ),
        replace(preset("classic"), singles=(100, 1, 0, 0, 50, 0), three_pairs_across_throws=True),
        Ruleset(singles=(1, 1, 0, 0, 0, 0), bank_step=1, throws_most=3, sweep="must_throw", pick_up=True),
    ],
    ids=[
        *("many points", "many busts in a row", "many points to prove", "fine and large points", "many choices"),
        "many throws, each for every point",
    ],
)
def test_a_turn_that_would_take_minutes_and_gigabytes_has_no_solution(complex_rules: Ruleset) -> None:
    assert why_unplayable(complex_rules) is None
    with pytest.raises(NoBestPlay, match="too many ways"):
        solve_shot_points(complex_rules)


@pytest.mark.parametrize(
    ("exact", "missing"),
    [
        (Ruleset(singles=(1, 0, 0, 0, 2, 0), exact="stay", sweep_multiplier=6), 90_000),
        (replace(preset("classic"), singles=(100, 10, 0, 0, 50, 0), exact="stay", tie="shared"), 180_000),
        (replace(preset("classic"), exact="stay", tie="shared"), 10**17),
    ],
    ids=["too large", "too slow for each new score", "more rows than memory has room for"],
)
def test_a_target_that_makes_a_turn_too_complex_counts_as_far_away(exact: Ruleset, missing: int) -> None:
    assert solve_shot_points(exact, missing=missing) is solve_shot_points(exact)


def test_large_solved_turns_are_cached_within_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_points, "CACHED_MOST", solve_shot_points(ROUGH).values.size)
    first = solve_shot_points(ROUGH)
    assert solve_shot_points(ROUGH) is first
    solve_shot_points(replace(ROUGH, bank_minimum=300))
    assert solve_shot_points(ROUGH) is not first


def test_dice_set_aside_count_where_they_can_become_three_pairs() -> None:
    spot = set_up_choice(preset("boxcars"), (1, 1, 3, 4), 100, scores=[0], aside=(5, 5), aside_points=100)
    forget = set_up_choice(preset("boxcars"), (1, 1, 3, 4), 100, scores=[0])
    best = {way.keep.dice: way for way in list_options(spot) if way.then == "throw"}
    plainly = {way.keep.dice: way for way in list_options(forget) if way.then == "throw"}
    assert best[(1, 1)].points > plainly[(1, 1)].points
    assert best[(1, 1)].bust == bust_chance(preset("boxcars"), 2, (1, 1, 5, 5)) < plainly[(1, 1)].bust


def test_hot_dice_can_be_banked_only_under_rules_that_allow_it() -> None:
    free, bound = (list_options(set_up_choice(preset(slug), range(1, 7))) for slug in ("pot", "classic"))
    assert ("bank", 1500) in {(way.then, way.total) for way in free}
    assert ("bank", 1500) not in {(way.then, way.total) for way in bound}


def test_under_the_minimum_there_is_no_bank() -> None:
    assert {way.then for way in list_options(set_up_choice(preset("farkle"), (1, 2, 2, 3, 4, 6)))} == {"throw"}
    outside = list_options(set_up_choice(preset("pot"), (1, 1, 1), 200, entered=False))
    assert {way.total: way.then for way in outside if way.then == "bank"} == {1200: "bank"}


def test_six_equal_dice_are_worth_a_whole_game_where_they_win() -> None:
    best = list_options(set_up_choice(preset("wikipedia"), (2,) * 6))[0]
    assert (best.then, best.points) == ("win", 11_600)


def test_each_bust_in_a_row_makes_the_next_one_costlier() -> None:
    shot = solve_shot_points(ZILCH)
    assert shot.expected(streak=0) > shot.expected(streak=1) > shot.expected(streak=2)


def test_a_bank_is_worth_less_by_what_it_leaves_the_next_player() -> None:
    generous, alone = (set_up_choice(preset("wikipedia"), (1, 1, 1, 2, 3, 4), 1000, scores=[0] * n) for n in (2, 1))
    assert find_bank_points(generous) < find_bank_points(alone) == 2000


def test_points_that_no_turn_can_have_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot have 75 points"):
        solve_shot_points(preset("pot")).throw(2, 75, 0)


def find_bank_points(state: State) -> float:
    return next(way.points for way in list_options(state) if way.then == "bank" and len(way.keep.dice) == 3)


@pytest.mark.parametrize(
    ("dice", "points", "better"), [(4, 2000, True), (6, 50, True), (1, 800, False), (2, 50, False)]
)
def test_picking_up_pays_where_dice_are_worth_more_than_fresh_ones(dice: int, points: int, better: bool) -> None:
    solved = solve_shot_points(preset("wikipedia"))
    assert (solved.throw(solved.graph.plain_column(dice), points, 0) > solved.expected()) == better


@pytest.mark.parametrize("slug", PRESETS)
def test_the_sweep_chance_and_average_points_are_those_of_all_throws(slug: str) -> None:
    throws = [keeps(preset(slug), dice) for dice in product(range(1, 7), repeat=4)]
    swept = sum(any(len(keep.dice) == 4 for keep in options) for options in throws)
    assert sweep_chance(preset(slug), 4) == pytest.approx(swept / 1296)
    best = sum(options[0].points for options in throws if options)
    assert average_points(preset(slug), 4) == pytest.approx(best / 1296)
