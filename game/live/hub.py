"""The hub: who listens to which game in this process. It lives on the event loop of the server.

No thread, no task and no connection a stream beside the one that the server has anyway: listeners wait for an event of
asyncio. What other processes changed comes from the change feed, and who is there goes to the presence writer.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter, deque
from collections.abc import Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass, field

from django.conf import settings

from game.live import change_feed, presence_writer
from game.live.broadcast import Broadcast
from game.live.change_feed import News
from game.live.database_thread import DatabaseThread
from game.live.live_snapshot import LiveSnapshot, load_snapshots
from game.live.supervise import Work, run_forever
from game.live.token import Listener

FOLLOWING_SECONDS = 1  # a page waits for the feed, and then goes without: where it breaks off it is begun anew
WAITING_MOST = 8  # broadcasts that a page which takes nothing is kept for


class HubFull(Exception):
    """There are as many streams as there may be, for this visitor, this address or this process."""


class Stream:
    """One open page. Of several versions that it has not sent yet only the newest counts."""

    __slots__ = ("address", "broadcasts", "ended", "listener", "news", "room")

    def __init__(self, listener: Listener, address: str, room: Room) -> None:
        self.listener = listener
        self.address = address
        self.room = room
        self.broadcasts = deque([room.choice] if room.choice else [], WAITING_MOST)
        self.news = asyncio.Event()
        self.ended = False

    def end(self) -> None:
        """Let it end as soon as it has sent what it has."""
        self.ended = True
        self.news.set()

    @property
    def watches(self) -> bool:
        """Whether it is a spectator's. Whoever gave the seat away since the page was opened is one from then on."""
        snapshot = self.room.snapshot
        return snapshot is None or self.listener.visitor not in snapshot.belonging


@dataclass(eq=False)
class Room:
    """A game that somebody listens to. `snapshot` is None until it has been read."""

    code: str
    snapshot: LiveSnapshot | None = None
    choice: Broadcast | None = None  # the last that was shared: for a page that comes while it is being made
    streams: set[Stream] = field(default_factory=set)

    def apply(self, snapshot: LiveSnapshot) -> bool:
        """Apply a snapshot unless a newer one is known: they come by several ways, so they may come twice and late.

        Return whether others belong to the game than before.
        """
        before = self.snapshot
        if before and before.version >= snapshot.version:
            return False
        self.snapshot = snapshot
        for stream in self.streams:
            if stream.watches and not snapshot.watching:
                stream.end()
            stream.news.set()
        return before is not None and before.belonging != snapshot.belonging

    def pass_on(self, broadcast: Broadcast) -> None:
        """Pass a broadcast on to everybody who listens."""
        if broadcast.kind == "choice":
            self.choice = broadcast
        for stream in self.streams:
            stream.broadcasts.append(broadcast)
            stream.news.set()

    @property
    def watchers(self) -> int:
        """Browsers, not pages: somebody with two tabs is one."""
        return len({stream.listener.browser for stream in self.streams if stream.watches})


