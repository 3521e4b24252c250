"""Entering a turn with real dice bit by bit, and switching between typing points and tapping dice."""

from functools import partial

from django.http import HttpResponse
from django.views.decorators.http import require_POST

from game import services
from game.consistent_read import consistent_read
from game.forms.real_dice import read_entry
from game.identity import PageRequest
from game.pages.board.page import RenderOptions
from game.pages.board.regions import OF_A_MOVE
from game.prefs import CHOICES, Prefs
from game.services import Command, GameAndEvents
from game.views.actions import command
from game.views.game import get_game_or_404, show_changes
from game.views.responses import see_other


@require_POST
def pad(request: PageRequest, code: str) -> HttpResponse:
    """Add a throw to the turn or undo the last entry; or switch between typing and tapping."""
    return switch_entry(request, code) if request.POST.get("entry") in CHOICES["entry"] else enter_more(request, code)


@command()
def enter_more(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """Add a throw to the turn, keep some of its dice, or undo the last entry."""
    do = request.POST.get("do") or request.GET.get("do", "")
    return services.change_draft(code, command, partial(read_entry, request.POST, do))


@consistent_read()
def switch_entry(request: PageRequest, code: str) -> HttpResponse:
    """Switch this browser to typing points or to tapping dice; the game stays as it is."""
    game, entry = get_game_or_404(request, code), request.POST["entry"]
    if request.htmx:
        response = show_changes(request, game, RenderOptions(entry=entry, regions=OF_A_MOVE))
    else:
        response = see_other(request, game.get_absolute_url())
    Prefs.of(request).with_changes({"entry": entry}).save(response)
    return response
