"""The lists of games: the tabs Open, Finished and Watching, their filter, and what can be done with each game."""

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from game import services
from game.models import Game, Invite, Visitor
from game.services import Command
from tests.cast import ANA, BRUNO, HAL, IN, Device, bank, bust, make_key, reload_game, share_game, throw
from tests.stored_games import store_many_games

CHLOE = "Chloé"
SIX_ONES = throw("111111", "111111"), throw("134466", "1")
ANA_WINS = bank(0, 10100, *SIX_ONES), bust(1, throw("234466"))


ORDERED = {"Ana, Bruno": "Ana won", "Against *HAL": "*HAL won", "Abandoned": '<span class="word">Abandoned<'}


def open_page(device: Device, **query: str) -> str:
    response = device.client.get("/games", query)
    assert response.status_code == 200
    return response.content.decode()


def count_games(html: str) -> int:
    return html.count('<li class="one')


def reset_to_waiting(game: Game) -> None:
    """Put the game back to before its start, when it has no state yet."""
    Game.objects.filter(pk=game.pk).update(status="waiting", state_format=0, state_data={})
    Invite.objects.create(game=game)


# ── where a game stands ──


def test_a_game_that_waits_for_players_is_open(device: Device) -> None:
    reset_to_waiting(device.game())
    html = open_page(device)
    assert "Waiting for players" in html and "Open (1)" in html
    assert "/delete" in html and ".json" not in html and "at=last" not in html


def test_an_open_game_can_be_replayed_saved_and_ended(device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    html = open_page(device)
    url = game.get_absolute_url()
    assert f'href="{url}?at=last"' in html and f'href="{url}.json"' in html
    assert f'href="{url}/delete">End or delete<' in html


def test_in_french_a_player_who_sits_out_is_not_said_to_be_eliminated(device: Device) -> None:
    device.do(device.game(bank(0, 1000, IN)), "seats", do="out", seat=0)
    html = device.client.get("/games", headers={"accept-language": "fr"}).content.decode()
    assert "ne joue plus" in html and "hors jeu" not in html


def test_a_finished_game_can_be_deleted(device: Device) -> None:
    game = device.game(*ANA_WINS)
    html = open_page(device, show="finished")
    assert "Ana won" in html and f'href="{game.get_absolute_url()}/delete"' in html


def test_an_abandoned_game_is_finished_and_says_so(device: Device) -> None:
    device.game(bank(0, 1000, IN))
    Game.objects.update(status="abandoned")
    assert count_games(open_page(device)) == 0
    assert "Abandoned" in open_page(device, show="finished")


def test_open_questions_of_many_games_take_as_many_queries_as_one(device: Device, other_device: Device) -> None:
    counts = set()
    for _game in range(3):
        device.do(share_game(device, other_device, bank(0, 1000, IN)), "undo")
        with CaptureQueriesContext(connection) as queries:
            html = open_page(other_device)
        counts.add(len(queries))
    assert html.count("Ana is waiting for your answer") == 3 and len(counts) == 1


def test_an_abandoned_game_waits_for_no_answer(device: Device, other_device: Device) -> None:
    device.do(share_game(device, other_device, bank(0, 1000, IN)), "undo")
    assert "Ana is waiting for your answer" in open_page(other_device)
    Game.objects.update(status="abandoned")  # as an older release left it
    html = open_page(other_device, show="finished")
    assert "Abandoned" in html and "is waiting" not in html


def test_changing_a_finished_game_does_not_change_when_it_ended(device: Device, other_device: Device) -> None:
    earlier, later = (device.game(*ANA_WINS) for _ in range(2))
    ended = reload_game(earlier).touched
    device.do(earlier, "seats", do="rename", seat="0", name="Anna")
    device.do(earlier, "seats", do="rename", seat="1", name="Bertram")
    assert reload_game(earlier).touched == ended
    html = open_page(device, show="finished")
    assert "Bertram" in html and html.index(later.code) < html.index(earlier.code)
    token = services.offer_transfer(earlier.code, Command(device.browser.visitor(), make_key(), None, ""))
    services.claim_transfer(other_device.browser, token, make_key(), "")
    assert "Bertram" in open_page(other_device, show="finished")
    assert reload_game(earlier).touched == ended


def test_the_home_page_lists_games_that_wait(device: Device) -> None:
    reset_to_waiting(device.game())
    assert "Waiting for players" in device.client.get("/").content.decode()


# ── the filter ──


@pytest.fixture
def three(device: Device) -> None:
    """Three games of this device: Ana beats Bruno, Ana loses to a computer, and one is abandoned."""
    device.game(*ANA_WINS)
    lost = bust(0, throw("234466")), bank(1, 10100, *SIX_ONES), bust(0, throw("234466"))
    device.game(*lost, players=(ANA, HAL), ruleset="greed")
    gone = device.game(bank(0, 1000, IN), players=(ANA, CHLOE))
    Game.objects.filter(pk=gone.pk).update(status="abandoned")
    for day, game in enumerate(Game.objects.order_by("pk"), 1):
        Game.objects.filter(pk=game.pk).update(touched=datetime(2026, 3, day, 12, tzinfo=UTC))


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ({"player": "brun"}, ["Ana, Bruno"]),
        ({"player": "NOBODY"}, []),
        ({"ruleset": "greed"}, ["Against *HAL"]),
        ({"result": "won"}, ["Ana, Bruno"]),
        ({"result": "lost"}, ["Against *HAL"]),
        ({"result": "abandoned"}, ["Abandoned"]),
        ({"result": "nobody"}, []),
        ({"result": "won", "player": "chlo"}, []),
        ({"seats": "2"}, ["Ana, Bruno", "Against *HAL", "Abandoned"]),
        ({"seats": "3"}, []),
        ({"since": "2026-03-02"}, ["Against *HAL", "Abandoned"]),
        ({"until": "2026-03-02"}, ["Ana, Bruno", "Against *HAL"]),
        ({"since": "2026-03-02", "until": "2026-03-02"}, ["Against *HAL"]),
        ({"since": "2026-03-04"}, []),
        ({"until": "2026-03-01", "zone": "Pacific/Kiritimati"}, []),  # where it is the 2nd at 2 o'clock by then
        ({"since": "2026-03-02", "zone": "Pacific/Kiritimati"}, ["Ana, Bruno", "Against *HAL", "Abandoned"]),
    ],
)
def test_a_filter_narrows_the_list(device: Device, three: None, query: dict[str, str], left: list[str]) -> None:
    html = open_page(device, show="finished", **query)
    assert [name for name, shown in ORDERED.items() if shown in html] == left
    assert count_games(html) == len(left)
    assert ("No games match." in html) == (not left)


