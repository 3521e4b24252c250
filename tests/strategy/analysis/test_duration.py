"""Estimates of how long a game takes."""

from dataclasses import replace

import pytest

from game.rules import PRESETS, preset
from game.services.shipped_rulesets import read_world_tables
from game.strategy.duration import estimate_minutes, estimate_rounds, estimate_turn_points
from game.strategy.turn import solve_shot_points


@pytest.mark.examples
@pytest.mark.parametrize("slug", list(PRESETS))
def test_people_gather_a_little_less_than_the_best_play(slug: str) -> None:
    ruleset = preset(slug)
    assert 0.7 < estimate_turn_points(ruleset) / solve_shot_points(ruleset).expected() < 1


def test_a_fixed_number_of_rounds_is_taken_as_it_is() -> None:
    rounds = replace(preset("classic"), ending="rounds", rounds=10, target_choices=())
    assert (estimate_rounds(rounds), estimate_minutes(rounds, 3)) == (10, 10)


def test_a_larger_target_and_more_players_take_longer() -> None:
    classic, games = preset("classic"), ((5000, 2), (10_000, 2), (10_000, 6))
    minutes = [estimate_minutes(replace(classic, target=target), players) for target, players in games]
    assert minutes == [10, 20, 50]
    assert estimate_minutes(replace(classic, target=1000), 1) == 5


def test_rules_under_which_nothing_scores_have_no_estimate() -> None:
    none = replace(preset("classic"), singles=(0,) * 6, of_a_kind=((0,) * 6,) * 4, straight=0, three_pairs=0)
    assert estimate_rounds(none) is None and estimate_minutes(none, 2) is None


def test_the_tables_of_the_world_take_about_as_long_as_they_say() -> None:
    within = 0
    for table in read_world_tables().values():
        stated = [int(part) for part in table.minutes.replace("–", " ").split()]
        minutes = estimate_minutes(table.ruleset, min(table.ruleset.max_players, 3)) or 0
        within += stated[0] * 0.6 <= minutes <= stated[-1] * 1.4
    assert within >= 0.85 * len(read_world_tables())
