"""Games that somebody wants to be rid of: deleted where nobody else sits in them, else taken off this one list."""

from game.models import Game, Request, Visitor
from game.services.refusals import AlreadyDone, NoSuchGame
from game.services.transaction import WAITING, Command, locked_change


def is_deleted_for_all(game: Game, visitor: Visitor) -> bool:
    """Return whether the game itself goes: it is the host's or nobody's, and no other visitor holds a seat in it."""
    return game.host_id in (None, visitor.pk) and not other_visitors(game, visitor)


def other_visitors(game: Game, visitor: Visitor) -> list[int]:
    """Return the other visitors with seats, in seating order."""
    return [seat.visitor_id for seat in game.seats if seat.visitor_id not in (None, visitor.pk)]


def delete_game(code: str, command: Command) -> None:
    """Delete a game that is over or has not begun, or leave it to the others who sit in it.

    Raises a `Refusal` for a running game and for spectators, and `AlreadyDone` for a retry.
    """
    try:
        with locked_change(code, command, dice=False, when=WAITING | Game.OVER) as game:
            assert command.visitor is not None  # `locked_change` lets nobody in without a part in the game
            delete_or_leave(game, command.visitor)
    except NoSuchGame as gone:
        same = Request.objects.filter(visitor=command.visitor, key=command.key, digest=command.digest)
        if same.filter(game=None).exists():  # it was this form that deleted its game
            raise AlreadyDone from gone
        raise


def delete_or_leave(game: Game, visitor: Visitor) -> None:
    """Delete the game, or take this visitor out of it. Call it within the transaction that changes the game."""
    if is_deleted_for_all(game, visitor):
        Game.objects.filter(pk=game.pk).delete()
    else:
        leave_game(game, visitor)


def leave_game(game: Game, visitor: Visitor) -> None:
    """Give up this visitor's seats. Its computers, and the host's role, go to the next who sits there."""
    heir = next(iter(other_visitors(game, visitor)), None)
    mine = game.players.filter(visitor=visitor)
    mine.exclude(level="").update(visitor=heir)
    mine.filter(level="").update(visitor=None)
    if game.host_id == visitor.pk:
        game.host_id = heir
        game.save(update_fields=["host"])
    del game.seats
