"""One viewer sorts the dice and another does not: keys and choices mean the dice that each of them sees."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.cast import IN, Device, bank, open_turn, share_game, throw

FALLEN = (bank(0, 1000, IN), bank(1, 1000, IN), open_turn(0, throw("612541")))


def test_a_key_means_the_die_in_that_place_and_others_see_the_same_die(
    browse: Callable[..., Page], sit: Callable[..., Page], device: Device, other_device: Device
) -> None:
    game = share_game(device, other_device, *FALLEN)
    ana = sit(browse(), game, prefs="order=sorted")
    bruno = sit(browse(), game, who=other_device)
    expect(bruno.locator(".die.c4")).to_contain_text("Die 4: five")
    expect(bruno.locator(".die.c4.down")).to_have_count(1)
    ana.keyboard.press("5")
    expect(ana.locator("#die-5")).not_to_be_checked()
    expect(bruno.locator(".die.c4.down")).to_have_count(0)
    expect(bruno.locator(".die.down")).to_have_count(2)


def test_a_viewer_who_sorts_sees_which_die_another_player_takes(
    browse: Callable[..., Page], sit: Callable[..., Page], device: Device, other_device: Device
) -> None:
    game = share_game(device, other_device, *FALLEN)
    ana = sit(browse(), game)
    bruno = sit(browse(), game, who=other_device, prefs="order=sorted")
    expect(bruno.locator(".die.c5.down")).to_have_count(1)
    ana.keyboard.press("4")
    expect(bruno.locator(".die.c5.down")).to_have_count(0)
    expect(bruno.locator(".die.down")).to_have_count(2)
