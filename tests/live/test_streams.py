"""A page's stream: it says which version the game has, to anyone who may know it, up to a limited number of streams."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import signing
from django.db import OperationalError
from django.test import override_settings

from game import live
from game.live.hub import Hub, HubFull, hub
from game.live.live_snapshot import LiveSnapshot, load_snapshots
from game.live.token import Listener
from game.models import Game
from game.services import accounts
from game.serving import streams
from game.serving.headers import HEADERS
from tests import patience
from tests.cast import Device, reload_game
from tests.live.conftest import Stream, make_address, move_seats, run_beside
from tests.require import require

Listen = Callable[..., Stream]


def test_a_stream_first_says_the_current_version(listen: Listen, device: Device) -> None:
    game = device.game()
    device.do(game, "throw")
    assert listen(game, device).read_version() == reload_game(game).version


def test_a_stream_says_each_new_version_as_soon_as_it_is_written(listen: Listen, device: Device) -> None:
    game = device.game()
    stream = listen(game)
    before = stream.read_version()
    device.do(game, "throw")
    assert stream.read_version() == before + 1


def test_late_news_does_not_bring_back_an_older_version(listen: Listen, device: Device) -> None:
    game = device.game()
    stream = listen(game)
    before = stream.read_version()
    device.do(game, "throw")
    assert stream.read_version() == before + 1
    snapshot = hub.rooms[game.code].snapshot
    assert snapshot
    hub.notify(game.code, replace(snapshot, version=before))
    device.do(game, "undo")
    assert stream.read_version() == reload_game(game).version


def test_streams_of_one_game_hear_the_same_and_those_of_another_nothing_of_it(listen: Listen, device: Device) -> None:
    game, other = device.game(), device.game()
    here, there, elsewhere = listen(game), listen(game), listen(other)
    before = [stream.read_version() for stream in (here, there, elsewhere)]
    device.do(game, "throw")
    device.do(other, "throw")
    assert [stream.read_version() for stream in (here, there, elsewhere)] == [version + 1 for version in before]


def test_a_refused_move_is_no_news(listen: Listen, device: Device) -> None:
    game = device.game()
    stream = listen(game)
    before = stream.read_version()
    assert device.do(game, "bank").status_code == 422
    device.do(game, "throw")
    assert stream.read_version() == before + 1


def test_a_stream_has_our_headers_and_is_not_cached(listen: Listen, device: Device) -> None:
    stream = listen(device.game())
    sent = dict(stream.answer.getheaders())
    assert stream.answer.status == 200
    assert sent["content-type"] == "text/event-stream; charset=utf-8"
    assert (sent["cache-control"], sent["x-accel-buffering"]) == ("no-store", "no")
    assert {name.lower(): value for name, value in HEADERS.items()}.items() <= sent.items()


@pytest.mark.parametrize("token", ["", "x", "..", "WyJhIl0:a:b", "a" * 5000, "%00", "%ff"])
def test_an_address_that_we_did_not_sign_is_not_found(listen: Listen, token: str) -> None:
    refused = listen(f"/live/{token}")
    assert refused.answer.status == 404
    assert dict(refused.answer.getheaders())["content-type"].startswith("text/plain")
    assert b"no game here" in refused.read_rest()


def test_something_else_that_we_signed_opens_no_stream(listen: Listen, device: Device) -> None:
    assert listen("/live/" + signing.dumps([device.game().code, "a", None])).answer.status == 404


def test_a_game_that_does_not_exist_has_no_stream(listen: Listen, device: Device) -> None:
    assert listen(live.make_stream_address("A" * 22, device.browser, None)).answer.status == 404


@pytest.mark.parametrize("method", ["HEAD", "POST", "DELETE"])
def test_a_stream_can_only_be_read(listen: Listen, device: Device, method: str) -> None:
    refused = listen(make_address(device.game(), device), method=method)
    assert refused.answer.status == 405
    assert "GET" in dict(refused.answer.getheaders())["allow"]


def test_with_watching_closed_only_players_hear_the_stream(listen: Listen, device: Device) -> None:
    game = device.game()
    Game.objects.filter(pk=game.pk).update(watching=False)
    assert listen(game).answer.status == 404
    assert listen(game, device).read_version() == game.version


def test_closing_watching_ends_the_streams_of_spectators(listen: Listen, device: Device) -> None:
    game = device.game()
    spectator, player = listen(game), listen(game, device)
    spectator.read_version(), player.read_version()
    live.announce_version(close_watching(game))
    spectator.read_rest()
    assert player.read_version() == game.version + 1


def test_with_watching_closed_a_device_that_gave_its_seat_away_hears_no_more(listen: Listen, device: Device) -> None:
    game, phone = device.game(), Device()
    Game.objects.filter(pk=game.pk).update(watching=False)
    address = make_address(game, device)
    old = listen(address)
    old.read_version()
    move_seats(phone, device, game)
    old.read_rest()
    assert listen(address).answer.status == 404
    assert listen(game, phone).read_version() == reload_game(game).version


def test_an_account_that_takes_over_seats_can_listen_at_once(listen: Listen, device: Device) -> None:
    game, user = device.game(), User.objects.create_user("ana")
    Game.objects.filter(pk=game.pk).update(watching=False)
    listen(game, device).read_version()
    accounts.give_all(device.browser.visitor_or_new(), accounts.find_or_make_visitor(user))
    with_account = live.make_stream_address(game.code, device.browser, accounts.find_or_make_visitor(user))
    assert listen(with_account).read_version() == reload_game(game).version


def close_watching(game: Game) -> Game:
    Game.objects.filter(pk=game.pk).update(watching=False, version=game.version + 1)
    return reload_game(game)


# ── the number of streams ──


def test_the_number_of_streams_of_one_visitor_is_limited(listen: Listen, device: Device) -> None:
    game = device.game()
    with override_settings(STREAMS_PER_VISITOR=2):
        first, second = listen(game, device), listen(game, device)
        refused = listen(game, device)
        assert refused.answer.status == 503
        assert int(dict(refused.answer.getheaders())["retry-after"]) > 0
        assert listen(game).read_version() == first.read_version() == second.read_version(), (
            "others are not kept out by it"
        )


@pytest.mark.parametrize("limit", ["STREAMS", "STREAMS_PER_ADDRESS"])
def test_the_number_of_streams_of_a_process_and_of_an_address_is_limited(
    listen: Listen, device: Device, limit: str
) -> None:
    game = device.game()
    with override_settings(**{limit: 2}):
        assert [listen(game).answer.status for _ in range(3)] == [200, 200, 503]


def test_all_addresses_of_an_ipv6_household_count_as_one(listen: Listen, device: Device) -> None:
    game = device.game()
    with override_settings(STREAMS_PER_ADDRESS=1):
        clients = ("2001:db8::1", "2001:db8::2", "2001:db8:0:1::1")
        assert [listen(game, client=client).answer.status for client in clients] == [200, 503, 200]


def test_a_stream_that_ends_makes_room_for_another(listen: Listen, device: Device) -> None:
    game = device.game()
    with override_settings(STREAMS=1):
        first = listen(game)
        first.read_version()
        first.close()
        gone = threading.Event()
        require(hub.loop).call_soon_threadsafe(lambda: asyncio.ensure_future(signal_when_empty(gone)))
        assert gone.wait(patience.SECONDS)
        assert listen(game).read_version() == game.version


def test_a_stream_that_could_not_be_opened_leaves_its_place_to_another(
    listen: Listen, device: Device, monkeypatch: Any
) -> None:
    open_game, closed_game = device.game(), device.game()
    Game.objects.filter(pk=closed_game.pk).update(watching=False)
    module = sys.modules[Hub.__module__]  # in `game.live`, its name is that of the hub

    def fail_once(_known: Mapping[str, int | None]) -> dict[str, LiveSnapshot]:
        monkeypatch.setattr(module, "load_snapshots", load_snapshots)
        raise OperationalError("the database is away")

    with override_settings(STREAMS=1):
        assert listen(closed_game).answer.status == 404
        monkeypatch.setattr(module, "load_snapshots", fail_once)
        refused = listen(open_game)
        assert refused.answer.status == 503
        assert int(dict(refused.answer.getheaders())["retry-after"]) > 0
        assert listen(open_game).read_version() == open_game.version


def test_no_stream_opens_while_the_server_stops() -> None:
    stopping = Hub()
    stopping.stop()
    with pytest.raises(HubFull):
        run_beside(stopping.open(Listener("A" * 22, "a browser", None), "127.0.0.1"))


async def signal_when_empty(gone: threading.Event) -> None:
    while hub.rooms:
        await asyncio.sleep(0.01)
    gone.set()


# ── a stream's life ──


def test_a_quiet_stream_shows_signs_of_life(listen: Listen, device: Device, monkeypatch: Any) -> None:
    monkeypatch.setattr(streams, "PING_SECONDS", 0.05)
    stream = listen(device.game())
    stream.read_version()
    lines = [stream.answer.readline() for _ in range(4)]
    assert lines == [b"\n", b":\n", b"\n", b":\n"]


def test_a_stream_ends_after_a_while_and_says_when_to_reconnect(
    listen: Listen, device: Device, monkeypatch: Any
) -> None:
    monkeypatch.setattr(streams, "LIFE_SECONDS", (0.2, 0.3))
    stream = listen(device.game())
    assert stream.read_rest().startswith(b"retry: ")


def test_a_crowd_of_streams_takes_no_more_threads(listen: Listen, device: Device) -> None:
    game = device.game()
    listen(game).read_version()
    before = {*threading.enumerate()}
    crowd = [listen(game) for _ in range(40)]
    assert {stream.read_version() for stream in crowd} == {game.version}
    assert not {*threading.enumerate()} - before
