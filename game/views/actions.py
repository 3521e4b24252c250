"""What people do to a game. Every view is a post: its form becomes a verb of the services, the answer is the board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from game import history, services
from game.forms.commands import Mistyped, Nonsense, columns, read_command, whole
from game.forms.fields import clean_player_name
from game.forms.new import read_target
from game.forms.real_dice import find_draft_fields, parse_draft
from game.forms.seats import joining, names_in
from game.identity import PageRequest
from game.models import Game
from game.pages.board.page import RenderOptions, build_board
from game.pages.board.real_dice_turn import make_manual_move, play_draft, sum_typed_points
from game.pages.board.regions import OF_ALL, old_since
from game.pages.parts.refusals import sentence
from game.prefs import Prefs
from game.rules import IllegalMove, Manual, State, events
from game.services import AlreadyDone, Command, Refusal
from game.storage import load_state
from game.views import lobby
from game.views.game import game_for, show, typed_again
from game.views.news import missed_since
from game.views.responses import see_other

Verb = Callable[[PageRequest, str, Command], services.GameAndEvents]
View = Callable[[PageRequest, str], HttpResponse]


def command(*, table: bool = False, said: Callable[[Game], str] | None = None) -> Callable[[Verb], View]:
    """Makes a view of a verb: reads the form's envelope, answers with the board, words every refusal.

    `table`: it can change more of the page than a move does. `said`: what to announce where no event says it.
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
                return answer_again(request, game_for(request, code), command)
            except Nonsense as nonsense:
                return refuse(request, code, nonsense.status, str(nonsense))
            except IllegalMove as illegal:
                request.outcome = illegal.code
                return refuse(request, code, 422, sentence(illegal))
            except Refusal as refusal:
                request.outcome = type(refusal).__name__
                return refuse(request, code, refusal.status, str(refusal))
            regions = changed_at_the_table(game, command, happened) if table else old_since(game, command.version)
            wanted = RenderOptions(happened=happened, note=said(game) if said else "", regions=regions)
            return answer(request, game_for(request, code) if table else game, wanted)

        return view

    return decorate


def changed_at_the_table(game: Game, command: Command, happened: Sequence[events.Event]) -> frozenset[str]:
    """Dice that somebody is choosing stay as they are, unless the shot changed or their buttons speak of the target."""
    moved = command.version is None or command.version < game.dice_version
    told = any(isinstance(event, events.TargetSet | events.ModeSet) for event in happened)
    return OF_ALL if moved or told else OF_ALL - {"tray"}


def answer(request: PageRequest, game: Game, wanted: RenderOptions) -> HttpResponse:
    """The board after an action: its fragments for htmx, a way back to the page for a plain browser."""
    if not request.htmx:
        return see_other(request, game.get_absolute_url())
    return fragments(request, game, wanted)


def answer_again(request: PageRequest, game: Game, command: Command) -> HttpResponse:
    """It was done already, by a lost request or by somebody quicker: what is said is what this page has missed."""
    missed = None if command.version is None else missed_since(command.version, game)
    return answer(request, game, RenderOptions(missed=missed, regions=OF_ALL))


def refuse(request: PageRequest, code: str, status: int, why: str) -> HttpResponse:
    """Nothing was changed: the board as it is, what was ticked or typed kept, and the reason in words."""
    game = game_for(request, code)
    ticked = ticked_again(request) if status == 422 else None
    if not request.htmx:
        return show(request, game, ticked=ticked, refusal=why, status=status)
    regions = OF_ALL if status in (409, 422) else frozenset({"banner"})
    typed = typed_again(request) if status == 422 else ""
    wanted = RenderOptions(ticked=ticked, refusal=why, typed=typed, regions=regions)
    return fragments(request, game, wanted, status)


def ticked_again(request: PageRequest) -> tuple[int, ...] | None:
    try:
        return columns(request.POST.getlist("keep")) or None
    except Nonsense:
        return None


def fragments(request: PageRequest, game: Game, wanted: RenderOptions, status: int = 200) -> HttpResponse:
    if game.status == Game.Status.WAITING:
        return lobby.fragments(request, game, refusal=wanted.refusal, said=wanted.note, status=status)
    if lobby.is_late(request):
        return see_other(request, game.get_absolute_url())
    link = request.build_absolute_uri(game.get_absolute_url())
    wanted = replace(wanted, entered=wanted.entered or find_draft_fields(request), link=link)
    shown = build_board(game, request.browser.visitor(), Prefs.of(request), wanted)
    context = {"board": shown, "regions": wanted.regions}
    return render(request, "changes.html", context, status=status, using="jinja2")


# ── the player at the dice ──


@command()
def throw(request: PageRequest, code: str, command: Command) -> services.GameAndEvents:
    keep = columns(request.POST.getlist("keep"))
    return services.throw_dice(code, command, keep, pick_up="pick_up" in request.POST)


