"""A turn with real dice that is not over yet: it lives in the form and the address alone, until its bank or bust."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self
from urllib.parse import urlencode

from game.rules import Faces

THROWS_MOST = 60  # throws, or points added, in one turn
ENCODED_THROW = re.compile(r"[1-6]{1,6}(-[1-6]{0,6})?")
ENCODED_POINTS = re.compile(r"[0-9]{1,9}")


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
        """Return the hidden fields that carry it from page to page."""
        fields = [
            ("turn", str(self.turn)),
            ("sums", ".".join(map(str, self.sums))),
            ("throws", ".".join(map(encode_throw, self.throws))),
            ("picked", "1" if self.pick_up else ""),
        ]
        return [(name, value) for name, value in fields if value]

    @property
    def is_begun(self) -> bool:
        """Tell whether anything was entered."""
        return bool(self.sums or self.throws or self.pick_up)

    @property
    def is_full(self) -> bool:
        """Tell whether no page could carry one entry more."""
        return max(len(self.sums), len(self.throws)) >= THROWS_MOST

    @property
    def query(self) -> str:
        """Return the query of a page that shows it again; empty before the first entry."""
        return urlencode(self.fields) if self.is_begun else ""

    def with_keep(self, keep: tuple[int, ...]) -> Self:
        """Return the draft with these dice kept of its last throw, which must be there."""
        return replace(self, throws=(*self.throws[:-1], Faces(self.throws[-1].dice, keep or None)))

    def without_last(self, entry: str) -> Self:
        """Return the draft before the last entry: a keep, then the throw itself. `entry`: 'type' or 'tap'."""
        if entry == "type":
            return replace(self, sums=self.sums[:-1])
        if not self.throws:
            return replace(self, pick_up=False)
        return self.with_keep(()) if self.throws[-1].keep else replace(self, throws=self.throws[:-1])


def encode_throw(throw: Faces) -> str:
    """Return a throw as digits: "115236-11" for two 1s kept of six dice."""
    dice = "".join(map(str, throw.dice))
    return f"{dice}-{''.join(map(str, throw.keep))}" if throw.keep else dice


def decode_throw(text: str) -> Faces:
    """Return the throw that was encoded. Raises `ValueError`."""
    if not ENCODED_THROW.fullmatch(text):
        raise ValueError("not a throw")
    dice, _dash, keep = text.partition("-")
    return Faces(tuple(map(int, dice)), tuple(map(int, keep)) or None)


def decode_draft(fields: Mapping[str, str], turn: int) -> Draft:
    """Return the draft of this turn in a form or a query; an empty one where there is none, or one of another turn.

    Raises `ValueError` for what no page of ours sends.
    """
    if fields.get("turn") != str(turn):
        return Draft(turn)
    sums = [text for text in fields.get("sums", "").split(".") if text]
    throws = [text for text in fields.get("throws", "").split(".") if text]
    if max(len(sums), len(throws)) > THROWS_MOST or not all(map(ENCODED_POINTS.fullmatch, sums)):
        raise ValueError("not a draft")
    points = tuple(number for number in map(int, sums) if number)
    return Draft(turn, points, tuple(map(decode_throw, throws)), bool(fields.get("picked")))


def decode_or_begin(fields: Mapping[str, str], turn: int) -> Draft:
    """Return the draft of this turn; an empty one where what came is none."""
    try:
        return decode_draft(fields, turn)
    except ValueError:
        return Draft(turn)
