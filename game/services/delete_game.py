"""Getting rid of games: they are ended or deleted if nobody else sits in them, else left to the others."""

from functools import partial

from django.db import transaction

from game.models import Game, Request, Visitor
from game.picture_cache import forget_pictures
from game.rules import StepOut
from game.services.calls import forget_calls
from game.services.consent import end_unanswerable_question
from game.services.lobby import drop_seat, save_arrangement
from game.services.refusals import AlreadyDone, NoSuchGame, NotForYou
from game.services.seat_changes import apply_change, end_question, list_seats_of_people
from game.services.transaction import RUNNING, Command, locked_change, make_host


def is_deleted_for_all(game: Game, visitor: Visitor) -> bool:
    """Return whether the game itself would go: this visitor or nobody hosts it, and no other visitor holds a seat."""
    return game.host_id in (None, visitor.pk) and not list_other_visitors(game, visitor)


def list_other_visitors(game: Game, visitor: Visitor) -> list[int]:
    """Return the primary keys of the other visitors with seats, one for each seat, in seating order."""
    return [seat.visitor_id for seat in game.seats if seat.visitor_id not in (None, visitor.pk)]


def delete_game(code: str, command: Command) -> None:
    """Delete a game, or leave it to the others who sit in it, which in a running game means to resign.

    Raises a `Refusal` for spectators, and `AlreadyDone` for a retry.
    """
    try:
        with locked_change(code, command, dice=False, when=Game.OPEN | Game.OVER) as game:
            delete_or_leave(game, command.known_visitor)
    except NoSuchGame as gone:
        same = Request.objects.filter(visitor=command.visitor, key=command.key, digest=command.digest)
        if same.filter(game=None).exists():  # it was this form that deleted its game
            raise AlreadyDone from gone
        raise


def leave_to_others(code: str, command: Command) -> None:
    """Leave a game to the others who sit in it. Raises a `Refusal`, also if nobody would be left.

    The game would be deleted then, and whoever was asked only whether to resign has not agreed to that.
    """
    with locked_change(code, command, dice=False, when=Game.OPEN | Game.OVER) as game:
        if is_deleted_for_all(game, command.known_visitor):
            raise NotForYou(NotForYou.ALONE)
        delete_or_leave(game, command.known_visitor)


def end_game(code: str, command: Command) -> None:
    """End a running game in which nobody else sits: nobody wins, and it can still be viewed. Raises a `Refusal`."""
    with locked_change(code, command, dice=False, when=RUNNING) as game:
        if not is_deleted_for_all(game, command.known_visitor):
            raise NotForYou(NotForYou.TOGETHER)
        abandon_game(game)


def abandon_game(game: Game) -> None:
    """Mark a running game as abandoned. Call it within the transaction that changes the game."""
    game.status = Game.Status.ABANDONED
    game.dice_version = game.version
    game.asking = None
    game.save(update_fields=["status", "dice_version", "asking"])


def delete_or_leave(game: Game, visitor: Visitor) -> None:
    """Delete the game, or take this visitor out of it, so that nobody waits for their turn.

    The first other visitor with a seat becomes the host in their place.
    Call it within the transaction that changes the game.
    """
    if is_deleted_for_all(game, visitor):
        Game.objects.filter(pk=game.pk).delete()
        transaction.on_commit(partial(forget_pictures, f"game{game.pk}"))
        return
    if game.host_id == visitor.pk:
        make_host(game, Visitor.objects.get(pk=list_other_visitors(game, visitor)[0]))
    for seat in list_seats_of_people(game, visitor):
        if game.status == Game.Status.WAITING:  # where a seat that nobody holds is one saved for a friend
            drop_seat(game, seat, left=True)
            save_arrangement(game)
        elif seat.active and game.status == Game.Status.RUNNING:  # until the last one to step out ends it
            apply_change(game, StepOut(seat.seat))
    leave_game(game, visitor)


def leave_game(game: Game, visitor: Visitor) -> None:
    """Give up this visitor's seats. Their computers go to the first other visitor with a seat."""
    heir = next(iter(list_other_visitors(game, visitor)), None)
    mine = game.players.filter(visitor=visitor)
    forget_calls(mine)
    if game.asking and game.asking.visitor_id == visitor.pk:
        end_question(game)
    # A person's seat that a computer plays is left to nobody; otherwise the heir could take it over.
    mine.filter(pk__in=[seat.pk for seat in list_seats_of_people(game, visitor)]).update(visitor=None)
    mine.update(visitor=heir)
    end_unanswerable_question(game)
