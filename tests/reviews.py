"""Games that are over, or almost, for the tests of reviews; and the worker's part in a review."""

from __future__ import annotations

from typing import Any

from django_tasks_db.models import DBTaskResult

from game.models import Game
from game.services.reviews import review_game
from tests.cast import IN, Device, bank, bust, open_turn, reload_game, throw

FOUR_THOUSAND = throw("111111", "111111")
SHORT_GAME: dict[str, Any] = {"ruleset": "pot", "target": 4000, "players": ("Ana", "*HAL")}

# Ana keeps only the five of a throw with three ones and goes bust; in the end both have 5,000.
EVENTS = [
    bank(0, 1000, IN),
    bank(1, 1000, IN),
    bust(0, throw("111235", "5"), throw("11234", "1"), throw("2346")),
    bank(1, 4000, FOUR_THOUSAND),
    bank(0, 4000, FOUR_THOUSAND),
]


def load_finished_game(device: Device, *events: Any, **more: Any) -> Game:
    """A finished game from a file, whose review nobody has asked for."""
    game = device.game(*(events or EVENTS), **{"ruleset": "pot", "target": 5000, "players": ("Ana", "Bruno"), **more})
    assert reload_game(game).status == Game.Status.FINISHED
    return game


def load_game_with_skip(device: Device) -> Game:
    """A finished game in which *HAL was skipped in his last turn."""
    return load_finished_game(
        device, bank(0, 4000, FOUR_THOUSAND), {"type": "shot", "player": 1, "end": "skip"}, **SHORT_GAME
    )


def load_almost_finished_game(device: Device) -> Game:
    """A game that ends when Ana banks."""
    events = bank(0, 1000, IN), bank(1, 4000, FOUR_THOUSAND), open_turn(0, throw("111346"))
    return device.game(*events, **SHORT_GAME)


def write_reviews() -> None:
    """Do what the worker does: write the reviews that were asked for."""
    for row in DBTaskResult.objects.filter(task_path__endswith="review_game"):
        review_game.call(*row.args_kwargs["args"])
