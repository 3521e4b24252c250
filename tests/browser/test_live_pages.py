"""Several browsers in one game: everybody sees each throw at once, and nobody can press for somebody else."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.conf import settings
from playwright.sync_api import BrowserContext, Page, Request, Route, expect

from game.live.hub import hub
from game.models import Game
from tests.browser.conftest import count_events, press_and_wait, read_keep, tap_die, wait_for_stream
from tests.cast import (
    ANA,
    BOTH_IN,
    BRUNO,
    HAL,
    IN,
    Device,
    bank,
    let_time_pass,
    make_key,
    open_turn,
    reload_game,
    throw,
)
from tests.conftest import spare_unseen
from tests.require import require

Sit = Callable[..., Page]
Browse = Callable[..., Page]

LOST = "Connection lost. Trying again…"
YOUR_TURN = "● Your turn · 10,000"

# Makes a page behave as if its tab were in the background, because a headless browser takes every page for the one in
# front.
BEHIND = """window.behind = false
    Object.defineProperty(document, 'hidden', {get: () => window.behind})
    document.hasFocus = () => !window.behind
    window.leave = away => { window.behind = away; document.dispatchEvent(new Event('visibilitychange')) }"""


# Records the numbers on the icon of the installed app; 0 for none.
BADGES = """
    window.badges = []
    navigator.setAppBadge = async number => { badges.push(number) }
    navigator.clearAppBadge = async () => { badges.push(0) }"""


@dataclass
class Players:
    game: Game
    ana: Page
    bruno: Page


@dataclass
class Table(Players):
    spectator: Page


@pytest.fixture
def seat_both(device: Device, other_device: Device) -> Callable[..., Game]:
    """Return a function that returns Ana's game after these events, with Bruno at another device."""

    def lay_out(*events: dict[str, object]) -> Game:
        game = device.game(*(events or BOTH_IN))
        game.players.filter(seat=1).update(visitor=other_device.browser.visitor_or_new())
        return reload_game(game)

    return lay_out


@pytest.fixture
def players(browse: Browse, sit: Sit, seat_both: Callable[..., Game], other_device: Device) -> Players:
    game, bruno = seat_both(), browse()
    bruno.add_init_script(BEHIND + BADGES)
    players = Players(game, sit(browse(), game), sit(bruno, game, who=other_device))
    for page in (players.ana, players.bruno):
        wait_for_stream(page)
    return players


@pytest.fixture
def table(browse: Browse, players: Players) -> Table:
    spectator = browse()
    spectator.goto(players.game.get_absolute_url())
    return Table(players.game, players.ana, players.bruno, wait_for_stream(spectator))


def collect_requests(page: Page) -> list[Request]:
    """Return a list that collects the page's requests for a newer board from now on."""
    requests: list[Request] = []
    page.on("request", lambda request: requests.append(request) if "/board?" in request.url else None)
    return requests


def wait_until_settled(page: Page, game: Game) -> None:
    """Wait until the page shows the newest version of the game and has no request under way."""
    page.wait_for_function("version => findVersion() >= version && !asking && !sending", arg=reload_game(game).version)


@pytest.mark.smoke
def test_everybody_sees_each_throw_at_once(table: Table, falls: Callable[..., None]) -> None:
    falls("115236")
    table.ana.locator("#throw").click()
    for page in (table.bruno, table.spectator):
        expect(page.locator("#status")).to_have_text(f"{ANA}’s turn")
        expect(page.locator("#tray .die")).to_have_count(6)
        expect(page.locator("#live")).to_have_text(f"{ANA} threw 1 1 5 2 3 6.")
    table.ana.locator("#bank").click()
    expect(table.bruno.locator("#status")).to_have_text(f"Your turn, {BRUNO}")
    expect(table.bruno.locator("#live")).to_have_text(
        f"{ANA} banked 250. Score 1,250. {ANA} takes the lead! It is your turn."
    )
    expect(table.spectator.locator("#status")).to_have_text(f"{BRUNO}’s turn")
    for page in (table.ana, table.bruno, table.spectator):
        expect(page.locator(".player .score")).to_have_text(["1,250", "1,000"])


