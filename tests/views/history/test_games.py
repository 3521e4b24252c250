"""The page of this browser's games: its two tabs, their pages, and what each game shows."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from game.models import Game
from tests.cast import ANA, BRUNO, HAL, IN, Device, bank, bust, throw

CHLOE = "Chloé"
SIX_ONES = throw("111111", "111111")  # 10,000 points, and with the sweep another throw is due


def open_page(device: Device, query: str = "", **headers: str) -> str:
    response = device.client.get("/games" + query, headers=headers)
    assert response.status_code == 200
    return response.content.decode()


def make_finished_game(device: Device) -> Game:
    """Return a game that Ana has won with her second throw."""
    shot = bank(0, 10100, SIX_ONES, throw("134466", "1"))
    lost = {"type": "shot", "player": 1, "throws": [throw("234466")], "end": "bust"}
    return device.game(shot, lost, players=(ANA, BRUNO))


def test_a_browser_without_games_is_told_how_to_get_one(client: Client, db: None) -> None:
    text = client.get("/games").content.decode()
    assert "No games yet. Throw six dice to start your first." in text
    assert 'action="/quick"' in text


def test_an_open_game_shows_scores_turn_rules_and_a_file(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), players=(ANA, BRUNO, CHLOE))
    text = open_page(device)
    for words in ("<bdi>Ana</bdi> 1,000", "<bdi>Chloé</bdi> 0", "Bruno’s turn", "Classic 10,000", "loaded"):
        assert words in text, words
    assert f'href="{game.get_absolute_url()}.json" download' in text


def test_a_finished_game_names_its_winner_on_its_own_tab(device: Device) -> None:
    make_finished_game(device)
    assert "No open games." in open_page(device)
    text = open_page(device, "?show=finished")
    assert "Ana won" in text and "<bdi>Ana</bdi> 10,100" in text


def test_whoever_plays_alone_is_called_you(device: Device) -> None:
    device.game(bank(0, 1000, IN), players=("Player 1", HAL))
    device.game(bank(0, 10100, SIX_ONES, throw("134466", "1")), bust(1, throw("234466")), players=("Player 1", HAL))
    assert "<bdi>You</bdi> 1,000" in open_page(device) and "Player 1" not in open_page(device)
    finished = open_page(device, "?show=finished")
    assert "<bdi>You</bdi> 10,100" in finished and "You win!" in finished and "Player 1" not in finished


def test_whoever_plays_without_an_opponent_is_called_you_as_in_the_game(device: Device) -> None:
    device.game(bank(0, 1000, IN), players=("Player 1",))
    device.game(bank(0, 10100, SIX_ONES, throw("134466", "1")), players=("Player 1",))
    open_games, finished = open_page(device), open_page(device, "?show=finished")
    assert "<b>Player 1</b>" in open_games and "<bdi>You</bdi> 1,000" in open_games
    assert "<bdi>You</bdi> 10,100" in finished and "You win!" in finished and "Player 1 won" not in finished


def test_a_host_who_does_not_play_is_not_called_you(device: Device, other_device: Device) -> None:
    game = device.game(bank(0, 1000, IN), players=(ANA, HAL))
    other_device.takes(game, 0)
    assert "<bdi>Ana</bdi> 1,000" in open_page(device) and "<bdi>You</bdi> 1,000" in open_page(other_device)


def test_the_tab_that_is_shown_is_marked(device: Device) -> None:
    assert '<a href="?show=finished" aria-current="page">' in open_page(device, "?show=finished")


def test_games_of_another_browser_are_not_listed(device: Device, other_device: Device) -> None:
    device.game(players=(ANA, BRUNO))
    assert "No games yet" in open_page(other_device)


def test_a_page_lists_twenty_five_games_and_offers_more(device: Device) -> None:
    for _game in range(25):
        device.game(players=(ANA, HAL))
    assert "page=2" not in open_page(device)
    for _game in range(2):
        device.game(players=(ANA, HAL))
    first, second = open_page(device), open_page(device, "?show=open&page=2")
    assert first.count('<li class="one') == 25 and 'href="?show=open&amp;page=2"' in first
    assert second.count('<li class="one') == 2 and ">More</a>" not in second


def test_more_adds_rows_to_the_list(device: Device) -> None:
    for _game in range(26):
        device.game(players=(ANA, HAL))
    rows = open_page(device, "?show=open&page=2", **{"HX-Request": "true"})
    assert rows.lstrip().startswith('<li class="one') and "<html" not in rows


@pytest.mark.parametrize("number", ["-1", "0", "1" + "0" * 30, "9" * 5000, "abc", "1;DROP", "%00", "²"])
def test_a_page_that_does_not_exist_becomes_the_first_or_the_last(device: Device, number: str) -> None:
    device.game(players=(ANA, HAL))
    assert "Against *HAL" in open_page(device, f"?page={number}&show=;DROP")


def test_the_number_of_queries_does_not_grow_with_the_games(
    device: Device, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    device.game(players=(ANA, HAL))
    with django_assert_num_queries(9):
        open_page(device)
    for _game in range(6):
        device.game(bank(0, 1000, IN), players=(ANA, BRUNO, CHLOE))
    with django_assert_num_queries(9):
        open_page(device)
