"""The one way to write a game: lock, seat, request key, running, version, and then the verb itself."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

from django.db import transaction
from django.utils import timezone

from game import live
from game.identity import Browser
from game.lock import write_lock
from game.models import Game, Invite, Player, Request, Transfer, Visitor
from game.models.compiled import CompiledQuery, insert_row
from game.services.refusals import (
    AlreadyDone,
    AlreadyStarted,
    GameOver,
    KeyUsed,
    NoSuchGame,
    NotForYou,
    NotStarted,
    NotYourSeat,
    Refusal,
    StaleMove,
    UnknownVersion,
)
from game.services.reviews import begin_review

Link = TypeVar("Link", Invite, Transfer)

RUNNING = frozenset({Game.Status.RUNNING})
WAITING = frozenset({Game.Status.WAITING})
WAITING_LASTS = timedelta(days=7)
SEEN_AGAIN = timedelta(seconds=20)
HOST_SILENT = timedelta(minutes=10)


@dataclass(frozen=True)
class Command:
    """What came with a form: who, the form's own key, the version it was made from and a digest of its content."""

    visitor: Visitor | None
    key: str
    version: int | None  # None where the form does not depend on how the game stands
    digest: str

    @property
    def who(self) -> int | None:
        """The visitor's row."""
        return self.visitor.pk if self.visitor else None

    def is_older_than_dice(self, game: Game) -> bool:
        """Return whether the dice or the legal moves have changed since the form was made, or it does not say."""
        return self.version is None or self.version < game.dice_version


@contextlib.contextmanager
def locked_change(
    code: str,
    command: Command,
    *,
    dice: bool = True,
    table: bool | None = None,
    when: frozenset[str] = RUNNING,
    host: bool = False,
) -> Iterator[Game]:
    """Yield a game that nobody else can change meanwhile. Whatever is raised inside takes everything back.

    `dice`: the change is one of the shot or its legal moves, so the form's version must be the present one, and forms
    made before it are stale. `table`: it is one of something else; unless given, where it is none of the dice.
    `when`: the states of a game in which it is allowed. `host`: only the host may.
    Raises a `Refusal`, or `AlreadyDone` for a retry of what was applied.
    """
    with bump_version(code, table=not dice if table is None else table) as game:
        # The key before the version: a retry has to succeed although its own move has made the form an old one.
        if command.visitor is not None:
            use_up_key(game, command.visitor, command)
        visitor = require_part(game, command.visitor)
        if host and host_of(game) != visitor.pk:
            raise NotForYou
        if host and game.host_id != visitor.pk:
            make_host(game, visitor)
        if game.status not in when:
            raise refusal_of_status(game)
        check_version(game, command, dice)
        mark_seen(game, visitor)
        yield game


@contextlib.contextmanager
def bump_version(code: str, *, table: bool = True) -> Iterator[Game]:
    """Yield the game, locked by raising its version; open pages hear of it when it has been written.

    `table`: something beside the dice changes, so that pages fetch more than a move's regions.
    Raises `NoSuchGame`. No network, template or mail belongs inside: everybody else waits.
    """
    with write_lock(), transaction.atomic():
        if not Game.raise_version(code, table=table):
            raise NoSuchGame
        game = Game.by_code(code)
        assert game is not None  # its version was raised just now
        was = game.status
        yield game
        if game.status == Game.Status.FINISHED != was:
            begin_review(game)
        live.announce_version(game)


def require_part(game: Game, visitor: Visitor | None) -> Visitor:
    """Return the visitor, who has a part in this game. Raises `NotYourSeat`, or `NoSuchGame` for a private game."""
    if visitor is None or not has_part(game, visitor):
        raise NotYourSeat if game.watching else NoSuchGame
    if has_lapsed(game):
        raise NoSuchGame
    return visitor


def has_part(game: Game, visitor: Visitor | None) -> bool:
    """Return whether this visitor holds a seat or is the host, who may have none."""
    return visitor is not None and visitor.pk in game.belonging


def has_lapsed(game: Game) -> bool:
    """Return whether nobody started the game within a week: then it is gone, tidied away or not."""
    return game.status == Game.Status.WAITING and timezone.now() - game.created > WAITING_LASTS


def refusal_of_status(game: Game) -> Refusal:
    """Return why it is not the time for a command."""
    if game.is_over:
        return GameOver()
    return NotStarted() if game.status == Game.Status.WAITING else AlreadyStarted()


