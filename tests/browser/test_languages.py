"""A language that is a third longer than English fits on the smallest phone."""

from collections.abc import Callable

import pytest
from django.conf import settings
from playwright.sync_api import Page

from tests import pseudo
from tests.cast import IN, Device, banked, going_on, throw
from tests.conftest import Site

pytestmark = pytest.mark.usefixtures("pseudo_language")


@pytest.mark.parametrize("width", [320, 360])
def test_nothing_hangs_over_the_edge(browse: Callable[..., Page], site: Site, width: int) -> None:
    page, device = browse(width=width), Device()
    game = device.game(banked(0, 1000, IN), going_on(1, throw("122345")))
    page.context.add_cookies(
        [
            {"name": settings.LANGUAGE_COOKIE_NAME, "value": pseudo.LANGUAGE, "url": site.url},
            {"name": "visitor", "value": device.browser.token, "url": site.url},
        ]
    )
    for address in ("/", "/new?for=friends", "/rules", "/prefs", "/games", "/account/sign-up", game.get_absolute_url()):
        page.goto(address)
        assert page.locator("html").get_attribute("lang") == pseudo.LANGUAGE
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address
