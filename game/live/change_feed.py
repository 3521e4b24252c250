"""Where the hub hears of games that another process changed: SQLite is asked, PostgreSQL tells."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.db import Error, connection

from game.live.live_snapshot import Standing, standings

if TYPE_CHECKING:
    from game.live.hub import Hub

CHANNEL = "game"
POLL_SECONDS = 0.2  # SQLite
QUIET_SECONDS = 30  # PostgreSQL: a connection that has nothing to tell is asked whether it still stands


async def follow(hub: Hub) -> None:
    """Until it is cancelled. Begun again, it misses nothing of what happened meanwhile."""
    await (listen if connection.vendor == "postgresql" else poll)(hub)


# ── SQLite ──


async def poll(hub: Hub) -> None:
    """SQLite counts what other connections wrote, which is asked in microseconds; games are read when it moves."""
    before: int | None = None
    while True:
        counter, found = await hub.ask(look, before, hub.known())
        hub.learn(found)
        before = counter
        await asyncio.sleep(POLL_SECONDS)


def look(before: int | None, known: Mapping[str, int | None]) -> tuple[int, dict[str, Standing]]:
    try:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA data_version")
            (counter,) = cursor.fetchone()
        return counter, standings(known) if counter != before else {}
    except Error:
        connection.close()
        raise


# ── PostgreSQL ──


async def listen(hub: Hub) -> None:
    """One connection of its own, on the event loop."""
    from psycopg import AsyncConnection, sql

    options = {**connection.get_connection_params(), "cursor_factory": None, "context": None}
    with connection.wrap_database_errors:
        async with await AsyncConnection.connect(**options, autocommit=True) as told:
            await told.execute(sql.SQL("LISTEN {}").format(sql.Identifier(CHANNEL)))
            hub.learn(await hub.ask(standings, hub.known()))  # what was said before anybody listened
            while True:
                async for note in told.notifies(timeout=QUIET_SECONDS):
                    code, standing = read(note.payload)
                    hub.learn({code: standing})
                await told.execute("SELECT 1")


def written(code: str, standing: Standing) -> str:
    return " ".join(map(str, (code, standing.game, standing.version, int(standing.watching), *standing.belonging)))


def read(payload: str) -> tuple[str, Standing]:
    code, *numbers = payload.split(" ")
    game, version, watching, *belonging = map(int, numbers)
    return code, Standing(game, version, bool(watching), frozenset(belonging))