def test_the_turn_goes_round_over_two_devices(table: Table, falls: Callable[..., None]) -> None:
    falls("115236", "223446", "111236")
    press_and_wait(table.ana, table.ana.locator("#throw").click)
    press_and_wait(table.ana, table.ana.locator("#bank").click)
    expect(table.bruno).to_have_title(f"Your turn, {BRUNO} · 10,000")
    press_and_wait(table.bruno, table.bruno.locator("#throw").click)
    expect(table.ana).to_have_title(f"Your turn, {ANA} · 10,000")
    expect(table.ana.locator("#status")).to_have_text(f"Your turn, {ANA}")
    expect(table.ana.locator("#live")).to_have_text(f"{BRUNO} threw 2 2 3 4 4 6. {BRUNO} busted. It is your turn.")
    press_and_wait(table.ana, table.ana.locator("#throw").click)
    expect(table.spectator.locator("#tray .die")).to_have_count(6)


def test_a_spectator_has_nothing_to_press(table: Table, falls: Callable[..., None]) -> None:
    falls("115236")
    press_and_wait(table.ana, table.ana.locator("#throw").click)
    wait_until_settled(table.spectator, table.game)
    for page in (table.spectator, table.bruno):
        expect(page.locator("#tray button:visible, #tray input:visible")).to_have_count(0)
    submits = count_events(table.spectator, "submit")
    table.spectator.keyboard.press("g")
    table.spectator.keyboard.press("r")
    assert submits() == 0
    assert reload_game(table.game).version == table.game.version + 1


def test_a_press_of_a_spectator_is_refused(table: Table) -> None:
    form: dict[str, str | float | bool] = {
        "version": str(table.game.version),
        "key": make_key(),
        "csrfmiddlewaretoken": "x",
    }
    answer = table.spectator.request.post(f"{table.game.get_absolute_url()}/throw", form=form)
    assert answer.status == 403
    assert reload_game(table.game).version == table.game.version


def test_a_throw_makes_one_request_from_each_other_page_and_none_from_its_own(table: Table) -> None:
    pages = (table.ana, table.bruno, table.spectator)
    own, *others = [collect_requests(page) for page in pages]
    press_and_wait(table.ana, table.ana.locator("#throw").click)
    for page in pages:
        wait_until_settled(page, table.game)
    assert [len(requests) for requests in others] == [1, 1]
    assert own == []


def test_a_computers_throw_that_another_page_asked_for_is_not_asked_for_and_announced_again(
    page: Page, sit: Sit, device: Device, other_device: Device
) -> None:
    game = device.game(bank(0, 1000, IN), players=(ANA, HAL, BRUNO))
    other_device.takes(game, 2)
    page.clock.install(time=0)
    page.clock.pause_at(1)
    sit(page, game, who=other_device)
    wait_for_stream(page)
    submits = count_events(page, "submit")
    page.clock.run_for(int(page.locator("#tray").get_attribute("data-pause") or "") - 50)
    device.do(game, "advance", htmx=True)
    page.locator(".stage").wait_for(state="attached")  # the dice are falling
    page.clock.run_for(100)
    assert submits() == 0


def test_dice_being_chosen_stay_when_another_player_is_renamed(
    browse: Browse, sit: Sit, seat_both: Callable[..., Game], other_device: Device
) -> None:
    game = seat_both(*BOTH_IN, open_turn(0, throw("115236")))
    ana = sit(browse(), game)
    wait_for_stream(ana)
    tap_die(ana, 3)
    assert read_keep(ana) == "12"
    ana.locator("#die-3").focus()
    other_device.do(game, "seats", do="rename", seat=1, name="Bea")
    expect(ana.locator(".player").nth(1)).to_contain_text("Bea")
    expect(ana.locator("#live")).to_have_text("Bruno is now called Bea.")
    assert read_keep(ana) == "12"
    expect(ana.locator("#die-3")).to_be_focused()
    expect(ana.locator("#bank")).to_contain_text("Bank 200")
    expect(ana.locator(".player.now .word")).to_have_text("+200 now")


def test_a_choice_is_announced_although_somebody_begins_to_watch_meanwhile(
    page: Page, sit: Sit, seat_both: Callable[..., Game]
) -> None:
    game = seat_both(*BOTH_IN, open_turn(0, throw("115236")))
    page.clock.install(time=0)
    page.clock.pause_at(1)
    sit(page, game)
    wait_for_stream(page)
    page.keyboard.press("3")
    page.evaluate("$('#scores').dataset.there = 'nobody'; ask()")
    page.wait_for_function("() => !asking")
    page.clock.run_for(1000)
    expect(page.locator("#live")).to_have_text(re.compile("^Keeping 1 1: 200 this throw"))


