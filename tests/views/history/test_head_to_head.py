"""Head to head: the standing between two players, who counts as one person, and what changes when seats change."""

import re
from collections.abc import Callable
from dataclasses import astuple
from urllib.parse import urljoin

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from game import services
from game.history import head_to_head
from game.history.head_to_head import find_opponents
from game.models import Game, Player, Review, RulesetRow
from game.rules import Entry
from game.services import Command, accounts
from game.storage import sums
from tests.cast import ANA, BRUNO, HAL, Device, bank, bust, make_key, reload_game, share_game, throw
from tests.recount import NAMES, count_again, is_same, store_mixed_games
from tests.require import require
from tests.words import read_text

SIX_ONES = throw("111111", "111111"), throw("134466", "1")
NOTHING = throw("234466")
QUERIES_MOST = 12


def make_finished_game(device: Device, *players: str, winner: int = 0) -> Game:
    """Return a finished game that counts, in which the winner has 10,100 points and the others 0."""
    turns = [bank(seat, 10100, *SIX_ONES) if seat == winner else bust(seat, NOTHING) for seat in range(len(players))]
    game = device.game(*turns, players=players)
    Game.objects.filter(pk=game.pk).update(loaded=False)
    game = reload_game(game)
    assert game.status == "finished"
    sums.add_up(game)
    return game


def make_shared_game(here: Device, there: Device, *, winner: int = 0, names: tuple[str, str] = (ANA, BRUNO)) -> Game:
    """Return a finished game between two devices that counts."""
    game = make_finished_game(here, *names, winner=winner)
    there.takes(game, 1)
    return reload_game(game)


def open_page(device: Device, name: str, **query: int) -> str:
    response = device.client.get(reverse("game:head-to-head", args=[name]), query)
    assert response.status_code == 200
    return response.content.decode()


def read_standing(device: Device, name: str, **query: int) -> str:
    match = re.search(r'class="versus">.*?</span>(.*?)</h2>', open_page(device, name, **query))
    return match[1] if match else ""


def test_the_page_says_how_often_each_won_against_the_other(device: Device, other_device: Device) -> None:
    for winner in (0, 0, 1):
        make_shared_game(device, other_device, winner=winner)
    html = open_page(device, BRUNO)
    assert "<h1>You and Bruno</h1>" in html and "on another device" in html
    assert "You have won 2, Bruno 1." in html
    assert re.search(r'id="standing"[^>]*><span class="vh">Head to head </span>2 : 1<', html)  # French spaces colons
    assert read_standing(device, BRUNO) == "2 : 1" and read_standing(other_device, ANA) == "1 : 2"


def test_both_players_average_banks_and_best_turns_are_side_by_side(device: Device, other_device: Device) -> None:
    make_shared_game(device, other_device)
    html = open_page(device, BRUNO)
    assert '<th scope="row">Best turn</th><td>10,100</td><td>–</td>' in html
    assert '<th scope="row">Average bank</th><td>10,100</td><td>–</td>' in html


def test_different_people_of_one_name_are_never_mixed_up(device: Device, other_device: Device) -> None:
    another = Device()
    make_shared_game(device, other_device)
    make_shared_game(device, other_device)
    make_shared_game(device, another, winner=1)
    make_finished_game(device, ANA, BRUNO, winner=1)
    assert [read_standing(device, BRUNO, who=n) for n in (1, 2, 3)] == ["2 : 0", "0 : 1", "0 : 1"]
    html = open_page(device, BRUNO)
    assert "You have met more than one Bruno:" in html and "with Ana, 1 game" in html
    assert "on another device, 2 games" in html


def test_one_person_of_a_device_is_not_taken_for_several_of_that_name(device: Device) -> None:
    make_finished_game(device, ANA, BRUNO, "Chloé")
    html = open_page(device, BRUNO)
    assert "On this device Bruno has played:" in html and "more than one Bruno" not in html
    assert "with Ana, 1 game" in html and "with Chloé, 1 game" in html


