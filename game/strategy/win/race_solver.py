"""The table of chances to win for two players, solved from the end of the game to its beginning.

W[plane, own, other] is the chance of the player to move at the start of a shot. On the axes of scores, place 0 is for a
player who has not entered, and place 1 + score / unit for one who has. Where scores can fall below 0 there are more
places; also for players who have not entered, if they pay for busts and need something else to enter than a later bank.

A bank leads to a larger sum of places, so the table is solved from the largest sum down. Within a sum, chances depend
on each other in pairs, because a bust hands the dice over: W(a, b) = F(1 - W(b, a)). Here F is the value of a shot as a
function of the value of a bust; it is convex, and rises with a slope below 1 (the chance of a bust). Newton's method on
both chances, with slopes measured from the values themselves, settles in two or three rounds; slopes are kept between 0
and SLOPE_MOST. F consists of straight lines, so close to the solution a measured slope is nearly always the right one.

Where a bust can cost points, it leads to a smaller sum. Then all sums are solved repeatedly, each time with the chances
that the previous iteration (at first a coarse grid) found for the smaller sums. Few shots end like this, so the changes
shrink to 1e-6 in a few iterations. If it takes several busts in a row to cost points, an earlier bust leads to the same
pair of scores with one bust more. Such pairs are solved from the most busts down, so no two chances of a pair depend on
each other, except before anybody has entered. Sums are solved together if no bank is small enough to lead from one to
another. Two corrections save iterations, because neighbouring sums change in similar ways. First, the previous chances
of smaller sums are shifted by how far off they were, on average, for the sums just solved. Second, once smaller sums
are solved, the chances above them are moved along a straight line to the current values of their busts. Without the
two, the iterations would end with the same values, only later.

On a coarse grid only some places, its nodes, are solved; the value of a bank to a score between two nodes is read off
the straight line between them. With nodes ten places apart this takes two to five seconds, and is off by some
thousandths, or next to the target by some hundredths.
"""

from dataclasses import replace
from functools import partial
from math import inf

from game.strategy.arrays import Flags, Floats, Indices, np
from game.strategy.turn.fixed_point import guess_next
from game.strategy.win.grid import Grid, ScorePairs
from game.strategy.win.offers import Offers
from game.strategy.win.partner import SHOTS_PER_BATCH, SolveBatches, find_partner, shots_of_batch, split_batches
from game.strategy.win.race import Race
from game.strategy.win.race_bounds import COARSE_NO_REPLY, NO_REPLY, ProgressCallback
from game.strategy.win.race_shots import places_after_bust, start_values, values_of_busts
from game.strategy.win.rough_table import estimate_chances
from game.strategy.win.rounds import solve_final_round, solve_rounds
from game.strategy.win.settling import Settling, can_settle
from game.strategy.win.shot_values import find_precision
from game.strategy.win.win_table import WinTable

# If a guess is off by at most the first, the next value is good enough, whatever the slope. With known slopes it is
# also good enough if (error of the guess) x (error of the slope) is at most the second; the error of a slope is taken
# to be at least the third.
NEWTON_TOLERANCE, PRODUCT_TOLERANCE, SLOPE_TOLERANCE, NEWTON_ROUNDS = 1e-7, 1e-10, 5e-4, 12
SLOPE_MOST = 0.999
# Where all sums are solved repeatedly, this many rounds are enough the first time, and one after that: later iterations
# correct what is left.
FALLING_ROUNDS = 2
# Where scores can fall, values have settled when they would change by no more than the first (on a coarse grid, the
# second). There are at most ITERATIONS_MOST iterations, and the last ITERATIONS_MIXED are mixed for the next guess. If
# every place is solved, the first guess is from a coarse grid with nodes FIRST_STEP places apart.
ITERATION_TOLERANCE, COARSE_TOLERANCE, ITERATIONS_MOST, ITERATIONS_MIXED, FIRST_STEP = 1e-6, 1e-4, 60, 6, 5
# Where it takes several busts in a row to cost points, chances solved before are moved to the current values of busts
# in FOLLOWED steps, because these depend on other such chances; by USUAL_SLOPE if no slope is known.
FOLLOWED, USUAL_SLOPE = 6, 0.5
# With this many chances or more, a second process saves more time than it takes to start.
PARTNER_FROM = 4000


