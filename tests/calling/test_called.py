"""Calls while the page is closed: a player who pressed the switch is called once a turn, and only when it helps."""

from __future__ import annotations

import socket
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError
from django.utils import timezone
from pytest_django import Settings

from game.calling import due
from game.calling.caller import Caller
from game.calling.due import end_of_quiet_hours
from game.calling.messages import write_title
from game.models import CallSettings, Game, PushSubscription, TurnCall
from game.services import calls
from game.services.tidying import tidy_site
from game.storage import load_state
from tests import pseudo
from tests.calling.push_service import PushService, SubscribedBrowser
from tests.calling.turns import LONG, end_turn, find_night_zone, share_real_dice_game, switch_calls
from tests.cast import ANA, BRUNO, HAL, IN, Device, bank, let_time_pass, reload_game, share_game
from tests.require import require

pytestmark = pytest.mark.django_db


@pytest.fixture
def long_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody counts as away before an hour is over, however long a busy machine takes for a test."""
    monkeypatch.setattr(due, "AWAY", LONG)


def test_a_player_due_with_no_page_open_is_called_once_a_turn(
    push_service: PushService, caller: Caller, device: Device, other_device: Device, game: Game
) -> None:
    (browser,) = PushSubscription.objects.all()
    for turn in (1, 2):
        caller.look()
        assert len(push_service.left) == turn - 1  # Ana is due
        end_turn(device, game)
        for _look in range(3):
            caller.look()
        Caller().look()  # as after a restart of the worker
        assert len(push_service.left) == turn
        end_turn(other_device, game)
        game.players.update(seen=timezone.now() - LONG)
    assert browser.pk == PushSubscription.objects.get().pk
    assert CallSettings.objects.get().mails == 0


def test_a_move_stored_a_little_late_is_seen_by_the_next_look(
    push_service: PushService, caller: Caller, device: Device, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its transaction had begun before the look, and ended after it."""
    monkeypatch.setattr("game.calling.caller.OVERLAP", LONG)
    began = timezone.now() - LONG / 2
    caller.look()
    end_turn(device, game)
    Game.objects.update(touched=began)
    caller.look()
    assert len(push_service.left) == 1


def test_a_player_is_called_again_when_the_turn_before_was_undone_and_played_again(
    push_service: PushService, caller: Caller, device: Device, other_device: Device, game: Game
) -> None:
    end_turn(device, game)
    caller.look()
    device.do(game, "undo")
    other_device.answer(game, "allow")
    end_turn(device, game)
    game.players.update(seen=timezone.now() - LONG)
    caller.look()
    assert len(push_service.left) == 2


def test_a_call_names_the_opponent_and_the_game_but_no_score(
    push_service: PushService, caller: Caller, device: Device, game: Game, browser: SubscribedBrowser
) -> None:
    end_turn(device, game)
    caller.look()
    (message,) = push_service.messages_for(browser)
    assert message == {"title": f"Your turn against {ANA}", "body": "Classic 10,000", "url": game.get_absolute_url()}
    (left,) = push_service.left
    assert len(left.headers["Topic"]) <= 32 and game.code not in str(left.headers)


def test_a_call_is_in_the_language_of_the_player_called(
    push_service: PushService,
    caller: Caller,
    device: Device,
    game: Game,
    browser: SubscribedBrowser,
    pseudo_language: None,
) -> None:
    CallSettings.objects.update(language=pseudo.LANGUAGE)
    end_turn(device, game)
    caller.look()
    (message,) = push_service.messages_for(browser)
    assert message["title"].startswith(f"Ýóúŕ ţúŕñ áğáíñšţ {ANA}")


@pytest.mark.usefixtures("long_grace")
def test_a_player_whose_page_is_open_is_not_called(
    push_service: PushService, caller: Caller, device: Device, game: Game
) -> None:
    game.players.update(seen=timezone.now() - timedelta(seconds=20))
    end_turn(device, game)
    caller.look()
    game.players.filter(name=BRUNO).update(seen=timezone.now())  # the next sign of life
    caller.waiting = dict.fromkeys(caller.waiting, timezone.now())
    caller.look()
    Caller().look()
    assert not push_service.left


