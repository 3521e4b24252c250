"""All games of a browser, or of its account, as one zip file of game files, and back; all statistics as a table."""

import csv
import io
import json
import zipfile
from collections.abc import Iterator

from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from game import history, services
from game.consistent_read import consistent_read
from game.forms.archive import ArchiveForm
from game.forms.fields import quote_input
from game.forms.load import TooLarge
from game.history import lists
from game.history.lists import GameFilter
from game.history.statistics import COLUMNS, count_seats, list_counted_seats
from game.identity import PageRequest
from game.models import Game, Visitor
from game.services import Restoring
from game.views.files import defused
from game.views.games import describe_flaw

BEGUN = Game.OVER | {Game.Status.RUNNING}
REFUSED_SHOWN = 20


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def archive(request: PageRequest) -> HttpResponse:
    """Show what can be downloaded; a POST brings back the games of a zip file that are missing."""
    if request.method != "POST":
        return show_archive(request)
    form = ArchiveForm(request.POST, request.FILES)
    try:
        if not form.is_valid():
            return show_archive(request, str(form.errors["file"][0]), status=422)
    except TooLarge:
        return show_archive(request, _("This file is too large. At most 4 MiB can be sent at once."), status=413)
    return show_archive(request, done=services.restore_games(request.browser, form.cleaned_data["file"]))


def show_archive(
    request: PageRequest, problem: str = "", done: Restoring | None = None, *, status: int = 200
) -> HttpResponse:
    """Return the page, with why a file was refused, or with what became of its games."""
    visitor = request.browser.visitor()
    refused = [(quote_input(name), describe_flaw(error.problems[0])) for name, error in (done.refused if done else ())]
    context = {
        "problems": [("file", problem)] if problem else [],
        "done": done,
        "refused": refused[:REFUSED_SHOWN],
        "more_refused": max(0, len(refused) - REFUSED_SHOWN),
        "games": lists.filtered_numbers(visitor, BEGUN, GameFilter()).count() if visitor else 0,
        "counted": count_seats(visitor) if visitor else 0,
    }
    return render(request, "game/archive.html", context, status=status)


@require_safe
def download(request: PageRequest) -> HttpResponseBase:
    """Send the games, streamed: only one of them at a time is in memory."""
    visitor = request.browser.visitor()
    response = StreamingHttpResponse(pack_games(visitor), content_type="application/zip")
    response["Content-Disposition"] = 'attachment; filename="ten-thousand-games.zip"'
    return response


def pack_games(visitor: Visitor | None) -> Iterator[bytes]:
    """Yield the pieces of the zip file."""
    numbers = list(lists.filtered_numbers(visitor, BEGUN, GameFilter(order="oldest"))) if visitor else []
    piece = Piece()
    with zipfile.ZipFile(piece, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in numbers:
            with consistent_read():  # it may be played while the file is sent, or be deleted
                game = Game.objects.filter(pk=number).first()
                text = json.dumps(history.game_file(game), ensure_ascii=False, separators=(",", ":")) if game else ""
            if game:
                archive.writestr(f"ten-thousand-{game.code}.json", text)
                yield piece.take()
    yield piece.take()


class Piece(io.RawIOBase):
    """What has been written since the last piece was taken. It cannot be sought in, so nothing is kept for that."""

    def __init__(self) -> None:
        self.written = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self.written += data
        return len(data)

    def take(self) -> bytes:
        data = bytes(self.written)
        self.written.clear()
        return data


@require_safe
def statistics_table(request: PageRequest) -> HttpResponseBase:
    """Send all statistics, streamed: a row for each seat that this browser's people had in games that count.

    The heads are for programs, so they are in no particular reader's language.
    """
    visitor = request.browser.visitor()
    response = StreamingHttpResponse(write_statistics(visitor), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="ten-thousand-statistics.csv"'
    return response


def write_statistics(visitor: Visitor | None) -> Iterator[str]:
    """Yield the table, a few hundred rows at a time."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for rows in list_counted_seats(visitor) if visitor else ():
        writer.writerows([defused(value) if isinstance(value, str) else value for value in row] for row in rows)
        yield text.getvalue()
        text.seek(0)
        text.truncate()
    yield text.getvalue()
