"""A game to take away: the game file, and its turns as a table for a spreadsheet."""

import csv
import io
import json
import re
from collections.abc import Callable
from functools import wraps

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from game import history
from game.history.replay import Turn, turns_of
from game.identity import PageRequest
from game.models import Game
from game.services import NotYourSeat
from game.views.game import get_game_or_404, show_game
from game.views.responses import attach

COLUMNS = ("turn", "round", "player", "outcome", "throws", "points", "lost", "score", "real dice", "undone")
# What a spreadsheet takes for the beginning of one: in a cell, or after what some take for the end of the cell before.
FORMULA = re.compile(r"(?:^|(?<=[;,|]))(?=\s*[=+@＝＋－＠-])")

Writer = Callable[[Game], HttpResponse]
View = Callable[[PageRequest, str], HttpResponse]


def download(write: Writer) -> View:
    """For seat holders at any time after the start, for others once the game is over."""

    @require_safe
    @never_cache
    @wraps(write)
    def view(request: PageRequest, code: str) -> HttpResponse:
        game = get_game_or_404(request, code)
        if game.status == Game.Status.WAITING:
            return show_game(request, game, refusal=_("This game has not started yet."), status=409)
        visitor = request.browser.visitor()
        seated = visitor is not None and any(seat.visitor_id == visitor.pk for seat in game.seats)
        if game.status == Game.Status.RUNNING and not seated:
            return show_game(request, game, refusal=str(NotYourSeat()), status=403)
        return write(game)

    return view


@download
def file(game: Game) -> HttpResponse:
    text = json.dumps(history.game_file(game), ensure_ascii=False, separators=(",", ":"))
    return attach(text, "application/json", f"ten-thousand-{game.code}.json")


@download
def table(game: Game) -> HttpResponse:
    """One row a turn. The heads are for programs, so they are in no particular reader's language."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    names = [defused(seat.name) for seat in game.seats]
    writer.writerows(row(n, turn, names[turn.seat]) for n, turn in enumerate(turns_of(game), 1))
    return attach(text.getvalue(), "text/csv", f"ten-thousand-{game.code}.csv")


def row(n: int, turn: Turn, name: str) -> tuple[object, ...]:
    banked = turn.points if turn.outcome == "bank" else 0
    marks = ("yes" if mark else "" for mark in (turn.manual, turn.cancelled))
    return (n, turn.round, name, turn.outcome, turn.count, banked, turn.points - banked, turn.score, *marks)


def defused(name: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return FORMULA.sub("'", name)
