"""Undo in a long game starts from a stored checkpoint, and gives the same state as replaying the whole game."""

import pytest

from game.models import Checkpoint, Game
from game.services.verify import find_first_difference
from game.storage import load_state, replay_rows
from tests.cast import IN, Device, bank, open_turn, reload_game, throw
from tests.examples import count_tries

ROUNDS = 40
PAST_A_CHECKPOINT = 10
FIFTY = throw("223456", "5")
LONG = (bank(0, 1000, IN), bank(1, 1000, IN), *(bank(seat, 50, FIFTY) for _ in range(ROUNDS) for seat in (0, 1)))


@pytest.fixture
def long_game(device: Device) -> Game:
    return device.game(*LONG, open_turn(0, throw("111346")), target=100_000)


def press_undo(device: Device, game: Game, times: int) -> list[int]:
    return [device.do(game, "undo").status_code for _press in range(times)]


def test_a_checkpoint_is_stored_every_25_turns_and_verified(long_game: Game) -> None:
    assert [checkpoint.place for checkpoint in long_game.checkpoints.all()] == [25, 50, 75]
    assert find_first_difference(reload_game(long_game)) is None
    checkpoint = long_game.checkpoints.first()
    assert checkpoint is not None
    checkpoint.state_data["round"] += 1
    checkpoint.save()
    difference = find_first_difference(reload_game(long_game))
    assert difference is not None and "checkpoint" in difference.row


def test_after_every_undo_the_state_is_that_of_the_rows(device: Device, long_game: Game) -> None:
    for turns in range(1, 1 + max(PAST_A_CHECKPOINT, count_tries(60))):
        assert press_undo(device, long_game, 1) == [303]
        game = reload_game(long_game)
        assert load_state(game) == replay_rows(game)
        assert game.shots.filter(cancelled=True).count() == turns
    assert find_first_difference(reload_game(long_game)) is None


def test_undo_does_not_read_turns_before_the_checkpoint(device: Device, long_game: Game) -> None:
    long_game.throws.filter(shot__place=1).update(dice="666666")  # the whole game would not replay
    assert press_undo(device, long_game, 2) == [303, 303]
    assert reload_game(long_game).shots.filter(cancelled=True).count() == 2


def test_undo_keeps_names_modes_and_players_that_changed_since_the_checkpoint(device: Device, long_game: Game) -> None:
    device.do(long_game, "seats", do="rename", seat="1", name="Bo")
    device.do(long_game, "mode", mode="manual")
    device.do(long_game, "seats", do="join", name="Cleo")
    press_undo(device, long_game, 1)
    game = reload_game(long_game)
    state = load_state(game)
    assert ([player.name for player in state.players], state.mode) == (["Ana", "Bo", "Cleo"], "manual")
    assert state == replay_rows(game)


def test_turns_of_computers_are_undone_together_even_past_a_checkpoint(device: Device) -> None:
    players = ("Ana", *(f"*{name}" for name in ("HAL", "Ada", "Tik", "Ash", "Bob", "Cy", "Data", "Eve", "Gort")))
    first = [bank(seat, 1000, IN) for seat in range(len(players))]
    rest = [bank(seat, 50, FIFTY) for _ in range(3) for seat in range(len(players))]
    game = device.game(*first, *rest, players=players, target=100_000)
    for turns in range(1, 4):
        assert press_undo(device, game, 1) == [303]
        assert reload_game(game).shots.filter(cancelled=True).count() == turns * len(players)
    assert load_state(reload_game(game)) == replay_rows(reload_game(game))
    assert Checkpoint.objects.filter(game=game).count() == 0
