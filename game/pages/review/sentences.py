"""The sentences of a review."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.pages.parts.coach import chance
from game.pages.parts.text import dice_count, faces, number


class Option(NamedTuple):
    """A way to go on, as it is stored (`services.reviews.OPTION`)."""

    keep: str
    then: str
    total: int
    left: int
    win: float | None
    points: float
    bust: float


def chosen(option: Option) -> str:
    said = values(option)
    match option.then:
        case "bank":
            return _("Kept %(dice)s and banked %(points)s.") % said
        case "win":
            return _("Kept six alike and won at once.")
        case "fresh":
            return _("Began with six dice.")
        case "pick_up":
            return _("Picked up %(n)s with %(points)s.") % said
    return _("Kept %(dice)s and threw %(n)s with %(points)s.") % said


def better(option: Option) -> str:
    said = values(option)
    match option.then:
        case "bank":
            return _("Better: keep %(dice)s and bank %(points)s.") % said
        case "win":
            return _("Better: keep six alike and win at once.")
        case "fresh":
            return _("Better: begin with six dice.")
        case "pick_up":
            return _("Better: pick up %(n)s with %(points)s.") % said
    return _("Better: keep %(dice)s and throw %(n)s with %(points)s.") % said


def action(option: Option) -> str:
    """The way in a table, beside its dice."""
    said = values(option)
    match option.then:
        case "bank":
            return _("bank %(points)s") % said
        case "win":
            return _("win at once")
        case "fresh":
            return _("begin with six dice")
        case "pick_up":
            return _("pick up %(n)s with %(points)s") % said
    return _("throw %(n)s with %(points)s") % said


def values(option: Option) -> dict[str, str]:
    dice = faces(map(int, option.keep))
    return {"dice": dice, "points": number(option.total), "n": dice_count(option.left)}


def signed(value: float, places: int = 0) -> str:
    """With its sign, a minus as wide as a plus."""
    written = number(abs(value), places)
    if not any(digit in written for digit in "123456789"):
        return written
    return f"{'+' if value > 0 else '−'}{written}"


def gain(value: float, by: str) -> str:
    """Luck with its sign: in points, or as a chance with one decimal."""
    return signed(value) if by == "points" else signed(100 * value, 1) + "%"


def worth(option: Option) -> str:
    return number(option.points, 0) if option.win is None else chance(option.win)


def against(best: Option, taken: Option) -> str:
    """What the best way was worth, and what the one that was taken; empty where they read the same."""
    said = {"best": worth(best), "taken": worth(taken)}
    return _("%(best)s against %(taken)s.") % said if said["best"] != said["taken"] else ""


def lost(best: Option, taken: Option) -> str:
    """What the choice gave away, as the reader counts it from the two numbers that are told."""
    if best.win is None or taken.win is None:
        return signed(round(taken.points) - round(best.points))
    return signed(round(100 * taken.win, 1) - round(100 * best.win, 1), 1) + "%"


def busts(count: int, expected: float | None) -> str:
    """Among the throws that are known; empty where none is."""
    if expected is None:
        return ""
    said = {"n": number(count), "expected": number(expected, 1)}
    return ngettext("%(n)s bust, %(expected)s expected", "%(n)s busts, %(expected)s expected", count) % said


def place(round_: int, throw: int) -> str:
    """Round and throw, short."""
    return f"{number(round_)}.{number(throw)}" if throw else number(round_)


def place_label(round_: int, throw: int) -> str:
    said = {"round": number(round_), "throw": number(throw)}
    return _("Round %(round)s, throw %(throw)s") % said if throw else _("Round %(round)s, start of the turn") % said


def note(by: str | None, typed: bool) -> Sequence[str]:
    """What the figures are, where they are not exact chances, and what is not known."""
    found = []
    if by == "estimate":
        found.append(_("With more than two players the chances to win are estimates."))
    if by == "points":
        found.append(
            _("Here the chance to win is not known: decisions are judged by the points that a turn brings on average.")
        )
    if typed:
        found.append(_("Turns with real dice of which only the points are known cannot be judged."))
    return found


def summary(names: Sequence[str], last: Sequence[float | None], by: str | None) -> str:
    """What the chart shows, for who does not see it."""
    if by == "points" or all(win is None for win in last):
        return _("Luck of each throw in points: above the line the dice gave more than expected, below it less.")
    known = zip(names, last, strict=True)
    told = ", ".join(f"{name} {chance(win)}" for name, win in known if win is not None)
    return _("Chance to win by throw, and the luck of each throw below it. After the last throw: %(chances)s.") % {
        "chances": told
    }
