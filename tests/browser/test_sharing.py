"""Sharing a link or a result: by the clipboard, as a picture, or through the phone's own share dialog."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Dialog, Page, expect

from game.models import Game
from tests.browser.conftest import wait_for_parts
from tests.cast import IN, Device, bank, bust, throw
from tests.reviews import load_finished_game
from tests.views.history.test_head_to_head import make_finished_game

Sit = Callable[..., Page]
NO_HTTPS = "Object.defineProperty(navigator, 'clipboard', { value: undefined })"
REFUSED = "navigator.clipboard.writeText = async () => { throw new DOMException('', 'NotAllowedError') }"

# As in Safari, a script may copy during a press, but no longer once another script has been fetched.
SAFARI = """const copy = navigator.clipboard.writeText.bind(navigator.clipboard)
    navigator.clipboard.writeText = async text => window.event ? copy(text) : Promise.reject(new Error('too late'))
    document.execCommand = () => false"""


@pytest.fixture
def over(device: Device) -> Game:
    last = bank(0, 2000, throw("111146", "1111"))
    return device.game(bank(0, 1000, IN), bank(1, 1000, IN), last, bust(1, throw("223446")), target=3000)


def read_clipboard(page: Page) -> str:
    """Return the text in the clipboard, read on another page because the one that copied may have no clipboard."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    other = page.context.new_page()
    other.goto("/help")
    return str(other.evaluate("navigator.clipboard.readText()"))


def test_a_result_is_shared_as_text_with_the_link_of_its_game(page: Page, sit: Sit, over: Game) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    sit(page, over).locator("#share > summary").click()
    page.get_by_role("button", name="Copy result").click()
    expect(page.locator("#live")).to_have_text("Copied")
    assert read_clipboard(page) == f"Ana wins 3,000 to 1,000! {page.url}"


def test_the_picture_of_a_result_is_saved_as_png(page: Page, sit: Sit, over: Game) -> None:
    wait_for_parts(sit(page, over))
    page.locator("#share > summary").click()
    expect(page.locator("#share img")).to_have_js_property("naturalWidth", 1200)
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Save picture").click()
    assert waiting.value.suggested_filename == "10000.png"
    assert waiting.value.path().read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "names",
    [
        ("Ana", "*HAL"),
        ("Wolfgang Amadeus Mozart", "*HAL"),
        ("Ana", "*Bartholomew of Zanzibar"),
        ("W" * 24, "*HAL"),
        ("天" * 24, "*HAL"),
    ],
)
def test_who_won_stays_within_the_frame_of_the_picture(
    page: Page, sit: Sit, device: Device, names: tuple[str, str]
) -> None:
    sit(page)
    for game in (load_finished_game(device, players=names), make_finished_game(device, *names, winner=1)):
        page.goto(f"{game.get_absolute_url()}/result.svg")
        assert page.locator("text").first.evaluate("text => text.getBBox().x + text.getBBox().width") < 1170


def test_no_name_in_the_picture_of_a_result_touches_a_score(page: Page, sit: Sit, device: Device) -> None:
    names = ("*Bartholomew of Zanzibar", "*Christophorus", "*Maximiliane", "W" * 24, "天" * 24, "김" * 9, "🎲" * 24)
    for name in names:
        sit(page).goto(f"{make_finished_game(device, name, 'Ana').get_absolute_url()}/result.svg")
        named, score = (page.locator("text", has_text=re.compile(f"^{re.escape(text)}$")) for text in (name, "10,100"))
        right = named.evaluate("text => text.getBBox().x + text.getBBox().width")
        assert right < score.evaluate("text => text.getBBox().x"), name


def test_where_files_can_be_shared_the_picture_is_shared_with_the_link(page: Page, sit: Sit, over: Game) -> None:
    page.add_init_script(
        """navigator.canShare = ({files}) => files.length > 0
        navigator.share = async ({files, text}) => { window.passedOn = [files[0].type, files[0].size > 1000, text] }"""
    )
    wait_for_parts(sit(page, over))
    page.locator("#share > summary").click()
    page.wait_for_function("() => window.passedOn")
    assert page.evaluate("passedOn") == ["image/png", True, f"Ana wins 3,000 to 1,000! {page.url}"]


