"""The fragments for a page that shows an outdated version of its game, rendered for its viewer."""

from functools import lru_cache

from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from game import live
from game.forms.commands import read_number
from game.identity import PageRequest
from game.models import Game
from game.pages.board.page import RenderOptions, build_board
from game.pages.board.regions import Missed, find_missed, find_regions_missed
from game.pages.board.requests import mark_presence
from game.prefs import Prefs
from game.services import has_part
from game.views import lobby
from game.views.game import get_game_or_404, show_changes

REMEMBERED = 128  # cached cached renderings for spectators


@require_safe
@never_cache
def news(request: PageRequest, code: str) -> HttpResponse:
    """Show what has changed since `?version=41&there=…`; 204 if the page is up to date."""
    version = read_number(request.GET.get("version", ""))
    if version is None:
        raise BadRequest("Say which version is shown.")
    game = get_game_or_404(request, code)
    visitor = request.browser.visitor()
    player = visitor if has_part(game, visitor) else None
    if player:
        live.note_heard(game, player)
    presence = live.presence_at(game)
    there = mark_presence(game, presence)
    missed = find_missed(game, version)
    came_or_went = request.GET.get("there", there) != there
    if missed == "people" and not came_or_went:
        return HttpResponse(status=204)
    regions = find_regions_missed(game, version, missed, came_or_went)
    if player or game.status == Game.Status.WAITING or lobby.is_late(request):
        options = RenderOptions(regions=regions, missed=missed, presence=presence)
        return show_changes(request, game, options, quiet=True)
    link, own = request.build_absolute_uri(game.get_absolute_url()), Prefs.of(request)
    prefs = Prefs(hints=own.hints, order=own.order)  # everything that a spectator's board depends on
    return HttpResponse(render_for_spectators(code, game.version, missed, regions, there, prefs, get_language(), link))


@lru_cache(maxsize=REMEMBERED)
def render_for_spectators(
    code: str,
    _version: int,
    missed: Missed,
    regions: frozenset[str],
    _there: str,
    prefs: Prefs,
    _language: str,
    link: str,
) -> str:
    """Return what all spectators see: the first one to ask after a change has it rendered for the others.

    Rendered without a request, so it can contain nothing personal. Arguments beginning with _ are only cache keys.
    """
    game = get_object_or_404(Game, code=code)  # it may have been deleted meanwhile
    board = build_board(game, None, prefs, RenderOptions(regions=regions, link=link, missed=missed))
    return render_to_string("board/changes.html", {"board": board, "regions": regions, "quiet": not board.live})