def solve_race(
    race: Race, on_progress: ProgressCallback | None = None, step: int = 1, begin: WinTable | None = None
) -> WinTable:
    """Solve the table of a race, to within about 1e-7; where busts cost points, to within 1e-6.

    `step`: how many places apart the nodes are, 1 to solve every place; the error of a coarse grid is larger (see
    above). `begin`: a table of the same race on a coarse grid, as the first guess at every place where scores can fall.
    """
    if race.ending == "rounds":
        return solve_rounds(race, on_progress, step)
    grid = Grid.of(race, step)
    is_fine = grid.table is grid.chances
    if race.may_fall:
        # In a short game even the coarse grid has every place, so it begins with an estimate as well.
        first = begin or solve_race(race, step=FIRST_STEP) if is_fine and step < FIRST_STEP else None
        grid.table[:] = first.chances if first else estimate_chances(race)
        grid.chances[:] = grid.table[:, grid.nodes[:, None], grid.nodes]
    offers = Offers(race, grid.nodes) if race.has_offers else None
    is_precise = is_fine and not race.may_fall
    negligible = NO_REPLY if is_precise else COARSE_NO_REPLY
    precision = find_precision(grid.chances.size) if race.streaks > 1 else float
    endgame = solve_final_round(race, step)
    table = WinTable(race, endgame, grid.table, offers, negligible=negligible, precision=precision)
    with find_partner(partial(start_values, table), worthwhile=grid.chances.size >= PARTNER_FROM) as solve:
        solve_all = _iterate_sums if race.may_fall else _solve_sums
        solve_all(table, grid, solve, on_progress)
    return replace(table, chances=grid.finish(), negligible=NO_REPLY, precision=float)


def _iterate_sums(table: WinTable, grid: Grid, solve: SolveBatches, on_progress: ProgressCallback | None) -> None:
    """Solve all sums repeatedly until nothing changes: busts that cost points use chances of the iteration before."""
    tolerance = ITERATION_TOLERANCE if grid.table is grid.chances else COARSE_TOLERANCE
    history: list[tuple[Floats, Floats]] = []
    settles = grid.table is grid.chances and table.offers is None and can_settle(table.race)
    settling = Settling(table.race, grid.chances) if settles else None
    left, change = 1.0, inf
    for _ in range(ITERATIONS_MOST):
        before, change_before = grid.chances.copy(), change
        part = on_progress and _show_part(on_progress, 1 - left, left / 2)
        if settling:
            settling.begin(grid.chances)
        _solve_sums(table, grid, solve, part, again=left < 1, settling=settling)
        left /= 2
        change = float(np.abs(grid.chances - before).max())
        sums = len(grid.nodes) // 4 + 1  # fewer than all at once, which would take more memory
        for total in range(2 * len(grid.nodes) - 2, -1, -sums) if table.race.streaks > 1 else ():
            _follow_busts(table, grid, range(max(total - sums + 1, 0), total + 1))
        # The next change would be smaller by the same factor. The first change only tells how good the first guess was.
        if change < tolerance or (change_before < inf and change * change / change_before < tolerance / 4):
            break
        history = [*history[-ITERATIONS_MIXED:], (before, grid.chances.copy())]
        grid.chances[:] = np.clip(guess_next(history), 0.0, 1.0)
        grid.finish()
    if on_progress:
        on_progress(1.0)


def _show_part(on_progress: ProgressCallback, done: float, part: float) -> ProgressCallback:
    """Return a callback for the progress of a `part` of the work (its share, 0 to 1), when `done` of it is done."""
    return lambda share: on_progress(done + part * share)


