"""The game page in every state, each a real game: the test bed of the look.

A post to `?state=` makes the game and leads to its page. One to `?status=404` is answered with the page of that error.
"""

from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template import engines

from game import prefs
from game.models import COLOURS
from tests.gallery.states import STATES, make_state

FOLDER = Path(__file__).parent


def gallery(request: HttpRequest) -> HttpResponse:
    """Return the parts on one page, or what a post asks for."""
    if "status" in request.GET:
        status = int(request.GET["status"])
        context = {"kind": "move", "seconds": 3, "minutes": 1, "code": None, "request_path": request.path}
        return render(request, f"{status}.html", context, status=status)
    if request.method == "POST":
        return open_state(request.GET["state"])
    page = engines["jinja2"].from_string((FOLDER / "gallery.html").read_text(encoding="utf-8"))
    parts = {"states": STATES, "tokens": TOKENS, "faces": range(1, 7), "seat_colours": COLOURS}
    return HttpResponse(page.render(parts, request))


def open_state(name: str) -> HttpResponse:
    """Make a game in this state and lead there, as its players or as a spectator."""
    game, viewer = make_state(name)
    response = HttpResponseRedirect(game.get_absolute_url() + STATES[name].query, status=303)
    response.set_cookie(settings.VISITOR_COOKIE_NAME, viewer.browser.token)
    response.set_cookie(prefs.PREFS_COOKIE, STATES[name].prefs)
    return response


def style(_request: HttpRequest) -> HttpResponse:
    return HttpResponse((FOLDER / "gallery.css").read_text(encoding="utf-8"), content_type="text/css")


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
