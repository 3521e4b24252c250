"""More of a turn with real dice is entered. Nothing is stored: it travels in the form, and in the page's address."""

from dataclasses import replace

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from game.consistent_read import consistent_read
from game.forms.commands import Nonsense, incomplete, read_columns
from game.forms.real_dice import read_draft, read_faces, read_points
from game.identity import PageRequest
from game.pages.board.page import RenderOptions
from game.pages.board.real_dice_draft import Draft
from game.pages.board.real_dice_turn import add_points, play_draft
from game.pages.board.regions import OF_A_MOVE
from game.prefs import CHOICES, Prefs
from game.rules import Faces, State
from game.storage import load_state
from game.storage.columns import faces_in
from game.views.actions import refuse
from game.views.game import get_game_or_404, show_changes
from game.views.responses import REFUSED, see_other


@require_POST
@consistent_read()
def pad(request: PageRequest, code: str) -> HttpResponse:
    """Add a throw to the turn or undo the last entry; or switch between typing and tapping."""
    game, prefs = get_game_or_404(request, code), Prefs.of(request)
    entry = request.POST.get("entry", "")
    switches = entry in CHOICES["entry"]
    try:
        state = load_state(game)
        draft = read_draft(request.POST, state.shots)
        if not switches:
            draft = change_draft(request, state, draft, prefs)
    except REFUSED as error:
        return refuse(request, code, error)
    if request.htmx:
        options = RenderOptions(entered=dict(draft.fields), entry=entry, regions=OF_A_MOVE)
        response = show_changes(request, game, options)
    else:
        query = f"?{draft.query}" if draft.is_begun else ""
        response = see_other(request, game.get_absolute_url() + query)
    if switches:
        prefs.with_changes({"entry": entry}).save(response)
    return response


def change_draft(request: PageRequest, state: State, draft: Draft, prefs: Prefs) -> Draft:
    """Return the draft with what was entered. Raises `Nonsense` or `IllegalMove` for what cannot be."""
    do = request.POST.get("do") or request.GET.get("do")
    if draft.is_full and do in ("add", "faces"):
        raise Nonsense(_("This turn is too long."))
    match do:
        case "add":
            pick_up = draft.pick_up or "pick_up" in request.POST
            return add_points(state, draft, read_points(request.POST, least=1), pick_up=pick_up)
        case "back":
            return draft.without_last(prefs.entry)
        case "faces":
            dice = read_faces(request.POST.get("faces", ""), play_draft(state, draft).due)
            draft = replace(draft, throws=(*draft.throws, Faces(dice)))
        case "throw" if draft.throws:
            keep = faces_in(play_draft(state, draft).last, read_columns(request.POST.getlist("keep")))
            draft = draft.with_keep(keep)
        case "pick_up":
            draft = replace(draft, pick_up=not draft.pick_up, throws=())
        case _:
            raise incomplete()
    play_draft(state, draft)  # refuses what the rules do not allow
    return draft
