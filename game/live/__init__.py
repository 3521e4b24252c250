"""Tells open pages that a game has moved on, and knows who is there.

A page listens to its stream (`address`), which carries nothing but the number of the present version; whoever changes
a game calls `changed`. `presence` is what the pages and the streams let us know about the people at a game.
"""

from __future__ import annotations

from functools import partial

from django.db import connection, transaction

from game.live.change_feed import CHANNEL, written
from game.live.hub import hub
from game.live.live_snapshot import standing
from game.live.presence import Contact, Presence, presence_at
from game.live.token import stream_address
from game.models import Game, Visitor

__all__ = ["Contact", "Presence", "announce_version", "note_heard", "presence_at", "stream_address"]


def announce_version(game: Game) -> None:
    """Within the transaction that changes a game: once it is written, the pages of every process hear of it."""
    now = standing(game)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:  # PostgreSQL passes it on with the commit, and forgets it without one
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, written(game.code, now)])
    transaction.on_commit(partial(hub.notify, game.code, now))


def note_heard(game: Game, visitor: Visitor) -> None:
    """A page of this visitor has asked for something. Written down with the next beat, since a GET writes nothing."""
    hub.hear((game.code, visitor.pk))
