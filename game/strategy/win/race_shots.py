"""The values of shots between two players, by the values of banks and busts in the table of chances to win.

Each shot belongs to a pair of scores. This module says what its ends are worth; `shot_values` values its positions.
"""

from game.strategy.arrays import Floats, Indices, np
from game.strategy.turn.positions import BUST
from game.strategy.win.grid import ScorePairs
from game.strategy.win.offers import MOST_POINTS, Offers, values_of_offers
from game.strategy.win.race import Race
from game.strategy.win.race_bounds import first_below, forbid_banks, largest_reply, least_scores
from game.strategy.win.shot_values import ShotValues, fill_values, throws_after_sweep, value_ends
from game.strategy.win.win_table import WinTable


def places_after_bust(race: Race, pairs: ScorePairs, cost: int = 0, gathered: Indices | int = 0) -> Indices:
    """Return the places of the players to move after a bust; `cost` and `gathered` as in `Race.score_after_bust`."""
    entered, streak = race.has_entered(pairs.own), race.streak_of(pairs.plane)
    return race.place_of(race.score_after_bust(race.score_at(pairs.own), entered, streak, cost, gathered), entered)


def values_of_busts(table: WinTable, pairs: ScorePairs, cost: int = 0, gathered: Indices | int = 0) -> Floats:
    """Return the chances after a bust by the table; `cost` and `gathered` as in `Race.score_after_bust`."""
    after = places_after_bust(table.race, pairs, cost, gathered)
    plane = table.race.plane_after_bust(pairs.plane, table.race.has_entered(pairs.own))
    return 1 - table.chances[plane, pairs.other, after]


def values_of_over(table: WinTable, pairs: ScorePairs) -> Floats | None:
    """Return the chances after a shot that is over beyond an exact target; None where they are those of a bust."""
    if not table.race.tells_over:
        return None
    return 1 - table.chances[table.race.plane_after_over(pairs.plane), pairs.other, pairs.own]


def _value_race_ends(
    table: WinTable, pairs: ScorePairs, scores: Indices, bust: Floats, cost: int, brought: int
) -> Floats | None:
    """Compute the values of the ends of a shot as `value_ends` does.

    `scores` (rows x pairs): those that a bank would make, in rows. `bust` (pairs): the value of a bust that costs
    `cost` and no more. `cost`, `brought`: as in `solve_shots`.
    """
    race = table.race

    def value_bust(more: int) -> Floats:
        gathered = np.maximum(scores - race.score_at(pairs.own) - brought, 0)
        stays = places_after_bust(race, pairs, cost + more, gathered) == places_after_bust(race, pairs, cost)
        return np.where(stays, bust, values_of_busts(table, pairs, cost + more, gathered))

    return value_ends(race.graph, len(scores), len(bust), value_bust)


def start_values(table: WinTable, pairs: ScorePairs, bust: Floats) -> Floats:
    """Compute the chance to win by a shot from fresh dice, for each pair. `bust` (pairs): the chance after a bust.

    Where dice are picked up, the gains are written to the table's offers.
    """
    shots = solve_shots(table, pairs, bust)
    starts = table.race.score_at(pairs.own) - shots.first
    graph = table.race.graph
    columns = np.where(table.race.has_entered(pairs.own), graph.start, graph.entry_start)
    values: Floats = shots.values[starts, columns, np.arange(len(bust))]
    if table.offers:
        _note_offers(table, table.offers, pairs, values, shots)
    return values


def _note_offers(table: WinTable, offers: Offers, pairs: ScorePairs, fresh: Floats, shots: ShotValues) -> None:
    """Write what picking up adds for these pairs; `fresh`, `shots`: the values of beginning with fresh dice."""
    race, cost = table.race, table.race.graph.ruleset.pick_up_cost
    if not (cost or race.counts_brought):
        offers.write_gains(pairs, shots, fresh)
        return
    # Busts of picked-up shots have other values, so these shots are solved besides those from fresh dice.
    picks_up = offers.picks_up(pairs)
    counts = race.counts_brought & (race.streak_of(pairs.plane) + 1 == race.streaks)
    for wanted, apart in ((picks_up & ~counts, offers.apart[:1]), (picks_up & counts, offers.apart)):
        for least, after in zip(apart.tolist(), [*apart[1:].tolist(), MOST_POINTS], strict=True):
            part = np.flatnonzero(wanted & (offers.most_points(pairs.other) >= least))
            if part.size:
                here, brought = pairs.part(part), race.offer_worth or least
                taken = solve_shots(table, here, values_of_busts(table, here, cost), cost=cost, brought=brought)
                offers.write_gains(here, taken, fresh[part], (least, after - 1))


