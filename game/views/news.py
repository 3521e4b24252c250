"""The fragments for a page that shows an older version of its game than there is, made for whoever looks at it."""

from __future__ import annotations

from functools import lru_cache

from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from game import history, live
from game.forms.commands import whole
from game.forms.real_dice import find_draft_fields
from game.identity import PageRequest
from game.models import Game, Visitor
from game.pages.board import requests
from game.pages.board.catch_up import find_newest_change
from game.pages.board.page import Missed, RenderOptions, build_board
from game.pages.board.regions import OF_ALL, OF_PEOPLE, old_since
from game.prefs import Prefs
from game.services import has_part
from game.views import lobby
from game.views.game import game_for
from game.views.responses import see_other

REMEMBERED = 128  # renderings for watchers


@require_safe
@never_cache
def news(request: PageRequest, code: str) -> HttpResponse:
    """`?version=41&there=…`: what has changed since then; 204 where the page shows the game as it is."""
    version = whole(request.GET.get("version", ""))
    if version is None:
        raise BadRequest("Say which version is shown.")
    game = game_for(request, code)
    visitor = request.browser.visitor()
    player = visitor if has_part(game, visitor) else None
    if player:
        live.note_heard(game, player)
    presence = live.presence_at(game)
    there = requests.mark_presence(game, presence)
    missed = missed_since(version, game)
    came_or_went = request.GET.get("there", there) != there
    if missed == "people" and not came_or_went:
        return HttpResponse(status=204)
    if game.status == Game.Status.WAITING:
        return lobby.fragments(request, game)
    if lobby.is_late(request):
        return see_other(request, game.get_absolute_url())
    link = request.build_absolute_uri(game.get_absolute_url())
    regions = old_regions(game, version, missed, came_or_went)
    prefs = Prefs.of(request)
    if player:
        options = RenderOptions(
            regions=regions, link=link, missed=missed, entered=find_draft_fields(request), presence=presence
        )
        return HttpResponse(fragments(game, player, prefs, options, request))
    language = get_language()
    return HttpResponse(for_watchers(code, game.version, missed, regions, there, prefs.hints, language, link))


def missed_since(version: int, game: Game) -> Missed:
    """What a page that shows this version lacks at most. A version that is none yet is of a restored database."""
    if version == game.version:
        return "people"
    return "table" if game.dice_version <= version < game.version else "dice"


def old_regions(game: Game, version: int, missed: Missed, came_or_went: bool) -> frozenset[str]:
    """A move changes some of the page, what is settled at the table more, and coming and going little."""
    if missed == "people":
        return OF_PEOPLE
    if missed == "table":
        # In place of the tray stands the rematch, or its buttons say how far the target is.
        return OF_ALL if game.is_over or of_the_target(game) else OF_ALL - {"tray"}
    return old_since(game, version) | (OF_PEOPLE if came_or_went else frozenset())


@lru_cache(maxsize=REMEMBERED)
def for_watchers(
    code: str,
    _version: int,
    missed: Missed,
    regions: frozenset[str],
    _there: str,
    hints: str,
    _language: str,
    link: str,
) -> str:
    """All watchers see the same, so the first who asks after a change has it made for the others.

    Made without a request: nothing of one of them can be in it. What begins with _ is only what tells it apart.
    """
    game = get_object_or_404(Game, code=code)  # it may be gone since it was asked for
    return fragments(game, None, Prefs(hints=hints), RenderOptions(regions=regions, link=link, missed=missed))


def fragments(
    game: Game, player: Visitor | None, prefs: Prefs, options: RenderOptions, request: PageRequest | None = None
) -> str:
    shown = build_board(game, player, prefs, options)
    context = {"board": shown, "regions": options.regions, "quiet": not shown.live}
    return render_to_string("changes.html", context, request, using="jinja2")


def of_the_target(game: Game) -> bool:
    change = find_newest_change(game, history.latest_changes(game, 1))
    return change is not None and change.kind == "target"
