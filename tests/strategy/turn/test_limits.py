"""The points up to which it pays to throw again."""

from cProfile import Profile
from dataclasses import replace

import pytest

from game.rules import Ruleset, preset
from game.strategy.turn import find_bank_threshold, solve_shot_points
from tests.require import require


def list_limits(ruleset: Ruleset, entered: bool = True) -> list[int | None]:
    return [find_bank_threshold(ruleset, dice, entered) for dice in range(1, 7)]


def test_under_classic_dice_are_thrown_again_below_the_known_points() -> None:
    assert list_limits(preset("classic")) == [300, 250, 450, 1050, 3100, None]


def test_a_player_not_on_the_board_throws_up_to_the_entry_minimum() -> None:
    assert list_limits(preset("classic"), entered=False) == [500, 500, 500, 1050, 3100, None]


def test_a_bank_minimum_and_three_tries_with_the_last_die_count() -> None:
    assert list_limits(preset("farkle"))[:3] == [1200, 500, 550]


def test_where_banks_go_in_steps_the_limit_is_the_first_of_them_that_is_worth_it() -> None:
    rules = replace(preset("pot"), bank_step=200)
    solved = solve_shot_points(rules)
    for dice, limit in enumerate(list_limits(rules), start=1):
        column = solved.graph.kept_columns(dice, entered=True)[0]
        steps = range(200, 5000, 200)
        assert limit == next(
            points for points in steps if solved.bank(column, points) >= solved.throw(column, points, 0)
        )


def test_even_six_dice_are_banked_at_some_point_where_that_is_allowed() -> None:
    assert list_limits(preset("pot"))[5] == 16_000


@pytest.mark.parametrize("slug", ["classic", "pot", "greed"])
def test_throwing_is_better_below_the_limit_and_banking_from_there_on(slug: str) -> None:
    solved = solve_shot_points(preset(slug))
    for dice, limit in enumerate(map(require, list_limits(preset(slug))[:5]), start=1):
        column = solved.graph.plain_column(dice)
        for points in range(50, 20_000, 50):
            assert (solved.throw(column, points, 0) > solved.bank(column, points)) == (points < limit), (dice, points)


def test_dice_that_the_next_player_may_pick_up_are_counted() -> None:
    plain = replace(preset("wikipedia"), pick_up=False)
    assert list_limits(preset("wikipedia"))[3] is None and list_limits(plain)[3] == 1050


def test_rules_of_ones_by_which_nobody_should_bank_take_no_longer_than_others() -> None:
    ruleset = Ruleset(singles=(1, 1, 1, 1, 1, 1), throws_most=3)
    solve_shot_points(ruleset)
    with Profile() as profile:
        assert list_limits(ruleset) == list_limits(ruleset, entered=False) == [None] * 6
    assert sum(entry.callcount for entry in profile.getstats()) < 100_000
