"""Computers that play by themselves, saving a game and continuing it from its file, and the rematch."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from game import lock, rules
from game.history.archive import build_game_file
from game.models import Game, ThrowRow
from game.rules import record
from game.rules.record import ReplayedGame, ShotRecord
from game.services import verify
from game.services.computer_moves import plan_moves
from game.services.shots import COMPUTER_STEPS_MOST
from game.storage import load_record, load_state, replay_rows
from game.strategy import computers
from tests.cast import ANA, IN, Device, bank, bust, open_turn, reload_game, reseal_until, throw
from tests.game_files import to_json

WITH_HAL = ("Ana", "*HAL")
FILES = sorted((Path(__file__).parents[2] / "records").glob("*.json"))


def test_a_file_begins_with_the_first_players_however_often_they_changed(device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    for name in ("*Anna", "Annabel"):
        device.do(game, "seats", do="rename", seat="0", name=name)
    assert build_game_file(reload_game(game))["players"] == [{"name": ANA}, {"name": "Bruno"}]


def test_a_computer_takes_one_step_at_a_time(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), players=WITH_HAL)
    device.do(game, "advance", htmx=True)
    assert ThrowRow.objects.filter(game=game, shot__player__name="*HAL").count() == 1


def test_without_javascript_one_press_plays_up_to_the_next_person(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), players=("Ana", "*HAL", "*Ada"))
    device.do(game, "advance")
    state = load_state(reload_game(game))
    assert state.player == 0 and state.round == 2


def test_two_pages_that_ask_for_the_same_step_get_one(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), players=WITH_HAL)
    answers = [device.do(game, "advance", htmx=True, version=game.version).status_code for _page in range(2)]
    assert answers == [200, 200]
    assert game.throws.filter(shot__player__name="*HAL").count() == 1
    assert reload_game(game).version == game.version + 1, "who came too late is no news to anybody"


def test_computers_play_the_moves_that_were_planned(device: Device) -> None:
    game = reseal_until(device.game(bank(0, 1000, IN), players=("Ana", "*HAL", "*Ada")), lambda dice: 1 in dice)
    planned = plan_moves(reload_game(game), COMPUTER_STEPS_MOST).moves
    device.do(game, "advance")
    assert len(planned) > 2
    assert [move.keep for move in planned if move.keep] == list_kept_dice(game)[1:]


def test_a_move_is_chosen_again_when_the_game_has_changed_meanwhile(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), open_turn(1, throw("111346")), players=WITH_HAL)
    old = plan_moves(device.game(bank(0, 1000, IN), players=WITH_HAL), 1)
    assert old.moves == (rules.Throw(),)
    assert old.move(reload_game(game), 0) == computers.choose_move(load_state(game)) != rules.Throw()


def list_kept_dice(game: Game) -> list[tuple[int, ...]]:
    """Return the dice kept of each throw of the game, in order, where any were."""
    throws = [
        fallen
        for event in load_record(reload_game(game)).events
        if isinstance(event, ShotRecord)
        for fallen in event.throws
    ]
    return [tuple(sorted(fallen.keep)) for fallen in throws if fallen.keep]


def play_to_end(device: Device, game: Game) -> None:
    """Play to the end; many turns of computers in a row take more than one press."""
    for _press in range(40):
        if reload_game(game).status == "finished":
            return
        device.do(game, "advance")


def test_nothing_is_played_for_a_person_who_is_due(device: Device) -> None:
    game = device.game(players=WITH_HAL)
    assert device.do(game, "advance").status_code == 303
    assert game.throws.count() == 0


def test_a_game_of_computers_alone_comes_to_an_end(device: Device) -> None:
    game = device.game(players=("*HAL", "*Ada"), target=2000)
    play_to_end(device, game)
    assert reload_game(game).status == "finished"


def test_a_saved_game_has_the_turns_and_scores_of_the_game(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), open_turn(1, throw("111346", "111"), throw("245")))
    saved = device.client.get(f"{game.get_absolute_url()}.json").json()
    assert [event["player"] for event in saved["events"]] == [0, 1]
    assert saved["result"] == {"scores": [1000, 0], "winners": []}


def test_the_file_of_a_finished_game_has_the_proof_of_its_dice(device: Device) -> None:
    game = device.game(players=("*HAL", "*Ada"), target=2000)
    play_to_end(device, game)
    proof = device.client.get(f"{game.get_absolute_url()}.json").json()["proof"]
    assert proof["code"] == game.code
    assert proof["numbers"] == list(range(1, game.throws.count() + 1))


def test_the_file_of_a_running_game_shows_no_seed(device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    body = device.client.get(f"{game.get_absolute_url()}.json").content.decode()
    assert game.seeds.get().seed.hex() not in body and "proof" not in body


def test_only_players_get_the_file_of_a_running_game(device: Device, other_device: Device) -> None:
    game = device.game()
    assert other_device.client.get(f"{game.get_absolute_url()}.json").status_code == 403


def sort_keeps(game: record.Record) -> dict[str, object]:
    """Return the record as data, with each keep sorted, because the order in which dice are named means nothing."""
    data = to_json(replace(game, result=None, proof=None))
    for event in data["events"]:
        for fallen in event.get("throws", ()):
            fallen["keep"] = sorted(fallen.get("keep", ()))
    return data


@cache
def read_record(path: Path) -> record.Record | None:
    """Return a record, or None if it is one of those that must be refused."""
    try:
        saved = record.from_json(path.read_bytes())
        record.replay(saved)
    except record.RecordError:
        return None
    return saved


@pytest.mark.examples
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_record_that_is_loaded_and_saved_stays_the_same(device: Device, path: Path) -> None:
    if (saved := read_record(path)) is None:
        return
    game = reload_game(device.load(saved))
    loaded = load_record(game)
    assert sort_keeps(loaded) == sort_keeps(saved)
    assert replay_rows(game) == load_state(game)
    assert verify.find_first_difference(game) is None
    json.dumps(build_game_file(game))


def test_a_loaded_game_shows_what_undone_turns_made_and_lost(device: Device) -> None:
    first, third = (bust(0, throw(dice, kept), throw("246")) for dice, kept in (("111346", "111"), ("333246", "333")))
    undone = [{**turn, "cancelled": True} for turn in (first, bank(1, 1000, IN), third)]
    game = device.game(*undone, bank(0, 1000, IN))
    shown = [(row.round, row.outcome, row.points, row.score) for row in game.shots.all()]
    assert shown == [(1, "bust", 1000, 0), (1, "bank", 1000, 1000), (2, "bust", 300, 0), (1, "bank", 1000, 1000)]
    assert [(row.cancelled, row.count) for row in game.shots.all()] == [(True, 2), (True, 1), (True, 2), (False, 1)]


def test_a_turn_that_was_undone_and_played_again_is_shown_in_its_round_both_times(device: Device) -> None:
    again = [
        {**bank(0, points, throw("111356", kept)), "cancelled": True}
        for points, kept in ((1000, "111"), (1050, "1115"))
    ]
    game = device.game(*again, players=(ANA,))
    assert [(row.round, row.score) for row in game.shots.all()] == [(1, 1000), (1, 1050)]


def test_a_turn_that_was_played_again_after_several_undos_is_shown_in_its_round(device: Device) -> None:
    first = bank(1, 1000, IN)
    second = bank(0, 500, throw("555234", "555")), bust(0, throw("555234", "555"), throw("234"))
    game = device.game(bank(0, 1000, IN), *({**turn, "cancelled": True} for turn in (first, *second)))
    shown = [(row.round, row.outcome, row.points, row.score) for row in game.shots.filter(cancelled=True)]
    assert shown == [(1, "bank", 1000, 1000), (2, "bank", 500, 1500), (2, "bust", 500, 1000)]


def test_two_turns_that_were_both_played_again_are_shown_in_their_round(device: Device) -> None:
    both = bank(0, 50, throw("223456", "5")), bank(1, 100, throw("123346", "1"))
    undone = [{**turn, "cancelled": True} for turn in both * 2]
    game = device.game(bank(0, 1000, IN), bank(1, 1000, IN), *undone)
    shown = [(row.round, row.score) for row in game.shots.filter(cancelled=True)]
    assert shown == [(2, 1050), (2, 1100)] * 2


def test_nobody_waits_while_it_is_found_out_where_undone_turns_belong(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    replay, tries = record.replay, []

    def watch(*args: Any) -> ReplayedGame:
        tries.append(lock._threads.locked())
        return replay(*args)

    monkeypatch.setattr(record, "replay", watch)
    nowhere = bust(2, throw("234663")) | {"cancelled": True}
    device.game(*[nowhere] * 50, players=("Ana", "Bo", "Cleo"))
    assert len(tries) <= 2 * 50 and not any(tries)


def test_most_records_can_be_loaded() -> None:
    assert sum(read_record(path) is not None for path in FILES) > 80


def test_a_rematch_has_the_same_seats_turned_by_one(device: Device) -> None:
    game = device.game(open_turn(0, throw("222222")), ruleset="boxcars", players=("Ana", "Bruno", "Chloé"))
    device.do(game, "bank", keep=["1", "2", "3", "4", "5", "6"])
    device.do(game, "rematch")
    again = Game.objects.get(follows=game)
    assert [player.name for player in again.players.all()] == ["Chloé", "Ana", "Bruno"]


def test_the_second_request_leads_to_the_same_rematch(device: Device) -> None:
    game = device.game(open_turn(0, throw("222222")), ruleset="boxcars")
    device.do(game, "bank", keep=["1", "2", "3", "4", "5", "6"])
    first, second = device.do(game, "rematch"), device.do(game, "rematch")
    assert first["Location"] == second["Location"]


def test_if_too_few_players_are_left_everybody_is_back_in_the_rematch(device: Device) -> None:
    game = device.game(open_turn(0, throw("111346")), ruleset="pot")
    device.do(game, "seats", do="out", seat="1")
    device.do(game, "seats", do="out", seat="0")
    assert device.do(game, "rematch").status_code == 303
    assert Game.objects.get(follows=game).players.count() == 2


def test_a_rematch_with_the_form_of_another_game_is_refused(device: Device) -> None:
    game = device.game(open_turn(0, throw("222222")), ruleset="boxcars")
    device.do(game, "bank", keep=["1", "2", "3", "4", "5", "6"])
    assert device.do(game, "rematch", key=game.key).status_code == 422


def count_queries(device: Device, game: Game, what: str, **data: object) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert device.do(game, what, htmx=True, **data).status_code == 200
    return len(queries)


def test_a_move_makes_as_many_queries_after_six_turns_as_after_two_hundred(device: Device) -> None:
    rounds = [
        bank(seat, 1000, IN) if not turn else bank(seat, 50, throw("223456", "5"))
        for turn in range(100)
        for seat in (0, 1)
    ]
    short = device.game(*rounds[:6], open_turn(0, throw("111346")))
    long = device.game(*rounds, open_turn(0, throw("111346")))
    assert count_queries(device, short, "bank", keep=["1"]) == count_queries(device, long, "bank", keep=["1"])
    assert count_queries(device, short, "undo") == count_queries(device, long, "undo")
