"""The values of the choices in a game as it stands."""

import random
from dataclasses import replace
from typing import Any

import pytest

from game.rules import (
    PRESETS,
    Entry,
    Join,
    Manual,
    SetTarget,
    Win,
    apply,
    keeps_now,
    legal_moves,
    new_game,
    preset,
    throw,
)
from game.rules.play.state import with_player
from game.strategy.win import (
    ScoreSituation,
    SeatScore,
    find_table,
    make_race,
    make_score_situation,
    rate_state,
    solve_shot_chances,
)
from tests.require import require
from tests.strategy.positions import set_up_choice, set_up_throw

POINTS = {slug: replace(ruleset, min_players=1, pick_up=False) for slug, ruleset in PRESETS.items()}


@pytest.mark.parametrize("slug", PRESETS)
def test_the_rated_options_are_exactly_the_legal_moves(slug: str) -> None:
    rng = random.Random(5)
    state = new_game(POINTS[slug], [Entry("Ann"), Entry("Bo")]).state
    for _ in range(60):
        if state.finished:
            break
        if state.to_throw:
            state = throw(state, rng.choices(range(1, 7), k=state.to_throw)).state
            continue
        moves = legal_moves(state)
        if keeps_now(state):
            assert {entry.option.move for entry in rate_state(state)} == set(moves)
        state = apply(state, rng.choice(moves)).state


def test_without_a_choice_of_dice_nothing_is_rated() -> None:
    assert rate_state(new_game(preset("pot"), [Entry("Ann"), Entry("Bo")]).state) == ()


def test_two_players_are_rated_by_chance_to_win_and_one_by_points() -> None:
    assert all(0 < require(entry.win) < 1 for entry in rate_state(set_up_throw(preset("pot"), "115234", 4000, 5000)))
    assert all(entry.win is None for entry in rate_state(set_up_throw(preset("classic"), "115234", 4000)))


def test_a_target_without_a_table_is_rated_by_points() -> None:
    state = apply(set_up_throw(preset("pot"), "115234", 4000, 5000), SetTarget(20_000)).state
    assert all(entry.win is None for entry in rate_state(state))


def test_a_player_who_joins_in_the_middle_of_a_round_has_no_turn_of_it_left() -> None:
    ruleset = replace(preset("classic"), slug="own", ending="rounds", rounds=3, target_choices=())
    begun = apply(new_game(ruleset, [Entry("Ana"), Entry("Bo")], mode="manual").state, Manual(500)).state
    seats = make_score_situation(apply(begun, Join("Cy")).state).seats
    assert [seat.left for seat in seats] == [3, 2, 2]


def test_only_those_who_play_off_a_tie_are_opponents_in_it() -> None:
    rules = replace(preset("classic"), tie="tied_only")
    state = set_up_throw(rules, "111246", 10_500, 10_500, 9_000, final=True, extra=1, tied=(0, 1))
    assert [seat.score for seat in make_score_situation(state).seats] == [10_500, 10_500]


def test_in_the_last_turn_only_overtaking_counts() -> None:
    last: dict[str, Any] = {"final": True, "first": 1}
    state = set_up_throw(preset("pot"), "111234", 9500, 10_000, **last)
    state = with_player(state, 1, last=True)
    best = rate_state(state)[0]
    assert (best.option.then, best.win) == ("bank", 1)
    behind = with_player(set_up_throw(preset("pot"), "111234", 8500, 10_000, **last), 1, last=True)
    assert rate_state(behind)[0].option.then == "throw"


def test_the_chances_against_each_opponent_alone_make_the_estimate_against_all() -> None:
    table, me = require(find_table(preset("pot"), 10_000)), SeatScore(4000, entered=True)
    others = SeatScore(3000, entered=True), SeatScore(6000, entered=True)
    alone = [solve_shot_chances(table, ScoreSituation((me, other))).bank(None, 4500) for other in others]
    together = solve_shot_chances(table, ScoreSituation((me, *others)))
    assert together.estimate
    assert 1 / together.bank(None, 4500) - 1 == pytest.approx(sum(1 / chance - 1 for chance in alone))


@pytest.mark.parametrize("more", [{}, {"final": True, "first": 1}], ids=["before the last turn", "in the last turn"])
def test_at_the_end_of_a_game_without_a_table_chances_are_estimates(more: dict[str, Any]) -> None:
    rated = rate_state(set_up_throw(replace(preset("wikipedia"), tie="tied_only"), "111246", 9500, 10_000, **more))
    assert {entry.estimate for entry in rated if 0 < require(entry.win) < 1} == {True}


@pytest.mark.parametrize(("slug", "players"), [("classic", 2), ("classic", 3), ("pot", 2)])
def test_the_millions_of_a_game_file_take_no_longer_than_a_safe_lead(slug: str, players: int) -> None:
    ruleset, millions = preset(slug), 50_000_000
    table, others = require(find_table(ruleset, ruleset.target)), [0] * (players - 2)
    for mine, theirs, points in ((1000, 1000, millions), (1000, millions, 0), (millions, 1000, 0)):
        state = set_up_choice(ruleset, (1, 1, 2, 3, 4, 6), points, scores=(mine, theirs, *others))
        shot = solve_shot_chances(table, make_score_situation(state), mine + points + 200)
        assert len(shot.values) < 6000
        best = rate_state(state)[0]
        assert require(best.win) == pytest.approx(float(theirs < millions), abs=1e-6)


def test_six_equal_dice_are_taken_where_they_win() -> None:
    assert rate_state(set_up_throw(preset("wikipedia"), "444444", 4000, 5000))[0].option.move == Win((4,) * 6)


def test_options_are_rated_by_points_where_busts_in_a_row_cost_points() -> None:
    ruleset = replace(preset("greed"), bust_streak=3, bust_streak_penalty=500)
    state = with_player(set_up_throw(ruleset, "115234", 4000, 5000), 0, streak=2)
    rated = rate_state(state)
    assert find_table(ruleset, ruleset.target) is None
    assert all(entry.win is None for entry in rated)
    assert [entry.option.points for entry in rated] == sorted((entry.option.points for entry in rated), reverse=True)
    safe = rate_state(with_player(state, 0, streak=0))
    thrown = {entry.option.keep.dice: entry.option.points for entry in rated if entry.option.then == "throw"}
    assert all(entry.option.points > thrown[entry.option.keep.dice] for entry in safe if entry.option.then == "throw")


def test_busts_in_a_row_that_cost_nothing_leave_the_rules_solvable() -> None:
    ruleset = replace(preset("greed"), bust_streak=3)
    assert find_table(ruleset, ruleset.target) is None  # not solved, because nobody has asked
    assert make_race(ruleset, ruleset.target)