@command()
def bank(request: PageRequest, code: str, command: Command) -> services.GameAndEvents:
    keep = columns(request.POST.getlist("keep"))
    return services.bank_points(code, command, keep, whole(request.POST.get("shown", "")))


@command()
def points(request: PageRequest, code: str, command: Command) -> services.GameAndEvents:
    return services.enter_points(code, command, manual_entry(request, load_state(game_for(request, code))))


def manual_entry(request: PageRequest, state: State) -> Manual:
    """Real dice: as tapped, or the points as typed; an empty field is 0 with Bust and after throws that were added."""
    draft = parse_draft(request.POST, state.shots)
    tapped = request.POST.get("by") == "tap"
    if tapped and draft.throws:
        return make_manual_move(play_draft(state, draft), columns(request.POST.getlist("keep")))
    if tapped or (request.POST.get("sums") and not draft.sums):
        return Manual(0)  # of a turn that is over: sent again, or stale, which is not for this to say
    end = request.POST.get("end", "bank")
    typed = whole(request.POST.get("points", "").strip() or ("0" if draft.sums else ""))
    if end == "bank" and typed is None:
        raise Mistyped(_("Enter points as a whole number, for example 350."))
    if end not in ("bank", "bust", "win"):
        raise Nonsense(_("A turn ends in a bank, a bust or a win."))
    return Manual(
        points=(typed or 0) + sum_typed_points(state, draft) if end == "bank" else 0,
        end=end,
        pick_up=whole(request.POST.get("pick_up", "")),
        dice_left=whole(request.POST.get("dice_left", "")) if end == "bank" else None,
    )


@command()
def advance(request: PageRequest, code: str, command: Command) -> services.GameAndEvents:
    """htmx asks for one step at a time, for pace; one press of the plain button plays up to the next person."""
    return services.advance_computers(code, command, to_a_person=not request.htmx)


def taken_back(game: Game) -> str:
    if game.asks_undo_id:
        return _("The others are asked.")
    state = load_state(game)
    said = {"name": state.players[state.player].name}
    if state.mode == "manual":
        return _("Taken back: it is %(name)s’s turn again.") % said
    if game.seeds.filter(epoch=game.epoch, epoch__gt=1, first__gt=game.throws.count()).exists():
        # The end was taken back: the seed of the dice until then has been shown.
        return _("Taken back: it is %(name)s’s turn again. New dice are sealed from here on.") % said
    return _("Taken back: it is %(name)s’s turn again. The dice stay the same.") % said


@command(table=True, said=taken_back)
def undo(request: PageRequest, code: str, command: Command) -> services.GameAndEvents:
    return services.undo_turn(code, command)


# ── the table ──


@command(table=True)
def seats(request: PageRequest, code: str, command: Command) -> services.GameAndEvents:
    if "waiting" in request.POST:
        return lobby.change_seats(request, code, command)
    if request.POST.get("do") == "join":
        return services.add_player(
            code, command, *joining(request.POST, names_in(code), computer="computer" in request.POST)
        )
    name = request.POST.get("name", "")
    seat = whole(request.POST.get("seat", ""))
    match request.POST.get("do"), seat:
        case "rename", int():
            return services.rename_player(code, command, seat, clean_player_name(name))
        case "out", int():
            return services.step_out(code, command, seat)
        case "in", int():
            return services.step_in(code, command, seat)
    raise Nonsense(_("Say who it is about, and whether to rename, step out or step in."))


@command(table=True)
def target(request: PageRequest, code: str, command: Command) -> services.GameAndEvents:
    if "waiting" in request.POST:
        return lobby.change_target(request, code, command)
    return services.set_target(code, command, read_target(request.POST))


@command(table=True)
def mode(request: PageRequest, code: str, command: Command) -> services.GameAndEvents:
    wanted = request.POST.get("mode", "")
    if wanted not in ("auto", "manual"):
        raise Nonsense(_("Choose dice on screen or real dice."))
    return services.set_mode(code, command, wanted)


@command(table=True)
def options(request: PageRequest, code: str, command: Command) -> services.GameAndEvents:
    wanted = request.POST.get("hints", "")
    if wanted not in ("", "off", "points", "odds", "coach"):
        raise Nonsense(_("Choose off, points, odds or coach."))
    return services.set_hints(code, command, wanted)


@require_POST
def rematch(request: PageRequest, code: str) -> HttpResponse:
    """Leads to the next game: made by whoever asks first."""
    try:
        command = read_command(request, request.browser.visitor(), versioned=False)
        return see_other(request, services.start_rematch(code, command).get_absolute_url())
    except Nonsense as nonsense:
        return refuse(request, code, 400, str(nonsense))
    except IllegalMove as illegal:
        return refuse(request, code, 422, sentence(illegal))
    except AlreadyDone:
        game = game_for(request, code)  # the next one is gone where it was deleted, or the end was taken back
        return see_other(request, (history.find_rematch(game) or game).get_absolute_url())
    except Refusal as refusal:
        return refuse(request, code, refusal.status, str(refusal))