def test_another_players_throw_does_not_move_the_focus(players: Players, falls: Callable[..., None]) -> None:
    falls("115236")
    players.bruno.mouse.wheel(0, 200)
    press_and_wait(players.ana, players.ana.locator("#throw").click)
    wait_until_settled(players.bruno, players.game)
    assert players.bruno.evaluate("document.activeElement === document.body")


def test_a_spectator_shut_out_is_told_so_and_not_of_a_lost_connection(
    unlucky: Page, seat_both: Callable[..., Game], device: Device
) -> None:
    game = seat_both()
    unlucky.clock.install()
    unlucky.goto(game.get_absolute_url())
    wait_for_stream(unlucky)
    device.do(game, "watching", allowed="0")
    expect(unlucky.get_by_role("alert")).to_have_text("This game can no longer be seen here.")
    unlucky.clock.run_for(4000)  # the page would call the connection lost after 3 s
    expect(unlucky.get_by_role("alert")).to_have_text("This game can no longer be seen here.")


def test_a_game_deleted_elsewhere_leaves_nothing_to_press(unlucky: Page, sit: Sit, device: Device) -> None:
    game = device.game(*BOTH_IN)
    wait_for_stream(sit(unlucky, game))
    device.do(game, "delete", do="delete")
    expect(unlucky.get_by_role("alert")).to_have_text("This game can no longer be seen here.")
    expect(unlucky.locator("#top button:visible, #tray button:visible, #people button[name]:visible")).to_have_count(0)


def test_a_table_deleted_elsewhere_no_longer_offers_to_move_to_another_device(
    unlucky: Page, sit: Sit, device: Device
) -> None:
    game = device.waiting_game()
    wait_for_stream(sit(unlucky, game))
    unlucky.locator("#settings > summary").click()
    expect(unlucky.locator("#transfer")).to_be_visible()
    device.do(game, "delete", do="delete")
    expect(unlucky.get_by_role("alert")).to_have_text("This game can no longer be seen here.")
    expect(unlucky.locator("main form button:visible")).to_have_count(0)


def test_a_page_that_can_see_the_game_again_gets_its_buttons_back(unlucky: Page, sit: Sit, device: Device) -> None:
    game = device.game(*BOTH_IN)
    device.do(game, "watching", allowed="0")
    wait_for_stream(sit(unlucky, game))
    unlucky.context.clear_cookies(name=settings.VISITOR_COOKIE_NAME)
    device.do(game, "seats", do="rename", seat="0", name="Anna")
    expect(unlucky.locator("#throw")).to_be_hidden()
    sit(unlucky)
    unlucky.evaluate("rejoin()")
    expect(unlucky.locator("#throw")).to_be_visible()


# ── without a stream ──


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


# ── many tabs ──


def test_background_tabs_hold_no_connection_unless_they_have_a_seat(table: Table) -> None:
    table.spectator.add_init_script(BEHIND)
    table.spectator.reload()
    wait_for_stream(table.spectator)
    table.spectator.evaluate("leave(true)")
    table.bruno.evaluate("leave(true)")
    assert table.spectator.evaluate("connected()") is False
    assert table.bruno.evaluate("connected()") is True
    requests = collect_requests(table.spectator)
    press_and_wait(table.ana, table.ana.locator("#throw").click)
    wait_until_settled(table.bruno, table.game)
    assert requests == []
    table.spectator.evaluate("leave(false)")
    wait_until_settled(table.spectator, table.game)


def test_a_press_in_a_tab_from_before_a_sign_in_offers_to_load_it_again(
    unlucky: Page, sit: Sit, device: Device
) -> None:
    sit(unlucky, device.game(*BOTH_IN))
    unlucky.context.clear_cookies(name="csrf")
    unlucky.context.new_page().goto("/help")
    unlucky.locator("#throw").click()
    expect(unlucky.get_by_role("alert")).to_have_text("This page is out of date. Nothing was changed. Load it again")
    unlucky.get_by_role("link", name="Load it again").click()
    expect(unlucky.get_by_role("alert")).to_have_count(0)
    unlucky.locator("#throw").click()
    expect(unlucky.locator("#tray .die")).to_have_count(6)


