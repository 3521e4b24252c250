"""Calls while the page is closed: the switch for them, and what the service worker does with a call."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from game.models import CallSettings, PushSubscription, TurnCall
from tests.calling.push_service import SubscribedBrowser
from tests.cast import ANA, BRUNO, Device, share_game

Sit = Callable[..., Page]

# This Chromium has no push service and allows no notifications. This script stands in for both, with a push service
# that gives the address and keys it is passed.
PUSH = """([endpoint, p256dh, auth]) => {
    window.Notification = class {
        static permission = 'default'
        static async requestPermission() { return this.permission = 'granted' }
    }
    let made = null
    const subscription = { endpoint, toJSON: () => ({ endpoint, keys: { p256dh, auth } }) }
    const pushManager = { subscribe: async options => made = subscription, getSubscription: async () => made }
    Object.defineProperty(ServiceWorkerRegistration.prototype, 'pushManager', { get: () => pushManager })
}"""


def fake_push_service(page: Page) -> SubscribedBrowser:
    browser = SubscribedBrowser("https://push.example/bruno")
    page.add_init_script(f"({PUSH})({json.dumps(list(browser.form.values()))})")
    return browser


def test_one_press_in_the_menu_switches_calls_on_and_another_off(
    browse: Callable[..., Page], sit: Sit, device: Device, other_device: Device
) -> None:
    page = browse(timezone_id="Asia/Tokyo")
    browser = fake_push_service(page)
    game = share_game(device, other_device)
    sit(page, game, who=other_device)
    page.locator("#menu > summary").click()
    switch = page.get_by_role("button", name="Notify me when it’s my turn")
    expect(switch).to_have_attribute("aria-pressed", "false")
    switch.click()
    expect(page.locator("#live")).to_have_text("You’ll be notified when it’s your turn, even with this page closed.")
    expect(switch).to_have_attribute("aria-pressed", "true")
    assert PushSubscription.objects.get().endpoint == browser.endpoint
    assert CallSettings.objects.get().zone == "Asia/Tokyo"
    assert TurnCall.objects.get().player.name == BRUNO
    page.keyboard.press("Enter")
    expect(page.locator("#live")).to_have_text("You won’t be notified any more.")
    expect(switch).to_have_attribute("aria-pressed", "false")
    assert not PushSubscription.objects.exists()


def test_a_subscription_with_an_older_key_gives_way_to_a_new_one(page: Page, sit: Sit, device: Device) -> None:
    fake_push_service(page)
    page.add_init_script(
        """{
            const manager = ServiceWorkerRegistration.prototype.pushManager, { subscribe, getSubscription } = manager
            let older = { unsubscribe: async () => { older = null } }
            manager.subscribe = async options => {
                if (older) throw new Error('another key')
                return subscribe(options)
            }
            manager.getSubscription = async () => older ?? getSubscription()
        }"""
    )
    sit(page, device.waiting_game(ANA))
    page.get_by_role("button", name="Notify me when it’s my turn").click()
    expect(page.locator("#live")).to_have_text("You’ll be notified when it’s your turn, even with this page closed.")


@pytest.mark.parametrize("started", [True, False])
def test_in_place_of_the_switch_it_says_that_the_browser_blocks_notifications(
    page: Page, sit: Sit, device: Device, other_device: Device, *, started: bool
) -> None:
    page.add_init_script("window.Notification = class { static permission = 'denied' }")
    sit(page, share_game(device, other_device) if started else device.waiting_game(ANA))
    if started:
        page.locator("#menu > summary").click()
    expect(page.get_by_text("This browser blocks notifications from this site.")).to_be_visible()
    expect(page.locator("#tell")).to_have_count(0)


def test_an_iphone_is_told_to_add_the_site_to_its_home_screen_first(page: Page, sit: Sit, device: Device) -> None:
    page.add_init_script("delete window.Notification; navigator.standalone = false")
    sit(page, device.waiting_game(ANA))
    expect(page.locator("#calls")).to_have_text(
        "To be notified on this device, first add this site to its home screen."
    )


def test_the_switch_for_calls_is_still_on_when_a_page_is_opened_again(page: Page, sit: Sit, device: Device) -> None:
    page.add_init_script(
        """delete window.PushManager
        window.Notification = class { static permission = 'granted' }
        localStorage.setItem('tell', 'on')"""
    )
    sit(page, device.waiting_game(ANA))
    expect(page.locator("#tell")).to_have_attribute("aria-pressed", "true")


def test_a_switch_that_the_browser_blocks_when_it_is_pressed_gives_way_to_the_reason(
    page: Page, sit: Sit, device: Device
) -> None:
    page.add_init_script(
        """window.Notification = class {
            static permission = 'default'
            static async requestPermission() { return this.permission = 'denied' }
        }"""
    )
    sit(page, device.waiting_game(ANA))
    page.locator("#tell").click()
    expect(page.locator("#calls")).to_have_text("This browser blocks notifications from this site.")


def test_the_waiting_page_has_the_switch_for_calls_in_sight(page: Page, sit: Sit, device: Device) -> None:
    fake_push_service(page)
    sit(page, device.waiting_game(ANA))
    switch = page.get_by_role("button", name="Notify me when it’s my turn")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#live")).to_have_text("You’ll be notified when it’s your turn, even with this page closed.")


def test_the_switch_for_calls_goes_with_a_seat_lost_before_the_start(
    page: Page, sit: Sit, device: Device, other_device: Device
) -> None:
    fake_push_service(page)
    game = device.waiting_game(ANA)
    other_device.sit(game)
    sit(page, game, who=other_device)
    switch = page.get_by_role("button", name="Notify me when it’s my turn")
    expect(switch).to_be_visible()
    device.do(game, "target", target="5000", waiting="1")
    expect(page.get_by_text("to 5,000")).to_be_visible()
    expect(switch).to_be_visible()
    device.do(game, "seats", do="remove", player=game.players.get(name=BRUNO).pk, waiting="1")
    expect(page.get_by_role("heading", level=1)).to_have_text("This game has not started yet")
    expect(switch).to_be_hidden()


# The service worker's events are made by hand, because this Chromium gets none; what the worker would do outside the
# page is recorded.
IN_THE_WORKER = """async ([kind, said]) => {
    const done = [], waits = []
    self.registration.showNotification = async (title, { body, tag, data, renotify }) => {
        done.push([title, body, tag, data, renotify])
    }
    self.clients.openWindow = async url => { done.push(['open', url]) }
    WindowClient.prototype.focus = async function () { done.push(['focus', new URL(this.url).pathname]) }
    const event = kind === 'push' ? new PushEvent(kind, { data: JSON.stringify(said) }) : new Event(kind)
    if (kind !== 'push') event.notification = { data: said.url, close: () => done.push(['close']) }
    event.waitUntil = promise => waits.push(promise)
    self.dispatchEvent(event)
    await Promise.all(waits)
    return done
}"""


def test_a_call_is_one_notification_and_leads_to_its_game(page: Page, sit: Sit, device: Device) -> None:
    game = device.game()
    sit(page, game)
    with page.context.expect_event("serviceworker") as started:
        page.evaluate(
            "navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(() => {})"
        )
    worker, address = started.value, game.get_absolute_url()
    message = {"title": "Your turn against Bruno", "body": "Classic 10,000", "url": address}
    shown = worker.evaluate(IN_THE_WORKER, ["push", message])
    assert shown == [
        ["Your turn against Bruno", "Classic 10,000", address, address, True]
    ]  # with this tag, the game's next call replaces it, but not without a sound
    assert worker.evaluate(IN_THE_WORKER, ["notificationclick", message]) == [["close"], ["focus", address]]
    page.goto("/help")
    assert worker.evaluate(IN_THE_WORKER, ["notificationclick", message]) == [["close"], ["open", address]]
