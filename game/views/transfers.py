"""Going on on another device: the page with the link, and the page that the link opens."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from game import services
from game.forms.commands import Nonsense, digest, form_key, read_command
from game.identity import PageRequest
from game.models import Transfer
from game.pages.parts.qr_code import draw_qr
from game.pages.parts.text import join_names
from game.services import LinkEnded, Refusal
from game.views.actions import refuse
from game.views.game import game_for
from game.views.responses import see_other


@require_POST
@never_cache
def transfer(request: PageRequest, code: str) -> HttpResponse:
    """The link to open on the other device. It stands on this page alone, and is shown to nobody else."""
    game = game_for(request, code)
    try:
        command = read_command(request, request.browser.visitor(), versioned=False)
        token = services.offer_transfer(code, command)
    except Nonsense as nonsense:
        return refuse(request, code, nonsense.status, str(nonsense))
    except Refusal as refusal:
        return refuse(request, code, refusal.status, str(refusal))
    link = request.build_absolute_uri(reverse("game:claim", args=[token]))
    context = {"game": game, "link": link, "qr": draw_qr(link), **seats_of(services.find_transfer(token))}
    return render(request, "game/transfer.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def claim(request: PageRequest, token: str) -> HttpResponse:
    """Looking changes nothing; the button moves the seats."""
    try:
        return move(request, token) if request.method == "POST" else page(request, token)
    except LinkEnded as ended:
        return render(request, "game/link_ended.html", {"why": str(ended)}, status=ended.status)


def move(request: PageRequest, token: str) -> HttpResponse:
    try:
        game = services.claim_transfer(request.browser, token, form_key(request), digest(request))
    except LinkEnded:
        raise
    except (Nonsense, Refusal) as refused:
        return page(request, token, str(refused), refused.status)
    return see_other(request, game.get_absolute_url())


def page(request: PageRequest, token: str, problem: str = "", status: int = 200) -> HttpResponse:
    found, visitor = services.find_transfer(token), request.browser.visitor()
    here = visitor is not None and visitor.pk == found.visitor_id
    context = {"game": found.game, "token": token, "here": here, "problem": problem, **seats_of(found)}
    return render(request, "game/claim.html", context, status=status)


def seats_of(found: Transfer) -> dict[str, object]:
    """Who plays on the other device from then on, as "Ana and Bruno"; nobody where a host without a seat moves."""
    names = [seat.name for seat in found.game.seats if seat.visitor_id == found.visitor_id and not seat.level]
    return {"who": join_names(names), "people": len(names)}
