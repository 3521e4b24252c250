"""Pages take no more queries with ten thousand stored games, or for a game of five hundred turns."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from game.models import Game
from tests.cast import IN, Device, bank
from tests.stored_games import store_long_game, store_many_games

QUERIES_MOST = 13
PAGES = ("", "?log=all", "?at=1", "?at=600", "?at=last", "/sheet", ".json", ".csv", "/delete")


@pytest.fixture
def asks(django_assert_max_num_queries: DjangoAssertNumQueries) -> Callable[[Client, str], str]:
    """Return a function that opens a page of a client and allows it QUERIES_MOST queries."""

    def open_page(client: Client, path: str) -> str:
        with django_assert_max_num_queries(QUERIES_MOST):
            response = client.get(path)
        assert response.status_code == 200
        return response.content.decode()

    return open_page


def test_lists_of_very_many_games_take_few_queries(device: Device, asks: Callable[[Client, str], str]) -> None:
    store_many_games(device, 10_000, turns=1)
    assert asks(device.client, "/games").count('<li class="one') == 1
    for query in ("", "&page=400", "&page=99999", "&player=ana&result=won", "&result=lost&ruleset=classic"):
        assert asks(device.client, f"/games?show=finished{query}").count('<li class="one') == 25
    asks(device.client, "/")


@pytest.mark.parametrize("over", [True, False])
def test_all_pages_of_a_long_game_take_few_queries(
    device: Device, asks: Callable[[Client, str], str], over: bool
) -> None:
    address = store_long_game(device, over=over).get_absolute_url()
    for page in PAGES:
        if over or page != "/delete":
            asks(device.client, address + page)


def test_a_long_game_takes_as_many_queries_as_a_short_one(
    device: Device, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    short, long = device.game(bank(0, 1000, IN)), store_long_game(device, over=False)
    for page in ("?at=1", "/sheet", ".csv", ".json"):
        counts = [count_queries(device, game, page) for game in (short, long)]
        assert counts[0] == counts[1], page


def count_queries(device: Device, game: Game, page: str) -> int:
    from django.db import connection

    statements: list[str] = []

    def note(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        statements.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(note):
        device.client.get(game.get_absolute_url() + page)
    return len(statements)
