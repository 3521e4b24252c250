"""A turn with real dice that is not over yet: it lives in the form alone, and is stored with its bank or bust."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import parse_qsl, urlencode

from django.http import HttpRequest
from django.utils.translation import gettext as _

from game.forms.commands import Mistyped, Nonsense, whole
from game.rules import Faces

MOST = 60  # throws, or points added, in one turn
THROW = re.compile(r"[1-6]{1,6}(-[1-6]{0,6})?")

Entry = Literal["type", "tap"]


@dataclass(frozen=True)
class Draft:
    """What was entered of a turn so far.

    `turn`: how many turns the game had seen, so that what is left over from another one is known. `sums`: typed points
    of throws; `throws`: tapped ones, the last without a keep while the choice is due (and where a try missed).
    """

    turn: int
    sums: tuple[int, ...] = ()
    throws: tuple[Faces, ...] = ()
    pick_up: bool = False

    @property
    def fields(self) -> list[tuple[str, str]]:
        """As hidden fields, and as a query."""
        told = [
            ("turn", str(self.turn)),
            ("sums", ".".join(map(str, self.sums))),
            ("throws", ".".join(map(written, self.throws))),
            ("picked", "1" if self.pick_up else ""),
        ]
        return [(name, value) for name, value in told if value]

    @property
    def is_begun(self) -> bool:
        return bool(self.sums or self.throws or self.pick_up)

    @property
    def query(self) -> str:
        """For the address of the page, so that it can be loaded again."""
        return urlencode(self.fields) if self.is_begun else ""

    def add(self, points: int) -> Draft:
        if len(self.sums) >= MOST:
            raise Nonsense(_("This turn is too long."))
        return replace(self, sums=(*self.sums, points))

    def fell(self, dice: tuple[int, ...]) -> Draft:
        if len(self.throws) >= MOST:
            raise Nonsense(_("This turn is too long."))
        return replace(self, throws=(*self.throws, Faces(dice)))

    def keeping(self, keep: tuple[int, ...]) -> Draft:
        if not self.throws:
            raise Nonsense(_("This form is not complete. Load the page again."))
        return replace(self, throws=(*self.throws[:-1], Faces(self.throws[-1].dice, keep or None)))

    def without_last(self, entry: Entry) -> Draft:
        """Before what was entered last: a keep, then the throw itself."""
        if entry == "type":
            return replace(self, sums=self.sums[:-1])
        if not self.throws:
            return replace(self, pick_up=False)
        return self.keeping(()) if self.throws[-1].keep else replace(self, throws=self.throws[:-1])


def written(throw: Faces) -> str:
    dice = "".join(map(str, throw.dice))
    return f"{dice}-{''.join(map(str, throw.keep))}" if throw.keep else dice


def sent_with(request: HttpRequest) -> Mapping[str, str]:
    """The fields of a draft that came along: in the form, in the address, or in that of the page which asks."""
    for fields in (request.POST, request.GET):
        if "turn" in fields:
            return fields.dict()
    return dict(parse_qsl(request.headers.get("HX-Current-URL", "").partition("?")[2].partition("#")[0]))


def draft_in(sent: Mapping[str, str], turn: int) -> Draft:
    """The draft of this turn in a form or a query; an empty one where there is none or it is of another turn.

    Raises `Nonsense` for what no page of ours sends.
    """
    if sent.get("turn") != str(turn):
        return Draft(turn)
    sums = [whole(text) for text in sent.get("sums", "").split(".") if text]
    throws = [text for text in sent.get("throws", "").split(".") if text]
    if len(sums) > MOST or len(throws) > MOST or None in sums or not all(map(THROW.fullmatch, throws)):
        raise Nonsense(_("This form is not complete. Load the page again."))
    return Draft(turn, tuple(n for n in sums if n), tuple(map(read, throws)), bool(sent.get("picked")))


def drafted(sent: Mapping[str, str], turn: int) -> Draft:
    """The same for a page that shows what it can: nonsense is no draft."""
    try:
        return draft_in(sent, turn)
    except Nonsense:
        return Draft(turn)


def read(text: str) -> Faces:
    dice, _dash, keep = text.partition("-")
    return Faces(tuple(map(int, dice)), tuple(map(int, keep)) or None)


def faces_of(text: str, count: int) -> tuple[int, ...]:
    """Tapped or typed faces. Raises `Mistyped` unless they are as many dice as were thrown."""
    typed = re.sub(r"[\s,.]", "", text)
    if not re.fullmatch(r"[1-6]+", typed) or len(typed) != count:
        raise Mistyped(_("Enter %(n)s dice, each a face from 1 to 6.") % {"n": count})
    return tuple(map(int, typed))
