"""How good a decision was: the mark of each, and the accuracy of a player, both from what the decisions lost.

Losses are counted in shares. Where the chance to win is known, a share is that chance itself (0.03 is three per cent);
where only points are known, it is the points divided by `FULL` times the expected points of a shot. So the same limits
serve both: with shots of about 560 expected points, a mistake loses 100 points or more.

Accuracy, 0 to 100: each decision scores 100 * 0.5 ** (loss / HALF), and the accuracy of a player is the mean of these,
weighted by what was at stake: the difference between the best and the worst option, at most STAKE_MOST. So choices that
hardly matter have hardly any weight.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

Mark = Literal["", "!", "?!", "?", "??"]

INACCURACY, MISTAKE, BLUNDER = 0.015, 0.03, 0.06
# An option is the only good choice if there are at least this many, and all the others lose at least this share.
SHARP_AMONG, SHARP = 3, 0.03
# At this chance to win or more the game is as good as won, so finding the win earns no mark.
WON = 0.999
# A loss of this share halves the score of a decision.
HALF = 0.03
STAKE_MOST = 0.1
# The expected points of this many shots count as much as the whole chance to win.
FULL = 6.0
# Losses are differences of computed values, so falling short of a limit by less than this is rounding.
ROUNDING = 1e-9


def grade_decision(values: Sequence[float], chosen: int, won: bool = False) -> Mark:
    """Return the mark of a decision, by the shares of all options, best first, and the place of the one chosen.

    `won`: whether the best option as good as wins the game.
    """
    loss = values[0] - values[chosen] + ROUNDING
    if loss >= INACCURACY:
        return "??" if loss >= BLUNDER else "?" if loss >= MISTAKE else "?!"
    others = [value for place, value in enumerate(values) if place != chosen]
    sharp = len(values) >= SHARP_AMONG and values[chosen] - max(others) + ROUNDING >= SHARP
    return "!" if sharp and not won else ""


def compute_accuracy(decisions: Iterable[tuple[float, float]]) -> float | None:
    """Compute the accuracy, 0 to 100, over decisions, each given as (loss, stake) in shares.

    None if nothing was at stake in any of them.
    """
    total = weights = 0.0
    for loss, stake in decisions:
        weight = min(stake, STAKE_MOST)
        total += weight * 100 * 0.5 ** (loss / HALF)
        weights += weight
    return min(total / weights, 100.0) if weights > ROUNDING else None
