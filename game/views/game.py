"""The page of one game, and the changed regions for a page with an outdated version. Actions are in `actions.py`."""

from dataclasses import replace
from functools import lru_cache

from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from game import live, services
from game.forms.commands import read_number, read_ticked
from game.forms.refused import read_refused_input, read_refused_turn
from game.history import find_rematch
from game.identity import PageRequest
from game.models import Game
from game.pages.board.banner import mark_presence
from game.pages.board.page import RenderOptions, build_board
from game.pages.board.real_dice_pad import NOTHING_TYPED
from game.pages.board.regions import Outdated, find_missed, find_regions_missed
from game.pages.link_preview import preview_game
from game.pages.parts.colours import list_seat_colours
from game.prefs import Prefs
from game.services import has_part
from game.services.refusals import AlreadyStarted
from game.views import lobby
from game.views.context import add_stream, list_colours_for
from game.views.replay import show_replay
from game.views.responses import see_other
from game.web.remembered import remember_watching

REMEMBERED = 128  # cached renderings for spectators


def find_visible_game(request: PageRequest, code: str) -> Game | None:
    """Return the game behind a link; None if it lapsed, or is private and the viewer has no part in it."""
    game = Game.by_code(code)
    return game if game and may_see(request, game) else None


def may_see(request: PageRequest, game: Game) -> bool:
    """Return whether the viewer may see the game. Who they are is looked up only where that matters."""
    return services.may_see(game, None) or services.may_see(game, request.browser.visitor())


def get_game_or_404(request: PageRequest, code: str) -> Game:
    """Return the game behind a link. Raises `Http404` where `find_visible_game` finds none."""
    game = find_visible_game(request, code)
    if game is None:
        raise Http404
    return game


@require_safe
def page(request: PageRequest, code: str) -> HttpResponse:
    """Show the game. `?keep=2,3` ticks those dice, `?log=all` shows every turn; `?at=17` is the replay.

    `?late`: what was pressed before came after the start.
    """
    game = get_game_or_404(request, code)
    if "at" in request.GET and game.status != Game.Status.WAITING:
        return show_replay(request, game)
    why = str(AlreadyStarted()) if "late" in request.GET else ""
    response = show_game(request, game, ticked=read_ticked(request.GET.get("keep", "").split(",")), refusal=why)
    watches = not has_part(game, request.browser.visitor())
    return remember_watching(request, response, game.code) if watches else response


def show_game(
    request: PageRequest, game: Game, *, ticked: tuple[int, ...] | None = None, refusal: str = "", status: int = 200
) -> HttpResponse:
    """Return the whole page, for a GET and for a browser without JavaScript."""
    if game.status == Game.Status.WAITING:
        return lobby.show_lobby(request, game, refusal=refusal, status=status)
    options = RenderOptions(
        ticked=ticked,
        refusal=refusal,
        typed=read_refused_turn(request.POST) if refusal else NOTHING_TYPED,
        refused=read_refused_input(request.POST, refusal, status),
        whole_log=request.GET.get("log") == "all",
        link=request.build_absolute_uri(game.get_absolute_url()),
    )
    shown = build_board(game, request.browser.visitor(), Prefs.of(request), options)
    preview = preview_game(game, shown.finish.sentence if shown.finish else "")
    context = {"board": shown, "seat_colours": list_colours_for(request, game), "preview": preview}
    return render(request, "game/game.html", context | add_stream(request, game), status=status)


def find_game_address(request: PageRequest, game: Game) -> str:
    """Return the address of a game's page, or of its table view if the request comes from that."""
    return game.get_absolute_url() + ("?big" if "big" in request.GET else "")


def show_changes(
    request: PageRequest, game: Game, options: RenderOptions, *, status: int = 200, quiet: bool = False
) -> HttpResponse:
    """Return the regions that `options` names, for htmx. `quiet`: keep the last announcement if there is no new one."""
    if game.status == Game.Status.WAITING:
        return lobby.show_lobby_changes(request, game, options, status=status)
    if lobby.is_late(request):
        late = f"{game.get_absolute_url()}?late"
        return see_other(request, late if options.refusal else find_game_address(request, game))
    link = request.build_absolute_uri(game.get_absolute_url())
    options = replace(options, link=link)
    board = build_board(game, request.browser.visitor(), Prefs.of(request), options)
    context = {
        "board": board,
        "seat_colours": list_colours_for(request, game),
        "regions": options.regions,
        "quiet": quiet and not board.live,
    }
    return render(request, "board/changes.html", context, status=status)


@require_safe
def news(request: PageRequest, code: str) -> HttpResponse:
    """Return the regions that changed since `?version=41&there=…`; 204 if the page is up to date.

    `there`: who was present when the page last heard, as `mark_presence` writes it.
    """
    version = read_number(request.GET.get("version", ""))
    if version is None:
        raise BadRequest("Say which version is shown.")
    game = get_game_or_404(request, code)
    visitor = request.browser.visitor()
    player = visitor if has_part(game, visitor) else None
    if player:
        live.note_heard(game, player)
    presence = live.find_presence(game)
    acting = services.find_host(game, visitor.pk if visitor else None)
    there = mark_presence(presence, services.is_silent(game), acting != game.host_id)
    missed = find_missed(game, version)
    came_or_went = request.GET.get("there", there) != there
    if missed == "people" and not came_or_went:
        return HttpResponse(status=204)
    if "big" in request.GET and missed != "people" and game.is_over:
        following = find_rematch(game)
        if following and services.may_see(following, visitor):  # nobody is at a television to press a link
            return see_other(request, find_game_address(request, following))
    regions = find_regions_missed(game, version, missed, came_or_went)
    if player or game.status == Game.Status.WAITING or lobby.is_late(request):
        options = RenderOptions(regions=regions, missed=missed, shown=version, presence=presence)
        return show_changes(request, game, options, quiet=True)
    link, own = request.build_absolute_uri(game.get_absolute_url()), Prefs.of(request)
    prefs = Prefs(hints=own.hints, order=own.order)  # everything that a spectator's board depends on
    rematch = find_rematch_to_watch(game)
    answer = render_for_spectators(
        code, game.version, rematch, version, missed, regions, there, prefs, get_language(), link
    )
    return HttpResponse(answer)


def find_rematch_to_watch(game: Game) -> str:
    """Return the code of the rematch, if spectators may see it; else an empty string."""
    following = find_rematch(game) if game.is_over else None
    return following.code if following and services.may_see(following, None) else ""


@lru_cache(maxsize=REMEMBERED)
def render_for_spectators(
    code: str,
    _version: int,
    _rematch: str,
    shown: int,
    missed: Outdated,
    regions: frozenset[str],
    _there: str,
    prefs: Prefs,
    _language: str,
    link: str,
) -> str:
    """Return the regions as all spectators see them: rendered for the first one to ask after a change, then cached.

    They are rendered without a request, so they can contain nothing personal. Arguments that begin with _ are only
    parts of the cache's key.
    """
    game = get_object_or_404(Game, code=code)  # it may have been deleted meanwhile
    board = build_board(game, None, prefs, RenderOptions(regions=regions, link=link, missed=missed, shown=shown))
    colours = list_seat_colours(game.seats)
    context = {"board": board, "seat_colours": colours, "regions": regions, "quiet": not board.live}
    return render_to_string("board/changes.html", context)
