"""Several processes of one site: pages of one hear changes by another, and a process that stops ends its streams."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from tests.live.conftest import Stream
from tests.own_sites import RealSite

pytestmark = pytest.mark.django_db(transaction=True)

LAY_OUT = """
from game import identity, live, services
from game.models import RulesetRow
from game.rules import Entry
from tests.cast import reseal_until
browser = identity.Browser("a" * 43, True)
classic = RulesetRow.objects.get(slug="classic")
game = services.create_game(browser, "k" * 22, classic, [Entry("Ana"), Entry("Bo")])
reseal_until(game, lambda dice: 1 in dice)  # or the first throw may bust, which leaves nothing to choose
print(live.make_stream_address(game.code, browser, None))
"""
THROW = """
from game import services
from game.models import Game
game = Game.objects.get()
services.throw_dice(game.code, services.Command(game.host, "t" * 22, game.version, ""), ())
"""
CHOOSE = """
from game import services
from game.models import Game
game = Game.objects.get()
services.share_choice(game.code, services.Command(game.host, "c" * 22, game.version, ""), ())
print(game.last_throw.pk)
"""


@pytest.fixture
def away(own_site: RealSite) -> Iterator[tuple[RealSite, int, Stream]]:
    """A site in a process of its own, the process, and a stream of a page that shows a new game."""
    address = own_site.ask(LAY_OUT)
    process = own_site.start()
    stream = Stream(own_site.port, address)
    yield own_site, process, stream
    stream.close()


def test_a_move_made_through_one_process_is_heard_through_another(away: tuple[RealSite, int, Stream]) -> None:
    site, _process, stream = away
    before = stream.read_version()
    site.ask(THROW)
    assert stream.read_version() == before + 1


@pytest.mark.only_on("postgresql")  # on SQLite, one process serves all pages
def test_a_choice_shared_through_one_process_is_seen_through_another(away: tuple[RealSite, int, Stream]) -> None:
    site, _process, stream = away
    before = stream.read_version()
    site.ask(THROW)
    assert stream.read_version() == before + 1
    throw = site.ask(CHOOSE).splitlines()[-1]
    assert stream.read_broadcast("choice") == f"{throw} "


def test_a_server_that_stops_ends_its_streams_properly(away: tuple[RealSite, int, Stream]) -> None:
    _site, process, stream = away
    stream.read_version()
    os.kill(process, signal.SIGTERM)
    assert b"data" not in stream.read_rest()
