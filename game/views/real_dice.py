"""More of a turn with real dice is entered. Nothing is stored: it travels in the form, and in the page's address."""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from game.forms.commands import Mistyped, Nonsense, columns, whole
from game.forms.real_dice import parse_draft, parse_faces
from game.identity import PageRequest
from game.pages.board.page import RenderOptions
from game.pages.board.real_dice_draft import Draft
from game.pages.board.real_dice_turn import play_draft
from game.pages.board.regions import OF_A_MOVE
from game.pages.parts.refusals import sentence
from game.prefs import Prefs
from game.rules import Faces, IllegalMove, State
from game.rules.totals import can_make, nearest, on_the_way
from game.services.shots import faces_in
from game.storage import load_state
from game.views.actions import fragments, refuse
from game.views.game import game_for
from game.views.responses import see_other

ENTRIES = ("type", "tap")


@require_POST
def pad(request: PageRequest, code: str) -> HttpResponse:
    """Adds a throw to the turn or takes the last entry back; or switches between typing and tapping."""
    game = game_for(request, code)
    prefs = Prefs.of(request)
    entry = request.POST.get("entry", "")
    try:
        draft = parse_draft(request.POST, load_state(game).shots)
        changed = draft if entry in ENTRIES else more(request, load_state(game), draft, prefs)
    except Nonsense as nonsense:
        return refuse(request, code, nonsense.status, str(nonsense))
    except IllegalMove as illegal:
        return refuse(request, code, 422, sentence(illegal))
    if request.htmx:
        options = RenderOptions(entered=dict(changed.fields), entry=entry, regions=OF_A_MOVE)
        response = fragments(request, game, options)
    else:
        query = f"?{changed.query}" if changed.is_begun else ""
        response = see_other(request, game.get_absolute_url() + query)
    if entry in ENTRIES:
        prefs.with_changes({"entry": entry}).save(response)
    return response


def more(request: PageRequest, state: State, draft: Draft, prefs: Prefs) -> Draft:
    """Raises `Nonsense` or `IllegalMove` for what cannot be."""
    match request.POST.get("do") or request.GET.get("do"):
        case "add":
            return add(request, state, draft)
        case "faces":
            dice = parse_faces(request.POST.get("faces", ""), play_draft(state, draft).due)
            return checked(state, replace(with_room(draft), throws=(*draft.throws, Faces(dice))))
        case "throw":
            keep = faces_in(play_draft(state, draft).last, columns(request.POST.getlist("keep")))
            if draft.throws:
                return checked(state, draft.with_keep(keep))
        case "pick_up":
            return checked(state, replace(draft, pick_up=not draft.pick_up, throws=()))
        case "back":
            return draft.without_last(prefs.entry)
    raise Nonsense(_("This form is not complete. Load the page again."))


def with_room(draft: Draft) -> Draft:
    """The draft as it is. Raises `Nonsense` where no page could carry one entry more."""
    if draft.is_full:
        raise Nonsense(_("This turn is too long."))
    return draft


def checked(state: State, draft: Draft) -> Draft:
    play_draft(state, draft)
    return draft


def add(request: PageRequest, state: State, draft: Draft) -> Draft:
    """The points of one throw. What no throws can have gathered is refused with what they can."""
    points = whole(request.POST.get("points", "").strip())
    if not points:
        raise Mistyped(_("Enter points as a whole number, for example 350."))
    taken = draft.pick_up or "pick_up" in request.POST
    dice = state.pick_up[0] if state.pick_up and taken else 6
    rules, before = on_the_way(state.ruleset), sum(draft.sums)
    if not can_make(rules, before + points, dice):
        below, above = (near and max(0, near - before) for near in nearest(rules, before + points, dice))
        raise IllegalMove("cannot_make", points=points, below=below, above=above)
    return replace(with_room(draft), sums=(*draft.sums, points), pick_up=taken)
