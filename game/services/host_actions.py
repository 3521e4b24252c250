"""What the host may do in a running game for somebody who went away, and who may watch."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from game.models import Game, Player
from game.rules import Hand, Skip
from game.rules.names import is_computer_name
from game.services.refusals import NotForYou, NotSilent, StaleMove
from game.services.seat_changes import written
from game.services.shots import Done
from game.services.transaction import Asked, change, make_host, note
from game.services.waiting import held_by

SILENT = timedelta(minutes=3)


def is_silent(game: Game) -> bool:
    """Whether the person whose turn it is has done nothing for three minutes: then the host may go on without."""
    return timezone.now() - game.dealt > SILENT


def skip(code: str, asked: Asked) -> Done:
    """Passes over a person who is due and silent."""
    with change(code, asked, dice=False, host=True) as game:
        silent_seat(game, asked)
        return written(game, Skip())


def hand_to_computer(code: str, asked: Asked, level: str) -> Done:
    """A computer plays for a person who is due and silent, until the person takes the seat back."""
    with change(code, asked, dice=False, host=True) as game:
        return written(game, Hand(silent_seat(game, asked).seat, level))


def silent_seat(game: Game, asked: Asked) -> Player:
    if asked.version is None or asked.version < game.moved:
        raise StaleMove
    seat = game.seats[game.state().player]
    if seat.level or not is_silent(game):
        raise NotSilent(seat.name)
    return seat


def take_back_seat(code: str, asked: Asked, seat: int) -> Done:
    """The person for whom a computer played plays again. A computer's own seat is nobody's to take, nor its level."""
    with change(code, asked, dice=False) as game:
        row = game.seats[seat] if seat < len(game.seats) else None
        if row is None or not held_by(row, asked) or is_computer_name(row.name):
            raise NotForYou(NotForYou.SEAT)
        return written(game, Hand(seat, None)) if row.level else (game, ())


def hand_over(code: str, asked: Asked, seat: int) -> Done:
    """The host's powers go to the person in this seat."""
    with change(code, asked, dice=False, when=Game.OPEN, host=True) as game:
        row = game.seats[seat] if seat < len(game.seats) else None
        if row is None or row.level or row.visitor is None:
            raise NotForYou(NotForYou.NOBODY)
        if row.visitor_id != game.host_id:
            make_host(game, row.visitor)
        return game, ()


def set_watching(code: str, asked: Asked, allowed: bool) -> Done:
    """Whether others than the players may see the game."""
    with change(code, asked, dice=False, when=Game.OPEN | Game.OVER, host=True) as game:
        if game.watching != allowed:
            game.watching = allowed
            game.save(update_fields=["watching"])
            note(game, "watching", None, value=allowed)
        return game, ()
