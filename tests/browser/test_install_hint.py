"""The hint after the first finished game, shown once, that says how to install the site."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.cast import ANA, HAL, WON, Device

OFFER = """addEventListener('DOMContentLoaded', () => {
    const offer = new Event('beforeinstallprompt', { cancelable: true })
    offer.prompt = () => { window.asked = true }
    dispatchEvent(offer)
})"""


def test_the_browsers_offer_to_install_is_shown_once(page: Page, sit: Callable[..., Page], device: Device) -> None:
    page.add_init_script(OFFER)
    sit(page, device.game(*WON, players=(ANA, HAL)))
    page.get_by_role("button", name="Install").click()
    assert page.evaluate("asked")
    expect(page.locator("#install-hint")).to_be_hidden()  # a browser takes one answer to its offer
    expect(page.locator("#status")).to_be_focused()
    page.reload()
    expect(page.get_by_role("link", name="Practise on positions like yours")).to_be_visible()
    expect(page.locator("#install-hint")).to_be_hidden()


def test_an_apple_phone_is_told_where_to_tap(page: Page, sit: Callable[..., Page], device: Device) -> None:
    page.add_init_script("navigator.standalone = false")
    sit(page, device.game(*WON, players=(ANA, HAL)))
    expect(page.locator("#install-hint")).to_contain_text("Add to Home Screen")
    expect(page.get_by_role("button", name="Install")).to_be_hidden()


def test_without_an_offer_there_is_no_hint(page: Page, sit: Callable[..., Page], device: Device) -> None:
    sit(page, device.game(*WON, players=(ANA, HAL)))
    expect(page.locator("#install-hint")).to_be_hidden()


@pytest.mark.parametrize("offers", [True, False])
def test_after_a_game_with_real_dice_there_is_no_panel_without_the_hint(
    page: Page, sit: Callable[..., Page], device: Device, offers: bool
) -> None:
    if offers:
        page.add_init_script(OFFER)
    game = device.game(target=1000)
    device.do(game, "mode", mode="manual")
    device.do(game, "points", points="1000", end="bank")
    device.do(game, "points", end="bust")
    sit(page, game)
    expect(page.get_by_role("button", name="Install")).to_be_visible(visible=offers)
    expect(page.get_by_role("complementary", name="What next")).to_be_visible(visible=offers)
    if offers:
        page.get_by_role("button", name="Install").click()
        expect(page.get_by_role("complementary", name="What next")).to_be_hidden()


def test_the_line_in_the_menu_disappears_with_the_answer_to_the_offer(page: Page) -> None:
    page.add_init_script(OFFER)
    page.goto("/")
    page.locator("#menu > summary").click()
    page.get_by_role("button", name="Install as an app").click()
    assert page.evaluate("asked")
    expect(page.locator("#menu > summary")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#menu").get_by_role("link", name="New game")).to_be_visible()
    expect(page.get_by_role("button", name="Install as an app")).to_be_hidden()
