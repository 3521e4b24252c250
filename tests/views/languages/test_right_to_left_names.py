"""Names written from right to left: between words that run from left to right they keep to their places."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.urls import reverse

from game.calling.messages import write_title
from game.models import Crew, Game
from game.pages.parts.text import join_names
from game.rules import preset
from game.sentences import RIGHT_TO_LEFT, Sentence, isolate
from game.services.refusals import NotYourShot
from tests.cast import ANA, IN, Device, bank, bust, open_turn, reload_game, share_game, throw
from tests.views.crews.test_crews import make_crew
from tests.views.crews.test_evenings import find_address as find_evening
from tests.views.crews.test_evenings import play_game
from tests.views.history.test_head_to_head import make_shared_game
from tests.views.languages.test_languages import HEARD_ATTRIBUTES, list_addresses

NOA, OMAR = "נועה 7", "عمر"
BOTH = bank(0, 1000, IN), bank(1, 1000, IN)
RULES = preset("classic").to_json() | {
    "slug": "ours",
    "name": "כללים 7",
    "combinations": [{"pattern": "2222", "points": 900, "name": "ארבע 2"}],
}
ISOLATED = re.compile("\u2068[^\u2068\u2069]*\u2069")
VOID = frozenset({"br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})


class Reader(HTMLParser):
    """Every text of a page in which letters from right to left stand beside others and nothing keeps them apart."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        self.alone = {*names, *(name[0] for name in names)}  # as on a button with an initial
        self.mixed: set[str] = set()
        self.open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name in (*HEARD_ATTRIBUTES, "content"):
                self.look_at(value or "")
        if tag not in VOID:
            self.open.append((tag, tag == "bdi" or ("dir", "auto") in attributes))

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """An element of a drawing that has no text."""

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not any(apart for _tag, apart in self.open):
            self.look_at(data)

    def look_at(self, text: str) -> None:
        text = text.strip()
        if text not in self.alone and RIGHT_TO_LEFT.search(cut_isolated(text)):
            self.mixed.add(text)


def cut_isolated(text: str) -> str:
    while ISOLATED.search(text):
        text = ISOLATED.sub("", text)
    return text


def iterate_pages(device: Device, game: Game) -> Iterator[tuple[str, str]]:
    """Every page of a game, and those that list it."""
    board = game.get_absolute_url()
    more = (f"{board}?log=all", f"{board}?at=1", f"{board}?at=last", f"{board}/board?version=1", f"{board}/delete")
    lists = ("/", "/games", "/games?show=finished", "/new", game.rules_address)
    heads = [reverse("game:head-to-head", args=[player.name]) for player in game.players.all()]
    for address in (*list_addresses(code=game.code), *more, *lists, *heads):
        answer = device.client.get(address, follow=True)
        if re.search("html|svg", answer.headers["Content-Type"]):
            yield address, answer.content.decode()


GAMES: dict[str, Callable[[Device, Device, tuple[str, str]], Game]] = {
    "a choice": lambda ana, _bo, names: ana.game(*BOTH, open_turn(0, throw("115236")), players=names),
    "over": lambda ana, _bo, names: ana.game(bank(0, 1000, IN), bust(1, throw("234466")), players=names, target=1000),
    "together": lambda ana, bo, names: share_game(ana, bo, *BOTH, players=names),
    "not started": lambda ana, _bo, names: ana.waiting_game(names[0]),
    "the pot": lambda ana, _bo, names: ana.game(*BOTH, bust(0, throw("223446")), players=names, ruleset="pot"),
    "who begins": lambda ana, _bo, names: ana.game(bank(0, 1000, IN), players=names, ruleset="farkle", start=[[6, 1]]),
    "rules of their own": lambda ana, _bo, names: ana.game(*BOTH, players=names, ruleset=RULES),
}


