"""Changes while a game runs: names, players, the target, and whether real dice are thrown."""

from dataclasses import replace

import pytest
from django.utils import translation

from game.models import Game
from game.pages.parts.computer_levels import describe_level
from game.pages.parts.scoreboard import describe_computer
from game.pages.rulesets.comparison import list_changes
from game.rules import preset
from game.storage import load_state
from tests.cast import IN, Device, bank, bust, open_turn, reload_game, share_game, throw


def list_names(game: Game) -> list[str]:
    return [player.name for player in reload_game(game).players.all()]


def test_a_player_gets_another_name(device: Device) -> None:
    game = device.game()
    device.do(game, "seats", do="rename", seat="0", name="  Anna   Maria ")
    assert list_names(game) == ["Anna Maria", "Bruno"]


def test_a_name_that_is_taken_is_refused(device: Device) -> None:
    game = device.game()
    answer = device.do(game, "seats", do="rename", seat="0", name="ＢＲＵＮＯ")
    assert answer.status_code == 422
    assert "That name is taken." in answer.content.decode()


def test_a_new_name_in_an_abandoned_game_does_not_continue_it(device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    Game.objects.update(status="abandoned")
    assert device.do(game, "seats", do="rename", seat="0", name="Anna").status_code == 303
    assert list_names(game) == ["Anna", "Bruno"] and reload_game(game).status == Game.Status.ABANDONED


@pytest.mark.parametrize("name", ["\0", "\u202eAna", "\u200b", "A\ufffdb", "é" + "\u0301" * 23, "x" * 25, ""])
def test_a_bad_name_is_refused(device: Device, name: str) -> None:
    game = device.game()
    assert device.do(game, "seats", do="rename", seat="0", name=name).status_code == 422
    assert list_names(game) == ["Ana", "Bruno"]


@pytest.mark.parametrize("name", ["<script>x</script>", "{{7*7}}", '"><img onerror=x>', "👨‍👩‍👧‍👦", "ไทย", "Zoë"])
def test_any_real_name_is_shown_as_text(device: Device, name: str) -> None:
    game = device.game()
    assert device.do(game, "seats", do="rename", seat="0", name=name).status_code == 303
    assert "<script>x" not in device.page(game) and "<img onerror" not in device.page(game)


def test_a_new_player_joins_at_the_end(device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    device.do(game, "seats", do="join", name="Chloé")
    device.do(game, "seats", do="join", name="", computer="1")
    assert list_names(game) == ["Ana", "Bruno", "Chloé", "*HAL"]


def test_a_computer_that_joins_has_the_level_that_was_chosen(device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    device.do(game, "seats", do="join", name="", computer="1", level="bold")
    assert reload_game(game).players.get(seat=2).level == "bold"
    assert "Bold: knows the odds" in device.page(game)


def test_french_has_a_space_before_the_colon_after_a_label() -> None:
    with translation.override("fr"):
        assert describe_level("bold").startswith("Audacieux\u00a0: ")
        (change,) = list_changes(preset("classic"), replace(preset("classic"), three_pairs=750))
        assert "\u00a0: " in change


def test_a_computers_card_shows_its_level_unless_it_is_the_usual_one() -> None:
    names_on_cards = [describe_computer(level) for level in ("balanced", "bold", "best")]
    assert names_on_cards == ["computer", "computer (Bold)", "computer (Best)"]


def test_a_level_that_does_not_exist_is_refused_at_the_table(device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    assert device.do(game, "seats", do="join", name="", computer="1", level="unbeatable").status_code == 422
    assert reload_game(game).players.count() == 2


def test_a_player_who_steps_out_is_passed_over_and_can_step_in_again(device: Device) -> None:
    game = device.game()
    device.do(game, "seats", do="out", seat="0")
    assert load_state(reload_game(game)).player == 1
    device.do(game, "seats", do="in", seat="0")
    assert reload_game(game).players.get(seat=0).active


def test_stepping_out_in_the_middle_of_a_turn_ends_it(device: Device) -> None:
    game = device.game(open_turn(0, throw("111346")))
    device.do(game, "seats", do="out", seat="0")
    assert game.shots.get().outcome == "out"
    assert device.do(game, "throw", keep=["1"], version=game.version).status_code == 409


def test_a_stranger_cannot_step_a_player_out(device: Device, other_device: Device) -> None:
    game = device.game()
    assert other_device.do(game, "seats", do="out", seat="0").status_code == 403


def test_a_player_cannot_change_a_seat_of_another_device(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device)
    answer = other_device.do(game, "seats", do="rename", seat="0", name="Zoë")
    assert answer.status_code == 403
    assert list_names(game) == ["Ana", "Bruno"]


@pytest.mark.parametrize("target", ["0", "999", "1025", "1000000000", "1e4", "0x10", "²", "9" * 5000, ""])
def test_a_bad_target_is_refused(device: Device, target: str) -> None:
    answer = device.do(device.game(), "target", target=target)
    assert answer.status_code == 422
    assert "Choose a target from 100 to 100,000 in steps of 50." in answer.content.decode()


def test_a_change_during_a_turn_is_recorded_before_it(device: Device) -> None:
    game = device.game(open_turn(0, throw("111346")))
    device.do(game, "target", target="5000")
    assert game.changes.get().place < game.shots.get().place
    assert load_state(reload_game(game)).target == 5000


def test_real_dice_are_used_from_the_next_turn(device: Device) -> None:
    game = device.game(open_turn(0, throw("111346")))
    device.do(game, "mode", mode="manual")
    assert device.do(game, "bank", keep=["1", "2", "3"]).status_code == 303
    assert device.do(game, "points", points="1050").status_code == 303
    assert [shot.manual for shot in game.shots.all()] == [False, True]


def test_points_that_no_turn_can_make_are_refused_with_the_nearest_possible(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), bank(1, 1000, IN))
    device.do(game, "mode", mode="manual")
    answer = device.do(game, "points", points="175")
    assert answer.status_code == 422
    assert "No turn can make 175 points under these rules. Did you mean 150 or 200?" in answer.content.decode()


@pytest.mark.parametrize("points", ["-50", "1e9", "abc", "75", "²", ""])
def test_bad_points_are_refused(device: Device, points: str) -> None:
    game = device.game()
    device.do(game, "mode", mode="manual")
    assert device.do(game, "points", points=points).status_code == 422
    assert game.shots.count() == 0


def test_a_bust_with_real_dice_needs_no_points(device: Device) -> None:
    game = device.game()
    device.do(game, "mode", mode="manual")
    device.do(game, "points", end="bust", points="")
    assert game.shots.get().outcome == "bust"


def test_each_bust_of_a_player_on_the_board_adds_to_the_pot(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), bust(1, throw("223446")), bust(0, throw("223446")), ruleset="pot")
    assert "Pot 0.55" in device.page(game)
