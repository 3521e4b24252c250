"""The shot with the largest expected points.

What is exact: for any ruleset without pick-up, entered or not, the expected points of every position under the best
play, with both minimums, sweeps that must be thrown, several tries with the last die, three pairs across throws and
the nothing bonus. The points of a shot have no bound; from some row on the values are straight lines, proved by the
check in `tail`, and below it every row is computed.

What is convention or simplified:

- Six equal dice that win at once count as the points of the shot and the target on top: a win is worth a whole game.
- A bust costs nothing but the points of the shot, except for a row of busts: there the long run is valued (largest
  average points a shot), where the penalty is taken in full even from a score that is smaller.
- Pick-up: two entered players in turn, each playing for the difference in points in the long run, each taking what
  the other left if that is worth more than six fresh dice. What banking leaves to the next player is taken off its
  points. That is exact for two entered players far from the target. It is an approximation for a player who has not
  entered (the next one is taken as entered) and for more players. Dice that were picked up are not remembered.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from game.rules.ruleset import Ruleset
from game.strategy.turn.asymptote import EndlessShot, Lines, Terms, lines_from
from game.strategy.turn.backward_induction import descend, throw_values
from game.strategy.turn.graph import Floats, Graph, Places, graph_of

# The straight lines are looked for from here on, then from twice as many points, and so on.
LOOK_FROM = 1024
# Beyond so many rows they are taken as they are: a bust is then so rare that banking hardly ever pays before.
ROWS_MOST = 20_000
SETTLED = 1e-8
ENDLESS = "A shot can go on without risk: its expected points have no largest value."
ROUNDS_MOST = 30


@dataclass(frozen=True, eq=False)
class ShotPoints:
    """Expected points of every position of a shot under the best play.

    Lane 0 is an entered player, the lane before the last one with so many busts in a row, the last one a player who
    has not entered.
    """

    graph: Graph
    terms: Terms
    plane: Floats
    top: int
    throwing: Lines

    def lane(self, entered: bool, streak: int = 0) -> int:
        """The lane of a player."""
        lanes = len(self.terms.bust)
        return min(streak, lanes - 2) if entered else lanes - 1

    def throw(self, column: int, points: int, lane: int) -> float:
        """Expected points of throwing from here with so many points: the mean over all throws, best play after it.

        Raises `ValueError` for points that no shot can have there.
        """
        row, rest = divmod(points - int(self.graph.offsets[column]), self.graph.unit)
        if rest or row < 0:
            raise ValueError(f"A shot cannot have {points} points here.")
        if row >= self.top:
            return float(self.throwing.at(float(points))[column, lane])
        level, place = self.graph.level_of(column)
        return float(throw_values(level, self.plane, np.array([row]), self.terms.bust)[0, place, lane])

    def bank(self, column: int, points: int, lane: int) -> float:
        """Expected points of banking: the points, less what the next player gains from the dice that are left."""
        value = np.array([float(points)])
        if self.terms.fresh is None:
            return float(points)
        return float(self.terms.bank(value, np.array([self.throw(column, points, lane)]))[0])

    def may_bank(self, column: int, points: int, lane: int) -> bool:
        """Whether the rules let the shot be banked here."""
        return bool(self.graph.bankable[column] and points >= self.terms.minimum[lane])

    def expected(self, entered: bool = True, streak: int = 0) -> float:
        """Expected points of a whole shot from six fresh dice."""
        return self.throw(self.graph.start, 0, self.lane(entered, streak))


def solve_shot_points(ruleset: Ruleset, taken: bool = True) -> ShotPoints:
    """The best shot of a ruleset by expected points. Takes 0.1 to 2 s, where dice of several throws can make three
    pairs in many ways up to 40 s; kept afterwards.

    `taken`: whether the next player may pick up what is left, where the ruleset has pick-up. Raises `EndlessShot`.
    """
    found = _kept(ruleset, taken and ruleset.pick_up)
    if isinstance(found, EndlessShot):
        raise EndlessShot(*found.args)
    return found


@lru_cache(maxsize=64)
def _kept(ruleset: Ruleset, taken: bool) -> ShotPoints | EndlessShot:
    """The best shot, or that there is none: that takes as long to find out, and is kept, too."""
    try:
        return _shot_points(ruleset, taken)
    except EndlessShot as endless:
        return endless


def _shot_points(ruleset: Ruleset, taken: bool) -> ShotPoints:
    graph = graph_of(ruleset)
    if not any(graph.bust(column) for column in range(graph.win)):
        raise EndlessShot(ENDLESS)
    streaks = ruleset.bust_streak if ruleset.bust_streak_penalty and ruleset.bust_streak else 1
    minimum = np.array([ruleset.bank_minimum] * streaks + [ruleset.entry_minimum], dtype=np.float64)
    penalty = float(ruleset.bust_streak_penalty) if ruleset.bust_streak else 0.0
    bust = np.zeros(streaks + 1)
    bust[streaks - 1] = -penalty
    terms = Terms(minimum, bust, float(ruleset.target), 0.0 if taken else None)
    unknown = np.zeros(streaks - 1 + taken)
    if taken:
        unknown[-1] = solve_shot_points(ruleset, taken=False).expected()
    history: list[tuple[Floats, Floats]] = []
    look_from = float(max(LOOK_FROM, minimum.max() + 1))
    for _ in range(ROUNDS_MOST):
        found = _solve(graph, _with(terms, unknown, streaks), look_from)
        look_from = float((found.top - 1) * graph.unit)
        answer = _answer(found, streaks, len(unknown))
        if not len(unknown) or np.abs(answer - unknown).max() < SETTLED:
            break
        history = [*history[-len(unknown) :], (unknown, answer)]
        unknown = _next_guess(history)
    return found


def _with(terms: Terms, unknown: Floats, streaks: int) -> Terms:
    """The terms with guesses for what they depend on: busts in a row that cost later, and a fresh shot."""
    bust = terms.bust.copy()
    bust[: streaks - 1] = unknown[: streaks - 1]
    fresh = None if terms.fresh is None else float(unknown[-1])
    return replace(terms, bust=bust, fresh=fresh)


def _answer(found: ShotPoints, streaks: int, size: int) -> Floats:
    """What the unknowns come out as: the long-run worth of having so many busts in a row, and a fresh shot."""
    fresh = [found.expected(streak=streak) for streak in range(streaks)]
    return np.array([value - fresh[0] for value in fresh[1:]] + [fresh[0]])[:size]


def _next_guess(history: list[tuple[Floats, Floats]]) -> Floats:
    """Anderson's mixing: the combination of former guesses whose answers would agree with them best."""
    answer = history[-1][1]
    if len(history) == 1:
        return answer
    misses = np.array([each[1] - each[0] for each in history])
    steps = np.diff(misses, axis=0).T
    share = np.linalg.lstsq(steps, misses[-1], rcond=None)[0]
    moves = np.diff(np.array([each[1] for each in history]), axis=0).T
    mixed: Floats = answer - moves @ share
    return mixed