def mark_seen(game: Game, visitor: Visitor) -> None:
    """Write that somebody is there, at most every few seconds."""
    now = timezone.now()
    mine = [seat for seat in game.seats if seat.visitor_id == visitor.pk]
    if any(seat.seen is None or now - seat.seen > SEEN_AGAIN for seat in mine):
        game.players.filter(visitor=visitor).update(seen=now)
        for seat in mine:
            seat.seen = now  # these rows may be saved with what else changes


def check_version(game: Game, command: Command, dice: bool) -> None:
    """Refuse a move that was not made from the board as it is: on the last change of the dice or a later one."""
    if command.version is not None and command.version >= game.version:
        raise UnknownVersion
    if dice:
        if command.is_older_than_dice(game):
            raise StaleMove
        mark_dice_changed(game)


def mark_dice_changed(game: Game) -> None:
    """Make older forms stale, for the dice or the legal moves change. Whoever asked for an undo is too late."""
    if game.asking:
        log_change(game, "expired", game.asking, question=game.question)
    game.dice_version = game.version
    game.dice_changed_at = timezone.now()
    game.asking = None


def use_up_key(game: Game, visitor: Visitor, command: Command) -> None:
    """Use up the form's key. Raises `AlreadyDone` where this form has been applied, `KeyUsed` where another one has.

    It comes first: a retry must succeed where the version has moved on, and also where what was done took away the
    right to do it, as leaving does.
    """
    before = REQUEST.first(game.pk, visitor.pk, command.key)
    if before:
        raise AlreadyDone if before.digest == command.digest else KeyUsed
    insert_row(Request(game=game, visitor=visitor, key=command.key, digest=command.digest))


REQUEST = CompiledQuery(
    lambda game, visitor, key: Request.objects.filter(game=game, visitor=visitor, key=key), -1, -2, "key"
)


def follow_link(
    browser: Browser, key: str, digest: str, find: Callable[[], Link], change: Callable[[Game, Link, Visitor], None]
) -> Game:
    """Return the game to which a link leads, changed as it offers; the same form again leads to the same game.

    Raises what `find` and `change` raise. The link is found again under the lock: of two at once one gets the offer.
    """
    visitor = browser.visitor()
    used = visitor and visitor.requests.select_related("game").filter(key=key, digest=digest).first()
    if used and used.game:
        return used.game
    offered = find().game
    with contextlib.suppress(AlreadyDone), bump_version(offered.code) as game:
        link, visitor = find(), browser.visitor_or_new()
        use_up_key(game, visitor, Command(visitor, key, None, digest))
        change(game, link, visitor)
        return game
    return offered


def host_of(game: Game) -> int | None:
    """Return the visitor who has the host's powers now. Counted on reading: nobody has to notice that the host left.

    Once a running game's host has been silent for ten minutes, it is whoever sits there longest of those who play
    and are not silent.
    """
    others = [seat for seat in game.seats if seat.visitor_id not in (None, game.host_id)]
    if game.status != Game.Status.RUNNING or not others or not has_gone_silent(game, game.host_id):
        return game.host_id
    there = [seat for seat in others if seat.active and not seat.level and not has_gone_silent(game, seat.visitor_id)]
    return min(there, key=lambda seat: seat.pk).visitor_id if there else game.host_id


def has_gone_silent(game: Game, visitor: int | None) -> bool:
    """Return whether nothing was heard of a visitor for ten minutes."""
    seats = [seat.seen for seat in game.seats if seat.visitor_id == visitor]
    heard = seats or ([game.host.seen] if game.host and game.host_id == visitor else [])  # a host may have no seat
    return timezone.now() - max([*filter(None, heard), game.created]) > HOST_SILENT


def make_host(game: Game, visitor: Visitor) -> None:
    """Give the host's powers to this visitor, and log it."""
    game.host = visitor
    game.save(update_fields=["host"])
    log_change(game, "host", next((seat for seat in game.seats if seat.visitor_id == visitor.pk), None))


def log_change(game: Game, kind: str, player: Player | None = None, **data: object) -> None:
    """Write an act beside the dice for the log. It is no part of the game file."""
    game.place += 1
    game.save(update_fields=["place"])
    game.changes.create(place=game.place, kind=kind, player=player, data=data)
