"""The switch for calls on the page of a game, and what ends the calls."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from game.calling.caller import Caller
from game.models import CallSettings, Game, PushSubscription, TurnCall, Visitor
from game.services.tidying import tidy_site
from tests.calling.push_service import PushService, SubscribedBrowser
from tests.calling.turns import LONG, end_turn, switch_calls
from tests.cast import BRUNO, Device
from tests.views.account.test_accounts import PASSWORD, sign_up

pytestmark = pytest.mark.django_db


def test_the_page_learns_whether_this_browser_is_called_and_with_which_key(
    other_device: Device, game: Game, push_service: PushService
) -> None:
    address = f"{game.get_absolute_url()}/call"
    answer = other_device.client.get(address, secure=True).json()
    assert answer["called"] is True and len(answer["key"]) == 87
    assert switch_calls(other_device, game, None) == 204
    assert other_device.client.get(address, secure=True).json()["called"] is False
    assert not PushSubscription.objects.exists()


def test_without_https_calls_are_not_offered_and_the_page_says_so(
    other_device: Device, game: Game, browser: SubscribedBrowser
) -> None:
    switch_calls(other_device, game, None)
    response = other_device.client.post(f"{game.get_absolute_url()}/call", {"do": "call", **browser.form})
    assert (response.status_code, PushSubscription.objects.count()) == (409, 0)
    sentence = "This site has no https, so it can’t notify you when this page is closed."
    assert response.content.decode() == sentence
    assert sentence in other_device.page(game) and 'id="tell"' not in other_device.page(game)
    page = other_device.client.get(game.get_absolute_url(), secure=True).content.decode()
    assert sentence not in page and 'id="tell"' in page
    at_home = other_device.client.get(game.get_absolute_url(), headers={"host": "localhost:8000"}).content.decode()
    assert 'id="tell"' in at_home


@pytest.mark.parametrize(
    "bad",
    [
        {"endpoint": "http://push.example/x"},
        {"endpoint": "https://user@push.example/x"},
        {"p256dh": "short"},
        {"p256dh": "ü" * 87},
        {"auth": ""},
        {"auth": "A" * 200},
    ],
)
def test_a_subscription_that_no_browser_would_send_is_refused(
    other_device: Device, game: Game, browser: SubscribedBrowser, bad: dict[str, str]
) -> None:
    switch_calls(other_device, game, None)
    assert switch_calls(other_device, game, browser, **bad) == 400
    assert not PushSubscription.objects.exists()


def test_a_visitor_has_a_limited_number_of_browsers_and_the_oldest_goes_first(
    other_device: Device, game: Game, push_service: PushService
) -> None:
    visitor = PushSubscription.objects.get().visitor
    old = [
        PushSubscription(visitor=visitor, browser=str(n), endpoint=f"https://push.example/{n}")
        for n in range(PushSubscription.MOST)
    ]
    PushSubscription.objects.bulk_create(old)
    PushSubscription.objects.filter(browser="0").update(created=timezone.now() - LONG)
    switch_calls(other_device, game, push_service.subscribe())
    assert PushSubscription.objects.count() == PushSubscription.MOST
    assert not PushSubscription.objects.filter(browser="0").exists()


def test_pressing_again_moves_the_browsers_one_row_to_its_new_address(
    other_device: Device, game: Game, push_service: PushService
) -> None:
    for _press in range(2):
        last = push_service.subscribe()
        assert switch_calls(other_device, game, last) == 204
    assert PushSubscription.objects.get().endpoint == last.endpoint
    assert TurnCall.objects.count() == 1


def test_switching_off_in_one_browser_leaves_the_others_of_the_player(
    push_service: PushService, caller: Caller, device: Device, other_device: Device, game: Game
) -> None:
    other = push_service.subscribe()
    keys = {"public_key": other.form["p256dh"], "auth_secret": other.form["auth"]}
    row = PushSubscription.objects.create(
        visitor=other_device.browser.visitor_or_new(), browser="other", endpoint=other.endpoint, **keys
    )
    TurnCall.objects.create(player=game.seats[1], subscription=row)
    assert switch_calls(other_device, game, None) == 204
    answer = other_device.client.get(f"{game.get_absolute_url()}/call", secure=True)
    assert answer.json()["called"] is False
    end_turn(device, game)
    caller.look()
    assert len(push_service.left) == len(push_service.messages_for(other)) == 1


def test_a_browser_is_called_for_whoever_used_it_last(
    device: Device, other_device: Device, game: Game, browser: SubscribedBrowser
) -> None:
    assert switch_calls(device, game, browser) == 204
    assert PushSubscription.objects.get().visitor == device.browser.visitor()


def test_in_a_game_that_is_over_nobody_can_be_called(
    other_device: Device, game: Game, browser: SubscribedBrowser
) -> None:
    switch_calls(other_device, game, None)
    Game.objects.update(status=Game.Status.FINISHED)
    assert switch_calls(other_device, game, browser) == 409
    assert not PushSubscription.objects.exists()


def test_a_change_makes_as_many_queries_whether_somebody_is_called_or_not(device: Device, game: Game) -> None:
    device.do(game, "target", target="5000")  # so that Ana has been seen there
    with CaptureQueriesContext(connection) as with_calls:
        device.do(game, "target", target="8000")
    TurnCall.objects.all().delete()
    with CaptureQueriesContext(connection) as without:
        device.do(game, "target", target="10000")
    assert len(with_calls) == len(without)


# ---- when calls end


def test_calls_end_with_the_seat(device: Device, other_device: Device, game: Game) -> None:
    other_device.do(game, "delete", do="delete")
    assert not TurnCall.objects.exists()


def test_calls_end_when_the_host_gives_the_seat_to_a_computer(
    device: Device, other_device: Device, browser: SubscribedBrowser
) -> None:
    game = device.waiting_game()
    other_device.sit(game)
    assert switch_calls(other_device, game, browser) == 204
    seat = game.players.get(name=BRUNO).pk
    assert device.do(game, "seats", waiting="1", do="rename", player=seat, name="*Bruno").status_code == 303
    assert not TurnCall.objects.exists()


def test_calls_end_with_the_game(device: Device, other_device: Device, browser: SubscribedBrowser) -> None:
    game = device.game()
    switch_calls(device, game, browser)
    device.do(game, "delete", do="delete")
    tidy_site()
    assert not Game.objects.exists() and not TurnCall.objects.exists() and not PushSubscription.objects.exists()


def test_calls_do_not_move_to_another_device_with_the_seat(
    push_service: PushService, caller: Caller, device: Device, other_device: Device, game: Game
) -> None:
    Device().takes(game, 1)
    end_turn(device, game)
    caller.look()
    assert not push_service.left


def make_account_game(device: Device) -> Game:
    """A game of Ana, who is signed in and whose seat belongs to her account."""
    sign_up(device)
    game = device.game()
    game.players.filter(seat=0).update(visitor=Visitor.objects.get(user__isnull=False))
    return game


def test_signing_out_ends_calls(device: Device, browser: SubscribedBrowser) -> None:
    game = make_account_game(device)
    assert switch_calls(device, game, browser) == 204
    device.client.post("/account/sign-out")
    assert not PushSubscription.objects.exists()


def test_a_new_password_ends_calls_on_every_other_browser(device: Device, push_service: PushService) -> None:
    game = make_account_game(device)
    assert switch_calls(device, game, push_service.subscribe()) == 204
    account = Visitor.objects.get(user__isnull=False)
    PushSubscription.objects.create(visitor=account, browser="lost", endpoint="https://push.example/lost")
    new = {"old_password": PASSWORD, "new_password1": "another cup of dice", "new_password2": "another cup of dice"}
    assert device.client.post("/account/password", new).status_code == 302
    assert PushSubscription.objects.get().browser == device.browser.token_hash


def test_a_new_password_from_the_host_ends_calls_on_every_browser(
    device: Device, browser: SubscribedBrowser, admin_client: Client
) -> None:
    assert switch_calls(device, make_account_game(device), browser) == 204
    address = f"/admin/auth/user/{User.objects.get(username='ana').pk}/password/"
    new = {"usable_password": "true", "set-password": "1", "password1": "12345678", "password2": "12345678"}
    assert admin_client.post(address, new).status_code == 200 and PushSubscription.objects.exists()
    new |= {"password1": "another cup of dice", "password2": "another cup of dice"}
    assert admin_client.post(address, new).status_code == 302 and not PushSubscription.objects.exists()


def test_calls_end_with_the_account(device: Device, browser: SubscribedBrowser) -> None:
    switch_calls(device, make_account_game(device), browser)
    assert CallSettings.objects.exists()
    device.client.post("/account/delete", {"account": str(User.objects.get().pk), "password": PASSWORD})
    assert not PushSubscription.objects.exists() and not CallSettings.objects.exists()


def test_calls_stay_with_a_browser_that_signs_in_and_takes_its_games_along(
    push_service: PushService, caller: Caller, device: Device, other_device: Device, game: Game
) -> None:
    sign_up(other_device)
    other_device.client.post("/account/adopt", {"do": "take"})
    end_turn(device, game)
    game.players.update(seen=timezone.now() - LONG)
    caller.look()
    assert len(push_service.left) == 1
