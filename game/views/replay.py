"""A game throw by throw, each throw with its own URL; the embed for pages of other sites, and its oEmbed endpoint."""

from html import escape
from urllib.parse import parse_qsl, urlencode, urlsplit

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve, reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from game.forms.commands import read_number
from game.identity import Cookieless, PageRequest
from game.models import Game
from game.pages.link_preview import name_game, preview_game, preview_step
from game.pages.parts.colours import list_seat_colours
from game.pages.parts.view_of_game import find_seat_called_you
from game.pages.replay.page import load_replay
from game.pages.replay.steps import LAST
from game.prefs import Prefs
from game.views.context import list_colours_for


def show_replay(request: PageRequest, game: Game) -> HttpResponse:
    """Show the step that `?at=` asks for: for htmx only the regions that a step changes, else the page."""
    yours = find_seat_called_you(request.browser.visitor(), game.seats)
    shown = load_replay(game, request.GET["at"], request.GET.get("choices", ""), Prefs.of(request), yours=yours)
    parts = request.htmx and not request.htmx.history_restore_request
    preview = preview_step(game, shown)
    context = {
        "board": shown,
        "seat_colours": list_colours_for(request, game),
        "preview": preview,
        "frame": write_frame(request, game.code, "", name_game(game)) if preview else "",
    }
    return render(request, "game/replay/step.html" if parts else "game/replay/page.html", context)


WIDTH, HEIGHT = 640, 680  # in pixels: high enough for the buttons below the dice
HOUR = 60 * 60
SHOWN_AS_REPLAY = ("game:page", "game:embed", "game:analysis")


def get_replay_or_404(code: str) -> Game:
    """Return a game that has begun and that everybody may watch, because a frame has no cookies. Raises `Http404`."""
    game = Game.by_code(code)
    if game is None or not game.watching or game.status == Game.Status.WAITING:
        raise Http404
    return game


@require_safe
def embed(request: PageRequest, code: str) -> HttpResponse:
    """Show the replay alone, from its first throw; while the game is being played, from the last one."""
    game = get_replay_or_404(code)
    step = request.GET.get("at") or ("1" if game.is_over else LAST)
    address = reverse("game:embed", args=[code])
    board = load_replay(game, step, request.GET.get("choices", ""), Prefs(), address)
    template = "embed_step" if request.htmx else "embed"
    context = {"board": board, "seat_colours": list_seat_colours(game.seats)}
    return Cookieless(render_to_string(f"game/replay/{template}.html", context, request))


@require_safe
@cache_control(public=True, max_age=HOUR)
def oembed(request: HttpRequest) -> HttpResponse:
    """Say in oEmbed's JSON how to embed the page at `?url=`, no larger than `maxwidth` and `maxheight`."""
    if request.GET.get("format", "json") != "json":
        return HttpResponse("Only JSON is offered.", status=501, content_type="text/plain; charset=utf-8")
    game, query = find_replay(request, request.GET.get("url", ""))
    preview = preview_game(game)
    assert preview is not None  # it may be watched
    width, height = (
        min(usual, read_number(request.GET.get(name, "")) or usual)
        for name, usual in (("maxwidth", WIDTH), ("maxheight", HEIGHT))
    )
    return JsonResponse(
        {
            "version": "1.0",
            "type": "rich",
            "title": preview.title,
            "provider_name": "10,000",
            "provider_url": request.build_absolute_uri(reverse("game:home")),
            "cache_age": HOUR,
            "thumbnail_url": request.build_absolute_uri(preview.picture),
            "thumbnail_width": 1200,
            "thumbnail_height": 630,
            "width": width,
            "height": height,
            "html": write_frame(request, game.code, query, preview.title, width, height),
        }
    )


def write_frame(
    request: HttpRequest, code: str, query: str, title: str, width: int = WIDTH, height: int = HEIGHT
) -> str:
    """Return the markup with which another site shows a replay. `query`: "?at=…" to begin at that throw, or ""."""
    address = escape(request.build_absolute_uri(reverse("game:embed", args=[code]) + query))
    size = f'width="{width}" height="{height}"'
    looks = 'frameborder="0" style="max-width: 100%" loading="lazy"'  # a blog may be read on a phone
    return f'<iframe src="{address}" {size} title="{escape(title)}" {looks}></iframe>'


def find_replay(request: HttpRequest, address: str) -> tuple[Game, str]:
    """Return the game at an address of this site, and the query that names a throw, if any. Raises `Http404`."""
    try:
        parts = urlsplit(address)
        match = resolve(parts.path)
    except (ValueError, Resolver404) as error:
        raise Http404 from error
    if parts.netloc != request.get_host() or match.view_name not in SHOWN_AS_REPLAY:
        raise Http404
    game = get_replay_or_404(match.kwargs["code"])
    at = dict(parse_qsl(parts.query)).get("at", "")
    return game, f"?{urlencode({'at': at})}" if at else ""
