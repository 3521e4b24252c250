"""How to play where points have no bound, because a shot can go on without risk: by a rule of thumb."""

from __future__ import annotations

from game.rules import Bank, Keep, Move, State, Throw, dice_left, keeps_now, points_with, score_after, why_not_bank
from game.strategy.computers.ends import is_lost

BANKS_WITH = 3


def keep_all(state: State) -> Move:
    """Banks what reaches the target; else keeps everything that scores, and banks with three dice or fewer left.

    A choice of dice must be due.
    """
    shot = state.shot
    if shot is None:
        raise ValueError("There is nothing to keep.")
    best = max(keeps_now(state), key=lambda keep: (points_with(shot, keep), len(keep.dice)))
    useful = [keep for keep in keeps_now(state) if _may_bank(state, keep)]
    there = [keep for keep in useful if score_after(state, keep) >= state.target]
    if there:
        return Bank(max(there, key=lambda keep: points_with(shot, keep)).dice)
    left = dice_left(shot.dice, best.dice)
    return Bank(best.dice) if best in useful and left <= BANKS_WITH else Throw(best.dice)


def _may_bank(state: State, keep: Keep) -> bool:
    """Whether the rules allow it, and it does not leave the player behind for good."""
    return why_not_bank(state, keep) is None and not is_lost(state, score_after(state, keep))
