"""Shots with real dice: only what they came to is entered, and checked against what the rules can make."""

from game.rules.events import Began, PickedUp
from game.rules.play.known_throws import check_banked, check_pick_up, play_throws
from game.rules.play.moves import Manual
from game.rules.play.shot import why_too_few
from game.rules.play.state import Shot, State, Step, alter
from game.rules.play.turns import bank_points, bust_shot, finish_game
from game.rules.refusals import IllegalMove
from game.rules.ruleset import DICE
from game.rules.scoring import dice_left
from game.rules.totals import can_make, nearest_totals


def enter_shot(state: State, shot: Manual) -> Step:
    """Enter a whole shot with real dice. Raises `IllegalMove` for what the rules cannot make or do not let bank."""
    if state.to_throw or state.shot is not None:
        raise IllegalMove("starting" if state.starting else "shot_begun")
    if state.mode != "manual":
        raise IllegalMove("mode")
    check_pick_up(state, shot.pick_up)
    _check_fields(state, shot)
    if shot.throws:
        return _enter_faces(state, shot)
    seat = state.player
    dice, base = state.pick_up if shot.pick_up and state.pick_up else (DICE, 0)
    began = PickedUp(seat, dice, base) if shot.pick_up else Began(seat, dice)
    if shot.end == "bust":
        return bust_shot(alter(state, shot=Shot(seat, left=dice, points=base))).preceded_by(began)
    if shot.end == "win":
        return finish_game(alter(state, shots=state.shots + 1), (seat,), at_once=True).preceded_by(began)
    _check_points(state, shot, dice, base)
    return bank_points(state, shot.points, shot.dice_left).preceded_by(began)


def _check_fields(state: State, shot: Manual) -> None:
    if shot.end == "win" and not state.ruleset.six_of_a_kind_wins:
        raise IllegalMove("no_win")
    if shot.end != "bank" and shot.points:
        raise IllegalMove("cannot_make", points=shot.points, below=None, above=None)
    if shot.dice_left is not None and not _may_be_left(state, shot, shot.dice_left):
        raise IllegalMove("dice_left")


def _may_be_left(state: State, shot: Manual, left: int) -> bool:
    most = DICE if state.ruleset.sweep == "may_bank" else DICE - 1
    return shot.end == "bank" and state.ruleset.pick_up and 1 <= left <= most


def _check_points(state: State, shot: Manual, dice: int, base: int) -> None:
    """Raise `IllegalMove` for a bank that cannot be. The shot began with so many dice and `base` points."""
    made = shot.points - base
    if not can_make(state.ruleset, made, dice):
        below, above = (near if near is None else near + base for near in nearest_totals(state.ruleset, made, dice))
        raise IllegalMove("cannot_make", points=shot.points, below=below, above=above)
    if shot.dice_left is not None and not can_make(state.ruleset, made, dice, shot.dice_left):
        raise IllegalMove("dice_left")
    if refusal := why_too_few(state, shot.points):
        raise refusal


def _enter_faces(state: State, shot: Manual) -> Step:
    """Enter the same shot face by face, as if it were thrown and kept here."""
    after, events = play_throws(alter(state, mode="auto"), shot.throws, shot.end, pick_up=shot.pick_up is not None)
    check_banked(events, shot.points)
    if shot.dice_left is None:
        return Step(alter(after, mode=state.mode, offer=None), events)
    last = shot.throws[-1]
    if shot.dice_left != dice_left(last.dice, last.keep or ()):
        raise IllegalMove("dice_left")
    return Step(alter(after, mode=state.mode), events)