def test_a_player_who_closed_the_page_after_seeing_their_turn_is_not_called(
    push_service: PushService, caller: Caller, device: Device, game: Game
) -> None:
    end_turn(device, game)
    let_time_pass(game, dice_changed=timedelta(minutes=2), seen=timedelta(minutes=1))
    caller.look()
    assert not push_service.left


@pytest.mark.usefixtures("long_grace")
def test_a_player_who_closed_the_page_just_before_is_called_a_little_later(
    push_service: PushService, caller: Caller, device: Device, game: Game
) -> None:
    game.players.update(seen=timezone.now() - timedelta(seconds=20))
    end_turn(device, game)
    caller.look()
    assert not push_service.left and caller.waiting
    game.players.filter(name=BRUNO).update(seen=timezone.now() - 2 * LONG)
    caller.waiting = dict.fromkeys(caller.waiting, timezone.now())
    caller.look()
    assert len(push_service.left) == 1


def test_a_turn_that_has_begun_is_not_called_for(
    push_service: PushService, caller: Caller, device: Device, other_device: Device, browser: SubscribedBrowser
) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN), bank(1, 1000, IN))
    switch_calls(device, game, browser)
    device.do(game, "throw")
    let_time_pass(game, seen=LONG)
    game.players.update(seen=timezone.now() - LONG)
    caller.look()
    assert not push_service.left


def test_a_turn_that_was_begun_with_real_dice_is_not_called_for(
    push_service: PushService, caller: Caller, device: Device, other_device: Device, game: Game
) -> None:
    end_turn(device, game)
    assert other_device.do(game, "pad?do=add", points="100").status_code == 303
    game.players.update(seen=timezone.now() - LONG)
    caller.look()
    assert not push_service.left


def add_browsers(game: Game, *browsers: SubscribedBrowser) -> None:
    """Have Bruno called in these browsers, too."""
    seat = game.seats[1]
    for number, browser in enumerate(browsers):
        keys = {"public_key": browser.form["p256dh"], "auth_secret": browser.form["auth"]}
        row = PushSubscription.objects.create(
            visitor_id=require(seat.visitor_id), browser=str(number), endpoint=browser.endpoint, **keys
        )
        TurnCall.objects.create(player=seat, subscription=row)