def _solve_sums(
    table: WinTable,
    grid: Grid,
    solve: SolveBatches,
    on_progress: ProgressCallback | None,
    *,
    again: bool = False,
    settling: Settling | None = None,
) -> None:
    """Solve all pairs of nodes, from the largest sum down.

    `again`: the chances in the grid are the guess. `settling`: what has changed since the last time, if that is known.
    """
    race, last = table.race, len(grid.nodes) - 1
    # If players who have not entered pay nothing for a bust, two chances depend on each other before either has.
    lowest = 0 if race.pays(np.array(False)) else 1
    together, total = grid.find_free_sums(race), 2 * last
    guess, drift = grid.chances.copy() if race.streaks > 1 else grid.chances, np.zeros((race.planes, last + 1))
    while total >= 0:
        low = total
        if race.streaks > 1 and total >= lowest:
            low = max(total - together + 1, lowest)
            totals = range(low, total + 1)
            _solve_streaks(table, grid, solve, totals, drift, settling)
            if settling is None:
                _follow_busts(table, grid, range(low, min(total + 2 * together, 2 * last) + 1))
                drift = _measure_drift(grid.chances - guess, totals)
        else:
            own = np.arange(max(0, total - last), min(total, last) + 1)
            _solve_sum(table, grid, solve, own, total, again=again)
        if on_progress:
            on_progress(1 - (low / last) ** 2 / 2 if low <= last else (2 - low / last) ** 2 / 2)
        total = low - 1


def cut_table(table: WinTable, target: int) -> WinTable:
    """Cut the table of a game to a smaller `target`, in rows, out of this table. Takes two to three seconds.

    Chances depend on how far each player is from the target, so all are there already, except for pairs in which
    somebody has not entered. These are solved: one row and one column of the table.
    """
    race = replace(table.race, target=target)
    shorter = table.race.target - target
    grid = Grid.of(race, 1)
    grid.chances[:, 1:, 1:] = table.chances[:, 1 + shorter :, 1 + shorter :]
    smaller = WinTable(race, table.endgame, grid.table, table.offers.cut(race) if table.offers else None)
    with find_partner(partial(start_values, smaller), worthwhile=False) as solve:
        for total in range(target, -1, -1):
            _solve_sum(smaller, grid, solve, np.unique([0, total]), total)
    return smaller


def _solve_sum(
    table: WinTable, grid: Grid, solve: SolveBatches, own: Indices, total: int, *, again: bool = False
) -> None:
    """Solve the pairs of nodes with this sum (`total`) and these nodes of the player to move, and the reversed pairs.

    `again`: the chances that the table has for them are the guess.
    """
    race, chances, slopes = table.race, grid.chances, grid.slopes
    planes = [race.plane(role) for role in range(race.roles)]
    sides = [ScorePairs(np.full(len(own), plane), own, total - own) for plane in planes]
    for plane, side in [] if again else zip(planes, sides, strict=True):
        chances[side.plane, side.own, side.other] = _extrapolate(chances[plane], side, 1.0)
        slopes[side.plane, side.own, side.other] = _extrapolate(slopes[plane], side, SLOPE_MOST)
    unsettled = np.ones((race.roles, len(own)), dtype=bool)
    before: list[tuple[Floats, Floats]] = []
    rounds = 1 if again else FALLING_ROUNDS
    for _ in range(rounds if race.may_fall else NEWTON_ROUNDS):
        for side in sides:
            grid.spread(side)
        places = [grid.places(side) for side in sides]
        bust = np.array([values_of_busts(table, place) for place in places])
        value = before[-1][1].copy() if before else np.zeros(bust.shape)
        for role in range(race.roles):
            _value_starts(solve, places[role], bust[role], value[role], unsettled[role])
        slope = np.array([slopes[side.plane, side.own, side.other] for side in sides])
        guessed = slope
        if before:
            slope = _measure_slope(slope, before[-1], (bust, value))
        # A bust that costs points leads to another pair of scores, so the chance does not depend on itself.
        falls = np.array([places_after_bust(race, place) != place.own for place in places])
        slope[falls] = 0.0
        error = _write_crossings(sides, chances, bust, value, slope)
        for role, side in enumerate(sides):
            slopes[side.plane, side.own, side.other] = slope[role]
        before.append((bust, value))
        # The gains written from a shot have the error of the guess, not of the next value, so they need a better guess.
        error[falls] = 0.0
        unsettled = error > (NEWTON_TOLERANCE if table.offers is None else PRODUCT_TOLERANCE)
        if len(before) > 1 and table.offers is None:
            unsettled &= error * (np.abs(slope - guessed) + SLOPE_TOLERANCE) > PRODUCT_TOLERANCE
        if not unsettled.any():
            break
    for side in sides:
        grid.spread(side)


