"""Which colour each seat of a game has on the pages of this browser."""

from game.identity import PageRequest
from game.models import Game
from game.pages.game_list import find_own_seats
from game.pages.parts.colours import read_colour, share_out_colours
from game.prefs import Prefs


def list_seat_colours(request: PageRequest, game: Game) -> tuple[int, ...]:
    """Return the colours of all seats, as everybody sees them.

    A single player at this browser without a chosen colour at this table sees their own seat in their preferred one.
    """
    chosen = [seat.colour for seat in game.seats]
    liked = read_colour(Prefs.of(request).colour)
    mine = find_own_seats(request.browser.visitor(), game.seats)
    if len(mine) == 1 and liked and not chosen[mine[0].seat] and liked not in chosen:
        chosen[mine[0].seat] = liked
    return share_out_colours(chosen)