def test_a_press_in_a_tab_from_before_a_sign_out_leaves_nothing_to_press(
    unlucky: Page, sit: Sit, device: Device
) -> None:
    sit(unlucky, device.game(*BOTH_IN))
    unlucky.context.clear_cookies(name=settings.VISITOR_COOKIE_NAME)
    unlucky.locator("#throw").click()
    expect(unlucky.get_by_role("alert")).to_have_text("You can watch this game, but not change it.")
    expect(unlucky.locator("#status")).to_have_text(f"{ANA}’s turn")
    expect(unlucky.locator("#tray button:visible")).to_have_count(0)


def test_ten_tabs_of_one_seat_all_load_and_keep_up(
    unlucky: Page,
    sit: Sit,
    seat_both: Callable[..., Game],
    device: Device,
    other_device: Device,
    request: pytest.FixtureRequest,
) -> None:
    """A browser opens six connections to a host: streams must leave some of them free."""
    game = seat_both()
    sit(unlucky, game, who=other_device)
    tabs = [unlucky, *(open_tab(unlucky.context, game, request) for _ in range(9))]
    device.do(game, "throw")
    for tab in tabs:
        expect(tab.locator("#tray .die")).to_have_count(6)


def open_tab(context: BrowserContext, game: Game, request: pytest.FixtureRequest) -> Page:
    tab = context.new_page()
    spare_unseen(tab, request)
    tab.goto(game.get_absolute_url())
    return tab


# ── your turn ──


def test_title_and_icon_call_a_player_who_looks_elsewhere(players: Players, falls: Callable[..., None]) -> None:
    falls("115236")
    icon = players.bruno.locator("link[rel=icon]")
    plain = require(icon.get_attribute("href"))
    players.bruno.evaluate("leave(true)")
    press_and_wait(players.ana, players.ana.locator("#throw").click)
    press_and_wait(players.ana, players.ana.locator("#bank").click)
    expect(players.bruno).to_have_title(YOUR_TURN)
    assert "your-turn" in require(icon.get_attribute("href"))
    assert players.bruno.evaluate("badges.at(-1)") == 1
    players.bruno.evaluate("leave(false)")
    expect(players.bruno).to_have_title(f"Your turn, {BRUNO} · 10,000")
    assert require(icon.get_attribute("href")).endswith(plain)
    assert players.bruno.evaluate("badges.at(-1)") == 0


def test_the_title_writes_the_sites_name_like_a_number_of_the_language(
    browse: Browse, sit: Sit, seat_both: Callable[..., Game], device: Device, other_device: Device
) -> None:
    game = seat_both(open_turn(0, throw("111346")))
    bruno = browse(locale="de-DE")
    bruno.add_init_script(BEHIND + "; window.behind = true")
    sit(bruno, game, who=other_device)
    wait_for_stream(bruno)
    expect(bruno).to_have_title(re.compile(r" · 10\.000$"))
    device.do(game, "bank", keep=["1", "2", "3"])
    expect(bruno).to_have_title("● Du bist dran · 10.000")
    bruno.evaluate("leave(false)")
    expect(bruno).to_have_title(re.compile(r"^[^●].* · 10\.000$"))
    press_and_wait(bruno, bruno.locator("#throw").click)
    expect(bruno.locator("#tray .die:not(.blank)")).to_have_count(6)
    expect(bruno).to_have_title(re.compile(r"^[^●].* · 10\.000$"))


def test_the_title_calls_the_first_player_when_the_game_starts(
    browse: Browse, sit: Sit, device: Device, other_device: Device
) -> None:
    game = device.waiting_game()
    other_device.sit(game)
    device.do(game, "seats", do="up", player=game.players.get(name=BRUNO).pk, waiting="1")
    bruno = browse()
    bruno.add_init_script(BEHIND + "; window.behind = true")
    sit(bruno, game, who=other_device)
    wait_for_stream(bruno)
    device.do(game, "start")
    expect(bruno).to_have_title(YOUR_TURN)
    bruno.evaluate("window.behind = false; window.dispatchEvent(new Event('focus'))")  # a window beside others
    expect(bruno).to_have_title(f"Your turn, {BRUNO} · 10,000")


