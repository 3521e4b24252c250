"""The play of a shot that maximises its expected points.

What is exact: for any ruleset without pick-up, and for players who have entered or not, the expected points of every
position under the best play; all that decides what may be kept and banked is taken into account. The points of a shot
have no bound, but from some row on the values are straight lines, as the check in `asymptote` proves, and below that
every row is computed. (The lines ignore a `bank_step`; with one they begin at points that a shot hardly ever has.)

What is convention or simplified:

- A win at once counts as the points of the shot plus the target, because a win is worth a whole game. For the same
  reason an elimination costs the target.
- A bust costs only the points of the shot, and what the rules take off the score for it; that is taken in full even if
  the score is smaller. Where busts in a row count, the long run is valued (the largest average points per shot), and
  points that were picked up are treated as gathered.
- Under an exact target the points that are `missing` bound the shot; if they are not given, the target is assumed to be
  far away.
- With pick-up the values are those of two players who have entered and take turns. Each plays for the difference in
  points in the long run, and takes what the other left if that is worth more than fresh dice; what a bank leaves to the
  next player is taken off its points. This is exact for two such players far from the target. It is an approximation
  for a player who has not entered (the next one is assumed to have entered), and for more players.
"""

from dataclasses import dataclass
from threading import Lock

from game.rules.marking import gettext_noop
from game.rules.ruleset import Ruleset
from game.strategy.arrays import Flags, Floats, Indices, np
from game.strategy.turn.asymptote import find_linear_tail
from game.strategy.turn.backward_induction import find_rows_at_once, solve_backward, struck_chance, throw_values
from game.strategy.turn.fixed_point import guess_next
from game.strategy.turn.graph import BEYOND, Graph, build_graph
from game.strategy.turn.positions import TOO_COMPLEX, NoBestPlay
from game.strategy.turn.rewards import Lines, ShotRewards

# The search for the straight lines begins at these points, then at twice as many, and so on.
TAIL_FROM = 1024
# With a bank step the lines begin here at the earliest, because hardly one shot in 10^12 has this many points.
STEP_TAIL_FROM = 60_000
# Beyond this many rows unproved lines are accepted: busts are then so rare that banking hardly ever pays before.
ROWS_MOST = 20_000
# The unknowns of the long run (busts in a row, pick-up) are found to within this many points, in at most this many
# rounds.
LONG_RUN_TOLERANCE, LONG_RUN_ROUNDS = 1e-8, 30
# Shots with more values are not solved: strangers can send rules of which one shot would take gigabytes. Those of the
# rulesets that come with the app have at most 320,000.
VALUES_MOST = 4_000_000
# Nor are those that take longer: this many comparisons of choices, in all rounds together, take up to 5 s. The rulesets
# that come with the app need at most 600 million. Questions about a score come anew with each bank, so they get less.
COMPARISONS_MOST, COMPARISONS_FOR_SCORE_MOST = 1_000_000_000, 100_000_000
# A layer of rows that are valued together takes some 10 µs besides, as long as this many comparisons.
COMPARISONS_OF_LAYER = 2_000
# The shots solved last are cached: this many, with at most this many values together, of 8 bytes each.
SHOTS_MOST, CACHED_MOST = 256, 8_000_000
NOTHING = gettext_noop("Under these rules nothing scores, so no turn brings any points.")
ENDLESS = gettext_noop("Under these rules a turn can go on without risk, so its expected points have no maximum.")


