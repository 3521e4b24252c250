"""The fragments for a page that shows an older version of its game than there is, made for whoever looks at it."""

from __future__ import annotations

from functools import lru_cache

from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from game import live
from game.forms.asked import whole
from game.forms.realdice import sent_with
from game.identity import PageRequest
from game.models import Game, Visitor
from game.prefs import Prefs
from game.services import belongs
from game.services.path import OVER
from game.views import waiting
from game.views.actions import OF_ALL
from game.views.board import table
from game.views.board.build import Asking, Missed, board
from game.views.board.since import newest_change
from game.views.game import game_for
from game.views.responses import see_other

REMEMBERED = 128  # renderings for watchers

# The regions that may be old. The dice being chosen stay as they are unless they or the legal moves changed.
MISSED: dict[Missed, frozenset[str]] = {
    "people": frozenset({"scores", "people", "banner"}),
    "table": OF_ALL - {"tray"},
    "dice": OF_ALL,
}


@require_safe
@never_cache
def news(request: PageRequest, code: str) -> HttpResponse:
    """`?version=41&there=…`: what has changed since then; 204 where the page shows the game as it is."""
    version = whole(request.GET.get("version", ""))
    if version is None:
        raise BadRequest(_("Say which version is shown."))
    game = game_for(request, code)
    visitor = request.browser.visitor()
    player = visitor if belongs(game, visitor) else None
    if player:
        live.heard_of(game, player)
    there = table.there(game, live.presence(game))
    missed = missed_since(version, game)
    if missed == "people" and request.GET.get("there", there) == there:
        return HttpResponse(status=204)
    if game.status == Game.Status.WAITING:
        return waiting.fragments(request, game)
    if waiting.is_late(request):
        return see_other(request, game.get_absolute_url())
    link = request.build_absolute_uri(game.get_absolute_url())
    if player:
        return HttpResponse(fragments(game, player, Prefs.of(request), missed, link, request))
    return HttpResponse(for_watchers(code, game.version, missed, there, Prefs.of(request).hints, get_language(), link))


def missed_since(version: int, game: Game) -> Missed:
    """What a page that shows this version lacks at most. A version that is none yet is of a restored database."""
    if version == game.version:
        return "people"
    return "table" if game.moved <= version < game.version else "dice"


@lru_cache(maxsize=REMEMBERED)
def for_watchers(code: str, _version: int, missed: Missed, _there: str, hints: str, _language: str, link: str) -> str:
    """All watchers see the same, so the first who asks after a change has it made for the others.

    Made without a request: nothing of one of them can be in it. What begins with _ is only what tells it apart.
    """
    game = Game.objects.select_related("ruleset").get(code=code)
    return fragments(game, None, Prefs(hints=hints), missed, link)


def fragments(
    game: Game, player: Visitor | None, prefs: Prefs, missed: Missed, link: str, request: PageRequest | None = None
) -> str:
    regions = MISSED[missed]
    if missed == "table" and (game.status in OVER or of_the_target(game)):
        regions |= {"tray"}  # in whose place the rematch stands, or whose buttons say how far it is
    asking = Asking(regions=regions, link=link, missed=missed, entered=sent_with(request) if request else {})
    shown = board(game, player, prefs, asking)
    context = {"board": shown, "regions": regions, "prefs": prefs, "quiet": not shown.live}
    return render_to_string("game/board.html", context, request)


def of_the_target(game: Game) -> bool:
    change = newest_change(game)
    return change is not None and change.kind == "target"
