"""The review in a browser: it appears by itself, with and without scripts, and is accessible."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from game.models import Game, Review
from tests.axe import check_accessible, check_accessible_at_widths
from tests.browser.conftest import count_events
from tests.cast import Device
from tests.require import require
from tests.reviews import load_almost_finished_game, load_finished_game, write_reviews


@pytest.fixture
def reviewed(device: Device) -> Game:
    game = load_finished_game(device, players=("Ana", "*HAL"))
    device.client.post(f"{game.get_absolute_url()}/analysis")
    write_reviews()
    return game


def open_analysis(sit: Callable[..., Page], page: Page, game: Game, query: str = "") -> Page:
    sit(page).goto(f"{game.get_absolute_url()}/analysis{query}")
    return page


def test_the_review_is_accessible(page: Page, sit: Callable[..., Page], reviewed: Game) -> None:
    open_analysis(sit, page, reviewed)
    page.locator("summary").last.click()
    check_accessible_at_widths(page, (320, 1280))
    page.locator(".judged-chart summary").click()
    check_accessible_at_widths(page, (320, 1280))


def test_a_button_starts_the_review_and_it_appears_by_itself(
    page: Page, sit: Callable[..., Page], device: Device
) -> None:
    open_analysis(sit, page, load_finished_game(device))
    page.get_by_role("button", name="Review the game").click()
    expect(page.get_by_text("Games are reviewed one after the other")).to_be_visible()
    Review.objects.update(progress=60)
    expect(page.get_by_text("Reviewing: 60%")).to_be_visible()
    write_reviews()
    expect(page.get_by_text("Marked decisions")).to_be_visible()
    expect(page.locator("#live")).to_have_text("The review is ready.")
    expect(page.locator("#review")).not_to_have_attribute("hx-trigger", re.compile("."))


def test_a_page_in_the_background_does_not_ask_how_far_its_review_is(
    page: Page, sit: Callable[..., Page], device: Device
) -> None:
    page.clock.install(time=0)
    page.clock.pause_at(1)
    open_analysis(sit, page, load_finished_game(device))
    page.get_by_role("button", name="Review the game").click()
    expect(page.get_by_text("Games are reviewed one after the other")).to_be_visible()
    page.wait_for_load_state()
    asks = count_events(page, "htmx:before:request")
    page.evaluate("Object.defineProperty(document, 'hidden', {value: true, writable: true})")
    page.clock.run_for(5000)
    assert asks() == 0
    page.evaluate("document.hidden = false")
    page.clock.run_for(1000)
    assert asks() == 1


def test_the_review_appears_without_javascript(plain: Page, sit: Callable[..., Page], device: Device) -> None:
    open_analysis(sit, plain, load_finished_game(device))
    plain.get_by_role("button", name="Review the game").click()
    expect(plain.get_by_text("Games are reviewed one after the other")).to_be_visible()
    write_reviews()
    expect(plain.get_by_text("Marked decisions")).to_be_visible()


def test_a_decision_leads_to_its_dice_and_to_the_replay(phone: Page, sit: Callable[..., Page], reviewed: Game) -> None:
    open_analysis(sit, phone, reviewed)
    row = phone.locator(".judged a").first
    title = row.locator(".vh").first.inner_text()
    row.click()
    expect(phone.locator("#decision-title")).to_have_text(title)
    expect(phone.locator("#decision")).to_be_in_viewport()
    phone.get_by_role("link", name="See it in the replay").click()
    expect(phone).to_have_url(re.compile(r"\?at=\d+$"))
    expect(phone.locator("#position")).to_be_visible()


def test_the_finish_page_shows_the_review_once_it_is_ready(
    page: Page,
    sit: Callable[..., Page],
    device: Device,
) -> None:
    game = load_almost_finished_game(device)
    sit(page, game)
    device.do(game, "bank", keep=[1, 2, 3])
    page.goto(game.get_absolute_url())
    expect(page.locator("#review")).to_be_attached()
    write_reviews()
    expect(page.locator(".bars")).to_contain_text("accuracy")
    check_accessible(page)


def test_the_chart_of_a_review_keeps_its_labels_within_its_panel_on_a_tablet(
    browse: Callable[..., Page], sit: Callable[..., Page], reviewed: Game
) -> None:
    page = open_analysis(sit, browse(768, locale="de-DE"), reviewed)
    lefts = "parts => parts.map(part => part.getBoundingClientRect().left)"
    panel, *labels = page.locator(".judged-chart, .judged-chart text").evaluate_all(lefts)
    assert min(labels) >= panel + 8


def test_on_a_wide_screen_the_dice_are_beside_the_list(page: Page, sit: Callable[..., Page], reviewed: Game) -> None:
    open_analysis(sit, page, reviewed)
    decision, rows = (require(page.locator(part).bounding_box()) for part in ("#decision", "#decisions"))
    assert decision["x"] > rows["x"] + rows["width"]
