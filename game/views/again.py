"""The same people again: a game of those who played last at this browser, by one press."""

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from game import services
from game.forms.commands import digest_form, read_key
from game.history.last_table import LastTable, find_last_table, is_person
from game.identity import PageRequest
from game.models import Game
from game.rules import Entry, IllegalMove
from game.services import Command
from game.services.crews import find_game_begun
from game.views.responses import see_other


@require_POST
def again(request: PageRequest) -> HttpResponse:
    """Begin a game with the people who played last; if there are none, or not all are here, show the form instead."""
    visitor, key = request.browser.visitor(), read_key(request)
    if begun := find_game_begun(visitor, key):
        return see_other(request, begun.get_absolute_url())
    table = find_last_table(visitor)
    if visitor is None or table is None:
        return see_other(request, reverse("game:new"))
    try:
        if table.game.is_over:
            command = Command(visitor, key, None, digest_form(request))
            return see_other(request, services.start_rematch(table.game.code, command).get_absolute_url())
        if len(table.seats) == len(table.game.seats):
            return see_other(request, play_again(request, table, key).get_absolute_url())
    except (services.Refusal, services.AlreadyDone, IllegalMove):
        pass  # the form will say what is wrong
    return see_other(request, reverse("game:new"))


def play_again(request: PageRequest, table: LastTable, key: str) -> Game:
    """Return a new game with the same people and rules, even beside an unfinished one."""
    game = table.game
    return services.create_game(
        request.browser,
        key,
        game.ruleset or game.rules,
        [Entry(seat.name, seat.level or None if not is_person(seat) else None) for seat in table.seats],
        target=game.target,
        mode="manual" if game.mode == "manual" else "auto",
        hints=game.hints,
        money=bool(game.rules.ante or game.rules.bust_penalty),
        colours={seat.name: seat.colour for seat in table.seats},
    )
