"""What a form says of a turn with real dice. Of such a turn nothing is stored before its bank or bust."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import parse_qsl

from django.http import HttpRequest
from django.utils.translation import gettext as _

from game.forms.commands import Mistyped, Nonsense
from game.pages.board.real_dice_draft import Draft, decode_draft


def find_draft_fields(request: HttpRequest) -> Mapping[str, str]:
    """Return the fields of a draft that came along: in the form, in the address, or in that of the page which asks."""
    for fields in (request.POST, request.GET):
        if "turn" in fields:
            return fields.dict()
    return dict(parse_qsl(request.headers.get("HX-Current-URL", "").partition("?")[2].partition("#")[0]))


def parse_draft(fields: Mapping[str, str], turn: int) -> Draft:
    """Return the draft of this turn, empty where none came. Raises `Nonsense` for what no page of ours sends."""
    try:
        return decode_draft(fields, turn)
    except ValueError:
        raise Nonsense(_("This form is not complete. Load the page again.")) from None


def parse_faces(text: str, count: int) -> tuple[int, ...]:
    """Return tapped or typed faces. Raises `Mistyped` unless they are `count` dice."""
    typed = re.sub(r"[\s,.]", "", text)
    if not re.fullmatch(r"[1-6]+", typed) or len(typed) != count:
        raise Mistyped(_("Enter %(n)s dice, each a face from 1 to 6.") % {"n": count})
    return tuple(map(int, typed))
