"""The page of a game before its start, and what people change on it."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from game import services
from game.forms.commands import Nonsense, read_number
from game.forms.refused import read_refused_input
from game.forms.seats import read_new_name, read_new_player
from game.identity import PageRequest
from game.models import Game
from game.pages.board.page import RenderOptions
from game.pages.link_preview import preview_game
from game.pages.lobby import announce_lobby_changes, announce_own_change, build_lobby
from game.pages.parts.colours import COLOUR_NAMES, read_colour
from game.pages.parts.components import RefusedInput
from game.pages.parts.event_sentences import describe_table_event
from game.services import Command, GameAndEvents
from game.views.context import add_stream, list_colours_for


def show_lobby(request: PageRequest, game: Game, *, refusal: str = "", status: int = 200) -> HttpResponse:
    """Return the whole page."""
    context = {
        **build_page(request, game, refusal, read_refused_input(request.POST, refusal, status)),
        "preview": preview_game(game),
        "open_settings": "words" in request.GET or bool(refusal),  # what was refused is most likely there
        **add_stream(request, game),
    }
    return render(request, "game/waiting.html", context, status=status)


def show_lobby_changes(request: PageRequest, game: Game, options: RenderOptions, *, status: int = 200) -> HttpResponse:
    """Return all regions, since the page is small and text being typed stays. `?sat=…`: the table the page shows."""
    note = heard = ""
    if request.method == "POST":
        done = (describe_table_event(event, "") for event in options.happened)
        note, heard = " ".join(filter(None, (options.note, *done))), announce_own_change(game)
    elif "sat" in request.GET:
        note = announce_lobby_changes(game, request.GET["sat"], options.shown)
    context = build_page(request, game, options.refusal, options.refused, note, heard)
    seated = services.has_part(game, request.browser.visitor())
    context |= {"quiet": not context["board"]["live"], "big": "big" in request.GET, "seated": seated}
    return render(request, "game/waiting_board.html", context, status=status)


def build_page(
    request: PageRequest, game: Game, refusal: str, refused: RefusedInput, note: str = "", heard: str = ""
) -> dict[str, Any]:
    """Return the page's values for this viewer."""
    viewer, link = request.browser.visitor(), request.build_absolute_uri(game.get_absolute_url())
    board = build_lobby(game, viewer, link, refusal=refusal, refused=refused, note=note, heard=heard)
    return {"board": board, "seat_colours": list_colours_for(request, game), "colours": COLOUR_NAMES}


def is_late(request: PageRequest) -> bool:
    """Return whether the page that asks was loaded before the start: its regions are not those of a running game."""
    return "waiting" in (request.POST if request.method == "POST" else request.GET)


def change_seats(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """Add a seat, or change the one whose player the form names."""
    do, player = request.POST.get("do", ""), read_number(request.POST.get("player", ""))
    match do, player:
        case (("add" | "free" | "computer"), _player):
            name, level = read_new_player(request.POST, code, computer=do == "computer")
            return services.add_seat(code, command, name, level, free=do == "free" and level is None)
        case "rename", int():
            return services.rename_seat(code, command, player, read_new_name(request.POST, code, player))
        case "colour", int():
            colour = read_colour(request.POST.get("colour", ""))
            if colour is None:
                raise Nonsense(_("Choose a colour from this page."))
            return services.choose_colour(code, command, player, colour)
        case "remove", int():
            return services.remove_seat(code, command, player)
        case (("up" | "down"), int()):
            return services.move_seat(code, command, player, -1 if do == "up" else 1)
    raise Nonsense(_("Choose a seat and what to do with it."))
