"""Practice, odds and the coach in a browser: with keys, without scripts, and with axe."""

import re
import zlib
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from game.pages.practice.positions import make_numbered
from game.rules import preset
from game.storage.columns import pick_columns
from game.strategy import preload
from game.strategy.win import rate_state
from tests.axe import check_accessible, check_accessible_at_widths
from tests.browser.conftest import tap_die
from tests.cast import ANA, HAL, Device, open_turn, throw
from tests.require import require

AT = "/practice?mode=keep&ruleset=classic&n=7"
PAGES = {
    "odds": "/odds",
    "odds refused": "/odds?dice=2&points=75",
    "question": AT,
    "answer": f"{AT}&kept=1,3,6&then=bank",
    "right": f"{AT}&kept=1&then=throw",
    "no games": "/practice?mode=mine",
    "help": "/help",
}


@pytest.fixture(scope="module", autouse=True)
def prepared() -> None:
    """Solve the values of Classic, as a site has done a few seconds after its start."""
    preload.preload_ruleset(preset("classic"), 10_000)


def find_best_way(number: int) -> tuple[tuple[int, ...], str]:
    at = make_numbered(preset("classic"), "keep", number)
    way = rate_state(at.state)[0].option
    return pick_columns(at.thrown.by_column, way.keep.dice), way.then


@pytest.mark.parametrize("address", PAGES.values(), ids=PAGES)
def test_the_pages_are_accessible_and_as_wide_as_the_window(page: Page, address: str) -> None:
    page.goto(address)
    check_accessible_at_widths(page, (320, 768, 1280))


def test_dice_and_buttons_are_on_the_screen_of_a_small_laptop(page: Page) -> None:
    for address in ("/practice?mode=entry&ruleset=classic&n=7", AT):
        page.goto(address)
        for button in ("#bank", "#throw"):
            expect(page.locator(button)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(("width", "height"), [(667, 375), (844, 390)])
def test_question_and_buttons_are_on_the_screen_of_a_phone_held_sideways(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    for address in ("/practice?mode=entry&ruleset=classic&n=7", AT):
        page.goto(address)
        for part in ("#situation", "#bank", "#throw"):
            expect(page.locator(part)).to_be_in_viewport(ratio=1)


def test_keys_answer_and_enter_leads_to_the_next_position(page: Page) -> None:
    columns, then = find_best_way(7)
    page.goto(AT)
    ticked = {int(require(die.get_attribute("value"))) for die in page.locator("#tray [name=keep]:checked").all()}
    for column in ticked - set(columns):
        page.keyboard.press(str(column))
    page.keyboard.press("g" if then == "bank" else "r")
    expect(page.locator("#verdict")).to_have_text("Right!")
    expect(page.locator("#next")).to_be_focused()
    expect(page.locator("#tally")).to_have_text("1 of 1 right: 100%.")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("n=8$"))
    expect(page.locator("#bank")).to_be_visible()


def test_a_tap_changes_what_the_buttons_say(phone: Page) -> None:
    phone.goto(AT)
    before = phone.locator("#bank b").inner_text()
    tap_die(phone, 1)
    expect(phone.locator("#bank b")).not_to_have_text(before)
    expect(phone.locator("#detail")).to_contain_text("150")


def test_practice_works_without_scripts(plain: Page) -> None:
    plain.goto(AT)
    tap_die(plain, 1)
    expect(plain.locator("#throw b")).to_be_hidden()  # its figure is that of another choice
    tap_die(plain, 1)
    plain.locator("#throw").click()
    expect(plain.locator("#verdict")).to_contain_text("That costs")
    plain.locator("#next").click()
    plain.wait_for_url(re.compile("n=8$"))


def test_back_leads_from_the_answer_to_the_question(page: Page) -> None:
    page.goto(AT)
    page.locator("#bank").click()
    expect(page.locator("#verdict")).to_be_visible()
    page.go_back()
    expect(page.locator("#bank")).to_be_visible()


def test_the_odds_page_works_without_scripts(plain: Page) -> None:
    plain.goto("/odds")
    plain.get_by_label("Rules").select_option("farkle")
    plain.get_by_label("Dice left").select_option("3")
    plain.get_by_label("Points this turn").fill("600")
    plain.get_by_role("button", name="Bank or throw?").click()
    expect(plain.locator("#answer")).to_contain_text("Bank. Throwing 3 dice busts 27.8% of the time")
    expect(plain.get_by_label("Rules")).to_have_value("farkle")


def test_the_example_turn_of_the_help_can_be_played(page: Page) -> None:
    page.goto("/help")
    page.locator("#bank").click()
    expect(page.locator("#why")).to_contain_text("keep all four and bank 450")


@pytest.mark.parametrize("width", [320, 1280])
def test_the_coach_marks_one_way_to_keep_and_says_why(
    browse: Callable[..., Page],
    sit: Callable[..., Page],
    device: Device,
    width: int,
) -> None:
    page = browse(width=width)
    sit(page, device.game(open_turn(0, throw("153363")), players=(ANA, HAL)))
    expect(page.locator("#ways .best")).to_have_count(1)
    expect(page.locator("#ways")).to_contain_text("You need 500 for your first bank.")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    check_accessible(page)


def test_no_panel_of_the_odds_is_printed_on_two_sheets(page: Page) -> None:
    page.goto("/odds?ruleset=classic")
    # In a colour of their own: what stands on two sheets is filled on both.
    page.eval_on_selector_all(".panel", "all => all.forEach(each => each.style.background = '#fedcba')")
    sheets = page.pdf(format="A4", print_background=True)
    assert len(re.findall(rb"/Type\s*/Page[^s]", sheets)) == 2
    drawn = [zlib.decompress(part) for part in re.findall(rb"stream\r?\n(x.*?)\r?\nendstream", sheets, re.DOTALL)]
    assert b"".join(drawn).count(b".9961 .8627 .7294 rg") == page.locator(".panel").count()
