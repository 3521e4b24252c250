"""What a game's page needs to stay live."""

from game import live
from game.identity import PageRequest
from game.models import Game
from game.services import has_part
from game.views.calls import is_private_line


def listen_to(request: PageRequest, game: Game) -> dict[str, object]:
    """Return the stream's URL, whether the viewer takes part and can be called, and the view.

    Also notes the presence of a viewer who takes part.
    """
    visitor = request.browser.visitor()
    seated = has_part(game, visitor)
    if visitor and seated:
        live.note_heard(game, visitor)
    return {
        "stream": live.stream_address(game.code, request.browser, visitor if seated else None),
        "seated": seated,
        "can_call": is_private_line(request),
        "big": "big" in request.GET,
    }
