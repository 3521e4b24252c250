"""The hub: who listens to which game in this process. It lives on the event loop of the server.

A stream needs no thread, task or connection beyond the server's own: listeners wait for an asyncio event. Other
processes' changes come from the change feed, and who is present goes to the presence writer.
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
from game.live.change_feed import Broadcast, News
from game.live.database_thread import DatabaseThread
from game.live.live_snapshot import LiveSnapshot, load_snapshots
from game.live.supervise import Work, run_forever
from game.live.token import Listener

FOLLOWING_SECONDS = 1  # how long a new stream waits for the feed; a broken one is restarted while the stream runs
WAITING_MOST = 8  # broadcasts queued for a page that does not read


class HubFull(Exception):
    """The limit of streams is reached, for this visitor, this address or this process."""


class Stream:
    """One open page. Of several unsent versions only the newest counts."""

    __slots__ = ("address", "broadcasts", "ended", "listener", "news", "room")

    def __init__(self, listener: Listener, address: str, room: Room) -> None:
        self.listener = listener
        self.address = address
        self.room = room
        self.broadcasts = deque([room.choice] if room.choice else [], WAITING_MOST)
        self.news = asyncio.Event()
        self.ended = False

    def end(self) -> None:
        """Have the stream end as soon as it has sent what is on its way; what is still queued is not sent."""
        self.ended = True
        self.news.set()

    @property
    def watches(self) -> bool:
        """Whether this is a spectator's. Somebody who gave their seat away after opening the page counts as one."""
        snapshot = self.room.snapshot
        return snapshot is None or self.listener.visitor not in snapshot.belonging


@dataclass(eq=False)
class Room:
    """A game with listeners. `snapshot` is None until it has been read."""

    code: str
    snapshot: LiveSnapshot | None = None
    choice: Broadcast | None = None  # the last one shared, for pages that open while it is being made
    streams: set[Stream] = field(default_factory=set)

    def apply(self, snapshot: LiveSnapshot) -> bool:
        """Apply a snapshot unless a newer one is known: they arrive by several routes, so they may come twice or late.

        Return whether different people belong to the game than before.
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
        """The number of spectators, as browsers, not pages: two tabs count as one."""
        return len({stream.listener.browser for stream in self.streams if stream.watches})


class Hub:
    """All open streams of this process, and the background work for them."""

    def __init__(self) -> None:
        self.process = ""  # its name among the site's processes, once somebody listens
        self.rooms: dict[str, Room] = {}
        self.counts: Counter[str] = Counter()
        self.heard: set[presence_writer.Seat] = set()  # whose pages have asked since everybody was last recorded
        self.loop: asyncio.AbstractEventLoop | None = None  # the server's loop, once there was a request
        self.database = DatabaseThread()
        self.tasks: dict[Work, asyncio.Task[None]] = {}
        self.moved = asyncio.Event()  # somebody came or went
        self.following = asyncio.Event()  # set while changes and broadcasts of other processes arrive
        self.closing = False

    # ---- called from any thread

    def notify(self, code: str, news: News) -> None:
        """Send the listeners of this game its new snapshot, or a broadcast."""
        if self.loop and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.apply, {code: news})

    def hear(self, seat: presence_writer.Seat) -> None:
        """Note the presence of somebody whose page may have no stream."""
        if self.loop and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.add_heard, seat)

    # ---- on the loop

    def add_heard(self, seat: presence_writer.Seat) -> None:
        """Note somebody whose page has asked for something, and have them recorded."""
        if seat not in self.heard:
            self.heard.add(seat)
            self.moved.set()
            self.start_work()

    def apply(self, news: Mapping[str, News]) -> None:
        """Apply snapshots and pass on broadcasts, both by code, for games that somebody listens to."""
        for code, item in news.items():
            room = self.rooms.get(code)
            if room is None:
                continue
            if isinstance(item, Broadcast):
                room.pass_on(item)
            elif room.apply(item):
                self.moved.set()

    async def open(self, listener: Listener, address: str) -> Stream | None:
        """Return a stream that knows its game's version; None if there is nothing to see.

        Raises `HubFull`, and `django.db.Error` if the database does not answer.
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
            if room.snapshot is None or (stream.watches and listener.visitor):  # somebody who has just sat down
                self.apply(await self.database.run(load_snapshots, {room.code: None}))
            # A broadcast is sent only once, so none may be lost between opening the page and the start of the feed.
            with suppress(TimeoutError):
                await asyncio.wait_for(self.following.wait(), FOLLOWING_SECONDS)
        except BaseException:  # mostly a page that is closed before the response
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
        """Return the keys that a stream is counted under, with their limits."""
        return {
            f"visitor {listener.browser}": settings.STREAMS_PER_VISITOR,
            f"address {address}": settings.STREAMS_PER_ADDRESS,
            "all": settings.STREAMS,
        }

    # ---- work beside the streams, while there is something to do

    def start_work(self) -> None:
        """Start the work that is needed and not running yet."""
        assert self.loop
        self.process = self.process or secrets.token_hex(8)
        for work in self.due_work() - self.tasks.keys():
            self.tasks[work] = self.loop.create_task(run_forever(work))

    def end_work(self) -> None:
        """Stop work that nobody needs any more; when none is left, close the database connection."""
        for work in self.tasks.keys() - self.due_work():
            self.tasks.pop(work).cancel()
        if not self.tasks:
            self.database.disconnect()

    def due_work(self) -> set[Work]:
        """Return the work to do: feeds only while somebody listens, presence also for pages that poll."""
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
        """Record who is present, until nobody is."""
        take, moved = self.take_presence, self.moved
        await presence_writer.write_presence_forever(self.process, take, moved, self.database)
        self.end_work()

    def take_presence(self, of_all: bool) -> presence_writer.PresenceSnapshot:
        """Return who is present. `of_all`: forget those whose pages only asked, since they are recorded now."""
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
        """End every stream because the server is stopping: pages reconnect to another process, or to this one later."""
        self.closing = True
        for room in self.rooms.values():
            for stream in room.streams:
                stream.end()


hub = Hub()
