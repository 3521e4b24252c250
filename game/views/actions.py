"""People's actions in a game: POSTs that respond with the board. All but `switch_entry` call a verb of the services."""

from collections.abc import Callable
from functools import partial, wraps

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from game import services
from game.consistent_read import consistent_read
from game.forms.commands import Nonsense, read_columns, read_command, read_number, read_ticked
from game.forms.fields import clean_player_name
from game.forms.new import HINTS, MODES, read_target
from game.forms.real_dice import read_entry, read_manual_move
from game.forms.refused import read_refused_input, read_refused_turn
from game.forms.ruleset.own import OwnRulesetForm
from game.forms.seats import read_new_player
from game.identity import PageRequest
from game.models import Game
from game.pages.board.change_notes import describe_undo
from game.pages.board.page import RenderOptions
from game.pages.board.real_dice_pad import NOTHING_TYPED
from game.pages.board.regions import OF_A_MOVE, OF_ALL, find_missed, find_regions_after_change, find_regions_after_move
from game.pages.lobby import find_first_address
from game.prefs import CHOICES, Prefs
from game.rules import Join, Rename, SetTarget, StepIn, StepOut
from game.rules.play.moves import read_mode
from game.services import AlreadyDone, Command, GameAndEvents, NotYourSeat
from game.views import lobby
from game.views.game import find_game_address, find_visible_game, get_game_or_404, show_changes, show_game
from game.views.own_rules import refuse_rules, show_form
from game.views.responses import REFUSED, explain_refusal, see_other
from game.web.remembered import remember_name

Verb = Callable[[PageRequest, str, Command], GameAndEvents]
View = Callable[[PageRequest, str], HttpResponse]
Refuse = Callable[[PageRequest, str, Exception], HttpResponse]


def command(
    *, table: bool = False, note: Callable[[Game], str] | None = None, refused: Refuse | None = None
) -> Callable[[Verb], View]:
    """Return a decorator that makes a view of a verb: it reads the envelope, answers with the board, words refusals.

    `table`: the verb can change more of the page than a move does; `note`: returns what to announce if no event does;
    `refused`: returns the answer to a refusal, if that is not the board.
    """

    def decorate(verb: Verb) -> View:
        @require_POST
        @wraps(verb)
        def view(request: PageRequest, code: str) -> HttpResponse:
            try:
                command = read_command(request, request.browser.visitor())
                game, happened = verb(request, code, command)
            except AlreadyDone:
                request.outcome = "done before"
                with consistent_read():
                    return show_outcome_again(request, code, command.version)
            except REFUSED as error:
                return (refused or refuse_action)(request, code, error)
            with consistent_read():
                if request.htmx and not game.is_newest():
                    # Another move followed at once: the rows include both, but `game` includes only this one.
                    return show_outcome_again(request, code, command.version)
                if table:
                    regions = find_regions_after_change(game, command.version, happened)
                else:
                    regions = find_regions_after_move(game, command.version)
                options = RenderOptions(happened=happened, note=note(game) if note else "", regions=regions)
                return show_outcome(request, find_visible_game(request, code) if table else game, options)

        return view

    return decorate


def show_outcome(request: PageRequest, game: Game | None, options: RenderOptions) -> HttpResponse:
    """Return the board after an action: its changed regions for htmx, a redirect to the page for a plain browser.

    Before the start, the redirect leads to the settings, which are closed on a freshly loaded page. `game`: None if
    they may not see it any more.
    """
    if game is None:  # they gave up their seat in a game that only its players may see
        return see_other(request, f"{reverse('game:games')}?done=left")
    if request.htmx:
        return show_changes(request, game, options)
    place = "#seats" if game.status == Game.Status.WAITING else ""
    return see_other(request, find_game_address(request, game) + place)


def show_outcome_again(request: PageRequest, code: str, version: int | None) -> HttpResponse:
    """Respond to a command that was already done, by a lost request or somebody quicker: show what the page missed."""
    game = find_visible_game(request, code)
    missed = None if version is None or game is None else find_missed(game, version)
    return show_outcome(request, game, RenderOptions(missed=missed, shown=version or 0, regions=OF_ALL))


@consistent_read()
def refuse_action(request: PageRequest, code: str, error: Exception) -> HttpResponse:
    """Return the unchanged board with the reason in words, keeping what was ticked or typed.

    The game is read from one snapshot, so that the board is never half updated. A page with somebody's buttons, whose
    browser has been signed out since, becomes a spectator's.
    """
    game, (status, why) = get_game_or_404(request, code), explain_refusal(request, error)
    ticked = read_ticked(request.POST.getlist("keep")) if status == 422 else None
    if not request.htmx:
        return show_game(request, game, ticked=ticked, refusal=why, status=status)
    regions = OF_ALL if status in (409, 422) or isinstance(error, NotYourSeat) else frozenset({"banner"})
    typed = read_refused_turn(request.POST) if status == 422 else NOTHING_TYPED
    refused = read_refused_input(request.POST, why, status, stays=True)
    options = RenderOptions(ticked=ticked, refusal=why, typed=typed, refused=refused, regions=regions)
    return show_changes(request, game, options, status=status)


