"""Who played last at a browser, so that the next game can begin with them."""

from dataclasses import dataclass

from game.history.lists import list_recent_games
from game.models import Game, Player, Visitor

LOOKED_THROUGH = 12  # how many of the newest games are searched for one of the right kind


@dataclass(frozen=True)
class LastTable:
    """Who played last at a browser, computers among them, and in which game."""

    game: Game
    seats: tuple[Player, ...]


def find_last_table(visitor: Visitor | None, way: str = "") -> LastTable | None:
    """Return who played last at this browser, or None. At most two queries.

    `way`: only a game of several people at one device ('phone', 'score'), or one with a computer ('computer').
    """
    for game in list_recent_games(visitor, LOOKED_THROUGH):
        if game.status == Game.Status.WAITING:
            continue
        people = [seat for seat in game.seats if visitor and seat.visitor_id == visitor.pk and seat.is_person]
        computers = [seat for seat in game.seats if not seat.is_person]
        fits = {"phone": len(people) > 1, "score": len(people) > 1, "computer": bool(computers)}
        if people and fits.get(way, True):
            return LastTable(game, tuple(seat for seat in game.seats if seat in people or seat in computers))
    return None