def test_a_player_who_sees_the_page_is_not_called(players: Players, falls: Callable[..., None]) -> None:
    falls("115236")
    press_and_wait(players.ana, players.ana.locator("#throw").click)
    press_and_wait(players.ana, players.ana.locator("#bank").click)
    expect(players.bruno).to_have_title(f"Your turn, {BRUNO} · 10,000")
    expect(players.ana).to_have_title(f"{BRUNO}’s turn · 10,000")
    wait_until_settled(players.bruno, players.game)
    players.bruno.wait_for_function("() => import($('#stream').dataset.signals)")  # by then the call would be made
    assert players.bruno.evaluate("badges") == []


def test_a_bell_rings_once_when_your_turn_comes(players: Players, device: Device, falls: Callable[..., None]) -> None:
    falls("115236")
    players.bruno.evaluate("window.cues = []; window.playCue = name => name && cues.push(name)")
    press_and_wait(players.ana, players.ana.locator("#throw").click)
    press_and_wait(players.ana, players.ana.locator("#bank").click)
    wait_until_settled(players.bruno, players.game)
    device.do(players.game, "seats", do="rename", seat=0, name="Anna")
    wait_until_settled(players.bruno, players.game)
    assert players.bruno.evaluate("cues.slice(-2)") == ["bank", "turn"]


def test_your_turn_is_announced_once(players: Players, falls: Callable[..., None]) -> None:
    falls("115236")
    players.bruno.evaluate(
        """window.said = []
        new MutationObserver(() => said.push($('#live').textContent)).observe($('#live'), {childList: true})"""
    )
    press_and_wait(players.ana, players.ana.locator("#throw").click)
    press_and_wait(players.ana, players.ana.locator("#bank").click)
    expect(players.bruno.locator("#status")).to_have_text(f"Your turn, {BRUNO}")
    wait_until_settled(players.bruno, players.game)
    assert [text for text in players.bruno.evaluate("said") if "your turn" in text] == [
        f"{ANA} banked 250. Score 1,250. {ANA} takes the lead! It is your turn."
    ]


# A headless browser shows no notifications. This script allows them and records them instead, without a push service.
NOTICES = """() => {
    delete window.PushManager
    window.notices = []
    window.Notification = class {
        static permission = 'default'
        static async requestPermission() { return this.permission = 'granted' }
        constructor(title, more) {
            notices.push([title, more.body, more.renotify])
            window.notice = this
        }
        close() { notices.push('closed') }
    }
}"""


def test_a_press_allows_notifications_and_one_is_shown_until_the_player_looks(
    players: Players, falls: Callable[..., None]
) -> None:
    falls("115236")
    bruno = players.bruno
    bruno.evaluate(NOTICES)
    bruno.locator("#menu > summary").click()
    bruno.get_by_role("button", name="Notify me when it’s my turn").click()
    expect(bruno.locator("#live")).to_have_text("You’ll be notified when it’s your turn, while this page is open.")
    expect(bruno.locator("#tell")).to_have_attribute("aria-pressed", "true")
    bruno.evaluate("leave(true)")
    press_and_wait(players.ana, players.ana.locator("#throw").click)
    press_and_wait(players.ana, players.ana.locator("#bank").click)
    bruno.wait_for_function("() => notices.length")
    shown = ["Your turn", f"Your turn, {BRUNO}", True]
    assert bruno.evaluate("notices") == [shown]
    bruno.evaluate("window.focus = () => { window.cameForward = true }; notice.onclick()")
    assert bruno.evaluate("cameForward")
    bruno.evaluate("leave(false)")
    assert bruno.evaluate("notices") == [shown, "closed"]


# On a phone only a service worker may show a notification. This one records what it shows.
NOTICES_ON_A_PHONE = """() => {
    delete window.PushManager
    window.notices = []
    window.Notification = class {
        static permission = 'default'
        static async requestPermission() { return this.permission = 'granted' }
        constructor() { throw new TypeError('Illegal constructor.') }
    }
    const worker = {
        showNotification: async (title, {tag, data}) => notices.push({title, tag, data}),
        getNotifications: async ({tag}) => notices.filter(notice => notice.tag === tag).map(
            notice => ({close: () => notices.splice(notices.indexOf(notice), 1)})),
    }
    Object.defineProperty(navigator, 'serviceWorker', {value: {getRegistration: async () => worker}})
}"""


