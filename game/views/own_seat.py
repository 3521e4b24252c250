"""Which seat of a game is the visitor's own: pages show it in the colour that they have chosen."""

from game.identity import PageRequest
from game.models import Game
from game.pages.game_list import find_own_seats


def find_own_seat(request: PageRequest, game: Game) -> int | None:
    """Return the seat, from 1, of somebody who plays alone at this browser; None for nobody or several."""
    mine = find_own_seats(request.browser.visitor(), game.seats)
    return mine[0].seat + 1 if len(mine) == 1 else None
