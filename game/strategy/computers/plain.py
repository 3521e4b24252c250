"""How to play where points have no bound, because a shot can go on without risk: by a rule of thumb."""

from __future__ import annotations

from game.rules import Bank, Keep, Move, State, Throw, keeps_now, legal_moves, points_with
from game.rules.ruleset import DICE
from game.strategy.computers.ends import is_lost

BANKS_WITH = 3


def keep_all(state: State) -> Move:
    """Keeps everything that scores, and banks with three dice or fewer left. A choice of dice must be due."""
    shot = state.shot
    if shot is None:
        raise ValueError("There is nothing to keep.")
    best = max(keeps_now(state), key=lambda keep: (points_with(shot, keep), len(keep.dice)))
    bank = Bank(best.dice)
    return bank if bank in legal_moves(state) and _has_enough(state, best) else Throw(best.dice)


def _has_enough(state: State, keep: Keep) -> bool:
    shot = state.shot
    if shot is None or is_lost(state, points_with(shot, keep)):
        return False
    left = len(shot.dice) - len(keep.dice) or DICE
    return left <= BANKS_WITH
