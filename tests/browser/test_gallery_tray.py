"""The tray in the browser, on states with values made by hand: taps, announcements, and what a press sends."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect
from pytest_django import Settings

from tests.browser.conftest import counted
from tests.conftest import Site
from tests.contexts import Contexts
from tests.known import known


@pytest.fixture(autouse=True)
def with_gallery(settings: Settings) -> None:
    settings.DEBUG = True
    settings.ROOT_URLCONF = "tests.gallery.urls"


@pytest.fixture
def tray(page: Page) -> Callable[[str], Page]:
    return lambda state: opened(page, state)


@pytest.fixture
def unlucky(contexts: Contexts, site: Site) -> Iterator[Callable[[str], Page]]:
    """Return a function that opens a state on a page on which errors do not fail the test."""
    with contexts.lend(java_script_enabled=True) as context:
        yield lambda state: opened(context.new_page(), state)


def opened(page: Page, state: str) -> Page:
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"/gallery?state={state}")
    return page


def kept(page: Page) -> str:
    return str(page.evaluate("[...document.querySelectorAll('[name=keep]:checked')].map(e => e.value).join('')"))


def tap(page: Page, column: int) -> None:
    page.locator(f"#die-{column}").dispatch_event("click")


def texts(page: Page, *selectors: str) -> list[str]:
    return [page.inner_text(selector) for selector in selectors]


def test_a_die_that_scores_alone_moves_alone(tray: Callable[[str], Page]) -> None:
    page = tray("decision")
    tap(page, 2)
    assert kept(page) == "346"
    assert texts(page, "#sum", "#bank b", "#throw span") == ["400", "Bank 400", "44% bust risk"]


def test_dice_that_score_together_move_together(tray: Callable[[str], Page]) -> None:
    page = tray("decision")
    tap(page, 3)
    assert kept(page) == "2"
    tap(page, 6)
    assert kept(page) == "2346"


def test_the_log_follows_the_choice(tray: Callable[[str], Page]) -> None:
    page = tray("decision")
    tap(page, 2)
    line = page.locator("#turnlog .throws li").last
    marked = line.locator(".d").evaluate_all("dice => dice.map(d => d.classList.contains('kept'))")
    assert marked == [False, True, True, False, True]
    assert line.locator(".pts").inner_text() == "300"
    assert "300 this throw" in known(line.locator(".vh").text_content())


def test_the_last_scoring_dice_stay_kept_and_say_why(tray: Callable[[str], Page]) -> None:
    page = tray("decision")
    tap(page, 2)
    assert page.get_attribute("#die-3", "aria-disabled") == "true"
    tap(page, 3)
    assert (kept(page), page.inner_text("#detail")) == ("346", "Keep at least one scoring die.")


def test_a_die_that_scores_nothing_says_so(tray: Callable[[str], Page]) -> None:
    page = tray("decision")
    tap(page, 5)
    assert (kept(page), page.inner_text("#detail")) == ("2346", "This die scores nothing now.")


def test_a_die_kept_before_says_so(tray: Callable[[str], Page]) -> None:
    page = tray("decision")
    page.locator(".die.old").first.dispatch_event("click")
    assert page.inner_text("#detail") == "This die was kept in an earlier throw."


def test_a_press_on_a_way_to_keep_takes_and_marks_it(tray: Callable[[str], Page]) -> None:
    page = tray("decision")
    page.click("[data-keep='333']")
    assert kept(page) == "346"
    assert page.locator("#ways [aria-pressed=true]").get_attribute("data-keep") == "333"


def test_if_nothing_need_be_kept_every_die_can_be_released(tray: Callable[[str], Page]) -> None:
    page = tray("free")
    tap(page, 2)
    assert (kept(page), page.inner_text("#sum")) == ("2", "150")
    tap(page, 2)
    assert (kept(page), page.get_attribute("#bank", "aria-disabled")) == ("", "true")


def test_a_button_that_only_explains_sends_nothing(tray: Callable[[str], Page]) -> None:
    page = tray("entry")
    sent = []
    page.on("request", lambda request: sent.append(request.method))
    page.locator("#bank").dispatch_event("click")
    assert page.inner_text("#detail") == "First bank: 500+ · 50 to go"
    assert "POST" not in sent


def test_a_choice_is_announced_once_after_a_rest(tray: Callable[[str], Page]) -> None:
    page = tray("decision")
    tap(page, 2)
    tap(page, 2)
    tap(page, 2)
    assert "Keeping" not in page.inner_text("#live")
    expect(page.locator("#live")).to_have_text(re.compile("^Keeping 3 dice: 300"))


def test_each_key_does_what_it_stands_for(tray: Callable[[str], Page]) -> None:
    page = tray("decision")
    page.keyboard.press("2")
    assert kept(page) == "346"
    page.keyboard.press("a")
    assert kept(page) == "2346"
    page.keyboard.press("n")
    assert kept(page) == "346"
    page.keyboard.press("b")
    assert kept(page) == "2346"
    page.keyboard.press("h")
    assert not page.evaluate("document.querySelector('#ways').open")


def test_keys_can_be_switched_off_and_leave_fields_and_modifiers_alone(tray: Callable[[str], Page]) -> None:
    page = tray("decision")
    page.evaluate("document.documentElement.dataset.keys = 'off'")
    page.keyboard.press("2")
    page.evaluate("document.documentElement.dataset.keys = 'on'")
    page.keyboard.press("Alt+2")
    page.click("#menu summary")
    page.focus("#target")
    page.keyboard.press("2")
    assert kept(page) == "2346"


def test_focus_stays_on_throw_and_live_stays_the_same_node(tray: Callable[[str], Page]) -> None:
    page = tray("decision")
    page.evaluate("document.querySelector('#live').dataset.mark = 'same'")
    page.focus("#throw")
    page.keyboard.press("Enter")
    expect(page.locator("#live")).to_have_text(re.compile("^Bust."))
    assert page.evaluate("[document.activeElement.id, document.querySelector('#live').dataset.mark]") == [
        "throw",
        "same",
    ]


def test_after_bank_the_focus_is_on_the_status(tray: Callable[[str], Page]) -> None:
    page = tray("decision")
    page.focus("#bank")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_text("Your turn, Bruno")
    assert page.evaluate("document.activeElement.id") == "status"


def test_a_second_press_does_not_throw_for_the_next_player(tray: Callable[[str], Page]) -> None:
    page = tray("decision")
    submits = counted(page, "submit")
    page.evaluate("document.addEventListener('htmx:after:swap', () => document.querySelector('#throw').click())")
    page.click("#throw")
    expect(page).to_have_title("Your turn, Bruno · 10,000")
    assert submits() == 1


@pytest.mark.parametrize("status", [409, 422])
def test_a_refusal_brings_the_board_and_a_sentence(tray: Callable[[str], Page], status: int) -> None:
    page = answer_with(tray("decision"), status)
    assert "Someone moved first" in page.inner_text("#banner")


@pytest.mark.parametrize("status", [400, 403, 404, 429])
def test_other_refusals_only_show_their_sentence(unlucky: Callable[[str], Page], status: int) -> None:
    page = unlucky("decision")
    before = page.input_value("#tray [name=key]")
    answer_with(page, status)
    assert page.inner_text("#banner") != ""
    assert (page.input_value("#tray [name=key]"), page.title()) == (before, "Your turn, Ana · 10,000")


@pytest.mark.parametrize(
    ("status", "said"), [(500, "Your game is safe"), (503, "We can’t reach the games right now. Yours is safe.")]
)
def test_a_broken_server_changes_nothing_and_the_form_keeps_its_key(
    unlucky: Callable[[str], Page], status: int, said: str
) -> None:
    page = unlucky("decision")
    before = page.input_value("#tray [name=key]")
    answer_with(page, status)
    assert said in page.inner_text("#banner")
    assert page.input_value("#tray [name=key]") == before


def test_a_lost_connection_is_announced(unlucky: Callable[[str], Page]) -> None:
    page = unlucky("decision")
    page.route("**/*", lambda route: route.abort())
    page.click("#throw")
    page.wait_for_selector("#banner p")
    assert page.inner_text("#banner") == "You’re offline. Your move will go through when you’re back."


def test_a_computer_plays_on_by_itself(tray: Callable[[str], Page]) -> None:
    page = tray("computer")
    expect(page.locator("#status")).to_have_text("Your turn, Bruno")


def test_the_pad_takes_digits_and_amounts(tray: Callable[[str], Page]) -> None:
    page = tray("manual")
    page.click("[data-back]")
    page.click("[data-digit='00']")
    page.click("[data-add='50']")
    assert page.input_value("#points") == "3550"


def test_without_javascript_a_tap_moves_the_die_and_bank_is_a_form(plain: Page) -> None:
    page = opened(plain, "decision")
    page.locator("#die-2").click(force=True)
    upper, lower = (known(page.locator(f"label.c{column}").bounding_box())["y"] for column in (2, 3))
    assert upper < lower
    page.click("#bank")
    assert page.url.endswith("state=fresh")


def answer_with(page: Page, status: int) -> Page:
    page.evaluate(
        f"document.querySelector('#throw').setAttribute('formaction', '?state=decision&to=error&status={status}')"
    )
    with page.expect_response(lambda response: response.status == status):
        page.click("#throw")
    page.wait_for_selector("#banner p")
    return page
