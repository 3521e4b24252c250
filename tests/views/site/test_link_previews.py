"""Link previews: what chats, which look without a cookie, are told about the page behind a link."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from django.test import Client

from game import services
from game.models import Game
from tests.cast import ANA, BRUNO, IN, Device, Response, bank, bust, open_turn, throw
from tests.words import has_word

WON = (bank(0, 1000, IN), bank(1, 1000, IN), open_turn(0, throw("222222")))


class Head(HTMLParser):
    """Parser that collects the meta tags and links of a page's head."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: dict[str, str] = {}
        self.links: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attributes}
        if tag == "meta" and "content" in values:
            self.tags[values.get("property") or values.get("name", "")] = values["content"]
        if tag == "link":
            self.links[values["rel"]] = values["href"]


def fetch_page(path: str) -> Response:
    """Return the answer that a crawler gets, which has no cookies."""
    return Client().get(path)


def read_head(path: str) -> Head:
    return Head(fetch_page(path).content.decode())


@pytest.fixture
def running(device: Device) -> Game:
    return device.game(
        bank(0, 1000, IN), bank(1, 1000, IN), bank(0, 250, throw("115346", "115")), bust(1, throw("223446"))
    )


@pytest.fixture
def finished(device: Device) -> Game:
    game = device.game(*WON, ruleset="boxcars")
    device.do(game, "bank", keep=["1", "2", "3", "4", "5", "6"])
    return game


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path", ["/", "/rules", "/rules/farkle", "/names", "/help", "/odds", "/fair", "/sheet", "/privacy"]
)
def test_a_public_page_describes_itself(path: str) -> None:
    head = read_head(path)
    assert head.links["canonical"] == head.tags["og:url"] == f"http://testserver{path}"
    assert head.tags["og:title"] and head.tags["og:site_name"] == "10,000"
    assert head.tags["og:description"] == head.tags["description"]
    assert 50 < len(head.tags["description"]) < 200


def test_the_link_of_a_running_game_tells_the_score(running: Game) -> None:
    head = read_head(running.get_absolute_url())
    assert head.tags["og:title"] == "Classic 10,000: Ana and Bruno"
    assert head.tags["description"] == "Round 3: 1,250 to 1,000. Ana is throwing."


def test_the_link_of_three_players_says_who_leads(device: Device) -> None:
    game = device.game(
        bank(0, 1000, IN),
        bank(1, 1000, IN),
        bust(2, throw("223446")),
        bank(0, 1000, IN),
        players=(ANA, BRUNO, "Chloé"),
    )
    assert read_head(game.get_absolute_url()).tags["description"] == "Round 2: Ana leads with 2,000. Bruno is throwing."


def test_the_link_of_three_players_names_no_leader_while_two_have_the_same(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), bank(1, 1000, IN), players=(ANA, BRUNO, "Chloé"))
    assert read_head(game.get_absolute_url()).tags["description"] == "Round 1: Chloé is throwing."


def test_the_link_of_two_players_whom_a_third_left_tells_the_score_of_the_two(device: Device) -> None:
    game = device.game(
        bank(0, 1000, IN), bank(1, 1000, IN), {"type": "out", "player": 2}, players=(ANA, BRUNO, "Chloé")
    )
    assert read_head(game.get_absolute_url()).tags["description"] == "Round 2: 1,000 to 1,000. Ana is throwing."


def test_the_link_of_a_finished_game_says_who_won(finished: Game) -> None:
    tags = read_head(finished.get_absolute_url()).tags
    assert tags["og:title"] == "Boxcars: Ana and Bruno"
    assert tags["description"] == "Six of a kind! Ana wins at once."


def test_the_link_of_a_throw_says_what_fell(running: Game) -> None:
    head = read_head(f"{running.get_absolute_url()}?at=3")
    assert head.tags["og:title"] == "Classic 10,000: Ana and Bruno: throw 3"
    assert "Round 2 · Ana." in head.tags["description"]
    assert head.links["canonical"] == f"http://testserver{running.get_absolute_url()}?at=3"


def test_the_link_of_a_throw_whose_choice_is_hidden_does_not_tell_it(running: Game) -> None:
    shown, hidden = (
        read_head(f"{running.get_absolute_url()}?at=3{more}").tags["description"] for more in ("", "&choices=hidden")
    )
    assert "250" in shown and "250" not in hidden


def test_the_link_of_a_review_says_that_it_is_one(finished: Game) -> None:
    tags = read_head(f"{finished.get_absolute_url()}/analysis").tags
    assert tags["og:title"] == "Review: Boxcars: Ana and Bruno"
    assert tags["description"] == "How good each decision was, and how lucky the dice were."


def test_an_invite_says_who_invites_to_what_without_its_token(device: Device) -> None:
    game = device.waiting_game(ANA)
    device.do(game, "seats", do="free", name=BRUNO, waiting="1")  # his seat is free, too
    page = fetch_page(f"/j/{game.invite.token}").content.decode()
    head = Head(page)
    assert head.tags["og:title"] == "Ana invites you to a game"
    assert head.tags["description"] == "Classic 10,000, to 10,000 · dice on screen. 11 seats are free."
    assert "canonical" not in head.links and "og:url" not in head.tags
    assert not any(game.invite.token in text for text in (*head.tags.values(), *head.links.values()))


@pytest.mark.parametrize("part", ["", "?at=1", "/analysis"])
def test_a_game_that_may_not_be_watched_names_only_the_site(finished: Game, part: str) -> None:
    Game.objects.filter(pk=finished.pk).update(watching=False)
    answer = fetch_page(finished.get_absolute_url() + part)
    assert answer.status_code == 404
    page = answer.content.decode()
    assert not [name for name in Head(page).tags if name.startswith("og:") or name == "description"]
    assert not has_word(page, ANA) and not has_word(page, BRUNO)
    assert "10,000" in re.findall("<title>(.*?)</title>", page, re.S)[0]


def test_the_link_of_a_waiting_game_says_that_it_waits(device: Device) -> None:
    game = device.waiting_game(ANA)
    assert read_head(game.get_absolute_url()).tags["description"] == "The game has not started yet."
    assert services.find_invite(game.invite.token).game == game
