"""A game throw by throw, each with its own URL: `/g/<code>?at=<step>`."""

from django.http import HttpResponse
from django.shortcuts import render

from game.identity import PageRequest
from game.models import Game
from game.pages.link_preview import preview_step
from game.pages.replay.page import build_replay, load_moment
from game.prefs import Prefs
from game.views.embedding import write_frame
from game.views.seat_colours import list_seat_colours


def replay(request: PageRequest, game: Game) -> HttpResponse:
    """Show the step that `?at=` asks for: to htmx the regions that a step changes, to others the page."""
    shown = build_replay(load_moment(game, request.GET["at"], request.GET.get("choices", ""), Prefs.of(request)))
    parts = request.htmx and not request.htmx.history_restore_request
    preview = preview_step(game, shown)
    context = {
        "board": shown,
        "seat_colours": list_seat_colours(request, game),
        "preview": preview,
        "frame": write_frame(request, game.code, "", preview.title) if preview else "",
    }
    return render(request, "game/replay/step.html" if parts else "game/replay/page.html", context)
