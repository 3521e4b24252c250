"""The turns of a game as a CSV table for spreadsheets."""

import csv
import io

import pytest

from game.history.spreadsheets import defuse_text
from game.models import Game, Invite
from tests.cast import ANA, BRUNO, IN, Device, bank, bust, open_turn, throw

WON = bank(0, 10100, throw("111111", "111111"), throw("134466", "1")), bust(1, throw("234466"))


def read_table(device: Device, game: Game) -> list[dict[str, str]]:
    response = device.client.get(f"{game.get_absolute_url()}.csv")
    assert response.status_code == 200 and response["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(response.content.decode())))
    assert all(None not in (*row, *row.values()) for row in rows), "each row has a cell for each column"
    return rows


def test_a_row_is_a_turn(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), bust(1, throw("555234", "5"), throw("22346")))
    first, second = read_table(device, game)
    assert (first["turn"], first["player"], first["outcome"], first["points"]) == ("1", ANA, "bank", "1000")
    assert first["score"] == "1000" and first["lost"] == "0" and first["throws"] == "1"
    assert (second["player"], second["outcome"], second["points"], second["lost"]) == (BRUNO, "bust", "0", "50")


def test_undone_turns_and_real_dice_are_marked(device: Device) -> None:
    manual = {"type": "shot", "player": 0, "manual": True, "end": "bank", "points": 600}
    game = device.game(bank(0, 1000, IN) | {"cancelled": True}, manual)
    first, second = read_table(device, game)
    assert (first["undone"], first["real dice"]) == ("yes", "")
    assert (second["undone"], second["real dice"]) == ("", "yes")


def test_a_turn_in_which_the_game_was_abandoned_has_no_score(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), bust(1, throw("223446")), open_turn(0, throw("115236")))
    Game.objects.update(status="abandoned")
    turn = read_table(device, game)[2]
    assert (turn["player"], turn["outcome"], turn["score"]) == (ANA, "", "")


@pytest.mark.parametrize("name", ["=HYPERLINK()", "+1", "-1", "@SUM(A1)"])
def test_a_name_does_not_become_a_formula(device: Device, name: str) -> None:
    game = device.game(bank(0, 1000, IN), players=(name, BRUNO))
    assert read_table(device, game)[0]["player"] == f"'{name}"


def test_a_part_of_a_name_after_a_semicolon_does_not_become_a_formula(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), players=("x;=HYPERLINK(1)", BRUNO))
    assert read_table(device, game)[0]["player"] == "x;'=HYPERLINK(1)"
    assert defuse_text("\uff1d1") == "'\uff1d1"


def test_other_names_stay_as_they_are(device: Device) -> None:
    name = 'Zoë, "the" 👩‍👩‍👧'
    assert read_table(device, device.game(bank(0, 1000, IN), players=(name, BRUNO)))[0]["player"] == name


def test_the_table_of_a_running_game_is_for_its_players_only(device: Device, other_device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    assert other_device.client.get(f"{game.get_absolute_url()}.csv").status_code == 403
    over = device.game(*WON)
    assert len(read_table(other_device, over)) == 2


def test_the_table_of_an_abandoned_game_is_for_everybody(device: Device, other_device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    Game.objects.update(status="abandoned")
    assert len(read_table(other_device, game)) == 1


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_a_game_that_waits_for_players_has_no_files_yet(device: Device, kind: str) -> None:
    game = device.game()
    Game.objects.update(status="waiting")
    Invite.objects.create(game=game)
    assert device.client.get(f"{game.get_absolute_url()}.{kind}").status_code == 409
