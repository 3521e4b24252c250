"""The page that says what will be lost, with the buttons to end a game, to resign, or to delete it."""

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
from game.services import AlreadyDone, NotYourSeat
from game.views.actions import refuse
from game.views.game import get_game_or_404, show_game
from game.views.responses import REFUSED, see_other


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def delete(request: PageRequest, code: str) -> HttpResponse:
    """Ask before deleting a game, and delete it."""
    if request.method != "POST":
        return show_question(request, get_game_or_404(request, code))
    is_open = Game.objects.filter(code=code, status__in=Game.OPEN).exists()
    try:
        command = read_command(request, request.browser.visitor(), versioned=False)
        match request.POST.get("do"):
            case "end":
                services.end_game(code, command)
                return see_other(request, reverse("game:page", args=[code]))
            case "delete":
                services.delete_game(code, command)
            case _:
                raise Nonsense(_("Choose whether to end or to delete the game."))
    except AlreadyDone:
        pass
    except REFUSED as error:
        return refuse(request, code, error)
    return see_other(request, reverse("game:games") + ("" if is_open else "?show=finished"))


def show_question(request: PageRequest, game: Game) -> HttpResponse:
    """Return what the button will do for this viewer."""
    visitor = request.browser.visitor()
    if visitor is None or not services.has_part(game, visitor):
        return show_game(request, game, refusal=str(NotYourSeat()), status=403)
    context = {
        "game": game,
        "title": write_title(game.seats, find_own_seats(visitor, game.seats)),
        "for_all": services.is_deleted_for_all(game, visitor),
        "over": game.is_over,
        "running": game.status == Game.Status.RUNNING,
    }
    return render(request, "game/delete.html", context)
