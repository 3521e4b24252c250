"""The page for screen readers: a sentence for each action, the focus in its place, no press lost or doubled."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import COMPUTERS_WAIT, count_events, press_and_wait, read_keep, wait_until_ready
from tests.cast import ANA, BOTH_IN, BRUNO, HAL, Device, open_turn, throw

Sit = Callable[..., Page]
Falls = Callable[..., None]

DECIDING = open_turn(0, throw("115236"))
FOCUSED = "document.activeElement.id || document.activeElement.tagName"


def press_by_keyboard(page: Page, name: str) -> None:
    """Press a button by keyboard, as somebody who cannot see the page does."""
    page.locator(f"#{name}").focus()
    press_and_wait(page, lambda: page.keyboard.press("Enter"))


@pytest.fixture
def heard(page: Page) -> Callable[[], list[str]]:
    """Return a function that returns every sentence that has appeared in #live since the page was opened."""
    page.add_init_script(
        """window.heard = []
        document.addEventListener('DOMContentLoaded', () => {
            const live = document.querySelector('#live')
            live.mine = 'since the page was opened'
            new MutationObserver(() => live.textContent && heard.push(live.textContent))
                .observe(live, {childList: true, characterData: true, subtree: true})
        })"""
    )
    return lambda: page.evaluate("heard")


# ── announcements ──


def test_each_throw_is_one_announcement_in_the_same_element(
    page: Page, sit: Sit, device: Device, falls: Falls, heard: Callable[[], list[str]]
) -> None:
    sit(page, device.game(*BOTH_IN))
    falls("115236", "146", "46")
    for _throw in range(3):
        press_by_keyboard(page, "throw")
    assert heard() == [
        "You threw 1 1 5 2 3 6: keeping 1 1 5 is 250 points, 250 in all, with 3 dice to throw and 28% bust risk.",
        "You threw 1 4 6: keeping 1 is 100 points, 350 in all, with 2 dice to throw and 44% bust risk.",
        f"You threw 4 6. Bust! 350 points lost. {BRUNO} is next.",
    ]
    assert page.evaluate("document.querySelector('#live').mine") == "since the page was opened"
    assert page.evaluate(FOCUSED) == "throw"


def test_a_bank_says_the_points_and_the_score(
    page: Page, sit: Sit, device: Device, heard: Callable[[], list[str]]
) -> None:
    sit(page, device.game(*BOTH_IN, DECIDING))
    press_by_keyboard(page, "bank")
    assert heard() == [f"{ANA} banked 250. Score 1,250. {ANA} takes the lead! {BRUNO} is next."]


def test_a_computers_turn_is_announced_step_by_step(
    page: Page, sit: Sit, device: Device, falls: Falls, heard: Callable[[], list[str]]
) -> None:
    sit(page, device.game(*BOTH_IN, DECIDING, players=[ANA, HAL]), prefs="pace=instant")
    falls("344466")
    press_by_keyboard(page, "bank")
    page.locator("#tray:not([data-pause]) #throw").wait_for()
    assert heard() == [
        f"You banked 250. Score 1,250. You take the lead! {HAL} is next.",
        f"{HAL} threw 3 4 4 4 6 6.",
        f"{HAL} keeps 4 4 4 for 400. {HAL} banked 400. Score 1,400. {HAL} takes the lead! It is your turn.",
    ]


def test_only_the_last_of_several_choices_is_announced_after_a_rest(
    page: Page, sit: Sit, device: Device, heard: Callable[[], list[str]]
) -> None:
    page.clock.install(time=0)
    page.clock.pause_at(1)  # time passes only when the test lets it, however slow the machine is
    sit(page, device.game(*BOTH_IN, DECIDING))
    for _time in range(3):
        page.keyboard.press("3")
    page.clock.run_for(1000)
    expect(page.locator("#live")).to_have_text(re.compile("^Keeping 1 1: 200 this throw"))
    page.keyboard.press("t")
    page.clock.run_for(1000)
    expect(page.locator("#live")).to_have_text(re.compile(f"Your turn, {ANA}"))
    expect(page.locator("#live")).to_have_text(re.compile("200 points if you bank now"))
    assert ".." not in page.locator("#live").inner_text()
    assert len(heard()) == 2


def test_the_table_is_read_out_before_the_first_throw_without_empty_places(
    page: Page, sit: Sit, device: Device
) -> None:
    sit(page, device.game())
    page.keyboard.press("t")
    sentence = f"{ANA} 0 needs 500. {BRUNO} 0 needs 500. Your turn, {ANA}. To throw · 6 dice. Kept · 0 dice"
    expect(page.locator("#live")).to_have_text(sentence)


