"""Without a connection, or too fast: what was pressed is pressed again by the page itself, and once only."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect
from pytest_django import Settings

from game.serving import rate_limits
from tests.browser.conftest import counted, kept, tap
from tests.cast import BRUNO, HAL, IN, Device, banked, going_on, throw

Sit = Callable[..., Page]

KEPT = "You’re offline. Your move will go through when you’re back."


@pytest.fixture
def deciding(unlucky: Page, sit: Sit, device: Device) -> Page:
    return sit(unlucky, device.game(banked(0, 1000, IN), banked(1, 1000, IN), going_on(0, throw("115236"))))


def test_a_press_goes_through_by_itself_as_soon_as_the_connection_is_back(deciding: Page) -> None:
    sent: list[str | None] = []

    def twice_in_vain(route: Route) -> None:
        sent.append(route.request.post_data)
        if len(sent) < 3:
            route.abort()
        else:
            route.continue_()

    deciding.route("**/bank", twice_in_vain)
    deciding.locator("#bank").click()
    expect(deciding.get_by_role("alert")).to_have_text(KEPT)
    expect(deciding.locator("#status")).to_have_text(f"Your turn, {BRUNO}")
    expect(deciding.get_by_role("alert")).to_have_count(0)
    expect(deciding.locator(".player .score")).to_have_text(["1,250", "1,000"])
    assert len(sent) == 3
    assert len(set(sent)) == 1, "the same request, so that the server knows it again"


def test_who_changes_the_dice_meanwhile_has_not_pressed_bank(deciding: Page) -> None:
    deciding.clock.install(time=0)
    deciding.clock.pause_at(1)
    submits = counted(deciding, "submit")
    deciding.route("**/bank", lambda route: route.abort())
    deciding.locator("#bank").click()
    expect(deciding.get_by_role("alert")).to_have_text(KEPT)
    tap(deciding, 3)
    expect(deciding.get_by_role("alert")).to_have_count(0)
    deciding.clock.run_for(2000)  # it would have been pressed again after 1.5 s
    assert submits() == 1
    expect(deciding.locator(".player .score")).to_have_text(["1,000", "1,000"])
    assert kept(deciding) == "12"


def test_computers_that_play_too_fast_wait_a_moment_and_go_on(
    unlucky: Page, sit: Sit, device: Device, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "COUNTS", rate_limits.Counts())
    settings.LIMITS = {"step": (2, 2)}
    statuses: list[int] = []
    unlucky.on("response", lambda answer: statuses.append(answer.status) if "/advance" in answer.url else None)
    game = device.game(players=[HAL, "*Ada"])
    sit(unlucky, game, prefs="pace=instant")
    expect(unlucky.get_by_role("alert")).to_contain_text("Too many tries. Wait 1 second.")
    seen = statuses.count(200)
    while statuses.count(200) < seen + 3:
        unlucky.wait_for_event("response")
    assert statuses.count(429) <= statuses.count(200), "it waits, and does not ask again at once"
