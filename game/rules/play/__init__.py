"""The play of a game: values for its state and its moves, and the transitions between them.

Chance comes in through `throw(state, dice)`; everything else through `apply(state, move)`. Both return a `Step` and
change nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

from game.rules.play import changes, manual, moves, shot, start
from game.rules.play.moves import Change, Move, Rename
from game.rules.play.state import State, Step
from game.rules.play.turns import Told
from game.rules.refusals import IllegalMove
from game.rules.ruleset import PLAYERS_MOST
from game.rules.scoring import check_dice


def throw(state: State, dice: Sequence[int]) -> Step:
    """The dice that are due have fallen so. Raises `IllegalMove` unless exactly `state.to_throw` dice are given."""
    if not state.to_throw:
        raise IllegalMove("over" if state.finished else "not_due")
    fallen = tuple(dice)
    if len(fallen) != state.to_throw:
        raise IllegalMove("dice", need=state.to_throw)
    check_dice(fallen, PLAYERS_MOST)
    told: Told = []
    if state.shot is None:
        state = start.throw_for_start(state, fallen, told)
    else:
        state = shot.fall(state, state.shot, fallen, told)
    return Step(state, tuple(told))


_MOVES = get_args(Move)
_CHANGES: Mapping[type, Callable[[State, Any, Told], State]] = {
    moves.Manual: manual.enter,
    moves.SetTarget: changes.set_target,
    moves.Rename: changes.rename,
    moves.Join: changes.join,
    moves.StepOut: changes.step_out,
    moves.StepIn: changes.step_in,
    moves.Hand: changes.hand,
    moves.Skip: changes.skip,
    moves.SetMode: changes.set_mode,
}


def apply(state: State, move: Move | Change) -> Step:
    """Make a move or a change. Raises `IllegalMove` with the reason; moves that `legal_moves` lists are all made."""
    told: Told = []
    if isinstance(move, _MOVES):
        return Step(shot.make_move(state, move, told), tuple(told))
    if state.finished and not isinstance(move, Rename):
        raise IllegalMove("over")
    state = _CHANGES[type(move)](state, move, told)
    return Step(state, tuple(told))


def why_not(state: State, move: Move | Change) -> IllegalMove | None:
    """What stands against a move or change, if anything."""
    if isinstance(move, _MOVES):
        return shot.why_not_move(state, move)
    try:
        apply(state, move)
    except IllegalMove as refusal:
        return refusal
    return None
