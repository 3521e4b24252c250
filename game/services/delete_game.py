"""Games that somebody wants to be rid of: gone for all where nobody else sits in them, else off this one list."""

from __future__ import annotations

from game.models import Game, Request, Visitor
from game.services.refusals import AlreadyDone, NoSuchGame
from game.services.transaction import WAITING, Asked, change


def goes_for_all(game: Game, visitor: Visitor) -> bool:
    """Whether the game itself goes: it is the host's or nobody's, and no other visitor holds a seat in it."""
    return game.host_id in (None, visitor.pk) and not others(game, visitor)


def others(game: Game, visitor: Visitor) -> list[int]:
    """The other visitors with seats, in seating order."""
    return [seat.visitor_id for seat in game.seats if seat.visitor_id not in (None, visitor.pk)]


def delete(code: str, asked: Asked) -> None:
    """Deletes a game that is over or has not begun, or leaves it to the others who sit in it.

    Raises a `Refusal` for a running game and for watchers, and `AlreadyDone` for a retry.
    """
    try:
        with change(code, asked, dice=False, when=WAITING | Game.OVER) as game:
            assert asked.visitor is not None  # `change` lets nobody in without a part in the game
            let_go(game, asked.visitor)
    except NoSuchGame as gone:
        if went_by(asked):
            raise AlreadyDone from gone
        raise


def went_by(asked: Asked) -> bool:
    """Whether it was this form that deleted its game."""
    same = Request.objects.filter(visitor=asked.visitor, key=asked.key, digest=asked.digest)
    return same.filter(game=None).exists()


def let_go(game: Game, visitor: Visitor) -> None:
    """Within the transaction that changes the game."""
    if goes_for_all(game, visitor):
        Game.objects.filter(pk=game.pk).delete()
    else:
        leave(game, visitor)


def leave(game: Game, visitor: Visitor) -> None:
    """This visitor's seats become nobody's. Its computers, and the host's role, go to the next who sits there."""
    heir = next(iter(others(game, visitor)), None)
    mine = game.players.filter(visitor=visitor)
    mine.exclude(level="").update(visitor=heir)
    mine.filter(level="").update(visitor=None)
    if game.host_id == visitor.pk:
        game.host_id = heir
        game.save(update_fields=["host"])
    del game.seats
