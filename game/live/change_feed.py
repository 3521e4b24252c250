"""Follows games changed by other processes: SQLite is polled, PostgreSQL notifies.

PostgreSQL also carries broadcasts between processes. With SQLite one process serves all pages.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from django.db import Error, connection

from game.live.database_thread import DatabaseThread
from game.live.live_snapshot import LiveSnapshot, load_snapshots

CHANNEL = "news"
POLL_SECONDS = 0.2  # SQLite
QUIET_SECONDS = 30  # PostgreSQL: a connection that is silent for this long is checked


@dataclass(frozen=True)
class Broadcast:
    """A line for all open pages of a game: a choice being made, or a reaction. It is not stored: a restart loses it."""

    kind: Literal["choice", "reaction"]
    text: str  # one line, and only what all of these pages may see


KnownVersions = Callable[[], Mapping[str, int | None]]
News = LiveSnapshot | Broadcast
Feed = AsyncGenerator[Mapping[str, News], None]


def follow_changes(database: DatabaseThread, known: KnownVersions) -> Feed:
    """Return an endless feed of snapshots, by code, of the known games that have moved on.

    On PostgreSQL it also brings the broadcasts of all games.

    `known` returns the games to follow, with their versions, whenever it is called. A restarted feed misses nothing
    that happened meanwhile.
    """
    return (listen if connection.vendor == "postgresql" else poll)(database, known)


async def poll(database: DatabaseThread, known: KnownVersions) -> Feed:
    """Poll SQLite's counter of other connections' writes, which takes microseconds; read games when it has changed."""
    before: int | None = None
    while True:
        before, snapshots = await database.run(poll_once, before, known())
        yield snapshots
        await asyncio.sleep(POLL_SECONDS)


def poll_once(before: int | None, known: Mapping[str, int | None]) -> tuple[int, dict[str, LiveSnapshot]]:
    """Return the counter and, if it differs from `before`, the games that have moved on."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA data_version")
            (counter,) = cursor.fetchone()
        return counter, load_snapshots(known) if counter != before else {}
    except Error:
        connection.close()  # the next query opens a new one
        raise


async def listen(database: DatabaseThread, known: KnownVersions) -> Feed:
    """Listen to PostgreSQL's notifications on the event loop, with a connection of its own."""
    from psycopg import AsyncConnection, sql

    options = {**connection.get_connection_params(), "cursor_factory": None, "context": None}
    with connection.wrap_database_errors:
        async with await AsyncConnection.connect(**options, autocommit=True) as listening:
            await listening.execute(sql.SQL("LISTEN {}").format(sql.Identifier(CHANNEL)))
            yield await database.run(load_snapshots, known())  # changes from before this connection listened
            while True:
                async for message in listening.notifies(timeout=QUIET_SECONDS):
                    code, news = decode_news(message.payload)
                    yield {code: news}
                await listening.execute("SELECT 1")


def encode_news(code: str, news: News) -> str:
    """Return news of a game as a payload for NOTIFY, which may have at most 8,000 bytes."""
    return json.dumps([code, *vars(news).values()], default=list)


def decode_news(payload: str) -> tuple[str, News]:
    """Return the code and the news of an encoded payload."""
    match json.loads(payload):
        case [code, game, version, watching, belonging]:
            return code, LiveSnapshot(game, version, watching, frozenset(belonging))
        case [code, kind, text]:
            return code, Broadcast(kind, text)
    raise ValueError(payload)