def solve_shots(
    table: WinTable, pairs: ScorePairs, bust: Floats, reach: int = 0, cost: int = 0, brought: int = 0, below: int = 0
) -> ShotValues:
    """Value all positions of the shots of these pairs, up to the row from which on banking is always the best.

    `bust` (pairs): the chance after a bust. `reach`: a score, in rows, up to which positions are valued at least.
    `cost`: what every bust of a picked-up shot costs, in points. `brought`: how much such a shot began with, in rows.
    `below`: how far the players to move are below the lowest place, in rows.
    """
    race, endgame, graph = table.race, table.endgame, table.race.graph
    own, other = race.score_at(pairs.own) - below, race.score_at(pairs.other)
    has_entered = race.has_entered(pairs.own)
    least = least_scores(race, has_entered, own)
    # An exact target has to be in the same row for all pairs.
    first = np.full_like(own, own.min()) if race.is_exact else own
    tops = race.target + 1 if race.is_exact else np.maximum(_find_tops(table, pairs, bust), np.maximum(least, reach))
    if BUST in graph.ends and graph.throws_on and not race.is_exact:  # in the last rows, it costs all that can be lost
        tops = np.maximum(tops, 2 * own + race.floor + brought)
    top = int((tops - first).max())
    scores = first + np.arange(top + graph.reach + 1)[:, None]
    bank = _bank_values(table, pairs, scores, below)
    forbid_banks(race, bank, scores, own, has_entered)
    forced = None
    thrown = np.zeros((len(scores), graph.width, len(bust)), dtype=table.precision) if table.offers else None
    if throws_after_sweep(graph) and thrown is None:
        lead = np.clip(scores[top:] - other, 0, endgame.forced.shape[-1] - 1)
        entered = race.has_entered(pairs.other).astype(np.intp)
        forced = endgame.forced[race.other_role(pairs.plane), entered, lead] + endgame.risk * bust
    target = race.target - int(first[0]) if race.is_exact else None
    ends, over = _value_race_ends(table, pairs, scores, bust, cost, brought), values_of_over(table, pairs)
    values = fill_values(
        graph, bank, bust, forced=forced, target=target, begins=own - first, thrown=thrown, ends=ends, over=over,
        precision=table.precision,
    )  # fmt: skip
    return ShotValues(values, bank, first, thrown)


def _bank_values(table: WinTable, pairs: ScorePairs, scores: Indices, below: int) -> Floats:
    """Compute the values of banking to these scores (rows x pairs, rising), minimums aside (rows x columns x pairs).

    Where no dice are picked up, there is one column for all. `below`: as in `solve_shots`; short of the target, every
    score counts as that much more, so that a bank is worth something.
    """
    race, reply, offers = table.race, table.endgame.reply, table.offers
    inside = scores < race.target
    # In the near rows some scores are below the target, in the far ones some are not.
    near, far = slice(int(inside.any(axis=1).sum())), slice(int(inside.all(axis=1).sum()), None)
    after, role = race.plane_after_bank(pairs.plane), race.other_role(pairs.plane)
    places = np.minimum(scores[near] + below, race.target - 1) + (race.entry_places + race.floor)
    lead, entered = scores[far] - race.score_at(pairs.other), race.has_entered(pairs.other)
    values: Floats = np.empty(scores.shape)
    values[near] = 1 - table.chances[after, pairs.other, places]
    replies = reply[role, entered.astype(np.intp), np.clip(lead, 0, reply.shape[-1] - 1)]
    np.copyto(values[far], 1 - replies, where=~inside[far])
    if offers is None:
        return values[:, None]
    points = scores + below - race.score_at(pairs.own)
    gains = offers.read_gains(after, pairs.other, places, points[near])
    taken = values_of_offers(race, table.endgame, role, lead, points[far], entered)
    if race.graph.ruleset.pick_up_by != "all":
        gains[:, ~entered] = taken[:, ~entered] = 0.0
    left = np.empty((len(values), race.graph.width, values.shape[1]), dtype=table.precision)
    for column, offer in enumerate(race.graph.offers.tolist()):
        np.subtract(values[near], gains[..., offer], out=left[near, column], casting="same_kind")
        np.copyto(left[far, column], np.minimum(values[far], 1 - taken[..., offer]), where=~inside[far])
    return left


def _find_tops(table: WinTable, pairs: ScorePairs, bust: Floats) -> Indices:
    """Find the scores, in rows, from which on banking is the best for each of these pairs.

    For graphs that are not sure to bank: a throw risks at least the smallest chance of a bust, which costs 1 - `bust`,
    while a bank risks the reply. Only half of that chance is counted, because `bust` is a guess at first.
    """
    graph, reply, roles = table.race.graph, table.endgame.reply, table.race.other_role(pairs.plane)
    entered = table.race.has_entered(pairs.other).astype(int)
    sides = zip(roles.tolist(), entered.tolist(), (1 - bust).tolist(), strict=True)
    if table.offers:  # at such leads, dice on offer are worth the same however many points they come with
        race = table.race
        own, other = race.score_at(pairs.own), race.score_at(pairs.other)
        mine = race.has_entered(pairs.own).astype(int).tolist()
        both = zip(mine, sides, (other - own).tolist(), strict=True)
        leads = [race.offer_worth + table.find_settled(me, role, side, behind) for me, (role, side, _), behind in both]
    elif graph.is_sure_to_bank:
        leads = [first_below(table.stakes[role, side], cost) for role, side, cost in sides]
    else:
        share = largest_reply(graph)
        leads = [first_below(reply[role, side], max(share * cost, table.negligible)) for role, side, cost in sides]
    return np.maximum(table.race.target, np.array(leads) + table.race.score_at(pairs.other))
