"""The site in a browser: nothing is refused by the policy, axe finds no problem, and no page is too wide."""

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from tests.axe import check_accessible
from tests.browser.conftest import iterate_widths
from tests.cast import ANA, BRUNO, IN, Device, bank, open_turn, throw
from tests.require import require


@pytest.mark.smoke
def test_the_home_page_opens_on_a_phone(phone: Page) -> None:
    phone.goto("/")
    expect(phone.get_by_role("heading", level=1)).to_be_visible()
    check_accessible(phone)


@pytest.mark.smoke
def test_the_admin_works_under_the_same_policy_as_the_rest(page: Page) -> None:
    User.objects.create_superuser("host", password="six of a kind")
    page.goto("/admin/")
    page.get_by_label("Username").fill("host")
    page.get_by_label("Password").fill("six of a kind")
    page.get_by_role("button", name="Log in").click()
    for address in ("/admin/", "/admin/auth/user/", "/admin/auth/user/add/", "/admin/auth/group/add/"):
        assert require(page.goto(address)).status == 200
    page.goto("/admin/auth/user/")
    page.get_by_role("link", name="host").click()
    page.get_by_role("link", name="Today").first.click()  # the date picker: the admin's own script
    page.get_by_label("First name").fill("Anna")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("was changed successfully")).to_be_visible()


def list_links(page: Page) -> list[str]:
    return page.locator("header.site").get_by_role("link").all_inner_texts()


def test_a_wide_screen_has_the_main_pages_in_its_header(page: Page) -> None:
    page.goto("/")
    assert list_links(page) == ["10,000", "Rules", "Odds", "Games", "Sign in"]
    for name in ("Odds", "Games", "Rules"):
        page.get_by_role("navigation", name="Main pages").get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
    check_accessible(page)


def test_a_phone_has_the_main_pages_only_in_the_menu(phone: Page) -> None:
    phone.goto("/")
    assert list_links(phone) == ["10,000"]
    phone.locator("#menu > summary").click()
    assert {"Rules", "Odds", "Games", "Account"} < set(list_links(phone))


@pytest.mark.parametrize("address", ["/new", None])
def test_on_a_phone_the_end_of_the_menu_is_not_hidden_behind_the_buttons(
    phone: Page, sit: Callable[..., Page], device: Device, address: str | None
) -> None:
    game = device.game(bank(0, 1000, IN), bank(1, 1000, IN), open_turn(0, throw("115236")))
    sit(phone).goto(address or game.get_absolute_url())
    phone.locator("#menu > summary").click()
    panel = phone.locator(".menu-panel")
    phone.wait_for_function("() => !document.querySelector('#tell[hidden]')")  # the last to come, and it moves the rest
    panel.evaluate("panel => panel.scrollTo(0, panel.scrollHeight)")
    account = require(panel.get_by_role("link").last.bounding_box())
    phone.touchscreen.tap(account["x"] + account["width"] / 2, account["y"] + account["height"] / 2)
    expect(phone).to_have_url(re.compile("/account/"))


def test_the_menu_of_a_phone_on_its_side_keeps_clear_of_the_camera(page: Page) -> None:
    page.set_viewport_size({"width": 740, "height": 360})
    page.context.new_cdp_session(page).send("Emulation.setSafeAreaInsetsOverride", {"insets": {"right": 44}})
    page.goto("/")
    page.locator("#menu > summary").click()
    panel = require(page.locator(".menu-panel").bounding_box())
    assert panel["x"] + panel["width"] <= 740 - 44


@pytest.mark.parametrize("address", ["/", "/help"])
def test_space_scrolls_a_page_and_throws_no_dice_there(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 740, "height": 360})
    page.goto(address)
    page.keyboard.press("Space")
    page.wait_for_function("() => scrollY > 0")
    expect(page).to_have_url(re.compile(f"{address}$"))


def test_everything_that_opens_and_closes_is_high_enough_for_a_finger(
    phone: Page, sit: Callable[..., Page], device: Device
) -> None:
    game = device.game(bank(0, 1000, IN), bank(1, 1000, IN), open_turn(0, throw("115236")))
    for address in ("/odds", "/new", "/fair", "/help", "/games", game.get_absolute_url()):
        sit(phone).goto(address)
        heights = phone.locator("summary:visible").evaluate_all("all => all.map(each => each.offsetHeight)")
        assert len(heights) > 1, address  # more than the menu's
        assert min(heights) >= 24, address


