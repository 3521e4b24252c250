"""When a shot may be banked, and what it has to remember of its keeps so that this can be decided."""

from collections.abc import Sequence

from game.rules.play.state import Shot, State, alter
from game.rules.refusals import IllegalMove
from game.rules.ruleset import Ruleset
from game.rules.scoring import Keep, keeps, points_gained


def points_with(shot: Shot, keep: Keep) -> int:
    """Return the points of the shot after this keep."""
    return shot.points + points_gained(keep, shot.aside_points)


def points_needed(state: State) -> int:
    """Return the fewest points that the player may bank: those of a first bank until there has been one."""
    return state.ruleset.least_bank if state.players[state.player].entered else state.ruleset.least_first_bank


def must_throw(state: State, shot: Shot, keep: Keep) -> bool:
    """Return whether this keep is a sweep after which all dice must be thrown again, provided a throw is left."""
    ruleset = state.ruleset
    return len(keep.dice) == len(shot.dice) and ruleset.sweep == "must_throw" and not is_last_throw(ruleset, shot)


def is_last_throw(ruleset: Ruleset, shot: Shot) -> bool:
    """Return whether the throw on the table is the last that the shot may have."""
    return bool(ruleset.throws_most) and shot.throws >= ruleset.throws_most


def falls_short(ruleset: Ruleset, throws: int, fallen: Sequence[int]) -> bool:
    """Return whether a bust of this many throws was one although its last dice scored, since no throw was left."""
    return bool(ruleset.throws_most) and throws >= ruleset.throws_most and bool(keeps(ruleset, fallen))


def makes_exact_target(state: State, points: int) -> bool:
    """Return whether a bank of this many points makes exactly the target, under rules that demand an exact one."""
    return state.ruleset.exact != "no" and state.players[state.player].score + points == state.target


def why_not_bank_in(state: State, shot: Shot, keep: Keep) -> IllegalMove | None:
    """Return the reason why the player may not bank this shot with this keep, or None if there is none."""
    points = points_with(shot, keep)
    if state.ruleset.is_plain:
        return IllegalMove("must_throw") if must_throw(state, shot, keep) else why_too_few(state, points)
    player = state.players[state.player]
    at_target = makes_exact_target(state, points)
    if not at_target and must_throw(state, shot, keep):
        return IllegalMove("must_throw")
    if not (at_target and player.entered) and (refusal := why_too_few(state, points)):
        return refusal
    shot = note_keep(state.ruleset, shot, keep)
    if not at_target:
        left = len(shot.dice) - len(keep.dice)
        refusal = why_off_step(state.ruleset, points) or why_too_many_left(state.ruleset, left)
        refusal = refusal or _why_unproved(state.ruleset, shot)
        if refusal:
            return refusal
    if player.entered:
        return None
    if state.ruleset.entry_in == "throw" and not shot.memory.big_keep:
        return IllegalMove("entry_throw", need=state.ruleset.entry_minimum)
    return IllegalMove("entry_set") if state.ruleset.entry_needs == "set" and not shot.memory.has_set else None


def why_too_few(state: State, points: int) -> IllegalMove | None:
    """Return the refusal of a bank of this many points if they are too few, else None."""
    entered, need = state.players[state.player].entered, points_needed(state)
    if points >= (state.ruleset.bank_minimum if entered else state.ruleset.entry_minimum):
        return None
    if entered:
        return IllegalMove("bank_minimum", need=need, have=points)
    if state.ruleset.entry_in == "throw":  # points of several throws never add up to it
        return IllegalMove("entry_throw", need=need)
    return IllegalMove("entry_minimum", need=need, have=points)


def why_off_step(ruleset: Ruleset, points: int) -> IllegalMove | None:
    """Return the refusal of a bank of this many points if they are not a multiple of the step, else None."""
    step = ruleset.bank_step
    return IllegalMove("bank_step", step=step, have=points) if step and points % step else None


def why_too_many_left(ruleset: Ruleset, left: int) -> IllegalMove | None:
    """Return the refusal of a bank that leaves this many dice (0 after a sweep) if they are too many, else None."""
    most = ruleset.bank_dice_left_most
    return IllegalMove("bank_dice_left", most=most) if most and left > most else None


def is_bankable(ruleset: Ruleset, points: int, left: int, *, entered: bool) -> bool:
    """Return whether a shot with these points, and this many dice left to throw, may certainly be banked.

    Where earlier keeps or an exact target decide, it is not certain: False.
    """
    swept = left == ruleset.dice
    if ruleset.confirm or (swept and ruleset.after_sweep == "must_throw"):
        return False
    if not entered and (ruleset.entry_in == "throw" or ruleset.entry_needs == "set"):
        return False
    if points < (ruleset.least_bank if entered else ruleset.least_first_bank):
        return False
    return why_off_step(ruleset, points) is None and why_too_many_left(ruleset, 0 if swept else left) is None


def _why_unproved(ruleset: Ruleset, shot: Shot) -> IllegalMove | None:
    if not shot.memory.to_prove:
        return None
    if isinstance(ruleset.confirm_by, int):
        return IllegalMove("unproved_points", need=shot.memory.to_prove)
    return IllegalMove("unproved_single" if ruleset.confirm_by == "single" else "unproved")


def note_keep(ruleset: Ruleset, shot: Shot, keep: Keep) -> Shot:
    """Return the shot with what it remembers of this keep: proofs, sets, and sweeps that multiply points."""
    swept, before = len(keep.dice) == len(shot.dice), shot.memory
    if not (ruleset.remembers_keeps or keep.growing or before.growing):
        return shot
    gained = points_gained(keep, shot.aside_points)
    memory = alter(
        before,
        to_prove=_points_to_prove(ruleset, shot, keep, gained) if ruleset.confirm else 0,
        big_keep=ruleset.entry_in == "throw" and (before.big_keep or gained >= ruleset.entry_minimum),
        has_set=ruleset.entry_needs == "set" and (before.has_set or keep.has_set),
        growing=() if swept else keep.growing,
        raised=min(before.raised + swept, ruleset.sweep_multiplier - 1),
    )
    return alter(shot, memory=memory)


def _points_to_prove(ruleset: Ruleset, shot: Shot, keep: Keep, gained: int) -> int:
    """Return the points left to prove after a keep, or 1 if the proof is not about points; 0 if nothing is.

    A keep that needs no proof itself settles what was open, or a part of it.
    """
    by, missing = ruleset.confirm_by, shot.memory.to_prove
    if keep.unproved or ("sweep" in ruleset.confirm and len(keep.dice) == len(shot.dice)):
        return by if isinstance(by, int) else 1
    if isinstance(by, int):
        return max(0, missing - gained)
    return 0 if by == "any" or keep.single else missing
