"""Positions for practice: each is stable, playable, and of the kind that was asked for."""

from dataclasses import replace

import pytest

from game.rules import PRESETS, Ruleset, keeps_now, legal_moves, preset
from game.strategy.practice import NoPosition, PositionKind, make_position
from tests.require import require

NAMES = ("You", "Bruno")
NUMBERS = range(40)


def test_where_the_lowest_die_begins_it_is_still_the_first_player_who_chooses() -> None:
    lowest = replace(preset("classic"), first_player="lowest")
    assert all(make_position(lowest, "entry", number, NAMES).player == 0 for number in NUMBERS)


@pytest.mark.examples
@pytest.mark.parametrize("slug", PRESETS)
@pytest.mark.parametrize("kind", ["entry", "late", "keep"])
def test_every_position_is_a_choice_of_the_first_player(slug: str, kind: PositionKind) -> None:
    for number in NUMBERS:
        state = make_position(preset(slug), kind, number, NAMES)
        assert state.player == 0 and len(keeps_now(state)) >= 1 and len(legal_moves(state)) >= 2
        assert require(state.shot).points >= 0 and not state.finished


def test_the_same_number_always_gives_the_same_position() -> None:
    state = make_position(preset("classic"), "keep", 7, NAMES)
    assert state == make_position(preset("classic"), "keep", 7, NAMES)
    assert len({make_position(preset("classic"), "keep", number, NAMES).shot for number in NUMBERS}) > 30


def test_the_player_is_on_the_board_except_in_entry_positions() -> None:
    for number in NUMBERS:
        assert not make_position(preset("pot"), "entry", number, NAMES).players[0].entered
        assert make_position(preset("pot"), "keep", number, NAMES).players[0].entered


def test_late_positions_are_near_the_target_and_some_are_the_last_turn() -> None:
    states = [make_position(preset("pot"), "late", number, NAMES) for number in NUMBERS]
    assert all(max(player.score for player in state.players) >= 7500 for state in states)
    last = [state for state in states if state.final]
    assert 5 < len(last) < 35 and all(state.due == (0,) for state in last)


@pytest.mark.parametrize("kind", ["entry", "late", "keep"])
def test_under_an_exact_target_every_score_can_be_reached(kind: PositionKind) -> None:
    hundreds = replace(
        preset("pot"), singles=(100, 0, 0, 0, 0, 0), exact="bust", tie="shared", entry_minimum=450, bank_minimum=0
    )
    for number in NUMBERS:
        state = make_position(hundreds, kind, number, NAMES)
        assert all(player.score <= state.target and player.score % 100 == 0 for player in state.players)


def test_where_rounds_end_the_game_no_position_is_of_the_last_round() -> None:
    rounds = replace(preset("classic"), ending="rounds", rounds=3, target_choices=())
    states = [make_position(rounds, "late", number, NAMES) for number in NUMBERS]
    assert {state.round for state in states} == {2} and not any(state.final for state in states)


def test_rules_for_one_player_or_for_many_have_positions_too() -> None:
    assert len(make_position(replace(preset("classic"), max_players=1), "keep", 1, NAMES).players) == 1
    many = replace(preset("classic"), min_players=4)
    assert len(make_position(many, "late", 1, NAMES).players) == 4


def test_rules_that_hardly_offer_a_choice_have_positions_too() -> None:
    plain = replace(
        preset("classic"), singles=(100, 0, 0, 0, 0, 0), of_a_kind=((0,) * 6,) * 4, straight=0, three_pairs=0
    )
    assert keeps_now(make_position(plain, "keep", 3, NAMES))


@pytest.mark.parametrize("throws_most", [1, 2])
def test_rules_with_few_throws_in_a_turn_have_positions_too(throws_most: int) -> None:
    short = replace(preset("classic"), throws_most=throws_most, entry_minimum=0)
    assert all(keeps_now(make_position(short, "keep", number, NAMES)) for number in NUMBERS)


def test_rules_under_which_nothing_scores_have_no_positions() -> None:
    with pytest.raises(NoPosition):
        make_position(Ruleset(), "keep", 3, NAMES)
