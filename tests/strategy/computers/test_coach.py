"""The coach: what it recommends, for which reason, and that its numbers are those of the tables."""

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules import PRESETS, Ruleset, State, apply, legal_moves, preset
from game.rules.play.state import Offer, alter, with_player
from game.rules.ruleset import TieRule
from game.strategy.coach import (
    Advice,
    PickUpChoice,
    chance_to_reach,
    find_rival,
    give_advice,
    judge_pick_up,
    points_to_pass,
)
from game.strategy.odds import average_points, bust_chance
from game.strategy.turn.graph import build_graph
from game.strategy.win import rate_state
from tests.examples import try_examples
from tests.require import require
from tests.strategy.positions import list_decisions, set_up_throw

LAST: dict[str, Any] = {"final": True, "first": 1}


def find_advice(state: State) -> Advice:
    return give_advice(state, rate_state(state))


def set_up_last_turn(ruleset: Ruleset, dice: str, mine: int, theirs: int, points: int = 0) -> State:
    """The first of two players has the last turn of the game, with these dice on the table."""
    state = with_player(set_up_throw(ruleset, dice, mine, theirs, **LAST), 1, last=True, played=True)
    return alter(state, shot=alter(require(state.shot), points=points))


@pytest.mark.examples
@pytest.mark.parametrize("slug", PRESETS)
@try_examples(15)
@given(seed=st.integers(0, 10_000))
def test_the_recommended_way_is_legal_and_the_first(slug: str, seed: int) -> None:
    for state in list_decisions(preset(slug), random.Random(seed), 3):
        advice, rated = find_advice(state), rate_state(state)
        assert advice.best.option.move in legal_moves(state)
        assert advice.best == rated[0]


@pytest.mark.examples
@pytest.mark.parametrize("slug", PRESETS)
@try_examples(15)
@given(seed=st.integers(0, 10_000))
def test_each_reason_is_true(slug: str, seed: int) -> None:
    for state in list_decisions(preset(slug), random.Random(seed), 3):
        advice, me = find_advice(state), state.players[state.player]
        way, rated = advice.best.option, rate_state(state)
        after = apply(state, way.move).state
        banks = [entry for entry in rated if entry.option.then == "bank"]
        highest = max((state.players[seat].score for seat in state.active if seat != state.player), default=0)
        assert {
            "six": way.then == "win",
            "wins": after.winners == (state.player,),
            "shares": state.player in after.winners and len(after.winners) > 1,
            "ahead": state.final and way.then == "bank" and me.score + way.total > highest,
            "level": state.final and way.then == "bank" and me.score + way.total == highest,
            "behind": state.final and way.then == "throw" and way.total < advice.need,
            "finishing": not state.final and way.then == "bank" and me.score + way.total >= state.target,
            "sweep": way.then == "throw" and len(way.keep.dice) == len(require(state.shot).dice),
            "get_in": not banks and not me.entered and way.total < advice.need == state.ruleset.entry_minimum,
            "minimum": not banks and me.entered and way.total < advice.need == state.ruleset.bank_minimum,
            "only": len(rated) == 1,
            "win": advice.best.win == max(entry.win or 0 for entry in rated),
            "points": way.points == max(entry.option.points for entry in rated),
        }[advice.reason]


def test_a_bank_that_wins_is_recommended_even_where_only_points_are_known() -> None:
    solo = set_up_throw(replace(preset("classic"), min_players=1), "112346", 9900)
    assert (find_advice(solo).reason, find_advice(solo).best.option.then) == ("wins", "bank")


def test_the_only_way_to_go_on_is_said_to_be_the_only_one() -> None:
    advice = find_advice(set_up_throw(replace(preset("pot"), throws_most=1), "122346", 4000, 5000))
    assert (advice.reason, advice.best.option.then, advice.other) == ("only", "bank", None)


def test_of_equal_rivals_the_one_that_has_led_longest_is_to_be_passed() -> None:
    state = with_player(set_up_throw(preset("pot"), "1346", 4000, 9000, 9000), 1, since=7)
    assert [find_rival(with_player(state, 2, since=since)) for since in (5, 8)] == [2, 1]


def test_under_pick_up_a_losing_bank_is_not_recommended_in_the_last_turn() -> None:
    state = set_up_last_turn(preset("wikipedia"), "1146", 9000, 10_000, points=300)
    advice = find_advice(state)
    assert (advice.reason, advice.need, advice.best.option.then) == ("behind", 1050, "throw")
    by_points = max(rate_state(state), key=lambda entry: entry.option.points)
    assert by_points.option.then == "bank"


def test_in_the_last_turn_the_largest_chance_to_pass_is_chosen() -> None:
    state = set_up_last_turn(preset("wikipedia"), "1346", 9000, 10_000, points=900)
    advice = find_advice(state)
    chances = [
        require(chance_to_reach(state.ruleset, entry.option.column, entry.option.total, 1050))
        for entry in rate_state(state)
    ]
    assert advice.chance == max(chances)
    enough = set_up_last_turn(preset("wikipedia"), "1346", 9000, 10_000, points=950)
    assert (find_advice(enough).reason, find_advice(enough).best.option.then) == ("wins", "bank")


def test_the_chance_to_pass_agrees_with_the_chance_to_win_where_that_is_known() -> None:
    state = set_up_last_turn(preset("pot"), "1346", 9000, 10_000, points=300)
    for entry in rate_state(state):
        if entry.option.then == "throw":
            assert chance_to_reach(state.ruleset, entry.option.column, entry.option.total, 1050) == pytest.approx(
                entry.win, abs=1e-7
            )