def test_on_a_phone_a_notification_leads_to_its_game_and_goes_when_the_player_looks(
    players: Players, falls: Callable[..., None]
) -> None:
    falls("115236")
    bruno, address = players.bruno, players.game.get_absolute_url()
    bruno.evaluate(NOTICES_ON_A_PHONE)
    bruno.locator("#menu > summary").click()
    bruno.get_by_role("button", name="Notify me when it’s my turn").click()
    expect(bruno.locator("#tell")).to_have_attribute("aria-pressed", "true")
    bruno.evaluate("leave(true)")
    press_and_wait(players.ana, players.ana.locator("#throw").click)
    press_and_wait(players.ana, players.ana.locator("#bank").click)
    bruno.wait_for_function("() => notices.length")
    assert bruno.evaluate("notices") == [{"title": "Your turn", "tag": address, "data": address}]
    bruno.evaluate("leave(false)")
    bruno.wait_for_function("() => !notices.length")


# ── sounds ──


def test_no_sounds_are_fetched_before_the_first_touch(table: Table, falls: Callable[..., None]) -> None:
    falls("115236")
    requests: list[str] = []
    table.spectator.on("request", lambda request: requests.append(request.url))
    press_and_wait(table.ana, table.ana.locator("#throw").click)
    wait_until_settled(table.spectator, table.game)
    assert not [url for url in requests if "sounds" in url]
    with table.spectator.expect_request("**/sounds*.js"):
        table.spectator.locator("#status").click()


@pytest.fixture
def heard(page: Page, sit: Sit, device: Device) -> Page:
    """A page that has made its first sound, on which time passes only when the test lets it."""
    page.add_init_script(
        """window.AudioContext = class extends AudioContext {
            constructor() { super(); window.audio = this }
        }"""
    )
    page.clock.install(time=0)
    wait_for_stream(sit(page, device.game(*BOTH_IN, open_turn(0, throw("115236")))))
    page.clock.pause_at(60)  # when the page looks for changes
    page.wait_for_function("() => !asking")
    page.keyboard.press("3")
    page.wait_for_function("() => window.audio?.state === 'running'")
    return page


def test_sounds_go_on_after_the_phone_was_locked(heard: Page) -> None:
    heard.evaluate("audio.suspend()")
    heard.keyboard.press("3")
    heard.wait_for_function("() => audio.state === 'running'")


def test_sounds_use_no_battery_while_it_is_quiet(heard: Page) -> None:
    heard.clock.run_for(9000)
    heard.keyboard.press("3")
    heard.clock.run_for(9000)
    assert heard.evaluate("audio.state") == "running"
    heard.clock.run_for(1000)
    heard.wait_for_function("() => audio.state === 'suspended'")
    heard.keyboard.press("3")
    heard.wait_for_function("() => audio.state === 'running'")


# Counts what is played, and records how loud.
PLAYED = """window.played = 0
    window.levels = []
    for (const { prototype } of [AudioBufferSourceNode, OscillatorNode]) {
        const start = prototype.start
        prototype.start = function (...when) { played++; return start.apply(this, when) }
    }
    window.GainNode = class extends GainNode {
        constructor(audio, options) { super(audio, options); if (options.gain) levels.push(options.gain) }
    }"""


def test_every_moment_has_its_sound_and_full_is_louder_than_soft(page: Page, sit: Sit, device: Device) -> None:
    page.add_init_script(PLAYED)
    sit(page, device.game(*BOTH_IN))
    page.locator("#status").click()  # no page may make a sound before the first touch
    names = ["throw", "keep", "bank", "bust", "hot", "in", "over", "turn", "win"]
    silent = """async names => {
        const { play } = await import($('#stream').dataset.sounds)
        return names.filter(name => {
            const before = played
            play(name, 'soft')
            return played === before
        })
    }"""
    assert page.evaluate(silent, names) == []
    page.evaluate("import($('#stream').dataset.sounds).then(({ play }) => play('keep', 'full'))")
    *soft, full = page.evaluate("[...new Set(levels)]")
    assert len(soft) == 1 and full > soft[0]


def test_with_sounds_off_nothing_is_heard_until_they_are_on_again(page: Page, sit: Sit, device: Device) -> None:
    page.add_init_script(PLAYED)
    wait_for_stream(sit(page, device.game(*BOTH_IN, open_turn(0, throw("115236"))), prefs="sound=off"))
    page.keyboard.press("3")
    page.keyboard.press("m")
    expect(page.locator("#live")).to_have_text("Sounds on")
    page.wait_for_function("() => played")
    assert page.evaluate("played") == 1


