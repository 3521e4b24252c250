"""Fair dice: those of one game, to be checked in the browser or by a script, and how all throws of the site fell."""

import re

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from game.history import fair, seat_words
from game.identity import PageRequest
from game.models import Game
from game.models.visitors import CODE
from game.pages.fair import EXAMPLE, describe_frequencies, describe_word, write_throws
from game.pages.link_preview import preview_page
from game.views.game import get_game_or_404
from game.views.responses import attach

IN_A_LINK = re.compile(rf"(?<![A-Za-z0-9_-]){CODE}(?![A-Za-z0-9_-])")


@require_safe
def of_site(request: HttpRequest) -> HttpResponse:
    """Show how a throw is made, and how the last million fell. `?game=` leads to the check of a game."""
    typed = request.GET.get("game", "")
    if code := IN_A_LINK.search(typed):
        return redirect("game:fair-game", code.group())
    context = {
        "typed": typed[:80],
        "wrong": bool(typed),
        "example": EXAMPLE,
        **describe_frequencies(),
        "preview": preview_page(
            _("Fair dice"),
            _("How the dice are sealed before the first throw, how you check them, and how they fell here."),
            "fair",
        ),
    }
    return render(request, "game/fair.html", context, status=422 if typed else 200)


@require_safe
@never_cache
def of_game(request: PageRequest, code: str) -> HttpResponse:
    """Show the seal, and what it held as soon as that may be seen."""
    game = get_game_or_404(request, code)
    seeds = fair.epochs_of(game)
    opened = {seed.epoch for seed in seeds if fair.is_open(game, seed)}
    fallen = fair.fallen_throws(game, seeds)
    names = {player.seat: player.name for player in game.seats}
    put_in = seat_words(game)
    context = {
        "game": game,
        "over": game.is_over,
        "opened": bool(opened),
        "begun": game.status != Game.Status.WAITING,
        "epochs": [(seed, bytes(seed.seed).hex() if seed.epoch in opened else "") for seed in seeds],
        "has_words": any(put_in),
        "seats": [(player, describe_word(player, bool(opened))) for player in game.seats[: len(put_in)]],
        "count": len(fallen),
        "ours": any(throw.number is not None for throw in fallen),
        "rows": write_throws(fallen, names, opened) if opened else "",
    }
    return render(request, "game/fair_game.html", context)


@require_safe
@never_cache
def script(request: PageRequest, code: str) -> HttpResponseBase:
    """Send the check of one game, with everything it needs inside. Before the end there is none."""
    game = get_game_or_404(request, code)
    if not game.is_over:
        raise Http404
    return attach(fair.write_check(game), f"ten-thousand-{code}-check.py")


@require_safe
def any_script(request: HttpRequest) -> HttpResponseBase:
    """Send the same check for any game file."""
    return attach(fair.write_check(None), "ten-thousand-check.py")