def test_without_entering_passing_anybody_takes_the_entry_minimum() -> None:
    state = with_player(set_up_last_turn(preset("pot"), "1346", 0, 10_000), 0, entered=False)
    assert points_to_pass(with_player(state, 1, score=200), 1) == 1000


def test_passing_anybody_takes_points_that_may_be_banked() -> None:
    stepped = replace(preset("wikipedia"), bank_step=400)
    assert points_to_pass(set_up_last_turn(stepped, "1346", 9000, 9650), 1) == 800
    assert points_to_pass(set_up_last_turn(stepped, "1346", 9000, 9850), 1) == 1200


def test_the_first_bank_takes_points_that_may_be_banked() -> None:
    """With 350 to get in and banks in steps of 100, nobody gets in with 350."""
    stepped = replace(preset("classic"), entry_minimum=350, bank_step=100)
    advice = find_advice(with_player(set_up_throw(stepped, "333526", 0, 0), 0, entered=False))
    assert (advice.reason, advice.need) == ("get_in", 400)


def test_a_single_die_reaches_a_need_as_often_as_its_faces_score_enough() -> None:
    ruleset = preset("pot")
    assert require(chance_to_reach(ruleset, build_graph(ruleset).plain_column(1), 900, 1000)) > 1 / 6
    assert chance_to_reach(ruleset, build_graph(ruleset).plain_column(1), 950, 1000) == pytest.approx(2 / 6, abs=1e-12)


def test_no_chance_is_given_to_make_the_millions_of_a_game_file() -> None:
    assert chance_to_reach(preset("pot"), 5, 49_999_900, 50_000_000) is None
    assert chance_to_reach(replace(preset("pot"), singles=(100, 1, 0, 0, 50, 0)), 5, 0, 100_000) is None


def test_no_chance_is_given_where_dice_set_aside_matter() -> None:
    assert chance_to_reach(preset("boxcars"), 5, 0, 500) is None


def test_no_chance_is_given_where_banks_go_in_steps() -> None:
    assert chance_to_reach(replace(preset("pot"), bank_step=100), 5, 0, 500) is None


def test_picking_up_is_advised_where_the_dice_are_worth_more_than_six_fresh_ones() -> None:
    def offering(points: int, dice: int) -> PickUpChoice:
        # Extra rounds leave these rules without a table.
        state = set_up_throw(replace(preset("wikipedia"), tie="tied_only"), "112346", 4000, 5000)
        return require(judge_pick_up(alter(state, shot=None, to_throw=0, offer=Offer(1, dice, points))))

    assert offering(2000, 5).takes and not offering(300, 1).takes
    assert offering(300, 1).fresh == offering(2000, 5).fresh > average_points(preset("wikipedia"), 6)


def test_picking_up_is_advised_where_it_gives_the_larger_chance_to_win() -> None:
    state = set_up_throw(preset("wikipedia"), "112346", 4000, 5000)
    good, bad = (
        require(judge_pick_up(alter(state, shot=None, to_throw=0, offer=Offer(1, dice, points))))
        for dice, points in ((5, 2000), (1, 300))
    )
    assert good.by_win and good.takes and not bad.takes
    assert good.fresh == pytest.approx(bad.fresh)
    assert good.taken > good.fresh > bad.taken


def test_in_the_last_turn_picking_up_is_judged_by_the_chance_to_pass() -> None:
    state = set_up_last_turn(preset("wikipedia"), "112346", 9000, 10_000)
    choice = require(judge_pick_up(alter(state, shot=None, to_throw=0, offer=Offer(1, 3, 1000))))
    assert choice.takes and choice.need == 1050
    assert choice.taken == pytest.approx(1 - bust_chance(state.ruleset, 3), abs=1e-12)


def test_a_useless_bank_is_not_recommended_with_others_still_to_play() -> None:
    state = set_up_throw(preset("wikipedia"), "1146", 9000, 10_000, 9500, **LAST)
    state = with_player(alter(state, shot=alter(require(state.shot), points=300)), 1, last=True, played=True)
    assert rate_state(state)[0].option.then == "throw"


@pytest.mark.parametrize(("tie", "then"), [("leader_stands", "throw"), ("shared", "bank"), ("extra_rounds", "bank")])
def test_drawing_level_is_recommended_only_where_a_tie_is_worth_something(tie: TieRule, then: str) -> None:
    state = set_up_last_turn(replace(preset("wikipedia"), tie=tie), "16", 9000, 10_000, points=900)
    assert find_advice(state).best.option.then == then
    assert find_advice(state).reason == {"leader_stands": "behind", "shared": "shares", "extra_rounds": "level"}[tie]


def test_under_an_exact_target_nobody_is_told_to_pass_anybody() -> None:
    exact = replace(preset("pot"), exact="stay", tie="shared")
    state = set_up_last_turn(exact, "1346", 9000, 10_000, points=300)
    assert find_advice(state).reason not in ("behind", "ahead")
    made = set_up_last_turn(exact, "1346", 9000, 10_000, points=900)
    assert find_advice(made).reason == "shares"


def test_a_leader_in_the_last_turn_is_not_told_to_pass_anybody() -> None:
    state = with_player(set_up_last_turn(preset("wikipedia"), "112346", 9000, 7000), 0, last=False)
    choice = judge_pick_up(alter(state, shot=None, to_throw=0, target=7000, offer=Offer(1, 3, 1000)))
    assert require(choice).rival is None
