"""A player asks the others to switch between real dice and those on screen: what each reads until the answer."""

import pytest

from game import services
from game.models import Game
from tests.cast import IN, Device, bank, reload_game, share_game
from tests.real_dice_pad import start_with_real_dice
from tests.words import read_text

DICE = {"manual": "real dice", "auto": "the dice on screen"}


def start_with_other_dice(device: Device, other_device: Device, wanted: str) -> Game:
    """Return a game of Ana, the host, and Bruno at his own device, played with the dice that are not wanted."""
    if wanted == "manual":
        return share_game(device, other_device, bank(0, 1000, IN))
    game = start_with_real_dice(device)
    other_device.takes(game, 1)
    return game


@pytest.mark.parametrize("wanted", DICE)
def test_everybody_reads_which_dice_are_wanted(device: Device, other_device: Device, wanted: str) -> None:
    game = start_with_other_dice(device, other_device, wanted)
    device.do(game, "mode", mode=wanted)
    question = f"Ana wants to use {DICE[wanted]} from the next turn on."
    assert question in read_text(other_device.page(game)) and question in read_text(Device().page(game))
    assert f"You asked to use {DICE[wanted]}. Waiting for the others…" in read_text(device.page(game))


@pytest.mark.parametrize("wanted", DICE)
def test_a_refusal_of_other_dice_is_told(device: Device, other_device: Device, wanted: str) -> None:
    game = start_with_other_dice(device, other_device, wanted)
    device.do(game, "mode", mode=wanted)
    other_device.answer(game, "refuse")
    assert "Bruno said no to other dice." in read_text(device.page(game))


def test_a_throw_before_the_answer_is_told(device: Device, other_device: Device) -> None:
    game = start_with_other_dice(device, other_device, "manual")
    device.do(game, "mode", mode="manual")
    other_device.do(game, "throw")
    assert "Ana asked for other dice, but nobody answered in time." in read_text(device.page(game))


@pytest.mark.parametrize("wanted", DICE)
def test_a_late_answer_about_dice_is_refused_without_speaking_of_an_undo(
    device: Device, other_device: Device, wanted: str
) -> None:
    game = start_with_other_dice(device, other_device, wanted)
    device.do(game, "mode", mode=wanted)
    question = services.name_question(reload_game(game))
    other_device.answer(game, "refuse")
    late = other_device.do(game, "undo/answer", answer="allow", question=question)
    assert late.status_code == 409
    assert "That request is no longer open." in read_text(late.content.decode())
