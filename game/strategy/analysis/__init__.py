"""What each decision of a game cost, and what the dice gave: for reviews of finished games.

What is exact: in a game of two, under rules and a target with a solved table (`game.strategy.win`), every moment has a
chance to win, with the best play of both from there on, that is as exact as the table (about 1e-7). A decision loses
the chance of the best option less that of the option taken; a throw gains the chance of the best option after it less
that of the moment before it. These add up to the result, to rounding: each step begins with the chance with which the
step before ended, and the last ends with 1 for a win, 0 for a loss, and a half for a shared win. The first begins with
the first shot, so the throws for the first player are not counted as luck. Shots of real dice of which only the points
are known count as one step, their luck and decisions together. Only from shot to shot may a chance change through
neither dice nor decisions: by another target, or a player who was skipped or stepped out; with a table on a coarse
grid, also by its error; and before a choice whether to pick up, by less than 1e-4, because what offers are worth is
rounded in a stored table.

What is an estimate: with more than two players a chance is the estimate of `win.score_situation`, seen only from the
player at the dice, so the steps do not add up.

What is counted in points: where no chance is known (rules without a table, such as some in which busts cost points; no
solved table for this target; only one player, perhaps because the other stepped out), everything is in expected points
of the shot, and `win` is None. But where the end of the game is in reach, the options have the rough chances of
`win.rough_table`, which `grading.FULL` converts to points. With pick-up, what a bank leaves to the next player is taken
off its points, see `turn.points`.

Undone shots do not count. A change made during a shot counts as made before it, as in a game file.
"""

from game.strategy.analysis.game import analyse_game
from game.strategy.analysis.model import Analysis, Decision, ReviewedOption, ReviewedThrow, SeatBalance, Worth

__all__ = [
    "Analysis", "Decision", "ReviewedOption", "ReviewedThrow", "SeatBalance", "Worth", "analyse_game",
]  # fmt: skip
