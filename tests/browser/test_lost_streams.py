"""A page without news of its game: the stream is refused, held back, broken or silent, and the page catches up."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from playwright.sync_api import Page, Route, expect

from game.models import Game
from tests.browser.conftest import press_and_wait, wait_for_stream, wait_until_settled
from tests.cast import BOTH_IN, Device, let_time_pass, open_turn, reload_game, throw

Sit = Callable[..., Page]

LOST = "Connection lost. Trying again…"


def test_a_page_whose_stream_is_refused_asks_every_few_seconds(
    unlucky: Page, sit: Sit, seat_both: Callable[..., Game], other_device: Device, device: Device
) -> None:
    game = seat_both()
    unlucky.route("**/live/**", lambda route: route.fulfill(status=503, headers={"Retry-After": "30"}, body=""))
    sit(unlucky, game, who=other_device)
    device.do(game, "throw")
    expect(unlucky.locator("#tray .die")).to_have_count(6)
    expect(unlucky.get_by_role("alert")).to_have_count(0)


def test_a_page_whose_stream_is_refused_tries_again_within_a_minute(
    unlucky: Page, sit: Sit, seat_both: Callable[..., Game], device: Device
) -> None:
    unlucky.route("**/live/**", lambda route: route.fulfill(status=503, body=""), times=1)
    unlucky.clock.install()
    sit(unlucky, seat_both(), who=device)
    unlucky.wait_for_function("() => source.readyState === EventSource.CLOSED")
    unlucky.clock.fast_forward(61_000)
    wait_for_stream(unlucky)


@pytest.mark.parametrize("state", ["CONNECTING", "OPEN"])
def test_a_page_whose_stream_a_proxy_holds_back_asks_every_few_seconds(
    browse: Callable[..., Page],
    sit: Sit,
    seat_both: Callable[..., Game],
    other_device: Device,
    device: Device,
    state: str,
) -> None:
    page, game = browse(), seat_both()
    page.add_init_script(f"EventSource.prototype.__defineGetter__('readyState', () => EventSource.{state})")
    page.add_init_script("EventSource.prototype.__defineSetter__('onmessage', () => {})")
    page.clock.install(time=0)
    page.clock.pause_at(1)
    sit(page, game, who=other_device)
    device.do(game, "throw")
    with page.expect_response("**/board?*"):
        page.clock.run_for(5000)
    page.clock.resume()
    expect(page.locator("#tray .die")).to_have_count(6)


def test_a_page_whose_stream_is_refused_after_a_break_calls_the_connection_lost_no_more(
    unlucky: Page, sit: Sit, seat_both: Callable[..., Game], other_device: Device
) -> None:
    sit(unlucky, seat_both(), who=other_device)
    wait_for_stream(unlucky)
    unlucky.context.set_offline(True)
    unlucky.evaluate("listen()")  # going offline does not close connections that Chromium has open already
    expect(unlucky.get_by_role("alert")).to_have_text(LOST)
    unlucky.route("**/live/**", lambda route: route.fulfill(status=503, headers={"Retry-After": "30"}, body=""))
    unlucky.context.set_offline(False)
    expect(unlucky.get_by_role("alert")).to_have_count(0)


def test_without_a_connection_the_page_says_so_and_catches_up_later(
    unlucky: Page, sit: Sit, seat_both: Callable[..., Game], other_device: Device, device: Device
) -> None:
    game = seat_both()
    sit(unlucky, game, who=other_device)
    wait_for_stream(unlucky)
    unlucky.context.set_offline(True)
    unlucky.evaluate("listen()")  # going offline does not close connections that Chromium has open already
    expect(unlucky.get_by_role("alert")).to_have_text(LOST)
    device.do(game, "throw")
    unlucky.context.set_offline(False)
    unlucky.clock.resume()
    expect(unlucky.locator("#tray .die")).to_have_count(6)
    expect(unlucky.get_by_role("alert")).to_have_count(0)


@pytest.fixture
def followed(unlucky: Page, sit: Sit, seat_both: Callable[..., Game], other_device: Device) -> Game:
    """A game whose stream the page `unlucky` hears, while its clock stands still."""
    game = seat_both()
    unlucky.clock.install(time=0)
    unlucky.clock.pause_at(1)
    wait_for_stream(sit(unlucky, game, who=other_device))
    return game


def test_a_request_that_got_lost_beside_an_open_stream_is_soon_repeated(
    unlucky: Page, followed: Game, device: Device
) -> None:
    unlucky.route("**/board?*", lambda route: route.abort(), times=1)
    device.do(followed, "throw")
    expect(unlucky.get_by_role("alert")).to_have_text(LOST)
    unlucky.clock.run_for(5000)
    unlucky.clock.resume()
    expect(unlucky.locator("#tray .die")).to_have_count(6)
    expect(unlucky.get_by_role("alert")).to_have_count(0)


def expect_newest(page: Page, game: Game) -> None:
    expect(page.locator(f"[data-version='{reload_game(game).version}']")).not_to_have_count(0)


def test_a_page_whose_stream_falls_silent_asks_every_few_seconds(unlucky: Page, followed: Game, device: Device) -> None:
    unlucky.evaluate("source.onmessage = null")
    for target, wait in (("9000", 30_000), ("8000", 5000)):
        device.do(followed, "target", target=target)
        unlucky.clock.run_for(wait)
        expect_newest(unlucky, followed)


def test_a_page_that_asks_in_vain_opens_its_silent_stream_again(unlucky: Page, followed: Game, device: Device) -> None:
    unlucky.evaluate("source.onmessage = null")
    device.do(followed, "target", target="9000")
    unlucky.route("**/board?*", lambda route: route.abort(), times=1)
    unlucky.clock.run_for(30_000)
    expect_newest(unlucky, followed)
    expect(unlucky.get_by_role("alert")).to_have_count(0)


def test_a_page_does_not_open_again_and_again_a_stream_that_tells_of_moves(
    unlucky: Page, followed: Game, device: Device
) -> None:
    opened: list[str] = []
    unlucky.on("request", lambda request: opened.append(request.url) if "/live/" in request.url else None)
    unlucky.route("**/board?*", lambda route: route.abort())
    device.do(followed, "throw")
    expect(unlucky.get_by_role("alert")).to_have_text(LOST)
    for _poll in range(2):
        unlucky.wait_for_function("() => !asking")  # by then the page knows when it looks again
        with unlucky.expect_event("requestfailed"):
            unlucky.clock.run_for(5000)
    assert opened == []


def test_a_device_back_on_the_network_looks_at_once_despite_an_open_stream(
    unlucky: Page, followed: Game, device: Device
) -> None:
    unlucky.context.set_offline(True)  # which does not close the stream that Chromium has open already
    device.do(followed, "throw")
    expect(unlucky.get_by_role("alert")).to_have_text(LOST)
    with unlucky.expect_request("**/board?*"):  # while the page's clock stands still
        unlucky.context.set_offline(False)
    unlucky.clock.run_for(5000)  # Chromium may tell of the network before it lets a request through
    unlucky.clock.resume()
    expect(unlucky.locator("#tray .die")).to_have_count(6)
    expect(unlucky.get_by_role("alert")).to_have_count(0)


def test_a_press_whose_answer_got_lost_is_not_repeated_for_the_next_throw(
    unlucky: Page, sit: Sit, device: Device, falls: Callable[..., None]
) -> None:
    """The throw went through, and the page learns of it; a repeated press would now send the form of the next throw.

    The form itself may go twice: if the stream speaks after the loss, the page repeats its press at once, with one key.
    """
    game = device.game(*BOTH_IN)
    unlucky.clock.install()
    sit(unlucky, game)
    wait_for_stream(unlucky)
    unlucky.evaluate("""() => {
        window.sentKeys = []
        document.addEventListener('submit', ({target}) => sentKeys.push(target.elements.key.value))
    }""")
    falls("115236", "223446")

    def swallow(route: Route) -> None:
        route.fetch()
        route.abort()

    unlucky.route("**/throw", swallow, times=1)
    unlucky.locator("#throw").click()
    expect(unlucky.locator("#tray .die")).to_have_count(6)
    expect(unlucky.get_by_role("alert")).to_have_count(0)
    before = unlucky.evaluate("sentKeys")
    unlucky.clock.run_for(2000)  # the page would have pressed again after 1.5 s
    wait_until_settled(unlucky, game)
    assert unlucky.evaluate("sentKeys") == before
    assert (len(set(before)), reload_game(game).thrown) == (1, 1)


def test_a_page_looks_again_after_its_own_move_even_without_news(
    unlucky: Page, sit: Sit, seat_both: Callable[..., Game], device: Device, falls: Callable[..., None]
) -> None:
    """The next look learns whether the others are still there; without it nobody would ever seem to be away."""
    game = seat_both()
    unlucky.clock.install()
    sit(unlucky, game, who=device)
    wait_for_stream(unlucky)
    falls("223446")
    press_and_wait(unlucky, unlucky.locator("#throw").click)
    wait_until_settled(unlucky, game)
    with unlucky.expect_request("**/board?*"):
        unlucky.clock.fast_forward(31_000)


def test_an_open_page_learns_after_its_bank_that_the_next_player_is_away(
    unlucky: Page, sit: Sit, seat_both: Callable[..., Game], device: Device
) -> None:
    game = seat_both(open_turn(0, throw("111346")))
    unlucky.clock.install()
    sit(unlucky, game, who=device)
    wait_for_stream(unlucky)
    press_and_wait(unlucky, unlucky.locator("#bank").click)
    expect(unlucky.locator("#banner")).not_to_contain_text("away")
    let_time_pass(game, dice_changed=timedelta(minutes=4), seen=timedelta(minutes=4))
    unlucky.clock.fast_forward(31_000)
    expect(unlucky.locator("#banner")).to_contain_text("Bruno seems to be away.")
