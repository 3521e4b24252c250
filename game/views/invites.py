"""The invite: a link that seats anybody who presses the button. Opening it changes nothing."""

import hashlib
import math

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from game import live, services
from game.forms.commands import digest_form, read_key, read_number
from game.forms.fields import clean_player_name
from game.identity import PageRequest
from game.pages.link_preview import preview_invite
from game.pages.lobby import build_lobby_seats, describe_late_seat, describe_settings, name_host
from game.pages.parts.names import suggest_guest_name
from game.pages.parts.text import join_names
from game.pages.rulesets.names import name_ruleset
from game.services import LinkEnded
from game.services.spoken_codes import TYPED_MOST, find_spoken_invite, read_code
from game.serving.rate_limits import begin_guess, refuse_request, take_guess_back
from game.views.remembered import last_name, remember_name
from game.views.responses import REFUSED, explain_refusal, see_other


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def join(request: PageRequest) -> HttpResponse:
    """Redirect the three words of an invite to it."""
    if request.method != "POST":
        return render(request, "game/join.html", {"typed": ""})
    typed = request.POST.get("words", "")
    try:
        read_key(request)
        numbers = read_code(typed)
        if wait := begin_guess(request):
            return refuse_request(request, "guess", math.ceil(wait))
        found = find_spoken_invite(numbers)
    except REFUSED as error:
        status, problem = explain_refusal(request, error)
        context = {"typed": typed[:TYPED_MOST], "problems": [("words", problem)]}
        return render(request, "game/join.html", context, status=status)
    take_guess_back(request)
    return see_other(request, reverse("game:invite", args=[found.token]))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def invite(request: PageRequest, token: str) -> HttpResponse:
    """Show the seats of a game, and give one to whoever presses the button."""
    try:
        return take_seat(request, token) if request.method == "POST" else show_invite(request, token)
    except LinkEnded as ended:
        return show_ended(request, ended)


def take_seat(request: PageRequest, token: str) -> HttpResponse:
    """Take the chosen seat; if that fails, say why on the current page."""
    player = read_number(request.POST.get("player", ""))
    try:
        key = read_key(request)
        name = "" if player is not None else clean_player_name(request.POST.get("name", ""))
        game = services.take_seat(request.browser, token, key, digest_form(request), name, player)
    except LinkEnded:
        raise
    except REFUSED as error:
        return show_invite(request, token, error)
    response = see_other(request, game.get_absolute_url())
    if name:
        remember_name(response, name)
    return response


def show_invite(request: PageRequest, token: str, error: Exception | None = None) -> HttpResponse:
    """Return the page of an invite. Raises `LinkEnded`. `error`: why a seat was not taken."""
    status, problem = explain_refusal(request, error) if error else (200, "")
    game = services.find_invite(token).game
    started = game.status == game.Status.RUNNING
    if started and services.has_part(game, request.browser.visitor()):
        return HttpResponseRedirect(game.get_absolute_url())
    seats = build_lobby_seats(game, request.browser.visitor(), live.presence_at(game))
    number = hashlib.sha256(request.browser.token_hash.encode()).digest()[0]  # the same each time this browser looks
    suggested = suggest_guest_name(last_name(request), number, [seat.name for seat in seats])
    context = {
        "game": game,
        "token": token,
        "host": name_host(game),
        "ruleset": name_ruleset(game.rules),
        "settled": describe_settings(game),
        "late": describe_late_seat(game) if started else "",
        "places": seats,
        "free": [seat for seat in seats if seat.shape == "free"],
        "full": len(seats) >= game.rules.max_players,
        "mine": join_names([seat.name for seat in seats if seat.yours]),
        "name": request.POST.get("name", "")[:80] if problem else suggested,
        "problems": [("name", problem)] if problem else [],
        "preview": preview_invite(game),
    }
    return render(request, "game/invite.html", context, status=status)


def show_ended(request: PageRequest, ended: LinkEnded) -> HttpResponse:
    """Return what to do now. Players of the game are redirected to it."""
    game = ended.game
    if game and services.has_part(game, request.browser.visitor()):
        return HttpResponseRedirect(game.get_absolute_url())
    context = {"why": str(ended), "watch": game if game and game.watching else None}
    return render(request, "game/link_ended.html", context, status=ended.status)
