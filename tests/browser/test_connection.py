"""Presses without a connection or beyond the rate limit: the page sends them again by itself, and they count once."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect
from pytest_django import Settings

from game.models import Game
from game.serving import rate_limits
from tests.axe import check_accessible
from tests.browser.conftest import count_events, press_and_wait, read_keep, wait_for_parts, wait_for_stream
from tests.cast import ANA, BRUNO, HAL, IN, Device, bank, open_turn, share_game, throw
from tests.require import require
from tests.views.crews.test_crews import make_crew

Sit = Callable[..., Page]

KEPT = "You’re offline. Your move will go through when you’re back."


@pytest.fixture
def deciding(unlucky: Page, sit: Sit, device: Device) -> Page:
    game = device.game(bank(0, 1000, IN), bank(1, 1000, IN), open_turn(0, throw("115236")))
    return wait_for_stream(sit(unlucky, game))


def test_a_press_goes_through_by_itself_once_the_connection_is_back(deciding: Page) -> None:
    sent: list[str | None] = []

    def twice_in_vain(route: Route) -> None:
        sent.append(route.request.post_data)
        if len(sent) < 3:
            route.abort()
        else:
            route.continue_()

    deciding.clock.install(time=0)
    deciding.clock.pause_at(1)
    deciding.route("**/bank", twice_in_vain)
    deciding.locator("#bank").click()
    expect(deciding.get_by_role("alert")).to_have_text(KEPT)
    with deciding.expect_event("requestfailed"):
        deciding.clock.run_for(1500)
    deciding.clock.run_for(3000)
    deciding.clock.resume()  # if the page has set its second timer only now
    expect(deciding.locator("#status")).to_have_text(f"Your turn, {BRUNO}")
    expect(deciding.get_by_role("alert")).to_have_count(0)
    expect(deciding.locator(".player .score")).to_have_text(["1,250", "1,000"])
    assert len(sent) == 3
    assert len(set(sent)) == 1, "the same request, so that the server knows it again"


@pytest.mark.parametrize(("width", "height"), [(360, 640), (390, 844), (768, 1024), (844, 390), (1280, 800)])
def test_no_dice_move_or_are_covered_when_the_connection_is_lost(deciding: Page, width: int, height: int) -> None:
    deciding.set_viewport_size({"width": width, "height": height})
    before = deciding.locator("#tray").bounding_box()
    deciding.route("**/throw", lambda route: route.abort())
    deciding.keyboard.press("r")
    expect(deciding.get_by_role("alert")).to_have_text(KEPT)
    assert deciding.locator("#tray").bounding_box() == before
    alert, dice = (require(deciding.locator(part).bounding_box()) for part in ("#problem", ".dice"))
    assert alert["y"] >= 0 and alert["y"] + alert["height"] <= dice["y"]


@pytest.mark.parametrize("motion", ["auto", "none"])
def test_buttons_fade_while_the_answer_takes_long(deciding: Page, motion: str) -> None:
    deciding.evaluate("motion => { document.documentElement.dataset.motion = motion }", motion)
    held: list[Route] = []
    deciding.route("**/bank", lambda route: held.append(route))
    deciding.locator("#bank").click()
    expect(deciding.locator("#bank")).to_have_css("opacity", "0.5")
    expect(deciding.locator("#bank")).to_have_css("transition-delay", "0.5s")  # most answers are sooner there
    held[0].continue_()
    expect(deciding.locator("#status")).to_have_text(f"Your turn, {BRUNO}")
    expect(deciding.locator("#throw")).to_have_css("opacity", "1")


def test_dice_in_the_air_show_that_an_answer_is_awaited(deciding: Page) -> None:
    deciding.route("**/throw", lambda _: None)
    deciding.locator("#throw").click()
    expect(deciding.locator("#tray.htmx-request .stage")).to_have_count(1)
    expect(deciding.locator("#throw")).to_have_css("transition-duration", "0s")  # or it would fade during every fall


def test_keys_of_the_pad_whose_script_gets_lost_work_after_the_next_answer(
    unlucky: Page, sit: Sit, device: Device
) -> None:
    errors: list[str] = []
    unlucky.on("pageerror", lambda error: errors.append(error.message))
    game = device.game(bank(0, 1000, IN), bank(1, 1000, IN))
    device.do(game, "mode", mode="manual")
    unlucky.route("**/js/pad.*", lambda route: route.abort())
    wait_for_stream(sit(unlucky, game))
    unlucky.locator("#points").fill("500")
    unlucky.unroute("**/js/pad.*")
    with unlucky.expect_response("**/js/pad.*"):
        press_and_wait(unlucky, lambda: unlucky.locator("#bank").click())
    wait_for_parts(unlucky)
    unlucky.get_by_role("button", name="+50", exact=True).click()
    expect(unlucky.locator("#points")).to_have_value("50")
    assert errors == []


@pytest.mark.parametrize(("key", "dice"), [("3", "12"), ("n", "12"), ("a", "123")])
def test_choosing_dice_meanwhile_takes_back_the_press_on_bank(deciding: Page, key: str, dice: str) -> None:
    deciding.clock.install(time=0)
    deciding.clock.pause_at(1)
    submits = count_events(deciding, "submit")
    deciding.route("**/bank", lambda route: route.abort())
    deciding.locator("#bank").click()
    expect(deciding.get_by_role("alert")).to_have_text(KEPT)
    deciding.keyboard.press(key)
    expect(deciding.get_by_role("alert")).to_have_count(0)
    deciding.clock.run_for(2000)  # the page would have pressed Bank again after 1.5 s
    assert submits() == 1
    expect(deciding.locator(".player .score")).to_have_text(["1,000", "1,000"])
    assert read_keep(deciding) == dice


def test_after_a_press_that_came_too_late_the_next_lost_one_is_repeated_as_soon(deciding: Page, device: Device) -> None:
    deciding.clock.install(time=0)
    deciding.clock.pause_at(1)
    deciding.route("**/bank", lambda route: route.abort())
    deciding.locator("#bank").click()
    expect(deciding.get_by_role("alert")).to_have_text(KEPT)
    device.do(Game.objects.get(), "target", target="5000")
    expect(deciding.locator(".round")).to_contain_text("to 5,000")
    expect(deciding.get_by_role("alert")).to_have_count(0)
    submits = count_events(deciding, "submit")
    deciding.locator("#bank").click()
    expect(deciding.get_by_role("alert")).to_have_text(KEPT)
    deciding.clock.run_for(2000)
    assert submits() == 2


@pytest.fixture
def questioned(unlucky: Page, sit: Sit, device: Device, other_device: Device) -> Page:
    """Bruno's page: Ana has asked to undo her bank, and only Bruno can answer."""
    game = share_game(device, other_device, bank(0, 1000, IN))
    device.do(game, "undo")
    return wait_for_stream(sit(unlucky, game, who=other_device))


