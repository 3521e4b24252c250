"""What a game's page needs to stay live: the address of its stream, and whether its viewer belongs to the game."""

from __future__ import annotations

from game import live
from game.identity import PageRequest
from game.models import Game
from game.services import belongs


def listening(request: PageRequest, game: Game) -> dict[str, object]:
    visitor = request.browser.visitor()
    seated = belongs(game, visitor)
    if visitor and seated:
        live.heard_of(game, visitor)
    return {"stream": live.address(game.code, request.browser, visitor if seated else None), "seated": seated}
