"""The shot with the largest expected points.

What is exact: for any ruleset without pick-up, entered or not, the expected points of every position under the best
play, with both minimums, sweeps that must be thrown, several tries with the last die, three pairs across throws and
the nothing bonus. The points of a shot have no bound; from some row on the values are straight lines, proved by the
check in `asymptote`, and below it every row is computed.

What is convention or simplified:

- Six of a kind that wins at once counts as the points of the shot and the target on top: a win is worth a whole game.
- A bust costs nothing but the points of the shot, except for a row of busts: there the long run is valued (largest
  average points a shot), where the penalty is taken in full even from a score that is smaller.
- Pick-up: two entered players in turn, each playing for the difference in points in the long run, each taking what
  the other left if that is worth more than six fresh dice. What banking leaves to the next player is taken off its
  points. That is exact for two entered players far from the target. It is an approximation for a player who has not
  entered (the next one is taken as entered) and for more players. Dice that were picked up are not remembered.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from game.rules.ruleset import Ruleset
from game.strategy.turn.asymptote import Lines, ShotRewards, linear_tail
from game.strategy.turn.backward_induction import solve_backward, throw_values
from game.strategy.turn.graph import EndlessShot, Floats, Graph, Indices, build_graph

# The straight lines are looked for from these points on, then from twice as many, and so on.
TAIL_FROM = 1024
# Beyond so many rows they are taken as they are: a bust is then so rare that banking hardly ever pays before.
ROWS_MOST = 20_000
# The unknowns of the long run (rows of busts, pick-up) are found to so many points, in at most so many rounds.
LONG_RUN_TOLERANCE, LONG_RUN_ROUNDS = 1e-8, 30
ENDLESS = "Under these rules a turn can go on without risk, so its expected points have no maximum."


@dataclass(frozen=True, eq=False)
class ShotPoints:
    """Expected points of every position of a shot under the best play.

    `values` (rows x columns x kinds of player), of arriving, up to row `top`; `throwing`: the lines from there on.
    Kind 0 is an entered player, the kind before the last one with the most busts in a row before the penalty, the last
    one a player who has not entered.
    """

    graph: Graph
    rewards: ShotRewards
    values: Floats
    top: int
    throwing: Lines

    def kind(self, entered: bool, streak: int = 0) -> int:
        """Return the kind of a player with so many busts in a row: the last index of `values`."""
        kinds = len(self.rewards.bust)
        return min(streak, kinds - 2) if entered else kinds - 1

    def throw(self, column: int, points: int, kind: int) -> float:
        """Return the expected points of throwing from here with so many points: the mean over all throws.

        Raises `ValueError` for points that no shot can have there.
        """
        row, rest = divmod(points - int(self.graph.offsets[column]), self.graph.unit)
        if rest or row < 0:
            raise ValueError(f"A shot cannot have {points} points here.")
        if row >= self.top:
            return float(self.throwing.at(float(points))[column, kind])
        layer, place = self.graph.layer_of(column)
        return float(throw_values(layer, self.values, np.array([row]), self.rewards.bust)[0, place, kind])

    def bank(self, column: int, points: int, kind: int) -> float:
        """Return the value of banking: the points, less what the next player gains from the dice that are left."""
        if self.rewards.fresh is None:
            return float(points)
        thrown = np.array([self.throw(column, points, kind)])
        return float(self.rewards.bank(np.array([float(points)]), thrown)[0])

    def may_bank(self, column: int, points: int, kind: int) -> bool:
        """Return whether the rules let the shot be banked here."""
        return bool(self.graph.bankable[column] and points >= self.rewards.minimum[kind])

    def expected(self, entered: bool = True, streak: int = 0) -> float:
        """Return the expected points of a whole shot from six fresh dice."""
        return self.throw(self.graph.start, 0, self.kind(entered, streak))


def solve_shot_points(ruleset: Ruleset, taken: bool = True) -> ShotPoints:
    """Solve the shot with the largest expected points of a ruleset; cached.

    Takes 0.1 to 2 s, up to 40 s where dice of several throws can make three pairs in many ways. `taken`: whether the
    next player may pick up what is left, where the ruleset has pick-up. Raises `EndlessShot`, and where the ruleset has
    settings that the graph of a shot does not know, `UnsolvedShot`.
    """
    answer = _solve_or_refuse(ruleset, taken and ruleset.pick_up)
    if isinstance(answer, EndlessShot):
        raise type(answer)(*answer.args)
    return answer


@lru_cache(maxsize=64)
def _solve_or_refuse(ruleset: Ruleset, taken: bool) -> ShotPoints | EndlessShot:
    """Return the best shot, or that there is none: to find that out takes as long, so it is cached as well."""
    try:
        return _solve_long_run(ruleset, taken)
    except EndlessShot as endless:
        return endless


def _solve_long_run(ruleset: Ruleset, taken: bool) -> ShotPoints:
    """Solve the shot and, by fixed-point iteration, the worth of what it leaves behind."""
    graph = build_graph(ruleset)
    if not any(graph.bust_chance(column) for column in range(graph.win)):
        raise EndlessShot(ENDLESS)
    streaks = ruleset.bust_streak if ruleset.bust_streak_penalty and ruleset.bust_streak else 1
    minimum = np.array([ruleset.bank_minimum] * streaks + [ruleset.entry_minimum], dtype=np.float64)
    penalty = float(ruleset.bust_streak_penalty) if ruleset.bust_streak else 0.0
    bust = np.zeros(streaks + 1)
    bust[streaks - 1] = -penalty
    rewards = ShotRewards(minimum, bust, float(ruleset.target), 0.0 if taken else None)
    unknown = np.zeros(streaks - 1 + taken)
    if taken:
        unknown[-1] = solve_shot_points(ruleset, taken=False).expected()
    history: list[tuple[Floats, Floats]] = []
    tail_from = float(max(TAIL_FROM, minimum.max() + 1))
    for _ in range(LONG_RUN_ROUNDS):
        solved = _solve_rewards(graph, _fill_in(rewards, unknown, streaks), tail_from)
        tail_from = float((solved.top - 1) * graph.unit)
        outcome = _read_outcome(solved, streaks, len(unknown))
        if not len(unknown) or np.abs(outcome - unknown).max() < LONG_RUN_TOLERANCE:
            break
        history = [*history[-len(unknown) :], (unknown, outcome)]
        unknown = _next_guess(history)
    return solved


def _fill_in(rewards: ShotRewards, unknown: Floats, streaks: int) -> ShotRewards:
    """Return the rewards with guesses for what they depend on: busts in a row that cost later, and a fresh shot."""
    bust = rewards.bust.copy()
    bust[: streaks - 1] = unknown[: streaks - 1]
    fresh = None if rewards.fresh is None else float(unknown[-1])
    return replace(rewards, bust=bust, fresh=fresh)


def _read_outcome(solved: ShotPoints, streaks: int, size: int) -> Floats:
    """Return what the unknowns come out as: the long-run worth of so many busts in a row, and of a fresh shot."""
    fresh = [solved.expected(streak=streak) for streak in range(streaks)]
    return np.array([value - fresh[0] for value in fresh[1:]] + [fresh[0]])[:size]


def _next_guess(history: list[tuple[Floats, Floats]]) -> Floats:
    """Combine former guesses so that their outcomes would agree with them best (Anderson acceleration)."""
    outcome = history[-1][1]
    if len(history) == 1:
        return outcome
    misses = np.array([after - before for before, after in history])
    steps = np.diff(misses, axis=0).T
    shares = np.linalg.lstsq(steps, misses[-1], rcond=None)[0]
    moves = np.diff(np.array([after for _, after in history]), axis=0).T
    guess: Floats = outcome - moves @ shares
    return guess


def _find_tail(graph: Graph, rewards: ShotRewards, points: float) -> tuple[Lines, Lines, int]:
    """Find the lines of throwing and of arriving, looking from these points on, and the row from which they hold.

    Raises `EndlessShot` where there are none.
    """
    while True:
        tail = linear_tail(graph, rewards, points)
        top = int(points) // graph.unit + 1
        if tail and (tail[2] or top > ROWS_MOST):
            return tail[0], tail[1], top
        if top > ROWS_MOST:
            raise EndlessShot(ENDLESS)
        points *= 2


def _solve_rewards(graph: Graph, rewards: ShotRewards, tail_from: float) -> ShotPoints:
    """Compute all values for given rewards."""
    throwing, arriving, top = _find_tail(graph, rewards, tail_from)
    rows = np.arange(top + graph.reach + 1)
    points = (rows[:, None] * graph.unit + graph.offsets)[..., None].astype(np.float64)
    allowed = graph.bankable[:, None] & (points >= rewards.minimum)
    values = np.empty((len(rows), graph.width, len(rewards.bust)))
    values[top:] = arriving.slope * points[top:] + arriving.intercept
    values[:top, graph.win] = points[:top, graph.win] + rewards.prize

    def arrive(rows: slice, columns: Indices, thrown: Floats) -> Floats:
        banked = rewards.bank(points[rows, columns], thrown)
        return np.where(allowed[rows, columns], np.maximum(banked, thrown), thrown)

    solve_backward(graph, values, top, rewards.bust, arrive)
    return ShotPoints(graph, rewards, values, top, throwing)
