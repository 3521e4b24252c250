"""A game as the players see it: what they may do, what they are told, and what is refused."""

import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from game.rules import (
    Bank,
    Change,
    Entry,
    Faces,
    Hand,
    IllegalMove,
    Join,
    Manual,
    Move,
    Rename,
    SetMode,
    SetTarget,
    Skip,
    State,
    StepOut,
    Throw,
    Win,
    apply,
    cost_of_bust,
    events,
    keeps_now,
    legal_moves,
    new_game,
    points_needed,
    points_with,
    preset,
    score_after,
    state_from_json,
    state_to_json,
    throw,
    why_not,
    why_not_bank,
)
from game.rules.events import Entered
from game.rules.play.turns import find_begun_round
from tests.require import require

TEN_ROUNDS: dict[str, Any] = {"ending": "rounds", "rounds": 10, "target_choices": ()}


def begin_game(slug: str = "pot", *names: str, **more: Any) -> State:
    return new_game(preset(slug), [Entry(name) for name in names or ("Ana", "Bo")], **more).state


def take_steps(state: State, *steps: Move | Change | str) -> State:
    """Take these steps: moves, changes, and throws, which are written as strings of the dice that fall."""
    for step in steps:
        state = (throw(state, [*map(int, step)]) if isinstance(step, str) else apply(state, step)).state
    return state


def find_refusal(state: State, move: Move | Change) -> IllegalMove:
    refusal = require(why_not(state, move))
    assert str(refusal)
    with pytest.raises(IllegalMove):
        apply(state, move)
    return refusal


def test_a_turn_begins_with_a_throw_of_six_dice() -> None:
    state = begin_game()
    assert legal_moves(state) == (Throw(),)
    assert apply(state, Throw()).state.to_throw == 6


def test_the_choices_after_122245_are_those_of_document_2() -> None:
    state = take_steps(begin_game(), Throw(), "122245")
    assert [keep.points for keep in keeps_now(state)] == [350, 300, 250, 200, 150, 100, 50]
    assert all(isinstance(move, Throw) for move in legal_moves(state))


def test_banking_says_what_is_missing() -> None:
    state = take_steps(begin_game(), Throw(), "122245")
    refusal = find_refusal(state, Bank((1, 2, 2, 2, 5)))
    assert (refusal.code, refusal.data) == ("entry_minimum", {"need": 1000, "have": 350})
    assert points_needed(state) == 1000


def test_a_minimum_between_two_steps_of_banks_means_the_higher_one() -> None:
    stepped = replace(preset("pot"), entry_minimum=350, bank_minimum=250, bank_step=100)
    start = new_game(stepped, [Entry("Ana"), Entry("Bo")]).state
    refusal = find_refusal(take_steps(start, Throw(), "152344"), Bank((1, 5)))
    assert (refusal.code, refusal.data) == ("entry_minimum", {"need": 400, "have": 150})
    state = take_steps(start, Throw(), "111246", Bank((1, 1, 1)), Throw(), "223346", Throw(), "152344")
    refusal = find_refusal(state, Bank((1, 5)))
    assert (refusal.code, refusal.data) == ("bank_minimum", {"need": 300, "have": 150})


def test_points_of_one_throw_that_a_first_bank_needs_may_lie_between_two_steps_of_banks() -> None:
    stepped = replace(preset("pot"), entry_minimum=350, entry_in="throw", bank_step=100)
    state = take_steps(new_game(stepped, [Entry("Ana"), Entry("Bo")]).state, Throw(), "122254")
    assert points_needed(state) == 350
    assert take_steps(state, Throw((1, 2, 2, 2, 5)), "5", Bank((5,))).players[0].score == 400


def test_a_first_bank_of_an_exact_target_needs_the_minimum_but_no_step() -> None:
    stepped = replace(preset("pot"), entry_minimum=350, bank_step=100, exact="bust", target=350, target_choices=())
    state = take_steps(new_game(stepped, [Entry("Ana"), Entry("Bo")]).state, Throw(), "122254")
    assert take_steps(state, Bank((1, 2, 2, 2, 5))).players[0].score == 350


