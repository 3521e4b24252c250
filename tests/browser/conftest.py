"""Helpers for games in a browser: opening one as a device, choosing the next dice, and waiting for a press's answer."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from django.conf import settings
from playwright.sync_api import Locator, Page

from game.models import Game
from game.services.dice import throw_sealed_dice
from tests.cast import BOTH_IN, Device, device, other_device, reload_game
from tests.conftest import Site, resize_page, spare_unseen
from tests.contexts import Contexts
from tests.gallery.states import STATES, make_state

__all__ = ["device", "other_device"]

VERSION = "Math.max(...[...document.querySelectorAll('[data-version]')].map(each => +each.dataset.version))"

# Keeps computers from playing on during a test.
COMPUTERS_WAIT = "HTMLFormElement.prototype.requestSubmit = () => {}"

# Milliseconds between two looks at a page: looking at every frame would make it paint as often.
NEXT_LOOK = 30

# Makes a page behave as if its tab were in the background, because a headless browser takes every page for the one in
# front.
BEHIND = """window.behind = false
    Object.defineProperty(document, 'hidden', {get: () => window.behind})
    document.hasFocus = () => !window.behind
    window.leave = away => { window.behind = away; document.dispatchEvent(new Event('visibilitychange')) }"""

# Records the numbers on the icon of the installed app; 0 for none.
BADGES = """
    window.badges = []
    navigator.setAppBadge = async number => { badges.push(number) }
    navigator.clearAppBadge = async () => { badges.push(0) }"""


@pytest.fixture
def sit(site: Site, device: Device) -> Callable[..., Page]:
    """Return a function that makes a page's browser this device, by default the one that made the game.

    sit(page, game) then opens the game, too. `prefs` are the preferences of the browser, such as "keys=off".
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
def show_state(sit: Callable[..., Page]) -> Callable[[Page, str], Page]:
    """Return a function that opens a state of the gallery on a page."""

    def open_state(page: Page, name: str) -> Page:
        (game, viewer), state = make_state(name), STATES[name]
        return sit(page, game, state.query, prefs=state.prefs, who=viewer)

    return open_state


@dataclass
class Players:
    """A game whose players sit at two devices, and their pages."""

    game: Game
    ana: Page
    bruno: Page


@dataclass
class Table(Players):
    """The same with a page of somebody who only watches."""

    spectator: Page


@pytest.fixture
def seat_both(device: Device, other_device: Device) -> Callable[..., Game]:
    """Return a function that returns Ana's game after these events, with Bruno at another device."""

    def lay_out(*events: dict[str, object]) -> Game:
        game = device.game(*(events or BOTH_IN))
        game.players.filter(seat=1).update(visitor=other_device.browser.visitor_or_new())
        return reload_game(game)

    return lay_out


@pytest.fixture
def players(
    browse: Callable[..., Page], sit: Callable[..., Page], seat_both: Callable[..., Game], other_device: Device
) -> Players:
    game, bruno = seat_both(), browse()
    bruno.add_init_script(BEHIND + BADGES)
    players = Players(game, sit(browse(), game), sit(bruno, game, who=other_device))
    for page in (players.ana, players.bruno):
        wait_for_stream(page)
    return players


@pytest.fixture
def table(browse: Callable[..., Page], players: Players) -> Table:
    spectator = browse()
    spectator.goto(players.game.get_absolute_url())
    return Table(players.game, players.ana, players.bruno, wait_for_stream(spectator))


