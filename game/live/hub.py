"""The hub: who listens to which game in this process. It lives on the event loop of the server.

No thread, no task and no connection a stream beside the one that the server has anyway: listeners wait for an event of
asyncio. One thread, shared by all, does what asks the database; `sources` says where news of other processes come from.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import connections

from game.live import change_feed, presence_writer
from game.live.live_snapshot import Standing, standings
from game.live.supervise import Work, steadily
from game.live.token import Listener

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")


class Full(Exception):
    """There are as many streams as there may be, for this visitor, this address or this process."""


class Stream:
    """One open page. Of several news that it has not taken yet only the newest counts."""

    __slots__ = ("address", "ended", "listener", "news", "room")

    def __init__(self, listener: Listener, address: str, room: Room) -> None:
        self.listener = listener
        self.address = address
        self.room = room
        self.news = asyncio.Event()
        self.ended = False

    def end(self) -> None:
        self.ended = True
        self.news.set()

    @property
    def watches(self) -> bool:
        """Whoever gave the seat away since the page was opened watches from then on."""
        standing = self.room.standing
        return standing is None or self.listener.visitor not in standing.belonging


@dataclass(eq=False)
class Room:
    """A game that somebody listens to. `standing` is None until it has been read."""

    code: str
    standing: Standing | None = None
    streams: set[Stream] = field(default_factory=set)

    def learn(self, standing: Standing) -> bool:
        """News come by several ways, so they may come twice and late. Whether others belong there than before."""
        before = self.standing
        if before and before.version >= standing.version:
            return False
        self.standing = standing
        for stream in self.streams:
            if stream.watches and not standing.watching:
                stream.end()
            stream.news.set()
        return before is not None and before.belonging != standing.belonging

    @property
    def watchers(self) -> int:
        """Browsers, not pages: somebody with two tabs is one."""
        return len({stream.listener.browser for stream in self.streams if stream.watches})


class Hub:
    def __init__(self) -> None:
        self.process = ""  # its name among those of the site, once somebody listens
        self.rooms: dict[str, Room] = {}
        self.counts: Counter[str] = Counter()
        self.heard: set[presence_writer.Seat] = set()  # who asked for something since everybody was written down
        self.loop: asyncio.AbstractEventLoop | None = None  # of the server, once it was asked for anything
        self.thread: ThreadPoolExecutor | None = None
        self.tasks: dict[Work, asyncio.Task[None]] = {}
        self.moved = asyncio.Event()  # somebody came or went
        self.closing = False

    # ---- called from any thread

    def notify(self, code: str, standing: Standing) -> None:
        if self.loop and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.learn, {code: standing})

    def hear(self, seat: presence_writer.Seat) -> None:
        if self.loop and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.note, seat)

    # ---- on the loop

    def note(self, seat: presence_writer.Seat) -> None:
        """Somebody is there whose page may have no stream."""
        if seat not in self.heard:
            self.heard.add(seat)
            self.moved.set()
            self.work()

    def learn(self, standings: Mapping[str, Standing]) -> None:
        for code, standing in standings.items():
            if (room := self.rooms.get(code)) and room.learn(standing):
                self.moved.set()

    async def open(self, listener: Listener, address: str) -> Stream | None:
        """A stream that knows how its game stands; None where there is nothing to see. Raises `Full`."""
        names = self.names(listener, address)
        if self.closing or any(self.counts[name] >= most for name, most in names.items()):
            raise Full
        self.counts.update(names.keys())
        room = self.rooms.setdefault(listener.code, Room(listener.code))
        stream = Stream(listener, address, room)
        room.streams.add(stream)
        self.work()
        try:
            if room.standing is None or (stream.watches and listener.visitor):  # who has sat down this moment
                self.learn(await self.ask(standings, {room.code: None}))
        except BaseException:
            self.close(stream)
            raise
        if room.standing is None or (stream.watches and not room.standing.watching):
            self.close(stream)
            return None
        self.moved.set()
        return stream

    def close(self, stream: Stream) -> None:
        for name in self.names(stream.listener, stream.address):
            self.counts[name] -= 1
            if not self.counts[name]:
                del self.counts[name]
        stream.room.streams.discard(stream)
        if not stream.room.streams:
            self.rooms.pop(stream.room.code, None)
        self.moved.set()
        self.rest()

    def names(self, listener: Listener, address: str) -> dict[str, int]:
        """What a stream is counted under, and how many there may be."""
        return {
            f"visitor {listener.browser}": settings.STREAMS_PER_VISITOR,
            f"address {address}": settings.STREAMS_PER_ADDRESS,
            "all": settings.STREAMS,
        }

    async def ask(self, question: Callable[Asked, Answer], *args: Asked.args, **named: Asked.kwargs) -> Answer:
        """The answer of the database, from the one thread that all streams share."""
        assert self.loop and self.thread
        return await self.loop.run_in_executor(self.thread, lambda: question(*args, **named))

    # ---- while there is something to do

    def work(self) -> None:
        assert self.loop
        self.process = self.process or secrets.token_hex(8)
        self.thread = self.thread or ThreadPoolExecutor(1, thread_name_prefix="live")
        for work in self.due() - self.tasks.keys():
            self.tasks[work] = self.loop.create_task(steadily(work, self))

    def rest(self) -> None:
        """What nobody needs any more ends; when nothing is left, the database is let go."""
        for work in self.tasks.keys() - self.due():
            self.tasks.pop(work).cancel()
        if self.thread and not self.tasks:
            self.thread.submit(connections.close_all)

    def due(self) -> set[Work]:
        """News are for who listens. Who is there is also written down of those who only ask now and then."""
        if self.rooms:
            return {change_feed.follow, presence_writer.beat}
        return {presence_writer.beat} if self.heard else set()

    def wait(self) -> None:
        """From another thread: until what was asked of the database has been answered."""
        if self.thread:
            self.thread.submit(int).result()

    def stop(self) -> None:
        """The server is about to stop: every stream ends now, and pages ask another process or this one again."""
        self.closing = True
        for room in self.rooms.values():
            for stream in room.streams:
                stream.end()

    def known(self) -> dict[str, int | None]:
        """The versions of the games that somebody listens to."""
        return {code: room.standing and room.standing.version for code, room in self.rooms.items()}

    def there(self) -> presence_writer.There:
        """Who is there: those who belong to a game by name, watchers by their number."""
        rooms = self.rooms.values()
        return presence_writer.There(
            seats=self.heard.union(
                (room.code, who)
                for room in rooms
                for stream in room.streams
                if (who := stream.listener.visitor) and not stream.watches
            ),
            watchers={room.standing.game: room.watchers for room in rooms if room.standing and room.watchers},
        )


hub = Hub()
