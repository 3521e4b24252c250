"""Loading a game file."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from game.models import Game, Seed
from game.rules import preset
from tests.cast import ANA, BRUNO, IN, Response, bank, make_key, throw, write_game_file

pytestmark = pytest.mark.django_db
KIB_256 = 256 * 1024


def upload_game(client: Client, content: bytes | str | dict[str, Any], **more: str) -> Response:
    if isinstance(content, dict):
        content = json.dumps(content)
    data = content.encode() if isinstance(content, str) else content
    return client.post("/games/import", {"key": make_key(), "file": SimpleUploadedFile("game.json", data)} | more)


def write_good_file(*events: dict[str, Any], **more: Any) -> dict[str, Any]:
    believed = {"result": {"scores": [1000, 0], "winners": []}}
    return write_game_file(*(events or [bank(0, 1000, IN)]), players=(ANA, BRUNO), **(believed | more))


def check_refused(response: Response, *says: str, status: int = 422) -> None:
    page = response.content.decode()
    assert response.status_code == status
    assert "<title>Error: " in page and 'role="alert"' in page and 'href="#file"' in page
    for words in says:
        assert words in page, page
    assert not Game.objects.exists()


def test_a_game_file_becomes_a_new_game_of_this_browser(client: Client) -> None:
    response = upload_game(client, write_good_file())
    game = Game.objects.get()
    assert (response.status_code, response["Location"]) == (303, game.get_absolute_url())
    assert game.loaded
    assert list(game.players.values_list("name", "score")) == [(ANA, 1000), (BRUNO, 0)]
    assert "loaded" in client.get("/games").content.decode()


def test_everybody_reads_that_a_loaded_game_began_in_a_file(client: Client) -> None:
    note = "This game was loaded from a game file. The throws before that were not made here."
    upload_game(client, write_good_file())
    address = Game.objects.get().get_absolute_url()
    for page in (address, f"{address}/fair"):
        assert note in Client().get(page).content.decode()
    Game.objects.update(loaded=False)
    assert note not in client.get(address).content.decode()


def test_a_file_loaded_twice_gets_new_dice_each_time(client: Client) -> None:
    upload_game(client, write_good_file())
    upload_game(client, write_good_file())
    assert len({bytes(row.seed) for row in Seed.objects.all()}) == 2


def test_load_pressed_twice_makes_one_game(client: Client) -> None:
    same = make_key()
    assert (
        upload_game(client, write_good_file(), key=same)["Location"]
        == upload_game(client, write_good_file(), key=same)["Location"]
    )
    assert Game.objects.count() == 1


def test_a_form_used_again_for_another_file_gets_a_new_key(client: Client) -> None:
    same = make_key()
    upload_game(client, write_good_file(), key=same)
    answer = upload_game(client, write_good_file(bank(0, 1000, IN), bank(1, 1000, IN), result={}), key=same)
    assert answer.status_code == 422 and same not in answer.content.decode()


def test_a_downloaded_file_can_be_loaded_again(client: Client) -> None:
    game = Game.objects.get(code=upload_game(client, write_good_file())["Location"].rpartition("/")[2])
    saved = client.get(game.get_absolute_url() + ".json").content
    assert upload_game(client, saved).status_code == 303
    assert Game.objects.count() == 2


def test_a_form_without_a_key_loads_nothing(client: Client) -> None:
    assert upload_game(client, write_good_file(), key="").status_code == 400
    assert not Game.objects.exists()


def test_a_form_without_a_file_is_refused(client: Client) -> None:
    check_refused(client.post("/games/import", {"key": make_key()}), "Choose a .json file")


def test_text_in_place_of_a_file_is_refused(client: Client) -> None:
    check_refused(
        client.post("/games/import", {"key": make_key(), "file": json.dumps(write_good_file())}), "Choose a .json file"
    )


def test_an_empty_file_is_refused(client: Client) -> None:
    check_refused(upload_game(client, b""), "This file is empty.")


def test_a_file_one_byte_too_large_is_refused(client: Client) -> None:
    check_refused(upload_game(client, b" " * (KIB_256 + 1)), "at most 256 KiB", status=413)


def test_a_file_of_256_kib_is_read(client: Client) -> None:
    text = json.dumps(write_good_file())
    assert upload_game(client, text + " " * (KIB_256 - len(text))).status_code == 303


@pytest.mark.one_database
@pytest.mark.parametrize(
    "content",
    [
        b"\x89PNG\r\n\x1a\n" + bytes(100),
        b"PK\x03\x04" + bytes(100),
        json.dumps(write_good_file()).encode("utf-16"),
        json.dumps(write_good_file())[:60],
        b"[" * 100_000,
        b'{"a":' * 50_000,
        '{"format": NaN}',
        '{"format": 1e999}',
        '{"format": "ten-thousand-game", "format": "ten-thousand-game"}',
        "null",
        "[]",
        b"\xff\xfe",
        json.dumps(write_good_file(format="other")),
        json.dumps(write_good_file(version=2)),
        json.dumps(write_good_file(version=True)),
        json.dumps(write_good_file(seed="00")),
        json.dumps({k: v for k, v in write_good_file().items() if k != "players"}),
        json.dumps(write_game_file(players=["A\0na", BRUNO])),
        json.dumps(write_game_file(players=[f"Player {n}" for n in range(13)])),
        json.dumps(write_good_file(bank(1, 1000, IN), result={"scores": [0, 1000], "winners": []})),
        json.dumps(write_good_file(bank(0, 900, IN), result={"scores": [900, 0], "winners": []})),
        json.dumps(write_good_file(result={"scores": [1, 2], "winners": []})),
        json.dumps(write_good_file(ruleset="nothing")),
        json.dumps(write_good_file(target=1025)),
    ],
)
def test_content_that_is_no_game_file_is_refused_and_nothing_is_stored(client: Client, content: bytes | str) -> None:
    check_refused(upload_game(client, content))


@pytest.mark.parametrize(
    ("dice", "keep"), [("111347", "111"), ("011346", "11"), ("1113461", "111"), ("111346", "4"), ("111346", "55")]
)
def test_an_impossible_throw_is_named_by_its_place(client: Client, dice: str, keep: str) -> None:
    check_refused(upload_game(client, write_good_file(bank(0, 1000, throw(dice, keep)))), "Event 1, throw 1: ")


def test_numbers_of_a_refusal_are_written_as_the_reader_writes_them(client: Client) -> None:
    wrong = write_good_file(bank(0, 900, IN))
    check_refused(upload_game(client, wrong), "Event 1: The throws make 1,000 points, not 900.")
    german = Client(headers={"accept-language": "de"})
    assert "Die Würfe bringen 1.000 Punkte, nicht 900." in upload_game(german, wrong).content.decode()


def test_scores_that_do_not_replay_are_written_as_the_reader_writes_them(client: Client) -> None:
    wrong = write_good_file(bank(0, 1000, IN), result={"scores": [0, 1000], "winners": []})
    check_refused(upload_game(client, wrong), "result: The replay comes to these scores: 1,000, 0.")


@pytest.mark.parametrize(("least", "allowed"), [(1, "from 1 to 2"), (2, "2")])
def test_a_file_with_too_many_players_is_told_how_many_there_must_be(client: Client, least: int, allowed: str) -> None:
    rules = replace(preset("classic"), min_players=least, max_players=2).to_json()
    three = write_game_file(ruleset=rules, players=(ANA, BRUNO, "Chloé"))
    check_refused(upload_game(client, three), f"players: The number of players must be {allowed}.")


def test_no_more_than_five_problems_are_listed(client: Client) -> None:
    wrong = [bank(0, 1000, throw("777777", "7")) for _event in range(9)]
    page = upload_game(client, write_good_file(*wrong)).content.decode()
    first, *problems = re.findall(r'<li><a href="#file">([^<]*)<', page)
    assert first == "This is not a game file, or it was changed by hand. What doesn’t fit:"
    assert 1 <= len(problems) <= 5


def test_a_long_text_is_not_repeated(client: Client) -> None:
    assert b"x" * 41 not in upload_game(client, write_good_file() | {"x" * 500: 1}).content
    assert b"<b>" not in upload_game(client, write_good_file() | {"<b>": 1}).content


def test_a_rematch_of_a_loaded_game_with_real_dice_has_real_dice(client: Client) -> None:
    real = {"type": "shot", "manual": True}
    won, lost = real | {"player": 0, "end": "bank", "points": 10_000}, real | {"player": 1, "end": "bust"}
    upload_game(client, write_good_file(won, lost, result={"scores": [10_000, 0], "winners": [0]}))
    address = Game.objects.get().get_absolute_url()
    assert "Add words to the dice first" not in client.get(address).content.decode()
    rematch = client.post(f"{address}/rematch", {"key": make_key()})["Location"]
    assert "Points of this turn" in client.get(rematch).content.decode()


def test_the_log_of_a_loaded_game_with_real_dice_does_not_announce_them(client: Client) -> None:
    upload_game(client, write_good_file({"type": "shot", "player": 0, "manual": True, "end": "bank", "points": 1000}))
    page = client.get(Game.objects.get().get_absolute_url()).content.decode()
    assert "Points of this turn" in page
    assert "Real dice from the next turn." not in page
