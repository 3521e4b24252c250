"""Up to how many points it pays to throw again."""

from dataclasses import replace

import pytest

from game.rules import Ruleset, preset
from game.strategy.turn import find_bank_threshold, solve_shot_points
from tests.known import known


def limits(ruleset: Ruleset, entered: bool = True) -> list[int | None]:
    return [find_bank_threshold(ruleset, dice, entered) for dice in range(1, 7)]


def test_classic_is_thrown_again_below_the_known_values() -> None:
    assert limits(preset("classic")) == [300, 250, 450, 1050, 3100, None]


def test_who_is_not_in_throws_up_to_the_entry_minimum() -> None:
    assert limits(preset("classic"), entered=False) == [500, 500, 500, 1050, 3100, None]


def test_a_bank_minimum_and_three_tries_with_the_last_die_count() -> None:
    assert limits(preset("farkle"))[:3] == [1200, 500, 550]


def test_six_dice_are_banked_some_day_where_they_may_be() -> None:
    assert limits(preset("pot"))[5] == 16_000


@pytest.mark.parametrize("slug", ["classic", "pot", "greed"])
def test_with_more_points_banking_stays_the_better(slug: str) -> None:
    solved = solve_shot_points(preset(slug))
    for dice, below in enumerate(limits(preset(slug))[:5], start=1):
        column = solved.graph.column(dice)
        points = range(known(below), known(below) + 3000, 50)
        assert all(solved.bank(column, p) >= solved.throw(column, p, 0) for p in points)


def test_what_the_next_player_may_pick_up_is_counted() -> None:
    plain = replace(preset("wikipedia"), pick_up=False)
    assert limits(preset("wikipedia"))[3] is None and limits(plain)[3] == 1050
