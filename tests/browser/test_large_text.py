"""Text at 150 and 200 % on phones: no page scrolls sideways, names can be read, and the buttons hide nothing."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import iterate_widths
from tests.cast import ANA, BRUNO, HAL, IN, Device, bank, open_turn, throw
from tests.require import require
from tests.reviews import load_finished_game
from tests.views.crews.test_crews import make_crew

PAGES = (
    "/", "/new", "/new?for=computer", "/new?for=friends", "/rules", "/rules/classic", "/rules/change", "/practice",
    "/prefs", "/games", "/crews", "/account/", "/account/sign-in", "/help",
)  # fmt: skip
FIELDS = "main :is(input[name=name], #level, #ruleset)"  # what people write names in or choose from long words
# The fields in which fewer than eight digits, which are as wide as an average letter, are seen at once.
NARROW = """fields => fields.filter(field => {
    const {fontSize, fontFamily, paddingLeft, paddingRight} = getComputedStyle(field)
    const pen = document.createElement('canvas').getContext('2d')
    pen.font = `${fontSize} ${fontFamily}`
    const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
    return field.getClientRects().length && room < pen.measureText('00000000').width
}).map(field => field.id)"""


@pytest.fixture(params=["150 %", "200 %", "200 % of a page alone"])
def enlarge(request: pytest.FixtureRequest) -> Callable[[Page], None]:
    """A function that enlarges the text of a page that is open, as a phone does or, at worst, a style of its owner.

    A phone's size is also that of queries about the window; a style's is not.
    """

    def set_size(page: Page) -> None:
        if request.param.endswith("alone"):
            page.evaluate("document.documentElement.style.fontSize = '200%'")
        else:
            size = 16 * int(request.param.split()[0]) // 100
            page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": size}})

    return set_size


def measure_overflow(page: Page) -> int:
    return page.evaluate("document.documentElement.scrollWidth - innerWidth")  # type: ignore[no-any-return]


def test_no_page_scrolls_sideways_and_names_can_be_read_in_their_fields(
    phone: Page, sit: Callable[..., Page], device: Device, enlarge: Callable[[Page], None]
) -> None:
    waiting, crew, over = device.waiting_game(ANA, BRUNO), make_crew(device, ANA, HAL), load_finished_game(device)
    games = (row.get_absolute_url() for row in (waiting, crew, over))
    sit(phone)
    for address in (*PAGES, *games, over.get_absolute_url() + "?at=3"):
        phone.goto(address)
        enlarge(phone)
        phone.locator("#settings").evaluate_all("all => all.forEach(each => { each.open = true })")
        for width in iterate_widths(phone, 360, 390):
            assert measure_overflow(phone) <= 0, (address, width)
            assert phone.locator(FIELDS).evaluate_all(NARROW) == [], (address, width)


@pytest.mark.parametrize("state", ["decision", "manual", "finished", "tie", "pot"])
def test_the_game_page_does_not_scroll_sideways(
    phone: Page, show_state: Callable[[Page, str], Page], enlarge: Callable[[Page], None], state: str
) -> None:
    show_state(phone, state)
    enlarge(phone)
    for width in iterate_widths(phone, 360, 390):
        assert measure_overflow(phone) <= 0, width


def test_kept_dice_can_be_seen_above_the_buttons(
    phone: Page, sit: Callable[..., Page], device: Device, enlarge: Callable[[Page], None]
) -> None:
    sit(phone, device.game(bank(0, 1000, IN), bank(1, 1000, IN), open_turn(0, throw("115236"))))
    enlarge(phone)
    phone.locator(".shelf").evaluate("shelf => shelf.scrollIntoView({block: 'center'})")
    shelf, bar = (require(phone.locator(part).bounding_box()) for part in (".shelf", ".commands"))
    assert shelf["y"] >= 0
    assert shelf["y"] + shelf["height"] <= bar["y"]


@pytest.mark.parametrize("names", [(ANA,), (ANA, BRUNO)])
def test_the_words_to_invite_with_can_be_seen_above_the_buttons(
    phone: Page, sit: Callable[..., Page], device: Device, enlarge: Callable[[Page], None], names: tuple[str, ...]
) -> None:
    sit(phone, device.waiting_game(*names))
    enlarge(phone)
    phone.locator(".spoken b").scroll_into_view_if_needed()
    assert phone.locator(".spoken b").evaluate(
        """words => {
            const {left, right, top, bottom} = words.getBoundingClientRect()
            return words.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2))
        }"""
    )


def test_somebody_who_waits_alone_has_no_buttons_over_the_page(
    phone: Page, sit: Callable[..., Page], device: Device
) -> None:
    sit(phone, device.waiting_game(ANA))
    start = require(phone.locator("#start").bounding_box())
    assert start["y"] + start["height"] <= 740
    assert phone.locator(".commands").evaluate("bar => getComputedStyle(bar).position") == "static"
