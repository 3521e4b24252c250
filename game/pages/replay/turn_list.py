"""The list of turns beside the tray: a hundred at a time, among them the one that is shown."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from game.history.replay import Turn
from game.models import ThrowRow
from game.pages.parts.components import ThrowEntry
from game.pages.parts.text import number
from game.pages.parts.turn_log import MARKS, build_throw_entry, describe_turn, mark_name, name_mark
from game.pages.replay.steps import Steps

LISTED = 100  # turns at once, so that a long game costs no more than a short one


@dataclass(frozen=True)
class ListedTurn:
    """A turn in the list; the turn that is shown includes its throws."""

    url: str
    round: str  # "5" where a new round begins
    seat: int
    text: str  # "<b>Ana</b> banked 650 in 3 throws", as markup; the name alone while choices are hidden
    cancelled: bool
    current: bool
    mark: str = ""  # the review's worst mark in the turn: "?!", "?", "??", "!"
    mark_name: str = ""  # the same as a word: "blunder"
    throws: tuple[tuple[ThrowEntry, str, bool], ...] = ()  # (throw, its address, whether it is the one shown)


def build_turn_list(
    steps: Steps, names: Sequence[str], throws: Sequence[ThrowRow], marks: Mapping[int, str], yours: Collection[int]
) -> tuple[tuple[ListedTurn, ...], str, str]:
    """Return the list, and the addresses of the turns before and after it, "" if there are none.

    `throws`: those of the turn that is shown; `marks`: the review's marks, by step; `yours`: seats called "You". While
    the choice at this step is hidden, nothing of what followed is shown.
    """
    begin = (steps.index or 0) // LISTED * LISTED
    end = min(begin + LISTED, len(steps.turns))
    earlier = steps.to(steps.turns[begin - 1].first) if begin else ""
    later = steps.to(steps.turns[end].first) if end < len(steps.turns) else ""
    listed = (_list_turn(steps, i, names, throws, marks, yours) for i in range(begin, end))
    return tuple(listed), earlier, later


def _list_turn(
    steps: Steps,
    index: int,
    names: Sequence[str],
    throws: Sequence[ThrowRow],
    marks: Mapping[int, str],
    yours: Collection[int],
) -> ListedTurn:
    turn, current = steps.turns[index], index == steps.index
    new_round = index == 0 or steps.turns[index - 1].round != turn.round
    secret = steps.hidden and turn.last >= steps.now
    name = names[turn.seat]
    mark = "" if secret else min((marks.get(step, "") for step in range(turn.first, turn.last + 1)), key=MARKS.index)
    return ListedTurn(
        url=steps.to(turn.first),
        round=number(turn.round) if new_round else "",
        seat=turn.seat + 1,
        text=mark_name(name) if secret else describe_turn(turn, name, yours=turn.seat in yours),
        cancelled=turn.cancelled,
        current=current,
        mark=mark,
        mark_name=name_mark(mark),
        throws=tuple(_list_throws(steps, turn, throws)) if current else (),
    )


def _list_throws(steps: Steps, turn: Turn, throws: Sequence[ThrowRow]) -> list[tuple[ThrowEntry, str, bool]]:
    """Return the throws of the turn that is shown; while choices are hidden, only up to this step, without its keep."""
    reached, hidden = steps.now - turn.first + 1, steps.hidden
    return [
        (build_throw_entry(i, throw, shows_kept=not hidden or i < reached), steps.to(turn.first + i - 1), i == reached)
        for i, throw in enumerate(throws[: reached if hidden else None], 1)
    ]
