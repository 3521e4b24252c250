"""What the host may do in a running game: act for somebody who went away, and say who may watch."""

from datetime import timedelta

from django.utils import timezone

from game.models import Game, Player
from game.rules import Hand, Skip
from game.services.lobby import is_held_by
from game.services.refusals import ComputersShot, NotForYou, NotSilent, StaleMove
from game.services.seat_changes import apply_change
from game.services.shots import GameAndEvents
from game.services.transaction import Command, locked_change, log_change, make_host
from game.storage import load_state

PLAYER_SILENT = timedelta(minutes=3)


def is_silent(game: Game) -> bool:
    """Return whether the player who is due has been silent for three minutes, so that the host may act for them."""
    return game.status == Game.Status.RUNNING and timezone.now() - game.dice_changed_at > PLAYER_SILENT


def skip_player(code: str, command: Command) -> GameAndEvents:
    """Skip a person who is due and silent. Raises a `Refusal`."""
    with locked_change(code, command, dice=False, host=True) as game:
        require_silent_seat(game, command)
        return apply_change(game, Skip())


def hand_to_computer(code: str, command: Command, level: str) -> GameAndEvents:
    """Let a computer play for a person who is due and silent, until the person takes the seat back.

    Raises a `Refusal`.
    """
    with locked_change(code, command, dice=False, host=True) as game:
        return apply_change(game, Hand(require_silent_seat(game, command).seat, level))


def require_silent_seat(game: Game, command: Command) -> Player:
    """Return the seat that is due and silent.

    Raises `NotSilent`, `ComputersShot`, or `StaleMove` if it was somebody else's turn.
    """
    if command.is_older_than_dice(game):
        raise StaleMove
    seat = game.seats[load_state(game).player]
    if seat.level:
        raise ComputersShot(name=seat.name)
    if not is_silent(game):
        raise NotSilent(name=seat.name)
    return seat


def take_back_seat(code: str, command: Command, seat: int) -> GameAndEvents:
    """Let a person play again after a computer stood in. Raises a `Refusal`, also for a computer's own seat."""
    with locked_change(code, command, dice=False) as game:
        row = game.seats[seat] if seat < len(game.seats) else None
        if row is None or not is_held_by(row, command) or not row.is_person:
            raise NotForYou(NotForYou.SEAT)
        return apply_change(game, Hand(seat, None)) if row.level else (game, ())


def change_host(code: str, command: Command, seat: int) -> GameAndEvents:
    """Give the host's powers to the person in this seat. Raises a `Refusal`."""
    with locked_change(code, command, dice=False, when=Game.OPEN, host=True) as game:
        row = game.seats[seat] if seat < len(game.seats) else None
        if row is None or row.level or row.visitor is None:
            raise NotForYou(NotForYou.NOBODY)
        if row.visitor_id != game.host_id:
            make_host(game, row.visitor)
        return game, ()


def set_watching(code: str, command: Command, allowed: bool) -> GameAndEvents:
    """Allow spectators, or make the game private. Raises a `Refusal`."""
    with locked_change(code, command, dice=False, when=Game.OPEN | Game.OVER, host=True) as game:
        if game.watching != allowed:
            game.watching = allowed
            game.save(update_fields=["watching"])
            log_change(game, "watching", None, value=allowed)
        return game, ()
