"""A shot whose throws are already known: read from a game file, or entered die by die in the mode with real dice."""

from __future__ import annotations

from collections.abc import Sequence

from game.rules.play.moves import Bank, Faces, Move, Throw, Win
from game.rules.play.shot import fall, make_move, what_is_wrong
from game.rules.play.state import State
from game.rules.play.turns import Told
from game.rules.refusals import IllegalMove

# What is wrong with the last keep itself; anything else is wrong with the end of the shot.
_OF_THE_KEEP = ("keep_something", "not_thrown", "cannot_keep")


def play_throws(state: State, throws: Sequence[Faces], pick_up: bool, told: Told) -> State:
    """The shot up to its last throw, whose keep is still to be made.

    Raises `IllegalMove`; where one throw is at fault, its number from 1 is `data["throw"]`.
    """
    state = make_move(state, Throw(pick_up=pick_up), told)
    for number, faces in enumerate(throws, 1):
        try:
            state = _play_throw(state, faces, number == len(throws), told)
        except IllegalMove as refusal:
            refusal.data["throw"] = number
            raise
    return state


def _play_throw(state: State, faces: Faces, is_last: bool, told: Told) -> State:
    shot = state.shot
    if shot is None:
        raise IllegalMove("shot_ended")
    if len(faces.dice) != state.to_throw:
        raise IllegalMove("dice", need=state.to_throw)
    state = fall(state, shot, faces.dice, told)
    may_keep = state.shot is not None and state.shot.dice
    if faces.keep and not may_keep:
        raise what_is_wrong(faces.dice, faces.keep, ())
    if is_last or state.shot is None:
        return state
    return make_move(state, Throw(faces.keep or ()), told)


def end_throws(state: State, throws: Sequence[Faces], end: str | None, told: Told) -> State:
    """End a shot, played up to its last throw, in a bank, bust or win; otherwise make its last keep, if it has one.

    Raises `IllegalMove` as `play_throws` does.
    """
    ended = state.shot is None
    if ended != (end == "bust"):
        raise IllegalMove("has_bust" if ended else "no_bust")
    keep = throws[-1].keep
    if ended or (keep is None and end not in ("bank", "win")):
        return state
    moves: dict[str | None, Move] = {"bank": Bank(keep or ()), "win": Win(keep or ())}
    try:
        return make_move(state, moves.get(end, Throw(keep or ())), told)
    except IllegalMove as refusal:
        if refusal.code in _OF_THE_KEEP:
            refusal.data["throw"] = len(throws)
        raise