@pytest.fixture
def falls(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a function that sets the dice of the next throws: falls("115236", "24"). Later dice fall by chance.

    An undone throw falls the same again.
    """
    coming: list[str] = []
    chosen: dict[tuple[str, int], str] = {}

    def fall_as_chosen(game: Game, count: int) -> tuple[int, ...]:
        fallen = throw_sealed_dice(game, count)
        throw = game.code, game.thrown
        if throw not in chosen and coming:
            chosen[throw] = coming.pop(0)
        return tuple(map(int, chosen[throw])) if throw in chosen else fallen

    monkeypatch.setattr("game.services.shots.throw_sealed_dice", fall_as_chosen)
    return lambda *throws: coming.extend(throws)


@pytest.fixture
def unlucky(contexts: Contexts, site: Site, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page on which errors do not fail the test."""
    with contexts.lend(java_script_enabled=True) as context:
        page = context.new_page()
        spare_unseen(page, request)
        yield page


def iterate_widths(page: Page, *widths: int) -> Iterator[int]:
    """Make the page as wide as each of these, in px, and yield the width.

    The width that the page has comes first: a change takes Chromium a third of the work of loading the page again.
    """
    before = page.viewport_size
    for width in sorted(widths, key=lambda width: not before or width != before["width"]):
        resize_page(page, width)
        yield width


def press_and_wait(page: Page, press: Callable[[], object]) -> None:
    """Press as soon as the page takes presses, and wait until it shows a newer version of the game."""
    wait_until_ready(page)
    before = page.evaluate(VERSION)
    press()
    page.wait_for_function(f"before => {VERSION} > before", arg=before, polling=NEXT_LOOK)


def wait_until_ready(page: Page) -> None:
    """Wait until the page takes presses.

    Just after the turn has passed to another player, it drops a press on a big button as the second of a double press.
    """
    listening = "() => typeof quietUntil === 'number' && performance.now() > quietUntil"
    page.wait_for_function(listening, polling=NEXT_LOOK)


def wait_until_settled(page: Page, game: Game) -> None:
    """Wait until the page shows the newest version of the game and has no request under way."""
    page.wait_for_function("version => findVersion() >= version && !asking && !sending", arg=reload_game(game).version)


def expect_headline(page: Page, kind: str, text: str) -> None:
    """Wait until the page shows this headline, and look at every frame: the headline stays for 1.6 s only."""
    shown = "([kind, text]) => document.querySelector(`.moment.${kind}`)?.textContent === text"
    page.wait_for_function(shown, arg=[kind, text])


def wait_for_stream(page: Page) -> Page:
    """Return the page once its stream has sent something; if that came later, the page would repeat a lost press."""
    page.wait_for_function("() => newest > 0")
    return page


def wait_for_parts(page: Page) -> None:
    """Wait for the scripts that only parts of this page need, which are loaded after it."""
    page.evaluate("Promise.all([...document.querySelectorAll('[data-script]')].map(e => import(e.dataset.script)))")


def count_events(page: Page, event: str) -> Callable[[], int]:
    """Count an event on the page from now on; return a function that returns the count so far."""
    page.evaluate("event => { window.counted = 0; document.addEventListener(event, () => counted++) }", event)
    return lambda: page.evaluate("counted")


def has_effect(button: Locator) -> bool:
    """Return whether the button is there and a press on it would do more than explain."""
    return button.count() > 0 and button.get_attribute("aria-disabled") != "true"


def read_keep(page: Page) -> str:
    """Return the columns of the ticked dice as digits."""
    return "".join(die.get_attribute("value") or "" for die in page.locator("#tray [name=keep]:checked").all())


def tap_die(page: Page, column: int) -> None:
    """Tap the die of this column; by force, because a die that has to stay answers a tap as well."""
    page.locator(f"#die-{column}").click(force=True)


def find_small_controls(page: Page) -> list[str]:
    """Return the controls that are pressed all the time but have less than 44 px; axe asks 24 px of everything else."""
    return page.evaluate(  # type: ignore[no-any-return]
        """[...document.querySelectorAll('.die input, .big, .site .icon-button, .way, .digits button')]
            .filter(each => each.getClientRects().length)
            .map(each => [each.id || each.className, each.getBoundingClientRect()])
            .filter(([_, box]) => Math.min(box.width, box.height) < 44)
            .map(([name, box]) => `${name} ${box.width} × ${box.height}`)"""
    )


def read_texts(page: Page, *selectors: str) -> list[str]:
    return [page.locator(selector).inner_text() for selector in selectors]
