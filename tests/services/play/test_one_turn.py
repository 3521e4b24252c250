"""A turn with dice on the screen, from the first throw to the bank or the bust."""

from game.models import ThrowRow
from game.storage import load_state
from tests.cast import IN, Device, bank, open_turn, reload_game, throw


def test_the_first_throw_falls_in_the_six_columns(device: Device) -> None:
    game = device.game()
    device.do(game, "throw")
    fallen = ThrowRow.objects.get(game=game)
    assert (fallen.columns, len(fallen.dice), fallen.number) == ("123456", 6, 1)


def test_the_dice_thrown_again_stay_in_their_columns(device: Device) -> None:
    game = device.game(open_turn(0, throw("353523")))
    device.do(game, "throw", keep=["4"])
    again = ThrowRow.objects.filter(game=game).last()
    assert again is not None and again.columns == "12356"


def test_banking_adds_the_points_to_the_score(device: Device) -> None:
    game = device.game(open_turn(0, throw("111523")))
    device.do(game, "bank", keep=["1", "2", "3", "4"], shown="1050")
    assert reload_game(game).players.get(seat=0).score == 1050


def test_the_next_player_is_due_after_a_bank(device: Device) -> None:
    game = device.game(open_turn(0, throw("111523")))
    device.do(game, "bank", keep=["1", "2", "3"])
    assert load_state(reload_game(game)).player == 1


def test_too_few_points_for_a_first_bank_are_refused_with_the_number_needed(device: Device) -> None:
    game = device.game(open_turn(0, throw("123446")))
    answer = device.do(game, "bank", keep=["1"])
    assert answer.status_code == 422
    assert "The first bank must be at least 500 points. This one is 100." in answer.content.decode()


def test_dice_that_do_not_score_are_refused_with_the_nearest_that_do(device: Device) -> None:
    game = device.game(open_turn(0, throw("133462")))
    answer = device.do(game, "throw", keep=["1", "2"])
    assert answer.status_code == 422
    assert "These dice don’t all score. Keep 1, or choose again." in answer.content.decode()


def test_a_refusal_writes_nothing(device: Device) -> None:
    game = device.game(open_turn(0, throw("133462")))
    device.do(game, "throw", keep=["1", "2"])
    assert (reload_game(game).version, game.throws.count()) == (game.version, 1)


def test_points_that_differ_from_those_shown_are_not_banked(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), bank(1, 1000, IN), open_turn(0, throw("155236")))
    answer = device.do(game, "bank", keep=["1", "2"], shown="200")
    assert answer.status_code == 422
    assert "The points changed to 150. Press Bank again." in answer.content.decode()


def test_hot_dice_that_must_be_thrown_cannot_be_banked(device: Device) -> None:
    game = device.game(open_turn(0, throw("123456")))
    answer = device.do(game, "bank", keep=["1", "2", "3", "4", "5", "6"])
    assert answer.status_code == 422
    assert "Hot dice: throw all dice again before you bank." in answer.content.decode()


def test_six_equal_dice_win_at_once_where_the_rules_say_so(device: Device) -> None:
    game = device.game(open_turn(0, throw("444444")), ruleset="wikipedia")
    device.do(game, "bank", keep=["1", "2", "3", "4", "5", "6"])
    assert reload_game(game).status == "finished"
    assert game.players.get(seat=0).won