class Hub:
    """All open streams of this process, and the work beside them."""

    def __init__(self) -> None:
        self.process = ""  # its name among those of the site, once somebody listens
        self.rooms: dict[str, Room] = {}
        self.counts: Counter[str] = Counter()
        self.heard: set[presence_writer.Seat] = set()  # who asked for something since everybody was written down
        self.loop: asyncio.AbstractEventLoop | None = None  # of the server, once it was asked for anything
        self.database = DatabaseThread()
        self.tasks: dict[Work, asyncio.Task[None]] = {}
        self.moved = asyncio.Event()  # somebody came or went
        self.following = asyncio.Event()  # changes and broadcasts of other processes arrive here
        self.closing = False

    # ---- called from any thread

    def notify(self, code: str, news: News) -> None:
        """Tell those who listen to this game how it stands now, or what is broadcast to them."""
        if self.loop and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.apply, {code: news})

    def hear(self, seat: presence_writer.Seat) -> None:
        """Note that somebody is there whose page may have no stream."""
        if self.loop and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.add_heard, seat)

    # ---- on the loop

    def add_heard(self, seat: presence_writer.Seat) -> None:
        """Note who asked, and have it written down."""
        if seat not in self.heard:
            self.heard.add(seat)
            self.moved.set()
            self.start_work()

    def apply(self, news: Mapping[str, News]) -> None:
        """Apply snapshots, and pass broadcasts on, by code, to the games that somebody listens to."""
        for code, what in news.items():
            room = self.rooms.get(code)
            if room is None:
                continue
            if isinstance(what, Broadcast):
                room.pass_on(what)
            elif room.apply(what):
                self.moved.set()

    async def open(self, listener: Listener, address: str) -> Stream | None:
        """Return a stream that knows how its game stands; None where there is nothing to see.

        Raises `HubFull`, and `django.db.Error` where the database does not answer.
        """
        limits = self.limits_for(listener, address)
        if self.closing or any(self.counts[name] >= most for name, most in limits.items()):
            raise HubFull
        self.counts.update(limits.keys())
        room = self.rooms.setdefault(listener.code, Room(listener.code))
        stream = Stream(listener, address, room)
        room.streams.add(stream)
        self.start_work()
        try:
            if room.snapshot is None or (stream.watches and listener.visitor):  # who has sat down this moment
                self.apply(await self.database.run(load_snapshots, {room.code: None}))
            # A broadcast is said once: none may fall between the page that opens and the first feed that brings it.
            with suppress(TimeoutError):
                await asyncio.wait_for(self.following.wait(), FOLLOWING_SECONDS)
        except BaseException:  # above all a page that is closed before it is answered
            self.close(stream)
            raise
        if room.snapshot is None or (stream.watches and not room.snapshot.watching):
            self.close(stream)
            return None
        self.moved.set()
        return stream

    def close(self, stream: Stream) -> None:
        """Forget a stream. Every stream that was opened has to be closed, once."""
        for name in self.limits_for(stream.listener, stream.address):
            self.counts[name] -= 1
            if not self.counts[name]:
                del self.counts[name]
        stream.room.streams.discard(stream)
        if not stream.room.streams:
            self.rooms.pop(stream.room.code, None)
        self.moved.set()
        self.end_work()

    def limits_for(self, listener: Listener, address: str) -> dict[str, int]:
        """Return what a stream is counted under, and how many there may be."""
        return {
            f"visitor {listener.browser}": settings.STREAMS_PER_VISITOR,
            f"address {address}": settings.STREAMS_PER_ADDRESS,
            "all": settings.STREAMS,
        }

    # ---- work beside the streams, while there is something to do

    def start_work(self) -> None:
        """Begin what is due and does not run yet."""
        assert self.loop
        self.process = self.process or secrets.token_hex(8)
        for work in self.due_work() - self.tasks.keys():
            self.tasks[work] = self.loop.create_task(run_forever(work))

    def end_work(self) -> None:
        """End what nobody needs any more; when nothing is left, let the database go."""
        for work in self.tasks.keys() - self.due_work():
            self.tasks.pop(work).cancel()
        if not self.tasks:
            self.database.disconnect()

    def due_work(self) -> set[Work]:
        """Return the work to do: feeds only while somebody listens, presence for pages that poll, too."""
        if self.rooms:
            return {self.follow_changes, self.record_presence}
        return {self.record_presence} if self.heard else set()

    async def follow_changes(self) -> None:
        """Apply what other processes changed, for as long as somebody listens."""
        try:
            async with aclosing(change_feed.follow_changes(self.database, self.known_versions)) as feed:
                async for news in feed:
                    self.following.set()
                    self.apply(news)
        finally:
            self.following.clear()

    def known_versions(self) -> dict[str, int | None]:
        """Return the versions of the games that somebody listens to."""
        return {code: room.snapshot.version if room.snapshot else None for code, room in self.rooms.items()}

    async def record_presence(self) -> None:
        """Write down who is there, until nobody is."""
        take, moved = self.take_presence, self.moved
        await presence_writer.write_presence_forever(self.process, take, moved, self.database)
        self.end_work()

    def take_presence(self, of_all: bool) -> presence_writer.PresenceSnapshot:
        """Return who is there. With `of_all` forget who only asked: they are written down now."""
        rooms = self.rooms.values()
        present = presence_writer.PresenceSnapshot(
            seats=self.heard.union(
                (room.code, who)
                for room in rooms
                for stream in room.streams
                if (who := stream.listener.visitor) and not stream.watches
            ),
            watchers={room.snapshot.game: room.watchers for room in rooms if room.snapshot and room.watchers},
        )
        if of_all:
            self.heard.clear()
        return present

    # ---- the end

    def stop(self) -> None:
        """End every stream, for the server is about to stop: pages ask another process, or this one again."""
        self.closing = True
        for room in self.rooms.values():
            for stream in room.streams:
                stream.end()

    def wait(self) -> None:
        """Wait, in another thread, until what was asked of the database has been answered."""
        self.database.wait()


hub = Hub()
