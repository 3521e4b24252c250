"""Writes down who is there, for all games at once: pages of every process count ages from what was written last."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db import Error, connection, transaction
from django.utils import timezone

from game.live.live_snapshot import AT_ONCE
from game.lock import write_lock
from game.models import Audience, Game, Player, Visitor

if TYPE_CHECKING:
    from game.live.hub import Hub

BEAT_SECONDS = 20
SOON_SECONDS = 1  # after somebody came or went
FORGOTTEN = timedelta(hours=1)  # what a process said that is no more

Seat = tuple[str, int]  # a game's code, and a visitor who belongs to it


@dataclass
class There:
    """Who is there through this process. `watchers` by the game's row."""

    seats: set[Seat] = field(default_factory=set)
    watchers: dict[int, int] = field(default_factory=dict)

    def news(self, before: There) -> There:
        """What is to be written of it, soon after somebody came or went."""
        changed = {game: count for game, count in self.watchers.items() if before.watchers.get(game) != count}
        return There(self.seats - before.seats, changed | self.gone(before))

    def gone(self, before: There) -> dict[int, int]:
        return dict.fromkeys(before.watchers.keys() - self.watchers.keys(), 0)


async def beat(hub: Hub) -> None:
    """While anybody is there: everybody at first and every 20 seconds, and within about a second who came or went."""
    loop = asyncio.get_running_loop()
    before, due = There(), loop.time()
    while True:
        await moved_before(hub, due)
        now = hub.there()
        if loop.time() < due:
            news = now.news(before)
        else:
            due = loop.time() + BEAT_SECONDS
            news = There(now.seats, now.watchers | now.gone(before))
            hub.heard.clear()
        before = now
        await hub.ask(write, hub.process, news)
        if not now.seats and not now.watchers:
            hub.rest()


async def moved_before(hub: Hub, due: float) -> None:
    """Waits until somebody came or went, and a little longer, since they come and go in crowds; at most until due."""
    try:
        async with asyncio.timeout_at(due):
            await hub.moved.wait()
            await asyncio.sleep(SOON_SECONDS)
    except TimeoutError:
        pass
    hub.moved.clear()


def write(process: str, news: There) -> None:
    if not news.seats and not news.watchers:
        return
    now = timezone.now()
    try:
        players, hosts = rows_of(news.seats)
        with write_lock(), transaction.atomic():
            see(players, now)
            Visitor.objects.filter(pk__in=hosts).update(seen=now)
            count(process, news.watchers, now)
    except Error:
        connection.close()
        raise


def rows_of(seats: Collection[Seat]) -> tuple[list[int], list[int]]:
    """The players in these seats, and the visitors who belong to a game without one: its hosts.

    Together a code and a visitor name a seat, so each chunk is of whole games.
    """
    found: dict[int, Seat] = {}
    codes = sorted({code for code, _visitor in seats})
    for start in range(0, len(codes), AT_ONCE):
        rows = Player.objects.filter(game__code__in=codes[start : start + AT_ONCE], visitor__isnull=False)
        named = rows.values_list("pk", "game__code", "visitor_id")
        found |= {pk: (code, visitor) for pk, code, visitor in named if visitor and (code, visitor) in seats}
    return list(found), sorted({visitor for _code, visitor in {*seats}.difference(found.values())})


def see(players: Sequence[int], now: datetime) -> None:
    """Whom a move holds at this moment is passed over: the move has seen them, and nobody waits for the other."""
    for start in range(0, len(players), AT_ONCE):
        free = Player.objects.select_for_update(skip_locked=True).filter(pk__in=players[start : start + AT_ONCE])
        Player.objects.filter(pk__in=list(free.values_list("pk", flat=True))).update(seen=now)


def count(process: str, watchers: Mapping[int, int], now: datetime) -> None:
    for start in range(0, len(watchers), AT_ONCE):
        games = list(watchers)[start : start + AT_ONCE]
        Audience.objects.filter(process=process, game__in=[game for game in games if not watchers[game]]).delete()
        still = Game.objects.filter(pk__in=games).values_list("pk", flat=True)
        rows = [Audience(game_id=g, process=process, watchers=watchers[g], seen=now) for g in still if watchers[g]]
        Audience.objects.bulk_create(
            rows, update_conflicts=True, unique_fields=["game", "process"], update_fields=["watchers", "seen"]
        )
    Audience.objects.filter(seen__lt=now - FORGOTTEN).delete()
