"""Reading the forms of a turn with real dice: one entry in it, or its end."""

import re
from dataclasses import replace

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.forms.commands import Mistyped, Nonsense, incomplete, read_columns, read_number
from game.forms.fields import read_typed_number
from game.rules import Faces, Manual, State
from game.storage.columns import find_faces
from game.storage.real_dice import Draft, TappedTurn, add_points, make_manual_move, sum_typed_points


def read_faces(text: str, count: int) -> tuple[int, ...]:
    """Return tapped or typed faces. Raises `Mistyped` unless they are `count` dice."""
    typed = re.sub(r"[\s,.]", "", text)
    if not re.fullmatch(r"[1-6]+", typed) or len(typed) != count:
        few = ngettext("Enter %(n)s die, from 1 to 6.", "Enter %(n)s dice, each from 1 to 6.", count)
        raise Mistyped(few % {"n": count})
    return tuple(map(int, typed))


def read_points(data: QueryDict, name: str = "points", *, default: str = "", least: int = 0) -> int:
    """Return the points typed into a field, or `default` if it is empty. Raises `Mistyped`, also below `least`."""
    points = read_typed_number(data.get(name, "").strip() or default)
    if points is None or points < least:
        raise Mistyped(_("Enter points as a whole number, for example 350."))
    return points


def read_entry(data: QueryDict, do: str, state: State, turn: TappedTurn) -> Draft:
    """Return the turn's draft with what was entered. `do`: the button pressed; `state`: as it was before the turn.

    Raises `Nonsense`, or `IllegalMove` for points that no dice make.
    """
    draft = turn.draft
    if draft.is_full and do in ("add", "faces"):
        raise Nonsense(_("This turn is too long."))
    match do:
        case "add":
            pick_up = draft.pick_up or "pick_up" in data
            return add_points(state, draft, read_points(data, least=1), pick_up=pick_up)
        case "back":
            return draft.without_last(data.get("by", ""))
        case "faces":
            return replace(draft, throws=(*draft.throws, Faces(read_faces(data.get("faces", ""), turn.due))))
        case "throw" if draft.throws:
            return draft.with_keep(find_faces(turn.last_throw, read_columns(data.getlist("keep"))))
        case "pick_up":
            return replace(draft, pick_up=not draft.pick_up, throws=())
    raise incomplete()


def read_corrections(data: QueryDict) -> dict[int, int]:
    """Return the points of earlier turns, 0 for a bust, by the turn's place. Raises `Mistyped`."""
    places = [(name, read_number(name.removeprefix("points-"))) for name in data if name.startswith("points-")]
    return {place: read_points(data, name, default="0") for name, place in places if place is not None}


def read_manual_move(data: QueryDict, state: State, turn: TappedTurn) -> Manual:
    """Return a turn with real dice, from tapped throws or typed points; after added throws, the points may be left out.

    Raises `Nonsense`, or `IllegalMove` for what was tapped.
    """
    draft = turn.draft
    if data.get("by") == "tap":
        if not draft.throws:
            raise incomplete()
        return make_manual_move(turn, read_columns(data.getlist("keep")))
    pick_up = read_number(data.get("pick_up", ""))
    match data.get("end", "bank"):
        case "bank":
            points = read_points(data, default="0" if draft.sums else "") + sum_typed_points(state, draft)
            if points:
                return Manual(points, "bank", pick_up, read_number(data.get("dice_left", "")))
            return read_bust(data, state, draft, pick_up)  # nobody banks 0 points
        case "bust":
            return read_bust(data, state, draft, pick_up)
        case "win" | "over" | "eliminated" as end:
            return Manual(0, end, pick_up)
    raise Nonsense(_("A turn ends in a bank, a bust or a win."))


def read_bust(data: QueryDict, state: State, draft: Draft, pick_up: int | None) -> Manual:
    """Return a bust with real dice. Where it costs what the turn had gathered, that is the throws that were added.

    Points typed as lost go before those. Raises `Mistyped`.
    """
    gathered = sum(draft.sums) if state.ruleset.bust_cost == "shot" else 0
    lost = read_points(data, "lost", default=str(gathered))
    return Manual(0, "bust", pick_up, lost=lost, nothing="nothing" in data)
