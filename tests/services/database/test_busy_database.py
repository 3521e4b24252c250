"""While somebody else holds the database, a press is told when to try again, and can be repeated."""

import contextlib
import threading
from collections.abc import Iterator

import pytest
from django.db import connection, connections, transaction

from game.models import Game
from tests import patience
from tests.cast import Device, make_key

pytestmark = pytest.mark.django_db(transaction=True)


def lock_game(game: Game, held: threading.Event, let_go: threading.Event) -> None:
    """Lock the game for as long as the test wants, from a connection of its own."""
    try:
        with transaction.atomic():
            Game.objects.filter(pk=game.pk).update(hints="")
            held.set()
            let_go.wait(patience.SECONDS)
    finally:
        connections.close_all()


def wait_shortly() -> None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout=50" if connection.vendor == "sqlite" else "SET lock_timeout = '50ms'")


@contextlib.contextmanager
def hold_lock(game: Game) -> Iterator[None]:
    """Hold the lock of this game, so that whoever needs it meanwhile waits in vain."""
    held, let_go = threading.Event(), threading.Event()
    other = threading.Thread(target=lock_game, args=(game, held, let_go))
    other.start()
    assert held.wait(patience.SECONDS)
    wait_shortly()
    try:
        yield
    finally:
        let_go.set()
        other.join()


@pytest.fixture(autouse=True)
def patient_again() -> Iterator[None]:
    yield
    connection.close()


def test_a_press_while_the_database_is_busy_can_be_repeated() -> None:
    device = Device()
    game, press = device.game(), make_key()
    with hold_lock(game):
        refused = device.do(game, "throw", key=press)
    assert (refused.status_code, refused["Retry-After"]) == (503, "3")
    assert "Nothing was changed" in refused.content.decode()
    assert device.do(game, "throw", key=press).status_code == 303
    assert game.throws.count() == 1


def test_a_late_request_for_a_computers_step_does_not_wait_for_the_lock() -> None:
    device = Device()
    game = device.game(players=("*HAL", "*Ada"))
    device.do(game, "advance", htmx=True)
    with hold_lock(game):
        late = device.do(game, "advance", htmx=True, version=1)
    assert late.status_code == 200 and 'id="tray"' in late.content.decode()


def test_a_strangers_press_does_not_wait_for_the_lock() -> None:
    device, stranger = Device(), Device()
    game = device.game(players=("*HAL", "*Ada"))
    with hold_lock(game):
        assert stranger.do(game, "advance", htmx=True).status_code == 403
