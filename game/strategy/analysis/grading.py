"""How good a decision was: marks, and the accuracy of a player, from what the decisions lost.

Everything is counted in shares of a measure: where the chance to win is known a share is that chance itself (0.03 is
three points of a hundred); where only points are, it is points divided by `FULL` expected shots. So the same limits
serve both: with shots of about 560 points a mistake loses 100 points or more.

Accuracy, 0 to 100: each decision scores 100 times one half to the power of (loss / HALF), and a player has the mean
of them, weighted by what was at stake: the difference between the best and the worst option, at most STAKE_MOST. So
choices that hardly matter have hardly any weight.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

Mark = Literal["", "!", "?!", "?", "??"]

INACCURACY, MISTAKE, BLUNDER = 0.015, 0.03, 0.06
# Fewest options, and least loss by all others, that make an only good choice.
SHARP_AMONG, SHARP = 3, 0.03
# From this chance on the game is as good as won, and finding the win earns no mark.
WON = 0.999
# A loss of this share halves the score of a decision.
HALF = 0.03
STAKE_MOST = 0.1
# This many expected shots of points count as much as the whole chance to win.
FULL = 6.0
# Losses are differences of computed values: falling short of a limit by less than this is rounding.
ROUNDING = 1e-9


def grade_decision(values: Sequence[float], chosen: int, won: bool = False) -> Mark:
    """Return the mark of a decision by the shares of all options, best first.

    `won`: whether the best one as good as wins the game.
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