def test_the_opponent_played_last_comes_first_by_default(device: Device, other_device: Device) -> None:
    make_shared_game(device, other_device)
    make_shared_game(device, Device(), winner=1)
    assert read_standing(device, BRUNO) == read_standing(device, BRUNO, who=2) == "0 : 1"
    assert read_standing(device, BRUNO, who=99) == "0 : 1"


def test_an_opponent_elsewhere_is_the_same_under_another_name(device: Device, other_device: Device) -> None:
    make_shared_game(device, other_device)
    make_shared_game(device, other_device, names=(ANA, "Bruno K."))
    assert read_standing(device, BRUNO) == read_standing(device, "Bruno K.") == "2 : 0"
    assert "You and Bruno K." in open_page(device, BRUNO)


def test_two_opponents_at_one_other_device_are_two_people(device: Device, other_device: Device) -> None:
    make_shared_game(device, other_device)
    game = make_finished_game(device, ANA, BRUNO, "Chloé", winner=2)
    other_device.takes(game, 1, 2)
    assert "You have won 1, Bruno 0, and 1 ended in a tie." in open_page(device, BRUNO)
    assert "You have won 1, Chloé 1." in open_page(device, "Chloé")  # Bruno's game alone at that device counts for both


def test_each_pair_of_names_on_this_device_has_its_own_standing(device: Device) -> None:
    make_finished_game(device, ANA, BRUNO)
    make_finished_game(device, "Chloé", BRUNO, winner=1)
    assert read_standing(device, BRUNO, who=1) == "1 : 0" and read_standing(device, BRUNO, who=2) == "0 : 1"
    assert "Ana and Bruno" in open_page(device, BRUNO, who=1) and "both on this device" in open_page(
        device, BRUNO, who=1
    )
    assert read_standing(device, ANA) == "0 : 1"


def test_a_computer_is_known_by_its_name_and_level(device: Device) -> None:
    make_finished_game(device, ANA, HAL)
    game = make_finished_game(device, ANA, HAL, winner=1)
    game.players.filter(seat=1).update(level="bold")
    assert read_standing(device, HAL, who=1) == "1 : 0" and read_standing(device, HAL, who=2) == "0 : 1"
    assert "computer (Balanced)" in open_page(device, HAL, who=1)


def test_a_seat_that_a_computer_played_at_the_end_counts_for_nobody(device: Device, other_device: Device) -> None:
    game = make_shared_game(device, other_device)
    game.players.filter(seat=1).update(level="balanced")
    assert "You have not finished a game with Bruno that counts." in open_page(device, BRUNO)
    assert "/games/with/" not in device.client.get("/games").content.decode()


def test_if_a_third_player_won_more_points_decide(device: Device, other_device: Device) -> None:
    game = make_finished_game(device, ANA, BRUNO, HAL, winner=2)
    other_device.takes(game, 1)
    game.players.filter(seat=0).update(score=500)
    assert read_standing(device, BRUNO) == "1 : 0"


def test_players_who_share_a_win_are_even(device: Device, other_device: Device) -> None:
    game = make_shared_game(device, other_device)
    game.players.update(won=True)
    assert "You have won 0, Bruno 0, and 1 ended in a tie." in open_page(device, BRUNO)


@pytest.mark.parametrize("why", [{"loaded": True}, {"undone": True}])
def test_games_that_do_not_count_in_statistics_do_not_count_here(
    device: Device, other_device: Device, why: dict[str, bool]
) -> None:
    game = make_shared_game(device, other_device)
    Game.objects.filter(pk=game.pk).update(**why)
    Player.objects.update(turns=None)
    sums.add_up(reload_game(game))
    assert "You have not finished a game with Bruno that counts." in open_page(device, BRUNO)


