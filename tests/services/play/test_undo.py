"""Undoing a turn: the player may decide otherwise, but the dice fall the same."""

from game.dice import hash_words
from game.models import Game, ThrowRow
from game.storage import load_state, replay_rows
from tests.cast import IN, Device, bank, open_turn, reload_game, throw
from tests.require import require


def find_last_dice(game: Game) -> str:
    return require(ThrowRow.objects.filter(game=game, cancelled=False).order_by("pk").last()).dice


def test_the_running_turn_is_undone(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), open_turn(1, throw("111346")))
    device.do(game, "undo")
    state = load_state(reload_game(game))
    assert (state.player, state.shot) == (1, None)


def test_before_the_first_throw_of_a_turn_the_turn_before_is_undone(device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    device.do(game, "undo")
    assert load_state(reload_game(game)).player == 0
    assert reload_game(game).players.get(seat=0).score == 0


def test_after_undo_the_same_dice_fall_again(device: Device) -> None:
    game = device.game()
    device.do(game, "throw")
    first = find_last_dice(game)
    device.do(game, "undo")
    device.do(game, "throw")
    assert find_last_dice(game) == first


def test_a_computers_turn_is_undone_with_the_one_before(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), bank(1, 1000, IN), players=("Ana", "*HAL"))
    device.do(game, "undo")
    assert [shot.cancelled for shot in game.shots.all()] == [True, True]
    assert load_state(reload_game(game)).player == 0


def test_undo_goes_back_to_the_start_and_no_further(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), bank(1, 1000, IN))
    answers = [device.do(game, "undo").status_code for _press in range(3)]
    assert answers == [303, 303, 422]
    assert load_state(reload_game(game)).players[0].score == 0


def test_undoing_the_end_reopens_the_game_with_new_dice(device: Device) -> None:
    game = device.game(open_turn(0, throw("222222")), ruleset="boxcars")
    device.do(game, "bank", keep=["1", "2", "3", "4", "5", "6"])
    device.do(game, "undo")
    again = reload_game(game)
    assert (again.status, again.epoch, again.seeds.count()) == ("running", 2, 2)


def test_the_new_dice_after_an_undone_end_have_the_words_of_the_players(device: Device) -> None:
    game = device.game(open_turn(0, throw("222222")), ruleset="boxcars")
    game.players.filter(seat=0).update(word="alice")
    device.do(game, "bank", keep=["1", "2", "3", "4", "5", "6"])
    device.do(game, "undo")
    assert game.seeds.get(epoch=2).table == hash_words(["alice", ""])


def test_undo_says_whether_the_dice_stay_the_same_or_are_new(device: Device) -> None:
    game = device.game(open_turn(0, throw("222222")), ruleset="boxcars")
    device.do(game, "bank", keep=["1", "2", "3", "4", "5", "6"])
    assert "with newly sealed dice." in device.do(game, "undo", htmx=True).content.decode()
    device.do(game, "throw")
    assert "with the same dice." in device.do(game, "undo", htmx=True).content.decode()


def test_undo_brings_back_a_player_who_stepped_out_in_the_turn(device: Device) -> None:
    game = device.game(open_turn(0, throw("111346")))
    device.do(game, "seats", do="out", seat="0")
    assert reload_game(game).players.get(seat=0).active is load_state(reload_game(game)).players[0].active is False
    device.do(game, "undo")
    assert reload_game(game).players.get(seat=0).active is load_state(reload_game(game)).players[0].active is True


def test_an_undone_turn_stays_in_the_log(device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    device.do(game, "undo")
    assert "undone</em>" in device.page(game)


def test_after_undo_the_state_is_that_of_the_rows(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), bank(1, 1000, IN), open_turn(0, throw("111346")))
    device.do(game, "undo")
    assert load_state(reload_game(game)) == replay_rows(reload_game(game))