def test_points_and_score_can_be_shown_before_the_choice() -> None:
    state = take_steps(begin_game(), Throw(), "111245", Throw((1, 1, 1)), "155")
    best = keeps_now(state)[0]
    assert (points_with(require(state.shot), best), score_after(state, best)) == (1200, 1200)
    assert why_not_bank(state, best) is None


@pytest.mark.parametrize(
    ("move", "code", "dice"),
    [
        (Bank((4,)), "cannot_keep", (4,)), (Throw((1, 4, 4)), "not_thrown", (4,)), (Throw((6,)), "not_thrown", (6,)),
        (Throw((2, 2)), "cannot_keep", (2, 2)), (Throw((1, 2)), "cannot_keep", (2,)), (Throw(), "keep_something", None),
        (Bank(()), "keep_something", None), (Win((1,)), "no_win", None), (Throw(pick_up=True), "pick_up", None),
    ],
)  # fmt: skip
def test_an_impossible_keep_names_the_wrong_dice(move: Move | Change, code: str, dice: tuple[int, ...]) -> None:
    refusal = find_refusal(take_steps(begin_game(), Throw(), "122245"), move)
    assert (refusal.code, refusal.data.get("dice")) == (code, dice)


def test_after_the_last_throw_of_a_turn_there_are_only_banks() -> None:
    rules = replace(preset("pot"), throws_most=1, entry_minimum=0)
    state = take_steps(new_game(rules, [Entry("Ana"), Entry("Bo")]).state, Throw(), "152446")
    assert legal_moves(state) == (Bank((1, 5)), Bank((1,)), Bank((5,)))


def test_after_a_sweep_that_must_be_thrown_there_is_no_bank() -> None:
    state = take_steps(begin_game("classic"), Throw(), "123456")
    assert find_refusal(state, Bank((1, 2, 3, 4, 5, 6))).code == "must_throw"
    swept = apply(state, Throw((1, 2, 3, 4, 5, 6)))
    assert events.Swept(0, 1500) in swept.events
    assert (swept.state.to_throw, require(swept.state.shot).points, require(swept.state.shot).swept) == (6, 1500, True)


def test_the_last_die_is_tried_three_times() -> None:
    state = take_steps(begin_game("farkle"), "42", Throw(), "122256")
    state = take_steps(state, Throw((1, 2, 2, 2, 5)), "6")
    assert (legal_moves(state), require(state.shot).tries, require(state.shot).left) == ((Throw(),), 1, 1)
    assert find_refusal(state, Bank((5,))).code == "tries"
    state = take_steps(state, Throw(), "3", Throw())
    assert throw(state, [4]).events == (events.Threw(0, (4,)), events.Bust(0, 350))


def test_exactly_the_minimum_can_be_banked() -> None:
    state = take_steps(begin_game("classic"), Throw(), "555346")
    assert Bank((5, 5, 5)) in legal_moves(state)
    assert take_steps(state, Bank((5, 5, 5))).players[0].score == 500


def test_after_a_sweep_the_last_die_has_all_its_tries_again() -> None:
    state = take_steps(
        begin_game("farkle"), "42", Throw(), "122256", Throw((1, 2, 2, 2, 5)), "6", Throw(), "1", Throw((1,))
    )
    state = take_steps(state, "122256", Throw((1, 2, 2, 2, 5)), "6")
    assert (legal_moves(state), require(state.shot).tries) == ((Throw(),), 1)


def test_dice_are_thrown_only_when_they_are_due() -> None:
    state = begin_game()
    with pytest.raises(IllegalMove, match="no dice to throw now"):
        throw(state, [1])
    with pytest.raises(IllegalMove, match="dice to throw is 6"):
        throw(take_steps(state, Throw()), [1])
    with pytest.raises(ValueError, match="7 is not a face"):
        throw(take_steps(state, Throw()), [1, 2, 3, 4, 5, 7])
    assert find_refusal(take_steps(state, Throw()), Bank((1,))).code == "throw_first"
    assert find_refusal(state, Bank((1,))).code == "throw_first"


