"""What the host and the players do beside the dice: the start, links, watching, undo by consent."""

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from game import services
from game.forms.commands import Nonsense, read_number
from game.forms.new import list_offered
from game.forms.words import clean_dice_word
from game.identity import PageRequest
from game.models import Game
from game.pages.rulesets.names import name_ruleset
from game.services import Command, GameAndEvents
from game.storage import load_state
from game.strategy.computers import FIRST_LEVEL
from game.views.actions import command, describe_undo
from game.views.own_rules import find_destination, find_game, read_changed, show_form


@command(table=True)
def start(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """Begin the game with whoever sits there."""
    return services.start_game(code, command, alone="alone" in request.POST)


def describe_rules(game: Game) -> str:
    """Return the note about what is played now."""
    return _("Now you play %(rules)s.") % {"rules": name_ruleset(game.rules)}


@require_POST
def rules(request: PageRequest, code: str) -> HttpResponse:
    """Choose another ruleset before the start, or rules from the form that changes them."""
    if request.POST.get("do") != "rules":
        return choose_offered(request, code)
    find_game(request, code)
    form, changed = read_changed(request)
    if changed is None:
        return show_form(request, form, find_destination(request), None, status=422)
    return choose_changed(request, code)


@command(table=True, note=describe_rules)
def choose_changed(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """Set the posted rules for the game."""
    _form, changed = read_changed(request)
    if changed is None:
        raise Nonsense(_("Choose rules that can be played."))
    return services.choose_ruleset(code, command, changed)


@command(table=True, note=describe_rules)
def choose_offered(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """Choose a ruleset of this site."""
    slug = request.POST.get("ruleset", "")
    row = next((row for row in list_offered(slug) if row.slug == slug), None)
    if row is None:
        raise Nonsense(_("Choose a ruleset from this page."))
    return services.choose_ruleset(code, command, row)


@command(table=True, note=lambda _game: _("Your word is in the dice."))
def word(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """Put a player's word into the dice."""
    player = read_number(request.POST.get("player", ""))
    if player is None:
        raise Nonsense(_("Choose whose word to change."))
    return services.set_word(code, command, player, clean_dice_word(request.POST.get("word", "")))


@command(table=True, note=lambda _game: _("There is a new invite link. The old one no longer works."))
def links(_request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """Make a new invite."""
    return services.renew_invite(code, command)


@command(table=True)
def skip(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """Skip a person who is due and silent, or let a computer play until they come back."""
    match request.POST.get("do"):
        case "skip":
            return services.skip_player(code, command)
        case "hand":
            return services.hand_to_computer(code, command, FIRST_LEVEL)
    raise Nonsense(_("Skip the turn, or let the computer play."))


def describe_host(game: Game) -> str:
    """Return the note about who is the host now."""
    seat = next(seat for seat in game.seats if seat.visitor_id == game.host_id and not seat.level)
    return _("%(name)s is the host now.") % {"name": seat.name}


@command(table=True, note=describe_host)
def host(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """Make somebody else the host."""
    return services.hand_over(code, command, read_seat(request))


def describe_watching(game: Game) -> str:
    """Return the note about who may see the game now."""
    return _("Spectators can watch.") if game.watching else _("Only players can see this game now.")


@command(table=True, note=describe_watching)
def watching(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """Let spectators in, or keep the game to its players."""
    allowed = request.POST.get("allowed")
    if allowed not in ("0", "1"):
        raise Nonsense(_("Choose whether spectators may watch."))
    return services.set_watching(code, command, allowed == "1")


@command(table=True)
def hand(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """Take a seat back from the computer that played for a person meanwhile."""
    return services.take_back_seat(code, command, read_seat(request))


def describe_answer(game: Game) -> str:
    """Return the note about the answer; a switch of the dice speaks for itself."""
    if game.question != "undo":
        return "" if load_state(game).mode == game.question else _("The dice stay as they were.")
    return describe_undo(game) if game.dice_version == game.version else _("Undo declined.")


@command(table=True, note=describe_answer)
def answer_undo(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """Allow what somebody asked for, or refuse it."""
    answer = request.POST.get("answer")
    if answer not in ("allow", "refuse"):
        raise Nonsense(_("Allow it, or decline it."))
    return services.answer_question(code, command, answer == "allow", request.POST.get("question", ""))


def read_seat(request: PageRequest) -> int:
    """Return the seat that a form names. Raises `Nonsense`."""
    seat = read_number(request.POST.get("seat", ""))
    if seat is None:
        raise Nonsense(_("Choose a seat."))
    return seat
