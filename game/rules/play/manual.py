"""Shots with real dice: only what they came to is entered, and checked against what the rules can make."""

from __future__ import annotations

from game.rules.events import Banked, Began, PickedUp
from game.rules.play.faces import end_throws, play_throws
from game.rules.play.moves import Manual
from game.rules.play.shot import minimum
from game.rules.play.state import Shot, State, alter
from game.rules.play.turns import Told, bank, bust, finish
from game.rules.refusals import IllegalMove
from game.rules.ruleset import DICE
from game.rules.scoring import dice_left
from game.rules.totals import can_make, nearest


def enter(state: State, shot: Manual, told: Told) -> State:
    """A whole shot with real dice. Raises `IllegalMove` for what the rules cannot make or do not let bank."""
    if state.to_throw or state.shot is not None:
        raise IllegalMove("starting" if state.starting else "shot_begun")
    if state.mode != "manual":
        raise IllegalMove("mode")
    dice, base = _taken_over(state, shot)
    _check_fields(state, shot)
    if shot.throws:
        return _enter_faces(state, shot, told)
    told.append(PickedUp(state.player, dice, base) if shot.pick_up else Began(state.player, dice))
    if shot.end == "bust":
        return bust(alter(state, shot=Shot(state.player, left=dice, points=base)), told)
    if shot.end == "win":
        return finish(alter(state, shots=state.shots + 1), (state.player,), told, at_once=True)
    _check_points(state, shot, dice, base)
    return bank(state, shot.points, shot.dice_left, told)


def _taken_over(state: State, shot: Manual) -> tuple[int, int]:
    """With how many dice and how many points the shot begins."""
    if shot.pick_up is None:
        return DICE, 0
    if state.pick_up is None:
        raise IllegalMove("pick_up")
    dice, points = state.pick_up
    if shot.pick_up != dice:
        raise IllegalMove("pick_up_dice", need=dice)
    return dice, points


def _check_fields(state: State, shot: Manual) -> None:
    if shot.end == "win" and not state.ruleset.six_of_a_kind_wins:
        raise IllegalMove("no_win")
    if shot.end != "bank" and shot.points:
        raise IllegalMove("cannot_make", points=shot.points, below=None, above=None)
    if shot.dice_left is not None and not _may_be_left(state, shot):
        raise IllegalMove("dice_left")


def _may_be_left(state: State, shot: Manual) -> bool:
    most = DICE if state.ruleset.sweep == "may_bank" else DICE - 1
    return shot.end == "bank" and state.ruleset.pick_up and 1 <= (shot.dice_left or 0) <= most


def _check_points(state: State, shot: Manual, dice: int, base: int) -> None:
    made = shot.points - base
    if not can_make(state.ruleset, made, dice):
        below, above = (near if near is None else near + base for near in nearest(state.ruleset, made, dice))
        raise IllegalMove("cannot_make", points=shot.points, below=below, above=above)
    if shot.dice_left is not None and not can_make(state.ruleset, made, dice, shot.dice_left):
        raise IllegalMove("dice_left")
    if shot.points < minimum(state):
        entered = state.players[state.player].entered
        code = "bank_minimum" if entered else "entry_minimum"
        raise IllegalMove(code, need=minimum(state), have=shot.points)


def _enter_faces(state: State, shot: Manual, told: Told) -> State:
    """The same shot, thrown and kept die by die."""
    after = play_throws(alter(state, mode="auto"), shot.throws, shot.pick_up is not None, told)
    after = end_throws(after, shot.throws, shot.end, told)
    for made in (event.points for event in told if isinstance(event, Banked)):
        if made != shot.points:
            raise IllegalMove("throws_points", have=made, points=shot.points)
    if shot.dice_left is None:
        return alter(after, mode=state.mode, offer=None)
    last = shot.throws[-1]
    if shot.dice_left != dice_left(last.dice, last.keep or ()):
        raise IllegalMove("dice_left")
    return alter(after, mode=state.mode)
