"""A rule of thumb for rules under which points have no bound, because a shot can continue without risk."""

from game.rules import Bank, Move, State, Throw, dice_left, keeps_now, points_with, score_after, why_not, why_not_bank
from game.strategy.computers.winning_moves import is_lost

BANKS_WITH = 3


def choose_by_thumb(state: State) -> Move:
    """Return the move by the rule of thumb. Raises `ValueError` where no choice of dice is due.

    A keep that reaches the target is banked. Otherwise the keep with the most points is taken, and banked if
    `BANKS_WITH` dice or fewer are left.
    """
    shot = state.shot
    if shot is None:
        raise ValueError("There is nothing to keep.")
    best = max(keeps_now(state), key=lambda keep: (points_with(shot, keep), len(keep.dice)))
    legal = [keep for keep in keeps_now(state) if why_not_bank(state, keep) is None]
    useful = [keep for keep in legal if not is_lost(state, score_after(state, keep))]
    reaching = [keep for keep in useful if 0 < state.goal <= score_after(state, keep)]
    if reaching:
        return Bank(max(reaching, key=lambda keep: points_with(shot, keep)).dice)
    left = dice_left(shot.dice, best.dice, state.ruleset.dice)
    onward = Throw(best.dice)
    if best in useful and left <= BANKS_WITH:
        return Bank(best.dice)
    if why_not(state, onward) is None:
        return onward
    # It is the last throw of the shot, so every keep can be banked.
    return Bank(max(keeps_now(state), key=lambda keep: keep.points).dice)
