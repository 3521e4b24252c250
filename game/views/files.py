"""Downloads: a game as a file or a printed score sheet, all games as a zip file (to restore, too), all statistics."""

from collections.abc import Callable

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from game import services
from game.forms.game_files import TOO_LARGE, ArchiveForm
from game.forms.real_dice import read_corrections
from game.history.archive import BEGUN, pack_games, write_game
from game.history.lists import GameFilter, query_game_keys
from game.history.spreadsheets import write_statistics, write_turns
from game.history.statistics import count_seats
from game.identity import PageRequest
from game.models import Game
from game.pages.restored import describe_restored
from game.pages.score_sheet import build_blank_sheet, build_sheet
from game.services import Command, GameAndEvents, RestoreResult, has_part
from game.views.actions import command
from game.views.game import get_game_or_404, show_game
from game.views.responses import attach, explain_refusal


@require_safe
@never_cache
def file(request: PageRequest, code: str) -> HttpResponseBase:
    """Send the game file."""
    return send_game(request, code, write_game, "json")


@require_safe
@never_cache
def table(request: PageRequest, code: str) -> HttpResponseBase:
    """Send the turns of a game as a table for a spreadsheet."""
    return send_game(request, code, write_turns, "csv")


def send_game(request: PageRequest, code: str, write: Callable[[Game], str], ending: str) -> HttpResponseBase:
    """Send a file of a game: to those with a part in it at any time after the start, to others once it is over."""
    game = get_game_or_404(request, code)
    if game.status == Game.Status.WAITING:
        return show_game(request, game, refusal=_("This game has not started yet."), status=409)
    if game.status == Game.Status.RUNNING and not has_part(game, request.browser.visitor()):
        why = _("Until the game is over, only its players can download the file.")
        return show_game(request, game, refusal=why, status=403)
    return attach(write(game), f"ten-thousand-{game.code}.{ending}")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def archive(request: PageRequest) -> HttpResponse:
    """Show what can be downloaded; a POST restores the missing games of a zip file."""
    if request.method != "POST":
        return show_archive(request)
    form = ArchiveForm(request.POST, request.FILES)
    if not form.is_valid():
        status = 413 if form.has_error("file", TOO_LARGE) else 422
        return show_archive(request, str(form.errors["file"][0]), status=status)
    return show_archive(request, done=services.restore_games(request.browser, form.cleaned_data["file"]))


def show_archive(
    request: PageRequest, problem: str = "", done: RestoreResult | None = None, *, status: int = 200
) -> HttpResponse:
    """Return the page, with the reason why a file was refused, or what became of its games."""
    visitor = request.browser.visitor()
    context = {
        "problems": [("file", problem)] if problem else [],
        **describe_restored(done),
        "games": query_game_keys(visitor, BEGUN, GameFilter()).count() if visitor else 0,
        "counted": count_seats(visitor) if visitor else 0,
    }
    return render(request, "game/archive.html", context, status=status)


@require_safe
def download(request: PageRequest) -> HttpResponseBase:
    """Send all games as a zip file, streamed so that only one of them at a time is in memory."""
    return attach(pack_games(request.browser.visitor()), "ten-thousand-games.zip")


@require_safe
def statistics_table(request: PageRequest) -> HttpResponseBase:
    """Send all statistics, streamed: a row for each seat that this browser's people had in games that count."""
    return attach(write_statistics(request.browser.visitor()), "ten-thousand-statistics.csv")


def show_sheet(request: PageRequest, code: str, error: Exception | None = None) -> HttpResponse:
    """Show the score sheet of a game, where the points of real dice can be corrected; `error`: why they were not."""
    game, (status, why) = get_game_or_404(request, code), explain_refusal(request, error) if error else (200, "")
    context = {
        **build_sheet(game, request.browser.visitor(), request.POST),
        "link": request.build_absolute_uri(game.get_absolute_url()),
        "problems": [("correct", why)] if why else [],
    }
    return render(request, "game/sheet.html", context, status=status)


sheet = require_safe(show_sheet)


@command(refused=show_sheet)
def correct(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """Correct the points of earlier turns with real dice."""
    return services.correct_turns(code, command, read_corrections(request.POST))


@require_safe
def blank_sheet(request: PageRequest) -> HttpResponse:
    """Show a blank sheet with what scores under the ruleset of `?ruleset=`, or else under the first one."""
    return render(request, "game/sheet_blank.html", build_blank_sheet(request.GET.get("ruleset")))