def test_open_games_are_not_filtered_by_a_result_that_they_have_not_got_yet(device: Device) -> None:
    device.game(bank(0, 1000, IN))
    assert count_games(open_page(device, show="open", result="won")) == 1
    assert count_games(open_page(device, show="open", result="won", player="nobody")) == 0


@pytest.mark.parametrize("name", ["émile", "ÉMILE", "mile", "é", "é.", "É. (5)"])
def test_a_name_is_found_in_capitals_or_not(device: Device, name: str) -> None:
    device.game(players=("Émile É. (5)", BRUNO))
    assert count_games(open_page(device, player=name)) == 1
    assert count_games(open_page(device, player=name + "x")) == 0


@pytest.mark.parametrize(
    "query",
    [
        {"player": "a\0b"},
        {"player": "x" * 5000},
        {"ruleset": "2**63"},
        {"result": ";DROP"},
        {"order": ";DROP"},
        {"seats": "0"},
        {"seats": "9" * 99},
        {"since": "9999-12-31"},
        {"until": "0001-01-01"},
        {"since": "02.03.2026"},
        {"since": "2026-03-01", "zone": "Nowhere/At-all"},
        {"zone": "a\0b" * 500},
        {"zone": "Asia/Tokyo"},  # alone it narrows nothing, and the statistics stay
    ],
)
def test_a_filter_that_makes_no_sense_is_ignored(device: Device, three: None, query: dict[str, str]) -> None:
    assert count_games(open_page(device, show="finished", **query)) == 3


@pytest.mark.parametrize(("order", "first"), [("", "Abandoned"), ("oldest", "Ana, Bruno"), ("score", "Ana, Bruno")])
def test_a_list_is_sorted(device: Device, three: None, order: str, first: str) -> None:
    html = open_page(device, show="finished", order=order)
    assert count_games(html) == 3
    assert html.index(ORDERED[first]) == min(html.index(text) for text in ORDERED.values())


