"""A shot whose throws are known already: read from a game file, or entered face by face in the mode with real dice."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from game.rules.events import Banked, Bust, Eliminated, Event, Over
from game.rules.play.moves import Bank, Faces, Move, Throw, Win
from game.rules.play.shot import explain_keep, make_move, throw_in_shot
from game.rules.play.state import State, Step
from game.rules.refusals import IllegalMove

# Refusals of the last keep itself; any other refusal is about how the shot ended.
_KEEP_FAULTS = ("keep_something", "not_thrown", "cannot_keep")


def play_throws(state: State, throws: Sequence[Faces], end: str | None, *, pick_up: bool) -> Step:
    """Play a whole shot: to its bank, bust or win, or up to its last throw (and keep, if it has one) otherwise.

    Raises `IllegalMove`; where one throw is at fault, its number, counted from 1, is `data["throw"]`.
    """
    state, events = make_move(state, Throw(pick_up=pick_up))
    for number, faces in enumerate(throws, 1):
        try:
            state, more = _play_throw(state, faces, is_last=number == len(throws))
        except IllegalMove as refusal:
            raise refusal.with_data(throw=number) from refusal
        events += more
    return _end_shot(state, events, throws[-1], end, len(throws)).preceded_by(*events)


def _play_throw(state: State, faces: Faces, *, is_last: bool) -> Step:
    shot = state.shot
    if shot is None:
        raise IllegalMove("shot_ended")
    if len(faces.dice) != state.to_throw:
        raise IllegalMove("dice", need=state.to_throw)
    state, events = throw_in_shot(state, shot, faces.dice)
    if faces.keep and not (state.shot and state.shot.dice):
        again = state.shot is not None and not state.shot.tries
        raise IllegalMove("throw_again") if again else explain_keep(faces.dice, faces.keep, ())
    if is_last or state.shot is None:
        return Step(state, events)
    return make_move(state, Throw(faces.keep or ())).preceded_by(*events)


EndByDice = Literal["bust", "over", "eliminated"]
ENDS_BY_DICE: Mapping[type[Event], EndByDice] = {Bust: "bust", Over: "over", Eliminated: "eliminated"}


def _end_shot(state: State, events: Iterable[Event], last: Faces, end: str | None, number: int) -> Step:
    """End a shot that was played up to its last throw, whose keep is still to be made."""
    by_dice = next((ENDS_BY_DICE[type(event)] for event in events if type(event) in ENDS_BY_DICE), None)
    if by_dice and by_dice != end:
        raise IllegalMove(f"has_{by_dice}")
    if not by_dice and end in ENDS_BY_DICE.values():
        raise IllegalMove(f"no_{end}")
    keep = last.keep
    if by_dice or (keep is None and end not in ("bank", "win")):
        return Step(state)
    moves: dict[str | None, Move] = {"bank": Bank(keep or ()), "win": Win(keep or ())}
    try:
        return make_move(state, moves.get(end, Throw(keep or ())))
    except IllegalMove as refusal:
        if refusal.code not in _KEEP_FAULTS:
            raise
        raise refusal.with_data(throw=number) from refusal


def check_banked(events: Iterable[Event], points: int | None) -> None:
    """Raise `IllegalMove` unless exactly these points were banked."""
    for event in events:
        if isinstance(event, Banked) and event.points != points:
            raise IllegalMove("throws_points", have=event.points, points=points)


def check_pick_up(state: State, dice: int | None) -> None:
    """Raise `IllegalMove` unless the player may pick up this many dice now, or picks up none (None)."""
    if dice is None:
        return
    if state.pick_up is None:
        raise IllegalMove("pick_up")
    if dice != state.pick_up[0]:
        raise IllegalMove("pick_up_dice", need=state.pick_up[0])
