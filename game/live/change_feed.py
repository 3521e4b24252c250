"""Hears of games that another process changed: SQLite is asked again and again, PostgreSQL says it by itself.

PostgreSQL carries broadcasts, too, from and to every process. Where SQLite is used one process serves all pages.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Mapping

from django.db import Error, connection

from game.live.broadcast import Broadcast
from game.live.database_thread import DatabaseThread
from game.live.live_snapshot import LiveSnapshot, load_snapshots

CHANNEL = "game"
BROADCASTS = "broadcast"
POLL_SECONDS = 0.2  # SQLite
QUIET_SECONDS = 30  # PostgreSQL: a connection that has nothing to say is asked whether it still stands

KnownVersions = Callable[[], Mapping[str, int | None]]
News = LiveSnapshot | Broadcast
Feed = AsyncGenerator[Mapping[str, News], None]


def follow_changes(database: DatabaseThread, known: KnownVersions) -> Feed:
    """Return a feed of snapshots, by code, of those of the known games that have moved on; it never ends by itself.

    On PostgreSQL it brings the broadcasts of all games as well.

    `known` returns the games to follow, with their versions, whenever it is called. A feed that is begun again misses
    nothing of what happened meanwhile.
    """
    return (listen if connection.vendor == "postgresql" else poll)(database, known)


async def poll(database: DatabaseThread, known: KnownVersions) -> Feed:
    """Ask SQLite for its count of what other connections wrote, in microseconds; read games when it has moved."""
    before: int | None = None
    while True:
        before, snapshots = await database.run(poll_once, before, known())
        yield snapshots
        await asyncio.sleep(POLL_SECONDS)


def poll_once(before: int | None, known: Mapping[str, int | None]) -> tuple[int, dict[str, LiveSnapshot]]:
    """Return the count, and the games that have moved on if it is another one than `before`."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA data_version")
            (counter,) = cursor.fetchone()
        return counter, load_snapshots(known) if counter != before else {}
    except Error:
        connection.close()  # the next question begins with a new one
        raise


async def listen(database: DatabaseThread, known: KnownVersions) -> Feed:
    """Listen with one connection of its own, on the event loop."""
    from psycopg import AsyncConnection, sql

    options = {**connection.get_connection_params(), "cursor_factory": None, "context": None}
    with connection.wrap_database_errors:
        async with await AsyncConnection.connect(**options, autocommit=True) as listening:
            for name in (CHANNEL, BROADCASTS):
                await listening.execute(sql.SQL("LISTEN {}").format(sql.Identifier(name)))
            yield await database.run(load_snapshots, known())  # what was announced before anybody listened
            while True:
                async for message in listening.notifies(timeout=QUIET_SECONDS):
                    decode = decode_payload if message.channel == CHANNEL else decode_broadcast
                    code, news = decode(message.payload)
                    yield {code: news}
                await listening.execute("SELECT 1")


def encode_payload(code: str, snapshot: LiveSnapshot) -> str:
    """Return what PostgreSQL carries to the other processes, at most 8,000 bytes."""
    numbers = (snapshot.game, snapshot.version, int(snapshot.watching), *snapshot.belonging)
    return " ".join(map(str, (code, *numbers)))


def decode_payload(payload: str) -> tuple[str, LiveSnapshot]:
    """Return code and snapshot of an encoded payload."""
    code, *numbers = payload.split(" ")
    game, version, watching, *belonging = map(int, numbers)
    return code, LiveSnapshot(game, version, bool(watching), frozenset(belonging))


def encode_broadcast(code: str, broadcast: Broadcast) -> str:
    """Return a broadcast as PostgreSQL carries it."""
    return json.dumps([code, broadcast.kind, broadcast.text])


def decode_broadcast(payload: str) -> tuple[str, Broadcast]:
    """Return code and broadcast of an encoded one."""
    code, kind, text = json.loads(payload)
    return code, Broadcast(kind, text)
