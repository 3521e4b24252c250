"""Whole games from setting up to the rematch, each played in a different way.

The tests press what the page offers: Bank where it is active, otherwise Throw. In most games against a computer the
dice fall by chance; the other games are over in a few throws.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import has_effect, press_and_wait, read_keep
from tests.cast import ANA, BRUNO, HAL

Press = Callable[[str], object]  # presses the control that a selector names
Falls = Callable[..., None]

OPPONENTS = pytest.mark.parametrize("opponent", [BRUNO, HAL])
PRESSES_MOST = 400
# Ana busts, Bruno gets on the board, Ana has hot dice and banks beyond 1,000, and Bruno's last turn is a bust.
SHORT_GAME = "115236", "246", "555234", "111222", "115236", "223446"
READY = "#finish, #tray:not([data-pause]) .big"
WON = re.compile(r"^You win!$| wins by [\d,]+$")
PLAIN = ("bank", "advance", "throw"), "#finish, #tray .big"


def iterate_buttons(page: Page, plays: tuple[str, ...] = ("bank", "throw"), ready: str = READY) -> Iterator[str]:
    """Yield the selector of the button to press next, until the game is over."""
    for _press in range(PRESSES_MOST):
        page.locator(ready).first.wait_for()
        if page.locator("#finish").count():
            return
        yield next(f"#{name}" for name in plays if has_effect(page.locator(f"#{name}")))
    pytest.fail("The game does not come to its end.")


def speed_up_computers(page: Page) -> None:
    page.goto("/prefs")
    page.get_by_label("Instant").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved").first).to_be_visible()


def set_motion(page: Page, opponent: str) -> None:
    """Play with reduced motion against a computer and with full motion among people, so that both are tested."""
    page.emulate_media(reduced_motion="reduce" if opponent == HAL else "no-preference")


def set_up(page: Page, opponent: str, press: Press) -> None:
    set_motion(page, opponent)
    speed_up_computers(page)
    page.goto("/new?for=computer" if opponent == HAL else "/new?for=phone")
    page.locator("#name-1").fill(ANA)
    page.locator("#name-2").fill(opponent)
    press("details.options summary")
    page.locator("#target").fill("1000")
    press("#start")
    page.wait_for_url("**/g/*")


def choose_dice(opponent: str) -> tuple[str, ...]:
    """Return the dice that fall: of a whole game of two people, but only of the first throw against a computer."""
    return SHORT_GAME if opponent == BRUNO else SHORT_GAME[:1]


def expect_end(page: Page) -> None:
    """Check that the heading says who has won and has the focus."""
    heading = page.locator("#finish h1")
    expect(heading).to_have_text(WON)
    expect(heading).to_be_focused()


def press_rematch(page: Page, press: Press) -> None:
    """Press Rematch and check that it is a new game in which the last player begins."""
    seats = page.locator(".player b")
    last = seats.last.inner_text()
    over = page.url
    page.wait_for_function("() => !window.htmx || performance.now() > quietUntil")
    press("#finish form .big")
    expect(page).not_to_have_url(over)
    expect(page.locator("#finish")).to_have_count(0)
    expect(seats.first).to_have_text(last)


# ── by mouse ──


@pytest.mark.smoke
def test_a_game_from_the_home_page_is_played_to_a_lowered_target(page: Page, falls: Falls) -> None:
    def click(selector: str) -> None:
        page.locator(selector).click()

    speed_up_computers(page)
    page.goto("/")
    falls("115236", "246", "444236", "223", *SHORT_GAME[-3:])  # the computer has to keep three 4s, and busts
    click("#throw")
    page.locator(READY).first.wait_for()
    click("#menu summary")
    page.get_by_label("Target").fill("1000")
    press_and_wait(page, page.get_by_role("button", name="Save").first.click)
    click("#status")
    for button in iterate_buttons(page):
        press_and_wait(page, partial(click, button))
    expect_end(page)
    press_rematch(page, click)


def test_two_people_play_by_mouse(page: Page, falls: Falls) -> None:
    def click(selector: str) -> None:
        page.locator(selector).click()

    set_up(page, BRUNO, click)
    falls(*SHORT_GAME)
    for button in iterate_buttons(page):
        press_and_wait(page, partial(click, button))
    expect_end(page)
    press_rematch(page, click)


# ── by touch ──


@OPPONENTS
def test_a_game_is_played_on_a_phone(phone: Page, falls: Falls, opponent: str) -> None:
    def tap(selector: str) -> None:
        phone.locator(selector).tap()

    set_up(phone, opponent, tap)
    falls(*choose_dice(opponent))
    for button in iterate_buttons(phone):
        press_and_wait(phone, partial(tap, button))
    expect_end(phone)
    press_rematch(phone, tap)


# ── by keyboard alone ──


def tab_to(page: Page, selector: str, key: str = "Tab") -> None:
    for _step in range(60):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press(key)
    pytest.fail(f"{key} never comes to {selector}.")


@OPPONENTS
def test_a_game_is_played_by_tab_space_and_enter_without_single_keys(page: Page, falls: Falls, opponent: str) -> None:
    def press(selector: str, key: str = "Enter") -> None:
        back = selector == "#bank" and page.evaluate("document.activeElement.id === 'throw'")
        tab_to(page, selector, "Shift+Tab" if back else "Tab")
        page.keyboard.press(key)

    set_motion(page, opponent)
    page.goto("/prefs")
    for setting in ("pace", "keys"):
        press(f"[name={setting}]", "ArrowUp")  # from the first choice to the last, and from Normal to Slow
        expect(page.locator(f"#saved-{setting}")).to_have_text("Saved")
    with page.expect_response("**/prefs"):
        press("#pace-1", "ArrowUp")
    expect(page.get_by_label("Instant")).to_be_checked()
    page.goto("/new?for=computer" if opponent == HAL else "/new?for=phone")
    tab_to(page, "#name-1")
    page.keyboard.type(ANA)
    press("details.options summary")
    tab_to(page, "#target")
    page.keyboard.type("1000")
    page.keyboard.press("Enter")
    page.wait_for_url("**/g/*")
    falls(*choose_dice(opponent))
    press_and_wait(page, lambda: press("#throw"))
    move_gold_die(page)
    for button in iterate_buttons(page):
        for key in "rg1":
            page.keyboard.press(key)
        press_and_wait(page, partial(press, button))
    expect_end(page)
    press_rematch(page, press)


def move_gold_die(page: Page) -> None:
    points = page.locator("#sum").inner_text()
    tab_to(page, ".opt input", "Shift+Tab")
    die = page.locator(":focus")
    page.keyboard.press("Space")
    expect(die).not_to_be_checked()
    expect(page.locator("#sum")).not_to_have_text(points)
    page.keyboard.press("Space")
    expect(die).to_be_checked()


# ── by single keys ──


@OPPONENTS
def test_a_game_is_played_by_single_keys(page: Page, falls: Falls, opponent: str) -> None:
    keys = {"#throw": "r", "#bank": "g"}
    set_up(page, opponent, lambda selector: page.locator(selector).click())
    falls(*choose_dice(opponent))
    press_and_wait(page, lambda: page.keyboard.press("r"))
    walk_ways_and_undo(page)
    for button in iterate_buttons(page):
        press_and_wait(page, partial(page.keyboard.press, keys[button]))
    expect_end(page)
    press_rematch(page, lambda _rematch: page.keyboard.press("p"))


def walk_ways_and_undo(page: Page) -> None:
    everything, points = read_keep(page), page.locator("#sum").inner_text()
    page.keyboard.press("n")
    expect(page.locator("#ways .way").nth(1)).to_have_attribute("aria-pressed", "true")
    assert read_keep(page) != everything
    page.keyboard.press("b")
    expect(page.locator("#sum")).to_have_text(points)
    page.keyboard.press("n")
    page.keyboard.press("a")
    assert read_keep(page) == everything
    page.keyboard.press("h")
    expect(page.locator("#ways ul")).to_be_hidden()
    page.keyboard.press("h")
    expect(page.locator("#ways ul")).to_be_visible()
    dice = page.locator("#tray .die .vh")
    fell = dice.all_inner_texts()
    press_and_wait(page, lambda: page.keyboard.press("Control+z"))
    expect(dice).to_have_count(0)
    press_and_wait(page, lambda: page.keyboard.press("r"))
    expect(dice).to_have_text(fell)


# ── without JavaScript ──


@OPPONENTS
def test_a_game_is_played_without_javascript(plain: Page, falls: Falls, opponent: str) -> None:
    def click(selector: str) -> None:
        plain.locator(selector).click()

    set_up(plain, opponent, click)
    fallen = choose_dice(opponent)
    falls(*("2346" if fell == "246" else fell for fell in fallen))  # because one die fewer is kept before
    click("#throw")
    follow_way(plain)
    for button in iterate_buttons(plain, *PLAIN):
        before = plain.locator("#top").get_attribute("data-version") or ""
        click(button)
        expect(plain.locator("#top")).not_to_have_attribute("data-version", before)
    expect(plain.locator("#finish h1")).to_have_text(WON)
    press_rematch(plain, click)


def follow_way(plain: Page) -> None:
    plain.get_by_role("button", name="1 5: 150").click()
    expect(plain).to_have_url(re.compile(r"\?keep="))
    expect(plain.locator("#this-points")).to_have_text("150")
    assert read_keep(plain) == "13"
