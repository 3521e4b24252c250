"""Rough chances to win, for the end of games under rulesets without a solved table.

The chance of a last shot is exact, except for dice that the next player may pick up and for what a bust costs. Before
the last shots a formula is used: the chance that a normal variable is above 0, whose mean is the lead in shots, and
whose spread grows with the number of shots that both still need. For rulesets that have a table, it is off by 0.01 to
0.03 on average, and by up to 0.3 close to the target. That is good enough to tell what a won game is worth, but not to
play by throughout.
"""

from functools import lru_cache

from game.rules.ruleset import Ruleset
from game.strategy.arrays import Floats, np
from game.strategy.turn import solve_shot_points
from game.strategy.win.endgame import solve_endgame
from game.strategy.win.race import POSITIONS_MOST, Race, make_plain_race
from game.strategy.win.win_table import WinTable

# What it is worth to be the player to move, in shots; and the variance when both are about to win, in shots squared.
HEAD_START, LEAST_VARIANCE = 0.3, 0.3
# The logistic function of this times x is the normal distribution function of x, to within 0.01.
LOGISTIC_SCALE = 1.702
# Replies are solved within three seconds if the rows of the largest lead, times the positions of a shot, are no more,
# and times the choices of its throws and the busts in a row that are told apart, either.
REPLIES_MOST, COMPARISONS_MOST = 50_000, 40_000_000


@lru_cache(maxsize=16)
def make_rough_table(ruleset: Ruleset, target: int) -> WinTable | None:
    """Make the rough table of a game to this target, in points. Takes up to three seconds.

    Returns None if it would take far longer, or if a number of rounds ends the game. Where much of a shot has to be
    remembered, or small points make many choices, leads of twice the target or more may count as safe. Raises
    `NoBestPlay` where points have no bound.
    """
    if ruleset.ending == "rounds":
        return None
    race = make_plain_race(ruleset, target)
    rows = min(REPLIES_MOST // len(race.graph.positions), COMPARISONS_MOST // max(race.graph.choices * race.streaks, 1))
    if len(race.graph.positions) > POSITIONS_MOST or rows < 2 * race.target:
        return None
    return WinTable(race, solve_endgame(race, rows), estimate_chances(race), rough=True)


def estimate_chances(race: Race) -> Floats:
    """Return estimated chances to win (planes x places x places). Raises `NoBestPlay` where points have no bound."""
    shot = max(solve_shot_points(race.graph.ruleset).expected() / race.graph.unit, 1.0)
    shots_needed = (race.target - race.score_at(np.arange(race.places))) / shot
    own, other = shots_needed[:, None], shots_needed[None, :]
    lead = (other - own + HEAD_START) / np.sqrt(own + other + LEAST_VARIANCE)
    return np.broadcast_to(1 / (1 + np.exp(-LOGISTIC_SCALE * lead)), (race.planes, *lead.shape))
