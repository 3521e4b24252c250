"""What the host, and whoever sits at the table, does beside the dice: the start, links, watching, undo by consent."""

from __future__ import annotations

from django.utils.translation import gettext as _

from game import services
from game.forms.commands import Nonsense, whole
from game.identity import PageRequest
from game.models import Game
from game.services import Command, GameAndEvents
from game.strategy.computers import FIRST_LEVEL
from game.views.actions import command, taken_back
from game.views.lobby import change_word

# ── before the start ──


@command(table=True)
def start(_request: PageRequest, code: str, command: Command) -> GameAndEvents:
    return services.start_game(code, command)


@command(table=True, said=lambda _game: _("Your word is in the dice."))
def word(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    return change_word(request, code, command)


@command(table=True, said=lambda _game: _("There is a new invite. The one before seats nobody any more."))
def links(_request: PageRequest, code: str, command: Command) -> GameAndEvents:
    return services.renew_invite(code, command)


# ── the host ──


@command(table=True)
def skip(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """A person who is due and silent: passed over, or played by a computer until the person comes back."""
    match request.POST.get("do"):
        case "skip":
            return services.skip_player(code, command)
        case "hand":
            return services.hand_to_computer(code, command, FIRST_LEVEL)
    raise Nonsense(_("Skip the turn, or let the computer play."))


def host_said(game: Game) -> str:
    seat = next(seat for seat in game.seats if seat.visitor_id == game.host_id and not seat.level)
    return _("%(name)s is the host now.") % {"name": seat.name}


@command(table=True, said=host_said)
def host(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    return services.hand_over(code, command, seat_in(request))


def watching_said(game: Game) -> str:
    return _("Others may watch.") if game.watching else _("Only the players see this game now.")


@command(table=True, said=watching_said)
def watching(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    allowed = request.POST.get("allowed")
    if allowed not in ("0", "1"):
        raise Nonsense(_("Say whether others may watch."))
    return services.set_watching(code, command, allowed == "1")


# ── everybody ──


@command(table=True)
def hand(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """A person plays again for whom a computer played meanwhile."""
    return services.take_back_seat(code, command, seat_in(request))


def answered(game: Game) -> str:
    return taken_back(game) if game.dice_version == game.version else _("It stays as it is.")


@command(table=True, said=answered)
def answer_undo(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    answer = request.POST.get("answer")
    if answer not in ("allow", "refuse"):
        raise Nonsense(_("Allow it, or refuse it."))
    return services.answer_undo(code, command, answer == "allow")


def seat_in(request: PageRequest) -> int:
    seat = whole(request.POST.get("seat", ""))
    if seat is None:
        raise Nonsense(_("Say whose seat it is."))
    return seat
