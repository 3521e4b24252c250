"""What each decision of a game cost, and what the dice gave: for reviews of finished games.

What is exact. In a game of two, under rules and targets with a solved table (`game.strategy.win`), every moment has its
chance to win under the best play of both from there on, as exact as the table (about 1e-7). A decision loses the chance
of the best option less that of the one taken; a throw gives the chance of the best option after it less that of the
moment before. These add up: for each player

    result = start + (luck - losses + typed) - (the same of the other player) + outside

to rounding, where `result` is 1 or 0 and a shared win a half, and `start` the chance when the first shot began (so the
throws for the first player are no luck here). `typed` are shots of real dice of which only the points are known: what
they changed is luck and decisions together. `outside` is what neither dice nor decisions did: another target, a player
who was skipped or stepped out. It is nothing in a game without such changes, judged by an exact table; from a table on
a coarse grid, what its lines are off from shot to shot is in it, too. (After the last player stepped out nobody has
won, and there is no result to explain.)

What is an estimate. With more players a chance is the estimate of `win.score_situation`, seen by the player at the
dice alone; the terms above then do not add up.

By points. Where no chance is known (busts in a row that cost; no solved table for
this target; only one player, also where the other one has stepped out), everything is counted in expected points of the
shot, and `win` is None; but where the end of the game is in reach, the options have the rough chances of
`win.rough_table`, of which `grading.FULL` makes points. With pick-up what a bank leaves to the next player is taken off
its points, see `turn.points`.

Undone shots do not count. A change made during a shot counts as made before it, as in a game file.
"""

from game.strategy.analysis.game import analyse_game
from game.strategy.analysis.model import (
    Analysis,
    Decision,
    ReviewedOption,
    ReviewedThrow,
    SeatBalance,
    StepPlace,
    TypedShot,
    Worth,
)

__all__ = [
    "Analysis", "Decision", "ReviewedOption", "ReviewedThrow", "SeatBalance", "StepPlace", "TypedShot", "Worth",
    "analyse_game",
]  # fmt: skip