def test_the_filter_stays_in_the_form_and_in_the_next_page(device: Device) -> None:
    store_many_games(device, 60)
    html = open_page(device, show="finished", player="ana", result="won")
    assert 'value="ana"' in html and '<option value="won" selected>' in html
    more = open_page(device, show="finished", since="2026-01-02", seats="2", zone="Asia/Tokyo", order="oldest")
    assert 'value="2026-01-02"' in more and '<option value="2" selected>' in more
    assert "&amp;seats=2&amp;since=2026-01-02&amp;zone=Asia%2FTokyo&amp;order=oldest&amp;page=2" in more
    assert 'href="?show=finished&amp;player=ana&amp;result=won&amp;page=2"' in html


def test_the_last_page_offers_no_next_one(device: Device) -> None:
    store_many_games(device, 60)
    assert "page=3" in open_page(device, show="finished", page="2")
    assert "page=4" not in open_page(device, show="finished", page="3")


def test_a_filtered_name_is_shown_as_text(device: Device, three: None) -> None:
    html = open_page(device, show="finished", player='"><script>')
    assert "<script>" not in html.replace("<script src", "")


@pytest.mark.parametrize("number", ["3", "4", "1" + "0" * 30])
def test_a_page_beyond_the_end_is_the_last_one(device: Device, number: str) -> None:
    store_many_games(device, 60)
    assert count_games(open_page(device, show="finished", page=number)) == 10


# ── watching ──


def test_a_game_that_was_looked_at_is_listed(device: Device, other_device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    other_device.page(game)
    html = open_page(other_device, show="watching")
    assert count_games(html) == 1 and "Bruno’s turn" in html
    assert ".json" not in html and "/delete" not in html


def test_a_game_that_is_only_watched_is_described_by_names(device: Device, other_device: Device) -> None:
    game = device.game(players=[ANA, HAL])
    other_device.page(game)
    html = open_page(other_device, show="watching")
    assert "Ana and *HAL" in html and "Ana’s turn" in html
    assert "Against *HAL" in open_page(device) and "Your turn" in open_page(device)


def test_at_two_devices_both_players_read_whether_it_is_their_turn(device: Device, other_device: Device) -> None:
    share_game(device, other_device, bank(0, 1000, IN))
    assert "Your turn" in open_page(other_device) and "Bruno’s turn" in open_page(device)


def test_watching_a_game_writes_no_row(device: Device) -> None:
    game = device.game()
    stranger = Client()
    stranger.get(game.get_absolute_url())
    assert Visitor.objects.count() == 1
    cookie = stranger.cookies["watching"]
    assert cookie["httponly"] and cookie["samesite"] == "Lax"


def test_own_games_are_not_listed_as_watched(device: Device) -> None:
    device.page(device.game())
    assert "You are not watching any game." in open_page(device, show="watching")
    assert "watching" not in device.client.cookies  # which has room for twenty others


def test_twenty_watched_games_are_remembered_the_latest_first(device: Device, other_device: Device) -> None:
    games = [device.game() for _n in range(22)]
    for game in games:
        other_device.page(game)
    html = open_page(other_device, show="watching")
    assert count_games(html) == 20
    assert html.index(games[21].code) < html.index(games[20].code) and games[1].code not in html


def test_many_watched_games_take_as_many_queries_as_one(device: Device, other_device: Device) -> None:
    other_device.game()  # the spectator has a visitor's row
    counts = set()
    for _n in range(3):
        game = device.game()
        game.players.filter(seat=0).update(visitor=None)  # the host sits at no seat, and somebody else at one
        game.players.filter(seat=1).update(visitor=Visitor.objects.create(token_hash=game.code))
        reset_to_waiting(game)
        other_device.page(game)
        with CaptureQueriesContext(connection) as queries:
            open_page(other_device, show="watching")
        counts.add(len(queries))
    assert len(counts) == 1


def test_a_game_closed_to_spectators_leaves_the_list(device: Device, other_device: Device) -> None:
    other_device.page(device.game())
    Game.objects.update(watching=False)
    assert count_games(open_page(other_device, show="watching")) == 0


@pytest.mark.parametrize("cookie", ["", "x", "a" * 22, "a" * 22 + ":b:c", "\x7f:::"])
def test_a_foreign_cookie_lists_no_watched_game(device: Device, cookie: str) -> None:
    device.game()
    device.client.cookies["watching"] = cookie
    assert count_games(open_page(device, show="watching")) == 0
