"""Links that give a seat to anybody who presses their button: invites, and transfers to another device."""

import math

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from game import services
from game.forms.commands import digest_form, read_command, read_key, read_number, read_seat
from game.forms.fields import clean_player_name
from game.identity import PageRequest
from game.pages.link_preview import preview_invite
from game.pages.links import build_invite, build_transfer, find_problem_place
from game.pages.parts.names import is_free, suggest_guest_name
from game.services import LinkEnded
from game.services.spoken_codes import TYPED_MOST, find_spoken_invite, read_code
from game.serving.rate_limits import begin_guess, refuse_request, take_guess_back
from game.views.actions import refuse_action
from game.views.game import get_game_or_404
from game.views.responses import REFUSED, explain_refusal, see_other
from game.web.remembered import recall_name, remember_name


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def join(request: PageRequest) -> HttpResponse:
    """Ask for the three words of a spoken code, and redirect to their invite."""
    if request.method != "POST":
        return render(request, "game/join.html", {"typed": ""})
    typed = request.POST.get("words", "")
    try:
        read_key(request)
        numbers = read_code(typed)
        if wait := begin_guess(request):
            return refuse_request(request, "guess", math.ceil(wait))
        invite = find_spoken_invite(numbers)
    except REFUSED as error:
        status, problem = explain_refusal(request, error)
        context = {"typed": typed[:TYPED_MOST], "problems": [("words", problem)]}
        return render(request, "game/join.html", context, status=status)
    take_guess_back(request)
    return see_other(request, reverse("game:invite", args=[invite.token]))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def invite(request: PageRequest, token: str) -> HttpResponse:
    """Show the seats of a game, and give one to whoever presses the button."""
    try:
        return take_seat(request, token) if request.method == "POST" else show_invite(request, token)
    except LinkEnded as ended:
        return show_ended(request, ended)


def take_seat(request: PageRequest, token: str) -> HttpResponse:
    """Take the chosen seat; if that fails, say why on the current page. Raises `LinkEnded`."""
    player, typed = read_number(request.POST.get("player", "")), request.POST.get("name", "").strip()
    suggested = suggest_guest_name(services.find_invite(token).game, request.browser.number)
    try:
        key, name = read_key(request), "" if player is not None else clean_player_name(typed or suggested)
        game = services.take_seat(request.browser, token, key, digest_form(request), name, player)
    except REFUSED as error:
        return show_invite(request, token, error)
    response = see_other(request, game.get_absolute_url())
    if typed and name:
        remember_name(response, name)
    return response


def show_invite(request: PageRequest, token: str, error: Exception | None = None) -> HttpResponse:
    """Return the page of an invite. Raises `LinkEnded`. `error`: why a seat was not taken."""
    status, problem = explain_refusal(request, error) if error else (200, "")
    game = services.find_invite(token).game
    visitor = request.browser.visitor()
    if game.status == game.Status.RUNNING and services.has_part(game, visitor):
        return HttpResponseRedirect(game.get_absolute_url())
    shown, name = build_invite(game, visitor), recall_name(request)
    context = {
        **shown,
        "token": token,
        "name": name if is_free(name, [seat.name for seat in game.seats]) else "",
        "suggested": suggest_guest_name(game, request.browser.number),
        "problems": [(find_problem_place(shown, chose_seat="player" in request.POST), problem)] if problem else [],
        "wrong_name": "",
        "preview": preview_invite(game),
    }
    if problem and "player" not in request.POST:
        context |= {"name": request.POST.get("name", "")[:80], "wrong_name": problem}
    return render(request, "game/invite.html", context, status=status)


def show_ended(request: PageRequest, ended: LinkEnded) -> HttpResponse:
    """Return the page that says why a link has ended and what to do now; a player of the game is redirected to it."""
    game = ended.game
    if game and services.has_part(game, request.browser.visitor()):
        return HttpResponseRedirect(game.get_absolute_url())
    context = {"why": str(ended), "watch": game if game and game.watching else None}
    return render(request, "game/link_ended.html", context, status=ended.status)


@require_POST
@never_cache
def transfer(request: PageRequest, code: str) -> HttpResponse:
    """Show the link to open on the other device. It appears only on this page, and to nobody else."""
    game = get_game_or_404(request, code)
    try:
        command = read_command(request, request.browser.visitor(), versioned=False)
        token = services.offer_transfer(code, command, read_seat(request) if "seat" in request.POST else None)
    except REFUSED as error:
        return refuse_action(request, code, error)
    link = request.build_absolute_uri(reverse("game:claim", args=[token]))
    context = {"game": game, "link": link, **build_transfer(services.find_transfer(token))}
    return render(request, "game/transfer.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def claim(request: PageRequest, token: str) -> HttpResponse:
    """Show what the link moves; the button moves it."""
    try:
        return move_seats(request, token) if request.method == "POST" else show_claim(request, token)
    except LinkEnded as ended:
        return show_ended(request, ended)


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
    context = {"game": link.game, "token": token, "here": here, "problem": problem, **build_transfer(link)}
    return render(request, "game/claim.html", context, status=status)