def _find_lines(graph: Graph, terms: Terms, points: float) -> tuple[Lines, Lines, int]:
    """Values of throwing and of arriving where the shot has very many points, and the row from which they hold.

    They are looked for from these points on.
    """
    while True:
        found = lines_from(graph, terms, points)
        top = int(points) // graph.unit + 1
        if found and (found[2] or top > ROWS_MOST):
            return found[0], found[1], top
        if top > ROWS_MOST:
            raise EndlessShot(ENDLESS)
        points *= 2


def _solve(graph: Graph, terms: Terms, look_from: float) -> ShotPoints:
    """All values for given terms."""
    throwing, arriving, top = _find_lines(graph, terms, look_from)
    rows = np.arange(top + graph.reach + 1)
    heights = (rows[:, None] * graph.unit + graph.offsets)[..., None].astype(np.float64)
    allowed = graph.bankable[:, None] & (heights >= terms.minimum)
    plane = np.empty((len(rows), graph.width, len(terms.bust)))
    plane[top:] = arriving.slope * heights[top:] + arriving.intercept
    plane[:top, graph.win] = heights[:top, graph.win] + terms.prize

    def arrive(rows: slice, columns: Places, thrown: Floats) -> Floats:
        banked = terms.bank(heights[rows, columns], thrown)
        return np.where(allowed[rows, columns], np.maximum(banked, thrown), thrown)

    descend(graph, plane, top, 0, terms.bust, arrive)
    return ShotPoints(graph, terms, plane, top, throwing)