def test_an_undone_end_removes_its_game_from_the_standing(device: Device) -> None:
    game = make_finished_game(device, ANA, HAL)
    assert read_standing(device, HAL) == "1 : 0"
    device.do(game, "undo")
    assert read_standing(device, HAL) == ""


def test_the_last_ten_games_are_listed_newest_first(device: Device, other_device: Device) -> None:
    games = [make_shared_game(device, other_device, winner=n % 2) for n in range(12)]
    html = open_page(device, BRUNO)
    assert [code in html for code in (game.code for game in games)] == [False] * 2 + [True] * 10
    assert html.index(games[11].code) < html.index(games[10].code)
    assert re.findall(r"<b>([\d, :]+)</b>\s*<span class=\"tag[^>]*>(\w+)<", html)[:2] == [
        ("0 : 10,100", "lost"), ("10,100 : 0", "won"),
    ]  # fmt: skip


def test_between_two_people_of_one_device_each_game_names_its_winner_and_nobody_lost(device: Device) -> None:
    make_finished_game(device, ANA, BRUNO, winner=1)
    make_finished_game(device, ANA, BRUNO)
    make_finished_game(device, ANA, BRUNO, "Chloé", winner=2)
    html = open_page(device, BRUNO)
    assert re.findall(r'<span class="tag[^>]*>([^<]+)<', html) == ["Chloé won", "Ana won", "Bruno won"]


def test_without_accuracy_and_luck_nothing_says_where_they_come_from(device: Device, other_device: Device) -> None:
    typed = [{"accuracy": None, "luck": None}] * 2
    Review.objects.create(game=make_shared_game(device, other_device), data={"players": typed})
    assert "Accuracy and luck" not in open_page(device, BRUNO)


def test_reviewed_games_show_accuracy_and_luck_apart(device: Device, other_device: Device) -> None:
    assert "Luck" not in open_page(device, BRUNO)
    for accuracy in (80, 90):
        players = [{"accuracy": accuracy, "luck": -150}, {"accuracy": None, "luck": 400}]
        Review.objects.create(game=make_shared_game(device, other_device), data={"players": players})
    html = open_page(device, BRUNO)
    assert '<th scope="row">Accuracy</th><td>85</td><td>–</td>' in html
    assert '<th scope="row">Luck</th><td>−300 points</td><td>+800 points</td>' in html
    assert "Accuracy and luck come from the last 2 reviewed games." in html


# ── when seats, names or accounts change ──


def test_the_standing_follows_a_seat_to_another_device(device: Device, other_device: Device) -> None:
    game, third = make_shared_game(device, other_device), Device()
    token = services.offer_transfer(game.code, Command(other_device.browser.visitor(), make_key(), None, ""))
    services.claim_transfer(third.browser, token, make_key(), "")
    make_shared_game(device, third)
    assert read_standing(device, BRUNO) == "2 : 0" and read_standing(other_device, ANA) == ""


def test_the_standing_follows_a_rename_after_the_end(device: Device, other_device: Device) -> None:
    game = make_shared_game(device, other_device)
    other_device.do(game, "seats", do="rename", seat="1", name="Bert")
    assert read_standing(device, "Bert") == "1 : 0" and read_standing(device, BRUNO) == ""


def test_an_opponent_who_deletes_a_game_becomes_unknown_in_it(device: Device, other_device: Device) -> None:
    game = make_shared_game(device, other_device)
    make_shared_game(device, other_device)
    other_device.do(game, "delete", do="delete")
    assert read_standing(other_device, ANA) == "0 : 1"
    assert [read_standing(device, BRUNO, who=n) for n in (1, 2)] == ["1 : 0", "1 : 0"]
    assert "has since left the game" in open_page(device, BRUNO, who=1)


