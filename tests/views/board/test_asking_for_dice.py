"""Who wants other dice asks the others at the table: what each of them reads until somebody answers or throws."""

import pytest

from game import services
from game.models import Game
from tests.cast import IN, Device, banked, fresh, two_devices
from tests.entered import with_real_dice
from tests.words import read_text

DICE = {"manual": "real dice", "auto": "the dice on screen"}


def table(device: Device, other_device: Device, wanted: str) -> Game:
    """Ana, the host, and Bruno at a device of his own, with the other dice than those that are wanted."""
    if wanted == "manual":
        return two_devices(device, other_device, banked(0, 1000, IN))
    game = with_real_dice(device)
    other_device.takes(game, 1)
    return game


@pytest.mark.parametrize("wanted", DICE)
def test_each_reads_which_dice_are_wanted(device: Device, other_device: Device, wanted: str) -> None:
    game = table(device, other_device, wanted)
    device.do(game, "mode", mode=wanted)
    asked = f"Ana wants to use {DICE[wanted]} from the next turn on."
    assert asked in read_text(other_device.page(game)) and asked in read_text(Device().page(game))
    assert f"You asked to use {DICE[wanted]}. Waiting for the others …" in read_text(device.page(game))


@pytest.mark.parametrize("wanted", DICE)
def test_a_refusal_of_other_dice_is_told(device: Device, other_device: Device, wanted: str) -> None:
    game = table(device, other_device, wanted)
    device.do(game, "mode", mode=wanted)
    other_device.answer(game, "refuse")
    assert "Bruno said no to other dice." in read_text(device.page(game))


def test_a_throw_before_the_answer_is_told(device: Device, other_device: Device) -> None:
    game = table(device, other_device, "manual")
    device.do(game, "mode", mode="manual")
    other_device.do(game, "throw")
    assert "Ana asked for other dice, but the next throw came first." in read_text(device.page(game))


@pytest.mark.parametrize("wanted", DICE)
def test_an_answer_that_comes_too_late_reads_of_no_undo(device: Device, other_device: Device, wanted: str) -> None:
    game = table(device, other_device, wanted)
    device.do(game, "mode", mode=wanted)
    question = services.name_question(fresh(game))
    other_device.answer(game, "refuse")
    late = other_device.do(game, "undo/answer", answer="allow", question=question)
    assert late.status_code == 409
    assert "That request is no longer open." in read_text(late.content.decode())
