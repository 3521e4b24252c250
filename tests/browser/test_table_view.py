"""The table view of a game, for a television that has only its link."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from game.models import Game
from tests.browser.conftest import iterate_widths
from tests.cast import ANA, BRUNO, IN, Device, bank, bust, open_turn, throw
from tests.require import require

Browse = Callable[..., Page]
Sit = Callable[..., Page]


@pytest.mark.parametrize("width", [768, 1920])
def test_tray_scores_and_turn_fill_the_screen_and_nothing_else_is_shown(
    browse: Browse, device: Device, width: int
) -> None:
    page = browse(width)
    page.set_viewport_size({"width": width, "height": width * 9 // 16 if width > 1000 else 1024})
    page.goto(device.game(bank(0, 1000, IN), open_turn(1, throw("111346"))).get_absolute_url() + "?big")
    for part in (".felt", ".player", "#status", "#sum"):
        expect(page.locator(part).first).to_be_in_viewport(ratio=1)
    for part in ("#ways", "#people", "#chart", ".foot", ".menu"):
        expect(page.locator(part)).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize(
    ("width", "height"), [(736, 390), (844, 390), (1024, 480), (1100, 470), (844, 500), (1280, 560), (1366, 600)]
)
def test_dice_and_buttons_are_on_a_low_screen_in_a_size_to_read(
    browse: Browse, sit: Sit, device: Device, width: int, height: int
) -> None:
    page = browse(width)
    page.set_viewport_size({"width": width, "height": height})
    sit(page, device.game(bank(0, 1000, IN), open_turn(1, throw("111346"))), "?big")
    for part in (".felt", "#sum", "#bank", "#throw"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    for part, least in ((".felt", 300), ("#bank", 140), ("#throw", 140)):
        assert require(page.locator(part).bounding_box())["width"] >= least, part
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_the_table_view_of_many_players_is_no_wider_than_a_phone(browse: Browse, device: Device) -> None:
    page = browse(320)
    page.goto(device.game(players=[f"Player {n}" for n in range(8)]).get_absolute_url() + "?big")
    for width in iterate_widths(page, 320, 412):
        assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("query", ["", "?big", "?at=1"])
def test_the_card_of_whoever_is_due_points_to_the_dice(browse: Browse, device: Device, query: str) -> None:
    page = browse(1024)
    page.goto(device.game(bank(0, 1000, IN)).get_absolute_url() + query)
    for width in iterate_widths(page, 1024, 1280):
        points_right, lies_right = page.evaluate(
            """() => {
                const [card, tray] = ['.player.now', '#tray'].map(part => document.querySelector(part))
                const arrow = getComputedStyle(card, '::before'), left = part => part.getBoundingClientRect().left
                return [parseFloat(arrow.left) > 0, left(tray) > left(card)]
            }"""
        )
        assert points_right == lies_right, width


def test_the_table_view_on_a_phone_keeps_clear_of_its_camera(browse: Browse, device: Device) -> None:
    page = browse(740)
    page.set_viewport_size({"width": 740, "height": 360})
    cameras = {"insets": {"left": 44, "right": 44}}
    page.context.new_cdp_session(page).send("Emulation.setSafeAreaInsetsOverride", cameras)
    page.goto(device.game(bank(0, 1000, IN), open_turn(1, throw("111346"))).get_absolute_url() + "?big")
    for part in ("#status", "#scores"):
        box = require(page.locator(part).bounding_box())
        assert box["x"] >= 44 and box["x"] + box["width"] <= 740 - 44


def test_the_table_view_keeps_the_screen_awake(browse: Browse, device: Device) -> None:
    page = browse(1280)
    page.add_init_script("navigator.wakeLock.request = async kind => { window.awake = kind }")
    page.goto(device.waiting_game(ANA, BRUNO).get_absolute_url() + "?big")
    page.wait_for_function("() => window.awake === 'screen'")
    page.evaluate("window.awake = null; document.dispatchEvent(new Event('visibilitychange'))")
    assert page.evaluate("window.awake") == "screen"


def test_a_running_game_keeps_the_screen_awake_even_after_its_tab_was_away(
    browse: Browse, sit: Sit, device: Device
) -> None:
    page = browse(360)
    page.add_init_script("navigator.wakeLock.request = async kind => { window.awake = kind }")
    sit(page, device.game())
    page.wait_for_function("() => window.awake === 'screen'")
    page.evaluate("window.awake = null; document.dispatchEvent(new Event('visibilitychange'))")
    assert page.evaluate("window.awake") == "screen"


def test_the_table_view_follows_the_start_of_the_game(browse: Browse, device: Device) -> None:
    game = device.waiting_game(ANA, BRUNO)
    page = browse(1280)
    page.goto(game.get_absolute_url() + "?big")
    expect(page.locator("#table")).to_be_visible()
    expect(page.locator("#settings")).to_be_hidden()
    device.do(game, "start")
    page.wait_for_url("**/g/*?big")
    expect(page.locator("#tray")).to_be_visible()


def test_the_table_view_follows_to_the_rematch(browse: Browse, device: Device) -> None:
    game = device.game(bank(0, 1000, IN), bust(1, throw("223446")), target=1000)
    page = browse(1280)
    page.goto(game.get_absolute_url() + "?big")
    expect(page.locator("#finish")).to_be_visible()
    device.do(game, "rematch")
    rematch = Game.objects.get(follows=game)
    page.wait_for_url(f"**{rematch.get_absolute_url()}?big")
    expect(page.locator("#tray")).to_be_visible()


@pytest.mark.parametrize("javascript", [True, False])
def test_starting_the_game_in_the_table_view_stays_there(
    browse: Browse, sit: Sit, device: Device, javascript: bool
) -> None:
    page = sit(browse(1280, javascript=javascript), device.waiting_game(ANA, BRUNO), "?big")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#tray")).to_be_visible()
    expect(page.locator("body")).to_have_class("game tableview")


def test_four_at_a_table_start_in_the_table_view_without_scrolling(browse: Browse, sit: Sit, device: Device) -> None:
    page = sit(browse(1280), device.waiting_game(ANA, BRUNO, "Chloé", "Dora"), "?big")
    expect(page.get_by_role("button", name="Start")).to_be_in_viewport(ratio=1)
