"""Choosing dice: what a tap moves, what the page says at once, and what it never asks the server for."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import press_and_wait, read_keep, read_texts, tap_die, wait_for_stream
from tests.cast import ANA, BOTH_IN, BRUNO, Device, bank, bust, open_turn, throw

Table = Callable[..., Page]

FARKLE = {"ruleset": "farkle", "start": [[6, 1]]}
HOT = ["Hot dice: throw them all", "Throw all six", "points this turn"]
NUMBERS = ("#sum", "#earlier-points", "#this-points")
BUTTONS = ("#bank b", "#bank span", "#throw b", "#throw span")


@pytest.fixture
def table(page: Page, sit: Callable[..., Page], device: Device) -> Table:
    """Return a function that opens the page of a game after these events, with both players on the board."""

    def at(*events: dict[str, Any], prefs: str = "", **more: Any) -> Page:
        page.emulate_media(reduced_motion="reduce")
        return sit(page, device.game(*BOTH_IN, *events, **more), prefs=prefs)

    return at


def find_line(page: Page, column: int) -> str:
    """Return which line the die lies in, "upper" or "lower"."""
    shelf, die = (page.locator(part).bounding_box() for part in (".shelf", f".die.c{column}"))
    assert shelf and die
    return "lower" if die["y"] + die["height"] / 2 > shelf["y"] else "upper"


# ── what a tap does ──


@pytest.mark.smoke
def test_a_tap_moves_a_die_and_everything_that_depends_on_it(table: Table) -> None:
    page = table(open_turn(0, throw("115236")))
    assert read_keep(page) == "123" and find_line(page, 3) == "lower"
    assert read_texts(page, *NUMBERS) == ["250", "0", "250"]
    tap_die(page, 3)
    assert read_keep(page) == "12" and find_line(page, 3) == "upper"
    assert read_texts(page, *NUMBERS) == ["200", "0", "200"]
    assert read_texts(page, *BUTTONS) == ["Bank 200", "makes 1,200", "Throw 4 dice", "16% bust risk"]
    assert read_texts(page, "#upper", "#lower") == ["To throw · 4 dice", "Kept · 2 dice"]
    assert read_texts(page, "#detail", ".player.now .word") == ["Throw 1: 200 points", "+200 now"]
    expect(page.locator("#throw .meter rect")).to_have_attribute("width", re.compile(r"^15\.\d%$"))
    press_and_wait(page, page.locator("#bank").click)
    expect(page.locator(".player .score")).to_have_text(["1,200", "1,000"])


def test_dice_ticked_before_the_scripts_come_stay_ticked(table: Table) -> None:
    page = table(open_turn(0, throw("115236")))
    held: list[Route] = []
    page.route("**/js/game.*", lambda route: held.append(route))
    with page.expect_request("**/js/game.*"):
        page.reload(wait_until="commit")
    tap_die(page, 3)
    held[0].continue_()
    expect(page.locator("#bank")).to_contain_text("Bank 200")
    assert read_keep(page) == "12"
    assert read_texts(page, *NUMBERS) == ["200", "0", "200"]


def test_choosing_dice_sends_no_request(table: Table) -> None:
    page = table(open_turn(0, throw("333526")))
    wait_for_stream(page)
    requests: list[str] = []
    files = ("other", "script")  # icons, and the sounds once the page has been touched
    page.on("request", lambda request: requests.append(request.url) if request.resource_type not in files else None)
    for column in (4, 1, 4, 5, 1, 2):
        tap_die(page, column)
    page.locator("#ways .way").last.click()
    page.keyboard.press("a")
    expect(page.locator("#live")).to_contain_text("Keeping")  # announced after a rest, when any request has been sent
    assert requests == []


def test_dice_that_score_only_together_move_together(table: Table) -> None:
    page = table(open_turn(0, throw("333526")))
    tap_die(page, 2)
    assert read_keep(page) == "4"
    tap_die(page, 3)
    assert read_keep(page) == "1234"


def test_one_of_four_fives_moves_alone(table: Table) -> None:
    page = table(open_turn(0, throw("555526")))
    tap_die(page, 2)
    assert (read_keep(page), *read_texts(page, "#sum")) == ("134", "500")


@pytest.mark.parametrize(
    ("dice", "column", "answer", "stays"),
    [
        ("133446", 1, "Keep at least one scoring die.", "1"),
        ("333246", 2, "Keep at least one scoring die.", "123"),
        ("133446", 2, "This die scores nothing now.", "1"),
    ],
)
def test_a_tap_that_changes_nothing_says_why(table: Table, dice: str, column: int, answer: str, stays: str) -> None:
    page = table(open_turn(0, throw(dice)))
    tap_die(page, column)
    expect(page.locator("#detail")).to_have_text(answer)
    assert read_keep(page) == stays
    expect(page.locator("#live")).to_have_text(answer)


def test_a_die_of_an_earlier_throw_says_so(table: Table) -> None:
    page = table(open_turn(0, throw("133446", "1"), throw("15346")))
    page.locator(".die.c1").click()
    expect(page.locator("#detail")).to_have_text("This die was kept in an earlier throw.")


def test_the_explanation_disappears_with_the_next_choice(table: Table) -> None:
    page = table(open_turn(0, throw("115236")))
    tap_die(page, 4)
    tap_die(page, 3)
    expect(page.locator("#detail")).to_have_text("Throw 1: 200 points")


def test_dice_say_in_words_what_they_are_worth_and_why_they_stay(table: Table) -> None:
    page = table(open_turn(0, throw("333526")))
    tap_die(page, 4)
    three, five, two = (page.locator(f"#die-{column}") for column in (1, 4, 5))
    expect(three).to_have_accessible_name("Die 1: three")
    must = "You must keep at least one scoring die."
    expect(three).to_have_accessible_description(f"Part of three of a kind, 300 points. {must}")
    expect(three).to_have_attribute("aria-disabled", "true")
    expect(five).to_have_accessible_description("50 points. Optional.")
    expect(two).to_have_accessible_description("Scores nothing now.")


# ── the buttons that only explain ──


def test_a_press_on_a_greyed_bank_says_what_is_missing(table: Table) -> None:
    page = table(open_turn(0, throw("115236")), **FARKLE)
    page.locator("#bank").click(force=True)
    expect(page.locator("#detail")).to_have_text("Minimum: 350 · 100 to go")
    expect(page.locator("#status")).to_have_text(f"Your turn, {ANA}")


# ── other ways to choose ──


def test_a_row_of_ways_to_keep_ticks_its_dice(table: Table) -> None:
    page = table(open_turn(0, throw("115236")))
    way = page.get_by_role("button", name="1 5: 150")
    way.click()
    assert (read_keep(page), *read_texts(page, "#sum")) == ("13", "150")
    expect(way).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#ways [aria-pressed=true]")).to_have_count(1)


def test_a_row_of_ways_to_keep_can_be_opened_in_another_tab(table: Table) -> None:
    page = table(open_turn(0, throw("115236")))
    with page.context.expect_page() as opened:
        page.get_by_role("button", name="1 5: 150").click(modifiers=["ControlOrMeta"])
    expect(opened.value.locator("#sum")).to_have_text("150")
    assert read_keep(page) == "123"


def test_space_presses_a_row_of_ways_to_keep(table: Table) -> None:
    page = table(open_turn(0, throw("115236")))
    page.get_by_role("button", name="1 5: 150").focus()
    page.keyboard.press("Space")
    assert read_keep(page) == "13"


def test_with_i_choose_myself_nothing_is_kept_at_first(table: Table) -> None:
    page = table(open_turn(0, throw("115236")), prefs="first=choose")
    assert (read_keep(page), *read_texts(page, "#sum")) == ("", "0")
    page.locator("#throw").click(force=True)
    expect(page.locator("#detail")).to_have_text("Keep a scoring die first")
    tap_die(page, 2)
    assert (read_keep(page), *read_texts(page, "#bank b")) == ("2", "Bank 100")
    tap_die(page, 2)
    assert read_keep(page) == ""
    expect(page.locator("#bank")).to_have_attribute("aria-disabled", "true")


def test_without_javascript_a_wrong_choice_is_answered_with_the_nearest(
    plain: Page, sit: Callable[..., Page], device: Device
) -> None:
    sit(plain, device.game(*BOTH_IN, open_turn(0, throw("333526"))))
    tap_die(plain, 1)
    plain.locator("#bank").click()
    expect(plain.get_by_role("alert")).to_have_text("These dice don’t all score. Keep 3 3 3 5, or choose again.")
    plain.wait_for_load_state()  # the dice come after the alert
    assert read_keep(plain) == "1234"


def test_without_javascript_figures_of_another_choice_give_way_to_words(
    plain: Page, sit: Callable[..., Page], device: Device
) -> None:
    page = sit(plain, device.game(*BOTH_IN, open_turn(0, throw("115236"))))
    figures = [page.locator(part) for part in ("#sum", "#lower", "#throw span", "#throw b", ".player.now .word")]
    words = "['#bank b', '#throw b'].map(button => getComputedStyle(document.querySelector(button), '::after').content)"
    for figure in figures:
        expect(figure).to_be_visible()
    tap_die(page, 3)
    for figure in figures:
        expect(figure).to_be_hidden()
    assert page.evaluate(words) == ['"Bank"', '"Throw"']
    tap_die(page, 3)
    for figure in figures:
        expect(figure).to_be_visible()


@pytest.mark.parametrize("javascript", [True, False])
def test_keys_are_shown_only_where_they_work(
    browse: Callable[..., Page], sit: Callable[..., Page], device: Device, javascript: bool
) -> None:
    game = device.game(*BOTH_IN, open_turn(0, throw("333526")))
    page = sit(browse(1280, javascript=javascript), game)
    shown = page.locator("kbd:visible")
    assert shown.all_inner_texts() == ([*"123456", "G", "R"] if javascript else [])


# ── special throws ──


def test_three_pairs_with_dice_kept_before_are_offered_and_linked(table: Table) -> None:
    grows = open_turn(0, throw("115346", "11"), throw("5523", "55"), throw("33"))
    page = table(grows, ruleset="boxcars")
    assert read_texts(page, "#sum", "#bank b") == ["750", "Bank 750"]
    expect(page.locator("#ways .way").first.locator(".d.link")).to_have_count(4)


def test_six_of_a_kind_win(table: Table) -> None:
    page = table(open_turn(0, throw("222222")), ruleset="boxcars")
    assert read_texts(page, "#bank b", "#bank span") == ["Win", "six of a kind wins"]
    assert read_texts(page, "#upper", "#lower") == ["To throw · 0 dice", "Kept · 6 dice"]
    page.locator("#bank").click()
    expect(page.locator("#status")).to_have_text(f"Six of a kind! {ANA} wins at once.")


def test_the_page_counts_the_three_tries_with_the_last_die(table: Table, falls: Callable[..., None]) -> None:
    page = table(open_turn(0, throw("111554", "11155"), throw("4")), **FARKLE)
    expect(page.locator("#detail")).to_have_text("Try 2 of 3 with one die.")
    expect(page.locator("#tray .tries i")).to_have_count(3)
    page.locator("#bank").click(force=True)
    expect(page.locator("#detail")).to_have_text("Finish your three tries first")
    falls("6", "1")
    press_and_wait(page, lambda: page.locator("#throw").click())
    expect(page.locator("#detail")).to_have_text("Try 3 of 3 with one die.")
    press_and_wait(page, lambda: page.locator("#throw").click())
    expect(page.locator("#detail")).to_have_text("Hot dice! Throw all six again: 1,200 so far.")


@pytest.mark.parametrize("by_key", [False, True])
def test_dice_of_the_player_before_can_be_picked_up(table: Table, falls: Callable[..., None], *, by_key: bool) -> None:
    page = table(bank(0, 200, throw("155236", "155")), ruleset="wikipedia")
    assert read_texts(page, "#pick-up b", "#throw b") == ["Pick up 3 dice", "Throw 6 dice"]
    assert read_texts(page, "#pick-up span") == ["from 200 · 28% bust risk"]
    expect(page.locator("#tray .die.old.down")).to_have_count(3)  # dice that the other kept are grey and stay
    rim, risk = (
        page.locator(button).evaluate(f"button => getComputedStyle(button).{part}")
        for button, part in (("#pick-up", "boxShadow"), ("#throw", "backgroundColor"))
    )
    assert risk in rim  # the rim has the colour of Throw, not of Bank
    falls("134")
    press_and_wait(page, lambda: page.keyboard.press("u") if by_key else page.locator("#pick-up").click())
    assert read_texts(page, *NUMBERS) == ["300", "200", "100"]
    assert [die.get_attribute("value") for die in page.locator("#tray [name=keep]").all()] == ["4", "5", "6"]


def test_a_bust_is_washed_gray_and_the_device_is_passed_on(table: Table, falls: Callable[..., None]) -> None:
    page = table(open_turn(0, throw("111346")))
    falls("246")
    press_and_wait(page, lambda: page.locator("#throw").click())
    expect(page.locator("#detail")).to_have_text(f"{ANA} busted and lost 1,000 points. Pass to {BRUNO}.")
    expect(page.locator("#status")).to_have_text(f"Your turn, {BRUNO}")
    expect(page.locator(".felt.lost .die")).to_have_count(6)
    expect(page.locator("s#sum")).to_have_text("1,000")
    assert read_texts(page, "#throw b", "#throw span") == ["Throw 6 dice", "your turn"]


def test_a_bust_is_still_shown_when_the_page_is_opened(table: Table) -> None:
    page = table(bust(0, throw("111346", "111"), throw("246")))
    expect(page.locator("#detail")).to_have_text(f"{ANA} busted and lost 1,000 points. Pass to {BRUNO}.")
    expect(page.locator(".felt.lost .die")).to_have_count(6)


def test_after_hot_dice_all_six_are_thrown_again(table: Table, falls: Callable[..., None]) -> None:
    page = table(open_turn(0, throw("123456")))
    expect(page.locator("#detail")).to_have_text("Hot dice! Throw all six again: 1,500 so far.")
    assert read_texts(page, "#bank span", "#throw b", "#unit") == HOT
    tap_die(page, 1)  # which leaves the 5 alone
    expect(page.locator(".felt.hot")).to_have_count(0)
    assert read_texts(page, "#bank span", "#throw b", "#unit") == [
        "makes 1,050",
        "Throw 5 dice",
        "points if you bank now",
    ]
    expect(page.locator("#sum")).to_have_class("w2")  # for digits of their full size
    page.keyboard.press("a")
    expect(page.locator(".felt.hot")).to_have_count(1)
    assert read_texts(page, "#bank span", "#throw b", "#unit") == HOT
    falls("122346")
    press_and_wait(page, lambda: page.locator("#throw").click())
    assert read_texts(page, *NUMBERS) == ["1,600", "1,500", "100"]
    assert (read_keep(page), page.locator(".die.old").count()) == ("1", 0)
