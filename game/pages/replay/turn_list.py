"""The list of turns beside the tray: a hundred at a time, those round the one that is shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from game.history.replay import Turn
from game.models import ThrowRow
from game.pages.parts.text import number
from game.pages.parts.turn_log import name_mark, shot_text, throw_line
from game.pages.replay.components import Move
from game.pages.replay.steps import Steps

LISTED = 100
WEIGHTS = ("??", "?", "?!", "!", "")  # of the marks of one turn the weightiest stands with it


def listed(steps: Steps) -> tuple[int, int]:
    """From where to where the list reaches: so that a long game costs no more than a short one."""
    begin = (steps.index or 0) // LISTED * LISTED
    return begin, min(begin + LISTED, len(steps.turns))


def moves(
    steps: Steps, names: Sequence[str], throws: Sequence[ThrowRow], hidden: bool, marks: Mapping[int, str]
) -> tuple[Move, ...]:
    """`throws`: of the turn that is shown. While its choice is hidden, nothing is told from there on.

    `marks`: what the review says, by step.
    """
    begin, end = listed(steps)
    return tuple(move(steps, index, names, throws, hidden, marks) for index in range(begin, end))


def move(
    steps: Steps, index: int, names: Sequence[str], throws: Sequence[ThrowRow], hidden: bool, marks: Mapping[int, str]
) -> Move:
    turn, current = steps.turns[index], index == steps.index
    new_round = index == 0 or steps.turns[index - 1].round != turn.round
    untold = hidden and turn.last >= steps.now
    mark = "" if untold else weightiest(marks.get(step, "") for step in range(turn.first, turn.last + 1))
    return Move(
        url=steps.to(turn.first),
        round=number(turn.round) if new_round else "",
        seat=turn.seat + 1,
        name=names[turn.seat],
        text="" if untold else shot_text(turn),
        cancelled=turn.cancelled,
        current=current,
        mark=mark,
        word=name_mark(mark),
        throws=tuple(lines(steps, turn, throws, hidden)) if current else (),
    )


def weightiest(marks: Iterable[str]) -> str:
    return min(marks, key=WEIGHTS.index)


def lines(steps: Steps, turn: Turn, throws: Sequence[ThrowRow], hidden: bool) -> list[tuple]:
    """The throws of the turn that is shown; with hidden choices up to the one on the table, which is not told."""
    reached = steps.now - turn.first + 1
    return [
        (throw_line(i, throw, told=not hidden or i < reached), steps.to(turn.first + i - 1), i == reached)
        for i, throw in enumerate(throws[: reached if hidden else None], 1)
    ]


def earlier(steps: Steps) -> str:
    begin, _end = listed(steps)
    return steps.to(steps.turns[begin - 1].first) if begin else ""


def later(steps: Steps) -> str:
    _begin, end = listed(steps)
    return steps.to(steps.turns[end].first) if end < len(steps.turns) else ""
