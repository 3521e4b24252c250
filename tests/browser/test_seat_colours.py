"""Choosing a name and a colour for one's seat, before the start."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.cast import Device

Browse = Callable[..., Page]
Sit = Callable[..., Page]


def read_colour(page: Page, what: str) -> str:
    """Return the background colour of the first element that matches a selector."""
    return str(page.locator(what).first.evaluate("it => getComputedStyle(it).backgroundColor"))


def test_a_tap_on_your_own_seat_lets_you_choose_a_colour_that_others_see(
    browse: Browse, sit: Sit, device: Device, other_device: Device
) -> None:
    game = device.waiting_game()
    other_device.sit(game)
    ana, bruno = sit(browse(), game), sit(browse(width=360, has_touch=True), game, who=other_device)
    bruno.locator(".ring .yours button").tap()
    bruno.get_by_role("dialog").get_by_role("button", name="Purple").tap()
    expect(bruno.get_by_role("button", name="Purple")).to_have_attribute("aria-pressed", "true")
    expect(ana.locator(".ring li").nth(1)).to_have_class("p3")
    assert read_colour(ana, ".ring .p3 .sitter") == read_colour(bruno, ".ring .p3 .sitter")
    bruno.get_by_label("Name of Bruno").and_(bruno.locator("dialog input, [popover] input")).fill("Bea")
    bruno.get_by_role("dialog").get_by_role("button", name="Rename").tap()
    expect(ana.locator(".ring b").nth(1)).to_have_text("Bea")
    bruno.get_by_role("button", name="Done").tap()
    expect(bruno.get_by_role("dialog")).to_be_hidden()


def test_the_colours_to_choose_from_are_seen_in_forced_colours(page: Page, sit: Sit, device: Device) -> None:
    page.emulate_media(forced_colors="active")
    sit(page, device.waiting_game())
    page.locator(".ring .yours button").click()
    swatches = page.locator(".swatches button")
    shown = swatches.evaluate_all("all => all.map(each => getComputedStyle(each).backgroundColor)")
    assert len(set(shown)) == 8
    chosen = "getComputedStyle(document.querySelector('.swatches [aria-pressed=true]')).boxShadow"
    assert page.evaluate(chosen) != "none"


@pytest.mark.parametrize(("address", "count"), [("/new?for=phone", 2), ("/prefs", 8)])
def test_the_chosen_colours_are_seen_in_forced_colours(page: Page, address: str, count: int) -> None:
    page.goto(address)
    dots = page.locator("main .dot")
    colours = dots.evaluate_all("all => all.map(each => getComputedStyle(each).backgroundColor)")
    page.emulate_media(forced_colors="active")
    assert dots.evaluate_all("all => all.map(each => getComputedStyle(each).backgroundColor)") == colours
    assert len(set(colours)) == count


@pytest.mark.parametrize("javascript", [True, False])
def test_people_at_one_device_choose_their_colours_beside_their_names(browse: Browse, javascript: bool) -> None:
    page = browse(javascript=javascript)
    page.goto("/new?for=phone")
    page.get_by_label("Colour of player 1").select_option("Olive")
    if javascript:
        expect(page.locator("#players li").first).to_have_class("p7")
        expect(page.get_by_label("Colour of player 1")).to_be_focused()
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".player").first).to_have_class("player p7 now")
