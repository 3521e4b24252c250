"""What the host of a running game may do: deal with players who went away, close watching, and hand over."""

from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from game import services
from game.live.presence_writer import PresenceSnapshot, write_presence
from game.models import Game, Visitor
from game.rules import SetTarget
from game.services import Command, Refusal
from game.storage import load_state
from tests.cast import ANA, HAL, IN, Device, bank, let_time_pass, make_key, open_turn, reload_game, share_game, throw
from tests.require import require

LONG = timedelta(minutes=3, seconds=1)
VERY_LONG = timedelta(minutes=10, seconds=1)


def make_command(device: Device, game: Game) -> Command:
    return Command(device.browser.visitor(), make_key(), reload_game(game).version, "")


@pytest.fixture
def game(device: Device, other_device: Device) -> Game:
    """Ana has played, and it is Bruno's turn on the other device."""
    return share_game(device, other_device, bank(0, 1000, IN))


def test_the_host_skips_a_silent_player(game: Game, device: Device) -> None:
    let_time_pass(game, dice_changed=LONG)
    services.skip_player(game.code, make_command(device, game))
    assert load_state(reload_game(game)).player == 0
    assert require(game.shots.last()).outcome == "skip"


def test_nobody_is_skipped_within_three_minutes(game: Game, device: Device) -> None:
    let_time_pass(game, dice_changed=timedelta(minutes=2, seconds=50))
    with pytest.raises(Refusal, match="Bruno played less than three minutes ago"):
        services.skip_player(game.code, make_command(device, game))


def test_a_computer_that_is_due_plays_by_itself_however_long_it_takes(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), players=(ANA, HAL))
    let_time_pass(game, dice_changed=timedelta(minutes=9))
    for verb in (services.skip_player, partial(services.hand_to_computer, level="bold")):
        with pytest.raises(Refusal, match=r"\*HAL plays by itself\."):
            verb(game.code, make_command(device, game))


def test_a_player_who_threw_meanwhile_is_not_skipped(game: Game, device: Device, other_device: Device) -> None:
    let_time_pass(game, dice_changed=LONG)
    before = make_command(device, game)
    services.throw_dice(game.code, make_command(other_device, game), ())
    with pytest.raises(Refusal, match="moved first"):
        services.skip_player(game.code, before)


def test_a_guest_cannot_skip_anybody_or_let_a_computer_play(game: Game, device: Device, other_device: Device) -> None:
    other_device.takes(game, 0)
    device.takes(game, 1)
    let_time_pass(game, dice_changed=LONG)
    for verb in (services.skip_player, partial(services.hand_to_computer, level="bold")):
        with pytest.raises(Refusal, match="Only the host"):
            verb(game.code, make_command(other_device, game))


def test_the_computer_plays_until_the_person_is_back(game: Game, device: Device, other_device: Device) -> None:
    let_time_pass(game, dice_changed=LONG)
    services.hand_to_computer(game.code, make_command(device, game), "bold")
    assert load_state(reload_game(game)).players[1].level == "bold"
    assert other_device.do(game, "throw").status_code == 403
    services.take_back_seat(game.code, make_command(other_device, game), 1)
    assert load_state(reload_game(game)).players[1].level is None
    assert other_device.do(game, "throw").status_code == 303


def test_a_player_who_is_back_has_three_minutes_again(game: Game, device: Device, other_device: Device) -> None:
    let_time_pass(game, dice_changed=LONG)
    services.hand_to_computer(game.code, make_command(device, game), "bold")
    services.take_back_seat(game.code, make_command(other_device, game), 1)
    assert not services.is_silent(reload_game(game))


def test_nobody_can_take_back_somebody_elses_seat(game: Game, device: Device) -> None:
    let_time_pass(game, dice_changed=LONG)
    services.hand_to_computer(game.code, make_command(device, game), "bold")
    with pytest.raises(Refusal) as refused:
        services.take_back_seat(game.code, make_command(device, game), 1)
    assert refused.value.status == 403


def test_a_computers_own_seat_cannot_be_taken_back(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), players=(ANA, HAL))
    game.players.filter(seat=1).update(visitor=device.browser.visitor())
    with pytest.raises(Refusal, match="not one of yours"):
        services.take_back_seat(game.code, make_command(device, game), 1)


def test_taking_back_a_seat_that_one_plays_already_changes_nothing(game: Game, device: Device) -> None:
    services.take_back_seat(game.code, make_command(device, game), 0)
    assert not reload_game(game).changes.filter(kind="hand").exists()


def test_no_seat_is_handed_to_a_level_that_does_not_exist(game: Game, device: Device) -> None:
    let_time_pass(game, dice_changed=LONG)
    with pytest.raises(Exception, match="level"):
        services.hand_to_computer(game.code, make_command(device, game), "godlike")


