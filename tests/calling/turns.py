"""Turns of people who are called: with real dice, so that one press is a turn."""

from __future__ import annotations

from datetime import timedelta

from game.models import Game
from tests.calling.push_service import SubscribedBrowser
from tests.cast import IN, Device, banked, fresh

LONG = timedelta(hours=1)


def press(device: Device, game: Game, browser: SubscribedBrowser | None, **more: str) -> int:
    """The switch of the game's page is pressed in this browser; without one it is let go."""
    form = {"do": "call", "zone": "UTC", **browser.form} if browser else {"do": "stop"}
    return device.client.post(f"{game.get_absolute_url()}/call", form | more, secure=True).status_code


def end_turn(device: Device, game: Game) -> None:
    """Real dice: one press is a turn."""
    assert device.do(game, "points", points="500", end="bank").status_code == 303


def game_with_real_dice(host: Device, guest: Device) -> Game:
    """Ana's turn on the one device, Bruno at the other."""
    game = host.game(banked(0, 1000, IN), banked(1, 1000, IN))
    host.do(game, "mode", mode="manual")
    guest.takes(game, 1)
    return fresh(game)
