"""The moments of a game (a bust, hot dice, the first bank, the end): each is seen, heard and felt once."""

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from game.models import Game
from tests import patience
from tests.browser.conftest import expect_headline, press_and_wait, wait_for_stream
from tests.cast import ANA, BOTH_IN, BRUNO, IN, Device, bank, open_turn, reload_game, share_game, throw

pytestmark = pytest.mark.unhastened

Sit = Callable[..., Page]
Browse = Callable[..., Page]
Falls = Callable[..., None]

FAR_AHEAD = (bank(0, 1000, IN), bank(1, 2000, throw("111123", "1111")))
LAST_TURN = bank(0, 1000, IN)  # with a target of 1,000

# Records, in order, headlines, sounds, vibrations, and the parts of the page that tell a result.
DIARY = """window.diary = []
    const note = what => { if (!diary.includes(what)) diary.push(what) }
    navigator.vibrate = pattern => pattern && note('felt ' + pattern)
    addEventListener('DOMContentLoaded', () => {
        new MutationObserver(() => {
            for (const each of document.querySelectorAll('.moment')) note(each.textContent.trim())
            if (document.querySelector('.felt.lost')) note('lost')
            if (document.querySelector('#finish')) note('finish')
        }).observe(document.body, {childList: true, subtree: true, attributes: true})
        window.playCue = name => { if (name && name !== 'keep') note('heard ' + name) }
    })"""


def read_diary(page: Page) -> list[str]:
    return page.evaluate("diary")  # type: ignore[no-any-return]


@pytest.fixture
def kept_diary(page: Page) -> Page:
    page.add_init_script(DIARY)
    return page


def test_a_bust_is_seen_before_it_is_heard_and_the_next_player_can_throw(
    kept_diary: Page, sit: Sit, device: Device, falls: Falls
) -> None:
    page = kept_diary
    page.clock.install()
    sit(page, device.game(*BOTH_IN, open_turn(0, throw("115236"))))
    falls("346", "115236")
    press_and_wait(page, page.locator("#throw").click)
    expect_headline(page, "bust", "Bust!−250")
    assert read_diary(page) == ["heard throw", "lost", "heard bust", "felt 40", "Bust!−250"]
    expect(page.locator("#status")).to_contain_text(BRUNO)
    expect(page.locator("#throw")).to_be_enabled()
    page.clock.run_for(1600)
    expect(page.locator(".moment")).to_have_count(0)


def test_hot_dice_move_up_by_themselves_and_are_celebrated_once(
    kept_diary: Page, sit: Sit, device: Device, falls: Falls
) -> None:
    page = kept_diary
    sit(page, device.game(*BOTH_IN))
    falls("112233")
    press_and_wait(page, page.locator("#throw").click)
    expect(page.locator("#throw b")).to_have_text("Throw all six")
    expect(page.locator("#upper")).to_have_text("To throw · 6 dice")
    expect(page.locator("#lower")).to_have_text("Kept · 0 dice")
    expect(page.locator("#unit")).to_have_text("points this turn")
    for die in page.locator("#tray .die").all():
        expect(die).to_have_css("translate", "none")
    assert [what for what in read_diary(page) if "hot" in what.lower() or "felt" in what] == [
        "heard hot",
        "felt 20,40,20",
        "Hot dice!",
    ]
    page.reload()
    page.keyboard.press("a")
    expect(page.locator("#live")).to_contain_text("Keeping")
    assert read_diary(page) == []


def test_a_throw_is_shown_before_the_script_with_the_sounds_has_arrived(
    page: Page, sit: Sit, device: Device, falls: Falls
) -> None:
    page.route("**/js/live*.js", lambda route: route.abort("aborted"))
    sit(page, device.game(*BOTH_IN))
    falls("112346")
    press_and_wait(page, page.locator("#throw").click)
    expect(page.locator("#bank")).to_contain_text("200")