@pytest.mark.examples
@pytest.mark.parametrize("kind", GAMES)
def test_no_sentence_of_a_page_is_turned_round_by_a_hebrew_or_arabic_name(
    device: Device, other_device: Device, kind: str
) -> None:
    make_shared_game(device, other_device, names=(NOA, OMAR))
    game = GAMES[kind](device, other_device, (NOA, OMAR))
    left = {}
    for address, page in iterate_pages(other_device if kind == "together" else device, game):
        reader = Reader((NOA, OMAR, RULES["name"], RULES["combinations"][0]["name"]))
        reader.feed(page)
        left[address] = reader.mixed
    assert len(left) > 70 and {address: texts for address, texts in left.items() if texts} == {}


def test_no_page_of_a_crew_is_turned_round_by_the_names_in_it(device: Device) -> None:
    crew, title = make_crew(device, NOA, OMAR), "חברים 3"
    Crew.objects.filter(pk=crew.pk).update(name=title)
    game = play_game(device, crew, NOA, OMAR, rounds=1)
    for address in (crew.get_absolute_url(), f"{crew.get_absolute_url()}/delete", "/crews", find_evening(crew, game)):
        reader = Reader((NOA, OMAR, title))
        reader.feed(device.client.get(address).content.decode())
        assert reader.mixed == set(), address


def test_a_name_is_typed_in_its_own_direction_wherever_one_is_asked_for(device: Device) -> None:
    invited = device.waiting_game()
    links = [row.get_absolute_url() for row in (make_crew(device, NOA), device.game(*BOTH), invited)]
    for address in ("/new", *links, f"/j/{invited.invite.token}"):
        page = device.client.get(address).content.decode()
        fields = re.findall(r'<input[^>]* name="name"[^>]*>', page)
        assert fields, address
        assert all(' dir="auto"' in field and ' spellcheck="false"' in field for field in fields), address


def test_pages_with_other_names_are_written_without_isolates(device: Device) -> None:
    game = device.game(*BOTH, open_turn(0, throw("115236")), players=("Zoë", "Ярослав"))
    assert [address for address, page in iterate_pages(device, game) if "\u2068" in page] == []


def test_a_number_stays_behind_the_hebrew_name_that_it_belongs_to(device: Device, other_device: Device) -> None:
    make_shared_game(device, other_device, names=(ANA, "נועה"))
    html = device.client.get(reverse("game:head-to-head", args=["נועה"])).content.decode()
    assert "You have won 1, \u2068נועה\u2069 0." in html and "<h1>You and \u2068נועה\u2069</h1>" in html


def test_arabic_names_in_a_row_stand_in_the_order_of_the_table() -> None:
    assert join_names((ANA, "عمر", "محمد")) == "Ana, \u2068عمر\u2069 and \u2068محمد\u2069"


def test_a_call_to_a_turn_and_a_refusal_keep_names_in_their_places(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, *BOTH, players=(ANA, OMAR))
    seat = reload_game(game).players.get(seat=0)
    assert write_title(reload_game(game), seat) == "Your turn against \u2068عمر\u2069"
    assert str(NotYourShot(name=OMAR)) == "It is \u2068عمر\u2069’s turn."


def test_what_is_a_sentence_already_is_not_set_apart_again() -> None:
    names = join_names((ANA, OMAR))
    assert Sentence("Won by %(names)s.") % {"names": names} == "Won by Ana and \u2068عمر\u2069."
    assert Sentence("%(n)s%% for %(name)s") % {"n": 7, "name": ANA} == "7% for Ana"
    assert isolate(7) == 7


def test_game_files_and_tables_have_names_as_they_were_typed(device: Device) -> None:
    game = device.game(*BOTH, players=(NOA, OMAR))
    for file in ("json", "csv"):
        answer = device.client.get(f"{game.get_absolute_url()}.{file}").content.decode()
        assert NOA in answer and "\u2068" not in answer


def test_pages_take_their_sentences_from_where_names_are_kept_in_their_places() -> None:
    folder = Path("game/pages")
    taken = {
        (str(path), alias.name)
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation"
        for alias in node.names
        if alias.name in ("gettext", "ngettext")
    }
    assert taken == set()