def test_the_first_bank_reports_that_the_player_is_on_the_board() -> None:
    step = apply(take_steps(begin_game(), Throw(), "111245"), Bank((1, 1, 1)))
    assert step.events == (
        events.Kept(0, (1, 1, 1), 1000, False), events.Banked(0, 1000, 1000), events.Entered(0),
    )  # fmt: skip
    assert (step.state.player, step.state.shot) == (1, None)


def test_picking_up_takes_dice_and_points() -> None:
    state = take_steps(
        begin_game("wikipedia", mode="manual"), Manual(550), Manual(550), Manual(700, dice_left=2), SetMode("auto")
    )
    assert state.pick_up == (2, 700)
    assert legal_moves(state) == (Throw(), Throw(pick_up=True))
    state = take_steps(state, Throw(pick_up=True), "51", Bank((1, 5)))
    assert (state.players[1].score, state.pick_up) == (1400, (6, 850))


def test_six_equal_dice_end_the_game_at_once() -> None:
    state = take_steps(begin_game("wikipedia"), Throw(), "222222")
    assert legal_moves(state)[0] == Win((2,) * 6)
    assert find_refusal(state, Throw((2,) * 6)).code == "keep_wins"
    step = apply(state, Win((2,) * 6))
    assert step.events[-1] == events.Won((0,), at_once=True)
    assert (step.state.finished, step.state.shots, legal_moves(step.state)) == (True, 1, ())


def test_the_state_says_who_leads_and_who_is_due() -> None:
    state = take_steps(begin_game("wikipedia", "Ana", "Bo", "Cy", mode="manual"), Manual(550), Manual(10_000))
    assert (state.leaders, state.due, state.final) == ((1,), (2, 0), True)


def test_a_final_round_does_not_stand_once_whoever_was_at_the_target_sits_out() -> None:
    state = take_steps(begin_game("wikipedia", "Ana", "Bo", "Cy", mode="manual"), Manual(550), Manual(10_000))
    assert state.final_stands
    assert not take_steps(state, StepOut(1)).final_stands


def test_a_final_round_called_off_in_an_extra_round_can_begin_again() -> None:
    ruleset = replace(preset("wikipedia"), ending="last_shot_each", tie="extra_rounds")
    state = new_game(ruleset, [Entry("Ana"), Entry("Bo")], target=1000, mode="manual").state
    state = take_steps(state, Manual(1000), Manual(1000))
    assert (state.final, state.extra, state.due) == (True, 1, (0, 1))
    state = take_steps(state, SetTarget(5000), Manual(0, "bust"), Manual(0, "bust"))
    assert (state.final, state.due) == (False, ())
    state = take_steps(state, Manual(4000))
    assert (state.due, state.has_last_shots) == ((1,), True)


def test_a_shared_pot_gives_the_odd_coins_to_the_earlier_seats() -> None:
    ruleset = preset("pot").to_json() | {"tie": "shared", "bust_penalty": 0, "ante": 11, "target": 5000}
    state = new_game(type(preset("pot")).from_json(ruleset), [Entry(n) for n in "ABC"], mode="manual").state
    state = take_steps(state, Manual(5000), Manual(5000), Manual(1000))
    assert (state.winners, state.pot, state.shares) == ((0, 1), 33, (17, 16, 0))


def test_a_bust_that_costs_the_points_of_its_turn_costs_none_before_the_first_throw() -> None:
    ruleset = replace(preset("wikipedia"), bust_streak=1, bust_cost="shot", below_zero="always")
    state = new_game(ruleset, [Entry("Ana"), Entry("Bo")]).state
    assert cost_of_bust(state, 0) == 0
    assert cost_of_bust(take_steps(state, Throw(), "111246"), 1000) == 1000


def test_that_the_last_round_begins_is_news_only_until_its_first_turn_is_over() -> None:
    rules = replace(preset("pot"), **{**TEN_ROUNDS, "rounds": 2})
    state = take_steps(new_game(rules, [Entry("Ana"), Entry("Bo")], mode="manual").state, Manual(1000), Manual(1000))
    assert find_begun_round(state, 1) == events.LastRound()
    assert find_begun_round(take_steps(state, Manual(500)), 0) is None


