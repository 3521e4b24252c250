"""What the host and the players do apart from the dice: the start, links, watching, undo by consent, ending a game."""

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from game import services
from game.forms.commands import Mistyped, Nonsense, read_command, read_number, read_seat
from game.forms.ruleset.own import OwnRulesetForm
from game.forms.words import clean_dice_word
from game.identity import PageRequest
from game.models import Game
from game.pages.board.change_notes import describe_answer, describe_chosen_rules, describe_host, describe_watching
from game.pages.game_list import write_title
from game.pages.rulesets.shortlist import list_shortlist
from game.rules import DEFAULT_LEVEL
from game.services import AlreadyDone, Command, GameAndEvents, NotYourSeat
from game.services.refusals import NotForYou
from game.views.actions import command, refuse_action
from game.views.game import get_game_or_404, show_game
from game.views.own_rules import find_game, refuse_rules, show_form
from game.views.responses import REFUSED, explain_refusal, see_other


@command(table=True)
def start(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """Begin the game with those who have a seat. `alone`: the host begins with nobody else."""
    return services.start_game(code, command, alone="alone" in request.POST)


@require_POST
def rules(request: PageRequest, code: str) -> HttpResponse:
    """Choose another ruleset before the start, or rules from the form that changes them."""
    if request.POST.get("do") != "rules":
        return choose_offered(request, code)
    find_game(request, code)
    form = OwnRulesetForm(request.POST)
    changed = form.find_rules()
    if changed is None:
        return show_form(request, form, status=422)

    @command(table=True, note=describe_chosen_rules, refused=lambda sent, _code, why: refuse_rules(sent, form, why))
    def choose_changed(_request: PageRequest, code: str, command: Command) -> GameAndEvents:
        return services.choose_ruleset(code, command, changed)

    return choose_changed(request, code)


@command(table=True, note=describe_chosen_rules)
def choose_offered(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """Choose a ruleset of this site."""
    slug = request.POST.get("ruleset", "")
    row = next((row for row in list_shortlist(slug) if row.slug == slug), None)
    if row is None:
        raise Mistyped(_("Choose a ruleset from this page."))  # perhaps retired since the page was loaded
    return services.choose_ruleset(code, command, row)


@command(table=True, note=lambda _game: _("Your word is in the dice."))
def word(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """Add a player's word to the dice."""
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
            return services.hand_to_computer(code, command, DEFAULT_LEVEL)
    raise Nonsense(_("Skip the turn, or let the computer play."))


@command(table=True, note=describe_host)
def host(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """Make somebody else the host."""
    return services.change_host(code, command, read_seat(request))


@command(table=True, note=describe_watching)
def watching(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """Let spectators in, or keep the game to its players."""
    allowed = request.POST.get("allowed")
    if allowed not in ("0", "1"):
        raise Nonsense(_("Choose whether spectators may watch."))
    return services.set_watching(code, command, allowed == "1")


@command(table=True)
def hand(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """Take a seat back from the computer that has been playing for its person."""
    return services.take_back_seat(code, command, read_seat(request))


@command(table=True, note=describe_answer)
def answer_question(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """Allow or refuse what somebody asked for: an undo, or other dice."""
    answer = request.POST.get("answer")
    if answer not in ("allow", "refuse"):
        raise Nonsense(_("Allow it, or decline it."))
    return services.answer_question(code, command, answer == "allow", request.POST.get("question", ""))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def delete(request: PageRequest, code: str) -> HttpResponse:
    """Ask before deleting a game, and delete it."""
    if request.method != "POST":
        return show_question(request, get_game_or_404(request, code))
    do = request.POST.get("do")
    try:
        command = read_command(request, request.browser.visitor(), versioned=False)
        match do:
            case "end":
                services.end_game(code, command)
            case "leave":
                services.leave_to_others(code, command)
            case "delete":
                services.delete_game(code, command)
            case _:
                raise Nonsense(_("Choose whether to end or to delete the game."))
    except AlreadyDone:
        pass
    except NotForYou as error:  # somebody has joined or left since the question was shown, which is now another one
        return show_question(request, get_game_or_404(request, code), error)
    except REFUSED as error:
        return refuse_action(request, code, error)
    if do == "end":
        return see_other(request, reverse("game:page", args=[code]))
    # The list is named by the form: after a first press, the game can't say any more in which one it was.
    show = "finished" if request.POST.get("show") == "finished" else "open"
    done = "left" if Game.objects.filter(code=code).exists() else "deleted"
    return see_other(request, f"{reverse('game:games')}?show={show}&done={done}")


def show_question(request: PageRequest, game: Game, refused: NotForYou | None = None) -> HttpResponse:
    """Return the page that asks before deleting or ending. `refused`: why the previous answer was refused."""
    visitor = request.browser.visitor()
    if visitor is None or not services.has_part(game, visitor):
        return show_game(request, game, refusal=str(NotYourSeat()), status=403)
    status, why = explain_refusal(request, refused) if refused else (200, "")
    context = {
        "problems": [("answer", why)] if why else [],
        "game": game,
        "title": write_title(game.seats, visitor),
        "for_all": services.is_deleted_for_all(game, visitor),
        "over": game.is_over,
        "running": game.status == Game.Status.RUNNING,
    }
    return render(request, "game/delete.html", context, status=status)
