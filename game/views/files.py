"""Downloads of a game: the game file, and its turns as a table for spreadsheets."""

from collections.abc import Callable

from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from game.history.archive import write_game
from game.history.spreadsheets import write_turns
from game.identity import PageRequest
from game.models import Game
from game.services import NotYourSeat
from game.views.game import get_game_or_404, show_game
from game.views.responses import attach


@require_safe
@never_cache
def file(request: PageRequest, code: str) -> HttpResponseBase:
    """Send the game file."""
    return send_game(request, code, write_game, "json")


@require_safe
@never_cache
def table(request: PageRequest, code: str) -> HttpResponseBase:
    """Send the turns."""
    return send_game(request, code, write_turns, "csv")


def send_game(request: PageRequest, code: str, write: Callable[[Game], str], ending: str) -> HttpResponseBase:
    """Send a file: to seat holders at any time after the start, to others once the game is over."""
    game = get_game_or_404(request, code)
    if game.status == Game.Status.WAITING:
        return show_game(request, game, refusal=_("This game has not started yet."), status=409)
    visitor = request.browser.visitor()
    seated = visitor is not None and any(seat.visitor_id == visitor.pk for seat in game.seats)
    if game.status == Game.Status.RUNNING and not seated:
        return show_game(request, game, refusal=str(NotYourSeat()), status=403)
    return attach(write(game), f"ten-thousand-{game.code}.{ending}")
