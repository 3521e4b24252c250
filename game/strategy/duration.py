"""How long a game takes: its rounds, for players who throw on with three dice or more, times a usual pace."""

from functools import lru_cache

from game.rules import Ruleset, keeps
from game.rules.scoring import all_throws, dice_left
from game.strategy.odds import count_orders

# The median over tables of the world with recorded times, for three to four players.
SECONDS_A_TURN = 25
# Many people throw on with this many dice, and bank with fewer.
THROWN_ON_WITH = 3
ROUNDS_OF_VALUES = 60


def estimate_rounds(ruleset: Ruleset, target: int | None = None) -> int | None:
    """Return about how many rounds a game takes; None where nothing scores. `target`: None for the ruleset's own.

    The entry minimum is added to the target, for the turns that it takes to get on the board.
    """
    if ruleset.rounds:
        return ruleset.rounds
    points = estimate_turn_points(ruleset)
    goal = (ruleset.target if target is None else target) + ruleset.entry_minimum
    return max(round(goal / points), 1) if points else None


def estimate_minutes(ruleset: Ruleset, players: int) -> int | None:
    """Return about how many minutes a game takes, in steps of five; None where nothing scores."""
    rounds = estimate_rounds(ruleset)
    return rounds and max(5 * round(rounds * players * SECONDS_A_TURN / 300), 5)


@lru_cache(maxsize=256)
def estimate_turn_points(ruleset: Ruleset) -> float:
    """Return the mean points of a turn in which the best keep is taken, and three dice or more are thrown on.

    Anything besides dice and points is ignored. The chance to bank and the mean points are those of a Markov chain over
    the number of dice.
    """
    most = ruleset.dice
    brings = [_list_keeps(ruleset, dice) for dice in range(1, most + 1)]
    banks, points = [0.0] * (most + 1), [0.0] * (most + 1)
    for _round in range(ROUNDS_OF_VALUES):
        for dice, outcomes in enumerate(brings, 1):
            banks[dice] = sum(chance * (banks[left] if goes else 1) for left, goes, chance, _mean in outcomes)
            points[dice] = sum(
                mean * banks[left] + chance * points[left] if goes else mean for left, goes, chance, mean in outcomes
            )
    return points[most]


def _list_keeps(ruleset: Ruleset, dice: int) -> list[tuple[int, bool, float, float]]:
    """Return what the best keeps of a throw lead to: (dice left, whether they are thrown, chance, chance x points)."""
    chances, points = [0.0] * (ruleset.dice + 1), [0.0] * (ruleset.dice + 1)
    for throw in all_throws(dice):
        if choices := keeps(ruleset, throw):
            left, weight = dice_left(throw, choices[0].dice, ruleset.dice), count_orders(throw) / 6**dice
            chances[left] += weight
            points[left] += weight * choices[0].points
    return [(left, left >= THROWN_ON_WITH, chances[left], points[left]) for left in range(ruleset.dice + 1)]
