"""A page that says what goes, and the button that lets it go."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from game import services
from game.forms.commands import Nonsense, read_command
from game.identity import PageRequest
from game.models import Game
from game.pages.game_list import find_own_seats, write_title
from game.services import AlreadyDone, NotYourSeat, Refusal
from game.views.actions import refuse
from game.views.game import game_for, show
from game.views.responses import see_other


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def delete(request: PageRequest, code: str) -> HttpResponse:
    if request.method != "POST":
        return ask(request, game_for(request, code))
    waits = Game.objects.filter(code=code, status=Game.Status.WAITING).exists()
    try:
        services.delete_game(code, read_command(request, request.browser.visitor(), versioned=False))
    except AlreadyDone:
        pass
    except Nonsense as nonsense:
        return refuse(request, code, 400, str(nonsense))
    except Refusal as refusal:
        return refuse(request, code, refusal.status, str(refusal))
    return see_other(request, reverse("game:games") + ("" if waits else "?show=finished"))


def ask(request: PageRequest, game: Game) -> HttpResponse:
    """What the button will do, for who may press it."""
    visitor = request.browser.visitor()
    if visitor is None or not services.has_part(game, visitor):
        return show(request, game, refusal=str(NotYourSeat()), status=403)
    if game.status == Game.Status.RUNNING:
        return show(
            request, game, refusal=_("This game is still being played. It can be deleted after its end."), status=409
        )
    context = {
        "game": game,
        "title": write_title(game.seats, find_own_seats(visitor, game.seats)),
        "for_all": services.is_deleted_for_all(game, visitor),
        "over": game.is_over,
    }
    return render(request, "game/delete.html", context)