def test_the_table_is_read_out_with_the_faces_that_lie_there_and_those_kept(
    page: Page, sit: Sit, device: Device, falls: Falls
) -> None:
    sit(page, device.game(*BOTH_IN, open_turn(0, throw("115236", "11"), throw("5246"))))
    page.keyboard.press("t")
    heard = "Throw 1: 1 1 5 2 3 6, kept 1 1 for 200 points. Throw 2: 5 2 4 6. Keeping 5: 50 this throw, 250 in all. "
    expect(page.locator("#live")).to_contain_text(heard)
    falls("146")
    press_and_wait(page, page.locator("#throw").click)
    page.keyboard.press("t")
    expect(page.locator("#live")).to_contain_text("Throw 3: 1 4 6. Keeping 1: 100 this throw, 350 in all. ")


def test_the_faces_are_read_out_with_another_choice_of_dice(page: Page, sit: Sit, device: Device) -> None:
    sit(page, device.game(*BOTH_IN, DECIDING))
    page.keyboard.press("3")
    page.keyboard.press("t")
    expect(page.locator("#live")).to_contain_text("Throw 1: 1 1 5 2 3 6. Keeping 1 1: 200 this throw, 200 in all. ")


# ── focus ──


def test_the_focus_stays_on_what_was_used_last(page: Page, sit: Sit, device: Device, falls: Falls) -> None:
    sit(page, device.game(*BOTH_IN))
    falls("115236", "1246")
    press_by_keyboard(page, "throw")
    assert page.evaluate(FOCUSED) == "throw"
    page.locator("#die-3").focus()
    page.keyboard.press("Space")
    assert (read_keep(page), page.evaluate(FOCUSED)) == ("12", "die-3")
    press_by_keyboard(page, "throw")
    assert page.evaluate(FOCUSED) == "throw"


def test_in_safari_a_pressed_button_has_the_focus_too(phone: Page, sit: Sit, device: Device, falls: Falls) -> None:
    phone.add_init_script("addEventListener('mousedown', event => event.preventDefault(), true)")  # as Safari does
    sit(phone, device.game(*BOTH_IN, DECIDING))
    falls("146")
    phone.evaluate("scrollTo(0, 260)")
    press_and_wait(phone, phone.locator("#throw").click)
    assert phone.evaluate(FOCUSED) == "throw"
    assert phone.evaluate("scrollY") == 260  # it has not moved to the status


def test_in_safari_a_press_at_the_edge_of_the_window_does_not_scroll(phone: Page) -> None:
    phone.add_init_script("addEventListener('mousedown', event => event.preventDefault(), true)")  # as Safari does
    phone.goto("/prefs")
    save = phone.get_by_role("button", name="Save")
    middle = save.evaluate("""save => {
        save.addEventListener('click', event => event.preventDefault())
        scrollBy(0, save.getBoundingClientRect().bottom - innerHeight)
        const { x, y, width, height } = save.getBoundingClientRect()
        return [x + width / 2, y + height / 2]
    }""")
    before = phone.evaluate("scrollY")
    phone.mouse.click(*middle)  # `click` of the locator may scroll
    expect(save).to_be_focused()
    assert phone.evaluate("scrollY") == before


def test_after_a_bank_the_focus_is_on_the_status(page: Page, sit: Sit, device: Device) -> None:
    sit(page, device.game(*BOTH_IN, DECIDING))
    press_by_keyboard(page, "bank")
    expect(page.locator("#status")).to_be_focused()
    expect(page.locator("#status")).to_have_text(f"Your turn, {BRUNO}")
    expect(page).to_have_title(f"Your turn, {BRUNO} · 10,000")


def test_a_bust_does_not_lose_the_focus(page: Page, sit: Sit, device: Device, falls: Falls) -> None:
    page.add_init_script(COMPUTERS_WAIT)
    sit(page, device.game(*BOTH_IN, DECIDING, players=[ANA, HAL]))
    falls("246")
    press_by_keyboard(page, "throw")
    expect(page.locator("#detail")).to_have_text(re.compile("bust"))
    assert page.evaluate(FOCUSED) != "BODY"


def test_a_computer_that_plays_by_itself_does_not_move_the_focus(page: Page, sit: Sit, device: Device) -> None:
    sit(page, device.game(*BOTH_IN, players=[HAL, ANA]), prefs="pace=instant")
    page.locator("#tray:not([data-pause]) #throw").wait_for()
    assert page.evaluate(FOCUSED) == "BODY"  # nobody has touched the page yet


