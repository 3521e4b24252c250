"""Presence: the hub records it for all streams together, and every page reads it."""

from __future__ import annotations

import http.client
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import connections, transaction
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from game.live import change_feed, find_presence, presence_writer, supervise
from game.live.hub import hub
from game.live.presence_writer import PresenceSnapshot, write_presence
from game.models import Audience, Game, Player
from tests import patience
from tests.cast import Device, let_time_pass, reload_game
from tests.conftest import Site
from tests.live.conftest import Stream, move_seats

Listen = Callable[..., Stream]


@pytest.fixture(autouse=True)
def written_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the second for which the hub waits, for more people to come or go, and before it starts again.

    What is recorded is then recorded because somebody came or went, and not because twenty seconds are over.
    """
    monkeypatch.setattr(presence_writer, "BEAT_SECONDS", 2 * patience.SECONDS)
    monkeypatch.setattr(presence_writer, "SOON_SECONDS", 0.02)
    monkeypatch.setattr(supervise, "RETRY_SECONDS", 0.02)


def clear_seen(game: Game) -> Game:
    game.players.update(seen=None)
    return game


def load_seen(game: Game) -> set[object]:
    return set(Player.objects.filter(game=game).values_list("seen", flat=True))


def wait_until_seen(game: Game) -> None:
    patience.wait_until(lambda: None not in load_seen(game), "nobody is seen there")


def wait_until_watched(count: int, game: Game) -> None:
    patience.wait_until(lambda: find_presence(reload_game(game)).watching == count, f"not watched by {count}")


def test_a_player_who_opens_the_page_is_seen_there(listen: Listen, device: Device) -> None:
    game = clear_seen(device.game())
    listen(game, device).read_version()
    wait_until_seen(game)


def test_spectators_are_counted_by_browser_and_players_are_not_counted(listen: Listen, device: Device) -> None:
    game, curious = device.game(), Device()
    pages = [listen(game, who) for who in (device, curious, curious, Device())]
    for page in pages:
        page.read_version()
    wait_until_watched(2, game)
    pages[-1].close()
    wait_until_watched(1, game)


def test_opening_one_game_does_not_count_as_presence_in_another(listen: Listen, device: Device) -> None:
    open_game, closed_game = clear_seen(device.game()), clear_seen(device.game())
    listen(open_game, device).read_version()
    wait_until_seen(open_game)
    assert load_seen(closed_game) == {None}


def request_status(port: int, address: str, device: Device) -> int:
    """Return the status of an answer that came over the network, and not through the test's own client."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=patience.SECONDS)
    token = device.client.cookies[settings.VISITOR_COOKIE_NAME].value
    line.request("GET", address, headers={"Cookie": f"{settings.VISITOR_COOKIE_NAME}={token}"})
    status = line.getresponse().status
    line.close()
    return status


@pytest.mark.parametrize("part", ["", "/board?version={version}"], ids=["opening the page", "asking for news"])
def test_a_player_who_only_asks_now_and_then_is_seen_without_a_stream(site: Site, device: Device, part: str) -> None:
    game = clear_seen(device.game())
    assert request_status(site.port, game.get_absolute_url() + part.format(version=game.version), device) < 400
    wait_until_seen(game)


def test_a_player_who_only_asks_is_seen_at_once_beside_somebody_who_listens(
    listen: Listen, site: Site, device: Device
) -> None:
    game = clear_seen(device.game())
    listen(game).read_version()
    wait_until_watched(1, game)
    assert request_status(site.port, game.get_absolute_url(), device) == 200
    wait_until_seen(game)


def test_a_player_who_has_asked_once_is_not_taken_for_present_from_then_on(
    site: Site, device: Device, monkeypatch: Any
) -> None:
    monkeypatch.setattr(presence_writer, "BEAT_SECONDS", 0.1)
    game = clear_seen(device.game())
    assert request_status(site.port, game.get_absolute_url(), device) == 200
    wait_until_seen(game)
    patience.wait_until(lambda: not hub.tasks, "somebody still counts as present")


def test_a_player_who_asks_again_and_again_stays_present(site: Site, device: Device, monkeypatch: Any) -> None:
    monkeypatch.setattr(presence_writer, "BEAT_SECONDS", 0.1)
    game, curious = clear_seen(device.game()), Device()
    address = f"{game.get_absolute_url()}/board?version={game.version}"
    request_status(site.port, address, curious)
    times = [load_seen(game)]
    for _ in range(3):
        request_status(site.port, address, device)
        patience.wait_until(lambda: load_seen(game) != times[-1], "nobody is seen there again")
        times.append(load_seen(game))
    assert find_presence(reload_game(game)).watching == 0