def test_the_first_bank_has_a_headline_a_sound_and_a_vibration(
    kept_diary: Page, sit: Sit, device: Device, falls: Falls
) -> None:
    page = kept_diary
    sit(page, device.game(open_turn(0, throw("111346"))))
    press_and_wait(page, page.locator("#bank").click)
    expect_headline(page, "in", f"{ANA} is on the board!")
    assert read_diary(page) == ["heard in", "felt 20", f"{ANA} is on the board!"]


def test_a_later_bank_has_no_headline(kept_diary: Page, sit: Sit, device: Device) -> None:
    sit(kept_diary, device.game(*FAR_AHEAD, open_turn(0, throw("115236"))))
    press_and_wait(kept_diary, kept_diary.locator("#bank").click)
    assert read_diary(kept_diary) == ["heard bank"]


def test_a_bank_that_takes_the_lead_has_a_headline(kept_diary: Page, sit: Sit, device: Device) -> None:
    sit(kept_diary, device.game(*FAR_AHEAD, open_turn(0, throw("111123"))))
    press_and_wait(kept_diary, kept_diary.locator("#bank").click)
    assert read_diary(kept_diary) == ["heard bank", f"{ANA} takes the lead!"]


def test_vibration_can_be_switched_off(kept_diary: Page, sit: Sit, device: Device, falls: Falls) -> None:
    sit(kept_diary, device.game(*BOTH_IN, open_turn(0, throw("115236"))), prefs="vibration=off")
    falls("346")
    press_and_wait(kept_diary, kept_diary.locator("#throw").click)
    seen = read_diary(kept_diary)
    assert "Bust!−250" in seen
    assert not [what for what in seen if what.startswith("felt")]


# ── the end ──


def test_the_last_throw_of_a_game_is_shown_before_the_finish(
    browse: Browse, sit: Sit, device: Device, other_device: Device, falls: Falls
) -> None:
    """This holds on the pages of the player who threw, of the winner and of a spectator."""
    game = share_game(device, other_device, LAST_TURN, open_turn(1, throw("111346")), target=1000)
    bruno, ana, spectator = browse(), browse(), browse()
    for page in (bruno, ana, spectator):
        page.add_init_script(DIARY)
        page.clock.install()
    sit(bruno, game, who=other_device)
    sit(ana, game)
    spectator.goto(game.get_absolute_url())
    for page in (bruno, ana, spectator):
        wait_for_stream(page)
        page.evaluate("diary.length = 0")
        page.clock.pause_at(page.evaluate("Date.now() + 1000"))  # so that no page runs on while another is checked
    falls("346")
    bruno.locator("#throw").click()
    for page in (bruno, ana, spectator):
        until = time.monotonic() + patience.SECONDS
        while page.locator(".felt.lost").count() == 0 and time.monotonic() < until:
            page.clock.run_for(50)
        expect(page.locator(".felt.lost")).to_be_visible()
        expect(page.locator("#sum")).to_have_text("1,000")
        expect(page.locator("#finish")).to_have_count(0)
        page.clock.run_for(1700)
        expect(page.locator("#finish")).to_be_visible()
        seen = [what for what in read_diary(page) if "felt" not in what]
        assert seen[0] == "heard throw"
        assert set(seen[1:4]) == {"lost", "heard bust", "Bust!−1,000"}
        assert seen[4] == "finish"
    assert read_diary(ana)[-1] in ("heard win", "felt 60,60,120")
    assert read_diary(spectator)[-1] in ("heard win", "felt 60,60,120")
    assert read_diary(bruno)[-1] == "heard over"


