"""The admin shows games to staff with permission and lets nobody change them."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from game.models import Game, Player, ShotRow, ThrowRow
from tests.cast import IN, Device, bank, bust, throw
from tests.require import require

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(device: Device) -> Game:
    return device.game(bank(0, 1000, IN), bust(1, throw("223446")))


def test_a_game_links_to_its_turns_and_throws_and_back(editor: Client, game: Game) -> None:
    assert "2 turns" in editor.get(f"/admin/game/game/{game.pk}/change/").content.decode()
    turns = editor.get(f"/admin/game/shotrow/?game={game.pk}")
    shot = ShotRow.objects.get(outcome="bank")
    assert f"/admin/game/throwrow/?shot={shot.pk}" in turns.content.decode()
    throws = editor.get(f"/admin/game/throwrow/?shot={shot.pk}").content.decode()
    assert "111346" in throws
    fallen = ThrowRow.objects.get(shot=shot)
    back = editor.get(f"/admin/game/throwrow/{fallen.pk}/change/").content.decode()
    assert f"/admin/game/shotrow/{shot.pk}/change/" in back
    assert (
        f"/admin/game/game/{game.pk}/change/" in editor.get(f"/admin/game/shotrow/{shot.pk}/change/").content.decode()
    )


def test_throws_that_decide_who_begins_are_listed(editor: Client, device: Device) -> None:
    game = device.waiting_game("Ana", "Bruno", ruleset="farkle-quick")
    device.do(game, "start")
    fallen = ThrowRow.objects.filter(shot=None)
    listed = editor.get("/admin/game/throwrow/").content.decode()
    assert fallen and all(f"/admin/game/throwrow/{throw.pk}/change/" in listed for throw in fallen)
    assert "to see who goes first" in listed


def test_a_player_links_to_their_turns(editor: Client, game: Game) -> None:
    ana = game.players.get(name="Ana")
    page = editor.get(f"/admin/game/player/{ana.pk}/change/").content.decode()
    assert f'<a href="/admin/game/shotrow/?player={ana.pk}">1</a>' in page


@pytest.mark.parametrize("model", [Game, Player, ShotRow, ThrowRow])
def test_numbers_are_grouped_as_on_the_site(editor: Client, game: Game, model: type[Any]) -> None:
    address = f"/admin/game/{model._meta.model_name}/"
    for page in (address, f"{address}{require(model.objects.first()).pk}/change/"):
        shown = editor.get(page).content.decode()
        assert "1,000" in shown and not re.search(r"[>(]10?000[)<]", shown)


@pytest.mark.parametrize("model", [Game, Player, ShotRow, ThrowRow])
def test_every_label_is_in_the_readers_language(editor: Client, game: Game, model: type[Any]) -> None:
    page = f"/admin/game/{model._meta.model_name}/{require(model.objects.last()).pk}/change/"
    english, german = (
        re.findall(
            r'<label>(.+?):</label>|<div class="help"[^>]*>\s*<div>(.+?)</div>',
            editor.get(page, headers={"accept-language": language}).content.decode(),
        )
        for language in ("en", "de")
    )
    assert len(english) == len(german) > 8
    assert set(english) & set(german) <= {("Link", ""), ("Name", ""), ("Status", "")}


def test_the_rules_of_a_game_are_named_in_the_readers_language(editor: Client, game: Game) -> None:
    for language, name in (("en", "Classic 10000, version 1"), ("de", "Classic 10000, Fassung 1")):
        assert name in editor.get("/admin/game/game/", headers={"accept-language": language}).content.decode()


@pytest.mark.parametrize(
    ("model", "language", "filters"),
    [
        ("player", "en", ["Kind of player", "Won", "On the board", "Plays"]),
        ("throwrow", "de", ["Rückgängig gemacht", "Eine Kombination mit früher behaltenen Würfeln", "Geworfen um"]),
        ("rulesetrow", "en", ["Status"]),
    ],
)
def test_filters_are_named_like_the_columns(
    editor: Client, game: Game, model: str, language: str, filters: list[str]
) -> None:
    page = editor.get(f"/admin/game/{model}/", headers={"accept-language": language}).content.decode()
    assert re.findall("<summary>(.*?)</summary>", page.partition('id="changelist-filter"')[2]) == filters


@pytest.mark.parametrize("model", ["game", "player", "shotrow", "throwrow"])
def test_games_turns_and_throws_are_found_by_player_or_link(editor: Client, game: Game, model: str) -> None:
    for query, listed in (("Ana", True), (game.code, True), ("Nobody", False)):
        page = editor.get(f"/admin/game/{model}/?q={query}").content.decode()
        assert (f"/admin/game/{model}/" in page.partition('id="result_list"')[2]) is listed


def test_games_are_found_by_ruleset_whatever_its_version(editor: Client, game: Game) -> None:
    assert game.code in editor.get("/admin/game/game/?ruleset=classic").content.decode()
    assert game.code not in editor.get("/admin/game/game/?ruleset=pot").content.decode()


@pytest.mark.parametrize("model", [Game, Player, ShotRow, ThrowRow])
def test_no_part_of_a_game_can_be_added_changed_or_deleted(admin_client: Client, game: Game, model: type[Any]) -> None:
    name, row = model._meta.model_name, model.objects.first()
    before = list(model.objects.values())
    assert admin_client.get(f"/admin/game/{name}/add/").status_code == 403
    assert admin_client.post(f"/admin/game/{name}/{row.pk}/change/", {"points": 9999}).status_code == 403
    assert admin_client.get(f"/admin/game/{name}/{row.pk}/delete/").status_code == 403
    assert "_save" not in admin_client.get(f"/admin/game/{name}/{row.pk}/change/").content.decode()
    admin_client.post(
        f"/admin/game/{name}/", {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
    )
    assert list(model.objects.values()) == before


def test_seeds_visitors_and_request_keys_appear_nowhere(admin_client: Client, game: Game) -> None:
    seed, visitor = game.seeds.get(), game.host
    pages = [reverse("admin:index"), f"/admin/game/game/{game.pk}/change/", "/admin/game/game/"]
    pages += [f"/admin/game/{model}/" for model in ("player", "shotrow", "throwrow")]
    shown = "".join(admin_client.get(page).content.decode() for page in pages)
    for secret in (bytes(seed.seed).hex(), require(visitor).token_hash, "state_data", game.key or "-" * 9):
        assert secret not in shown
    for model in ("seed", "visitor", "request", "changerow"):
        assert admin_client.get(f"/admin/game/{model}/").status_code == 404


@pytest.mark.parametrize("model", ["game", "player", "shotrow", "throwrow"])
def test_a_list_takes_the_same_queries_for_more_rows(
    editor: Client, device: Device, game: Game, model: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    address = f"/admin/game/{model}/"
    editor.get(address)
    with CaptureQueriesContext(connection) as few:
        editor.get(address)
    for _n in range(3):
        device.game(bank(0, 1000, IN), bust(1, throw("223446")))
    with django_assert_num_queries(len(few)):
        editor.get(address)


@pytest.mark.parametrize("model", ["player", "shotrow"])
def test_a_list_begins_with_the_newest_game_without_sorting_all_games(
    editor: Client, device: Device, game: Game, model: str
) -> None:
    newest = device.game(bank(0, 1000, IN))
    with CaptureQueriesContext(connection) as queries:
        page = editor.get(f"/admin/game/{model}/").content.decode()
    assert page.index(newest.code) < page.index(game.code)
    statements = [entry["sql"] for entry in queries]
    assert [sql for sql in statements if "GROUP BY" in sql or "created" in sql.partition("ORDER BY")[2]] == []


ODD_QUERIES = (
    "q=%00", "q=%ff", "p=-1", "p=1000000000000000000000000000000", "p=x", "o=;DROP", "game=%00", "game=x",
    "ruleset=%00", "game=99999999999999999999999", "outcome__exact=%00", "offered=%00", "status__exact=%00",
    "nothing=1", "created__year=99999999999", "created__year=x", "e=1", "",
    "id__regex=(", "id__iregex=(a%2B)%2B$",
)  # fmt: skip


@pytest.mark.parametrize("model", ["rulesetrow", "game", "player", "shotrow", "throwrow"])
def test_odd_addresses_of_lists_are_answered(editor: Client, game: Game, model: str) -> None:
    address = f"/admin/game/{model}/"
    for query in ODD_QUERIES:
        answer = editor.get(f"{address}?{query}")
        assert answer.status_code in (200, 302, 400, 404), query
        if answer.status_code == 302:
            assert answer.headers["Location"] in (address, f"{address}?e=1"), query


def test_a_game_with_rules_from_a_file_is_listed_like_the_others(editor: Client, device: Device) -> None:
    game = device.game(ruleset={"slug": "uncles", "name": "Uncle's", "singles": [100, 0, 0, 0, 50, 0]})
    page = editor.get("/admin/game/game/").content.decode()
    assert game.code in page and "its own" in page


@pytest.mark.parametrize("query", ["", "?q=ana", "?status__exact=running", "?o=-6"])
def test_the_list_of_games_is_read_without_looking_at_all_of_them(editor: Client, game: Game, query: str) -> None:
    """No query lists the days to choose from or makes joined names distinct: each takes seconds among 50,000 games."""
    with CaptureQueriesContext(connection) as queries:
        assert game.code in editor.get(f"/admin/game/game/{query}").content.decode()
    statements = [entry["sql"] for entry in queries]
    assert [sql for sql in statements if "DISTINCT" in sql or "MIN(" in sql] == []
