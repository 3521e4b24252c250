"""The archive, all games as one zip file of game files, and restoring it; the statistics as a table."""

import csv
import io
import json
import zipfile
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from game.models import Game, Review, Visitor
from game.rules import record
from game.services import archive
from tests import patience
from tests.cast import ANA, BRUNO, IN, Device, Response, bank, make_key, reload_game, share_game, write_game_file
from tests.stored_games import store_many_games
from tests.views.history.test_head_to_head import make_finished_game, make_shared_game
from tests.views.history.test_statistics import enter_points, start_game

LARGE = b"x" * (4 * 1024 * 1024 + 1)
GOOD = write_game_file(bank(0, 1000, IN), players=(ANA, BRUNO), result={"scores": [1000, 0], "winners": []})


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Restore everything in one press, however slow the machine is."""
    monkeypatch.setattr(archive, "SECONDS_MOST", patience.SECONDS)


def download_archive(device: Device) -> zipfile.ZipFile:
    response = device.client.get("/games/archive.zip")
    assert response.status_code == 200 and response["Content-Type"] == "application/zip"
    return zipfile.ZipFile(io.BytesIO(response.getvalue()))


def upload_archive(device: Device, content: bytes, name: str = "games.zip") -> Response:
    return device.client.post("/games/archive", {"key": make_key(), "file": SimpleUploadedFile(name, content)})


def zip_files(files: Mapping[str, bytes | str], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", compression) as file:
        for name, content in files.items():
            file.writestr(name, content)
    return packed.getvalue()


def read_page(response: Response) -> str:
    assert response.status_code == 200
    return response.content.decode()


# ── download ──


def test_the_archive_has_a_game_file_of_every_game_that_has_begun(device: Device, other_device: Device) -> None:
    games = [make_finished_game(device, ANA, BRUNO), share_game(other_device, device, bank(0, 1000, IN))]
    device.waiting_game()
    other_device.game()
    packed = download_archive(device)
    assert packed.testzip() is None
    assert packed.namelist() == [f"ten-thousand-{game.code}.json" for game in games]
    for game, name in zip(games, packed.namelist(), strict=True):
        saved = record.from_json(packed.read(name))
        assert [player.name for player in saved.players] == [ANA, BRUNO]
        assert json.loads(packed.read(name)) == device.client.get(f"/g/{game.code}.json").json()


def test_a_host_without_a_seat_gets_the_file_of_a_running_game_wherever_it_is_offered(
    device: Device, other_device: Device
) -> None:
    game = device.game(bank(0, 1000, IN))
    other_device.takes(game, 0, 1)
    file = f"{game.get_absolute_url()}.json"
    for page in (device.page(game), device.client.get("/games").content.decode()):
        assert f'href="{file}"' in page
    assert device.client.get(file).status_code == 200
    assert download_archive(device).namelist() == [f"ten-thousand-{game.code}.json"]


def test_many_games_are_packed_one_at_a_time(device: Device) -> None:
    store_many_games(device, 60)
    response: Any = device.client.get("/games/archive.zip")
    pieces = [len(piece) for piece in response.streaming_content]
    assert len(pieces) > 60 and max(pieces[:-1]) < 5000


def test_the_page_says_how_many_games_there_are_to_download(device: Device) -> None:
    assert "There is no game to download yet." in read_page(device.client.get("/games/archive"))
    make_finished_game(device, ANA, BRUNO)
    html = read_page(device.client.get("/games/archive"))
    assert "Download 1 game<" in html and "/games/statistics.csv" in html


# ── restoring ──


def test_missing_games_come_back_and_those_here_stay(device: Device) -> None:
    gone, kept = make_finished_game(device, ANA, BRUNO), make_finished_game(device, ANA, BRUNO, winner=1)
    packed = zip_files({name: download_archive(device).read(name) for name in download_archive(device).namelist()})
    device.do(gone, "delete", do="delete")
    html = read_page(upload_archive(device, packed))
    assert "1 game restored" in html and "1 is here already." in html
    back = Game.objects.exclude(pk=kept.pk).get()
    assert back.loaded and back.status == "finished" and back.code != gone.code
    assert list(back.players.values_list("name", "score")) == [(ANA, 10100), (BRUNO, 0)]


def test_the_same_file_again_restores_nothing_twice(device: Device) -> None:
    packed = zip_files({"any.json": json.dumps(GOOD)})
    assert "1 game restored" in read_page(upload_archive(device, packed))
    html = read_page(upload_archive(device, packed))
    assert "0 games restored" in html and "1 is here already." in html
    assert Game.objects.count() == 1


def test_a_game_is_recognised_by_its_proof_whatever_its_file_is_called(device: Device) -> None:
    make_finished_game(device, ANA, BRUNO)
    (name,) = download_archive(device).namelist()
    html = read_page(upload_archive(device, zip_files({"folder/renamed.json": download_archive(device).read(name)})))
    assert "1 is here already." in html and Game.objects.count() == 1


def test_a_running_game_is_recognised_by_the_name_of_its_file(device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    (name,) = download_archive(device).namelist()
    packed = zip_files({name: download_archive(device).read(name)})
    device.do(game, "seats", do="rename", seat=0, name="Anna")
    assert "1 is here already." in read_page(upload_archive(device, packed)) and Game.objects.count() == 1


def test_what_a_mac_adds_to_a_zip_file_is_no_game(device: Device) -> None:
    html = read_page(
        upload_archive(device, zip_files({"any.json": json.dumps(GOOD), "__MACOSX/._any.json": b"\0\5\x16\7"}))
    )
    assert "1 game restored" in html and "_any.json" not in html


def test_a_game_that_the_browser_has_left_comes_back_as_its_own(device: Device, other_device: Device) -> None:
    game = make_shared_game(device, other_device)
    packed = zip_files({name: download_archive(device).read(name) for name in download_archive(device).namelist()})
    device.do(game, "delete", do="delete")
    assert "1 game restored" in read_page(upload_archive(device, packed))
    assert Game.objects.count() == 2 and reload_game(game).status == "finished"


def test_each_refused_file_is_named_with_its_reason_and_the_others_are_restored(device: Device) -> None:
    wrong = GOOD | {"result": {"scores": [9999, 0], "winners": []}}
    files = {
        "good.json": json.dumps(GOOD),
        "wrong.json": json.dumps(wrong),
        "cut.json": json.dumps(GOOD)[:50],
        "large.json": " " * (256 * 1024 + 1),
        "<b>.json": "[]",
        "notes.txt": "no game at all",
    }
    html = read_page(upload_archive(device, zip_files(files)))
    assert "1 game restored" in html and Game.objects.count() == 1
    for name in ("wrong.json", "cut.json", "large.json", "&lt;b&gt;.json"):
        assert f'<b dir="auto">{name}</b>' in html
    assert "This file is too large. A game file is at most 256 KiB" in html and "notes.txt" not in html


def test_twenty_refused_files_are_named_and_the_rest_counted(device: Device) -> None:
    html = read_page(upload_archive(device, zip_files({f"{n}.json": "[]" for n in range(50)})))
    assert html.count(".json</b>") == 20 and "And 30 more." in html


def test_a_refused_file_leaves_no_row(device: Device) -> None:
    wrong = GOOD | {"result": {"scores": [9999, 0], "winners": []}}
    upload_archive(device, zip_files({"wrong.json": json.dumps(wrong)}))
    assert not Game.objects.exists() and not Visitor.objects.exists()


def test_files_that_take_too_long_are_left_for_the_next_press(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {f"{n}.json": json.dumps(GOOD | {"target": 10_000 + 50 * n}) for n in range(3)}
    with monkeypatch.context() as patch:
        times = iter((0.0, 0.0, 2 * patience.SECONDS))  # when the press begins, and before each file
        patch.setattr(archive, "time", SimpleNamespace(monotonic=lambda: next(times)))
        html = read_page(upload_archive(device, zip_files(files)))
    assert "1 game restored" in html and "2 more are still to come: send the same file again." in html
    html = read_page(upload_archive(device, zip_files(files)))
    assert "2 games restored" in html and "1 is here already." in html


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"", 422),
        (b"no zip", 422),
        (zip_files({}), 422),
        (zip_files({"a.txt": "x"}), 422),
        (b"x" * (4 * 1024 * 1024 + 1), 413),
    ],
)
def test_a_file_that_is_no_archive_is_refused_with_a_sentence(device: Device, content: bytes, status: int) -> None:
    response = upload_archive(device, content)
    html = response.content.decode()
    assert response.status_code == status and "<title>Error: " in html and 'href="#file"' in html
    assert ("At most 4 MiB" if status == 413 else "This isn’t a zip file of games.") in html


def test_packed_zeros_are_not_unpacked(device: Device) -> None:
    html = read_page(upload_archive(device, zip_files({"bomb.json": b" " * 50_000_000})))
    assert "This file is too large. A game file is at most 256 KiB" in html


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_file_packed_in_another_way_cannot_be_read(device: Device, compression: int) -> None:
    assert "This file cannot be read" in read_page(
        upload_archive(device, zip_files({"a.json": json.dumps(GOOD)}, compression))
    )


def test_a_broken_zip_breaks_nothing(device: Device) -> None:
    packed = zip_files({"a.json": json.dumps(GOOD), "b.json": json.dumps(GOOD)})
    for place in range(0, len(packed), 7):
        broken = packed[:place] + bytes([packed[place] ^ 0xFF]) + packed[place + 1 :]
        assert upload_archive(device, broken).status_code in (200, 422)


# ── statistics as a table ──


def read_table(device: Device) -> list[dict[str, str]]:
    response = device.client.get("/games/statistics.csv")
    return list(csv.DictReader(io.StringIO(response.getvalue().decode())))


def test_each_game_that_counts_is_a_row_with_its_sums(device: Device, other_device: Device) -> None:
    game = make_shared_game(device, other_device)
    game.code = "A" + game.code[1:]  # otherwise one code in 64 begins with a dash, as formulas do, and is changed
    game.save(update_fields=["code"])
    device.game()  # from a file
    Review.objects.create(game=game, data={"players": [{"accuracy": 90, "luck": -150}, {}]})
    (row,) = read_table(device)
    assert row | {"ended": "", "expected busts": ""} == {
        "game": game.code, "ended": "", "rules": "Classic 10000", "players": "2", "player": ANA, "score": "10100",
        "won": "yes", "turns with known dice": "1", "banks": "1", "banked": "10100", "best bank": "10100", "busts": "0",
        "expected busts": "", "accuracy": "90", "luck": "-150",
    }  # fmt: skip
    assert read_table(other_device)[0]["player"] == BRUNO and read_table(Device()) == []


def test_a_ruleset_named_like_a_number_keeps_its_zeros_in_the_table(device: Device) -> None:
    game = make_finished_game(device, ANA, BRUNO)
    Game.objects.filter(pk=game.pk).update(settings=game.settings | {"name": "10.000"})
    assert {row["rules"] for row in read_table(device)} == {"10.000"}


def test_turns_and_busts_of_points_typed_without_dice_are_left_empty(device: Device) -> None:
    enter_points(device, start_game(device, ANA, ruleset="classic"), 1000)
    (row,) = read_table(device)
    assert (row["banks"], row["banked"], row["best bank"]) == ("1", "1000", "1000")
    assert row["turns with known dice"] == row["busts"] == row["expected busts"] == ""


def test_no_name_becomes_a_formula_in_the_table(device: Device, other_device: Device) -> None:
    make_shared_game(device, other_device, names=("=1+1", BRUNO))
    assert read_table(device)[0]["player"] == "'=1+1"


def test_a_table_longer_than_one_batch_of_rows_is_complete(device: Device) -> None:
    store_many_games(device, 1200, turns=1)
    device.browser.visitor_or_new().seats.update(turns=3)
    assert len({row["game"] for row in read_table(device)}) == 1201