def _value_starts(
    solve: SolveBatches, pairs: ScorePairs, bust: Floats, values: Floats, wanted: Flags, most: int = SHOTS_PER_BATCH
) -> None:
    """Write the values of the shots of the `wanted` pairs into `values`, in batches of at most `most`.

    `bust`: as in `start_values`.
    """
    parts = split_batches(np.flatnonzero(wanted), most)
    for part, solved in zip(parts, solve([(pairs.part(part), bust[part]) for part in parts]), strict=True):
        values[part] = solved


def _measure_slope(slope: Floats, before: tuple[Floats, Floats], now: tuple[Floats, Floats]) -> Floats:
    """Return the slopes between two pairs of (bust, value), where busts are far enough apart; else those given."""
    run, rise = now[0] - before[0], now[1] - before[1]
    measurable = np.abs(run) > NEWTON_TOLERANCE / 100
    return np.where(measurable, np.clip(rise / np.where(measurable, run, 1.0), 0.0, SLOPE_MOST), slope)


def _write_crossings(sides: list[ScorePairs], chances: Floats, bust: Floats, value: Floats, slope: Floats) -> Floats:
    """Write the chances at which the lines of two pairs that depend on each other cross.

    Return by how much the values of busts were off from those chances.
    """
    constant = value + slope * (1 - bust)
    for role, side in enumerate(sides):
        # On an antidiagonal, the pair with the places exchanged is as far from the other end.
        theirs, their_slope = constant[-1 - role, ::-1], slope[-1 - role, ::-1]
        chance = (constant[role] - slope[role] * theirs) / (1 - slope[role] * their_slope)
        chances[side.plane, side.own, side.other] = np.clip(chance, 0.0, 1.0)
    others = [other.plane for other in reversed(sides)]
    now = np.array([1 - chances[other, side.other, side.own] for side, other in zip(sides, others, strict=True)])
    return np.abs(now - bust)


def _solve_streaks(
    table: WinTable, grid: Grid, solve: SolveBatches, totals: range, drift: Floats, settling: Settling | None
) -> None:
    """Solve the pairs of nodes with these sums for each number of busts in a row, the most first.

    A bust leads to a chance that is solved already, or to a smaller sum with chances of the previous iteration, which
    are expected to change by `drift` (planes x own nodes). With `settling`, chances that cannot have changed stay.
    """
    race, every = table.race, _list_pairs(grid, totals)
    mine_entered, theirs_entered = (race.has_entered(grid.nodes[side]) for side in (every.own, every.other))
    streak, other_streak = race.streak_of(every.plane), every.plane % race.streaks
    # Players who pay nothing before entering count no busts then. A bust of theirs leads to a chance of the other
    # player with the same numbers of busts, so players who have entered are solved first.
    possible = (race.pays(mine_entered) | (streak == 0)) & (race.pays(theirs_entered) | (other_streak == 0))
    for both in range(2 * race.streaks - 2, -1, -1):
        for entered in (True, False):
            wanted = np.flatnonzero(possible & (streak + other_streak == both) & (mine_entered == entered))
            if not wanted.size:
                continue
            pairs, values = every.part(wanted), np.empty(len(wanted))
            places, changed = grid.places(pairs), np.ones(len(wanted), dtype=bool)
            if settling:
                changed, values = settling.find_changed(pairs), settling.outcome[pairs.plane, pairs.own, pairs.other]
            bust = values_of_busts(table, places)
            falls = places_after_bust(race, places) != places.own
            after = race.plane_after_bust(pairs.plane, race.has_entered(places.own))
            bust[falls] = np.clip(bust - drift[after, pairs.other], 0.0, 1.0)[falls]
            _value_starts(solve, places, bust, values, changed, shots_of_batch(race.graph))
            if settling:
                settling.note_values(pairs, values, changed)
            grid.busts[pairs.plane, pairs.own, pairs.other] = bust
            grid.chances[pairs.plane, pairs.own, pairs.other] = values
            grid.spread(pairs)