def test_the_host_makes_somebody_else_host(game: Game, device: Device, other_device: Device) -> None:
    services.change_host(game.code, make_command(device, game), 1)
    assert services.find_host(reload_game(game)) == require(other_device.browser.visitor()).pk
    with pytest.raises(Refusal, match="Only the host"):
        services.set_watching(game.code, make_command(device, game), False)


def test_only_a_person_with_a_seat_can_become_host(device: Device) -> None:
    game = device.game(players=("Ana", "*HAL"))
    with pytest.raises(Refusal):
        services.change_host(game.code, make_command(device, game), 1)
    with pytest.raises(Refusal):
        services.change_host(game.code, make_command(device, game), 2)


def test_a_silent_host_is_host_no_longer(game: Game, device: Device, other_device: Device) -> None:
    let_time_pass(game, seen=VERY_LONG)
    game.players.filter(seat=1).update(seen=reload_game(game).dice_changed_at)
    assert services.find_host(reload_game(game)) == require(other_device.browser.visitor()).pk
    services.change_game_as_host(game.code, make_command(other_device, game), SetTarget(5000))
    assert reload_game(game).host == other_device.browser.visitor()
    assert game.changes.filter(kind="host").count() == 1


def test_a_host_who_is_away_after_the_end_stays_host(game: Game, other_device: Device) -> None:
    host = game.host_id
    let_time_pass(game, seen=VERY_LONG)
    game.players.filter(seat=1).update(seen=timezone.now())
    assert services.find_host(reload_game(game)) == require(other_device.browser.visitor()).pk
    Game.objects.update(status=Game.Status.FINISHED)
    assert services.find_host(reload_game(game)) == host


def test_the_player_present_who_sat_down_first_becomes_host(device: Device, other_device: Device) -> None:
    game, third = device.game(players=("Ana", "Bruno", "Chloé")), Device()
    other_device.takes(game, 1)
    third.takes(game, 2)
    let_time_pass(game, seen=VERY_LONG)
    game.players.exclude(seat=0).update(seen=timezone.now())
    assert services.find_host(reload_game(game)) == other_device.browser.visitor_or_new().pk


def test_a_private_game_does_not_exist_for_a_strangers_throw(game: Game, device: Device) -> None:
    services.set_watching(game.code, make_command(device, game), False)
    with pytest.raises(Refusal) as refused:
        services.throw_dice(game.code, make_command(Device(), game), ())
    assert refused.value.status == 404


def test_a_host_without_a_seat_stays_host_while_present(game: Game, device: Device, other_device: Device) -> None:
    visitor = device.browser.visitor()
    assert visitor
    game.players.filter(seat=0).update(visitor=other_device.browser.visitor())
    let_time_pass(game, seen=VERY_LONG)
    game.players.update(seen=timezone.now())
    write_presence("a", PresenceSnapshot({(game.code, visitor.pk)}))
    assert services.find_host(reload_game(game)) == visitor.pk
    Visitor.objects.update(seen=timezone.now() - VERY_LONG)
    assert services.find_host(reload_game(game)) == require(other_device.browser.visitor()).pk


def test_a_host_without_a_seat_has_no_card_to_react_over(game: Game, device: Device, other_device: Device) -> None:
    other_device.takes(game, 0)
    with pytest.raises(Refusal, match="not one of yours"):
        services.share_reaction(game.code, device.browser.visitor(), services.REACTIONS[0])


def test_a_host_stays_host_when_everybody_is_silent(game: Game, device: Device) -> None:
    let_time_pass(game, seen=VERY_LONG)
    assert services.find_host(reload_game(game)) == require(device.browser.visitor()).pk


@pytest.mark.parametrize("gone", [{"active": False}, {"level": "bold"}], ids=["stepped out", "a computer plays"])
def test_a_player_who_takes_no_turns_does_not_become_host(game: Game, device: Device, gone: dict[str, object]) -> None:
    let_time_pass(game, seen=VERY_LONG)
    game.players.filter(seat=1).update(seen=reload_game(game).dice_changed_at, **gone)
    assert services.find_host(reload_game(game)) == require(device.browser.visitor()).pk


def test_with_watching_closed_the_game_does_not_exist_for_others(
    game: Game, device: Device, other_device: Device
) -> None:
    services.set_watching(game.code, make_command(device, game), False)
    spectator = Device()
    assert spectator.client.get(game.get_absolute_url()).status_code == 404
    assert spectator.do(game, "throw").status_code == 404
    assert other_device.client.get(game.get_absolute_url()).status_code == 200


def test_setting_watching_to_what_it_is_changes_nothing(game: Game, device: Device) -> None:
    services.set_watching(game.code, make_command(device, game), True)
    assert not game.changes.exists()


def test_a_skipped_turn_loses_its_points(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN), open_turn(1, throw("111346")))
    let_time_pass(game, dice_changed=LONG)
    services.skip_player(game.code, make_command(device, game))
    assert load_state(reload_game(game)).players[1].score == 0
