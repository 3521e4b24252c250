"""The page of one game. What changes a game is in `actions.py`."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from game.forms.commands import Nonsense, columns
from game.forms.fields import quote_input
from game.forms.real_dice import find_draft_fields
from game.identity import PageRequest
from game.models import Game
from game.pages.board.page import RenderOptions, build_board
from game.prefs import Prefs
from game.services import has_lapsed, has_part
from game.views import lobby
from game.views.listening import listening
from game.views.replay import replay
from game.views.watched import remember_watching


def game_for(request: PageRequest, code: str) -> Game:
    """The game behind a link. There is none, for who holds no seat, where watching is closed or the invite lapsed."""
    game = Game.by_code(code)
    if game is None or has_lapsed(game):
        raise Http404
    if not game.watching and not has_part(game, request.browser.visitor()):
        raise Http404
    return game


@require_safe
@never_cache
def page(request: PageRequest, code: str) -> HttpResponse:
    """The game as it stands. `?keep=2,3` ticks those dice, `?log=all` shows every turn; `?at=17` is the replay."""
    game = game_for(request, code)
    if "at" in request.GET and game.status != Game.Status.WAITING:
        return replay(request, game)
    response = show(request, game, ticked=asked_columns(request.GET.get("keep")))
    watches = not has_part(game, request.browser.visitor())
    return remember_watching(request, response, game.code) if watches else response


def asked_columns(text: str | None) -> tuple[int, ...] | None:
    try:
        return columns(text.split(",")) if text else None
    except Nonsense:
        return None


def typed_again(request: PageRequest) -> str:
    """The points, or the faces of real dice, that came with a refused form: they stay, to be corrected."""
    return quote_input(request.POST.get("points") or request.POST.get("faces", ""))[:11]


def show(
    request: PageRequest,
    game: Game,
    *,
    ticked: tuple[int, ...] | None = None,
    refusal: str = "",
    status: int = 200,
) -> HttpResponse:
    """The whole page, for a GET and for a browser without JavaScript."""
    if game.status == Game.Status.WAITING:
        return lobby.page(request, game, refusal=refusal, status=status)
    options = RenderOptions(
        ticked=ticked,
        refusal=refusal,
        typed=typed_again(request) if refusal else "",
        entered=find_draft_fields(request),
        whole_log=request.GET.get("log") == "all",
        link=request.build_absolute_uri(game.get_absolute_url()),
    )
    shown = build_board(game, request.browser.visitor(), Prefs.of(request), options)
    return render(request, "game/game.html", {"board": shown, **listening(request, game)}, status=status)