def test_a_device_that_gave_its_seat_away_is_a_spectator_from_then_on(listen: Listen, device: Device) -> None:
    game, phone = clear_seen(device.game()), Device()
    listen(game, device).read_version()
    wait_until_seen(game)
    move_seats(phone, device, game)
    wait_until_watched(1, game)
    before = load_seen(game)
    listen(game, phone).read_version()
    patience.wait_until(lambda: load_seen(game) != before, "nobody is seen there again")
    assert find_presence(reload_game(game)).watching == 1


# ── what pages are told ──


@pytest.mark.parametrize(
    ("created", "seen", "contact"),
    [(10, 10, "gone"), (10, 4, "away"), (10, 0, "here"), (4, 10, "away"), (0, 10, "here")],
)
def test_a_player_is_away_soon_after_the_last_sign_of_life_but_never_before_the_game_began(
    device: Device, created: int, seen: int, contact: str
) -> None:
    game = device.game(players=("Ana", "*HAL"))
    now = timezone.now()
    game.players.update(seen=now - timedelta(minutes=seen))
    Game.objects.filter(pk=game.pk).update(created=now - timedelta(minutes=created))
    assert find_presence(reload_game(game)).seats == (contact, "here")


def test_when_a_game_is_over_nobody_is_away(device: Device) -> None:
    game = device.game()
    let_time_pass(game, seen=timedelta(hours=1))
    Game.objects.filter(pk=game.pk).update(status=Game.Status.FINISHED)
    assert find_presence(reload_game(game)).seats == ("here", "here")


def test_spectators_of_a_process_that_has_died_are_not_counted_for_long(device: Device) -> None:
    game = device.game()
    for process, seconds in (("died", 60), ("runs", 0)):
        seen = timezone.now() - timedelta(seconds=seconds)
        Audience.objects.create(game=game, process=process, watchers=1, seen=seen)
    assert find_presence(reload_game(game)).watching == 1


# ── whatever happens ──


def break_once(work: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with a bug in its first call."""
    calls: list[object] = []

    def first_time_broken(*args: Any) -> Any:
        calls.append(args)
        if len(calls) == 1:
            raise ValueError("a bug")
        return work(*args)

    return first_time_broken


def test_presence_is_still_recorded_after_a_bug(listen: Listen, device: Device, monkeypatch: Any, caplog: Any) -> None:
    game = clear_seen(device.game())
    monkeypatch.setattr(presence_writer, "write_presence", break_once(write_presence))
    listen(game, device).read_version()
    wait_until_seen(game)
    assert [record.exc_info[0] for record in caplog.records if record.name == supervise.__name__] == [ValueError]


def test_pages_still_hear_changes_of_other_processes_after_a_bug(
    listen: Listen, device: Device, monkeypatch: Any
) -> None:
    game = device.game()
    monkeypatch.setattr(hub, "notify", lambda code, snapshot: None)
    monkeypatch.setattr(change_feed, "follow_changes", break_once(change_feed.follow_changes))
    stream = listen(game)
    before = stream.read_version()
    device.do(game, "throw")
    assert stream.read_version() == before + 1


def test_recording_presence_in_deleted_games_does_no_harm(device: Device) -> None:
    game = device.game()
    write_presence("a", PresenceSnapshot({("A" * 22, 1)}, {game.pk: 2, game.pk + 999: 3}))
    assert list(Audience.objects.values_list("game", "watchers")) == [(game.pk, 2)]


@pytest.mark.only_on("postgresql")  # SQLite has one writer at a time
@pytest.mark.django_db(transaction=True)
def test_a_player_can_throw_while_presence_is_being_recorded() -> None:
    device = Device()
    game = device.game()

    def press_throw() -> int:
        try:
            return device.do(game, "throw").status_code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as elsewhere, transaction.atomic():
        presence_writer.write_seen([seat.pk for seat in game.seats], timezone.now())
        assert elsewhere.submit(press_throw).result() == 303


def test_a_new_count_of_spectators_replaces_the_old_one(device: Device) -> None:
    game = device.game()
    for watchers in (1, 5, 0):
        write_presence("a", PresenceSnapshot(set(), {game.pk: watchers}))
        assert find_presence(reload_game(game)).watching == watchers
    assert not Audience.objects.exists()


def test_recording_everybody_takes_few_queries(
    device: Device, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    games: list[Game] = [device.game() for _ in range(8)]
    visitor = device.browser.visitor()
    assert visitor
    there = PresenceSnapshot({(game.code, visitor.pk) for game in games}, {game.pk: 1 for game in games})
    with django_assert_max_num_queries(12):
        write_presence("a", there)
