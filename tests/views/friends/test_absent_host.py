"""A host who goes away before the start: who can start the game then, and what the pages say."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from game.models import Game
from tests.cast import BRUNO, Device, let_time_pass, reload_game
from tests.words import read_text


@pytest.fixture
def game(device: Device) -> Game:
    return device.waiting_game()


@pytest.fixture
def left_game(game: Game, other_device: Device) -> Game:
    """Bruno sits at the game on the other device; Ana, the host, has been silent for eleven minutes."""
    other_device.sit(game)
    let_time_pass(game, seen=timedelta(minutes=11))
    game.players.filter(name=BRUNO).update(seen=timezone.now())
    return game


def test_a_guest_starts_the_game_of_a_host_who_went_away(left_game: Game, other_device: Device) -> None:
    page = read_text(other_device.page(left_game))
    assert "Ana has been away for a while, so you can start the game." in page
    assert other_device.do(left_game, "start", waiting="1").status_code == 303
    game = reload_game(left_game)
    assert (game.status, game.host) == (Game.Status.RUNNING, other_device.browser.visitor())


def test_other_guests_read_who_can_start_now(left_game: Game) -> None:
    third = Device()
    third.sit(left_game, "Chloé")
    page = third.page(left_game)
    assert "Bruno starts the game when everyone’s here." in read_text(page)
    assert page.count('<b class="tag">host</b>') == 1 and 'id="start"' not in page


def test_a_host_who_comes_back_before_anyone_starts_has_the_table_again(
    left_game: Game, device: Device, other_device: Device
) -> None:
    assert 'id="start"' in device.page(left_game)
    assert device.do(left_game, "target", target="5000", waiting="1").status_code == 303
    assert "Ana starts the game when everyone’s here." in read_text(other_device.page(left_game))


def test_a_guest_is_not_promised_a_start_that_lacks_something(
    left_game: Game, device: Device, other_device: Device
) -> None:
    device.do(left_game, "seats", waiting="1", do="free", name="Chloé")
    let_time_pass(left_game, seen=timedelta(minutes=11))
    page = read_text(other_device.page(left_game))
    assert "Ana has been away for a while, so you are the host for now." in page
    assert "Nobody has taken Chloé’s seat yet." in page


def test_the_list_of_games_says_who_can_start(left_game: Game, device: Device, other_device: Device) -> None:
    can_start = "Everyone’s here. You can start."
    assert can_start in read_text(other_device.client.get("/games").content.decode())
    assert can_start in read_text(device.client.get("/games").content.decode())
    other_device.do(left_game, "target", target="5000", waiting="1")
    assert can_start not in read_text(device.client.get("/games").content.decode())


def test_a_guest_who_removes_the_seat_of_an_absent_host_is_host_from_then_on(
    left_game: Game, other_device: Device
) -> None:
    ana = left_game.players.get(name="Ana").pk
    assert other_device.do(left_game, "seats", waiting="1", do="remove", player=ana).status_code == 303
    assert reload_game(left_game).host == other_device.browser.visitor()
    assert left_game.players.get().name == BRUNO


def test_an_open_page_learns_that_its_guest_may_start(game: Game, other_device: Device) -> None:
    other_device.sit(game)
    let_time_pass(game, seen=timedelta(minutes=9))
    game.players.filter(name=BRUNO).update(seen=timezone.now())
    there = re.search(r'data-there="([^"]*)"', other_device.page(game))
    assert there
    let_time_pass(game, seen=timedelta(minutes=11))
    game.players.filter(name=BRUNO).update(seen=timezone.now())
    asking = f"{game.get_absolute_url()}/board?waiting=1&version={reload_game(game).version}&there={there[1]}"
    assert 'id="start"' in other_device.client.get(asking).content.decode()