def test_one_slow_service_does_not_keep_others_waiting_for_long(
    push_service: PushService, caller: Caller, device: Device, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Calls to one host get only a part of the worker's time, and the rest of them are made later."""
    monkeypatch.setattr("game.calling.caller.SENDERS", 2)
    monkeypatch.setattr("game.calling.caller.DOMAIN_SECONDS_MOST", 0.0005)
    add_browsers(game, *(push_service.subscribe() for _browser in range(4)))
    end_turn(device, game)
    caller.look()
    assert len(push_service.left) == 2 and TurnCall.objects.filter(done=True).count() == 2
    TurnCall.objects.update(next_try=timezone.now())  # a minute goes by
    Caller().look()
    assert len(push_service.left) == 4


def test_a_game_that_is_over_calls_nobody(
    push_service: PushService, caller: Caller, device: Device, game: Game
) -> None:
    end_turn(device, game)
    Game.objects.update(status=Game.Status.ABANDONED)
    caller.look()
    assert not push_service.left
    tidy_site()
    assert not TurnCall.objects.exists() and not PushSubscription.objects.exists()


def test_a_computer_is_never_called(
    push_service: PushService, caller: Caller, device: Device, browser: SubscribedBrowser
) -> None:
    device.client.cookies["prefs"] = "quiet=off"
    game = device.game(bank(0, 1000, IN), players=(ANA, HAL))
    assert switch_calls(device, game, browser) == 204
    # Not even a computer whose seat has a holder and a call, as none has that has never been a person's.
    game.players.update(visitor=game.seats[0].visitor_id, seen=None)
    TurnCall.objects.update(player=game.seats[1])
    caller.look()
    assert not push_service.left


def test_a_seat_handed_to_a_computer_is_called_only_once_a_person_plays_it_again(
    push_service: PushService, caller: Caller, device: Device, other_device: Device, browser: SubscribedBrowser
) -> None:
    other_device.client.cookies["prefs"] = "quiet=off"
    game = share_game(device, other_device, bank(0, 1000, IN))
    assert switch_calls(other_device, game, browser) == 204
    let_time_pass(game, dice_changed=LONG, seen=2 * LONG)
    assert device.do(game, "skip", do="hand").status_code == 303
    game.players.update(seen=timezone.now() - 2 * LONG)
    caller.look()
    assert reload_game(game).players.get(seat=1).level and not push_service.left
    assert other_device.do(game, "hand", seat="1").status_code == 303
    game.players.update(seen=timezone.now() - 2 * LONG)
    caller.look()
    assert len(push_service.messages_for(browser)) == 1


def test_a_call_names_all_opponents_who_play_even_a_computer_whose_seat_is_at_the_same_device(
    device: Device, other_device: Device
) -> None:
    game = device.game(players=(ANA, BRUNO, "Chloé", "Dora"))
    other_device.takes(game, 1, 2)
    game.players.filter(name="Chloé").update(level="bold")
    game.players.filter(name="Dora").update(active=False)
    assert write_title(reload_game(game), reload_game(game).seats[1]) == f"Your turn against {ANA} and Chloé"
    game.players.exclude(name=BRUNO).update(active=False)
    assert write_title(reload_game(game), reload_game(game).seats[1]) == "Your turn"


def test_players_who_share_a_device_are_called_by_name(
    push_service: PushService, caller: Caller, device: Device, other_device: Device
) -> None:
    browser = push_service.subscribe()
    game = device.game(bank(0, 1000, IN), bank(1, 1000, IN), players=(ANA, BRUNO, "Chloé"))
    other_device.takes(game, 2)
    device.client.cookies["prefs"] = "quiet=off"
    switch_calls(device, game, browser)
    other_device.do(game, "mode", mode="manual")
    Game.objects.update(state_data={**reload_game(game).state_data, "mode": "manual"})
    end_turn(other_device, game)
    game.players.update(seen=timezone.now() - LONG)
    caller.look()
    assert [message["title"] for message in push_service.messages_for(browser)] == [f"{ANA}’s turn against Chloé"]


# ---- calls that fail


def test_a_browser_that_its_push_service_no_longer_knows_is_forgotten(
    push_service: PushService, caller: Caller, device: Device, game: Game
) -> None:
    push_service.answers = [(410, {})]
    end_turn(device, game)
    caller.look()
    assert not PushSubscription.objects.exists() and not TurnCall.objects.exists()


@pytest.mark.parametrize("answer", [(429, {"Retry-After": "600"}), (503, {"Retry-After": "600"})])
def test_a_busy_service_is_asked_again_no_sooner_than_it_says(
    push_service: PushService, caller: Caller, device: Device, game: Game, answer: tuple[int, dict[str, str]]
) -> None:
    push_service.answers = [answer]
    end_turn(device, game)
    before = timezone.now()
    caller.look()
    answered = require(TurnCall.objects.get().next_try) - timedelta(minutes=10)
    assert before <= answered <= timezone.now()
    for _look in range(2):
        caller.look()
    Caller().look()
    assert len(push_service.left) == 1
    TurnCall.objects.update(next_try=timezone.now())  # ten minutes go by
    Caller().look()
    assert len(push_service.left) == 2 and TurnCall.objects.get().done


def test_a_call_is_tried_a_limited_number_of_times_with_longer_and_longer_pauses(
    push_service: PushService,
    caller: Caller,
    device: Device,
    other_device: Device,
    game: Game,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("game.calling.caller.TRIES_MOST", 3)
    push_service.answers = [(503, {})] * 6
    for turn in (1, 2):
        end_turn(device, game)
        for minutes in (1, 2):
            before = timezone.now()
            caller.look()
            put_off = require(TurnCall.objects.get().next_try) - timedelta(minutes=minutes)
            assert before <= put_off <= timezone.now()
            TurnCall.objects.update(next_try=timezone.now())
            caller = Caller()
        caller.look()
        assert TurnCall.objects.get().done and len(push_service.left) == 3 * turn
        end_turn(other_device, game)
        game.players.update(seen=timezone.now() - LONG)


def test_a_service_that_asks_to_wait_for_ever_is_asked_again_after_six_hours(
    push_service: PushService, caller: Caller, device: Device, game: Game
) -> None:
    push_service.answers = [(503, {"Retry-After": "9" * 15})]
    end_turn(device, game)
    caller.look()
    assert require(TurnCall.objects.get().next_try) <= timezone.now() + timedelta(hours=6)


def test_of_two_browsers_of_a_player_each_is_called_when_its_own_service_has_time(
    push_service: PushService, caller: Caller, device: Device, game: Game
) -> None:
    add_browsers(game, push_service.subscribe())
    push_service.answers = [(503, {"Retry-After": "20000"}), (503, {})]
    end_turn(device, game)
    caller.look()
    (moment,) = caller.waiting.values()
    assert moment < timezone.now() + LONG


def test_a_bug_in_one_call_does_not_stop_the_others(
    push_service: PushService, caller: Caller, device: Device, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect, met = socket.create_connection, list[object]()

    def connect_but_once(*address: Any, **options: Any) -> socket.socket:
        met.append(address)
        if len(met) == 1:
            raise RuntimeError("a bug")
        return connect(*address, **options)

    monkeypatch.setattr(socket, "create_connection", connect_but_once)
    add_browsers(game, push_service.subscribe())
    end_turn(device, game)
    caller.look()
    assert len(push_service.left) == 1 and TurnCall.objects.filter(done=True).count() == 1


def test_calls_in_two_games_do_not_replace_each_other(
    push_service: PushService,
    caller: Caller,
    device: Device,
    other_device: Device,
    game: Game,
    browser: SubscribedBrowser,
) -> None:
    another = share_real_dice_game(device, other_device)
    assert switch_calls(other_device, another, browser) == 204
    let_time_pass(another, seen=LONG)
    for played in (game, another):
        end_turn(device, played)
    caller.look()
    assert len({left.headers["Topic"] for left in push_service.left}) == 2


def test_a_turn_that_was_played_meanwhile_is_not_called_for(
    push_service: PushService, caller: Caller, device: Device, other_device: Device, game: Game
) -> None:
    push_service.answers = [(503, {})]
    end_turn(device, game)
    caller.look()
    end_turn(other_device, game)
    TurnCall.objects.update(next_try=timezone.now())
    Caller().look()
    assert len(push_service.left) == 1


def test_a_worker_that_dies_during_a_call_loses_none(
    push_service: PushService, caller: Caller, device: Device, game: Game
) -> None:
    """The worker had claimed the call, and sent nothing."""
    end_turn(device, game)
    (row,) = TurnCall.objects.all()
    assert calls.claim_call(row, load_state(reload_game(game)).shots, timezone.now())
    caller.look()
    assert not push_service.left  # another worker may be at it
    TurnCall.objects.update(next_try=timezone.now())  # a minute goes by
    Caller().look()
    assert len(push_service.left) == 1 and TurnCall.objects.get().done


def test_if_two_workers_look_at_once_only_one_calls(push_service: PushService, device: Device, game: Game) -> None:
    first, second = Caller(), Caller()
    push_service.arrived = second.look  # while the first one's message is under way
    end_turn(device, game)
    try:
        first.look()
    finally:
        push_service.arrived = lambda: None
    assert len(push_service.left) == 1


def test_a_broken_game_does_not_stop_calls_of_other_games(
    push_service: PushService, caller: Caller, device: Device, other_device: Device, game: Game
) -> None:
    broken = share_real_dice_game(device, other_device)
    switch_calls(other_device, broken, push_service.subscribe())
    let_time_pass(broken, seen=LONG)
    for played in (broken, game):
        end_turn(device, played)
    Game.objects.filter(pk=broken.pk).update(state_data={})
    caller.look()
    assert len(push_service.left) == 1


def test_a_player_is_called_at_once_although_the_clock_was_set_back(
    push_service: PushService, caller: Caller, device: Device, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = timezone.now
    with monkeypatch.context() as ahead:
        ahead.setattr(timezone, "now", lambda: now() + LONG)
        caller.look()
    end_turn(device, game)
    caller.look()
    assert len(push_service.left) == 1


@pytest.mark.only_on("sqlite")
def test_calls_missed_because_the_database_was_busy_are_made_later(
    push_service: PushService, caller: Caller, device: Device, game: Game, settings: Settings
) -> None:
    end_turn(device, game)
    lock, settings.WRITE_LOCK_FILE = settings.WRITE_LOCK_FILE, Path(__file__) / "write.lock"
    with pytest.raises(OperationalError):
        caller.look()
    settings.WRITE_LOCK_FILE = lock
    Game.objects.update(touched=timezone.now() - LONG)
    caller.look()
    assert len(push_service.left) == 1


def test_if_two_workers_claim_a_call_at_once_only_one_gets_it(game: Game) -> None:
    (row,), now = TurnCall.objects.all(), timezone.now()
    assert [calls.claim_call(row, 2, now) for _worker in range(2)] == [True, False]
    assert calls.claim_call(row, 2, now + calls.CLAIM_LASTS)  # the first worker is gone
    calls.finish_call(row)
    assert not calls.claim_call(row, 2, now + LONG)
    assert calls.claim_call(row, 3, now)


# ---- quiet hours


@pytest.mark.parametrize(
    ("quiet", "zone", "now", "until"),
    [
        ("night", "UTC", "2026-11-22 12:00", "2026-11-22 12:00"),
        ("night", "UTC", "2026-11-22 22:00", "2026-11-23 08:00"),
        ("night", "UTC", "2026-11-23 03:00", "2026-11-23 08:00"),
        ("night", "UTC", "2026-11-23 08:00", "2026-11-23 08:00"),
        ("long", "UTC", "2026-11-22 20:30", "2026-11-23 10:00"),
        ("off", "UTC", "2026-11-23 03:00", "2026-11-23 03:00"),
        ("night", "Europe/Berlin", "2026-11-22 21:30", "2026-11-23 07:00"),
        ("night", "America/New_York", "2026-11-22 03:30", "2026-11-22 13:00"),
        ("night", "Europe/Berlin", "2026-03-28 22:00", "2026-03-29 06:00"),  # the clock goes forward in that night
        ("night", "Nowhere/Such", "2026-11-22 23:00", "2026-11-23 08:00"),
    ],
)
def test_quiet_hours_go_by_the_clock_where_the_person_is(quiet: str, zone: str, now: str, until: str) -> None:
    now_at, until_at = (datetime.fromisoformat(moment).replace(tzinfo=UTC) for moment in (now, until))
    assert end_of_quiet_hours(quiet, zone, now_at) == until_at


def test_a_call_waits_until_the_quiet_hours_end(
    push_service: PushService, caller: Caller, device: Device, other_device: Device, game: Game
) -> None:
    CallSettings.objects.update(quiet="night", zone=find_night_zone())
    end_turn(device, game)
    caller.look()
    assert not push_service.left
    (moment,) = caller.waiting.values()
    assert timedelta() < moment - timezone.now() <= timedelta(hours=10)
    other_device.client.post("/prefs", {"quiet": "off"})
    Caller().look()
    assert len(push_service.left) == 1
