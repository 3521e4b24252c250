"""A replay embedded in another site's page: what its frame shows, what may be framed, and what oEmbed answers."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from game.models import Game
from tests.cast import ANA, IN, Device, Response, bank, bust, open_turn, throw

pytestmark = pytest.mark.django_db
HOST = "http://testserver"


@pytest.fixture
def running(device: Device) -> Game:
    return device.game(bank(0, 1000, IN), bust(1, throw("223446")), open_turn(0, throw("111346")))


@pytest.fixture
def finished(device: Device) -> Game:
    game = device.game(bank(0, 1000, IN), bust(1, throw("223446")), open_turn(0, throw("222222")), ruleset="boxcars")
    device.do(game, "bank", keep=["1", "2", "3", "4", "5", "6"])
    return game


def fetch_page(path: str, **query: Any) -> Response:
    return Client().get(path, query)


def fetch_oembed(url: str, **query: Any) -> Response:
    return fetch_page("/oembed", url=url, **query)


def test_the_frame_shows_the_replay_from_its_first_throw(finished: Game) -> None:
    html = fetch_page(f"{finished.get_absolute_url()}/embed").content.decode()
    assert 'id="position"' in html and "Step 1 of 3" in html
    assert f'href="{finished.get_absolute_url()}" target="_blank"' in html


def test_the_frame_of_a_running_game_shows_its_last_throw(running: Game) -> None:
    assert "Step 2 of 2" in fetch_page(f"{running.get_absolute_url()}/embed").content.decode()


def test_steps_stay_inside_the_frame(finished: Game) -> None:
    html = fetch_page(f"{finished.get_absolute_url()}/embed", at="2").content.decode()
    steps = re.findall(r'hx-get="([^"]+)"', html)
    assert steps and all(step.startswith(f"{finished.get_absolute_url()}/embed?at=") for step in steps)
    part = Client().get(steps[0].replace("&amp;", "&"), headers={"HX-Request": "true"})
    assert b"<html" not in part.content and b'id="position"' in part.content and not part.cookies


def test_the_frame_has_no_forms_and_sets_no_cookie(finished: Game, device: Device) -> None:
    address = f"{finished.get_absolute_url()}/embed"
    for client in (Client(), device.client):
        answer = client.get(address)
        html = answer.content.decode()
        assert "<form" not in html and "csrf" not in html
        assert not answer.cookies


def test_a_replay_on_the_site_sets_no_cookie(finished: Game) -> None:
    assert not fetch_page(finished.get_absolute_url(), at="1").cookies


def test_no_page_but_the_frame_may_be_framed(finished: Game) -> None:
    answer = fetch_page(f"{finished.get_absolute_url()}/embed")
    assert "frame-ancestors *" in answer["Content-Security-Policy"]
    assert "form-action 'none'" in answer["Content-Security-Policy"]
    assert "X-Frame-Options" not in answer.headers
    for path in ("/", finished.get_absolute_url(), f"{finished.get_absolute_url()}?at=1", "/oembed", "/rules"):
        other = fetch_page(path)
        assert "frame-ancestors 'none'" in other["Content-Security-Policy"], path
        assert other["X-Frame-Options"] == "DENY", path


def test_a_frame_that_is_not_found_may_not_be_framed(finished: Game, device: Device) -> None:
    Game.objects.filter(pk=finished.pk).update(watching=False)
    for client in (Client(), device.client):
        answer = client.get(f"{finished.get_absolute_url()}/embed")
        assert answer.status_code == 404 and answer["X-Frame-Options"] == "DENY"


def test_the_page_of_a_game_links_to_its_oembed(finished: Game) -> None:
    for query in ("", "?at=2"):
        html = fetch_page(finished.get_absolute_url() + query).content.decode()
        match = re.search(r'type="application/json\+oembed"\s+href="([^"]+)"', html)
        assert match
        answer = Client().get(unescape(match[1]).removeprefix(HOST))
        assert answer.status_code == 200 and answer["Content-Type"] == "application/json"
        frame = json.loads(answer.content)["html"]
        assert f"{finished.get_absolute_url()}/embed{query}" in frame


def test_the_page_of_a_replay_has_the_code_to_embed_it(finished: Game, device: Device) -> None:
    match = re.search(r'data-copy="([^"]+)"', fetch_page(finished.get_absolute_url(), at="2").content.decode())
    assert match and unescape(match[1]).startswith(f'<iframe src="{HOST}{finished.get_absolute_url()}/embed" ')
    assert 'title="Boxcars: Ana and Bruno"' in unescape(match[1]), "of the whole game, not of the throw shown"
    Game.objects.filter(pk=finished.pk).update(watching=False)
    assert "data-copy" not in device.page(finished, "?at=2")


def test_oembed_describes_how_to_show_a_game(finished: Game) -> None:
    offer = json.loads(fetch_oembed(f"{HOST}{finished.get_absolute_url()}").content)
    assert (offer["version"], offer["type"], offer["width"], offer["height"]) == ("1.0", "rich", 640, 680)
    assert offer["title"] == "Boxcars: Ana and Bruno" and offer["provider_name"] == "10,000"
    assert offer["html"].startswith("<iframe ") and 'title="Boxcars: Ana and Bruno"' in offer["html"]
    assert fetch_page(offer["thumbnail_url"].removeprefix(HOST)).status_code == 200


def test_oembed_is_no_larger_than_asked_for(finished: Game) -> None:
    offer = json.loads(fetch_oembed(f"{HOST}{finished.get_absolute_url()}", maxwidth="320", maxheight="400").content)
    assert (offer["width"], offer["height"]) == (320, 400)
    assert 'width="320" height="400"' in offer["html"]
    usual = json.loads(fetch_oembed(f"{HOST}{finished.get_absolute_url()}", maxwidth="9000", maxheight="x").content)
    assert (usual["width"], usual["height"]) == (640, 680)


def test_a_name_that_looks_like_markup_is_text_in_the_frame(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), players=('"><b>x', "Bruno"))
    frame = json.loads(fetch_oembed(f"{HOST}{game.get_absolute_url()}").content)["html"]
    assert "<b>" not in frame and "&quot;&gt;&lt;b&gt;x" in frame


@pytest.mark.parametrize(
    "url", ["", "nonsense", f"{HOST}/", f"{HOST}/rules", f"{HOST}/g/{'A' * 22}", "http://[", "http://elsewhere.example"]
)
def test_oembed_answers_for_no_other_address(url: str) -> None:
    assert fetch_oembed(url).status_code == 404


def test_oembed_answers_only_for_games_of_this_host_that_may_be_watched(finished: Game, device: Device) -> None:
    assert fetch_oembed(f"http://elsewhere.example{finished.get_absolute_url()}").status_code == 404
    waiting = device.waiting_game(ANA)
    assert fetch_oembed(f"{HOST}{waiting.get_absolute_url()}").status_code == 404
    assert fetch_oembed(f"{HOST}/j/{waiting.invite.token}").status_code == 404
    Game.objects.filter(pk=finished.pk).update(watching=False)
    assert fetch_oembed(f"{HOST}{finished.get_absolute_url()}").status_code == 404


def test_oembed_answers_only_in_json(finished: Game) -> None:
    address = f"{HOST}{finished.get_absolute_url()}"
    assert fetch_oembed(address, format="xml").status_code == 501
    answer = fetch_oembed(address, format="json")
    assert answer["Access-Control-Allow-Origin"] == "*" and not answer.cookies
