"""With people on other devices a turn is taken back only where one of them agrees."""

import pytest

from game import services
from game.models import Game
from game.services import Command, Refusal
from game.storage import load_state
from tests.cast import IN, Device, banked, bust, fresh, key, throw, two_devices
from tests.known import known


def command(device: Device, game: Game) -> Command:
    return Command(device.browser.visitor(), key(), fresh(game).version, "")


@pytest.fixture
def game(device: Device, other_device: Device) -> Game:
    """Ana has banked 1,000, and it is Bruno's turn on the other device."""
    return two_devices(device, other_device, banked(0, 1000, IN))


def score(game: Game) -> int:
    return load_state(fresh(game)).players[0].score


def test_asking_takes_nothing_back_yet(game: Game, device: Device) -> None:
    services.undo_turn(game.code, command(device, game))
    assert score(game) == 1000
    assert known(fresh(game).asks_undo).name == "Ana"


def test_it_is_taken_back_when_allowed(game: Game, device: Device, other_device: Device) -> None:
    services.undo_turn(game.code, command(device, game))
    services.answer_undo(game.code, command(other_device, game), True)
    assert score(game) == 0
    assert fresh(game).asks_undo is None
    assert not game.changes.filter(kind="expired").exists()


def test_it_stays_when_refused(game: Game, device: Device, other_device: Device) -> None:
    services.undo_turn(game.code, command(device, game))
    services.answer_undo(game.code, command(other_device, game), False)
    assert score(game) == 1000
    assert known(game.changes.get(kind="refused").player).name == "Bruno"


def test_nobody_allows_it_to_oneself(game: Game, device: Device) -> None:
    services.undo_turn(game.code, command(device, game))
    with pytest.raises(Refusal) as refused:
        services.answer_undo(game.code, command(device, game), True)
    assert refused.value.status == 403
    assert score(game) == 1000


def test_who_asks_can_withdraw(game: Game, device: Device) -> None:
    services.undo_turn(game.code, command(device, game))
    services.answer_undo(game.code, command(device, game), False)
    assert fresh(game).asks_undo is None
    assert not game.changes.exists()


def test_a_watcher_answers_nothing(game: Game, device: Device) -> None:
    services.undo_turn(game.code, command(device, game))
    watcher = Device()
    watcher.waiting_game()
    with pytest.raises(Refusal) as refused:
        services.answer_undo(game.code, command(watcher, game), True)
    assert refused.value.status == 403


def test_who_asks_for_the_same_agrees(game: Game, device: Device, other_device: Device) -> None:
    services.undo_turn(game.code, command(device, game))
    services.undo_turn(game.code, command(other_device, game))
    assert score(game) == 0


def test_a_host_without_a_seat_agrees_to_nothing(game: Game, device: Device) -> None:
    services.undo_turn(game.code, command(device, game))
    host = Device()
    Game.objects.filter(pk=game.pk).update(host=host.browser.visitor_or_new())
    with pytest.raises(Refusal) as refused:
        services.undo_turn(game.code, command(host, game))
    assert refused.value.status == 403
    assert score(game) == 1000


def test_the_next_throw_ends_the_question(game: Game, device: Device, other_device: Device) -> None:
    services.undo_turn(game.code, command(device, game))
    services.throw_dice(game.code, command(other_device, game), ())
    assert fresh(game).asks_undo is None
    assert known(game.changes.get(kind="expired").player).name == "Ana"
    with pytest.raises(Refusal, match="no longer open"):
        services.answer_undo(game.code, command(other_device, game), True)


def test_an_answer_from_before_the_throw_is_too_late(game: Game, device: Device, other_device: Device) -> None:
    services.undo_turn(game.code, command(device, game))
    before = command(other_device, game)
    services.throw_dice(game.code, command(other_device, game), ())
    services.undo_turn(game.code, command(device, game))
    with pytest.raises(Refusal, match="no longer open"):
        services.answer_undo(game.code, before, True)


def test_who_stepped_out_is_not_asked(game: Game, device: Device, other_device: Device) -> None:
    services.step_out(game.code, command(other_device, game), 1)
    services.undo_turn(game.code, command(device, game))
    assert fresh(game).asks_undo is None


def test_with_real_dice_nobody_is_asked(game: Game, device: Device) -> None:
    services.set_mode(game.code, command(device, game), "manual")
    services.undo_turn(game.code, command(device, game))
    assert score(game) == 0


def test_the_end_can_be_taken_back_by_consent(device: Device, other_device: Device) -> None:
    game = two_devices(device, other_device, banked(0, 1000, IN), bust(1, throw("223446")), target=1000)
    assert fresh(game).status == Game.Status.FINISHED
    services.undo_turn(game.code, command(device, game))
    services.answer_undo(game.code, command(other_device, game), True)
    assert fresh(game).status == Game.Status.RUNNING
    assert fresh(game).epoch == 2
