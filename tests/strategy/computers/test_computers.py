"""The choices of computers: what they do, and that the rules always allow it."""

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules import (
    DEFAULT_LEVEL,
    PRESETS,
    Bank,
    Entry,
    Manual,
    Move,
    Ruleset,
    SetMode,
    State,
    Throw,
    Win,
    apply,
    legal_moves,
    new_game,
    preset,
    throw,
)
from game.rules import LEVELS as LEVELS_OF_THE_RULES
from game.rules.play.state import alter, with_player
from game.rules.ruleset import SweepRule
from game.strategy.computers import COMPUTERS, choose_move
from game.strategy.computers.winning_moves import find_winning_move
from game.strategy.preload import preload_ruleset
from game.strategy.turn import list_options, solve_shot_points
from tests.examples import try_examples
from tests.require import require
from tests.rules.playing import Playing, rulesets


def set_up_throw(dice: Sequence[str], ruleset: str | Ruleset = "pot", *before: Manual) -> State:
    """A computer with these dice on the table, after some turns with real dice."""
    rules = preset(ruleset) if isinstance(ruleset, str) else ruleset
    state = new_game(replace(rules, entry_minimum=0), [Entry("*HAL"), Entry("Bo")], mode="manual").state
    for shot in before:
        state = apply(state, shot).state
    state = apply(apply(state, SetMode("auto")).state, Throw()).state
    return throw(state, [int(face) for face in dice]).state


LEVELS = list(COMPUTERS)


def choose_as(level: str, state: State) -> Move:
    """Return the move of a computer of this level in this state."""
    return choose_move(with_player(state, state.player, level=level))


def test_the_levels_are_those_of_the_rules_and_a_computer_begins_with_the_default() -> None:
    assert list(LEVELS_OF_THE_RULES) == LEVELS
    assert new_game(preset("pot"), [Entry("*HAL"), Entry("Bo")]).state.players[0].level == DEFAULT_LEVEL


@pytest.mark.parametrize("level", LEVELS)
def test_no_level_breaks_up_a_straight(level: str) -> None:
    for points in range(0, 1500, 50):
        state = set_up_throw("123456", "greed")
        state = alter(state, shot=alter(require(state.shot), points=points))
        assert choose_as(level, state).keep == (1, 2, 3, 4, 5, 6)


@pytest.mark.parametrize("level", LEVELS)
def test_a_short_straight_is_kept_as_well(level: str) -> None:
    for dice, run in (("123455", (1, 2, 3, 4, 5)), ("223456", (2, 3, 4, 5, 6))):
        for points in range(0, 1500, 50):
            state = set_up_throw(dice, "boxcars")
            state = alter(state, shot=alter(require(state.shot), points=points))
            assert not {*run} - {*choose_as(level, state).keep}


@pytest.mark.parametrize("level", LEVELS)
def test_no_level_throws_on_in_a_last_turn_that_is_won(level: str) -> None:
    for behind in range(0, 400, 50):
        state = set_up_throw("115246", "pot", Manual(50), Manual(50))
        state = with_player(alter(state, final=True, first=1), 1, score=10_000, last=True)
        state = with_player(state, 0, score=10_000 - behind)
        assert (
            choose_as(level, state) == Bank((1, 1, 5)) if behind < 250 else isinstance(choose_as(level, state), Throw)
        )


@pytest.mark.parametrize("level", LEVELS)
def test_no_level_banks_too_little_in_a_last_turn(level: str) -> None:
    behind = set_up_throw("111246", "pot", Manual(500), Manual(10_000))
    assert isinstance(choose_as(level, behind), Throw)


@pytest.mark.parametrize("level", LEVELS)
def test_no_level_banks_a_tie_that_the_other_player_wins(level: str) -> None:
    assert preset("pot").tie == "leader_stands"
    assert isinstance(choose_as(level, set_up_throw("111246", "pot", Manual(9000), Manual(10_000))), Throw)


@pytest.mark.parametrize("level", LEVELS)
def test_a_player_behind_banks_once_the_target_is_raised_above_all_scores(level: str) -> None:
    behind = set_up_throw("111246", "pot", Manual(500), Manual(10_000))
    assert isinstance(choose_as(level, alter(behind, target=50_000)), Bank)


@pytest.mark.parametrize("level", LEVELS)
def test_a_losing_bank_is_made_where_no_throw_is_left(level: str) -> None:
    rules = replace(preset("pot"), throws_most=1)
    state = set_up_throw("111246", rules, Manual(500), Manual(10_000))
    assert isinstance(choose_as(level, state), Bank)


@pytest.mark.parametrize("level", LEVELS)
def test_a_bank_that_reaches_the_target_and_wins_at_once_is_made(level: str) -> None:
    rules = replace(preset("pot"), ending="at_once")
    assert choose_as(level, set_up_throw("123446", rules, Manual(9900), Manual(9900))) == Bank((1,))


def test_fewer_dice_are_kept_to_bank_a_win_where_hot_dice_must_be_thrown() -> None:
    state = set_up_throw("111555", "classic", Manual(9950), Manual(9950))
    state = with_player(alter(state, final=True, first=1), 1, last=True, played=True)
    state = alter(with_player(state, 1, score=10_000), order=(1, 0))
    assert all(isinstance(choose_as(level, state), Bank) for level in LEVELS)


