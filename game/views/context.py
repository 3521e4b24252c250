"""Template context of several views: the preferences for every page, colours and stream for those of a game."""

from django.http import HttpRequest

from game import live
from game.identity import PageRequest
from game.models import Game
from game.pages.game_list import find_own_seats
from game.pages.parts.colours import list_seat_colours, read_colour
from game.prefs import Prefs
from game.services import has_part
from game.views.calls import is_private_line


def add_prefs(request: HttpRequest) -> dict[str, Prefs]:
    """Return what the templates of all pages read."""
    return {"prefs": Prefs.of(request)}


def list_colours_for(request: PageRequest, game: Game) -> tuple[int, ...]:
    """Return the colours of all seats, 1 to 8, as somebody at this browser sees them."""
    own = find_own_seats(request.browser.visitor(), game.seats)
    return list_seat_colours(game.seats, own, read_colour(Prefs.of(request).colour))


def add_stream(request: PageRequest, game: Game) -> dict[str, object]:
    """Return the stream's URL, whether the viewer takes part and can be called, and whether it is the table view.

    Also note the presence of a viewer who takes part.
    """
    visitor = request.browser.visitor()
    seated = has_part(game, visitor)
    if visitor and seated:
        live.note_heard(game, visitor)
    return {
        "stream": live.make_stream_address(game.code, request.browser, visitor if seated else None),
        "seated": seated,
        "can_call": is_private_line(request),
        "big": "big" in request.GET,
    }
