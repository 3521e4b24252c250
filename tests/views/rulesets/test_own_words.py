"""Words that people type about their rules are shown only to them, and on pages behind a link of theirs."""

import html
import re
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import URLPattern

from game.models import Game, PlayedRuleset
from game.rules import Entry, Ruleset, preset
from game.services import create_game
from game.services.own_rules import keep_ruleset
from game.urls import urlpatterns
from tests.cast import ANA, BRUNO, Device, make_key

pytestmark = pytest.mark.django_db
WORD = "Zyxwvuts"  # in every text that somebody types here
OWN = Ruleset.from_json(
    {
        **replace(preset("classic"), straight=1750).to_json(),
        "slug": "custom",
        "name": f"{WORD} rules",
        "combinations": [{"pattern": "1234", "points": 500, "name": f"{WORD} row"}],
    }
)
SEARCHES = ("/rules?q=zyxwvuts", "/rules?q=row", "/games?q=zyxwvuts", "/rules?compare=classic&compare=x-{digest}",
            "/new?rules={digest}", "/rules/change?rules={digest}", "/rules/x/{digest}", "/rules/x/{digest}.json",
            "/odds?ruleset=custom", "/odds?ruleset=x-{digest}", "/sheet?ruleset=custom", "/rules/custom",
            "/rules/custom.json", "/rules/custom/card.png", "/new?ruleset=custom",
            "/practice?ruleset=custom")  # fmt: skip


def list_plain_addresses() -> list[str]:
    """Return the address of every page that takes no arguments."""
    pages = (page for page in urlpatterns if isinstance(page, URLPattern) and not page.pattern.converters)
    return [f"/{page.pattern}" for page in pages]


@pytest.fixture
def game(device: Device) -> Game:
    """A game under the table's own rules, which its host keeps under a name."""
    entries = [Entry(ANA), Entry(BRUNO)]
    game = create_game(device.browser, make_key(), OWN, entries, wait=False)
    keep_ruleset(device.browser, PlayedRuleset.objects.get(digest=OWN.digest), f"{WORD} at home")
    return game


def test_a_stranger_reads_nobodys_words_about_rules(device: Device, other_device: Device, game: Game) -> None:
    other_device.game()  # so that this stranger is a visitor with a game at another table
    read = []
    for address in (*list_plain_addresses(), *SEARCHES):
        for client in (Client(), other_device.client):
            page = client.get(address.format(digest=OWN.digest), follow=True)
            words = html.unescape(b"".join(page).decode("utf-8", "replace"))  # reads streamed answers, too
            if WORD.casefold() in re.sub('(q=|value=")zyxwvuts', "", words.casefold()):  # without the search itself
                read.append(address)
    assert read == []


@pytest.mark.parametrize("address", ["/g/{code}", "/g/{code}/sheet", "/new?rules={digest}", "/new"])
def test_their_author_reads_the_words_where_they_belong(device: Device, game: Game, address: str) -> None:
    assert WORD in html.unescape(device.client.get(address.format(code=game.code, digest=OWN.digest)).content.decode())


def test_anybody_with_the_games_link_reads_the_name_of_its_rules(game: Game) -> None:
    assert WORD in html.unescape(Client().get(game.get_absolute_url()).content.decode())


@pytest.mark.parametrize("address", ["/g/{code}", "/g/{code}.json", "/g/{code}/sheet", "/g/{code}/card.png"])
def test_the_link_of_a_game_closed_to_spectators_shows_no_such_words(game: Game, address: str) -> None:
    Game.objects.update(watching=False)
    page = Client().get(address.format(code=game.code))
    assert WORD not in html.unescape(page.content.decode("utf-8", "replace"))