def test_without_a_table_best_goes_by_points_but_knows_the_end() -> None:
    state = set_up_throw("111246", "wikipedia", Manual(1000, dice_left=2), Manual(10_000))
    assert choose_as("best", state).keep and isinstance(choose_as("best", state), Throw)


def test_the_cost_of_one_decision_has_a_bound() -> None:
    rng, rules = random.Random(3), preset("pot")
    fresh = solve_shot_points(rules).expected()
    for _ in range(300):
        state = set_up_throw(rng.choices("123456", k=6), rules)
        if state.shot is None:
            continue
        points = {way.move: way.points for way in list_options(state)}
        straight = len(set(state.shot.dice)) == 6
        for level, policy in COMPUTERS.items():
            cost = max(points.values()) - points[choose_as(level, state)]
            assert cost <= policy.bound * fresh + 1e-9 or straight


def test_weaker_levels_vary_but_choose_the_same_move_in_the_same_state() -> None:
    rng = random.Random(4)
    shown = [set_up_throw(rng.choices("123456", k=6), "pot", Manual(50 * n)) for n in range(1, 60)]
    shown = [state for state in shown if state.shot]
    exact = [choose_as("best", replace(state, target=20_000)) for state in shown]  # no table for this target
    for level in ("beginner", "careful", "balanced"):
        moves = [choose_as(level, state) for state in shown]
        assert moves == [choose_as(level, state) for state in shown]
        assert moves != exact


def test_a_computer_takes_six_equal_dice_that_win() -> None:
    assert choose_move(set_up_throw("222222", "wikipedia")) == Win((2,) * 6)


@pytest.mark.parametrize(("points", "left", "picks_up"), [(2000, 4, True), (300, 4, False), (1000, 1, False)])
def test_a_computer_picks_up_dice_when_it_is_worth_it(points: int, left: int, picks_up: bool) -> None:
    state = new_game(preset("wikipedia"), [Entry("*HAL"), Entry("Bo")], mode="manual").state
    for shot in (Manual(1000), Manual(max(points, 550), dice_left=left)):
        state = apply(state, shot).state
    state = alter(state, offer=replace(require(state.offer), points=points), mode="auto")
    assert choose_as("bold", state) == choose_as("best", state) == Throw(pick_up=picks_up)


def test_asking_for_a_move_without_a_choice_is_an_error() -> None:
    state = apply(new_game(preset("pot"), [Entry("*HAL"), Entry("Bo")]).state, Throw()).state
    with pytest.raises(ValueError, match="nothing to choose"):
        choose_move(state)


def test_computers_bank_even_where_a_turn_can_go_on_without_risk() -> None:
    sweeps: tuple[SweepRule, ...] = ("may_bank", "must_throw")
    for sweep in sweeps:
        rules = Ruleset(singles=(100, 50, 50, 50, 50, 50), sweep=sweep)
        assert [play_out(rules, level, 5, target=1000) for level in LEVELS] == [2] * len(LEVELS)


def test_computers_play_by_a_rule_of_thumb_until_expected_points_are_solved() -> None:
    rules = replace(preset("pot"), sets_grow="of_a_kind")
    assert choose_as("bold", set_up_throw("111234", rules)) == Bank((1, 1, 1))
    preload_ruleset(replace(rules, entry_minimum=0), rules.target)
    assert choose_as("bold", set_up_throw("111234", rules)) == Throw((1, 1, 1))


def play_out(ruleset: Ruleset, level: str, seed: int, target: int | None = None) -> int:
    """Play a computer against itself, only by legal moves; return the number of turns of the game."""
    rng = random.Random(seed)
    state = new_game(ruleset, [Entry("*HAL", level), Entry("*Eve", level)], target).state
    for _ in range(3000):
        if state.finished:
            return state.shots
        if state.to_throw:
            state = throw(state, rng.choices(range(1, 7), k=state.to_throw)).state
        else:
            move = choose_move(state)
            assert move in legal_moves(state)
            state = apply(state, move).state
    raise AssertionError("The game goes on for ever.")


@pytest.mark.examples(costly=True)
@pytest.mark.parametrize("slug", PRESETS)
@pytest.mark.parametrize("level", LEVELS)
def test_a_game_of_computers_under_the_shipped_rules_comes_to_an_end(slug: str, level: str) -> None:
    assert play_out(preset(slug), level, 6, min(preset(slug).target_choices)) < 300


def simplify_ruleset(ruleset: Ruleset) -> Ruleset:
    """Drop what makes expected points take up to a minute: all dice scoring, pairs across throws, and penalties."""
    streak = 0 if ruleset.pick_up else ruleset.bust_streak
    singles = (*ruleset.singles[:2], 0, 0, 50, 0)
    return replace(ruleset, three_pairs_across_throws=False, bust_streak=streak, singles=singles)


@try_examples(8)
@given(rulesets().map(simplify_ruleset), st.data())
def test_a_computers_move_is_legal_in_any_game_under_any_rules(ruleset: Ruleset, data: st.DataObject) -> None:
    rng = random.Random(data.draw(st.integers(0, 2**32)))
    playing = Playing(ruleset, rng, players=data.draw(st.integers(1, 4)))
    for state in playing.play(60):
        if moves := legal_moves(state):
            move = choose_as(data.draw(st.sampled_from(LEVELS)), state)
            assert move in moves
            assert not find_winning_move(state) or is_winning(state, move)


def is_winning(state: State, move: Move) -> bool:
    after = apply(state, move).state
    return after.finished and after.winners == (state.player,)