@pytest.mark.parametrize("script", [NO_HTTPS, REFUSED], ids=["home network without https", "refused"])
def test_a_link_can_be_copied_without_the_clipboard_of_scripts(page: Page, sit: Sit, over: Game, script: str) -> None:
    page.add_init_script(script)
    button = sit(page, over).get_by_role("button", name="Copy link")
    button.click()
    expect(page.locator("#live")).to_have_text("Copied")
    assert read_clipboard(page) == page.url
    expect(page.get_by_role("button", name="Copied")).to_be_focused()


def test_an_iphone_does_not_zoom_in_on_the_field_from_which_the_older_command_copies(
    page: Page, sit: Sit, over: Game
) -> None:
    page.add_init_script(NO_HTTPS)
    page.add_init_script(
        "document.execCommand = () => window.size = getComputedStyle(document.querySelector('textarea')).fontSize"
    )
    sit(page, over).get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_focused()
    assert page.evaluate("parseFloat(size)") >= 16


def test_a_link_that_cannot_be_copied_is_shown_to_be_copied_by_hand(page: Page, sit: Sit, over: Game) -> None:
    page.add_init_script(f"{NO_HTTPS}; document.execCommand = () => false")
    button = sit(page, over).get_by_role("button", name="Copy link")
    shown: list[tuple[str, str]] = []

    def read_and_close(dialog: Dialog) -> None:
        shown.append((dialog.message, dialog.default_value))
        dialog.dismiss()

    page.once("dialog", read_and_close)
    with page.expect_event("dialog"):
        button.click()
    expect(button).to_be_focused()
    assert shown == [("Copy link", page.url)]


def test_without_a_connection_the_first_press_to_copy_says_so(unlucky: Page, sit: Sit, over: Game) -> None:
    sit(unlucky, over)
    unlucky.route("**/share*.js", lambda route: route.abort(), times=1)
    unlucky.get_by_role("button", name="Copy link").click()
    expect(unlucky.get_by_role("alert")).to_have_text("No connection. Wait a moment, then try again.")
    unlucky.get_by_role("button", name="Copy link").click()
    expect(unlucky.get_by_role("button", name="Copied")).to_be_focused()
    expect(unlucky.get_by_role("alert")).to_have_count(0)


def test_the_first_press_copies_a_link_in_safari(page: Page, sit: Sit, over: Game) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.add_init_script(SAFARI)
    sit(page, over).get_by_role("button", name="Copy link").click()
    expect(page.locator("#live")).to_have_text("Copied")
    assert read_clipboard(page) == page.url


def test_a_link_that_was_not_copied_is_not_called_copied(page: Page, sit: Sit, over: Game) -> None:
    page.add_init_script(f"{NO_HTTPS}; window.tried = 0; document.execCommand = () => tried++ > 0")
    sit(page, over).get_by_role("button", name="Copy link").click()
    page.wait_for_function("() => tried === 1")
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_focused()


def test_where_a_phone_has_a_menu_to_share_a_link_is_passed_on_to_it(page: Page, sit: Sit, over: Game) -> None:
    page.add_init_script("navigator.share = async ({text, url}) => { window.passedOn = [text, url] }")
    sit(page, over).locator("#share > summary").click()
    page.locator("#share [data-share]").click()
    page.wait_for_function("() => window.passedOn")
    assert page.evaluate("passedOn") == ["Ana wins 3,000 to 1,000!", page.url]


@pytest.mark.parametrize(("error", "opens"), [("NotAllowedError", True), ("AbortError", False)])
def test_a_picture_that_cannot_be_shared_is_offered_for_saving_unless_the_reader_closed_the_menu(
    page: Page, sit: Sit, over: Game, error: str, opens: bool
) -> None:
    page.add_init_script(
        f"""navigator.canShare = () => true
        navigator.share = async () => {{
            setTimeout(() => {{ window.refused = true }})
            throw new DOMException('', '{error}')
        }}"""
    )
    wait_for_parts(sit(page, over))
    page.locator("#share > summary").click()
    page.wait_for_function("() => window.refused")
    expect(page.get_by_role("link", name="Save picture")).to_be_visible(visible=opens)


def test_without_javascript_nothing_offers_to_copy(plain: Page, sit: Sit, over: Game) -> None:
    sit(plain, over)
    plain.locator("#share > summary").click()
    expect(plain.get_by_role("link", name="Save picture")).to_be_visible()
    for name in ("Copy link", "Copy result"):
        expect(plain.get_by_role("button", name=name)).to_be_hidden()
