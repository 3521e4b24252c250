"""Tells open pages that a game has moved on, and knows who is there.

A page listens to its stream (`stream_address`), which carries the number of the present version: whoever changes a game
calls `announce_version`. `send_broadcast` sends along what is stored nowhere. `presence_at` is what pages and streams
let us know about the people at a game.
"""

from functools import partial

from django.db import connection, transaction

from game.live.broadcast import Broadcast
from game.live.change_feed import BROADCASTS, CHANNEL, encode_broadcast, encode_payload
from game.live.hub import hub
from game.live.live_snapshot import snapshot_of
from game.live.presence import Contact, Presence, presence_at
from game.live.token import stream_address
from game.models import Game, Visitor

__all__ = [
    "Broadcast", "Contact", "Presence", "announce_version", "note_heard", "presence_at", "send_broadcast",
    "stream_address",
]  # fmt: skip


def announce_version(game: Game) -> None:
    """Let the pages of every process hear of a change once it is written. Call it within its transaction."""
    snapshot = snapshot_of(game)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:  # PostgreSQL passes it on with the commit, and forgets it without one
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, encode_payload(game.code, snapshot)])
    transaction.on_commit(partial(hub.notify, game.code, snapshot))


def send_broadcast(game: Game, broadcast: Broadcast) -> None:
    """Send it to all open pages of a game. On PostgreSQL by one way for all processes, or it would come twice."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [BROADCASTS, encode_broadcast(game.code, broadcast)])
    else:
        hub.notify(game.code, broadcast)


def note_heard(game: Game, visitor: Visitor) -> None:
    """Note that a page of this visitor has asked for something. It is written later, since a GET writes nothing."""
    hub.hear((game.code, visitor.pk))
