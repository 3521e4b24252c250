"""The end of a game is known at every target, whether the ruleset has a table or not."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from game.rules import Bank, Entry, Ruleset, State, Throw, apply, legal_moves, new_game, preset, throw
from game.rules.play.state import alter, with_player
from game.strategy.analysis import analyse_game
from game.strategy.coach import give_advice
from game.strategy.computers import choose_move
from game.strategy.preload import preload_ruleset
from game.strategy.win import TABLE_SOURCES, WinTable, cut_table, find_table, prepare_table, rate_state, solve_race
from game.strategy.win.race import make_race
from tests.require import require
from tests.rules.playing import Playing
from tests.strategy.positions import TINY, set_up_throw

WON = [("greed", 7000), ("classic", 7000), ("wikipedia", 10_000), ("boxcars", 10_000), ("pot", 20_000)]


def set_up_win(ruleset: Ruleset, target: int, other: int) -> State:
    """A computer is 200 points short of the target and has thrown two ones."""
    players = [Entry("*HAL", "best"), Entry("Bo")]
    state = new_game(replace(ruleset, first_player="seat_order"), players, target).state
    state = with_player(state, 0, score=target - 200, entered=True)
    state = apply(alter(with_player(state, 1, score=other, entered=True)), Throw()).state
    return throw(state, (1, 1, 2, 3, 4, 6)).state


@pytest.mark.examples
@pytest.mark.parametrize(("slug", "smaller"), [("classic", 5000), ("farkle", 5000), ("pot", 5000)])
def test_the_table_of_a_smaller_target_is_cut_out_of_a_larger_one(slug: str, smaller: int) -> None:
    ruleset = preset(slug)
    solved = require(find_table(ruleset, smaller))
    cut = cut_table(require(find_table(ruleset, 10_000)), solved.race.target)
    assert np.abs(cut.chances - solved.chances).max() < 2e-7  # both are stored as four-byte floats


def test_a_cut_table_has_the_same_chances_as_a_solved_one_of_its_target() -> None:
    race = make_race(TINY, 6000)
    cut = cut_table(solve_race(race), make_race(TINY, 3000).target)
    assert cut.chances == pytest.approx(solve_race(make_race(TINY, 3000)).chances, abs=1e-7)


@pytest.mark.parametrize(
    ("larger", "step"),
    [(replace(TINY, nothing_cost=500, ending="at_once"), 1), (replace(TINY, pick_up=True, target=10_000), 5)],
    ids=["busts cost points", "dice are picked up, and the larger table is a coarse grid"],
)
def test_no_table_is_cut_for_a_smaller_target_where_too_little_is_known(larger: Ruleset, step: int) -> None:
    def source(ruleset: Ruleset, target: int) -> WinTable | None:
        is_larger = (ruleset, target) == (larger, larger.target)
        return solve_race(make_race(ruleset, target), step=step) if is_larger else None

    TABLE_SOURCES.append(source)
    try:
        assert find_table(larger, larger.target) and prepare_table(larger, larger.target - 500) is None
    finally:
        TABLE_SOURCES.remove(source)


def test_a_target_above_all_solved_ones_has_no_table() -> None:
    assert prepare_table(preset("pot"), 20_000) is None


@pytest.mark.examples
@pytest.mark.parametrize(("slug", "target"), WON)
def test_a_winning_bank_is_made_and_advised(slug: str, target: int) -> None:
    state = set_up_win(preset(slug), target, other=800)
    preload_ruleset(state.ruleset, target)
    assert choose_move(state) == Bank((1, 1))
    advice = give_advice(state, rate_state(state))
    assert (advice.best.option.move, advice.reason) == (Bank((1, 1)), "finishing")
    assert require(advice.best.win) > 0.999


@pytest.mark.examples
@pytest.mark.parametrize(("slug", "target"), [("classic", 2000), ("greed", 3000), ("farkle", 3000)])
def test_at_any_target_below_a_solved_one_the_chance_to_win_is_exact(slug: str, target: int) -> None:
    state = set_up_win(preset(slug), target, other=800)
    preload_ruleset(state.ruleset, target)
    assert all(0 < require(entry.win) < 1 and not entry.estimate for entry in rate_state(state))


@pytest.mark.examples
@pytest.mark.parametrize("slug", ["wikipedia", "boxcars"])
@pytest.mark.parametrize("seed", range(3))
def test_a_review_blames_no_player_who_always_chose_the_best_dice(slug: str, seed: int) -> None:
    game = Playing(preset(slug), Random(seed), 2)
    while not game.state.finished:
        rated = rate_state(game.state)
        game.move(rated[0].option.move if rated else legal_moves(game.state)[0])
    choices = [decision for decision in analyse_game(game.record).decisions if decision.dice]
    assert {decision.mark for decision in choices} <= {"", "!"}
    assert {decision.loss for decision in choices} == {0}


@pytest.mark.parametrize(("slug", "target"), [("pot", 20_000), ("wikipedia", 10_000), ("boxcars", 10_000)])
def test_without_a_table_the_last_turn_is_played_to_pass_the_leader(slug: str, target: int) -> None:
    state = set_up_throw(preset(slug), "1146", target - 1000, target, final=True, first=1)
    state = with_player(alter(state, target=target), 1, last=True, played=True)
    for points, then, reason in ((300, "throw", "behind"), (900, "bank", "wins")):
        held = alter(state, shot=alter(require(state.shot), points=points))
        best = give_advice(held, rate_state(held))
        assert (best.best.option.then, best.reason) == (then, reason)
        assert require(best.best.win) < 0.5 if then == "throw" else best.best.win == 1


def test_a_single_player_is_told_to_bank_the_points_that_reach_the_target() -> None:
    solo = set_up_throw(replace(preset("classic"), min_players=1), "112346", 9800)
    best, *others = rate_state(solo)
    assert (best.option.move, best.win) == (Bank((1, 1)), 1)
    assert all(require(entry.win) < 1 for entry in others)


def test_without_a_table_options_far_from_the_end_are_rated_by_points() -> None:
    rated = rate_state(set_up_throw(replace(preset("wikipedia"), tie="tied_only"), "115234", 4000, 5000))
    assert all(entry.win is None for entry in rated)
    assert [entry.option.points for entry in rated] == sorted((entry.option.points for entry in rated), reverse=True)
