"""Several browsers in one game: everybody sees each throw at once, and nobody can press for somebody else."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.conf import settings
from playwright.sync_api import BrowserContext, Page, Request, Route, expect

from game.live.hub import hub
from game.models import Game
from tests.browser.conftest import (
    BEHIND,
    Players,
    Table,
    count_events,
    press_and_wait,
    read_keep,
    tap_die,
    wait_for_stream,
    wait_until_settled,
)
from tests.cast import ANA, BOTH_IN, BRUNO, HAL, IN, Device, bank, make_key, open_turn, reload_game, throw
from tests.conftest import spare_unseen

Sit = Callable[..., Page]
Browse = Callable[..., Page]


def collect_requests(page: Page) -> list[Request]:
    """Return a list that collects the page's requests for a newer board from now on."""
    requests: list[Request] = []
    page.on("request", lambda request: requests.append(request) if "/board?" in request.url else None)
    return requests


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
