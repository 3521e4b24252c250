"""Sounds: what is fetched and heard when, how loud, and how they are switched off."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Table, press_and_wait, wait_for_stream, wait_until_settled
from tests.cast import BOTH_IN, Device, open_turn, throw

Sit = Callable[..., Page]


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
