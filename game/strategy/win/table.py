"""The table of chances to win for two players, solved from the end of the game to its beginning.

W[plane, own, other] is the chance of the player to move at the start of a shot. A place on the axes of scores is 0 for
a player who has not entered, and 1 + score / unit for one who has. Where scores fall below 0 there are more, of players
who have not entered as well where they pay for busts and have another entry to make. A bank leads to a larger sum of
places, so the table is solved by falling sum. Within a sum two chances depend on each other, because a
bust hands the dice over: W(a, b) = F(1 - W(b, a)), where F, the worth of a shot by what a bust is worth, is convex and
rises with a slope below 1 (the chance of a bust). Newton's method on both, with slopes from the values themselves,
settles in two or three rounds; slopes are kept between 0 and SLOPE_MOST. F is made of straight lines, so next to the
crossing a slope that was measured is nearly always the right one.

Where a bust can cost points it leads to a smaller sum. All sums are solved again and again then, each time with what
the time before, at first a coarse grid, said of the smaller ones: few shots end so, so the changes shrink to 1e-6 in a
few rounds. Where that takes several busts in a row, a bust before leads to the same pair of scores with one bust more:
solved from the most busts down, no two chances of a pair depend on each other but those before anybody has entered.
Sums are solved together where no bank is small enough to lead from one to another. Two corrections save iterations, as
neighbouring sums change alike: what the time before said of the smaller ones is shifted by how far off it was, on
average, for the sums just solved; and once smaller ones are solved, the chances above them are moved along a straight
line to what their busts are worth by now. Where the iterations end is the same without them, only later.

On a coarse grid only some places, its nodes, are solved; what a bank to a score between two nodes is worth is read off
the straight line between them. With nodes ten places apart that takes two to five seconds and is off by some
thousandths, next to the target by some hundredths.
"""

from __future__ import annotations

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

# Where a guess is that near, the next value is near enough, whatever the slope; where slopes are known, it is where
# the product of both is so small, with slopes never known better than SLOPE_TOLERANCE.
NEWTON_TOLERANCE, PRODUCT_TOLERANCE, SLOPE_TOLERANCE, NEWTON_ROUNDS = 1e-7, 1e-10, 5e-4, 12
SLOPE_MOST = 0.999
# Where all sums are solved again and again, what a few rounds leave open is closed the next time, in one.
FALLING_ROUNDS = 2
# Where scores can fall, values have settled when they would change by no more (by the second on a coarse grid), after
# at most this many iterations, of which the last few are mixed for the next guess. The first one, on the whole grid, is
# that of a grid with nodes this many places apart.
ITERATION_TOLERANCE, COARSE_TOLERANCE, ITERATIONS_MOST, ITERATIONS_MIXED, FIRST_STEP = 1e-6, 1e-4, 60, 6, 5
# Where it takes several busts in a row to cost points, chances solved before are moved to what busts are worth by now
# in this many steps, because a bust leads to others of them; by this slope where none is known.
FOLLOWED, USUAL_SLOPE = 6, 0.5
# From this many chances on a second process saves more than it takes to start.
PARTNER_FROM = 4000


def solve_race(
    race: Race, on_progress: ProgressCallback | None = None, step: int = 1, begin: WinTable | None = None
) -> WinTable:
    """Solve the table of a race, within some 1e-8; where busts cost points, within 1e-6.

    `step`: how many places apart the nodes are, 1 for every place; on a coarse grid it is off by more (see above).

    `begin`: a table of the same race, solved on a grid, from which to go on to every place where scores can fall.
    """
    if race.ending == "rounds":
        return solve_rounds(race, on_progress, step)
    grid = Grid.of(race, step)
    is_fine = grid.table is grid.chances
    if race.may_fall:
        first = begin or solve_race(race, step=FIRST_STEP) if is_fine else None
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
    """Solve all sums, until nothing changes: a bust that costs points leads to a smaller one, known from before."""
    tolerance = ITERATION_TOLERANCE if grid.table is grid.chances else COARSE_TOLERANCE
    history: list[tuple[Floats, Floats]] = []
    tells = grid.table is grid.chances and table.offers is None and can_settle(table.race)
    settling = Settling(table.race, grid.chances) if tells else None
    left, change = 1.0, inf
    for _ in range(ITERATIONS_MOST):
        before, change_before = grid.chances.copy(), change
        part = on_progress and _show_part(on_progress, 1 - left, left / 2)
        if settling and left < 1:
            settling.begin(grid.chances)
        _solve_sums(table, grid, solve, part, again=left < 1, settling=settling)
        left /= 2
        change = float(np.abs(grid.chances - before).max())
        sums = len(grid.nodes) // 4 + 1  # fewer than all at once, which would take more memory
        for total in range(2 * len(grid.nodes) - 2, -1, -sums) if table.race.streaks > 1 else ():
            _follow_busts(table, grid, range(max(total - sums + 1, 0), total + 1))
        # The next change would be smaller by as much again; what the first one says is how good the beginning was.
        if change < tolerance or (change_before < inf and change * change / change_before < tolerance / 4):
            break
        history = [*history[-ITERATIONS_MIXED:], (before, grid.chances.copy())]
        grid.chances[:] = np.clip(guess_next(history), 0.0, 1.0)
        grid.finish()
    if on_progress:
        on_progress(1.0)