def test_a_mode_holds_from_the_next_turn() -> None:
    state = take_steps(begin_game(), Throw(), "111245", SetMode("manual"))
    assert not state.by_hand
    state = take_steps(state, Bank((1, 1, 1)))
    assert state.by_hand
    assert legal_moves(state) == ()
    assert find_refusal(state, Throw()).code == "real_dice"
    assert find_refusal(begin_game(), Manual(1000)).code == "mode"


def test_a_computer_throws_even_where_people_have_real_dice() -> None:
    state = take_steps(begin_game("pot", "*HAL", "Bo", mode="manual"))
    assert not state.by_hand
    assert legal_moves(state) == (Throw(),)


def test_points_that_no_turn_can_make_are_refused_with_the_nearest_possible() -> None:
    refusal = find_refusal(begin_game(mode="manual"), Manual(1025))
    assert (refusal.code, refusal.data) == ("cannot_make", {"points": 1025, "below": 1000, "above": 1050})


def test_a_total_without_the_points_picked_up_is_refused_with_them() -> None:
    state = take_steps(begin_game("wikipedia", mode="manual"), Manual(1000), Manual(1000), Manual(300, dice_left=3))
    refusal = find_refusal(state, Manual(200, pick_up=3))
    assert (refusal.code, refusal.data) == ("without_base", {"base": 300})
    refusal = find_refusal(state, Manual(425, pick_up=3))
    assert (refusal.code, refusal.data) == ("cannot_make", {"points": 425, "below": 400, "above": 450})


@pytest.mark.parametrize(
    ("shot", "code"),
    [
        (Manual(950), "entry_minimum"), (Manual(0, "win"), "no_win"), (Manual(50, "bust"), "cannot_make"),
        (Manual(1000, pick_up=2), "pick_up"), (Manual(1000, dice_left=2), "dice_left"),
        (Manual(1000, throws=(Faces((1, 1, 1, 2, 3, 4), (1,)),)), "entry_minimum"),
        (Manual(1050, throws=(Faces((1, 1, 1, 2, 3, 4), (1, 1, 1)),)), "throws_points"),
    ],
)  # fmt: skip
def test_a_turn_with_real_dice_obeys_the_rules(shot: Manual, code: str) -> None:
    assert find_refusal(begin_game(mode="manual"), shot).code == code


def test_a_star_makes_a_computer_and_a_level_belongs_to_it() -> None:
    state = begin_game("pot", "*HAL", "Bo")
    assert [player.level for player in state.players] == ["balanced", None]
    assert take_steps(state, Rename(0, "Hal")).players[0].level is None
    assert take_steps(state, Rename(1, "*Bo")).players[1].level == "balanced"
    handed = take_steps(state, Hand(1, "bold"))
    assert (handed.players[1].level, take_steps(handed, Hand(1)).players[1].level) == ("bold", None)
    assert take_steps(state, Hand(0)).players[0].level == "balanced"
    assert find_refusal(state, Hand(1, "hard")).code == "level"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (SetTarget(999), "target"), (Rename(0, "BO"), "name_taken"), (Rename(5, "Cy"), "no_player"),
        (StepOut(-1), "no_player"), (Join("Ana"), "name_taken"), (Join("Cy", "bold"), "person"),
    ],
)  # fmt: skip
def test_an_impossible_change_is_refused(change: Change, code: str) -> None:
    assert find_refusal(begin_game(), change).code == code


def test_a_player_may_write_the_own_name_in_other_letters() -> None:
    assert take_steps(begin_game(), Rename(0, "ANA")).players[0].name == "ANA"


def test_an_exact_target_changes_between_turns_and_never_below_the_entry_minimum() -> None:
    ruleset = replace(preset("classic"), slug="own", exact="stay", tie="shared", entry_minimum=500)
    state = take_steps(new_game(ruleset, [Entry("Ana"), Entry("Bo")]).state, Throw(), "111266")
    assert find_refusal(state, SetTarget(1050)).code == "target_turn"
    assert take_steps(state, Bank((1, 1, 1)), SetTarget(1050)).target == 1050
    with pytest.raises(IllegalMove, match="at least 500 points"):
        new_game(ruleset, [Entry("Ana"), Entry("Bo")], target=450)