def _measure_drift(change: Floats, totals: range) -> Floats:
    """Return the mean change of the chances with these sums (planes x own nodes).

    `change`: the change of every chance (planes x nodes x nodes).
    """
    own, size = np.arange(change.shape[1]), change.shape[2]
    other = np.array(totals) - own[:, None]
    inside = (other >= 0) & (other < size)
    changes = change[:, own[:, None], np.clip(other, 0, size - 1)] * inside
    drift: Floats = changes.sum(axis=-1) / np.maximum(inside.sum(axis=-1), 1)
    return drift


def _list_pairs(grid: Grid, totals: range) -> ScorePairs:
    """List all pairs of nodes with these sums, by own score, so that shots side by side have about as many rows."""
    planes, size, _ = grid.chances.shape
    own, plane, other = np.indices((size, planes, len(totals))).reshape(3, -1)
    other = totals.start + other - own
    inside = np.flatnonzero((other >= 0) & (other < size))
    return ScorePairs(plane, own, other).part(inside)


def _follow_busts(table: WinTable, grid: Grid, totals: range) -> None:
    """Correct the chances of pairs with these sums, which were solved before, for the current values of busts.

    The value of a shot is nearly linear in the value of a bust. The slope is measured between two shots of the same
    pair of scores whose busts in a row differ by one.
    """
    race, pairs = table.race, _list_pairs(grid, totals)
    at, places = (pairs.plane, pairs.own, pairs.other), grid.places(pairs)
    role, streak, other = np.unravel_index(pairs.plane, (race.roles, race.streaks, race.streaks))
    neighbour = (role * race.streaks + np.abs(streak - 1)) * race.streaks + other, pairs.own, pairs.other
    solved, busts = grid.chances[at], grid.busts[at]
    run, rise = busts - grid.busts[neighbour], solved - grid.chances[neighbour]
    measurable = (np.abs(run) > NEWTON_TOLERANCE) & race.pays(race.has_entered(places.own))
    slope = np.where(measurable, np.clip(rise / np.where(measurable, run, 1.0), 0.0, SLOPE_MOST), USUAL_SLOPE)
    slope[busts < 0] = 0.0
    for _ in range(FOLLOWED):
        now = values_of_busts(table, places)
        grid.chances[at] = np.clip(solved + slope * (now - busts), 0.0, 1.0)
        grid.spread(pairs)
    grid.busts[at] = np.where(busts < 0, busts, now)


def _extrapolate(known: Floats, side: ScorePairs, highest: float) -> Floats:
    """Return guessed values for these pairs, extrapolated from those of larger sums by a polynomial of degree 2.

    `known` (places x places). The guesses are kept between 0 and `highest`.
    """
    last = known.shape[1] - 1

    def at(up: int, right: int) -> Floats:
        values: Floats = known[np.minimum(side.own + up, last), np.minimum(side.other + right, last)]
        return values

    plane = at(1, 0) + at(0, 1) - at(1, 1)
    bent = plane + (at(1, 0) - at(2, 0) - at(1, 1) + at(2, 1) + at(0, 1) - at(1, 1) - at(0, 2) + at(1, 2)) / 2
    inner = np.maximum(side.own, side.other) < last - 1
    inside = np.maximum(side.own, side.other) < last
    edge = np.where(side.own < last, at(1, 1), at(0, 1))
    return np.where(inside, np.clip(np.where(inner, bent, plane), 0.0, highest), edge)