def test_a_question_is_still_there_when_the_connection_is_back(questioned: Page) -> None:
    questioned.context.set_offline(True)
    questioned.evaluate("listen()")  # going offline does not close connections that Chromium has open already
    expect(questioned.locator("#problem")).to_have_text("Connection lost. Trying again…")
    expect(questioned.locator("#allow")).to_be_visible()
    questioned.context.set_offline(False)
    expect(questioned.locator("#problem")).to_have_count(0)
    questioned.locator("#allow").click()
    expect(questioned.locator("#status")).to_contain_text(ANA)
    expect(questioned.locator("#banner")).to_be_empty()


def test_a_lost_answer_to_a_question_goes_through_by_itself(questioned: Page) -> None:
    questioned.clock.install(time=0)
    questioned.clock.pause_at(1)
    questioned.route("**/undo/answer", lambda route: route.abort(), times=2)
    questioned.locator("#allow").click()
    expect(questioned.locator("#problem")).to_have_text(KEPT)
    with questioned.expect_event("requestfailed"):
        questioned.clock.run_for(1500)
    questioned.clock.run_for(3000)
    questioned.clock.resume()  # if the page has set its second timer only now
    expect(questioned.locator("#banner")).to_be_empty()
    expect(questioned.locator(".player .score")).to_have_text(["0", "0"])


@pytest.mark.parametrize("started", [False, True])
def test_a_computer_is_added_once_if_the_answer_gets_lost(
    unlucky: Page, sit: Sit, device: Device, *, started: bool
) -> None:
    game = device.game() if started else device.waiting_game(ANA, BRUNO)
    page = wait_for_stream(sit(unlucky, game))
    seats = page.locator("#seats > li" if started else ".setup > li")
    expect(seats).to_have_count(2)
    sent: list[str | None] = []

    def lose_the_answer(route: Route) -> None:
        sent.append(route.request.post_data)
        if len(sent) > 1:
            route.continue_()
        else:
            route.fetch()
            route.abort()

    page.route("**/seats", lose_the_answer)
    button = page.locator("[data-once] button").last
    page.evaluate("for (const closed of document.querySelectorAll('details:has([data-once])')) closed.open = true")
    page.clock.install()
    button.click()
    expect(seats).to_have_count(3)
    expect(page.locator("#problem")).to_have_count(0)
    page.clock.run_for(2000)  # the page would have pressed the button again after 1.5 s
    expect(seats).to_have_count(3)
    assert len(set(sent)) == 1, "at most the same request again, if the news of the seat came late"


