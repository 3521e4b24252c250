"""Tells open pages that a game has moved on, and knows who is present.

A page listens to its stream (`make_stream_address`), which carries the current version number. Code that changes a game
calls `announce_version`. `send_broadcast` sends what is not stored. `find_presence` says who is at a game.
"""

from functools import partial

from django.db import connection, transaction

from game.live.change_feed import CHANNEL, Broadcast, News, encode_news
from game.live.hub import hub
from game.live.live_snapshot import make_snapshot
from game.live.presence import Contact, Presence, find_presence
from game.live.token import make_stream_address
from game.models import Game, Visitor

__all__ = [
    "Broadcast", "Contact", "Presence", "announce_version", "find_presence", "make_stream_address", "note_heard",
    "send_broadcast",
]  # fmt: skip


def announce_version(game: Game) -> None:
    """Notify the pages of every process of a change on commit. Call it within the transaction."""
    snapshot = make_snapshot(game)
    if connection.vendor == "postgresql":
        notify_processes(game, snapshot)
    transaction.on_commit(partial(hub.notify, game.code, snapshot))


def send_broadcast(game: Game, broadcast: Broadcast) -> None:
    """Send a broadcast to all open pages of a game. On PostgreSQL only by NOTIFY, or it would arrive twice."""
    if connection.vendor == "postgresql":
        notify_processes(game, broadcast)
    else:
        hub.notify(game.code, broadcast)


def notify_processes(game: Game, news: News) -> None:
    """Send news of a game to all processes by PostgreSQL: on commit, and not at all if the transaction fails."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, encode_news(game.code, news)])


def note_heard(game: Game, visitor: Visitor) -> None:
    """Note that a page of this visitor has asked for something. This is stored later, since a GET must not write."""
    hub.hear((game.code, visitor.pk))