@pytest.mark.parametrize("leaves", [False, True])
def test_a_player_who_resigns_has_lost(device: Device, other_device: Device, leaves: bool) -> None:
    classic = RulesetRow.objects.get(slug="classic", latest=True)
    entries = [Entry(ANA), Entry(BRUNO)]
    game = services.create_game(device.browser, make_key(), classic, entries, target=1000, mode="manual")
    other_device.takes(game, 1)
    if leaves:
        other_device.do(game, "delete", do="delete")
    else:
        other_device.do(game, "seats", do="out", seat="1")
    device.do(game, "points", points=1000, end="bank")
    assert reload_game(game).status == "finished" and read_standing(device, BRUNO) == "1 : 0"
    assert read_standing(other_device, ANA) == ("" if leaves else "0 : 1")


def test_browsers_of_one_account_are_one_person(device: Device, other_device: Device) -> None:
    third = Device()
    make_shared_game(device, other_device)
    make_shared_game(device, third, winner=1)
    user = User.objects.create_user("bruno")
    for browser in (other_device.browser, third.browser):
        accounts.give_all(require(browser.visitor()), accounts.find_or_make_visitor(user))
    assert read_standing(device, BRUNO) == "1 : 1"


# ── the page ──


def test_somebody_elses_games_are_not_seen(device: Device, other_device: Device) -> None:
    make_shared_game(device, other_device)
    stranger = Device()
    assert "You have not finished a game with Bruno that counts." in open_page(stranger, BRUNO)
    make_shared_game(stranger, Device(), names=("Zoë", "Yan"))
    assert read_standing(stranger, BRUNO) == ""


@pytest.mark.parametrize("name", ["a/b", "100%", "?", "<script>alert(1)</script>"[:24], "👩‍👩‍👧", "=1+1"])
def test_every_name_has_a_page_that_shows_it_as_text(device: Device, other_device: Device, name: str) -> None:
    make_shared_game(device, other_device, names=(ANA, name))
    html = open_page(device, name)
    assert read_standing(device, name) == "1 : 0" and "<script>alert" not in html


@pytest.mark.parametrize("name", [".", "..", "a/../b", "./a"])
def test_a_name_that_looks_like_a_path_has_a_link_that_browsers_keep(
    device: Device, other_device: Device, name: str
) -> None:
    game = make_shared_game(device, other_device, names=(ANA, name))
    make_shared_game(device, other_device, names=(ANA, name))
    links = set(re.findall(r'href="(/games/with[^"]*)"', device.page(game)))
    assert links and {urljoin("https://dice.example/g/x", link) for link in links} == {
        f"https://dice.example{link}" for link in links
    }
    for link in links:
        assert 'class="versus"' in device.client.get(link.replace("&amp;", "&")).content.decode()
    assert read_standing(device, name) == "2 : 0"  # also through links of the old form


@pytest.mark.parametrize("name", ["x" * 25, "a\u202eb", " ", "\u200b"])
def test_an_impossible_name_has_no_page(device: Device, name: str) -> None:
    assert device.client.get(reverse("game:head-to-head", args=[name])).status_code == 404


def test_the_page_is_neither_cached_nor_indexed(device: Device) -> None:
    response = device.client.get(reverse("game:head-to-head", args=[BRUNO]))
    assert "no-store" in response["Cache-Control"] and b'content="noindex"' in response.content


# ── the standing on other pages ──


def test_the_waiting_page_shows_the_standing_against_the_others(device: Device, other_device: Device) -> None:
    make_shared_game(device, other_device)
    game = device.waiting_game()
    other_device.sit(game)
    assert "1 : 0" in device.page(game) and "You have won 1, Bruno 0." in device.page(game)
    assert "0 : 1" in other_device.page(game) and "/games/with/Ana" in other_device.page(game)
    assert "1 : 0" not in Device().page(game)


