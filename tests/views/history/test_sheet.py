"""The score sheet of a game to print, and a blank one."""

import re

import pytest
from django.conf import settings
from django.test import Client

from game.models import Game, Invite
from tests.cast import ANA, IN, Device, bank, bust, open_turn, throw
from tests.words import read_text

WORLD = {
    "singles": [100, 0, 0, 0, 50, 0],
    "of_a_kind": {"3": [1000, 200, 300, 400, 500, 600]},
    "slug": "world",
    "name": "Of the world",
}
WON = bank(0, 10100, throw("111111", "111111"), throw("134466", "1")), bust(1, throw("234466"))


def open_sheet(device: Device, game: Game) -> str:
    response = device.client.get(f"{game.get_absolute_url()}/sheet")
    assert response.status_code == 200
    return response.content.decode()


def list_rows(html: str) -> list[str]:
    """Return the text of each row of the table, without the empty rows."""
    rows = re.findall(r"<tr(?: class=\"signature\")?>(.*?)</tr>", html, re.S)
    return [read_text(row).strip() for row in rows]


def test_each_turn_is_in_its_round_with_the_score_after_it(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), bust(1, throw("223446")), bank(0, 50, throw("223456", "5")))
    assert list_rows(open_sheet(device, game))[:3] == ["Round Ana Bruno", "1 +1,000 1,000 bust 0", "2 +50 1,050"]


def test_a_finished_game_ends_with_the_scores_and_a_line_to_sign(device: Device) -> None:
    html = open_sheet(device, device.game(*WON))
    assert list_rows(html)[-2:] == ["Score 10,100 0", "Signature"]
    assert 'class="empty"' not in html


def test_the_rules_are_named_in_the_readers_language(device: Device) -> None:
    device.client.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    assert "Der Topf" in open_sheet(device, device.game(ruleset="pot"))


@pytest.mark.parametrize(("target", "last"), [(10_000, 19), (8000, 17), (1500, 16)])
def test_an_unfinished_game_has_rows_for_as_long_as_it_usually_takes_but_for_no_second_page(
    device: Device, target: int, last: int
) -> None:
    html = open_sheet(device, device.game(bank(0, 1000, IN), target=target))
    assert re.findall(r'<tr class="empty"><th scope="row">(\d+)', html) == [str(n) for n in range(2, last + 1)]


def test_a_game_of_ten_rounds_has_ten_rows_and_no_target(device: Device) -> None:
    rules = {**WORLD, "ending": "rounds", "rounds": 10}
    html = open_sheet(device, device.game(bank(0, 1000, IN), ruleset=rules))
    assert re.findall(r'<tr class="empty"><th scope="row">(\d+)', html) == [str(n) for n in range(2, 11)]
    assert "· 10 rounds ·" in html and "10,000" not in html[html.index("<main") : html.index("<table")]


def test_an_exact_target_is_called_so(device: Device) -> None:
    html = open_sheet(device, device.game(ruleset={**WORLD, "exact": "bust", "tie": "shared"}, target=2000))
    assert "· to exactly 2,000 ·" in html


def test_an_undone_turn_is_not_on_the_sheet(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), bank(1, 1000, IN))
    device.do(game, "undo")
    assert list_rows(open_sheet(device, game))[:2] == ["Round Ana Bruno", "1 +1,000 1,000"]


def test_a_game_abandoned_during_a_turn_keeps_the_score_from_before_it(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), bust(1, throw("223446")), open_turn(0, throw("115236")))
    Game.objects.update(status="abandoned")
    assert list_rows(open_sheet(device, game))[:4] == [
        "Round Ana Bruno",
        "1 +1,000 1,000 bust 0",
        "Score 1,000 0",
        "Signature",
    ]


def test_the_turn_that_got_a_player_on_the_board_is_marked(device: Device) -> None:
    html = open_sheet(
        device, device.game(bank(0, 1000, IN), bust(1, throw("223446")), bank(0, 50, throw("223456", "5")))
    )
    assert html.count('class="entered"') == 1


def test_a_penalty_is_shown_beside_its_bust(device: Device) -> None:
    from game.rules import preset

    rules = preset("classic").to_json() | {"slug": "hard", "name": "Hard", "bust_streak": 1, "bust_streak_penalty": 500}
    game = device.game(bank(0, 1000, IN), bust(0, throw("223446")), players=(ANA,), ruleset=rules)
    assert list_rows(open_sheet(device, game))[2] == "2 bust −500 500"


def test_the_sheet_has_the_link_of_its_game_and_a_qr_code(device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    html = open_sheet(device, game)
    assert f'href="http://testserver{game.get_absolute_url()}"' in html and 'class="qr"><svg' in html


def test_the_sheet_has_no_qr_code_of_an_address_that_no_phone_can_open(device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    html = device.client.get(f"{game.get_absolute_url()}/sheet", headers={"host": "localhost"}).content.decode()
    assert f'href="http://localhost{game.get_absolute_url()}"' in html and 'class="qr"' not in html


def test_more_than_six_players_get_a_landscape_sheet(device: Device) -> None:
    names = [f"P{n}" for n in range(7)]
    assert "page sheet broad" in open_sheet(device, device.game(players=names))
    assert "page sheet broad" not in open_sheet(device, device.game(players=names[:6]))


def test_anybody_with_the_link_can_read_the_sheet(device: Device, other_device: Device) -> None:
    assert "+1,000" in open_sheet(other_device, device.game(bank(0, 1000, IN)))


def test_the_turns_of_a_running_game_are_offered_as_a_file_only_to_its_players(
    device: Device, other_device: Device
) -> None:
    game = device.game(bank(0, 1000, IN))
    assert "Download CSV" in open_sheet(device, game) and "Download CSV" not in open_sheet(other_device, game)
    over = device.game(*WON)
    assert "Download CSV" in open_sheet(other_device, over)


def test_before_the_first_throw_the_sheet_is_empty(device: Device) -> None:
    assert "No throws yet." in open_sheet(device, device.game())


def test_a_game_that_waits_for_players_has_a_sheet(device: Device) -> None:
    game = device.game()
    Game.objects.update(status="waiting", state_format=0, state_data={})
    Invite.objects.create(game=game)
    assert list_rows(open_sheet(device, game))[0] == "Round Ana Bruno"


# ── blank ──


def open_blank_sheet(client: Client, **query: str) -> str:
    response = client.get("/sheet", query)
    assert response.status_code == 200
    return response.content.decode()


def test_a_blank_sheet_has_the_points_of_the_rules_asked_for(client: Client, db: None) -> None:
    html = open_blank_sheet(client, ruleset="greed")
    assert "<h1>Greed</h1>" in html and "Points in Greed" in html and "500 to get on the board" in html
    assert html.count('class="empty"') == 19


@pytest.mark.parametrize("slug", ["nothing", "", "\0", "9" * 5000])
def test_for_unknown_rules_a_blank_sheet_has_the_first_on_offer(client: Client, db: None, slug: str) -> None:
    assert "Points in" in open_blank_sheet(client, ruleset=slug)


def test_the_help_and_the_rules_link_to_a_blank_sheet(client: Client, db: None) -> None:
    assert '<a href="/sheet">' in client.get("/help").content.decode()
    assert "/sheet?ruleset=pot" in client.get("/rules/pot").content.decode()
