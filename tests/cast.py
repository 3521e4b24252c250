"""The people and browsers of the tests, and games in the situation that a test wants.

A game is made by loading a game file, whose dice the test names; it can be played on from there.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from datetime import timedelta
from itertools import count
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from game import dice, identity, services
from game.models import Game, RulesetRow
from game.rules import Entry, record
from game.storage import sums

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse

Response: TypeAlias = "_MonkeyPatchedWSGIResponse"  # of the test client: its type is in the stubs alone
ANA, BRUNO, HAL = "Ana", "Bruno", "*HAL"


def throw(dice: str, keep: str = "") -> dict[str, Any]:
    """A throw of a game file, written as its digits."""
    return {"dice": [*map(int, dice)]} | ({"keep": [*map(int, keep)]} if keep else {})


def bank(player: int, points: int, *throws: dict[str, Any]) -> dict[str, Any]:
    return {"type": "shot", "player": player, "throws": [*throws], "end": "bank", "points": points}


def bust(player: int, *throws: dict[str, Any]) -> dict[str, Any]:
    return {"type": "shot", "player": player, "throws": [*throws], "end": "bust"}


def open_turn(player: int, *throws: dict[str, Any]) -> dict[str, Any]:
    """A running turn, whose last throw awaits a choice."""
    return {"type": "shot", "player": player, "throws": [*throws]}


IN = throw("111346", "111")  # 1,000 points at once: enough for the first bank under every ruleset
BOTH_IN = (bank(0, 1000, IN), bank(1, 1000, IN))
LEFT_FOR_OTHERS = bank(0, 200, throw("155236", "155"))  # a turn after which three dice can be picked up
WON = bank(0, 10100, throw("111111", "111111"), throw("134466", "1")), bust(1, throw("234466"))  # by Ana


def write_game_file(
    *events: dict[str, Any], ruleset: Any = "classic", players: Sequence[str], **more: Any
) -> dict[str, Any]:
    named = [{"name": name} | ({"level": "balanced"} if name.startswith("*") else {}) for name in players]
    file = {"format": "ten-thousand-game", "version": 1, "ruleset": ruleset, "players": named, "events": [*events]}
    return {"target": 10000} | file | more


class Device:
    """A browser at the table, passed round by the people who play on it."""

    def __init__(self) -> None:
        self.client = Client()
        self.client.cookies[settings.VISITOR_COOKIE_NAME] = identity.new_token()

    @property
    def browser(self) -> identity.Browser:
        return identity.Browser(self.client.cookies[settings.VISITOR_COOKIE_NAME].value, known=True)

    def game(self, *events: dict[str, Any], players: Sequence[str] = (ANA, BRUNO), **more: Any) -> Game:
        """A game of this device, as it is after these events."""
        return self.load(record.from_json(write_game_file(*events, players=players, **more)))

    def waiting_game(self, *names: str, ruleset: str = "classic", **more: Any) -> Game:
        """A game that waits for other players; the named ones sit at this device."""
        entries = [Entry(name) for name in names or (ANA,)]
        row = RulesetRow.objects.get(slug=ruleset, latest=True)
        return services.create_game(self.browser, make_key(), row, entries, wait=True, **more)

    def sit(self, game: Game, name: str = BRUNO, **data: Any) -> Response:
        """Take a seat by the invite, under this name or in the seat of `player`."""
        return self.client.post(f"/j/{game.invite.token}", {"key": make_key(), "name": name} | data)

    def takes(self, game: Game, *seats: int) -> None:
        """Give these seats to this device, without the way that people would take."""
        game.players.filter(seat__in=seats).update(visitor=self.browser.visitor_or_new())
        sums.update_contest_flag(game)

    def load(self, saved: record.Record) -> Game:
        return services.load_game(self.browser, make_key(), saved)

    def do(self, game: Game, what: str, *, htmx: bool = False, **data: Any) -> Response:
        """Press a button of the game's page as it is now, unless the test says otherwise."""
        form = {"version": Game.objects.get(pk=game.pk).version, "key": make_key()} | data
        headers = {"HX-Request": "true"} if htmx else {}
        return self.client.post(f"{game.get_absolute_url()}/{what}", form, headers=headers)

    def answer(self, game: Game, answer: str, *, htmx: bool = False) -> Response:
        """Answer the question that somebody is asking the other players."""
        return self.do(
            game, "undo/answer", htmx=htmx, answer=answer, question=services.name_question(reload_game(game))
        )

    def page(self, game: Game, query: str = "") -> str:
        response = self.client.get(game.get_absolute_url() + query)
        assert response.status_code == 200
        return response.content.decode()


def share_game(host: Device, guest: Device, *events: dict[str, Any], **more: Any) -> Game:
    """A running game after these events: Ana's device made it, and Bruno sits at another one."""
    game = host.game(*events, **more)
    guest.takes(game, 1)
    return reload_game(game)


def let_time_pass(game: Game, *, dice_changed: timedelta = timedelta(), seen: timedelta = timedelta()) -> None:
    """Let time go by: the dice have not changed for `dice_changed`, and nobody was heard of for `seen`."""
    now = timezone.now()
    Game.objects.filter(pk=game.pk).update(dice_changed_at=now - dice_changed, created=now - max(dice_changed, seen))
    game.players.update(seen=now - seen)


def reseal_until(game: Game, such: Callable[[Sequence[int]], bool]) -> Game:
    """Seal the game again, with the first seed whose next six dice satisfy `such`: a test must not wait for luck."""
    seal, number = game.seeds.get(epoch=game.epoch), game.thrown + 1
    seeds = (n.to_bytes(dice.SEED_BYTES, "big") for n in count())
    seal.seed = next(seed for seed in seeds if such(dice.draw_dice(seed, game.code, game.epoch, seal.table, number, 6)))
    seal.seal = dice.seal_seed(game.code, game.epoch, seal.seed)
    seal.save()
    return game


def make_key() -> str:
    return secrets.token_urlsafe(16)


def reload_game(game: Game) -> Game:
    """The game as it is in the database now."""
    return Game.objects.get(pk=game.pk)


@pytest.fixture
def device(db: None) -> Device:
    return Device()


@pytest.fixture
def other_device(db: None) -> Device:
    """Somebody who was sent the link."""
    return Device()
