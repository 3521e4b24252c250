"""Records who is present, for all games at once. Pages of every process work out from it how long somebody is away."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db import Error, connection, transaction
from django.utils import timezone

from game.live.database_thread import DatabaseThread
from game.live.live_snapshot import AT_ONCE
from game.lock import write_lock
from game.models import Audience, Game, Player, Visitor

BEAT_SECONDS = 20
SOON_SECONDS = 1  # after somebody came or went

Seat = tuple[str, int]  # a game's code, and a visitor who belongs to it


@dataclass
class PresenceSnapshot:
    """Who is present through this process: members of a game one by one, spectators as a number."""

    seats: set[Seat] = field(default_factory=set)
    watchers: dict[int, int] = field(default_factory=dict)  # by the game's key

    def __bool__(self) -> bool:
        return bool(self.seats or self.watchers)

    def changes_since(self, before: PresenceSnapshot) -> PresenceSnapshot:
        """Return what to record soon after somebody came or went."""
        changed = {game: count for game, count in self.watchers.items() if before.watchers.get(game) != count}
        return PresenceSnapshot(self.seats - before.seats, changed | self.left_since(before))

    def left_since(self, before: PresenceSnapshot) -> dict[int, int]:
        """Return 0 for each game that has lost its last spectator."""
        return dict.fromkeys(before.watchers.keys() - self.watchers.keys(), 0)


TakeSnapshot = Callable[[bool], PresenceSnapshot]


async def write_presence_forever(
    process: str, take_snapshot: TakeSnapshot, moved: asyncio.Event, database: DatabaseThread
) -> None:
    """Record who is present until nobody is: everybody every 20 seconds, arrivals and departures within a second.

    `take_snapshot(True)` is for everybody, and forgets visitors who only asked. `moved` is set when
    somebody has come or gone.
    """
    loop = asyncio.get_running_loop()
    before, due = PresenceSnapshot(), loop.time()
    while True:
        await wait_until_moved(moved, due)
        of_all = loop.time() >= due
        now = take_snapshot(of_all)
        if of_all:
            due = loop.time() + BEAT_SECONDS
            news = PresenceSnapshot(now.seats, now.watchers | now.left_since(before))
        else:
            news = now.changes_since(before)
        before = now
        if news:
            await database.run(write_presence, process, news)
        if not now:
            return


async def wait_until_moved(moved: asyncio.Event, due: float) -> None:
    """Wait until somebody came or went, and a little longer, since they come and go in crowds; at most until `due`."""
    try:
        async with asyncio.timeout_at(due):
            await moved.wait()
            await asyncio.sleep(SOON_SECONDS)
    except TimeoutError:
        pass
    moved.clear()


def write_presence(process: str, news: PresenceSnapshot) -> None:
    """Store who is present in one transaction, so that moves wait for it only once."""
    now = timezone.now()
    try:
        players, hosts = find_seen_rows(news.seats)
        with write_lock(), transaction.atomic():
            write_seen(players, now)
            Visitor.objects.filter(pk__in=hosts).update(seen=now)
            write_audiences(process, news.watchers, now)
    except Error:
        connection.close()  # the next query opens a new one
        raise


def find_seen_rows(seats: Collection[Seat]) -> tuple[list[int], list[int]]:
    """Return the keys of the players in these seats, and of the visitors who belong to a game without one: its hosts.

    A seat is named by a code and a visitor together, so each chunk consists of whole games.
    """
    players: dict[int, Seat] = {}
    codes = sorted({code for code, _visitor in seats})
    for start in range(0, len(codes), AT_ONCE):
        rows = Player.objects.filter(game__code__in=codes[start : start + AT_ONCE], visitor__isnull=False)
        named = rows.values_list("pk", "game__code", "visitor_id")
        players |= {pk: (code, visitor) for pk, code, visitor in named if visitor and (code, visitor) in seats}
    return list(players), sorted({visitor for _code, visitor in {*seats}.difference(players.values())})


def write_seen(players: Sequence[int], now: datetime) -> None:
    """Record that these players are present.

    Rows locked by a move are skipped: the move records the player as present itself, and neither waits for the other.
    Writing a row that refers to one of these, such as a turn or a call, need not wait either: their keys stay unlocked.
    """
    for start in range(0, len(players), AT_ONCE):
        # In no order: the default order would join the games, and their rows would be locked as well.
        rows = Player.objects.filter(pk__in=players[start : start + AT_ONCE]).order_by()
        free = rows.select_for_update(skip_locked=True, no_key=True)
        Player.objects.filter(pk__in=list(free.values_list("pk", flat=True))).update(seen=now)


def write_audiences(process: str, watchers: Mapping[int, int], now: datetime) -> None:
    """Record how many watch each game through this process. Games may have been deleted meanwhile."""
    for start in range(0, len(watchers), AT_ONCE):
        games = list(watchers)[start : start + AT_ONCE]
        Audience.objects.filter(process=process, game__in=[game for game in games if not watchers[game]]).delete()
        still = Game.objects.filter(pk__in=games).values_list("pk", flat=True)
        rows = [Audience(game_id=g, process=process, watchers=watchers[g], seen=now) for g in still if watchers[g]]
        Audience.objects.bulk_create(
            rows, update_conflicts=True, unique_fields=["game", "process"], update_fields=["watchers", "seen"]
        )
