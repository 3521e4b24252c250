"""The same press twice, an old page, a bad form: how each is answered, and that nothing happens twice."""

from typing import Any

import pytest

from game.models import Game
from tests.cast import IN, Device, bank, make_key, open_turn, reload_game, throw

SIX = throw("111523")


def test_the_same_press_twice_throws_once(device: Device) -> None:
    press: dict[str, Any] = {"version": "1", "key": make_key()}
    game = device.game()
    press["version"] = str(game.version)
    first = device.do(game, "throw", htmx=True, **press)
    second = device.do(game, "throw", htmx=True, **press)
    assert (first.status_code, second.status_code) == (200, 200)
    assert game.throws.count() == 1


def test_a_form_used_again_for_something_else_is_refused(device: Device) -> None:
    press: dict[str, Any] = {"key": make_key()}
    game = device.game(open_turn(0, SIX))
    device.do(game, "throw", keep=["1"], **press)
    answer = device.do(game, "throw", keep=["2"], **press)
    assert answer.status_code == 422
    assert "That form was already used." in answer.content.decode()
    assert device.do(game, "bank", keep=["1"], **press).status_code == 422


def test_a_form_used_again_with_another_name_is_refused(device: Device) -> None:
    press: dict[str, Any] = {"do": "rename", "seat": "1", "key": make_key()}
    game = device.game()
    assert device.do(game, "seats", name="Bea", **press).status_code == 303
    assert device.do(game, "seats", name="Bea", **press).status_code == 303
    answer = device.do(game, "seats", name="Cleo", **press)
    assert answer.status_code == 422 and "That form was already used." in answer.content.decode()


def test_an_outdated_page_gets_the_board_as_it_is_now(device: Device) -> None:
    game = device.game()
    device.do(game, "throw")
    answer = device.do(game, "throw", version=game.version)
    assert answer.status_code == 409
    assert "Someone moved first, so your tap didn’t count." in answer.content.decode()
    assert game.throws.count() == 1


def test_undo_on_an_outdated_page_does_not_take_back_what_came_since(device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    device.do(game, "throw")
    answer = device.do(game, "undo", version=game.version)
    assert answer.status_code == 409
    assert "Someone moved first, so your tap didn’t count." in answer.content.decode()
    assert game.throws.filter(shot__cancelled=False).count() == 2


def test_a_rename_does_not_cost_the_player_at_the_dice_a_move(device: Device) -> None:
    game = device.game(open_turn(0, SIX))
    device.do(game, "seats", do="rename", seat="1", name="Bea")
    answer = device.do(game, "throw", keep=["1"], version=game.version)
    assert answer.status_code == 303


@pytest.mark.parametrize("version", ["", "abc", "1_0", "+1", "١", "9" * 5000, str(2**63), "-1", "999"])
def test_an_impossible_version_is_a_bad_request(device: Device, version: str) -> None:
    game = device.game()
    assert device.do(game, "throw", version=version).status_code == 400
    assert device.do(game, "choice", version=version).status_code == 400
    assert game.throws.count() == 0


@pytest.mark.parametrize("bad", ["", "short", "with space in the middle", "x" * 65])
def test_a_form_without_a_good_key_is_a_bad_request(device: Device, bad: str) -> None:
    assert device.do(device.game(), "throw", key=bad).status_code == 400


def test_somebody_with_only_the_link_can_watch_but_not_throw(device: Device, other_device: Device) -> None:
    game = device.game()
    other_device.game()
    answer = other_device.do(game, "throw")
    assert answer.status_code == 403
    assert "You can watch this game, but not change it." in answer.content.decode()


def test_a_game_that_does_not_exist_is_not_found(device: Device) -> None:
    elsewhere = Game(code="A" * 22, pk=device.game().pk)
    assert device.do(elsewhere, "throw").status_code == 404


def test_nothing_can_be_thrown_after_the_end(device: Device) -> None:
    game = device.game(open_turn(0, throw("222222")), ruleset="boxcars")
    device.do(game, "bank", keep=["1", "2", "3", "4", "5", "6"])
    refused = device.do(game, "throw")
    assert refused.status_code == 409 and "This game is over." in refused.content.decode()


def test_nobody_throws_for_the_computer(device: Device) -> None:
    game = device.game(bank(0, 1000, throw("111346", "111")), players=("Ana", "*HAL"))
    answer = device.do(game, "throw")
    assert answer.status_code == 403
    assert "*HAL plays by itself." in answer.content.decode()


def test_extra_fields_change_nothing(device: Device) -> None:
    game = device.game(open_turn(0, SIX))
    device.do(game, "bank", keep=["1", "2", "3"], dice="1,1,1", points="9999", player="1")
    assert [player.score for player in reload_game(game).players.all()] == [1000, 0]


@pytest.mark.parametrize("keep", [["1", "1"], ["7"], ["0"], ["5"], ["x"], ["1", "5"]])
def test_dice_that_cannot_be_kept_are_refused(device: Device, keep: list[str]) -> None:
    game = device.game(open_turn(0, SIX))
    assert device.do(game, "throw", keep=keep).status_code == 422
    assert game.throws.count() == 1


def test_a_form_with_hundreds_of_dice_is_a_bad_request(device: Device) -> None:
    assert device.do(device.game(open_turn(0, SIX)), "throw", keep=["1"] * 900).status_code == 400
