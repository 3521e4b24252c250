"""The play of a game: values for its state and its moves, and the transitions between them.

Chance comes in through `throw(state, dice)`, everything else through `apply(state, move)`. Both return a `Step`, the
new state with the events that led to it, and leave the state they were given as it was.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

from game.rules.play import changes, manual, moves, shot, start
from game.rules.play.moves import Change, Move, Rename
from game.rules.play.state import State, Step
from game.rules.refusals import IllegalMove
from game.rules.ruleset import PLAYERS_MOST
from game.rules.scoring import check_dice

_MOVES = get_args(Move)
_CHANGES: Mapping[type, Callable[[State, Any], Step]] = {
    moves.Manual: manual.enter_shot,
    moves.SetTarget: changes.set_target,
    moves.Rename: changes.rename_player,
    moves.Join: changes.add_player,
    moves.StepOut: changes.step_out,
    moves.StepIn: changes.step_in,
    moves.Hand: changes.hand_seat,
    moves.Skip: changes.skip_player,
    moves.SetMode: changes.set_mode,
}


def throw(state: State, dice: Sequence[int]) -> Step:
    """Let the dice that are due fall as these faces.

    Raises `IllegalMove` unless there are exactly `state.to_throw` dice, and `ValueError` for anything but faces of a
    die.
    """
    if not state.to_throw:
        raise IllegalMove("over" if state.finished else "not_due")
    thrown = tuple(dice)
    if len(thrown) != state.to_throw:
        raise IllegalMove("dice", need=state.to_throw)
    check_dice(thrown, PLAYERS_MOST)
    if state.shot is None:
        return start.throw_for_start(state, thrown)
    return shot.throw_in_shot(state, state.shot, thrown)


def apply(state: State, move: Move | Change) -> Step:
    """Make a move or a change. Raises `IllegalMove` with the reason; every move of `legal_moves` can be made."""
    if isinstance(move, _MOVES):
        return shot.make_move(state, move)
    if state.finished and not isinstance(move, Rename):
        raise IllegalMove("over")
    return _CHANGES[type(move)](state, move)


def why_not(state: State, move: Move | Change) -> IllegalMove | None:
    """Return the reason why `apply` would refuse a move or change, or None if it would not."""
    try:
        apply(state, move)
    except IllegalMove as refusal:
        return refusal
    return None
