"""The one way to write a game: lock it, check the request's key, the seat, the status and the version, then write."""

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
from game.models.compiled import insert_row
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
SEEN_AGAIN = timedelta(seconds=20)
HOST_SILENT = timedelta(minutes=10)


@dataclass(frozen=True)
class Command:
    """What came with a form: who sent it, its key, the version it was made from and a digest of its content."""

    visitor: Visitor | None
    key: str
    version: int | None  # None if the form does not depend on the game's state
    digest: str

    @property
    def who(self) -> int | None:
        """The primary key of the visitor; None for a browser that has none."""
        return self.visitor.pk if self.visitor else None

    @property
    def known_visitor(self) -> Visitor:
        """The visitor within a `locked_change`, which lets nobody in without a part in the game."""
        assert self.visitor is not None
        return self.visitor

    def is_older_than_dice(self, game: Game) -> bool:
        """Return whether the dice or legal moves have changed since the form was made; True for one without version."""
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
    """Yield a game, locked against other changes. An exception inside rolls everything back.

    `dice`: the change concerns the shot or its legal moves, so the form's version must be current, and older forms
    become stale. `table`: it concerns something else; by default, whenever `dice` is false. `when`: the statuses
    of a game in which it is allowed. `host`: only the host may. Raises a `Refusal`, or `AlreadyDone` for a retry.
    """
    with bump_version(code, table=not dice if table is None else table) as game:
        # The key before the version: a retry must succeed although its own move has made the form stale.
        if command.visitor is not None:
            use_up_key(game, command.visitor, command)
        visitor = require_part(game, command.visitor)
        if host:
            require_host(game, visitor)
        if game.status not in when:
            raise explain_status(game)
        check_version(game, command, dice)
        mark_seen(game, visitor)
        yield game


@contextlib.contextmanager
def bump_version(code: str, *, table: bool = True) -> Iterator[Game]:
    """Yield the game, locked by raising its version; open pages hear of it on commit.

    `table`: something beside the dice changes, so pages fetch more regions than after a move.
    Raises `NoSuchGame`. Use no network, templates or mail inside, because everybody else is waiting.
    """
    with write_lock(), transaction.atomic():
        game = Game.raise_version(code, table=table)
        if game is None:
            raise NoSuchGame
        was = game.status
        yield game
        if game.status == Game.Status.FINISHED != was:
            begin_review(game)
        live.announce_version(game)


def find_own_game(code: str, visitor: Visitor | None) -> tuple[Game, Visitor]:
    """Return a game as it is now, and the visitor, who has a part in it. Raises `NotYourSeat` or `NoSuchGame`."""
    game = Game.by_code(code)
    if game is None:
        raise NoSuchGame
    return game, require_part(game, visitor)


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


def may_see(game: Game, visitor: Visitor | None) -> bool:
    """Return whether the game is open to spectators, or the visitor has a part in it; never if it has lapsed."""
    return not has_lapsed(game) and (game.watching or has_part(game, visitor))


def has_lapsed(game: Game) -> bool:
    """Return whether nobody started the game within a week: then it counts as gone, even if not deleted yet."""
    return game.status == Game.Status.WAITING and timezone.now() - game.created > Game.WAITING_LASTS


def explain_status(game: Game) -> Refusal:
    """Return why a command comes at the wrong time."""
    if game.is_over:
        return GameOver()
    return NotStarted() if game.status == Game.Status.WAITING else AlreadyStarted()


def mark_seen(game: Game, visitor: Visitor) -> None:
    """Record that the visitor is there, at most once every `SEEN_AGAIN`."""
    now = timezone.now()
    mine = [seat for seat in game.seats if seat.visitor_id == visitor.pk]
    if any(seat.seen is None or now - seat.seen > SEEN_AGAIN for seat in mine):
        game.players.filter(visitor=visitor).update(seen=now)
        for seat in mine:
            seat.seen = now  # these rows may be saved along with other changes


