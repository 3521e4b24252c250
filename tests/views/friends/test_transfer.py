"""Transfers: continuing on another device, as both devices show it."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from game.models import Game, Transfer
from tests.cast import HAL, IN, Device, Response, bank, let_time_pass, make_key, reload_game, share_game
from tests.require import require
from tests.views.friends.test_host_powers import list_forms


def post_transfer(device: Device, game: Game, **seat: str) -> Response:
    return device.client.post(f"{game.get_absolute_url()}/transfer", {"key": make_key()} | seat)


def make_transfer_link(device: Device, game: Game, **seat: str) -> str:
    return "/c/" + require(re.search(r"/c/([\w-]{22})", post_transfer(device, game, **seat).content.decode()))[1]


def test_the_page_shows_the_link_and_says_how_long_it_works(device: Device) -> None:
    page = post_transfer(device, device.game()).content.decode()
    assert "It works once, within 10 minutes." in page
    assert "Ana and Bruno" in page


def test_looking_at_the_link_does_not_use_it_up(device: Device, other_device: Device) -> None:
    path = make_transfer_link(device, device.game())
    for _look in range(2):
        assert "Continue here as Ana and Bruno" in other_device.client.get(path).content.decode()


def test_the_other_device_continues_the_game(device: Device, other_device: Device) -> None:
    game = device.game()
    answer = other_device.client.post(make_transfer_link(device, game), {"key": make_key()})
    assert (answer.status_code, answer["Location"]) == (303, game.get_absolute_url())
    assert other_device.do(game, "throw").status_code == 303


def test_the_old_device_can_only_watch(device: Device, other_device: Device) -> None:
    game = device.game()
    other_device.client.post(make_transfer_link(device, game), {"key": make_key()})
    page = device.page(game)
    assert "Ana’s turn" in page and list_forms(page) == {"undo"}  # the hidden one of every spectator
    assert 'id="throw"' not in page and "seat-0" not in page


def test_the_old_device_is_not_promised_to_watch_where_nobody_may(device: Device, other_device: Device) -> None:
    game = device.game()
    assert "will then only watch" in post_transfer(device, game).content.decode()
    device.do(game, "watching", allowed="0")
    assert "will then only watch" not in post_transfer(device, game).content.decode()
    path = make_transfer_link(device, game)
    assert "can no longer see the game" in other_device.client.get(path).content.decode()
    other_device.client.post(path, {"key": make_key()})
    assert device.client.get(game.get_absolute_url()).status_code == 404


def test_a_used_link_says_what_to_do(device: Device, other_device: Device) -> None:
    path = make_transfer_link(device, device.game())
    other_device.client.post(path, {"key": make_key()})
    late = Device()
    for answer in (late.client.get(path), late.client.post(path, {"key": make_key()})):
        assert answer.status_code == 410
        assert "Make a new one on the device you played on." in answer.content.decode()


@pytest.mark.parametrize("is_used", [True, False])
def test_a_link_that_was_used_or_is_too_old_says_how_long_such_links_work(
    device: Device, other_device: Device, is_used: bool
) -> None:
    path = make_transfer_link(device, device.game())
    if is_used:
        other_device.client.post(path, {"key": make_key()})
    else:
        Transfer.objects.update(created=timezone.now() - timedelta(minutes=11))
    page = Device().client.get(path).content.decode()
    assert "<h1>This link no longer works</h1>" in page and "works once, within 10 minutes." in page
    assert "expired" not in page


def test_a_used_link_leads_the_new_device_back_to_the_game(device: Device, other_device: Device) -> None:
    game = device.game()
    path = make_transfer_link(device, game)
    other_device.client.post(path, {"key": make_key()})
    for answer in (other_device.client.get(path), other_device.client.post(path, {"key": make_key()})):
        assert (answer.status_code, answer["Location"]) == (302, game.get_absolute_url())
    assert device.client.get(path).status_code == 410


def test_a_used_link_offers_watching_only_where_it_is_allowed(device: Device, other_device: Device) -> None:
    game = device.game()
    path = make_transfer_link(device, game)
    other_device.client.post(path, {"key": make_key()})
    assert f'href="{game.get_absolute_url()}"' in Device().client.get(path).content.decode()
    other_device.do(game, "watching", allowed="0")
    assert game.get_absolute_url() not in Device().client.get(path).content.decode()


def test_an_expired_link_is_gone(device: Device, other_device: Device) -> None:
    path = make_transfer_link(device, device.game())
    Transfer.objects.update(created=timezone.now() - timedelta(minutes=11))
    assert other_device.client.get(path).status_code == 410


def test_the_link_opened_on_the_same_device_says_so(device: Device) -> None:
    path = make_transfer_link(device, device.game())
    assert "You play on this device already." in device.client.get(path).content.decode()


def test_players_get_a_link_for_their_own_seats_only(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN))
    assert "for Bruno" not in post_transfer(other_device, game).content.decode()
    assert "Bruno continues there" in post_transfer(other_device, game).content.decode()
    assert post_transfer(Device(), game).status_code == 403


def test_a_form_sent_again_shows_the_same_link_until_it_is_used(device: Device, other_device: Device) -> None:
    game, form = device.game(), {"key": make_key()}
    pages = [device.client.post(f"{game.get_absolute_url()}/transfer", form).content.decode() for _ in range(2)]
    links = {require(re.search(r"/c/[\w-]{22}", page))[0] for page in pages}
    assert len(links) == 1
    other_device.client.post(links.pop(), {"key": make_key()})
    assert device.client.post(f"{game.get_absolute_url()}/transfer", form).status_code in (403, 410)


def test_a_claim_without_a_key_moves_nothing(device: Device, other_device: Device) -> None:
    game = device.game()
    assert other_device.client.post(make_transfer_link(device, game)).status_code == 400
    assert reload_game(game).host == device.browser.visitor()


def test_a_key_used_for_something_else_moves_nothing(device: Device, other_device: Device) -> None:
    game = device.game()
    path, used = make_transfer_link(device, game), make_key()
    device.do(game, "target", target="5000", key=used)
    answer = device.client.post(path, {"key": used})
    assert answer.status_code == 422 and "That form was already used." in answer.content.decode()
    assert "Continue here as Ana and Bruno" in other_device.client.get(path).content.decode()


@pytest.mark.parametrize("path", ["/c/short", f"/c/{'A' * 23}"])
def test_a_malformed_link_is_not_found(client: Client, db: None, path: str) -> None:
    assert client.get(path).status_code == 404


def test_one_of_several_players_can_move_alone(device: Device, other_device: Device) -> None:
    game = device.game()
    assert "Move Bruno to another device" in device.page(game)
    path = make_transfer_link(device, game, seat="1")
    page = other_device.client.get(path).content.decode()
    assert "Continue here as Bruno" in page and "The other players stay on the other device." in page
    assert other_device.client.post(path, {"key": make_key()}).status_code == 303
    assert "Your turn, Ana" in device.page(game)
    assert device.do(game, "throw").status_code == 303
    game = reload_game(game)
    assert [seat.visitor for seat in game.seats] == [device.browser.visitor(), other_device.browser.visitor()]
    assert game.host == device.browser.visitor()


def test_a_player_for_whom_a_computer_stands_in_is_named(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN), {"type": "hand", "player": 1, "level": "bold"})
    page = post_transfer(other_device, game).content.decode()
    assert "Open this link on the other device: Bruno continues there." in page
    path, phone = make_transfer_link(other_device, game), Device()
    assert "Continue here as Bruno" in phone.client.get(path).content.decode()
    phone.client.post(path, {"key": make_key()})
    assert "Bruno has moved to another device." in device.page(game)


def test_all_people_who_move_together_are_named_as_they_are_called_now(device: Device, other_device: Device) -> None:
    game = device.game(bank(0, 1000, IN), players=("Ana", HAL, "Bruno", "Chloé"))
    other_device.takes(game, 3)
    phone = Device()
    phone.client.post(make_transfer_link(device, game), {"key": make_key()})
    assert "Ana and Bruno have moved to another device." in other_device.page(game)
    phone.do(game, "seats", do="rename", seat=2, name="Bea")
    assert "Ana and Bea have moved to another device." in other_device.page(game)


def test_who_moved_before_the_start_and_then_let_a_computer_play_is_still_named(
    device: Device, other_device: Device
) -> None:
    game, phone = device.waiting_game(), Device()
    other_device.sit(game)
    phone.client.post(make_transfer_link(other_device, game), {"key": make_key()})
    moved = game.players.get(name="Bruno").pk
    phone.do(game, "seats", do="rename", waiting="1", player=moved, name="*Bruno")
    device.do(game, "start")
    assert "*Bruno has moved to another device." in device.page(game)


def test_nobody_is_told_that_a_host_without_a_seat_has_moved(device: Device, other_device: Device) -> None:
    game, phone = device.game(bank(0, 1000, IN)), Device()
    other_device.takes(game, 0, 1)
    assert "to be the host there" in post_transfer(device, game).content.decode()
    phone.client.post(make_transfer_link(device, game), {"key": make_key()})
    assert reload_game(game).host == phone.browser.visitor()
    assert "moved to another device" not in other_device.page(game)


def test_a_seat_that_nobody_holds_can_be_given_to_somebody_else(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN))
    game.players.filter(seat=1).update(visitor=None)
    assert "Invite somebody to play for Bruno" in device.page(game)
    friend = Device()
    assert friend.client.post(make_transfer_link(device, game, seat="1"), {"key": make_key()}).status_code == 303
    assert "Your turn, Bruno" in friend.page(game)


@pytest.mark.parametrize("seat", ["1", "2", "9"])
def test_nobody_can_give_away_a_seat_that_is_not_theirs(device: Device, other_device: Device, seat: str) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN), players=("Ana", "Bruno", "*HAL"))
    assert post_transfer(device, game, seat=seat).status_code == 403
    assert not Transfer.objects.exists()


def test_only_the_host_gives_away_a_seat_that_nobody_holds(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN), players=("Ana", "Bruno", "Chloé"))
    game.players.filter(seat=2).update(visitor=None)
    assert post_transfer(other_device, game, seat="2").status_code == 403
    assert post_transfer(device, game, seat="2").status_code == 200


def test_a_player_who_has_moved_is_there_before_their_page_is_heard_of(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN))
    path = make_transfer_link(other_device, game)
    let_time_pass(game, seen=timedelta(minutes=1))
    assert ">away<" in device.page(game)
    Device().client.post(path, {"key": make_key()})
    assert ">away<" not in device.page(game)


def test_a_link_for_one_seat_ends_when_the_seat_has_moved(device: Device, other_device: Device) -> None:
    game = device.game()
    paths = [make_transfer_link(device, game, seat="1"), make_transfer_link(device, game)]
    assert other_device.client.post(paths[1], {"key": make_key()}).status_code == 303
    assert Device().client.post(paths[0], {"key": make_key()}).status_code == 410
