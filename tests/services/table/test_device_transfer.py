"""Moving to another device by a transfer: once, within ten minutes, with everything that the first one held."""

from datetime import timedelta

import pytest
from django.utils import timezone

from game import services
from game.models import Game, Transfer
from game.services import Command, LinkEnded, NotYourSeat
from tests.cast import HAL, Device, make_key, reload_game, share_game
from tests.require import require
from tests.words import read_text


def make_link(device: Device, game: Game, form: str = "") -> str:
    return services.offer_transfer(game.code, Command(device.browser.visitor(), form or make_key(), None, ""))


def claim_link(device: Device, token: str) -> Game:
    return services.claim_transfer(device.browser, token, make_key(), "")


def list_holders(game: Game) -> list[object]:
    return [seat.visitor for seat in game.players.select_related("visitor")]


def test_all_seats_of_the_device_move_and_no_others(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, players=("Ana", "Bruno", "Chloé", HAL))
    tablet = Device()
    claim_link(tablet, make_link(device, game))
    there, guest = tablet.browser.visitor(), other_device.browser.visitor()
    assert list_holders(game) == [there, guest, there, there]


def test_the_hosts_powers_move_with_the_seats(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device)
    claim_link(tablet := Device(), make_link(device, game))
    assert services.find_host(reload_game(game)) == require(tablet.browser.visitor()).pk


def test_a_host_without_a_seat_moves_the_hosts_powers_alone(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device)
    other_device.takes(game, 0)
    claim_link(tablet := Device(), make_link(device, game))
    assert reload_game(game).host == tablet.browser.visitor()
    assert list_holders(game) == [other_device.browser.visitor()] * 2


def test_a_guests_seats_move_without_the_hosts_powers(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device)
    claim_link(Device(), make_link(other_device, game))
    assert reload_game(game).host == device.browser.visitor()


def test_the_old_device_becomes_a_spectator(device: Device) -> None:
    game = device.game()
    claim_link(Device(), make_link(device, game))
    assert device.do(game, "throw").status_code == 403
    assert device.client.get(game.get_absolute_url()).status_code == 200


def test_a_transfer_works_once(device: Device) -> None:
    token = make_link(device, device.game())
    claim_link(Device(), token)
    with pytest.raises(LinkEnded):
        claim_link(Device(), token)


def test_the_same_press_again_leads_to_the_game(device: Device) -> None:
    game, form, tablet = device.game(), make_key(), Device()
    token = make_link(device, game)
    assert [services.claim_transfer(tablet.browser, token, form, "") for _press in range(2)] == [game, game]


def test_after_ten_minutes_the_link_has_ended(device: Device) -> None:
    token = make_link(device, device.game())
    Transfer.objects.update(created=timezone.now() - timedelta(minutes=10, seconds=1))
    with pytest.raises(LinkEnded):
        claim_link(Device(), token)


def test_a_new_link_ends_the_one_before(device: Device) -> None:
    game = device.game()
    old = make_link(device, game)
    make_link(device, game)
    with pytest.raises(LinkEnded):
        claim_link(Device(), old)


def test_the_same_form_shows_the_same_link_until_it_is_used(device: Device) -> None:
    game, form = device.game(), make_key()
    token = make_link(device, game, form)
    assert make_link(device, game, form) == token
    claim_link(Device(), token)
    with pytest.raises(LinkEnded):
        make_link(device, game, form)


def test_the_link_is_not_in_the_database(device: Device) -> None:
    token = make_link(device, device.game())
    assert token not in str(Transfer.objects.values())


def test_opening_a_transfer_on_its_own_device_does_not_use_it_up(device: Device) -> None:
    game = device.game()
    token = make_link(device, game)
    claim_link(device, token)
    claim_link(tablet := Device(), token)
    assert list_holders(game) == [tablet.browser.visitor()] * 2


def test_the_player_whose_turn_it_is_plays_on_while_another_seat_moves(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device)
    before = Command(device.browser.visitor(), make_key(), reload_game(game).version, "")
    claim_link(Device(), make_link(other_device, game))
    services.throw_dice(game.code, before, ())
    assert reload_game(game).thrown == 1


def test_a_spectator_has_nothing_to_move(device: Device, other_device: Device) -> None:
    game = device.game()
    other_device.waiting_game()
    with pytest.raises(NotYourSeat):
        make_link(other_device, game)


def test_a_transfer_is_noted_in_the_log_under_the_name_of_a_person(device: Device) -> None:
    game = device.game(players=(HAL, "Ana"))
    claim_link(tablet := Device(), make_link(device, game))
    assert "Ana has moved to another device" in read_text(tablet.page(game))


def test_seats_move_before_the_start_too(device: Device) -> None:
    game = device.waiting_game()
    claim_link(tablet := Device(), make_link(device, game))
    assert reload_game(game).host == tablet.browser.visitor()
