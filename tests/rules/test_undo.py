"""Undoing the last turn: what is cancelled with it, and what stays."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from game.rules import Entry, Faces, IllegalMove, Join, Rename, Ruleset, SetTarget, State, StepOut, preset
from game.rules.play.moves import Hand
from game.rules.record import Record, RecordEvent, ShotRecord, replay, undo
from game.rules.record.model import RecordResult

POT = replace(preset("pot"), entry_minimum=0)


def bank(player: int, points: int) -> ShotRecord:
    return ShotRecord(player, "bank", points=points, manual=True)


def open_turn(player: int) -> ShotRecord:
    return ShotRecord(player, throws=(Faces((1, 1, 1, 2, 3, 4)),))


def make_record(*events: RecordEvent, names: Sequence[str] = ("Ana", "Bo"), ruleset: Ruleset = POT) -> Record:
    return Record(ruleset, 10_000, tuple(Entry(name) for name in names), events=events)


def undo_last_turn(*events: RecordEvent, **more: Any) -> tuple[State, tuple[int, ...]]:
    undone, cancelled = undo(make_record(*events, **more))
    return replay(undone).state, cancelled


def test_a_running_turn_is_undone_alone() -> None:
    state, cancelled = undo_last_turn(bank(0, 500), open_turn(1))
    assert (cancelled, state.player, state.shot) == ((1,), 1, None)
    assert state.players[0].score == 500


def test_without_a_running_turn_the_last_finished_one_is_undone() -> None:
    state, cancelled = undo_last_turn(bank(0, 500), bank(1, 600))
    assert (cancelled, state.player, [player.score for player in state.players]) == ((1,), 1, [500, 0])


def test_undo_can_be_repeated_back_to_the_start() -> None:
    undone = make_record(bank(0, 500), bank(1, 600), open_turn(0))
    for cancelled in [(2,), (1,), (0,)]:
        undone, places = undo(undone)
        assert places == cancelled
    assert undone.result == RecordResult((0, 0), ())
    with pytest.raises(IllegalMove, match="nothing to undo"):
        undo(undone)


def test_turns_of_computers_are_undone_with_the_persons_turn_before_them() -> None:
    names = ("Ana", "*HAL", "*Eve")
    state, cancelled = undo_last_turn(bank(0, 500), bank(1, 600), bank(2, 700), names=names)
    assert (cancelled, state.player) == ((0, 1, 2), 0)
    state, cancelled = undo_last_turn(bank(0, 500), open_turn(1), names=names)
    assert (cancelled, state.player) == ((0, 1), 0)


def test_a_seat_handed_to_a_computer_counts_as_a_computer_from_then_on() -> None:
    handed = Hand(1, "balanced")
    assert undo_last_turn(bank(0, 500), bank(1, 600), bank(0, 500), handed, bank(1, 600))[1] == (2, 4)
    assert undo_last_turn(bank(0, 500), bank(1, 600), handed)[1] == (1,)


EXACT = replace(
    Ruleset(singles=(100, 0, 0, 0, 50, 0), of_a_kind=((1000, 200, 300, 400, 500, 600), *((0,) * 6,) * 3)),
    target=1000,
    exact="stay",
    last_die_throws=3,
    pick_up=True,
    below_zero="entered",
    bust_streak=1,
    bust_streak_penalty=500,
)
TO_THE_LAST_DIE = (Faces((2, 2, 2, 3, 3, 4), (2, 2, 2)), Faces((5, 5, 3), (5, 5)))
STRUCK = (Faces((1,)), Faces((1,)))


@pytest.mark.parametrize(
    "events",
    [
        # Ana lacks 350 points, and has 300: with the last die a 1 is a miss.
        (bank(0, 650), bank(1, 500), ShotRecord(0, "bust", (*TO_THE_LAST_DIE, *STRUCK, Faces((4,))))),
        (bank(0, 650), bank(1, 500), ShotRecord(0, "over", (*TO_THE_LAST_DIE, *STRUCK, Faces((1,))))),
        (bank(0, 650), bank(1, 500), ShotRecord(0, None, (*TO_THE_LAST_DIE, *STRUCK, Faces((5,))))),
        (bank(0, 650), bank(1, 500), ShotRecord(0, "bank", (*TO_THE_LAST_DIE, *STRUCK, Faces((5,), (5,))), 350)),
        # Having picked up, Ana lacks 50 points.
        (bank(0, 300), replace(bank(1, 650), dice_left=1), ShotRecord(0, "over", (*STRUCK, Faces((1,))), pick_up=1)),
        (
            bank(0, 150),
            replace(bank(1, 800), dice_left=1),
            ShotRecord(0, "bank", (*STRUCK, Faces((5,), (5,))), 850, pick_up=1),
        ),
        # More is gathered than the target that the rules began with: Ana is below 0, or the target was raised.
        (
            bank(0, 100),
            bank(1, 100),
            ShotRecord(0, "bust", manual=True),
            bank(1, 100),
            ShotRecord(0, "bust", (Faces((1, 1, 1, 2, 3, 4), (1, 1, 1)), Faces((5, 2, 3), (5,)), Faces((2, 3)))),
        ),
        (
            SetTarget(5000),
            ShotRecord(0, "bust", (Faces((1, 1, 1, 2, 3, 4), (1, 1, 1)), Faces((5, 2, 3), (5,)), Faces((2, 3)))),
        ),
    ],
)
def test_a_turn_can_be_undone_whatever_an_exact_target_struck(events: Sequence[RecordEvent]) -> None:
    begun = Record(EXACT, EXACT.target, (Entry("Ana"), Entry("Bo")), events=tuple(events))
    assert undo(begun)[1] == (len(events) - 1,)


def test_a_turn_that_picked_up_before_entering_can_be_undone() -> None:
    """To players who have not entered, three ones are worth 300."""
    rules = replace(EXACT, exact="no", pick_up_by="all", entry_needs="singles")
    picked_up = ShotRecord(1, "bank", (Faces((1, 1, 1), (1, 1, 1)),), 700, pick_up=3)
    assert undo_last_turn(replace(bank(0, 400), dice_left=3), picked_up, ruleset=rules)[1] == (1,)


def test_undo_keeps_changes_of_target_names_and_players() -> None:
    state, cancelled = undo_last_turn(bank(0, 500), SetTarget(5000), Rename(0, "Anna"), Join("Cy"))
    assert cancelled == (0,)
    assert (state.target, state.players[0].name, len(state.players)) == (5000, "Anna", 3)


def test_undoing_a_bust_returns_its_coin() -> None:
    bust = ShotRecord(0, "bust", manual=True)
    assert replay(make_record(bank(0, 500), bank(1, 500), bust)).state.pot == 55
    assert undo_last_turn(bank(0, 500), bank(1, 500), bust)[0].pot == 50


def test_undoing_the_turn_that_ended_the_game_reopens_it() -> None:
    ended = make_record(bank(0, 10_000), bank(1, 500))
    assert replay(ended).state.finished
    undone, _ = undo(ended)
    assert (replay(undone).state.finished, replay(undone).state.due) == (False, (1,))
    assert undo(undone)[0].result == RecordResult((0, 0), ())


def test_stepping_out_during_a_turn_is_undone_with_it() -> None:
    out = replace(open_turn(0), end="out")
    assert undo_last_turn(out)[0].players[0].active


def test_after_undo_the_next_player_is_due_if_the_first_has_stepped_out() -> None:
    state, cancelled = undo_last_turn(bank(0, 500), StepOut(0))
    assert (cancelled, state.player, state.players[0].active) == ((0,), 1, False)


def test_a_turn_whose_undo_would_not_replay_cannot_be_undone() -> None:
    """The penalty for Bo's bust called off the final round, so that Cy could join; without it, Cy could not have."""
    rounds = replace(POT, tie="extra_rounds", ending="complete_round", bust_streak=1, bust_streak_penalty=1000)
    busts = [ShotRecord(seat, "bust", manual=True) for seat in (0, 1)]
    joined = make_record(bank(0, 10_000), bank(1, 10_000), *busts, Join("Cy"), ruleset=rounds)
    with pytest.raises(IllegalMove, match="can no longer be undone"):
        undo(joined)
