"""The home page, and its buttons that begin a game with one press: against the computer, or with the same people."""

from contextlib import suppress

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from game import services
from game.forms.commands import read_command, read_key
from game.history.last_table import find_last_table
from game.identity import PageRequest
from game.pages.home import OPPONENT, build_home, find_home_ruleset
from game.pages.lobby import find_first_address
from game.pages.parts.names import is_free, suggest_person_name
from game.rules import DEFAULT_LEVEL, Entry, IllegalMove
from game.services import Command
from game.services.crews import find_game_begun
from game.views.responses import see_other
from game.web.remembered import recall_name


def render_home(request: PageRequest, problem: str = "", status: int = 200) -> HttpResponse:
    """Return the page. `problem`: why its button failed."""
    context = {**build_home(request.browser.visitor()), "problems": [("throw", problem)] if problem else []}
    return render(request, "game/home.html", context, status=status)


home = require_safe(render_home)


@require_POST
def quick(request: PageRequest) -> HttpResponse:
    """Create a game against the computer and throw, or let the visitor add a word first. Idempotent."""
    key, words = read_key(request), request.POST.get("do") == "words"
    ruleset = find_home_ruleset()
    if ruleset is None:
        return see_other(request, reverse("game:new"))
    try:
        game = services.create_game(request.browser, key, ruleset, list_entries(request), wait=words)
    except services.Refusal as refusal:
        return render_home(request, str(refusal), refusal.status)
    if words:
        return see_other(request, find_first_address(game, words))
    with suppress(services.AlreadyDone, services.Refusal):
        services.throw_dice(game.code, Command(game.host, key, game.version, "quick"), ())
    return see_other(request, game.get_absolute_url() + "#top")  # so that the page plays the throw


def list_entries(request: PageRequest) -> list[Entry]:
    """Return the entries of the visitor, under the name last used, and of the computer."""
    last = recall_name(request)
    name = last if last and is_free(last, [OPPONENT]) else suggest_person_name(1, ())
    return [Entry(name), Entry(OPPONENT, DEFAULT_LEVEL)]


@require_POST
def again(request: PageRequest) -> HttpResponse:
    """Begin a game with those who played last; if there are none, or not all are here, show the form instead."""
    visitor = request.browser.visitor()
    command = read_command(request, visitor, versioned=False)
    if begun := find_game_begun(visitor, command.key):
        return see_other(request, begun.get_absolute_url())
    table = find_last_table(visitor)
    if visitor is None or table is None:
        return see_other(request, reverse("game:new"))
    try:
        if table.game.is_over:
            return see_other(request, services.start_rematch(table.game.code, command).get_absolute_url())
        if len(table.seats) == len(table.game.seats):
            game = services.play_again(request.browser, command.key, table.game, table.seats)
            return see_other(request, game.get_absolute_url())
    except (services.Refusal, services.AlreadyDone, IllegalMove):
        pass  # the form will say what is wrong
    return see_other(request, reverse("game:new"))