def _show_part(on_progress: ProgressCallback, done: float, part: float) -> ProgressCallback:
    """Return a callback for the progress of a part of the work, after a share that is done already."""
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
    """Solve all pairs of nodes by falling sum.

    `again`: what is there already is the guess; `settling`: what has changed since, where that is known.
    """
    race, last = table.race, len(grid.nodes) - 1
    # Where nobody who has not entered pays for a bust, two chances depend on each other before anybody has.
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
    """Cut the table of a game to a smaller target, in rows, out of this one. Takes two to three seconds.

    What counts is how much each player is short of the target, so all chances are there but those of pairs in which
    somebody has not entered: they are solved, and that is one row and one column of the table.
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
    """Solve pairs of nodes with this sum, each pair also the other way round; `own`: nodes of the player to move.

    `again`: what the table has of them is the guess.
    """
    race, chances, slopes = table.race, grid.chances, grid.slopes
    planes = [race.plane(role) for role in range(race.roles)]
    sides = [ScorePairs(np.full(len(own), plane), own, total - own) for plane in planes]
    for plane, side in [] if again else zip(planes, sides, strict=True):
        chances[side.plane, side.own, side.other] = _extrapolate(chances[plane], side, 0.0, 1.0)
        slopes[side.plane, side.own, side.other] = _extrapolate(slopes[plane], side, 0.0, SLOPE_MOST)
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
        # Where a bust costs points, it leads to another pair of scores, and nothing depends on itself.
        falls = np.array([places_after_bust(race, place) != place.own for place in places])
        slope[falls] = 0.0
        away = _write_crossings(sides, chances, bust, value, slope)
        for role, side in enumerate(sides):
            slopes[side.plane, side.own, side.other] = slope[role]
        before.append((bust, value))
        # What is kept of a shot for those who pick up has the error of the guess, not of the next value.
        away[falls] = 0.0
        unsettled = away > (NEWTON_TOLERANCE if table.offers is None else PRODUCT_TOLERANCE)
        if len(before) > 1 and table.offers is None:
            unsettled &= away * (np.abs(slope - guessed) + SLOPE_TOLERANCE) > PRODUCT_TOLERANCE
        if not unsettled.any():
            break
    for side in sides:
        grid.spread(side)


def _value_starts(
    solve: SolveBatches, pairs: ScorePairs, bust: Floats, values: Floats, wanted: Flags, most: int = SHOTS_PER_BATCH
) -> None:
    """Write the values of the shots of the pairs that are wanted; `bust` as in `start_values`, `most` of a batch."""
    parts = split_batches(np.flatnonzero(wanted), most)
    for part, solved in zip(parts, solve([(pairs.part(part), bust[part]) for part in parts]), strict=True):
        values[part] = solved


def _measure_slope(slope: Floats, before: tuple[Floats, Floats], now: tuple[Floats, Floats]) -> Floats:
    """Return the slope between two values, where they are far enough apart to tell; else the one given."""
    run, rise = now[0] - before[0], now[1] - before[1]
    tells = np.abs(run) > NEWTON_TOLERANCE / 100
    return np.where(tells, np.clip(rise / np.where(tells, run, 1.0), 0.0, SLOPE_MOST), slope)


def _write_crossings(sides: list[ScorePairs], chances: Floats, bust: Floats, value: Floats, slope: Floats) -> Floats:
    """Write where the two lines of pairs that depend on each other cross; return how far a bust was off there."""
    constant = value + slope * (1 - bust)
    for role, side in enumerate(sides):
        # On an antidiagonal the pair with the places exchanged stands as far from the other end.
        theirs, their_slope = constant[-1 - role, ::-1], slope[-1 - role, ::-1]
        chance = (constant[role] - slope[role] * theirs) / (1 - slope[role] * their_slope)
        chances[side.plane, side.own, side.other] = np.clip(chance, 0.0, 1.0)
    others = [other.plane for other in reversed(sides)]
    now = np.array([1 - chances[other, side.other, side.own] for side, other in zip(sides, others, strict=True)])
    return np.abs(now - bust)


def _solve_streaks(
    table: WinTable, grid: Grid, solve: SolveBatches, totals: range, drift: Floats, settling: Settling | None
) -> None:
    """Solve pairs of nodes with these sums for each number of busts in a row, the most first.

    A bust leads to what is solved already, or to a smaller sum, which has chances of the time before: those are
    expected to change by `drift` (planes x own nodes). With `settling` chances that cannot have changed stay.
    """
    race, every = table.race, _list_pairs(grid, totals)
    mine_entered, theirs_entered = (race.has_entered(grid.nodes[side]) for side in (every.own, every.other))
    streak, other_streak = race.streak_of(every.plane), every.plane % race.streaks
    # Before entering no busts are counted. Of the same number of busts those come first whose own are more.
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
    """Return by how much chances with these sums have changed on average (planes x own nodes).

    `change`: that of every chance (planes x nodes x nodes).
    """
    own, size = np.arange(change.shape[1]), change.shape[2]
    other = np.array(totals) - own[:, None]
    inside = (other >= 0) & (other < size)
    changes = change[:, own[:, None], np.clip(other, 0, size - 1)] * inside
    drift: Floats = changes.sum(axis=-1) / np.maximum(inside.sum(axis=-1), 1)
    return drift


def _list_pairs(grid: Grid, totals: range) -> ScorePairs:
    """List all pairs of nodes with these sums, in the order of the own scores: alike shots have as many rows."""
    planes, size, _ = grid.chances.shape
    own, plane, other = np.indices((size, planes, len(totals))).reshape(3, -1)
    other = totals.start + other - own
    inside = np.flatnonzero((other >= 0) & (other < size))
    return ScorePairs(plane, own, other).part(inside)


def _follow_busts(table: WinTable, grid: Grid, totals: range) -> None:
    """Correct the chances of pairs with these sums, which were solved before, for what busts are worth by now.

    What a shot is worth is nearly a straight line over what a bust in it is worth. Its slope is measured between two
    shots of the same pair of scores, after one bust in a row more or less.
    """
    race, pairs = table.race, _list_pairs(grid, totals)
    at, places = (pairs.plane, pairs.own, pairs.other), grid.places(pairs)
    role, streak, other = np.unravel_index(pairs.plane, (race.roles, race.streaks, race.streaks))
    beside = (role * race.streaks + np.abs(streak - 1)) * race.streaks + other, pairs.own, pairs.other
    solved, busts = grid.chances[at], grid.busts[at]
    run, rise = busts - grid.busts[beside], solved - grid.chances[beside]
    tells = (np.abs(run) > NEWTON_TOLERANCE) & race.pays(race.has_entered(places.own))
    slope = np.where(tells, np.clip(rise / np.where(tells, run, 1.0), 0.0, SLOPE_MOST), USUAL_SLOPE)
    slope[busts < 0] = 0.0
    for _ in range(FOLLOWED):
        now = values_of_busts(table, places)
        grid.chances[at] = np.clip(solved + slope * (now - busts), 0.0, 1.0)
        grid.spread(pairs)
    grid.busts[at] = np.where(busts < 0, busts, now)


def _extrapolate(known: Floats, side: ScorePairs, lowest: float, highest: float) -> Floats:
    """Guess values (places x places) from those of the larger sums, as if they were of the second degree."""
    last = known.shape[1] - 1

    def at(up: int, right: int) -> Floats:
        values: Floats = known[np.minimum(side.own + up, last), np.minimum(side.other + right, last)]
        return values

    plane = at(1, 0) + at(0, 1) - at(1, 1)
    bent = plane + (at(1, 0) - at(2, 0) - at(1, 1) + at(2, 1) + at(0, 1) - at(1, 1) - at(0, 2) + at(1, 2)) / 2
    inner = np.maximum(side.own, side.other) < last - 1
    inside = np.maximum(side.own, side.other) < last
    edge = np.where(side.own < last, at(1, 1), at(0, 1))
    guess: Floats = np.where(inside, np.clip(np.where(inner, bent, plane), lowest, highest), edge)
    return guess
