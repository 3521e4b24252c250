"""This browser's games, and loading a saved one."""

from __future__ import annotations

import re

from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from game import history, services
from game.forms.fields import is_key
from game.forms.load import LoadForm, TooLarge
from game.models import Game
from game.rules.record import Flaw, RecordError
from game.views import gamelist
from game.views.responses import see_other

PAGE = 25
EVENT = re.compile(r"event (\d+)(?:, throw (\d+))?\Z")
TABS = {"open": Game.Status.RUNNING, "finished": Game.Status.FINISHED}


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    visitor = request.browser.visitor()
    tab = request.GET.get("show") if request.GET.get("show") in TABS else "open"
    mine = history.games_of(visitor, TABS[tab]) if visitor else Game.objects.none()
    page = Paginator(mine, PAGE).get_page(request.GET.get("page"))
    context = {"tab": tab, "page": page, "rows": gamelist.rows(page, visitor) if visitor else []}
    part = request.htmx and "page" in request.GET
    return render(request, "game/partials/games_rows.html" if part else "game/games.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def load(request: HttpRequest) -> HttpResponse:
    """A file makes a new game, with new dice for what is still to be thrown."""
    if request.method != "POST":
        return render(request, "game/import.html", {"problems": []})
    key = request.POST.get("key")
    if not is_key(key):
        raise BadRequest(_("This form is out of date. Load the page again."))
    form = LoadForm(request.POST, request.FILES)
    try:
        if not form.is_valid():
            return refused(request, form.errors["file"], 422)
        game = services.load(request.browser, key, form.cleaned_data["file"])
    except TooLarge:
        return refused(request, [_("This file is too large. A game file has at most 256 KiB.")], 413)
    except services.Refusal as refusal:
        return refused(request, [str(refusal)], refusal.status)
    except RecordError as error:
        return refused(request, [sentence(flaw) for flaw in error.problems], 422)
    return see_other(request, game.get_absolute_url())


def sentence(flaw: Flaw) -> str:
    """What is wrong in a game file, with its place in front."""
    return _("%(place)s: %(reason)s.") % {
        "place": place(flaw.place),
        "reason": _(flaw.sentence).rstrip(".") % flaw.args,
    }


def place(words: str) -> str:
    """ "event 12, throw 2" in the reader's language; other places are the names of fields."""
    if words == "file":
        return _("File")
    match = EVENT.match(words)
    if not match:
        return words
    said = {"n": match[1], "k": match[2]}
    return _("Event %(n)s, throw %(k)s") % said if match[2] else _("Event %(n)s") % said


def refused(request: HttpRequest, why: list[str], status: int) -> HttpResponse:
    problems = [("file", str(each)) for each in why]
    return render(request, "game/import.html", {"problems": problems, "key": request.POST["key"]}, status=status)