@dataclass(frozen=True, eq=False)
class ShotPoints:
    """Expected points of every position of a shot under the best play.

    `values` (rows x columns x kinds of player): the values of arriving, computed below row `top`. `throwing`: the lines
    of throwing from row `top` on; None where an exact target leaves nothing beyond. `kind` tells the kinds of player.
    """

    graph: Graph
    rewards: ShotRewards
    values: Floats
    top: int
    throwing: Lines | None

    def kind(self, entered: bool, streak: int = 0, *, picked_up: bool = False) -> int:
        """Return the kind of a player with this many busts in a row: the last index of `values`.

        Players who have entered come first, by their busts in a row; then those who have not; then the same again for
        shots that were picked up, where busts of these have a cost of their own.
        """
        return self.rewards.kinds.place(entered=entered, streak=streak, picked_up=picked_up)

    def throw(self, column: int, points: int, kind: int) -> float:
        """Return the expected points of throwing from this column with this many points: the mean over all throws.

        Raises `ValueError` for points that no shot can have there.
        """
        row, rest = divmod(points - int(self.graph.offsets[column]), self.graph.unit)
        if rest or row < 0 or (self.throwing is None and row >= self.top):
            raise ValueError(f"A shot cannot have {points} points here.")
        if row >= self.top and self.throwing:
            return float(self.throwing.at(float(points))[column, kind])
        layer, place = self.graph.layer_of[column]
        bust = self.rewards.busts(np.array([float(row * self.graph.unit)]))
        thrown = throw_values(self.graph, layer, self.values, np.array([row]), bust, self.rewards.over)
        return float(thrown[0, place, kind])

    def bust_chance(self, column: int, points: int, kind: int) -> float:
        """Return the chance, 0 to 1, that throwing from here with this many points ends the shot with nothing.

        All tries with the last die count together, and so do throws that have to be made again without points.
        """
        graph = self.graph
        # From some row on, the same keeps are struck.
        row = min((points - int(graph.offsets[column])) // graph.unit, self.top - 1)
        if not graph.strikes or column >= graph.win or graph.spent[column]:
            return graph.bust_chance(column)
        layer, place = graph.layer_of[column]
        chance = graph.bust_chance_at_once(column)
        for missed, again in graph.made_again.get(column, ()):
            chance += missed * self.bust_chance(again, points, kind)
        struck, retry = struck_chance(layer, self.values, row, place, kind)
        return chance + (struck if retry < 0 else struck * self.bust_chance(retry, points, kind))

    def bank(self, column: int, points: int) -> float:
        """Return the value of banking: the points, less those that the next player gains from the dice left."""
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
        """Return whether the rules let the shot be banked here, an exact target aside."""
        step = self.graph.ruleset.bank_step
        on_step = not step or points % step == 0
        return bool(self.graph.bankable[column] and points >= self.rewards.minimum[kind] and on_step)

    def expected(self, entered: bool = True, streak: int = 0) -> float:
        """Return the expected points of a whole shot from fresh dice."""
        return self.throw(self.graph.start_column(entered), 0, self.kind(entered, streak))


def solve_shot_points(ruleset: Ruleset, taken: bool = True, *, missing: int | None = None, lost: int = 0) -> ShotPoints:
    """Solve the expected points of a shot under the best play; cached.

    Takes 0.1 to 2 s, up to 5 s where much of a shot has to be remembered. `taken`: whether the next player may pick up
    what is left, where the ruleset has pick-up. `missing`: the points that an exact target is away; None for far away.
    `lost`: the score that busts in a row cost, where they cost everything. Raises `NoBestPlay` where points have no
    bound, nothing scores, or a shot is too complex. One that is so only because of `missing` or `lost` is solved
    without them.
    """
    missing = missing if ruleset.exact != "no" else None
    lost = max(lost, 0) if ruleset.bust_cost == "everything" else 0
    taken = taken and ruleset.pick_up
    answer = _solve_or_refuse(ruleset, taken, missing, lost)
    if isinstance(answer, NoBestPlay):
        answer = _solve_or_refuse(ruleset, taken, None, 0)
    if isinstance(answer, NoBestPlay):
        raise type(answer)(*answer.args)
    return answer


_Question = tuple[Ruleset, bool, int | None, int]
_solved: dict[_Question, ShotPoints | NoBestPlay] = {}
_lock = Lock()


def _solve_or_refuse(*question: *_Question) -> ShotPoints | NoBestPlay:
    """Return the solved shot, or the error in its place: it takes as long to find, so it is cached as well."""
    with _lock:
        if known := _solved.pop(question, None):
            _solved[question] = known  # the last used comes last
            return known
    answer: ShotPoints | NoBestPlay
    try:
        answer = _solve_long_run(*question)
    except NoBestPlay as refused:
        answer = refused.with_traceback(None)  # which would keep alive what was solved so far
    with _lock:
        _solved[question] = answer
        sizes = [solved.values.size if isinstance(solved, ShotPoints) else 0 for solved in _solved.values()]
        while len(sizes) > SHOTS_MOST or (len(sizes) > 1 and sum(sizes) > CACHED_MOST):
            del _solved[next(iter(_solved))], sizes[0]
    return answer


def _solve_long_run(ruleset: Ruleset, taken: bool, missing: int | None, lost: int) -> ShotPoints:
    """Solve the shot and, by fixed-point iteration, the worth of what it leaves behind. Raises `NoBestPlay`."""
    graph = build_graph(ruleset)
    if not any(layer.ranks for layer in graph.layers):
        raise NoBestPlay(NOTHING)
    if not ruleset.throws_most and not any(map(graph.bust_chance_at_once, range(graph.win))):
        raise NoBestPlay(ENDLESS)
    rewards = ShotRewards.of(ruleset, lost, taken=taken)
    unknown = np.zeros(rewards.kinds.streaks - 1 + taken * (1 + ruleset.dice * (rewards.offers is not None)))
    if taken:
        unknown[rewards.kinds.streaks - 1 :] = solve_shot_points(ruleset, taken=False, lost=lost).expected()
    history: list[tuple[Floats, Floats]] = []
    tail_from = float(max(TAIL_FROM, rewards.minimum.max() + 1))
    comparisons_left = COMPARISONS_FOR_SCORE_MOST if missing is not None or lost else COMPARISONS_MOST
    for _ in range(LONG_RUN_ROUNDS):
        solved = _solve_rewards(graph, rewards.fill_in(unknown), tail_from, missing, comparisons_left)
        comparisons_left -= _count_comparisons(graph, len(solved.values), len(rewards.bust))
        tail_from = float((solved.top - 1) * graph.unit)
        outcome = _read_outcome(solved, len(unknown))
        if not len(unknown) or np.abs(outcome - unknown).max() < LONG_RUN_TOLERANCE:
            break
        history = [*history[-len(unknown) :], (unknown, outcome)]
        unknown = guess_next(history)
    return solved


def _read_outcome(solved: ShotPoints, size: int) -> Floats:
    """Return the unknowns of `ShotRewards.fill_in` as they come out of a solved shot, the first `size` of them.

    These are the long-run worth of one bust in a row and of each larger number, that of a shot from fresh dice, and
    those of picking up 1 to all dice.
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
    """Find the lines of throwing and of arriving, and the row from which on they hold, at these points or above.

    Raises `NoBestPlay` where there are no lines.
    """
    points = max(points, STEP_TAIL_FROM) if graph.ruleset.bank_step else points
    while True:
        tail = find_linear_tail(graph, rewards, points)
        top = int(points) // graph.unit + 1
        if tail and (tail[2] or top > ROWS_MOST):
            return tail[0], tail[1], top
        if top > ROWS_MOST:
            raise NoBestPlay(ENDLESS)
        points *= 2


def _solve_rewards(
    graph: Graph, rewards: ShotRewards, tail_from: float, missing: int | None, comparisons_most: int
) -> ShotPoints:
    """Compute all values for given rewards. Raises `NoBestPlay`, too, if that takes more comparisons of choices."""
    if missing is None:
        throwing, arriving, top = _find_tail(graph, rewards, tail_from)
    else:
        throwing, arriving, top = None, None, missing // graph.unit + 1
    count, kinds = top + graph.reach + 1, len(rewards.bust)
    if count * graph.width * kinds > VALUES_MOST or _count_comparisons(graph, count, kinds) > comparisons_most:
        raise NoBestPlay(TOO_COMPLEX)
    rows = np.arange(count)
    points = (rows[:, None] * graph.unit + graph.offsets)[..., None].astype(np.float64)
    allowed = _find_banks(graph, rewards, points, missing)
    values = np.empty((count, graph.width, kinds))
    if arriving:
        values[top:] = arriving.slope * points[top:] + arriving.intercept
    else:
        values[top:] = graph.beyond[:, None]
    values[:, graph.win :] = rewards.end_lines(graph.ends).at(points[:, graph.win :])
    # The values of throwing for the next player (rows x columns), as far as they are known yet.
    taken = np.zeros(values.shape[:2])
    if throwing:
        taken[top:] = throwing.at(points[top:])[..., rewards.kinds.next]
    # For every bank, the flat index in `taken` of the dice that it leaves.
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
        # Rows leave out the points of dice set aside, so positions can be beyond the target though their rows are not.
        return arriving if beyond is None else np.where(beyond[rows, columns], BEYOND, arriving)

    solve_backward(graph, values, top, rewards.busts(points[:, graph.start, 0]), arrive, rewards.over)
    return ShotPoints(graph, rewards, values, top, throwing)


def _count_comparisons(graph: Graph, rows: int, kinds: int) -> int:
    """Return how many comparisons of choices take as long as solving this many rows once."""
    layers = -(-rows // find_rows_at_once(graph, kinds)) * len(graph.layers)
    return rows * kinds * graph.choices + layers * COMPARISONS_OF_LAYER


def _find_banks(graph: Graph, rewards: ShotRewards, points: Floats, missing: int | None) -> Flags:
    """Return where the shot may be banked (rows x columns x kinds). `points`: those that it has there."""
    allowed = graph.bankable[:, None] & (points >= rewards.minimum)
    if graph.ruleset.bank_step:
        allowed &= points % graph.ruleset.bank_step == 0
    if missing is not None:
        # A bank that makes exactly the target needs neither a step nor a proof and, once entered, no minimum.
        minimum = np.where(rewards.kinds.entered, 0.0, rewards.minimum)
        allowed = np.where(points == missing, graph.bankable_at_target[:, None] & (points >= minimum), allowed)
    return allowed
