"""Turns of people who are called, with real dice, so that one press is a turn."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from game.models import Game
from tests.calling.push_service import SubscribedBrowser
from tests.cast import IN, Device, bank, reload_game

LONG = timedelta(hours=1)


def switch_calls(device: Device, game: Game, browser: SubscribedBrowser | None, **more: str) -> int:
    """Switch calls on in this browser, or off without one, on the game's page; return the status of the answer."""
    form = {"do": "call", "zone": "UTC", **browser.form} if browser else {"do": "stop"}
    return device.client.post(f"{game.get_absolute_url()}/call", form | more, secure=True).status_code


def end_turn(device: Device, game: Game) -> None:
    """Take the whole turn of the player due, with real dice, by one press."""
    assert device.do(game, "points", points="500", end="bank").status_code == 303


def share_real_dice_game(host: Device, guest: Device) -> Game:
    """A game with real dice in which it is Ana's turn at the host's device, and Bruno sits at the other one."""
    game = host.game(bank(0, 1000, IN), bank(1, 1000, IN))
    host.do(game, "mode", mode="manual")
    guest.takes(game, 1)
    return reload_game(game)


def find_night_zone() -> str:
    """Return a zone in which it is about two in the morning. The names of Etc/GMT zones count west as positive."""
    ahead = (2 - timezone.now().hour) % 24
    return f"Etc/GMT{-ahead:+d}" if ahead <= 12 else f"Etc/GMT{24 - ahead:+d}"
