"""Who sits at the table in the tests, and games that stand where a test wants them.

A game is laid out by loading a game file: its dice are those that the test names, and it goes on from there.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from game import identity, services
from game.models import Game
from game.rules import record

ANA, BRUNO, HAL = "Ana", "Bruno", "*HAL"


def throw(dice: str, keep: str = "") -> dict[str, Any]:
    """A throw of a game file, written as its digits."""
    return {"dice": [*map(int, dice)]} | ({"keep": [*map(int, keep)]} if keep else {})


def banked(player: int, points: int, *throws: dict[str, Any]) -> dict[str, Any]:
    return {"type": "shot", "player": player, "throws": [*throws], "end": "bank", "points": points}


def bust(player: int, *throws: dict[str, Any]) -> dict[str, Any]:
    return {"type": "shot", "player": player, "throws": [*throws], "end": "bust"}


def going_on(player: int, *throws: dict[str, Any]) -> dict[str, Any]:
    """The running shot: its last throw awaits a choice."""
    return {"type": "shot", "player": player, "throws": [*throws]}


IN = throw("111346", "111")  # 1,000 points at once: enough to get in under every ruleset


def game_file(*events: dict[str, Any], ruleset: Any = "classic", players: Sequence[str], **more: Any) -> dict[str, Any]:
    named = [{"name": name} | ({"level": "balanced"} if name.startswith("*") else {}) for name in players]
    file = {"format": "ten-thousand-game", "version": 1, "ruleset": ruleset, "players": named, "events": [*events]}
    return {"target": 10000} | file | more


class Device:
    """A browser at the table, passed round by the people who play on it."""

    def __init__(self) -> None:
        self.client = Client()
        self.client.get("/prefs")

    @property
    def browser(self) -> identity.Browser:
        return identity.Browser(self.client.cookies["visitor"].value, known=True)

    def game(self, *events: dict[str, Any], players: Sequence[str] = (ANA, BRUNO), **more: Any) -> Game:
        """A game of this device that stands after these events."""
        return self.load(record.from_json(game_file(*events, players=players, **more)))

    def load(self, saved: record.Record) -> Game:
        return services.load(self.browser, key(), saved)

    def do(self, game: Game, what: str, *, htmx: bool = False, **data: Any) -> HttpResponse:
        """Presses a button of the game's page, as the page stands now unless the test says otherwise."""
        form = {"version": Game.objects.get(pk=game.pk).version, "key": key()} | data
        headers = {"HX-Request": "true"} if htmx else {}
        return self.client.post(f"{game.get_absolute_url()}/{what}", form, headers=headers)

    def page(self, game: Game, query: str = "") -> str:
        response = self.client.get(game.get_absolute_url() + query)
        assert response.status_code == 200
        return response.content.decode()


def key() -> str:
    return secrets.token_urlsafe(16)


def fresh(game: Game) -> Game:
    """The game as it is in the database now."""
    return Game.objects.get(pk=game.pk)


@pytest.fixture
def device(db: None) -> Device:
    return Device()


@pytest.fixture
def other_device(db: None) -> Device:
    """Somebody who was sent the link."""
    return Device()
