"""The page of a game before its start, and what people change on it."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from game import services
from game.forms.commands import Nonsense, whole
from game.forms.fields import clean_player_name
from game.forms.new import read_target
from game.forms.seats import joining, names_in
from game.forms.words import dice_word
from game.identity import PageRequest
from game.models import Game
from game.pages.lobby import Waiting, told_since, waiting
from game.services import Command, GameAndEvents
from game.views.listening import listening

Change = Callable[[PageRequest, str, Command, int], GameAndEvents]


def page(request: PageRequest, game: Game, *, refusal: str = "", status: int = 200) -> HttpResponse:
    return render(
        request,
        "game/waiting.html",
        {"board": values(request, game, refusal)} | listening(request, game),
        status=status,
    )


def fragments(
    request: PageRequest, game: Game, *, refusal: str = "", said: str = "", status: int = 200
) -> HttpResponse:
    """All regions: the page is small, and what somebody is typing stays. `?sat=…`: whom the page shows."""
    if "sat" in request.GET:
        said = told_since(game, request.GET["sat"])
    board = values(request, game, refusal, said)
    return render(request, "game/waiting_board.html", {"board": board, "quiet": not board.live}, status=status)


def values(request: PageRequest, game: Game, refusal: str = "", said: str = "") -> Waiting:
    link = request.build_absolute_uri(game.get_absolute_url())
    return waiting(game, request.browser.visitor(), link, refusal=refusal, said=said)


def is_late(request: PageRequest) -> bool:
    """Whether the page that asks was loaded before the start: its regions are not those of a running game."""
    return "waiting" in (request.POST if request.method == "POST" else request.GET)


# ── what is changed before the start ──


def change_seats(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """A seat more, or a change of the one that the form names by its player."""
    do = request.POST.get("do", "")
    if do in ("add", "free", "computer"):
        return add(request, code, command, do)
    player = whole(request.POST.get("player", ""))
    if do not in OF_A_SEAT or player is None:
        raise Nonsense(_("Say whose seat it is, and what to do with it."))
    return OF_A_SEAT[do](request, code, command, player)


def add(request: PageRequest, code: str, command: Command, do: str) -> GameAndEvents:
    name, level = joining(request.POST, names_in(code), computer=do == "computer")
    return services.add_seat(code, command, name, level, free=do == "free" and level is None)


def rename(request: PageRequest, code: str, command: Command, player: int) -> GameAndEvents:
    return services.rename_seat(code, command, player, clean_player_name(request.POST.get("name", "")))


def remove(_request: PageRequest, code: str, command: Command, player: int) -> GameAndEvents:
    return services.remove_seat(code, command, player)


def up(_request: PageRequest, code: str, command: Command, player: int) -> GameAndEvents:
    return services.move_seat(code, command, player, -1)


def down(_request: PageRequest, code: str, command: Command, player: int) -> GameAndEvents:
    return services.move_seat(code, command, player, 1)


OF_A_SEAT: dict[str, Change] = {"rename": rename, "remove": remove, "up": up, "down": down}


def change_target(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    return services.choose_target(code, command, read_target(request.POST))


def change_word(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    player = whole(request.POST.get("player", ""))
    if player is None:
        raise Nonsense(_("Say whose word it is."))
    return services.set_word(code, command, player, dice_word(request.POST.get("word", "")))
