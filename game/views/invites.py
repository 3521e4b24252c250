"""The invite: a link that seats whoever presses the button. Looking at it changes nothing."""

from __future__ import annotations

import hashlib

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from game import live, services
from game.forms.commands import Nonsense, digest, form_key, whole
from game.forms.fields import clean_player_name
from game.identity import Browser, PageRequest
from game.models import Game, Invite
from game.pages.lobby import host_name, place, settled
from game.pages.parts.refusals import sentence
from game.pages.parts.text import join_names
from game.rules import IllegalMove
from game.rules.names import same_name
from game.services import LinkEnded, Refusal
from game.views.lastname import last_name, remember_name
from game.views.responses import see_other

GUESTS = (
    gettext_lazy("Guest Otter"),
    gettext_lazy("Guest Badger"),
    gettext_lazy("Guest Heron"),
    gettext_lazy("Guest Lynx"),
    gettext_lazy("Guest Puffin"),
    gettext_lazy("Guest Marten"),
    gettext_lazy("Guest Beaver"),
    gettext_lazy("Guest Falcon"),
    gettext_lazy("Guest Hare"),
    gettext_lazy("Guest Ibex"),
    gettext_lazy("Guest Seal"),
    gettext_lazy("Guest Wren"),
)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def invite(request: PageRequest, token: str) -> HttpResponse:
    try:
        if request.method == "POST":
            return sit(request, token)
        return page(request, services.find_invite(token))
    except LinkEnded as ended:
        return over(request, ended)


def sit(request: PageRequest, token: str) -> HttpResponse:
    """Takes the seat that was pressed; what stands against it is said on the page, as it is now."""
    name, player = request.POST.get("name", ""), whole(request.POST.get("player", ""))
    try:
        key = form_key(request)
        typed = "" if player is not None else clean_player_name(name)
        game = services.take_seat(request.browser, token, key, digest(request), typed, player)
    except Nonsense as nonsense:
        return page(request, services.find_invite(token), str(nonsense), nonsense.status)
    except IllegalMove as illegal:
        return page(request, services.find_invite(token), sentence(illegal), 422)
    except LinkEnded:
        raise
    except Refusal as refused:
        return page(request, services.find_invite(token), str(refused), refused.status)
    response = see_other(request, game.get_absolute_url())
    if typed:
        remember_name(response, typed)
    return response


def page(request: PageRequest, found: Invite, problem: str = "", status: int = 200) -> HttpResponse:
    game, visitor = found.game, request.browser.visitor()
    contacts = live.presence_at(game).seats
    places = [place(seat, there, visitor, False, False, 0) for seat, there in zip(game.seats, contacts, strict=True)]
    context = {
        "game": game,
        "token": found.token,
        "host": host_name(game),
        "ruleset": game.rules.name,
        "settled": settled(game),
        "places": places,
        "free": [each for each in places if each.shape == "free"],
        "full": len(places) >= game.rules.max_players,
        "mine": join_names([each.name for each in places if each.yours]),
        "name": request.POST.get("name", "")[:80] if problem else suggested_name(request, game),
        "problems": [("name", problem)] if problem else [],
    }
    return render(request, "game/invite.html", context, status=status)


def over(request: PageRequest, ended: LinkEnded) -> HttpResponse:
    """What to do now. Whoever plays in the game is led to it."""
    game = ended.game
    if game and services.has_part(game, request.browser.visitor()):
        return HttpResponseRedirect(game.get_absolute_url())
    context = {"why": str(ended), "watch": game if game and game.watching else None}
    return render(request, "game/link_ended.html", context, status=ended.status)


def suggested_name(request: PageRequest, game: Game) -> str:
    """The name of the last visit, else one that is nobody's here; the same each time this browser looks."""
    wanted = [last_name(request), *guest_names(request.browser)]
    taken = [seat.name for seat in game.seats]
    free = (name for name in wanted if name and not any(same_name(name, other) for other in taken))
    return next(free, "")


def guest_names(browser: Browser) -> list[str]:
    first = hashlib.sha256(browser.token_hash.encode()).digest()[0] % len(GUESTS)
    return [str(name) for name in (*GUESTS[first:], *GUESTS[:first])]
