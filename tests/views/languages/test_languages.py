"""Every text can be translated: shown in the pseudo-language, no page has a plain English word.

A word that these tests find is not marked for translation.
"""

from __future__ import annotations

import io
import json
import re
from datetime import date, timedelta
from functools import cache
from html.parser import HTMLParser
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import NoReverseMatch, URLPattern, get_resolver, reverse

from game.models import Game, Tally
from game.pages.parts.computer_levels import LEVELS
from game.rules import PRESETS
from game.services.shipped_rulesets import list_shipped_rulesets
from game.serving import front
from tests import pseudo
from tests.cast import (
    ANA,
    BRUNO,
    HAL,
    IN,
    Device,
    bank,
    bust,
    let_time_pass,
    open_turn,
    share_game,
    throw,
    write_game_file,
)
from tests.real_dice_pad import keep_and_bank, keep_and_throw, lay_faces, open_tap_pad, press_pad, read_hidden_fields
from tests.words import read_text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("pseudo_language")]

HEARD_ATTRIBUTES = (
    "aria-label",
    "aria-description",
    "title",
    "placeholder",
    "alt",
    "data-say",
    "data-dead",
    "data-must",
    "data-old",
)
NAMES = {ANA, BRUNO, HAL.strip("*"), *(part for level in LEVELS.values() for part in " ".join(level.names).split())}
LANGUAGE_NAMES = {"English", "Pseudo"}
NO_WORDS = LANGUAGE_NAMES | {
    "django", "http", "https", "html", "json", "csv", "py", "svg", "testserver", "localhost", "lan", "USD", "EUR",
}  # fmt: skip
PLAIN = re.compile(r"[A-Za-z]{2,}")


