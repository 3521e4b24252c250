"""What the computer does, and that it always does something that the rules allow."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.rules import (
    PRESETS,
    Bank,
    Entry,
    Manual,
    SetMode,
    Throw,
    Win,
    apply,
    legal_moves,
    new_game,
    preset,
    throw,
)
from game.strategy.computers import COMPUTERS, choose
from tests.rules.playing import rulesets


def facing(dice, ruleset="pot", *before, points=0):
    """A computer with these dice on the table, after some shots with real dice."""
    rules = preset(ruleset) if isinstance(ruleset, str) else ruleset
    state = new_game(replace(rules, entry_minimum=0), [Entry("*HAL"), Entry("Bo")], mode="manual").state
    for shot in before:
        state = apply(state, shot).state
    state = apply(apply(state, SetMode("auto")).state, Throw()).state
    return throw(state, [int(face) for face in dice]).state


def test_it_keeps_everything_that_scores_and_throws_four_dice_or_more():
    assert choose(facing("123446")) == Throw((1,))
    assert choose(facing("152246")) == Throw((1, 5))


def test_it_banks_with_three_dice_or_fewer():
    assert choose(facing("111246")) == Bank((1, 1, 1))
    assert choose(facing("122256")) == Bank((1, 2, 2, 2, 5))


def test_it_throws_six_fresh_dice():
    assert choose(facing("123456")) == Throw((1, 2, 3, 4, 5, 6))


def test_it_throws_on_until_it_has_enough_to_get_in():
    state = throw(apply(new_game(preset("pot"), [Entry("*HAL"), Entry("Bo")]).state, Throw()).state, [1, 1, 5, 2, 3, 4])
    assert choose(state.state) == Throw((1, 1, 5))


def test_it_throws_on_in_a_last_shot_while_it_is_behind():
    behind = facing("111246", "pot", Manual(500), Manual(10_000))
    assert choose(behind) == Throw((1, 1, 1))
    ahead = facing("123446", "pot", Manual(9950), Manual(10_000))
    assert choose(ahead) == Bank((1,))


def test_it_takes_six_equal_dice():
    assert choose(facing("222222", "wikipedia")) == Win((2,) * 6)


@pytest.mark.parametrize(("points", "left", "picks_up"), [(2000, 4, True), (300, 4, False), (1000, 1, False)])
def test_it_picks_up_when_that_is_worth_it(points, left, picks_up):
    state = new_game(preset("wikipedia"), [Entry("*HAL"), Entry("Bo")], mode="manual").state
    for shot in (Manual(1000), Manual(max(points, 550), dice_left=left)):
        state = apply(state, shot).state
    assert choose(replace(state, offer=replace(state.offer, points=points))) == Throw(pick_up=picks_up)


def test_it_says_when_there_is_nothing_to_choose():
    state = apply(new_game(preset("pot"), [Entry("*HAL"), Entry("Bo")]).state, Throw()).state
    with pytest.raises(ValueError, match="nothing to choose"):
        choose(state)


def test_every_computer_is_known_by_its_level():
    assert all(computer.level == level for level, computer in COMPUTERS.items())


@settings(max_examples=40, deadline=None)
@given(rulesets() | st.sampled_from(list(PRESETS.values())), st.integers(0, 2**32))
def test_it_plays_any_rules_and_never_what_they_forbid(ruleset, seed):
    rng = random.Random(seed)
    state = new_game(ruleset, [Entry("*HAL"), Entry("*Eve")]).state
    for _ in range(150):
        if state.finished:
            return
        if state.to_throw:
            state = throw(state, rng.choices(range(1, 7), k=state.to_throw)).state
        else:
            move = choose(state)
            assert move in legal_moves(state)
            state = apply(state, move).state