def test_the_first_tab_leads_past_the_header_to_the_dice(page: Page, sit: Sit, device: Device) -> None:
    sit(page, device.game(*BOTH_IN, DECIDING))
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the dice")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED) == "die-1"


def test_space_throws_from_the_page_itself_and_plus_banks(page: Page, sit: Sit, device: Device, falls: Falls) -> None:
    sit(page, device.game(*BOTH_IN))
    falls("115236")
    press_and_wait(page, lambda: page.keyboard.press("Space"))
    expect(page.locator("#bank")).to_contain_text("Bank 250")
    press_and_wait(page, lambda: page.keyboard.press("+"))
    expect(page.locator(".player .score")).to_have_text(["1,250", "1,000"])


# ── pressed twice ──


def test_a_double_click_throws_once(page: Page, sit: Sit, device: Device) -> None:
    game = device.game(*BOTH_IN)
    sit(page, game)
    press_and_wait(page, lambda: page.locator("#throw").dblclick())
    page.reload()
    assert game.throws.filter(shot__place=3).count() == 1


def test_a_key_that_is_held_down_throws_once(page: Page, sit: Sit, device: Device, falls: Falls) -> None:
    sit(page, device.game(*BOTH_IN))
    falls("112233")  # after which all six can be thrown again
    press_and_wait(page, lambda: page.keyboard.down("r"))
    submits = count_events(page, "submit")
    page.keyboard.down("r")
    assert submits() == 0


def test_a_press_meant_for_bank_does_not_throw_for_the_next_player(
    page: Page, sit: Sit, device: Device, falls: Falls
) -> None:
    """The second tap of two would land on the next player's button."""
    game = device.game(*BOTH_IN, DECIDING)
    sit(page, game)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url.rpartition("/")[2]) if request.post_data else None)
    again = "document.addEventListener('htmx:after:swap', () => document.querySelector('#throw').click(), {once: true})"
    page.evaluate(again)
    submits = count_events(page, "submit")
    press_and_wait(page, lambda: page.locator("#bank").click())
    wait_until_ready(page)
    assert submits() == 1
    expect(page.locator("#turnlog .throws li")).to_have_count(0)
    falls("115236")
    press_and_wait(page, lambda: page.locator("#throw").click())
    assert sent == ["bank", "throw"]


# ── things that go wrong ──


def test_a_press_on_an_outdated_page_brings_the_game_as_it_is(
    page: Page, sit: Sit, device: Device, falls: Falls
) -> None:
    game = device.game(*BOTH_IN, DECIDING)
    for address in ("**/live/**", "**/board?**"):  # so that the page hears of nothing
        page.route(address, lambda route: route.fulfill(status=204))
    sit(page, game)
    device.do(game, "bank", keep=["1", "2", "3"], shown="250")
    page.locator("#throw").click()
    expect(page.get_by_role("alert")).to_have_text("Someone moved first, so your tap didn’t count.")
    expect(page.locator("#status")).to_have_text(f"Your turn, {BRUNO}")
    expect(page.locator(".player .score")).to_have_text(["1,250", "1,000"])
    expect(page.locator("#live")).to_be_empty()  # an alert is read out already
    falls("115236")
    press_and_wait(page, lambda: page.locator("#throw").click())
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("trouble", "sentence"),
    [
        (lambda route: route.abort(), "You’re offline. Your move will go through when you’re back."),
        (
            lambda route: route.fulfill(status=500, body="<h1>Broken</h1>"),
            "Something broke on our side. Your game is safe: every throw is saved before it is shown.",
        ),
        (
            lambda route: route.fulfill(status=503, body="<h1>Down</h1>"),
            "We can’t reach the games right now. Yours are safe. Nothing was changed: wait a moment, then try again.",
        ),
    ],
)
def test_while_the_server_is_away_nothing_is_lost(
    unlucky: Page, sit: Sit, device: Device, trouble: Callable[[Route], Any], sentence: str
) -> None:
    game = device.game(*BOTH_IN, DECIDING)
    sit(unlucky, game)
    unlucky.clock.install(time=0)
    unlucky.clock.pause_at(1)  # or the page would repeat the press before the test does
    key = unlucky.locator("#tray [name=key]")
    before = key.input_value()
    unlucky.route("**/bank", trouble)
    unlucky.locator("#bank").click()
    expect(unlucky.get_by_role("alert")).to_have_text(sentence)
    assert (key.input_value(), read_keep(unlucky)) == (before, "123")
    unlucky.unroute("**/bank")
    unlucky.locator("#bank").click()
    expect(unlucky.locator(".player .score")).to_have_text(["1,250", "1,000"])
    expect(unlucky.get_by_role("alert")).to_have_count(0)


