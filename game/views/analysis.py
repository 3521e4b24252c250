"""The review of a finished game, at `/g/<code>/analysis`: what its decisions were worth."""

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from game import services
from game.forms.commands import read_number
from game.history.reviews import find_review
from game.identity import PageRequest
from game.models import Game
from game.pages.link_preview import preview_review
from game.pages.parts.view_of_game import find_seat_called_you
from game.pages.review.page import build_review
from game.pages.review.summary import summarise_review
from game.prefs import Prefs
from game.services import Refusal
from game.views.context import list_colours_for
from game.views.game import get_game_or_404
from game.views.responses import see_other


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def analysis(request: PageRequest, code: str) -> HttpResponse:
    """Show the review; `?d=12` shows that decision in full, `?all=1` lists all of them. A POST queues the review."""
    game = get_game_or_404(request, code)
    try:
        if request.method == "POST":
            services.request_review(game)
            return see_other(request, reverse("game:analysis", args=[code]))
    except Refusal as refusal:
        return show_review(request, game, state="running", status=refusal.status)
    if not game.is_over:
        return show_review(request, game, state="running", status=409)
    review = find_review(game)
    data = review.data if review and review.is_done else None
    if data is None:
        summary = summarise_review(game, review)
        return show_review(request, game, state=summary.state, progress=summary.progress)
    wanted, prefs = read_number(request.GET.get("d", "")), Prefs.of(request)
    shown = build_review(game, request.browser.visitor(), data, wanted, "all" in request.GET, prefs)
    return show_review(request, game, state="done", page=shown)


def show_review(request: PageRequest, game: Game, *, status: int = 200, **context: object) -> HttpResponse:
    """Return the page of a review in one of its states."""
    shown = {"game": game, "seat_colours": list_colours_for(request, game), "preview": preview_review(game), **context}
    return render(request, "game/analysis/page.html", shown, status=status)


@require_safe
@never_cache
def short(request: PageRequest, code: str) -> HttpResponse:
    """Return the part of a finished game's page that is requested again and again until the review is done."""
    game = get_game_or_404(request, code)
    if not game.is_over:
        return HttpResponse(status=204)
    review = summarise_review(game, find_review(game), find_seat_called_you(request.browser.visitor(), game.seats))
    context = {"code": code, "seat_colours": list_colours_for(request, game), "review": review}
    return render(request, "board/review.html", context)