def test_tips_are_closed_once_the_connection_is_back(unlucky: Page, sit: Sit, device: Device) -> None:
    page = wait_for_stream(sit(unlucky, device.game()))
    page.clock.install()
    page.route("**/prefs", lambda route: route.abort(), times=1)
    page.get_by_role("button", name="Close these tips").click()
    expect(page.locator("#problem")).to_have_text("You’re offline. Your move will go through when you’re back.")
    page.clock.run_for(2000)
    expect(page.locator("#coaching")).to_have_count(0)
    expect(page.locator("#problem")).to_have_count(0)


def test_a_refused_press_leaves_the_question_and_gives_its_reason_once(questioned: Page) -> None:
    questioned.context.clear_cookies(name="csrf")
    questioned.context.new_page().goto("/help")
    for _press in range(3):
        with questioned.expect_response(lambda response: response.status == 403):
            questioned.locator("#allow").click()
        questioned.wait_for_function("() => !sending")
        expect(questioned.locator("#problem")).to_have_count(1)
        expect(questioned.locator("#problem")).to_contain_text("This page is out of date. Nothing was changed.")
        expect(questioned.locator("#refuse")).to_be_visible()


def test_a_computer_whose_turn_got_lost_plays_on_and_nobody_is_promised_a_move(
    unlucky: Page, sit: Sit, device: Device
) -> None:
    unlucky.route("**/advance", lambda route: route.abort(), times=1)
    unlucky.clock.install(time=0)
    unlucky.clock.pause_at(1)
    wait_for_stream(sit(unlucky, device.game(players=[HAL, ANA]), prefs="pace=instant"))
    unlucky.clock.run_for(1000)
    expect(unlucky.get_by_role("alert")).to_have_text("Connection lost. Trying again…")
    unlucky.clock.run_for(5000)
    unlucky.clock.resume()
    expect(unlucky.locator("#status")).to_have_text("Your turn")


def test_computers_that_play_too_fast_wait_a_moment_and_continue(
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


# ── pages beside the game ──

PRESSES = {
    "/prefs": lambda page: page.get_by_role("radio", name="Dark").check(),
    "/new?for=phone": lambda page: page.get_by_role("button", name="Add player").click(),
    "/rules/change": lambda page: page.locator("[name=target]").first.fill("7000"),
    "crew": lambda page: page.get_by_role("button", name="+ Add computer").click(),
}


@pytest.fixture
def opened(unlucky: Page, sit: Sit, device: Device) -> Callable[[str], Page]:
    """Return a function that opens the page at an address; "crew" stands for the page of a crew."""

    def open_page(address: str) -> Page:
        sit(unlucky).goto(make_crew(device, ANA).get_absolute_url() if address == "crew" else address)
        assert unlucky.evaluate("document.querySelector('#banner').offsetHeight") == 0, "it takes no room"
        return unlucky

    return open_page


@pytest.mark.parametrize("address", PRESSES)
def test_a_press_without_a_connection_says_so_on_every_page(opened: Callable[[str], Page], address: str) -> None:
    page = opened(address)
    page.context.set_offline(True)
    PRESSES[address](page)
    expect(page.get_by_role("alert")).to_have_text("No connection. Wait a moment, then try again.")
    expect(page.get_by_role("alert")).to_be_in_viewport()
    check_accessible(page)


def test_a_page_beside_the_game_says_that_it_is_out_of_date(opened: Callable[[str], Page]) -> None:
    page = opened("/new?for=phone")
    page.context.clear_cookies(name="csrf")
    page.context.new_page().goto("/help")
    page.get_by_role("button", name="Add player").click()
    expect(page.get_by_role("alert")).to_have_text("This page is out of date. Nothing was changed. Load it again")
    page.get_by_role("link", name="Load it again").click()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_the_message_disappears_when_a_press_goes_through(opened: Callable[[str], Page]) -> None:
    page = opened("/prefs")
    page.context.set_offline(True)
    page.get_by_role("radio", name="Dark").check()
    expect(page.get_by_role("alert")).to_have_count(1)
    page.context.set_offline(False)
    page.get_by_role("radio", name="Light").check()
    expect(page.get_by_role("alert")).to_have_count(0)