def test_no_field_is_so_small_that_an_iphone_zooms_in(phone: Page, sit: Callable[..., Page], device: Device) -> None:
    waiting, game = device.waiting_game(), device.game(bank(0, 1000, IN), open_turn(1, throw("115236")))
    sit(phone)
    fields = "input:not([type=hidden], [type=checkbox], [type=radio]), select, textarea"
    sizes = "all => all.map(each => parseFloat(getComputedStyle(each).fontSize))"
    for address in ("/new", "/practice", "/odds", "/games", waiting.get_absolute_url(), game.get_absolute_url()):
        phone.goto(address)
        assert min(phone.locator(fields).evaluate_all(sizes)) >= 16, address


def test_two_quick_taps_do_not_zoom_in(phone: Page) -> None:
    phone.goto("/")
    expect(phone.locator("html")).to_have_css("touch-action", "manipulation")


def test_on_a_tablet_no_page_is_wider_than_the_window(browse: Callable[..., Page]) -> None:
    page = browse(600)
    for address in ("/", "/new", "/rules", "/rules/classic", "/odds", "/practice", "/games", "/help", "/fair"):
        page.goto(address)
        for width in iterate_widths(page, 600, 768, 1000):
            assert page.evaluate("document.documentElement.scrollWidth") <= width, address


def test_the_longest_name_makes_no_page_wider_than_a_phone(
    phone: Page, sit: Callable[..., Page], device: Device
) -> None:
    game = device.game(bank(0, 1000, IN), bank(1, 1000, IN), players=["W" * 24, "M" * 24])
    sit(phone)
    for address in ("/", "/games", *(game.get_absolute_url() + part for part in ("", "?at=1", "/sheet", "/fair"))):
        phone.goto(address)
        assert phone.evaluate("document.documentElement.scrollWidth") <= 360, address


def test_text_of_twice_the_size_makes_no_page_wider_than_a_phone(
    phone: Page, sit: Callable[..., Page], device: Device
) -> None:
    phone.context.new_cdp_session(phone).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    replay = device.game(bank(0, 1000, IN), bank(1, 1000, IN)).get_absolute_url() + "?at=1"
    sit(phone)
    for address in ("/", "/new?for=computer", "/rules", "/rules/pot", "/odds", "/games", "/help", "/practice", replay):
        phone.goto(address)
        assert phone.evaluate("document.documentElement.scrollWidth") <= 360, address


def test_text_of_twice_the_size_leaves_long_buttons_within_their_panel(
    browse: Callable[..., Page], sit: Callable[..., Page], device: Device
) -> None:
    page = browse(360, locale="de-DE")
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    game = device.waiting_game(ANA, BRUNO)
    for what, do in (("start", ""), ("throw", ""), ("delete", "end")):
        device.do(game, what, do=do)
    sit(page, game, "/fair")
    expect(page.get_by_role("link", name="Die Prüfung herunterladen")).to_be_visible()
    ends = "parts => parts.map(part => part.getBoundingClientRect().right)"
    panel = page.locator(".panel", has=page.locator(".button")).evaluate_all(ends)
    assert max(page.locator(".panel .button").evaluate_all(ends)) <= min(panel)


def test_text_of_twice_the_size_leaves_the_menu_at_the_end_of_the_top_line(
    phone: Page, sit: Callable[..., Page], device: Device
) -> None:
    phone.context.new_cdp_session(phone).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    game = device.game(bank(0, 1000, IN))
    sit(phone)
    for address in ("/rules", game.get_absolute_url()):
        phone.goto(address)
        for width in iterate_widths(phone, 320, 360):
            mark, menu = (require(phone.locator(at).bounding_box()) for at in (".mark", ".menu > summary"))
            assert menu["x"] + menu["width"] >= width - 16, address
            assert menu["y"] < mark["y"] + mark["height"] / 2 < menu["y"] + menu["height"], address


def test_text_of_twice_the_size_leaves_room_for_the_names_of_a_new_game(phone: Page) -> None:
    phone.context.new_cdp_session(phone).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    phone.goto("/new?for=computer")
    for field in phone.locator("#players input[name=name]").all():
        field.fill("Maximilian")
        assert field.evaluate("field => field.scrollWidth <= field.clientWidth")
