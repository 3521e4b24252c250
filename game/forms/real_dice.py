"""What a form says of a turn with real dice. Of such a turn nothing is stored before its bank or bust."""

import re
from collections.abc import Mapping
from urllib.parse import parse_qsl

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.forms.commands import Mistyped, Nonsense, incomplete, read_columns, read_number
from game.pages.board.real_dice_draft import Draft, decode_draft
from game.pages.board.real_dice_turn import make_manual_move, play_draft, sum_typed_points
from game.rules import Manual, State


def find_draft_fields(request: HttpRequest) -> Mapping[str, str]:
    """Return the fields of a draft: from the form, the URL, or the URL of the page that asks."""
    for fields in (request.POST, request.GET):
        if "turn" in fields:
            return fields.dict()
    return dict(parse_qsl(request.headers.get("HX-Current-URL", "").partition("?")[2].partition("#")[0]))


def read_draft(fields: Mapping[str, str], turn: int) -> Draft:
    """Return the draft of this turn, empty if none was sent. Raises `Nonsense` for what our pages never send."""
    try:
        return decode_draft(fields, turn)
    except ValueError:
        raise incomplete() from None


def read_faces(text: str, count: int) -> tuple[int, ...]:
    """Return tapped or typed faces. Raises `Mistyped` unless they are `count` dice."""
    typed = re.sub(r"[\s,.]", "", text)
    if not re.fullmatch(r"[1-6]+", typed) or len(typed) != count:
        few = ngettext("Enter %(n)s die, from 1 to 6.", "Enter %(n)s dice, each from 1 to 6.", count)
        raise Mistyped(few % {"n": count})
    return tuple(map(int, typed))


def read_points(data: QueryDict, *, default: str = "", least: int = 0) -> int:
    """Return the points that were typed. Raises `Mistyped`."""
    points = read_number(data.get("points", "").strip() or default)
    if points is None or points < least:
        raise Mistyped(_("Enter points as a whole number, for example 350."))
    return points


def read_manual_move(data: QueryDict, state: State) -> Manual:
    """Return a turn with real dice: the tapped throws, or the typed points, which may be left out after added throws.

    Raises `Nonsense`, or `IllegalMove` for what was tapped.
    """
    draft = read_draft(data, state.shots)
    tapped = data.get("by") == "tap"
    if tapped and draft.throws:
        return make_manual_move(play_draft(state, draft), read_columns(data.getlist("keep")))
    if tapped or (data.get("sums") and not draft.sums):
        return Manual(0)  # of a turn that is over: a retry or a stale form, which is decided elsewhere
    pick_up = read_number(data.get("pick_up", ""))
    match data.get("end", "bank"):
        case "bank":
            points = read_points(data, default="0" if draft.sums else "") + sum_typed_points(state, draft)
            if points:
                return Manual(points, "bank", pick_up, read_number(data.get("dice_left", "")))
            return Manual(0, "bust", pick_up)  # nobody banks 0 points
        case "bust":
            lost = read_number(data.get("lost", "")) or 0
            return Manual(0, "bust", pick_up, lost=lost, nothing="nothing" in data)
        case "win" | "over" | "eliminated" as end:
            return Manual(0, end, pick_up)
    raise Nonsense(_("A turn ends in a bank, a bust or a win."))