def test_a_slow_page_sees_the_last_throw_before_the_finish(
    browse: Browse, device: Device, other_device: Device, falls: Falls
) -> None:
    """The page missed the throw before, and learns of both throws only after the end."""
    game = share_game(device, other_device, LAST_TURN, target=1000)
    spectator = browse()
    spectator.add_init_script(DIARY)
    spectator.clock.install()
    spectator.goto(game.get_absolute_url())
    wait_for_stream(spectator)
    late: list[Route] = []
    spectator.route("**/board?*", lambda route: late.append(route))
    falls("111346", "346")
    with spectator.expect_request("**/board?*"):
        other_device.do(game, "throw")
    other_device.do(game, "throw", keep=["1", "2", "3"])
    assert reload_game(game).status == Game.Status.FINISHED
    spectator.evaluate("0")  # a round trip, in which Playwright hands over the request that it holds back
    late.pop(0).continue_()
    expect(spectator.locator("#sum")).to_have_text("1,000")
    expect(spectator.locator(".felt.lost .die")).to_have_count(6)
    expect(spectator.locator("#finish")).to_have_count(0)
    spectator.clock.run_for(1700)
    expect(spectator.locator("#finish")).to_be_visible()


def test_a_page_opened_after_the_end_shows_the_finish_at_once(
    page: Page, sit: Sit, device: Device, falls: Falls
) -> None:
    game = device.game(LAST_TURN, open_turn(1, throw("111346")), target=1000)
    falls("346")
    device.do(game, "throw", keep=["1", "2", "3"])
    sit(page, game)
    expect(page.locator("#finish")).to_be_visible()
    expect(page.locator("#last-throw")).to_have_count(0)


# ── the start of a turn ──


def test_at_the_start_of_a_turn_dice_are_blank_and_empty_parts_hidden(page: Page, sit: Sit, device: Device) -> None:
    sit(page, device.game(bank(0, 1000, IN)))
    expect(page.locator(".blank")).to_have_count(6)
    for nothing in ("#sum", "#ways", "#turnlog"):
        expect(page.locator(nothing)).to_be_hidden()
    expect(page.locator("#throw")).to_be_visible()


def test_a_shared_device_shows_the_colour_of_the_next_player(page: Page, sit: Sit, device: Device) -> None:
    sit(page, device.game(*BOTH_IN[:1]))
    colour = page.locator(".player.now .dot").evaluate("dot => getComputedStyle(dot).backgroundColor")
    expect(page.locator("#say.hand-over")).to_have_css("background-color", colour)
    expect(page.locator(".felt")).to_have_css("outline-color", colour)
    expect(page.locator("#detail")).to_contain_text(f"Pass to {BRUNO}.")


@pytest.mark.parametrize("motion", ["auto", "reduced", "none"])
def test_a_rim_runs_round_the_tray_of_hot_dice_but_not_with_less_motion(
    page: Page, sit: Sit, device: Device, falls: Falls, motion: str
) -> None:
    page.add_init_script("window.ran = []; addEventListener('animationstart', e => ran.push(e.animationName), true)")
    sit(page, device.game(*BOTH_IN), prefs=f"motion={motion}")
    falls("112233")
    press_and_wait(page, page.locator("#throw").click)
    expect_headline(page, "hot", "Hot dice!")
    ran = page.evaluate("[...ran, ...document.getAnimations().map(each => each.animationName)]")
    assert ("rim" in ran) == (motion == "auto")
    expect(page.locator(".rim")).to_have_count(0)  # once it has run round


@pytest.mark.parametrize("motion", ["auto", "reduced"])
def test_a_bust_shakes_the_dice_but_not_with_less_motion(
    page: Page, sit: Sit, device: Device, falls: Falls, motion: str
) -> None:
    page.add_init_script(
        """window.shaken = 0
        const animate = Element.prototype.animate
        Element.prototype.animate = function (frames, options) {
            if (frames.translate) shaken++
            return animate.call(this, frames, options)
        }"""
    )
    sit(page, device.game(*BOTH_IN, open_turn(0, throw("115236"))), prefs=f"motion={motion}")
    falls("346")
    press_and_wait(page, page.locator("#throw").click)
    expect_headline(page, "bust", "Bust!−250")
    assert page.evaluate("shaken") == (6 if motion == "auto" else 0)
