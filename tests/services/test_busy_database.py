"""While somebody else holds the database, a press is answered with when to try again, and can be repeated."""

import threading

import pytest
from django.db import connection, connections, transaction

from game.models import Game
from tests.cast import Device, key

pytestmark = pytest.mark.django_db(transaction=True)


def hold(game: Game, held: threading.Event, let_go: threading.Event) -> None:
    """Locks the game for as long as the test wants, from a connection of its own."""
    try:
        with transaction.atomic():
            Game.objects.filter(pk=game.pk).update(hints="")
            held.set()
            let_go.wait(10)
    finally:
        connections.close_all()


def wait_shortly() -> None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout=50" if connection.vendor == "sqlite" else "SET lock_timeout = '50ms'")


def test_a_press_while_the_database_is_busy_can_be_repeated() -> None:
    device = Device()
    game, press = device.game(), key()
    held, let_go = threading.Event(), threading.Event()
    other = threading.Thread(target=hold, args=(game, held, let_go))
    other.start()
    held.wait(10)
    wait_shortly()
    try:
        refused = device.do(game, "throw", key=press)
    finally:
        let_go.set()
        other.join()
    assert (refused.status_code, refused["Retry-After"]) == (503, "3")
    assert "Nothing was changed" in refused.content.decode()
    assert device.do(game, "throw", key=press).status_code == 303
    assert game.throws.count() == 1
    connection.close()
