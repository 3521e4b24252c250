"""What a game's page needs to stay live: the address of its stream, and whether its viewer belongs to the game."""

from __future__ import annotations

from game import live
from game.identity import PageRequest
from game.models import Game
from game.services import has_part


def listening(request: PageRequest, game: Game) -> dict[str, object]:
    visitor = request.browser.visitor()
    seated = has_part(game, visitor)
    if visitor and seated:
        live.note_heard(game, visitor)
    return {"stream": live.stream_address(game.code, request.browser, visitor if seated else None), "seated": seated}