class Texts(HTMLParser):
    """Parser that collects every text of a page that people read or hear."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.silent = 0

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.parts += [value for name, value in attributes if name in HEARD_ATTRIBUTES and value]
        self.silent += tag in ("script", "style", "code", "kbd", "pre", "bdi")

    def handle_endtag(self, tag: str) -> None:
        self.silent -= tag in ("script", "style", "code", "kbd", "pre", "bdi")

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.parts.append(data)


def find_plain_words(page: str) -> set[str]:
    texts = Texts()
    texts.feed(page)
    read = match_names().sub("", " ".join(texts.parts))
    read = re.sub(r"https?://\S+|\S+/(g|j|c)/\S+|[A-Za-z0-9_-]{22}", "", read)
    return {word for word in PLAIN.findall(read) if word not in NAMES | NO_WORDS}


@cache
def match_names() -> re.Pattern[str]:
    """Return a pattern of all names of rulesets, which are data that the admin writes and not texts to translate."""
    names = {rules.name for rules in (*list_shipped_rulesets().values(), *PRESETS.values())}
    return re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))))


def use_pseudo_language(device: Device) -> Client:
    device.client.cookies[settings.LANGUAGE_COOKIE_NAME] = pseudo.LANGUAGE
    return device.client


def open_page(client: Client, address: str) -> str:
    response = client.get(address, follow=True)
    assert response.headers["Content-Language"] == pseudo.LANGUAGE
    return response.content.decode() if "html" in response.headers["Content-Type"] else ""


def list_addresses(**known: str) -> list[str]:
    """Return every address of the site that can be built from these parts."""
    patterns = get_resolver("game.urls").url_patterns
    addresses = []
    for pattern in patterns:
        if not isinstance(pattern, URLPattern) or not pattern.name:
            continue
        parts = {name: known[name] for name in pattern.pattern.converters if name in known}
        try:
            addresses.append(reverse(f"game:{pattern.name}", kwargs=parts))
        except NoReverseMatch:
            continue
    return addresses


def test_no_page_of_the_site_has_a_plain_word(device: Device) -> None:
    client = use_pseudo_language(device)
    left = {address: find_plain_words(open_page(client, address)) for address in list_addresses(slug="classic")}
    assert {address: words for address, words in left.items() if words} == {}


GAMES: dict[str, dict[str, Any]] = {
    "not in yet": {"events": [open_turn(0, throw("122345"))]},
    "a choice": {"events": [bank(0, 1000, IN), bust(1, throw("223446")), open_turn(0, throw("133356"))]},
    "against a computer": {"events": [bank(0, 1000, IN), bank(1, 1000, IN)], "players": [ANA, HAL]},
    "the last round": {"events": [bank(0, 1000, IN), bank(1, 1000, IN)], "target": 1000},
    "the pot": {"events": [bank(0, 1000, IN), bust(1, throw("223446"))], "ruleset": "pot"},
    "real dice": {"events": [{"type": "shot", "player": 0, "end": "bank", "points": 1000, "manual": True}]},
    "over": {"events": [bank(0, 1000, IN), bust(1, throw("223446"))], "target": 1000},
}


@pytest.mark.examples
@pytest.mark.parametrize("name", GAMES)
def test_no_page_of_a_game_has_a_plain_word(device: Device, name: str) -> None:
    file = dict(GAMES[name])
    game = device.game(*file.pop("events"), **file)
    client = use_pseudo_language(device)
    left = {address: find_plain_words(open_page(client, address)) for address in list_addresses(code=game.code)}
    left["log"] = find_plain_words(open_page(client, f"{game.get_absolute_url()}?log=all"))
    assert {address: words for address, words in left.items() if words} == {}


def test_no_pad_for_real_dice_has_a_plain_word(device: Device) -> None:
    in_already = {"type": "shot", "player": 0, "end": "bank", "points": 1000, "manual": True}
    game = device.game(in_already, in_already | {"player": 1, "dice_left": 3}, ruleset="wikipedia")
    use_pseudo_language(device)
    pages = [press_pad(device, game, "add", **read_hidden_fields(device.page(game)), points="300", pick_up="3")]
    device.do(game, "undo")
    pages.append(press_pad(device, game, "add", **read_hidden_fields(device.page(game)), points="300"))
    device.do(game, "undo")
    pages.append(open_tap_pad(device, game))
    pages.append(press_pad(device, game, "pick_up", **read_hidden_fields(pages[-1])))
    device.do(game, "undo")
    pages.append(lay_faces(device, game, device.page(game), "155236"))
    pages.append(keep_and_throw(device, game, pages[-1], "123"))
    pages.append(lay_faces(device, game, pages[-1], "244"))
    keep_and_bank(device, game, pages[-1])
    pages.append(lay_faces(device, game, device.page(game), "111555"))
    pages.append(press_pad(device, game, "", entry="type"))
    assert [find_plain_words(page) for page in pages] == [set()] * len(pages)
    assert len({read_text(page) for page in pages}) == len(pages)


def test_no_word_about_fair_dice_is_plain(device: Device) -> None:
    Tally.objects.create(
        day=date(2026, 1, 2), computer=False, dice=6, throws=20_000, busts=9, expected=460, faces=[20_000] * 6
    )
    game = device.game(open_turn(0, throw("222222")), ruleset="boxcars")
    client = use_pseudo_language(device)
    device.do(game, "bank", keep=[*"123456"])
    device.do(game, "undo")
    device.do(game, "throw")
    pages = [open_page(client, "/fair"), open_page(client, f"{game.get_absolute_url()}/fair")]
    pages.append(client.get("/fair?game=x").content.decode())
    assert [find_plain_words(page) for page in pages] == [set()] * len(pages)


def test_no_page_between_friends_has_a_plain_word(device: Device, other_device: Device) -> None:
    game = device.waiting_game()
    device.do(game, "seats", do="free", name=BRUNO, waiting="1")
    device.do(game, "seats", do="computer", waiting="1")
    host, guest = use_pseudo_language(device), use_pseudo_language(other_device)
    invite, page = f"/j/{game.invite.token}", game.get_absolute_url()
    pages = [
        open_page(guest, invite),
        open_page(guest, page),
        open_page(host, page),
        open_page(host, "/new?for=friends"),
    ]
    other_device.sit(game, player=game.players.get(name=BRUNO).pk)
    pages += [open_page(guest, page), open_page(guest, invite)]
    device.do(game, "watching", allowed="0")
    device.do(game, "links")
    moving = host.post(f"{page}/transfer", {"key": "k" * 22}).content.decode()
    link = re.search(r"/c/[\w-]{22}", moving)
    assert link
    pages += [moving, open_page(guest, link[0]), open_page(guest, invite), open_page(host, page)]
    assert [find_plain_words(page) for page in pages] == [set()] * len(pages)


def test_no_question_at_the_table_has_a_plain_word(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN), bank(1, 1000, IN))
    host, guest = use_pseudo_language(device), use_pseudo_language(other_device)
    device.do(game, "undo")
    other_device.answer(game, "refuse")
    pages = [open_page(host, game.get_absolute_url())]
    let_time_pass(game, dice_changed=timedelta(minutes=4))
    other_device.do(game, "undo")
    pages += [open_page(client, game.get_absolute_url()) for client in (host, guest)]
    other_device.answer(game, "refuse")
    device.do(game, "host", seat="1")
    pages += [open_page(client, game.get_absolute_url()) for client in (host, guest)]
    assert [find_plain_words(page) for page in pages] == [set()] * len(pages)


def test_no_refusal_has_a_plain_word(device: Device) -> None:
    game: Game = device.game(open_turn(0, throw("122345")))
    use_pseudo_language(device)
    refused = [
        device.do(game, "bank", keep=["1"]),
        device.do(game, "throw", keep=["2"]),
        device.do(game, "throw", version=1),
        device.do(game, "target", target="999"),
        device.do(game, "seats", do="join", name="x" * 25),
        device.client.get("/nowhere"),
        device.client.get(f"/g/{'A' * 22}"),
        device.client.post("/games/import", {"key": "k" * 22}),
        device.client.post("/games/import", {"key": "l" * 22, "file": io.BytesIO(b"{")}),
        device.client.post("/games/import", {"key": "m" * 22, "file": io.BytesIO(b"[]")}),
    ]
    assert all(answer.status_code >= 400 for answer in refused)
    assert set().union(*(find_plain_words(answer.content.decode()) for answer in refused)) == set()


@pytest.mark.parametrize(
    ("wrong", "names"),
    [
        ({"ruleset": {"pick_up": 1}}, {"ruleset", "pick", "up"}),
        ({"ruleset": {"sweep": "never"}}, {"ruleset", "sweep", "must", "may", "throw", "bank"}),
        ({"ruleset": {"ante": -1}}, {"ruleset", "ante"}),
        ({"events": [bust(0, throw("223446")) | {"points": 50}]}, set()),
        ({"events": [bust(0, throw("223447"))]}, set()),
        ({"result": {"scores": [-1], "winners": []}}, {"result"}),
        ({"result": {"scores": [0], "winners": [-1]}}, {"result"}),
    ],
)
def test_mistakes_in_a_game_file_are_named_with_no_plain_words_but_its_own(
    device: Device, wrong: dict[str, Any], names: set[str]
) -> None:
    file = io.BytesIO(json.dumps(write_game_file(players=[ANA]) | wrong).encode())
    answer = use_pseudo_language(device).post("/games/import", {"key": "k" * 22, "file": file})
    assert answer.status_code == 422
    assert find_plain_words(answer.content.decode()) == names


def test_a_refusal_before_any_page_has_no_plain_word() -> None:
    chosen = f"{settings.LANGUAGE_COOKIE_NAME}={pseudo.LANGUAGE}".encode()
    scope = {"type": "http", "method": "POST", "path": "/new", "query_string": b"", "headers": [(b"cookie", chosen)]}
    assert find_plain_words(front.translate("The request took too long to arrive. Try again.", scope)) == set()


def test_players_and_spectators_each_read_their_own_language(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN), bank(1, 1000, IN))
    before = game.version
    device.do(game, "throw")
    board = f"{game.get_absolute_url()}/board?version={before}"
    watching = Device()
    for plain, other in ((other_device.client, use_pseudo_language(device)), (Client(), use_pseudo_language(watching))):
        english, accented = plain.get(board).content.decode(), other.get(board).content.decode()
        assert find_plain_words(english) and not find_plain_words(accented)
