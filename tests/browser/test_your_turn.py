"""Whoever looks elsewhere learns that it is their turn: by title, icon, bell, notification and announcement."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from game.models import Game
from tests.browser.conftest import BEHIND, Players, press_and_wait, wait_for_stream, wait_until_settled
from tests.cast import ANA, BRUNO, Device, open_turn, throw
from tests.require import require

Sit = Callable[..., Page]
Browse = Callable[..., Page]

YOUR_TURN = "● Your turn · 10,000"


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
