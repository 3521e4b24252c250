"""Fair dice: those of one game, to check in the browser or with a script, and how all throws of the site fell."""

import re

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from game.history import fair
from game.history.frequencies import FEWEST, read_frequencies
from game.identity import PageRequest
from game.models.visitors import CODE
from game.pages.fair import build_fair_page
from game.views.game import get_game_or_404
from game.views.responses import attach

IN_A_LINK = re.compile(rf"(?<![A-Za-z0-9_-]){CODE}(?![A-Za-z0-9_-])")


@require_safe
def of_site(request: HttpRequest) -> HttpResponse:
    """Show how a throw is made, and how the last million fell. `?game=` redirects to the check of a game."""
    typed = request.GET.get("game", "")
    if code := IN_A_LINK.search(typed):
        return redirect("game:fair-game", code.group())
    context = {"typed": typed[:80], "wrong": bool(typed), "seen": read_frequencies(), "fewest": FEWEST}
    return render(request, "game/fair.html", context, status=422 if typed else 200)


@require_safe
@never_cache
def of_game(request: PageRequest, code: str) -> HttpResponse:
    """Show the seals of a game, and what was sealed once that may be seen."""
    game = get_game_or_404(request, code)
    return render(request, "game/fair_game.html", build_fair_page(game))


@require_safe
@never_cache
def script(request: PageRequest, code: str) -> HttpResponseBase:
    """Send a script that checks one game, with everything it needs inside; 404 before the end."""
    game = get_game_or_404(request, code)
    if not game.is_over:
        raise Http404
    return attach(fair.write_check(game), f"ten-thousand-{code}-check.py")


@require_safe
def any_script(request: HttpRequest) -> HttpResponseBase:
    """Send the script that checks any game file."""
    return attach(fair.write_check(None), "ten-thousand-check.py")