def test_full_sounds_that_were_switched_off_come_back_as_full(page: Page, sit: Sit, device: Device) -> None:
    wait_for_stream(sit(page, device.game(*BOTH_IN), prefs="sound=full"))
    for level in ("off", "full"):
        page.keyboard.press("m")
        expect(page.locator("html")).to_have_attribute("data-sound", level)


def test_m_switches_sounds_off_and_on_for_later_pages(page: Page, sit: Sit, device: Device) -> None:
    ana = wait_for_stream(sit(page, device.game(*BOTH_IN)))
    with ana.expect_response("**/prefs"):
        ana.keyboard.press("m")
    expect(ana.locator("#live")).to_have_text("Sounds off")
    ana.reload()
    expect(ana.locator("html")).to_have_attribute("data-sound", "off")
    with ana.expect_response("**/prefs"):
        ana.keyboard.press("m")
    expect(ana.locator("html")).to_have_attribute("data-sound", "soft")


def test_the_last_of_several_quick_presses_on_m_is_the_one_that_is_kept(page: Page, sit: Sit, device: Device) -> None:
    ana = wait_for_stream(sit(page, device.game(*BOTH_IN)))
    held: list[Route] = []
    ana.route("**/prefs", lambda route: held.append(route) if not held else route.continue_())
    with ana.expect_request("**/prefs"):
        for _press in range(3):
            ana.keyboard.press("m")
    expect(ana.locator("#sound")).to_have_attribute("aria-pressed", "false")
    assert ana.evaluate("sending")  # a round trip, too, in which Playwright hands over the request it holds back
    held[0].continue_()
    ana.wait_for_function("() => !sending")
    ana.reload()
    expect(ana.locator("html")).to_have_attribute("data-sound", "off")


# ── who is there ──


def test_spectators_are_counted(table: Table) -> None:
    assert {room.watchers for room in hub.rooms.values()} == {1}


def test_an_answer_older_than_the_viewers_own_move_changes_nothing(
    sit: Sit, browse: Browse, seat_both: Callable[..., Game], other_device: Device, falls: Callable[..., None]
) -> None:
    """The page asks what changed at the table, and the viewer throws before the answer has come."""
    falls("115236")
    game = seat_both()
    ana = sit(browse(), game)
    wait_for_stream(ana)
    held: list[Route] = []
    ana.route(re.compile("/board"), lambda route: route.continue_() if held else held.append(route))
    with ana.expect_request(re.compile("/board")):
        other_device.do(game, "seats", do="rename", seat=1, name="Bea")
    ana.wait_for_function("() => asking")
    older = held[0].fetch()
    press_and_wait(ana, ana.locator("#throw").click)
    held[0].fulfill(response=older)
    ana.wait_for_function("() => !asking")
    expect(ana.locator("#turnlog .throws li")).to_have_count(1)
    expect(ana.locator("#scores")).to_contain_text("Bea")


def test_a_reaction_leaves_the_focus_so_that_space_does_not_throw(
    sit: Sit, browse: Browse, seat_both: Callable[..., Game]
) -> None:
    game, ana = seat_both(), browse()
    ana.clock.install(time=0)
    ana.clock.pause_at(1)  # the button rests for two seconds
    sit(ana, game)
    applause = ana.get_by_role("button", name="Applause")
    applause.focus()
    ana.keyboard.press(" ")
    expect(applause).to_have_attribute("aria-disabled", "true")
    expect(applause).to_be_focused()
    presses = count_events(ana, "submit")
    ana.keyboard.press(" ")
    assert presses() == 0
    assert reload_game(game).version == game.version


def test_a_reaction_pressed_again_at_once_is_sent_once(
    sit: Sit, browse: Browse, seat_both: Callable[..., Game]
) -> None:
    ana = browse()
    ana.clock.install(time=0)
    ana.clock.pause_at(1)
    sit(ana, seat_both())
    sent: list[str | None] = []
    ana.on("request", lambda request: sent.append(request.post_data) if request.method == "POST" else None)
    applause, hurry = (ana.get_by_role("button", name=name) for name in ("Applause", "Hurry up"))
    applause.click()
    expect(hurry).to_be_disabled()
    hurry.click(force=True)
    ana.clock.run_for(2000)
    with ana.expect_response(lambda answer: answer.request.method == "POST" and len(sent) > 1):
        applause.click()
    assert [data for data in sent if "%F0%9F%91%8F" not in (data or "")] == []
