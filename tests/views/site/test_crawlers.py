"""Crawlers: which pages search engines may keep, in which languages, and what a crawler leaves behind."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from django.conf import settings as site
from django.db import connection
from django.test import Client
from pytest_django import Settings

from game.models import Game, RulesetRow
from game.serving.languages import split_language
from tests.cast import ANA, IN, Device, Response, bank, make_key, open_turn, throw

pytestmark = pytest.mark.django_db
SITEMAP = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "x": "http://www.w3.org/1999/xhtml"}


@pytest.fixture
def two_languages(settings: Settings) -> None:
    settings.LANGUAGES = [("en", "English"), ("de", "Deutsch")]


def fetch_page(path: str) -> Response:
    return Client().get(path)


def list_addresses() -> list[str]:
    tree = ElementTree.fromstring(fetch_page("/sitemap.xml").content)
    return [(place.text or "").removeprefix("http://testserver") for place in tree.findall("s:url/s:loc", SITEMAP)]


def test_the_sitemap_lists_existing_pages_that_may_be_kept() -> None:
    addresses = [address for address in list_addresses() if not split_language(address)[0]]
    assert {"/", "/rules", "/names", "/help", "/odds", "/fair", "/privacy", "/rules/farkle"} <= set(addresses)
    assert len(addresses) == len(set(addresses)) == 8 + RulesetRow.objects.filter(latest=True, retired=None).count()
    for address in [*addresses[:8], addresses[-1]]:
        answer = fetch_page(address)
        assert answer.status_code == 200, address
        assert 'name="robots"' not in answer.content.decode() and "X-Robots-Tag" not in answer.headers, address


def test_a_retired_ruleset_is_not_on_the_sitemap() -> None:
    RulesetRow.objects.filter(slug="farkle").update(retired="2026-01-01T00:00Z")
    assert "/rules/farkle" not in list_addresses()


@pytest.mark.usefixtures("two_languages")
def test_the_sitemap_names_every_page_in_every_language() -> None:
    tree = ElementTree.fromstring(fetch_page("/sitemap.xml").content)
    rules = [url for url in tree.findall("s:url", SITEMAP) if (url.findtext("s:loc", "", SITEMAP)).endswith("/rules")]
    assert [url.findtext("s:loc", "", SITEMAP) for url in rules] == [
        "http://testserver/rules",
        "http://testserver/de/rules",
    ]
    for url in rules:
        assert [link.get("hreflang") for link in url.findall("x:link", SITEMAP)] == ["en", "de"]


def test_robots_are_told_the_sitemap_and_kept_only_from_forms() -> None:
    text = fetch_page("/robots.txt").content.decode()
    assert "Sitemap: http://testserver/sitemap.xml" in text
    closed = re.findall("^Disallow: (.*)$", text, re.M)
    assert "/practice" in closed and "/account/" in closed
    assert not [path for path in closed for address in list_addresses() if address.startswith(path)]
    # Chats look at the pages of games and invites for their link previews.
    assert not [path for path in closed if path.startswith(("/g", "/j")) and path != "/games"]


def test_a_browser_finds_the_icon_at_the_usual_address() -> None:
    answer = fetch_page("/favicon.ico")
    assert answer.status_code == 302 and answer["Location"].endswith(".ico")
    assert (site.ROOT / "static" / "icons" / "favicon.ico").read_bytes().startswith(b"\0\0\1\0")


@pytest.mark.parametrize("part", ["", "?at=1", "/sheet", "/fair", "/analysis", "/card.png"])
def test_games_are_not_indexed(device: Device, part: str) -> None:
    game = device.game(open_turn(0, throw("222222")), ruleset="boxcars")
    assert fetch_page(game.get_absolute_url())["X-Robots-Tag"] == "noindex"
    device.do(game, "bank", keep=["1", "2", "3", "4", "5", "6"])
    assert fetch_page(game.get_absolute_url() + part)["X-Robots-Tag"] == "noindex"


@pytest.mark.parametrize("part", ["", "/delete"])
def test_crews_are_not_indexed(device: Device, part: str) -> None:
    address = device.client.post("/crews", {"key": make_key()})["Location"]
    assert device.client.get(address + part)["X-Robots-Tag"] == "noindex"


def count_rows() -> dict[str, int]:
    with connection.cursor() as cursor:
        counts = {}
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT COUNT(*) FROM {connection.ops.quote_name(table)}")
            counts[table] = cursor.fetchone()[0]
        return counts


@pytest.fixture
def visited(device: Device) -> list[str]:
    """Every address that a crawler can reach from links that somebody sent."""
    running = device.game(bank(0, 1000, IN), bank(1, 1000, IN), open_turn(0, throw("111346")))
    finished = device.game(open_turn(0, throw("222222")), ruleset="boxcars")
    device.do(finished, "bank", keep=["1", "2", "3", "4", "5", "6"])
    waiting = device.waiting_game(ANA)
    games = [game.get_absolute_url() for game in (running, finished, waiting)]
    parts = [f"{games[0]}?at=1", f"{games[0]}?at=2", f"{games[1]}?at=1", f"{games[1]}/analysis"]
    cards = [f"{game}/card.png" for game in games] + [f"{games[0]}/card.png?at=1"]
    return [*games, *parts, *cards, f"/j/{waiting.invite.token}"]


FOR_EVERYBODY = (
    *("/", "/rules", "/rules/farkle", "/names", "/names?q=zilch", "/help", "/odds", "/fair", "/sheet", "/privacy"),
    *("/robots.txt", "/sitemap.xml", "/favicon.ico", "/card.png", "/rules/farkle/card.png", "/manifest.webmanifest"),
)


def test_a_crawler_leaves_no_row_in_any_table(visited: list[str]) -> None:
    before = count_rows()
    for address in [*FOR_EVERYBODY, *visited]:
        assert fetch_page(address).status_code in (200, 302), address
    assert count_rows() == before


@pytest.mark.parametrize("address", [address for address in FOR_EVERYBODY if address not in ("/", "/help")])
def test_a_visitor_who_only_reads_gets_no_cookie(address: str) -> None:
    assert not fetch_page(address).cookies


def test_a_crawler_that_says_so_gets_no_cookie_from_any_page(visited: list[str]) -> None:
    for name in ("facebookexternalhit/1.1", "WhatsApp/2.23", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://…)"):
        for address in [*FOR_EVERYBODY, *visited]:
            answer = Client(headers={"user-agent": name}).get(address)
            assert answer.status_code in (200, 302) and not answer.cookies, (name, address)


def test_a_telephone_with_a_name_like_a_robots_gets_its_cookie() -> None:
    phone = Client(headers={"user-agent": "Mozilla/5.0 (Linux; Android 14; CUBOT P80) Chrome/130.0"})
    assert site.VISITOR_COOKIE_NAME in phone.get("/").cookies


def test_a_page_with_a_form_to_send_sets_the_cookie(db: None) -> None:
    assert site.VISITOR_COOKIE_NAME in fetch_page("/").cookies
    assert Game.objects.count() == 0
