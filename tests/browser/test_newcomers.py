"""A newcomer's bubbles and the preferences for the look of the page, all of them accessible."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.axe import check_accessible
from tests.browser.conftest import iterate_widths
from tests.cast import ANA, HAL, IN, WON, Device, bank, open_turn, throw
from tests.require import require

Sit = Callable[..., Page]
CHOOSING = open_turn(0, throw("115236"))


def test_a_closed_bubble_disappears_at_once_and_stays_away(page: Page, sit: Sit, device: Device) -> None:
    sit(page, device.game(CHOOSING, players=(ANA, HAL)))
    expect(page.locator("#coaching")).to_contain_text("You need 500 in one turn")
    page.get_by_role("button", name="Close these tips").click()
    expect(page.locator("#coaching")).to_have_count(0)
    page.reload()
    expect(page.locator("#tray")).to_be_visible()
    expect(page.locator("#coaching")).to_have_count(0)


@pytest.mark.parametrize(("hand", "left"), [("right", "bank"), ("left", "throw")])
def test_throw_is_on_the_side_of_the_chosen_hand(
    browse: Callable[..., Page], sit: Sit, device: Device, hand: str, left: str
) -> None:
    page = sit(browse(360), device.game(bank(0, 1000, IN), bank(1, 1000, IN), CHOOSING), prefs=f"hand={hand}")
    for width in iterate_widths(page, 360, 1280):
        boxes = {name: require(page.locator(f"#{name}").bounding_box()) for name in ("bank", "throw")}
        assert min(boxes, key=lambda name: boxes[name]["x"]) == left, width
        assert boxes["bank"]["y"] == boxes["throw"]["y"], width


@pytest.mark.parametrize("prefs", ["dice=numerals", "dice=contrast&hand=left", "order=sorted&colour=3"])
def test_every_look_is_accessible(browse: Callable[..., Page], sit: Sit, device: Device, prefs: str) -> None:
    page = sit(browse(360), device.game(CHOOSING, players=(ANA, HAL)), prefs=prefs)
    check_accessible(page, dark=True)


def test_pages_that_newcomers_meet_are_accessible(
    phone: Page,
    sit: Sit,
    device: Device,
) -> None:
    running = device.game(CHOOSING, players=(ANA, HAL))
    over = device.game(*WON, players=("Player 1", HAL))
    sit(phone)
    for address in (
        "/",
        f"{running.get_absolute_url()}/delete",
        over.get_absolute_url(),
        "/prefs",
        "/games",
        "/nowhere",
    ):
        phone.goto(address)
        check_accessible(phone)
