"""Moving to another device: the page with the link, and the page that the link opens."""

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from game import services
from game.forms.commands import digest_form, read_command, read_key
from game.identity import PageRequest
from game.models import Transfer
from game.pages.parts.text import join_names
from game.services import LinkEnded
from game.views.actions import refuse
from game.views.game import get_game_or_404
from game.views.hosting import read_seat
from game.views.responses import REFUSED, explain_refusal, see_other


@require_POST
@never_cache
def transfer(request: PageRequest, code: str) -> HttpResponse:
    """Show the link to open on the other device. It appears on this page only, and to nobody else."""
    game = get_game_or_404(request, code)
    try:
        command = read_command(request, request.browser.visitor(), versioned=False)
        token = services.offer_transfer(code, command, read_seat(request) if "seat" in request.POST else None)
    except REFUSED as error:
        return refuse(request, code, error)
    link = request.build_absolute_uri(reverse("game:claim", args=[token]))
    context = {"game": game, "link": link, **list_movers(services.find_transfer(token))}
    return render(request, "game/transfer.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def claim(request: PageRequest, token: str) -> HttpResponse:
    """Show what the link moves; the button moves it."""
    try:
        return move_seats(request, token) if request.method == "POST" else show_claim(request, token)
    except LinkEnded as ended:
        return render(request, "game/link_ended.html", {"why": str(ended), "watch": None}, status=ended.status)


def move_seats(request: PageRequest, token: str) -> HttpResponse:
    """Move the seats to this device. Raises `LinkEnded`."""
    try:
        game = services.claim_transfer(request.browser, token, read_key(request), digest_form(request))
    except LinkEnded:
        raise
    except REFUSED as error:
        return show_claim(request, token, error)
    return see_other(request, game.get_absolute_url())


def show_claim(request: PageRequest, token: str, error: Exception | None = None) -> HttpResponse:
    """Return the page that the link opens. Raises `LinkEnded`. `error`: why nothing was moved."""
    status, problem = explain_refusal(request, error) if error else (200, "")
    link, visitor = services.find_transfer(token), request.browser.visitor()
    here = visitor is not None and visitor.pk == link.visitor_id
    context = {"game": link.game, "token": token, "here": here, "problem": problem, **list_movers(link)}
    return render(request, "game/claim.html", context, status=status)


def list_movers(link: Transfer) -> dict[str, object]:
    """Return who plays on the other device from then on, as "Ana and Bruno"; "" for a host without a seat."""
    seats = [seat for seat in services.list_moving(link.game, link) if not seat.level]
    names = [seat.name for seat in seats]
    is_free = bool(seats) and all(seat.visitor_id is None for seat in seats)
    return {"who": join_names(names), "people": len(names), "watches": link.player_id is None, "free": is_free}
