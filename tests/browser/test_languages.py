"""Every language on the screen: what is longer than in English fits, and a game can be played in it.

The pseudo-language is a third longer than English; the others are as people write them.
"""

from collections.abc import Callable
from functools import partial

import pytest
from django.conf import settings as site_settings
from playwright.sync_api import Page, expect
from pytest_django import Settings

from tests import pseudo
from tests.axe import check_accessible
from tests.browser.conftest import answered
from tests.browser.test_whole_games import PLAIN, turns
from tests.cast import ANA, BRUNO, HAL, IN, Device, banked, bust, going_on, throw
from tests.conftest import Site
from tests.test_translations import LANGUAGES

WIDTHS = (320, 360, 1280)
CHOICE = going_on(0, throw("115236", "11"), throw("1553"))

# Words over the edge of their own box, where nobody can scroll to them, and on the big buttons also below it.
BROKEN = """[...document.querySelectorAll('body *')].filter(part => {
    const style = getComputedStyle(part)
    if (part.matches('.big') && part.scrollHeight > part.clientHeight + 1) return true
    if (![...part.childNodes].some(node => node.nodeType === 3 && node.data.trim())) return false
    if (!part.checkVisibility({visibilityProperty: true}) || part.closest('svg, .vh, .scroll, pre')) return false
    const lines = part.matches('.button') ? part.offsetHeight / parseFloat(style.lineHeight) : 0
    const cut = style.display !== 'inline' && /visible|hidden|clip/.test(style.overflowX)
    return lines > 3.5 || cut && part.scrollWidth > part.clientWidth + 1
}).map(part => `${part.tagName}.${part.className} ${part.textContent.trim().replace(/\\s+/g, ' ').slice(0, 80)}`)"""


@pytest.fixture
def speak(request: pytest.FixtureRequest, settings: Settings, site: Site) -> Callable[..., None]:
    """speak(page, language, device) has the page, opened by this device, in a language that may be unfinished."""

    def choose(page: Page, language: str, device: Device) -> None:
        if language == pseudo.LANGUAGE:
            request.getfixturevalue("pseudo_language")
        else:
            settings.LANGUAGES = [("en", "English"), (language, language)]
        cookies = {site_settings.LANGUAGE_COOKIE_NAME: language, "visitor": device.browser.token}
        page.context.add_cookies([{"name": name, "value": value, "url": site.url} for name, value in cookies.items()])

    return choose


def list_pages(device: Device) -> list[str]:
    """Addresses of pages, and of a game in some of its states."""
    games = [
        device.waiting_game(ANA, BRUNO),
        device.game(banked(0, 1000, IN), banked(1, 1000, IN), CHOICE),
        device.game(going_on(0, throw("115236"))),
        device.game(banked(0, 1000, IN), bust(1, throw("223446")), players=[ANA, HAL]),
        device.game(banked(0, 1000, IN), bust(1, throw("223446")), target=1000),
    ]
    pages = ("/", "/new?for=friends", "/rules", "/rules/classic", "/help", "/prefs", "/games", "/account/sign-up")
    return [*pages, *(game.get_absolute_url() for game in games)]


@pytest.mark.parametrize("language", [pseudo.LANGUAGE, *LANGUAGES])
def test_no_words_hang_over_an_edge(browse: Callable[..., Page], speak: Callable[..., None], language: str) -> None:
    page, device = browse(), Device()
    speak(page, language, device)
    broken = []
    for address in list_pages(device):
        page.goto(address)
        assert page.locator("html").get_attribute("lang") == language
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 740})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (address, width)
            if language != pseudo.LANGUAGE:  # whose words nobody could make any shorter
                broken += [f"{width} {address}: {part}" for part in page.evaluate(BROKEN)]
    assert not broken, "\n".join(broken)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_by_keyboard_in_each_language(
    browse: Callable[..., Page], speak: Callable[..., None], language: str
) -> None:
    page, device, keys = browse(360), Device(), {"#throw": "r", "#bank": "g"}
    speak(page, language, device)
    game = device.game(banked(0, 1000, IN), banked(1, 1000, IN), target=2000)
    page.goto(game.get_absolute_url())
    for button in turns(page):
        answered(page, partial(page.keyboard.press, keys[button]))
    check_accessible(page)
    assert page.locator("html").get_attribute("lang") == language


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_without_javascript_in_each_language(
    browse: Callable[..., Page], speak: Callable[..., None], language: str
) -> None:
    page, device = browse(360, javascript=False), Device()
    speak(page, language, device)
    game = device.game(banked(0, 1000, IN), banked(1, 1000, IN), target=2000)
    page.goto(game.get_absolute_url())
    for button in turns(page, *PLAIN):
        before = page.locator("#top").get_attribute("data-version") or ""
        page.locator(button).click()
        expect(page.locator("#top")).not_to_have_attribute("data-version", before)
    assert page.locator("html").get_attribute("lang") == language
