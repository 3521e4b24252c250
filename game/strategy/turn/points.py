"""The shot that maximizes expected points.

What is exact: for any ruleset without pick-up, entered or not, the expected points of every position under the best
play, by everything that decides what may be kept and banked. The points of a shot have no bound; from some row on the
values are straight lines, proved by the check in `asymptote`, and below it every row is computed. (With a `bank_step`
the lines leave it out; they begin where a shot hardly ever gets to.)

What is convention or simplified:

- What wins at once counts as the points of the shot and the target on top: a win is worth a whole game. So an
  elimination costs the target.
- A bust costs nothing but the points of the shot, and what the rules take off the score for it, which is taken in full
  even from a score that is smaller. Where busts are counted in a row the long run is valued (largest average points a
  shot), and points that were picked up are taken as gathered.
- Under an exact target the points that are `missing` bound the shot; without them the target is taken to be far away.
- Pick-up: two entered players in turn, each playing for the difference in points in the long run, each taking what
  the other left if that is worth more than fresh dice. What banking leaves to the next player is taken off its
  points. That is exact for two entered players far from the target. It is an approximation for a player who has not
  entered (the next one is taken as entered) and for more players.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from game.rules.marking import gettext_noop
from game.rules.ruleset import Ruleset
from game.strategy.arrays import Flags, Floats, Indices, np
from game.strategy.turn.asymptote import Lines, ShotRewards, linear_tail
from game.strategy.turn.backward_induction import solve_backward, struck_chance, throw_values
from game.strategy.turn.fixed_point import guess_next
from game.strategy.turn.graph import BEYOND, EndlessShot, Graph, build_graph

# The straight lines are looked for from these points on, then from twice as many, and so on.
TAIL_FROM = 1024
# Where points have to be multiples of a step, they begin here at the earliest: hardly one shot in 10^12 has this many.
STEP_TAIL_FROM = 60_000
# Beyond this many rows they are taken as they are: a bust is then so rare that banking hardly ever pays before.
ROWS_MOST = 20_000
# The unknowns of the long run (rows of busts, pick-up) are found to this many points, in at most this many rounds.
LONG_RUN_TOLERANCE, LONG_RUN_ROUNDS = 1e-8, 30
NOTHING = gettext_noop("Under these rules nothing scores, so no turn brings any points.")
ENDLESS = gettext_noop("Under these rules a turn can go on without risk, so its expected points have no maximum.")


@dataclass(frozen=True, eq=False)
class ShotPoints:
    """Expected points of every position of a shot under the best play.

    `values` (rows x columns x kinds of player), of arriving, up to row `top`; `throwing`: the lines from there on, None
    where an exact target leaves nothing beyond. `kind` says which kinds of player there are.
    """

    graph: Graph
    rewards: ShotRewards
    values: Floats
    top: int
    throwing: Lines | None

    def kind(self, entered: bool, streak: int = 0, *, picked_up: bool = False) -> int:
        """Return the kind of a player with this many busts in a row: the last index of `values`.

        Entered players come first, those with most busts in a row before the row costs last, then those who have not
        entered; then the same once more for shots that were picked up, where a bust of these has a cost of its own.
        """
        return self.rewards.kinds.place(entered=entered, streak=streak, picked_up=picked_up)

    def start(self, entered: bool = True) -> int:
        """Return the column in which a shot with all dice begins."""
        return self.graph.start if entered else self.graph.entry_start

    def throw(self, column: int, points: int, kind: int) -> float:
        """Return the expected points of throwing from here with this many points: the mean over all throws.

        Raises `ValueError` for points that no shot can have there.
        """
        row, rest = divmod(points - int(self.graph.offsets[column]), self.graph.unit)
        if rest or row < 0 or (self.throwing is None and row >= self.top):
            raise ValueError(f"A shot cannot have {points} points here.")
        if row >= self.top and self.throwing:
            return float(self.throwing.at(float(points))[column, kind])
        layer, place = self.graph.layer_of(column)
        bust = self.rewards.busts(np.array([float(row * self.graph.unit)]))
        thrown = throw_values(self.graph, layer, self.values, np.array([row]), bust, self.rewards.over)
        return float(thrown[0, place, kind])

    def bust_chance(self, column: int, points: int, kind: int) -> float:
        """Return the chance, 0 to 1, that throwing from here with this many points ends the shot with nothing."""
        chance = self.graph.bust_chance(column)
        row = (points - int(self.graph.offsets[column])) // self.graph.unit
        if not self.graph.strikes or row >= self.top or column >= self.graph.win or self.graph.is_spent(column):
            return chance
        layer, place = self.graph.layer_of(column)
        return chance + float(struck_chance(layer, self.values, row)[place, kind])

    def bank(self, column: int, points: int) -> float:
        """Return the value of banking: the points, less what the next player gains from the dice that are left."""
        rewards = self.rewards
        if rewards.fresh is None:
            return float(points)
        offer = int(self.graph.offers[column])
        if rewards.offers is not None:
            left = float(rewards.offers[offer])
        else:
            left = self.throw(offer, points, rewards.kinds.next)
        return float(points) - max(left - rewards.fresh, 0.0)

    def may_bank(self, column: int, points: int, kind: int) -> bool:
        """Return whether the rules let the shot be banked here, an exact target left out of account."""
        step = self.graph.ruleset.bank_step
        on_step = not step or points % step == 0
        return bool(self.graph.bankable[column] and points >= self.rewards.minimum[kind] and on_step)

    def expected(self, entered: bool = True, streak: int = 0) -> float:
        """Return the expected points of a whole shot from fresh dice."""
        return self.throw(self.start(entered), 0, self.kind(entered, streak))


def solve_shot_points(ruleset: Ruleset, taken: bool = True, *, missing: int | None = None, lost: int = 0) -> ShotPoints:
    """Solve the shot with the largest expected points of a ruleset; cached.

    Takes 0.1 to 2 s, up to 40 s where much of a shot has to be remembered. `taken`: whether the next player may pick up
    what is left, where the ruleset has pick-up. `missing`: the points to an exact target. `lost`: the score that a row
    of busts costs, where it costs everything. Raises `EndlessShot`.
    """
    missing = missing if ruleset.exact != "no" else None
    lost = max(lost, 0) if ruleset.bust_cost == "everything" else 0
    answer = _solve_or_refuse(ruleset, taken and ruleset.pick_up, missing, lost)
    if isinstance(answer, EndlessShot):
        raise type(answer)(*answer.args)
    return answer


@lru_cache(maxsize=256)
def _solve_or_refuse(ruleset: Ruleset, taken: bool, missing: int | None, lost: int) -> ShotPoints | EndlessShot:
    """Return the best shot, or None if there is none: finding that out takes as long, so it is cached as well."""
    try:
        return _solve_long_run(ruleset, taken, missing, lost)
    except EndlessShot as endless:
        return endless


def _solve_long_run(ruleset: Ruleset, taken: bool, missing: int | None, lost: int) -> ShotPoints:
    """Solve the shot and, by fixed-point iteration, the worth of what it leaves behind."""
    graph = build_graph(ruleset)
    if not any(layer.ranks for layer in graph.layers):
        raise EndlessShot(NOTHING)
    if not ruleset.throws_most and not any(graph.bust_chance(column) for column in range(graph.win)):
        raise EndlessShot(ENDLESS)
    rewards = ShotRewards.of(ruleset, lost, taken=taken)
    unknown = np.zeros(rewards.kinds.streaks - 1 + taken * (1 + ruleset.dice * (rewards.offers is not None)))
    if taken:
        unknown[rewards.kinds.streaks - 1 :] = solve_shot_points(ruleset, taken=False, lost=lost).expected()
    history: list[tuple[Floats, Floats]] = []
    tail_from = float(max(TAIL_FROM, rewards.minimum.max() + 1))
    for _ in range(LONG_RUN_ROUNDS):
        solved = _solve_rewards(graph, rewards.fill_in(unknown), tail_from, missing)
        tail_from = float((solved.top - 1) * graph.unit)
        outcome = _read_outcome(solved, len(unknown))
        if not len(unknown) or np.abs(outcome - unknown).max() < LONG_RUN_TOLERANCE:
            break
        history = [*history[-len(unknown) :], (unknown, outcome)]
        unknown = guess_next(history)
    return solved


def _read_outcome(solved: ShotPoints, size: int) -> Floats:
    """Return the updated unknowns.

    The long-run worth of this many busts in a row, that of a fresh shot, and those of picking up 1 to all dice.
    """
    rewards = solved.rewards
    fresh = [solved.expected(streak=streak) for streak in range(rewards.kinds.streaks)]
    outcome = [value - fresh[0] for value in fresh[1:]] + [fresh[0]]
    worth = solved.graph.ruleset.pick_up_worth
    if rewards.offers is not None and isinstance(worth, int):
        # Points beyond an exact target are never on offer.
        offered = solved.throwing is not None or worth < solved.top * solved.graph.unit
        dice = range(solved.graph.ruleset.dice)
        outcome += [solved.throw(column, worth, rewards.kinds.next) if offered else fresh[0] for column in dice]
    return np.array(outcome)[:size]


def _find_tail(graph: Graph, rewards: ShotRewards, points: float) -> tuple[Lines, Lines, int]:
    """Find the lines of throwing and of arriving, looking from these points on, and the row from which they hold.

    Raises `EndlessShot` where there are none.
    """
    points = max(points, STEP_TAIL_FROM) if graph.ruleset.bank_step else points
    while True:
        tail = linear_tail(graph, rewards, points)
        top = int(points) // graph.unit + 1
        if tail and (tail[2] or top > ROWS_MOST):
            return tail[0], tail[1], top
        if top > ROWS_MOST:
            raise EndlessShot(ENDLESS)
        points *= 2


def _solve_rewards(graph: Graph, rewards: ShotRewards, tail_from: float, missing: int | None) -> ShotPoints:
    """Compute all values for given rewards."""
    if missing is None:
        throwing, arriving, top = _find_tail(graph, rewards, tail_from)
    else:
        throwing, arriving, top = None, None, missing // graph.unit + 1
    rows = np.arange(top + graph.reach + 1)
    points = (rows[:, None] * graph.unit + graph.offsets)[..., None].astype(np.float64)
    allowed = _find_banks(graph, rewards, points, missing)
    values = np.empty((len(rows), graph.width, len(rewards.bust)))
    if arriving:
        values[top:] = arriving.slope * points[top:] + arriving.intercept
    else:
        values[top:] = graph.beyond[:, None]
    values[:, graph.win :] = rewards.end_lines(graph.ends).at(points[:, graph.win :])
    # What the next player would make of the dice that are left, for every row, as far as it is known.
    taken = np.zeros(values.shape[:2])
    if throwing:
        taken[top:] = throwing.at(points[top:])[..., rewards.kinds.next]
    # Where what is left after a bank stands in `taken`.
    there = np.minimum(rows[:, None] + graph.offsets // graph.unit, rows[-1]) * graph.width + graph.offers

    beyond = None if missing is None else points > missing
    banked = np.where(allowed, points, -np.inf)
    if rewards.fresh is not None and rewards.offers is not None:
        banked -= np.maximum(rewards.offers[graph.offers] - rewards.fresh, 0.0)[:, None]

    def arrive(rows: slice, columns: Indices | slice, thrown: Floats) -> Floats:
        bank = banked[rows, columns]
        if rewards.fresh is not None and rewards.offers is None:
            taken[rows, columns] = thrown[..., rewards.kinds.next]
            left = taken.take(there[rows, columns])
            bank = bank - np.maximum(left - rewards.fresh, 0.0)[..., None]
        arriving = np.maximum(bank, thrown)
        # Rows leave out the points of dice set aside, so some positions are beyond the target in rows below it.
        return arriving if beyond is None else np.where(beyond[rows, columns], BEYOND, arriving)

    solve_backward(graph, values, top, rewards.busts(points[:, graph.start, 0]), arrive, rewards.over)
    return ShotPoints(graph, rewards, values, top, throwing)


def _find_banks(graph: Graph, rewards: ShotRewards, points: Floats, missing: int | None) -> Flags:
    """Return where the shot may be banked (rows x columns x kinds), by the points that it has there."""
    allowed = graph.bankable[:, None] & (points >= rewards.minimum)
    if graph.ruleset.bank_step:
        allowed &= points % graph.ruleset.bank_step == 0
    if missing is not None:
        # Exactly at the target less is asked for: of who has entered no minimum, of nobody a step or a proof.
        minimum = np.where(rewards.kinds.entered, 0.0, rewards.minimum)
        allowed = np.where(points == missing, graph.bankable_at_target[:, None] & (points >= minimum), allowed)
    return allowed