def test_after_the_end_nobody_becomes_a_computer_or_a_person() -> None:
    won = take_steps(begin_game("wikipedia", "Ana", "*HAL"), Throw(), "222222", Win((2, 2, 2, 2, 2, 2)))
    assert [find_refusal(won, change).code for change in (Rename(0, "*Ana"), Rename(1, "HAL"))] == [
        "star_after_end"
    ] * 2
    assert [player.name for player in take_steps(won, Rename(0, "Anna"), Rename(1, "*Deep")).players] == [
        "Anna",
        "*Deep",
    ]


def test_only_names_can_change_before_the_throw_for_the_first_player() -> None:
    state = begin_game("farkle")
    assert (state.to_throw, state.starting) == (2, (0, 1))
    assert [find_refusal(state, change).code for change in (Join("Cy"), StepOut(0), Skip(), Manual(0, "bust"))] == [
        "starting"
    ] * 4
    assert take_steps(state, Rename(0, "Anna")).players[0].name == "Anna"


@pytest.mark.parametrize(
    ("names", "code"), [(("Ana",), "players"), (("A",) * 13, "players"), (("Ana", "ana"), "name_taken")]
)
def test_a_game_that_cannot_begin_is_refused(names: tuple[str, ...], code: str) -> None:
    with pytest.raises(IllegalMove) as refusal:
        begin_game("pot", *names)
    assert refusal.value.code == code


ONLY_HUNDREDS: dict[str, Any] = {"singles": (100, 0, 0, 0, 0, 0), "exact": "bust", "entry_minimum": 0}


@pytest.mark.parametrize(
    ("settings", "target", "code"),
    [({}, 1025, "target"), (TEN_ROUNDS, 5000, "target_rounds"), (ONLY_HUNDREDS, 1050, "target_exact")],
)
def test_a_game_to_a_target_that_its_rules_do_not_have_is_refused(
    settings: dict[str, Any], target: int, code: str
) -> None:
    rules = replace(preset("pot"), **settings)
    with pytest.raises(IllegalMove) as refusal:
        new_game(rules, [Entry("Ana"), Entry("Bo")], target)
    assert refusal.value.code == code


def test_a_state_of_another_format_is_not_read() -> None:
    with pytest.raises(ValueError, match="format 0"):
        state_from_json(preset("pot"), {**state_to_json(begin_game()), "format": 0})


def test_a_stored_turn_still_knows_which_points_were_picked_up() -> None:
    rules = replace(preset("wikipedia"), bust_streak=1, bust_cost="shot")
    begun = new_game(rules, [Entry("Ana"), Entry("Bo")], mode="manual").state
    state = take_steps(
        begun, Manual(1000), Manual(1000), Manual(600, dice_left=3), SetMode("auto"), Throw(pick_up=True)
    )
    assert require(state.shot).memory.base == 600
    assert state_from_json(rules, state_to_json(state)) == state


def test_a_state_stored_by_an_older_release_is_read() -> None:
    assert state_from_json(preset("pot"), {**state_to_json(begin_game("pot")), "won_at_once": False}) == begin_game(
        "pot"
    )


def test_a_game_is_played_at_a_bare_prompt() -> None:
    """docs/commands.md shows these lines."""
    ana_and_bo = [Entry("Ana"), Entry("Bo")]
    state, events = new_game(preset("pot"), ana_and_bo)
    state, events = apply(state, Throw())
    state, events = throw(state, [1, 2, 2, 2, 4, 5])
    assert [keep.points for keep in keeps_now(state)] == [350, 300, 250, 200, 150, 100, 50]
    state, events = apply(state, Throw(keep=(1,)))
    state, events = throw(state, [1, 1, 1, 3, 6])
    state, events = apply(state, Bank(keep=(1, 1, 1)))
    assert state.players[0].score == 1100
    assert events[-1] == Entered(0)


def test_the_rules_and_computers_do_not_import_django() -> None:
    code = "import sys, game.rules, game.strategy.computers, game.dice; sys.exit('django' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
