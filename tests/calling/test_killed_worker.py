"""The worker is killed in the middle of a call: no call is lost, and none is seen twice."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests import patience
from tests.calling.push_service import PushService, SubscribedBrowser, run_push_service
from tests.own_sites import ROOT, RealSite

pytestmark = pytest.mark.django_db(transaction=True)

# Ana and Bruno play with real dice, and Bruno has pressed the switch.
LAY_OUT = """
from game import identity, services
from game.models import RulesetRow
from game.rules import Entry
from game.services import calls
ana, bruno = (identity.Browser(letter * 43, True) for letter in "ab")
pot = RulesetRow.objects.get(slug="classic")
game = services.create_game(ana, "a" * 22, pot, [Entry("Ana"), Entry("Bruno")], mode="manual")
game.players.filter(seat=1).update(visitor=bruno.visitor_or_new())
calls.call_seats(bruno, game.code, calls.PushKeys(%r, %r, %r), calls.CallWishes("en", "UTC", "off", ""))
print(game.code)
"""
# After each turn, nobody has had a page open for an hour.
END_TURN = """
import secrets
from datetime import timedelta
from django.utils import timezone
from game import services
from game.models import Game
from game.rules import Manual
from game.storage import load_state
def end_turn():
    game = Game.objects.get()
    visitor = game.seats[load_state(game).player].visitor
    command = services.Command(visitor, secrets.token_hex(16), game.version, "")
    services.enter_points(game.code, command, lambda _state, _turn: Manual(1000))
    game.players.update(seen=timezone.now() - timedelta(hours=1))
"""
UNTIL_BRUNO_IS_DUE = (
    END_TURN
    + """
end_turn()
while load_state(Game.objects.get()).player != 1:
    end_turn()
"""
)
A_MINUTE_GOES_BY = """
from datetime import timedelta
from django.db.models import F
from game.models import TurnCall
TurnCall.objects.update(next_try=F("next_try") - timedelta(minutes=1))
"""
IS_DONE = """
from game.models import Game, TurnCall
from game.storage import load_state
print(TurnCall.objects.filter(done=True, turn=load_state(Game.objects.get()).shots).exists())
"""


@pytest.fixture
def push_service(own_site: RealSite, tmp_path: Path) -> Iterator[PushService]:
    """A push service that the worker of this site may write to."""
    with run_push_service(tmp_path) as service:
        own_site.environment |= {"PUSH_NETWORKS": "127.0.0.1/32", "SSL_CERT_FILE": str(tmp_path / "trusted.pem")}
        yield service


@pytest.fixture
def browser(own_site: RealSite, push_service: PushService) -> SubscribedBrowser:
    """Bruno's browser."""
    browser = push_service.subscribe()
    own_site.ask(LAY_OUT % tuple(browser.form.values()))
    return browser


@pytest.fixture
def work(own_site: RealSite) -> Iterator[Callable[[], subprocess.Popen[bytes]]]:
    """A function that starts a worker; all of them are killed after the test."""
    running: list[subprocess.Popen[bytes]] = []

    def start() -> subprocess.Popen[bytes]:
        command = [sys.executable, str(ROOT / "manage.py"), "work"]
        running.append(subprocess.Popen(command, env=own_site.environment, stdout=subprocess.DEVNULL))
        return running[-1]

    yield start
    for process in running:
        process.kill()
        process.wait()


def test_no_call_is_lost_and_none_is_seen_twice(
    own_site: RealSite,
    push_service: PushService,
    browser: SubscribedBrowser,
    work: Callable[[], subprocess.Popen[bytes]],
) -> None:
    def is_done() -> bool:
        return own_site.ask(IS_DONE) == "True"

    # Killed before it has looked: the next worker finds the turn.
    worker = work()
    worker.kill()
    own_site.ask(UNTIL_BRUNO_IS_DUE)
    worker = work()
    patience.wait_until(is_done, "the call is not made")
    assert len(push_service.left) == 1

    # Killed after the service has taken the message, and before the answer: nobody can know of it. The message is sent
    # once more, and replaces the first one, at the service by its topic and on the screen by the game's address.
    arrived = threading.Event()

    def kill() -> None:
        worker.kill()
        worker.wait()
        arrived.set()

    push_service.arrived = kill
    own_site.ask(UNTIL_BRUNO_IS_DUE)
    assert arrived.wait(patience.SECONDS)
    push_service.arrived = lambda: None
    own_site.ask(A_MINUTE_GOES_BY)
    worker = work()
    patience.wait_until(is_done, "the call is not made again")
    twins = push_service.left[1:]
    assert len(twins) == 2 and len({left.headers["Topic"] for left in twins}) == 1
    assert len({message["url"] for message in push_service.messages_for(browser)}) == 1

    # Killed after the call is made, again and again: no turn is called for twice.
    for _kill in range(2):
        worker.kill()
        worker.wait()
        own_site.ask(A_MINUTE_GOES_BY)
        own_site.manage("work", "--once")  # looks at the turn for certain, before another one is due
        worker = work()
    own_site.ask(UNTIL_BRUNO_IS_DUE)
    patience.wait_until(is_done, "the next turn is not called")
    assert len(push_service.left) == 4
