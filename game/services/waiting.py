"""A game before its first throw: who sits where, by invite or on the host's device, their words, and the start."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.utils import timezone

from game.identity import Browser
from game.models import Game, Invite, Player, Visitor
from game.rules import Entry, new_game
from game.rules.names import check_free, clean_name, is_computer_name
from game.rules.play.start import DEFAULT_LEVEL
from game.services.dice import fix_words
from game.services.games import begin_play, throw_for_start
from game.services.path import WAITING, Asked, change, note, raised, remember
from game.services.refusals import (
    AlreadyStarted,
    CannotStart,
    Full,
    LinkEnded,
    NotForYou,
    NotYourSeat,
    SeatTaken,
)
from game.services.shots import Done

INVITE_LASTS = timedelta(days=7)
WORD_LONGEST = 64


def invite_of(token: str) -> Invite:
    """The invite behind a link. Raises `LinkEnded` where it is renewed, used up by the start, or too old."""
    invite = Invite.objects.select_related("game").filter(token=token).first()
    if invite is None or timezone.now() - invite.created > INVITE_LASTS:
        raise LinkEnded(LinkEnded.INVITE)
    return invite


def sit(browser: Browser, token: str, key: str, digest: str, name: str, seat: int | None = None) -> Game:
    """Takes a seat by invite: the free one that was asked for, or a new one under this name.

    Raises `LinkEnded`, `SeatTaken` where somebody was quicker, `Full`, and `IllegalMove` for the name.
    """
    with raised(invite_of(token).game.code) as game:
        invite_of(token)  # once more, now that nobody can change it meanwhile
        if game.status != Game.Status.WAITING:
            raise AlreadyStarted
        visitor = browser.visitor_or_new()
        remember(game, visitor, Asked(visitor, key, None, digest))
        if seat is None:
            add(game, name.strip().lstrip("*"), "", visitor)  # a guest is a person
        else:
            claim_seat(game, seat, visitor)
        game.moved = game.version
        game.save(update_fields=["moved", "touched"])
        return game


def claim_seat(game: Game, seat: int, visitor: Visitor) -> None:
    """A place that the host kept free under somebody's name."""
    wanted = next((row for row in game.seats if row.seat == seat), None)
    if wanted is None or wanted.level or wanted.visitor_id is not None:
        raise SeatTaken
    wanted.visitor, wanted.seen = visitor, timezone.now()
    wanted.save(update_fields=["visitor", "seen"])


def add_seat(code: str, asked: Asked, name: str, level: str | None, *, free: bool = False) -> Done:
    """A seat more, for the host: on the host's own device, for a computer, or kept `free` for somebody's invite."""
    with change(code, asked, when=WAITING, host=True) as game:
        add(game, name, level or "", None if free else asked.visitor)
        return saved(game)


def add(game: Game, name: str, level: str, visitor: Visitor | None) -> None:
    if len(game.seats) >= game.rules.max_players:
        raise Full
    name = clean_name(name)
    if is_computer_name(name):
        level = level or DEFAULT_LEVEL
    check_free(name, [row.name for row in game.seats])
    here = timezone.now() if visitor and not level else None
    game.players.create(seat=len(game.seats), name=name, level=level, visitor=visitor, seen=here)
    del game.seats


def remove_seat(code: str, asked: Asked, seat: int) -> Done:
    """A seat less: the host may remove any, everybody else leave their own."""
    with change(code, asked, when=WAITING) as game:
        row = seat_of(game, asked, seat)
        name = row.name
        row.delete()
        del game.seats
        number(game, game.seats)
        note(game, "removed", None, name=name)
        return saved(game)


def move_seat(code: str, asked: Asked, seat: int, by: int) -> Done:
    """Another order of play: this seat changes places with the one before (-1) or after it (1)."""
    with change(code, asked, when=WAITING, host=True) as game:
        rows, to = list(game.seats), seat + by
        if 0 <= seat < len(rows) and 0 <= to < len(rows):
            rows[seat], rows[to] = rows[to], rows[seat]
            number(game, rows)
        return saved(game)


def number(game: Game, rows: Sequence[Player]) -> None:
    """Seats 0, 1, 2 … in this order. Far away first, since no two rows may share a number on the way."""
    for place, row in enumerate(rows):
        game.players.filter(pk=row.pk).update(seat=1000 + place)
    for place, row in enumerate(rows):
        game.players.filter(pk=row.pk).update(seat=place)
    del game.seats


def rename_waiting(code: str, asked: Asked, seat: int, name: str) -> Done:
    with change(code, asked, when=WAITING) as game:
        row = seat_of(game, asked, seat)
        name = clean_name(name)
        check_free(name, [other.name for other in game.seats if other is not row])
        if is_computer_name(name) != is_computer_name(row.name):
            row.level = DEFAULT_LEVEL if is_computer_name(name) else ""
        row.name = name
        row.save(update_fields=["name", "level"])
        return saved(game)


def set_word(code: str, asked: Asked, seat: int, word: str) -> Done:
    """What a person puts into the dice after the seal was shown. Nobody types it for somebody else."""
    with change(code, asked, dice=False, when=WAITING) as game:
        row = next((row for row in game.seats if row.seat == seat), None)
        if row is None or row.level or row.visitor_id != (asked.visitor and asked.visitor.pk):
            raise NotYourSeat
        row.word = word
        row.save(update_fields=["word"])
        return game, ()


def seat_of(game: Game, asked: Asked, seat: int) -> Player:
    """A seat that this visitor may change: his own, or any for the host. Another person's name stays that person's."""
    row = next((row for row in game.seats if row.seat == seat), None)
    visitor = asked.visitor.pk if asked.visitor else None
    if row is None or visitor not in (row.visitor_id, game.host_id):
        raise NotForYou
    return row


def saved(game: Game) -> Done:
    game.save(update_fields=["moved", "dealt", "asks_undo", "touched"])
    return game, ()


def start(code: str, asked: Asked) -> Done:
    """The first turn begins: the words are fixed, the invite ends. Raises `CannotStart` with what is missing."""
    with change(code, asked, when=WAITING, host=True) as game:
        free = [row.name for row in game.seats if row.visitor_id is None and not row.level]
        if free:
            raise CannotStart(CannotStart.FREE % {"name": free[0]})
        if len(game.seats) < game.rules.min_players:
            raise CannotStart(CannotStart.FEW)
        entries = [Entry(row.name, row.level or None) for row in game.seats]
        step = new_game(game.rules, entries, target=game.target, mode=game.mode)
        Invite.objects.filter(game=game).delete()
        fix_words(game)
        begin_play(game, step.state)
        throw_for_start(game)
        return game, step.events


def renew_invite(code: str, asked: Asked) -> Done:
    """Another link; the one before seats nobody any more."""
    with change(code, asked, dice=False, when=WAITING, host=True) as game:
        Invite.objects.filter(game=game).delete()
        Invite.objects.create(game=game)
        note(game, "links")
        return game, ()
