"""The server is killed in the middle of a game and comes back, and its open pages recover by themselves."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import patience
from tests.browser.conftest import wait_for_stream
from tests.own_sites import RealSite

pytestmark = pytest.mark.django_db(transaction=True)

LOST = "Connection lost. Trying again…"
KEPT = "You’re offline. Your move will go through when you’re back."
COOKIES = {"Ana": "a" * 43, "Bo": "b" * 43}
LAY_OUT = """
from game import identity, services
from game.models import RulesetRow, Visitor
from game.rules import Entry
from game.storage import load_state
browsers = [identity.Browser(cookie * 43, True) for cookie in "ab"]
classic = RulesetRow.objects.get(slug="classic")
game = services.create_game(browsers[0], "k" * 22, classic, [Entry("Ana"), Entry("Bo")])
game.players.filter(seat=1).update(visitor=browsers[1].visitor_or_new())
names = [game.seats[seat].name for seat in (load_state(game).player, 1 - load_state(game).player)]
print(game.code, *names)
"""


def open_page(chromium: Browser, site: RealSite, who: str, code: str) -> Page:
    address = f"http://127.0.0.1:{site.port}"
    context = chromium.new_context(base_url=address)
    context.set_default_timeout(1000 * patience.SECONDS)
    context.add_cookies([{"name": "visitor", "value": COOKIES[who], "url": address}])
    page = context.new_page()
    page.goto(f"/g/{code}")
    wait_for_stream(page)
    return page


def test_pages_catch_up_by_themselves_and_a_press_is_not_lost(chromium: Browser, own_site: RealSite) -> None:
    code, due, other = own_site.ask(LAY_OUT).split()
    process = own_site.start()
    player, waiting = (open_page(chromium, own_site, who, code) for who in (due, other))
    own_site.kill(process)
    expect(waiting.get_by_role("alert")).to_have_text(LOST)
    player.locator("#throw").click()
    expect(player.get_by_role("alert")).to_have_text(KEPT)
    own_site.start()
    for page in (player, waiting):
        expect(page.locator("#tray .die")).to_have_count(6)
        expect(page.get_by_role("alert")).to_have_count(0)
    for page in (player, waiting):
        page.context.close()
