"""Cards, the pictures of links: small, drawn once, the same for everybody, and missing where nobody may watch."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from PIL import Image
from pytest_django import Settings

from game import picture_cache
from game.forms.shared_rules import write_shared_rules
from game.models import Game, RulesetRow
from game.pages.cards import drawing
from game.pages.cards.card import LATIN, OTHER, Card, CardPlayer, make_game_card, make_ruleset_card
from game.rules import preset
from game.rules.combinations import Combination
from game.services.shipped_rulesets import list_shipped_rulesets
from game.services.tidying import tidy_site
from tests.cast import ANA, BRUNO, IN, Device, Response, bank, make_key, open_turn, reload_game, throw

pytestmark = pytest.mark.django_db
KB = 1024


@pytest.fixture(autouse=True)
def pictures(settings: Settings, tmp_path: Path) -> Path:
    settings.PICTURES_DIR = folder = tmp_path / "pictures"
    return folder


@pytest.fixture
def game(device: Device) -> Game:
    return device.game(bank(0, 1000, IN), bank(1, 1000, IN), open_turn(0, throw("115346", "11"), throw("2456")))


def fetch_page(path: str, **headers: str) -> Response:
    return Client().get(path, headers=headers)


def fetch_card(game: Game, query: str = "") -> Response:
    return fetch_page(f"{game.get_absolute_url()}/card.png{query}")


def list_pictures(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.png"))


@pytest.mark.parametrize("path", ["/card.png", "/rules/classic/card.png"])
def test_a_card_has_the_size_that_chats_ask_for(path: str) -> None:
    answer = fetch_page(path)
    assert answer["Content-Type"] == "image/png"
    assert Image.open(io.BytesIO(answer.content)).size == (1200, 630)
    assert len(answer.content) <= 60 * KB
    assert "max-age" in answer["Cache-Control"] and not answer.cookies


@pytest.mark.examples
@pytest.mark.parametrize("slug", list_shipped_rulesets())
def test_the_card_of_every_ruleset_is_small(slug: str) -> None:
    assert len(drawing.draw_card(make_ruleset_card(list_shipped_rulesets()[slug]))) <= 60 * KB


def test_a_card_shows_no_points_of_dice_that_win_the_game() -> None:
    six = {slug: dict(make_ruleset_card(preset(slug)).scores).get((3,) * 6) for slug in ("classic", "wikipedia")}
    assert six == {"classic": "3,000", "wikipedia": None}


def test_a_card_shows_no_points_of_dice_that_are_a_bust() -> None:
    toxic = replace(preset("classic"), combinations=(Combination("3333", effect="bust"),))
    assert [len(dice) for dice, _points in make_ruleset_card(toxic).scores if set(dice) == {3}] == [3]


def test_a_full_table_with_long_names_is_small() -> None:
    names = ("Wolfgang Amadeus Mozart X", "Вячеслав", "Ελένη", "Łukasz", "Zoë", "*Computer the Twelfth")
    players = tuple(CardPlayer(seat, name, "10,350") for seat, name in enumerate(names, 1))
    assert len(drawing.draw_card(Card("Zehntausend", points="1,250", players=players, more=6))) <= 60 * KB


def test_a_card_takes_little_processor_time() -> None:
    card = make_ruleset_card(list_shipped_rulesets()["farkle"])

    def seconds_to_draw() -> float:
        began = time.thread_time()
        drawing.draw_card(card)
        return time.thread_time() - began

    assert min(seconds_to_draw() for _ in range(5)) <= 0.06


@pytest.mark.own_site
def test_pillow_is_loaded_only_where_a_card_is_drawn() -> None:
    code = "import django; django.setup(); import game.urls, sys; assert 'PIL' not in sys.modules"
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_card_shows_the_dice_as_they_lie(game: Game) -> None:
    card = make_game_card(game)
    assert [(die.face, die.look) for die in card.dice if die.look == "old"] == [(1, "old"), (1, "old")]
    assert sorted(die.face for die in card.dice if not die.look) == [2, 4, 5, 6]
    assert card.points == "200"
    assert [(player.name, player.score, player.mark) for player in card.players] == [
        (ANA, "1,000", "due"),
        (BRUNO, "1,000", ""),
    ]


def test_the_card_of_a_finished_game_shows_the_winner_first_and_the_last_dice(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), open_turn(1, throw("222222")), ruleset="boxcars")
    device.do(game, "bank", keep=["1", "2", "3", "4", "5", "6"])
    card = make_game_card(reload_game(game))
    assert [(player.name, player.mark) for player in card.players] == [(BRUNO, "won"), (ANA, "")]
    assert [(die.face, die.look) for die in card.dice] == [(2, "kept")] * 6


@pytest.mark.parametrize("ended", [False, True])
def test_dice_taken_over_by_picking_up_lie_aside_on_the_card(device: Device, ended: bool) -> None:
    first = {"type": "shot", "player": 0, "pick_up": 3, "throws": [throw("156", "1")], "end": "bank", "points": 1100}
    last = open_turn(1, throw("16", "1" if ended else "")) | {"pick_up": 2}
    end = {"end": "bank", "points": 1200} if ended else {}
    game = device.game(bank(0, 1000, IN), bank(1, 1000, IN), first, last | end, ruleset="boxcars", target=2000)
    assert game.is_over == ended
    dice = [(die.face, die.look) for die in make_game_card(game).dice]
    assert dice.count((1, "old")) == 4 and (6, "") in dice


def test_a_card_is_drawn_once_for_everybody(game: Game, device: Device, pictures: Path) -> None:
    first = fetch_card(game).content
    assert len(list_pictures(pictures)) == 1
    (pictures / list_pictures(pictures)[0]).write_bytes(b"kept")
    assert device.client.get(f"{game.get_absolute_url()}/card.png").content == b"kept"
    assert first.startswith(b"\x89PNG")


def test_another_position_is_another_card(game: Game, device: Device, pictures: Path) -> None:
    before = fetch_card(game)
    device.do(game, "bank", keep=["5"])
    assert device.do(game, "seats", do="rename", seat="0", name="Anna").status_code == 303
    assert fetch_card(game)["ETag"] != before["ETag"]
    assert len(list_pictures(pictures)) == 2


def test_a_client_that_has_the_card_already_gets_no_content(game: Game, pictures: Path) -> None:
    answer = fetch_card(game)
    again = fetch_page(f"{game.get_absolute_url()}/card.png", if_none_match=answer["ETag"])
    assert again.status_code == 304 and not again.content


def test_each_throw_has_its_own_card(game: Game) -> None:
    tags = [fetch_card(game, f"?at={n}")["ETag"] for n in (1, 2)]
    assert len(set(tags)) == 2
    assert fetch_card(game, "?at=2&choices=hidden")["ETag"] != tags[1]


@pytest.mark.parametrize("query", ["", "?at=1"])
def test_a_game_that_may_not_be_watched_has_no_card_even_for_its_players(
    game: Game, device: Device, query: str, pictures: Path
) -> None:
    fetch_card(game, query)
    Game.objects.filter(pk=game.pk).update(watching=False)
    assert fetch_card(game, query).status_code == 404
    assert device.client.get(f"{game.get_absolute_url()}/card.png{query}").status_code == 404


def test_the_cards_of_a_deleted_game_are_deleted(
    game: Game, device: Device, pictures: Path, django_capture_on_commit_callbacks: Any
) -> None:
    fetch_card(game)
    fetch_page("/card.png")
    with django_capture_on_commit_callbacks(execute=True):
        device.do(game, "delete", do="delete")
    assert [name.split("-")[0] for name in list_pictures(pictures)] == ["site"]


def test_a_card_that_cannot_be_deleted_keeps_nobody_from_deleting_the_game(
    game: Game, device: Device, pictures: Path, django_capture_on_commit_callbacks: Any
) -> None:
    stuck = pictures / f"game{game.pk}-stuck.png"
    stuck.mkdir(parents=True)  # a folder, because root may delete any file
    fetch_card(game)
    os.utime(stuck, (1, 1))
    with django_capture_on_commit_callbacks(execute=True):
        assert device.do(game, "delete", do="delete").status_code == 303
    assert list_pictures(pictures) == [stuck.name]
    assert tidy_site()["pictures"] == 0


def test_the_cards_of_a_game_that_nobody_started_are_deleted_with_it(device: Device, pictures: Path) -> None:
    device.client.post(
        "/new", {"name": [ANA, ""], "level": ["", ""], "wait": "1", "ruleset": "classic", "key": make_key()}
    )
    waiting = Game.objects.get()
    assert fetch_card(waiting).status_code == 200 and len(list_pictures(pictures)) == 1
    Game.objects.update(created=timezone.now() - timedelta(days=8))
    assert tidy_site()["waiting games"] == 1
    assert not list_pictures(pictures)


def test_beyond_the_limit_the_cards_unused_longest_go_first(pictures: Path, settings: Settings) -> None:
    settings.PICTURES_LIMIT = 100
    for n in range(10):
        picture_cache.find_or_draw("site", str(n), lambda: b"x" * 20)
        os.utime(pictures / f"site-{n}.png", (n, n))
    assert sum(path.stat().st_size for path in pictures.glob("*.png")) <= 100
    assert "site-9.png" in list_pictures(pictures) and "site-0.png" not in list_pictures(pictures)
    assert {path.suffix for path in pictures.iterdir()} == {".png", ".lock"}


def test_a_card_is_drawn_once_although_another_is_deleted_while_the_folder_is_read(
    pictures: Path, settings: Settings
) -> None:
    settings.PICTURES_LIMIT, drawn = 30, []

    def draw() -> bytes:
        drawn.append(1)
        return b"x" * 20

    picture_cache.find_or_draw("site", "old", draw)
    (pictures / "site-deleted.png").symlink_to("nowhere")  # has a name, and cannot be found any more
    assert picture_cache.find_or_draw("site", "new", draw) == b"x" * 20
    assert len(drawn) == 2 and not (pictures / "site-old.png").exists()


def test_a_card_that_nobody_asked_for_in_a_month_is_deleted(game: Game, pictures: Path) -> None:
    fetch_card(game)
    fetch_page("/card.png")
    [of_game] = pictures.glob("game*.png")
    os.utime(of_game, (1, 1))
    assert tidy_site()["pictures"] == 1
    assert [name.split("-")[0] for name in list_pictures(pictures)] == ["site"]


def test_requests_at_the_same_time_draw_a_card_once(pictures: Path) -> None:
    drawn: list[int] = []
    start = threading.Barrier(4)

    def draw() -> bytes:
        drawn.append(1)
        return b"picture"

    def ask() -> None:
        start.wait()
        assert picture_cache.find_or_draw("site", "one", draw) == b"picture"

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert drawn == [1]


def test_a_card_is_shown_even_if_the_disk_cannot_be_written(settings: Settings) -> None:
    settings.PICTURES_DIR = Path("/dev/null/pictures")
    assert fetch_page("/card.png").status_code == 200


def test_other_sites_may_show_a_card_and_nothing_else(game: Game) -> None:
    assert fetch_card(game)["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert fetch_page(game.get_absolute_url())["Cross-Origin-Resource-Policy"] == "same-origin"
    assert fetch_page("/rules/nothing/card.png")["Cross-Origin-Resource-Policy"] == "same-origin"


def test_a_card_is_the_same_in_every_language(game: Game, settings: Settings) -> None:
    settings.LANGUAGES = [("en", "English"), ("de", "Deutsch")]
    german = fetch_page(f"{game.get_absolute_url()}/card.png", accept_language="de")
    assert german["ETag"] == fetch_card(game)["ETag"]


def test_played_rules_have_a_card_without_anybodys_words(device: Device, pictures: Path) -> None:
    rules = replace(preset("classic"), slug="custom", name="Grandma’s rules", straight=1750)
    form = {
        "key": make_key(),
        "name": [ANA, BRUNO],
        "level": ["", ""],
        "ruleset": "own",
        "own": write_shared_rules(rules),
    }
    device.client.post("/new", form)
    address = f"/rules/x/{rules.digest}"
    assert f'property="og:image" content="http://testserver{address}/card.png"' in fetch_page(address).content.decode()
    answer = fetch_page(f"{address}/card.png")
    assert Image.open(io.BytesIO(answer.content)).size == (1200, 630) and len(answer.content) <= 60 * KB
    assert fetch_page(f"{address}/card.png")["ETag"] == answer["ETag"] and len(list_pictures(pictures)) == 1
    same = replace(rules, name="Grandpa’s rules")
    device.client.post("/new", form | {"key": make_key(), "own": write_shared_rules(same)})
    assert fetch_page(f"{address}/card.png")["ETag"] == answer["ETag"]


def test_a_name_that_the_fonts_cannot_write_becomes_a_number(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), players=("天国", BRUNO))
    assert [player.name for player in make_game_card(reload_game(game)).players] == ["Player 1", BRUNO]


@pytest.mark.parametrize(("letters", "file"), [(LATIN, "fraunces-600.ttf"), (OTHER, "noto-serif-600.ttf")])
def test_the_fonts_have_every_letter_listed_for_them(letters: Any, file: str) -> None:
    font = drawing._load_font(file, 40)
    missing = bytes(font.getmask("\U0010ffff"))
    supported = [chr(n) for n in range(0x20, 0x2300) if letters.fullmatch(chr(n))]
    assert len(supported) > 300
    assert not [letter for letter in supported if bytes(font.getmask(letter)) == missing]


def test_every_link_names_an_existing_card(device: Device, game: Game) -> None:
    waiting = device.waiting_game(ANA)
    addresses = ["/", "/rules", "/rules/farkle", game.get_absolute_url(), f"{game.get_absolute_url()}?at=2"]
    addresses += [waiting.get_absolute_url(), f"/j/{waiting.invite.token}"]
    for address in addresses:
        page = fetch_page(address).content.decode()
        picture = page.split('property="og:image" content="')[1].split('"')[0].replace("&amp;", "&")
        assert fetch_page(picture.removeprefix("http://testserver")).status_code == 200, address
        assert waiting.invite.token not in picture
    assert RulesetRow.objects.exists()
