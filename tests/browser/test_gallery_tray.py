"""The tray in the browser, in states of the gallery: the log, keys, refusals, and the pad."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django import Settings

from tests.browser.conftest import count_events, read_keep, tap_die
from tests.cast import Device, open_turn, throw
from tests.require import require


@pytest.fixture
def tray(page: Page, show_state: Callable[[Page, str], Page]) -> Callable[[str], Page]:
    page.emulate_media(reduced_motion="reduce")
    return lambda state: show_state(page, state)


def test_the_log_follows_the_choice(tray: Callable[[str], Page]) -> None:
    page = tray("decision")
    tap_die(page, 2)
    line = page.locator("#turnlog .throws li").last
    marked = line.locator(".d").evaluate_all("dice => dice.map(d => d.classList.contains('kept'))")
    assert marked == [False, True, True, False, True]
    assert line.locator(".pts").inner_text() == "300"
    assert "300 this throw" in require(line.locator(".vh").last.text_content())


def test_a_button_that_only_explains_sends_nothing(tray: Callable[[str], Page]) -> None:
    page = tray("entry")
    submits = count_events(page, "submit")
    page.locator("#bank").dispatch_event("click")
    assert page.inner_text("#detail") == "First bank: 500+\u00a0· 50 to go"
    assert submits() == 0


def test_each_key_does_what_it_stands_for(tray: Callable[[str], Page]) -> None:
    page = tray("decision")
    page.keyboard.press("2")
    assert read_keep(page) == "346"
    page.keyboard.press("a")
    assert read_keep(page) == "2346"
    page.keyboard.press("n")
    assert read_keep(page) == "346"
    page.keyboard.press("b")
    assert read_keep(page) == "2346"
    page.keyboard.press("h")
    assert not page.evaluate("document.querySelector('#ways').open")
    page.reload()
    assert not page.evaluate("document.querySelector('#ways').open")


def test_the_ways_to_keep_have_a_triangle_that_shows_whether_they_are_open(tray: Callable[[str], Page]) -> None:
    page = tray("decision")
    mark = "heading => [getComputedStyle(heading).display, getComputedStyle(heading).listStyleType]"
    assert page.locator("#ways h2").evaluate(mark) == ["list-item", "disclosure-open"]
    page.locator("#ways > summary").click()
    assert page.locator("#ways h2").evaluate(mark) == ["list-item", "disclosure-closed"]


def test_r_hurries_a_computer(page: Page, tray: Callable[[str], Page]) -> None:
    page.clock.install(time=0)
    page.clock.pause_at(1)  # by itself, the computer waits for ever
    tray("computer")
    with page.expect_request("**/advance"):
        page.keyboard.press("r")


@pytest.mark.parametrize(("key", "dice"), [("n", "1256"), ("b", "5")])
def test_before_a_choice_the_keys_lead_to_the_first_and_the_last_way(
    page: Page, sit: Callable[..., Page], device: Device, key: str, dice: str
) -> None:
    sit(page, device.game(open_turn(0, throw("114355"))), prefs="first=choose&hints=odds")
    assert read_keep(page) == ""
    page.keyboard.press(key)
    assert read_keep(page) == dice


def test_keys_can_be_switched_off_and_leave_fields_and_modifiers_alone(tray: Callable[[str], Page]) -> None:
    page = tray("decision")
    page.evaluate("document.documentElement.dataset.keys = 'off'")
    page.keyboard.press("2")
    page.evaluate("document.documentElement.dataset.keys = 'on'")
    page.keyboard.press("Alt+2")
    page.click("#menu summary")
    page.focus("#target")
    page.keyboard.press("2")
    assert read_keep(page) == "2346"


# Of two threes and a five, only the five scores.
UNTICK_A_THREE = "() => { document.querySelector('#die-3').checked = false }"
FORGET_THE_VERSION = "() => { document.querySelector('#tray [name=version]').value = 0 }"


@pytest.mark.parametrize(
    ("change", "status", "sentence"),
    [(FORGET_THE_VERSION, 409, "Someone moved first"), (UNTICK_A_THREE, 422, "These dice don’t all score")],
)
def test_a_refusal_brings_the_board_and_a_sentence_that_goes_with_the_next_tap(
    unlucky: Page, show_state: Callable[[Page, str], Page], change: str, status: int, sentence: str
) -> None:
    page = show_state(unlucky, "decision")
    page.evaluate(change)
    with page.expect_response(lambda response: response.status == status):
        page.click("#throw")
    expect(page.locator("#banner")).to_contain_text(sentence)
    tap_die(page, 2)
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.parametrize("status", [400, 403, 404, 429])
def test_other_refusals_only_show_their_sentence(
    unlucky: Page, show_state: Callable[[Page, str], Page], settings: Settings, status: int
) -> None:
    settings.ROOT_URLCONF = "tests.gallery.urls"
    page = show_state(unlucky, "decision")
    before = page.input_value("#tray [name=key]")
    page.locator("#throw").evaluate(f"button => button.setAttribute('formaction', '/gallery?status={status}')")
    with page.expect_response(lambda response: response.status == status):
        page.click("#throw")
    page.wait_for_selector("#banner p")
    assert page.inner_text("#banner") != ""
    assert (page.input_value("#tray [name=key]"), page.title()) == (before, "Your turn, Ana · 10,000")


def test_the_pad_takes_digits_and_amounts(tray: Callable[[str], Page]) -> None:
    page = tray("manual")
    page.fill("#points", "350")
    page.click("[data-back]")
    page.click("[data-digit='00']")
    page.click("[data-add='50']")
    assert page.input_value("#points") == "3550"


def test_without_javascript_a_tap_moves_the_die_and_bank_is_a_form(
    plain: Page, show_state: Callable[[Page, str], Page]
) -> None:
    page = show_state(plain, "decision")
    page.locator("#die-2").click(force=True)
    upper, lower = (require(page.locator(f"label.c{column}").bounding_box())["y"] for column in (2, 3))
    assert upper < lower
    page.locator("#die-2").click(force=True)
    page.click("#bank")
    expect(page.locator("#status")).to_have_text("Your turn, Bruno")