def check_version(game: Game, command: Command, dice: bool) -> None:
    """Raise `UnknownVersion` for a form's version that the game has not reached yet.

    `dice`: also raise `StaleMove` if the form is older than the last change of the dice; else make older forms stale.
    """
    if command.version is not None and command.version >= game.version:
        raise UnknownVersion
    if dice:
        if command.is_older_than_dice(game):
            raise StaleMove
        mark_dice_changed(game)


def mark_dice_changed(game: Game) -> None:
    """Make older forms stale, because the dice or the legal moves change. A pending question lapses."""
    if game.asking:
        log_change(game, "expired", game.asking, question=game.question)
    game.dice_version = game.version
    game.dice_changed_at = timezone.now()
    game.asking = None


def use_up_key(game: Game, visitor: Visitor, command: Command) -> None:
    """Use up the form's key. Raises `AlreadyDone` if this form was applied before, `KeyUsed` if another one was.

    It comes first: a retry must succeed although the version has moved on, even if the action removed the right to
    repeat it, as leaving does.
    """
    request = Request(game=game, visitor=visitor, key=command.key, digest=command.digest)
    if not insert_row(request, unless_there=True):
        before = Request.objects.get(game=game, visitor=visitor, key=command.key)
        raise AlreadyDone if before.digest == command.digest else KeyUsed


def follow_link(
    browser: Browser, key: str, digest: str, find: Callable[[], Link], change: Callable[[Game, Link, Visitor], None]
) -> Game:
    """Return the game behind a link, changed as the link offers; the same form again leads to the same game.

    Raises what `find` and `change` raise. The link is looked up again under the lock: of two simultaneous uses only one
    succeeds.
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


def require_host(game: Game, visitor: Visitor) -> None:
    """Raise `NotForYou` unless this visitor has the host's powers. Whoever uses those of an absent host keeps them."""
    if find_host(game, visitor.pk) != visitor.pk:
        raise NotForYou
    if game.host_id != visitor.pk:
        make_host(game, visitor)


def find_host(game: Game, present: int | None = None) -> int | None:
    """Return the primary key of the visitor who has the host's powers now; None if nobody has.

    Once the host of a game that is not over has been silent for ten minutes, this is the active player who has sat
    there longest. It is worked out whenever it is read, so nobody has to notice that the host left. `present`: whoever
    asks, and so is there, even if that is not recorded yet: a host who comes back has the powers at once.
    """

    def is_silent(visitor: int | None) -> bool:
        return visitor != present and has_gone_silent(game, visitor)

    others = [seat for seat in game.seats if seat.visitor_id not in (None, game.host_id)]
    if game.is_over or not others or not is_silent(game.host_id):
        return game.host_id
    there = [seat for seat in others if seat.active and not seat.level and not is_silent(seat.visitor_id)]
    return min(there, key=lambda seat: seat.pk).visitor_id if there else game.host_id


def has_gone_silent(game: Game, visitor: int | None) -> bool:
    """Return whether a visitor has been silent for ten minutes."""
    seats = [seat.seen for seat in game.seats if seat.visitor_id == visitor]
    heard = seats or ([game.host.seen] if game.host and game.host_id == visitor else [])  # a host may have no seat
    return timezone.now() - max([*filter(None, heard), game.created]) > HOST_SILENT


def make_host(game: Game, visitor: Visitor) -> None:
    """Give the host's powers to this visitor, and log it under the name of a person, if one of their seats has one."""
    game.host = visitor
    game.save(update_fields=["host"])
    theirs = (seat for seat in game.seats if seat.visitor_id == visitor.pk)
    log_change(game, "host", min(theirs, key=lambda seat: not seat.is_person, default=None))


def log_change(game: Game, kind: str, player: Player | None = None, **data: object) -> None:
    """Log something done apart from the dice. It is not part of the game file."""
    game.place += 1
    game.save(update_fields=["place"])
    game.changes.create(place=game.place, kind=kind, player=player, data=data | {"version": game.version})
