"""The same people again: who played last at this browser, and a game of the same people by one press."""

from dataclasses import dataclass

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from game import services
from game.forms.commands import digest_form, read_key
from game.history.lists import recent_games
from game.identity import PageRequest
from game.models import Game, Player, Visitor
from game.rules import Entry, IllegalMove
from game.rules.names import is_computer_name
from game.services import Command
from game.services.crews import find_game_begun
from game.views.responses import see_other

LOOKED_THROUGH = 12  # games, the newest first, for one of the kind that is asked for


@dataclass(frozen=True)
class LastTable:
    """Who played last at a browser, computers among them, and in which game."""

    game: Game
    seats: tuple[Player, ...]


def find_last_table(visitor: Visitor | None, way: str = "") -> LastTable | None:
    """Return who played last at this browser; None for nobody. At most two queries.

    `way`: only a game of several people at one device ('phone', 'score'), or one with a computer ('computer').
    """
    for game in recent_games(visitor, LOOKED_THROUGH):
        if game.status == Game.Status.WAITING:
            continue
        people = [seat for seat in game.seats if visitor and seat.visitor_id == visitor.pk and is_person(seat)]
        computers = [seat for seat in game.seats if not is_person(seat)]
        fits = {"phone": len(people) > 1, "score": len(people) > 1, "computer": bool(computers)}
        if people and fits.get(way, True):
            return LastTable(game, tuple(seat for seat in game.seats if seat in people or seat in computers))
    return None


def is_person(seat: Player) -> bool:
    """Tell whether a person sits there, also one for whom the computer plays at the moment."""
    return not is_computer_name(seat.name)


@require_POST
def again(request: PageRequest) -> HttpResponse:
    """Begin a game of the people who played last; where there are none, or not all are here, show the form for one."""
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
        pass  # the form says what is in the way
    return see_other(request, reverse("game:new"))


def play_again(request: PageRequest, table: LastTable, key: str) -> Game:
    """Return a new game of the same people by the same rules, beside the one that they have not finished."""
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
