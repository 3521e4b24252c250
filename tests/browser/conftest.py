"""Games opened in a browser: whose they are, where they stand, what falls next, and when a press has its answer."""

from collections.abc import Callable, Iterator

import pytest
from django.conf import settings
from playwright.sync_api import Locator, Page

from game.models import Game
from game.services.dice import throw_sealed_dice
from tests.cast import Device, device, other_device
from tests.conftest import Site
from tests.contexts import Contexts

__all__ = ["device", "other_device"]

VERSION = "Math.max(...[...document.querySelectorAll('[data-version]')].map(each => +each.dataset.version))"

# Milliseconds. To ask at every frame would have the page painted as often.
NEXT_LOOK = 30


@pytest.fixture
def sit(site: Site, device: Device) -> Callable[..., Page]:
    """sit(page, game) opens the game in this browser as the device that made it; sit(page) only makes it that device.

    prefs="keys=off" are its preferences.
    """

    def open_game(
        page: Page, game: Game | None = None, query: str = "", *, prefs: str = "", who: Device = device
    ) -> Page:
        cookies = {settings.VISITOR_COOKIE_NAME: who.client.cookies[settings.VISITOR_COOKIE_NAME].value, "prefs": prefs}
        page.context.add_cookies([{"name": n, "value": v, "url": site.url} for n, v in cookies.items() if v])
        if game:
            page.goto(game.get_absolute_url() + query)
        return page

    return open_game


@pytest.fixture
def falls(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """falls("115236", "24") says which dice fall next, and again if they are taken back; then they fall by chance."""
    coming: list[str] = []
    said: dict[tuple[str, int], str] = {}

    def fall_as_said(game: Game, count: int) -> tuple[int, ...]:
        fallen = throw_sealed_dice(game, count)
        throw = game.code, game.thrown
        if throw not in said and coming:
            said[throw] = coming.pop(0)
        return tuple(map(int, said[throw])) if throw in said else fallen

    monkeypatch.setattr("game.services.shots.throw_sealed_dice", fall_as_said)
    return lambda *throws: coming.extend(throws)


@pytest.fixture
def unlucky(contexts: Contexts, site: Site) -> Iterator[Page]:
    """A page that may meet errors."""
    with contexts.lend(java_script_enabled=True) as context:
        yield context.new_page()


def answered(page: Page, press: Callable[[], object]) -> None:
    """Does the press as soon as the page takes it, and waits until the page shows what came of it."""
    listens(page)
    before = page.evaluate(VERSION)
    press()
    page.wait_for_function(f"before => {VERSION} > before", arg=before, polling=NEXT_LOOK)


def listens(page: Page) -> None:
    """Just after the turn passed to somebody else, a press on a big button is taken for a second one and dropped."""
    page.wait_for_function("() => performance.now() > quietUntil", polling=NEXT_LOOK)


def counted(page: Page, event: str) -> Callable[[], int]:
    """How often this event has come to the page since."""
    page.evaluate("event => { window.counted = 0; document.addEventListener(event, () => counted++) }", event)
    return lambda: page.evaluate("counted")


def acts(button: Locator) -> bool:
    """It is there, and pressing it does more than explain."""
    return button.count() > 0 and button.get_attribute("aria-disabled") != "true"


def kept(page: Page) -> str:
    """The columns of the dice that are ticked."""
    return "".join(die.get_attribute("value") or "" for die in page.locator("#tray [name=keep]:checked").all())


def tap(page: Page, column: int) -> None:
    """On the die, wherever it lies; by force, since a tap on one that has to stay has its answer too."""
    page.locator(f"#die-{column}").click(force=True)


def texts(page: Page, *selectors: str) -> list[str]:
    return [page.locator(selector).inner_text() for selector in selectors]
