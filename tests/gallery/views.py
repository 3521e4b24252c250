"""Every state of the game page with values made by hand: the test bed of the look.

`?state=` names the state. A post answers as an action would, with the board of the state named by `to`, so that the
page can be tried, with and without JavaScript, before and beside the real game.
"""

from pathlib import Path

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template import engines

from game.pages.board.components import Board
from game.pages.board.regions import OF_ALL
from game.pages.parts.colours import COLOURS
from tests.gallery.parts import address
from tests.gallery.states import STATES

FOLDER = Path(__file__).parent
SEAT_COLOURS = (*COLOURS, *COLOURS)  # enough for twelve players, none of whom has chosen a colour


def gallery(request: HttpRequest) -> HttpResponse:
    """Return the parts on one page; with `?state=`, the game page in that state, or the answer to a press on it."""
    name = request.GET.get("state", "")
    if not name:
        page = engines["jinja2"].from_string((FOLDER / "gallery.html").read_text(encoding="utf-8"))
        parts = {"states": STATES, "tokens": TOKENS, "faces": range(1, 7), "seat_colours": SEAT_COLOURS}
        return HttpResponse(page.render(parts, request))
    if request.method == "POST":
        return answer(request, request.GET.get("to", name), int(request.GET.get("status", 200)))
    context = {"board": board_of(name), "seat_colours": SEAT_COLOURS, "stream": "", "seated": False}
    return render(request, "game/game.html", context)


def style(_request: HttpRequest) -> HttpResponse:
    return HttpResponse((FOLDER / "gallery.css").read_text(encoding="utf-8"), content_type="text/css")


def answer(request: HttpRequest, name: str, status: int) -> HttpResponse:
    if request.headers.get("HX-Request") != "true":
        return HttpResponseRedirect(address(name), status=303)
    if status >= 500 or status in (400, 403, 404, 429):
        return render(
            request,
            f"{status}.html",
            {"kind": "move", "seconds": 3, "minutes": 1, "code": None, "request_path": request.path},
            status=status,
        )
    context = {"board": board_of(name), "seat_colours": SEAT_COLOURS, "regions": OF_ALL}
    return render(request, "board/changes.html", context, status=status)


def board_of(name: str) -> Board:
    if name not in STATES:
        raise Http404
    return STATES[name]()


TOKENS = [
    "paper",
    "card",
    "ink",
    "ink-2",
    "line",
    "line-strong",
    "bar",
    "felt",
    "felt-hi",
    "felt-deep",
    "felt-line",
    "on-felt",
    "on-felt-2",
    "die",
    "die-lo",
    "pip",
    "pip-ace",
    "die-old",
    "die-old-lo",
    "pip-old",
    "opt",
    "opt-ink",
    "throw",
    "throw-ink",
    "bank",
    "bank-ink",
    "good",
    "bust",
    "focus",
    "focus-edge",
    "p1",
    "p2",
    "p3",
    "p4",
    "p5",
    "p6",
    "p7",
    "p8",
]