@command()
def throw(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """Keep the ticked dice and throw the rest, or begin a turn."""
    keep = read_columns(request.POST.getlist("keep"))
    return services.throw_dice(code, command, keep, pick_up="pick_up" in request.POST)


@command()
def bank(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """Keep the ticked dice and end the turn."""
    keep = read_columns(request.POST.getlist("keep"))
    return services.bank_points(code, command, keep, read_number(request.POST.get("shown", "")))


@command()
def points(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """Enter a whole turn with real dice."""
    return services.enter_points(code, command, partial(read_manual_move, request.POST))


@require_POST
def pad(request: PageRequest, code: str) -> HttpResponse:
    """Add a throw to the turn or undo the last entry; or switch between typing and tapping."""
    return switch_entry(request, code) if request.POST.get("entry") in CHOICES["entry"] else enter_more(request, code)


@command()
def enter_more(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """Add a throw to the turn, keep some of its dice, or undo the last entry."""
    do = request.POST.get("do") or request.GET.get("do", "")
    return services.change_draft(code, command, partial(read_entry, request.POST, do))


@consistent_read()
def switch_entry(request: PageRequest, code: str) -> HttpResponse:
    """Switch this browser to typing points or to tapping dice; the game stays as it is."""
    game, entry = get_game_or_404(request, code), request.POST["entry"]
    response = show_outcome(request, game, RenderOptions(entry=entry, regions=OF_A_MOVE))
    Prefs.of(request).with_changes({"entry": entry}).save(response)
    return response


@command()
def advance(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """Play for the computers: one step for htmx, which asks for each; up to the next person for a plain form."""
    return services.advance_computers(code, command, to_a_person=not request.htmx)


@command(table=True, note=describe_undo)
def undo(_request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """Undo the last turn, or ask the others to allow it."""
    return services.undo_turn(code, command)


def seats(request: PageRequest, code: str) -> HttpResponse:
    """Add or rename a player, or let one sit out or rejoin. `remember`: keep the new name for other games."""
    response = change_seats(request, code)
    if "remember" in request.POST and request.POST.get("do") == "rename" and response.status_code < 400:
        remember_name(response, clean_player_name(request.POST.get("name", "")))
    return response


@command(table=True)
def change_seats(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """Add or rename a player, or let one sit out or rejoin."""
    if "waiting" in request.POST:
        return lobby.change_seats(request, code, command)
    if request.POST.get("do") == "join":
        name, level = read_new_player(request.POST, code, computer="computer" in request.POST)
        return services.change_game_as_host(code, command, Join(name, level))
    seat = read_number(request.POST.get("seat", ""))
    match request.POST.get("do"), seat:
        case "rename", int():
            name = clean_player_name(request.POST.get("name", ""))
            return services.change_own_seat(code, command, Rename(seat, name))
        case "out", int():
            return services.change_own_seat(code, command, StepOut(seat))
        case "in", int():
            return services.change_own_seat(code, command, StepIn(seat))
    raise Nonsense(_("Choose a player, and whether to rename them, sit out or rejoin."))


@command(table=True)
def target(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """Set the target."""
    value = read_target(request.POST)
    if "waiting" in request.POST:
        return services.choose_target(code, command, value)
    return services.change_game_as_host(code, command, SetTarget(value))


@command(
    table=True, note=lambda game: _("Asked the other players.") if game.asking_id and game.question != "undo" else ""
)
def mode(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """Choose between dice on screen and real dice."""
    mode = request.POST.get("mode", "")
    if mode not in dict(MODES):
        raise Nonsense(_("Choose dice on screen or real dice."))
    return services.set_mode(code, command, read_mode(mode))


@command(table=True)
def options(request: PageRequest, code: str, command: Command) -> GameAndEvents:
    """Set the level of Ways to keep for everybody, or leave it to each player."""
    hints = request.POST.get("hints", "")
    if hints not in dict(HINTS):
        raise Nonsense(_("Choose off, points, odds or coach."))
    return services.set_hints(code, command, hints)


@require_POST
def rematch(request: PageRequest, code: str) -> HttpResponse:
    """Redirect to the rematch, which the first request creates."""
    form = OwnRulesetForm(request.POST) if request.POST.get("do") == "rules" else None
    try:
        command = read_command(request, request.browser.visitor(), versioned=False)
        rules = form.find_rules() if form else None
        if form and rules is None:
            return show_form(request, form, status=422)
        do = request.POST.get("do")
        following = services.start_rematch(code, command, rules, wait=do in ("words", "table"))
        return see_other(request, find_first_address(following, do == "words") + ("#seats" if do == "table" else ""))
    except AlreadyDone:
        return see_other(request, get_game_or_404(request, code).get_absolute_url())  # the rematch was deleted
    except REFUSED as error:
        return refuse_rules(request, form, error) if form else refuse_action(request, code, error)
