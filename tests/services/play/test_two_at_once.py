"""Several presses at the same instant, on whichever database the tests run."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.contrib.auth.models import User
from django.db import connection, connections, transaction
from django.test import Client

from game.models import Crew, Game, PushSubscription, TurnCall, Visitor
from tests.cast import Device, make_key
from tests.require import require

PRESSES = 6
Table = tuple[Device, Game]

pytestmark = pytest.mark.django_db(transaction=True)


def press_at_once(press: Callable[[int], int]) -> Counter[int]:
    """The statuses of several presses that set off together, each from a thread with its own connection."""
    line = Barrier(PRESSES)

    def go(number: int) -> int:
        line.wait()
        try:
            return press(number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(PRESSES) as threads:
        return Counter(threads.map(go, range(PRESSES)))


def press_throw(device: Device, game: Game, form_key: str) -> int:
    client = Client()
    client.cookies.update(device.client.cookies)
    form = {"version": game.version, "key": form_key}
    return client.post(f"{game.get_absolute_url()}/throw", form, headers={"HX-Request": "true"}).status_code


@pytest.fixture
def table(transactional_db: None) -> Table:
    device = Device()
    return device, device.game()


def test_if_many_tabs_throw_at_once_only_one_throws(table: Table) -> None:
    device, game = table
    statuses = press_at_once(lambda _number: press_throw(device, game, make_key()))
    assert statuses == {200: 1, 409: PRESSES - 1}
    assert game.throws.count() == 1


def test_one_press_that_arrives_many_times_throws_once(table: Table) -> None:
    device, game = table
    form_key = make_key()
    statuses = press_at_once(lambda _number: press_throw(device, game, form_key))
    assert statuses == {200: PRESSES}
    assert game.throws.count() == 1


def test_one_tap_that_arrives_many_times_makes_one_game(table: Table) -> None:
    device, _game = table
    form_key = make_key()
    before = Game.objects.count()

    def tap(_number: int) -> int:
        client = Client()
        client.cookies.update(device.client.cookies)
        return client.post("/quick", {"key": form_key}).status_code

    assert press_at_once(tap) == {303: PRESSES}
    assert Game.objects.count() == before + 1


def test_one_press_that_arrives_many_times_makes_one_crew(table: Table) -> None:
    device, _game = table
    form_key = make_key()

    def make(_number: int) -> int:
        client = Client()
        client.cookies.update(device.client.cookies)
        return client.post("/crews", {"key": form_key}).status_code

    assert press_at_once(make) == {303: PRESSES}
    assert Crew.objects.count() == 1


def sign_up(browser: Device, password: str, name: str = "ana") -> int:
    client = Client()
    client.cookies.update(browser.client.cookies)
    form = {"username": name, "password1": password, "password2": password}
    return client.post("/account/sign-up", form).status_code


def test_one_sign_up_that_arrives_many_times_makes_one_account(transactional_db: None) -> None:
    device = Device()
    assert press_at_once(lambda _number: sign_up(device, "six dice and a cup")) == {303: PRESSES}
    assert User.objects.count() == Visitor.objects.filter(user__isnull=False).count() == 1


def test_if_many_sign_up_with_one_name_at_once_only_one_gets_it(transactional_db: None) -> None:
    device = Device()
    assert press_at_once(lambda number: sign_up(device, f"six dice and {number} cups")) == {303: 1, 422: PRESSES - 1}


def test_names_that_differ_only_in_case_are_one_name(transactional_db: None) -> None:
    device, names = Device(), ("ana", "Ana", "aNa", "anA", "ANa", "ANA")
    assert press_at_once(lambda number: sign_up(device, "six dice and a cup", names[number])) == {
        303: 1,
        422: PRESSES - 1,
    }
    assert User.objects.count() == 1


@pytest.mark.only_on("postgresql")  # SQLite has one writer at a time
def test_signing_out_while_calls_are_being_switched_on_takes_a_second_press(table: Table) -> None:
    device, game = table
    browser = device.browser
    subscription = PushSubscription.objects.create(visitor=require(browser.visitor()), browser=browser.token_hash)

    def press_sign_out() -> int:
        try:
            return device.client.post("/account/sign-out").status_code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as elsewhere:
        with transaction.atomic():
            subscription.save()
            TurnCall.objects.create(player=game.seats[0], subscription=subscription)
            pressed = elsewhere.submit(press_sign_out)
            while not pressed.done() and not has_waiting_transaction():
                pass
        assert pressed.result() == 503
        assert elsewhere.submit(press_sign_out).result() == 303
    assert not PushSubscription.objects.exists()


def has_waiting_transaction() -> bool:
    """Whether a transaction of this database waits for a row that another one has locked."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")  # else a transaction sees for ever what it saw first
        cursor.execute("SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")
        return cursor.fetchone() is not None