def test_the_end_of_a_game_shows_the_standing(
    device: Device, other_device: Device, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    game = [make_shared_game(device, other_device, winner=winner) for winner in (0, 0, 1)][-1]
    assert '<a href="/games/with/Bruno">You have won 2, Bruno 1.</a>' in device.page(game)
    with django_assert_max_num_queries(QUERIES_MOST):
        html = other_device.page(game)
    assert '<a href="/games/with/Ana">You have won 1, Ana 2.</a>' in html
    assert "/games/with/" not in Device().page(game)


def test_after_a_game_with_several_others_a_score_against_each_fits_one_line(device: Device) -> None:
    html = read_text(device.page(make_finished_game(device, ANA, HAL, "*Orac", winner=1)))
    assert "You 0 : 1 *HAL · You 0 : 0 *Orac" in html


def test_two_players_at_one_device_see_their_standing_at_the_end(device: Device) -> None:
    make_finished_game(device, ANA, BRUNO, winner=1)
    assert "Ana has won 1, Bruno 1." in device.page(make_finished_game(device, ANA, BRUNO))
    assert "Ana has won" not in device.page(make_finished_game(device, ANA, BRUNO, "Chloé"))


def test_the_list_of_players_shows_the_standing(device: Device, other_device: Device) -> None:
    make_shared_game(device, other_device)
    html = device.page(share_game(device, other_device))
    assert "Head to head 1 : 0" in html and "You have won 1, Bruno 0." in html


def test_the_players_of_a_game_link_to_their_head_to_head(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, players=(ANA, BRUNO, HAL))
    html = device.page(game)
    assert 'href="/games/with/Bruno"' in html and 'href="/games/with/*HAL"' in html
    assert "/games/with/Ana" not in html and "/games/with/" not in Device().page(game)


@pytest.mark.parametrize("query", ["", "?name="])
def test_a_head_to_head_with_nobody_leads_to_the_games(device: Device, query: str) -> None:
    assert device.client.get(f"/games/with{query}").headers.get("Location") == reverse("game:games")


def test_my_games_link_to_the_head_to_head_with_each_opponent(device: Device, other_device: Device) -> None:
    make_shared_game(device, other_device)
    make_finished_game(device, ANA, HAL)
    html = device.client.get("/games").content.decode()
    assert 'href="/games/with/Bruno"' in html and 'href="/games/with/*HAL"' in html
    assert "/games/with/Ana" not in html
    make_finished_game(device, ANA, "Chloé")
    html = device.client.get("/games").content.decode()
    assert 'href="/games/with/Chlo%C3%A9"' in html and 'href="/games/with/Ana"' in html


def test_however_many_sit_at_a_device_its_opponents_of_as_many_games_are_offered(
    device: Device, other_device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(head_to_head, "LATELY", 2)
    make_shared_game(device, other_device)
    for _game in range(2):
        assert 'href="/games/with/Bruno"' in device.client.get("/games").content.decode()
        make_finished_game(device, ANA, "Chloé", "Dora")
    assert 'href="/games/with/Bruno"' not in device.client.get("/games").content.decode()


# ── checked against a recount ──


@pytest.fixture
def asks(device: Device, django_assert_max_num_queries: DjangoAssertNumQueries) -> Callable[[str], str]:
    def ask(name: str) -> str:
        with django_assert_max_num_queries(QUERIES_MOST):
            return open_page(device, name)

    return ask


def test_the_standing_equals_a_recount_of_all_games(device: Device, asks: Callable[[str], str]) -> None:
    visitors = [browser.browser.visitor_or_new() for browser in (device, Device(), Device())]
    store_mixed_games(visitors, device.game(), 400)
    opponents = 0
    for visitor in visitors:
        for name in (*NAMES, "*HAL", "*Eva"):
            by_opponent = {astuple(heads.opponent): heads for heads in find_opponents(visitor, name)}
            counted = count_again(visitor, name)
            assert set(by_opponent) == set(counted)
            assert all(is_same(heads, counted[who]) for who, heads in by_opponent.items())
            opponents += len(by_opponent)
    assert opponents > 50
    asks(BRUNO)