def test_a_press_whose_answer_got_lost_is_answered_again(unlucky: Page, sit: Sit, device: Device) -> None:
    """The bank went through, but its answer was lost: the same press again does not bank twice."""
    game = device.game(*BOTH_IN, DECIDING)
    sit(unlucky, game)
    unlucky.clock.install(time=0)
    unlucky.clock.pause_at(1)  # or the page would repeat the press before the test does

    def swallow(route: Route) -> None:
        route.fetch()
        route.abort()

    for address in ("**/live/**", "**/board?**"):  # otherwise the page would learn of the bank by itself
        unlucky.route(address, lambda route: route.abort())
    unlucky.route("**/bank", swallow)
    unlucky.locator("#bank").click()
    expect(unlucky.get_by_role("alert")).to_be_visible()
    unlucky.unroute("**/bank")
    unlucky.locator("#bank").click()
    expect(unlucky.locator("#status")).to_have_text(f"Your turn, {BRUNO}")
    expect(unlucky.locator(".player .score")).to_have_text(["1,250", "1,000"])
    expect(unlucky.get_by_role("alert")).to_have_count(0)


# ── the tree that assistive technology reads ──


def test_a_turn_reads_well_in_the_accessibility_tree(page: Page, sit: Sit, device: Device, falls: Falls) -> None:
    sit(page, device.game(*BOTH_IN))
    main = page.locator("main")
    expect(main).to_match_aria_snapshot(f"""
      - heading "Your turn, {ANA}" [level=1]
      - group "Your dice. Checked dice are kept.":
        - paragraph: To throw · 6 dice
      - button "Throw 6 dice your turn"
    """)
    falls("115236", "146", "46")
    press_by_keyboard(page, "throw")
    expect(main).to_match_aria_snapshot(f"""
      - heading "Your turn, {ANA}" [level=1]
      - paragraph: "Throw 1: 250 points"
      - group "Your dice. Checked dice are kept.":
        - paragraph: To throw · 3 dice
        - 'checkbox "Die 1: one" [checked]'
        - 'checkbox "Die 2: one" [checked]'
        - 'checkbox "Die 3: five" [checked]'
        - 'checkbox "Die 4: two" [disabled]'
        - 'checkbox "Die 5: three" [disabled]'
        - 'checkbox "Die 6: six" [disabled]'
        - paragraph: /Kept · 3 dice/
      - status: "250"
      - button "Bank 250 makes 1,250"
      - button "Throw 3 dice 28% bust risk"
      - group:
        - heading "Ways to keep" [level=2]
        - list:
          - listitem:
            - 'button "1 1 5: 250" [pressed]'
          - listitem:
            - 'button "1 1: 200" [pressed=false]'
    """)
    page.locator("#die-3").focus()
    page.keyboard.press("Space")
    expect(main).to_match_aria_snapshot("""
      - group "Your dice. Checked dice are kept.":
        - paragraph: /To throw · 4 dice/
        - 'checkbox "Die 2: one" [checked]'
        - 'checkbox "Die 3: five" [checked=false]'
      - status: "200"
      - button "Bank 200 makes 1,200"
      - button "Throw 4 dice 16% bust risk"
      - group:
        - list:
          - listitem:
            - 'button "1 1 5: 250" [pressed=false]'
          - listitem:
            - 'button "1 1: 200" [pressed]'
    """)
    page.keyboard.press("Space")
    press_by_keyboard(page, "throw")
    expect(main).to_match_aria_snapshot("""
      - group "Your dice. Checked dice are kept.":
        - text: "Die 1: one. Kept earlier. Die 2: one. Kept earlier. Die 3: five. Kept earlier."
        - 'checkbox "Die 4: one" [checked] [disabled]'
    """)
    press_by_keyboard(page, "throw")
    expect(main).to_match_aria_snapshot(f"""
      - heading "Your turn, {BRUNO}" [level=1]
      - paragraph: "{ANA} busted and lost 350 points. Pass to {BRUNO}."
      - group "The dice"
      - text: 350 points lost
      - button "Throw 6 dice your turn"
    """)
