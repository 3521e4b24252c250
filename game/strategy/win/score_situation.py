"""The chance to win at every position of a shot, in a game as it stands.

For two players it is as exact as the table (about 1e-7), in last shots and extra rounds, too; a little less where six
dice have to be thrown in an extra round with a lead that is all but safe. For more players it is an estimate from the
chances w against each opponent alone: P = 1 / (1 + sum of (1 - w) / w). Once the last shots have begun, it is exact for
the last two players who are due. Where more follow, it is a lower bound of what they leave, because each of them is
assumed to play only for overtaking this player.
"""

from dataclasses import dataclass, replace
from functools import lru_cache, partial

from game.strategy.arrays import Floats, Indices, np
from game.strategy.turn.backward_induction import throw_values
from game.strategy.turn.graph import Graph
from game.strategy.win import race_bounds
from game.strategy.win.endgame import tie_value
from game.strategy.win.grid import ScorePairs
from game.strategy.win.offers import values_of_offers
from game.strategy.win.race import Race
from game.strategy.win.race_shots import solve_shots, values_of_busts, values_of_over
from game.strategy.win.rounds import SURE, RoundsTable, Standings
from game.strategy.win.shot_values import fill_values, must_throw_sweeps, value_ends, value_struck
from game.strategy.win.win_table import WinTable


@dataclass(frozen=True)
class SeatScore:
    """A player's score, in points, and whether they have entered.

    `streak`: the player's busts in a row, where several of them cost points; else 0. Where a number of rounds ends the
    game, `left`: the shots still to come, including the one being played; `since`: the number of the shot that made the
    score what it is; else both are 0.
    """

    score: int
    entered: bool
    left: int = 0
    since: int = 0
    streak: int = 0


# A player who has just banked; the score is given separately.
BANKED = SeatScore(0, entered=True)


@dataclass(frozen=True)
class ScoreSituation:
    """The active players in turn from the one to move (`seats`).

    `first`: the place in this list of the player who begins the rounds. `due`: in the final round, the places of those
    who have a shot after this one; None if that follows from the scores. `picked_up`: the points that a picked-up shot
    began with, where its busts cost something else than those of other shots, or 0 if their number does not matter;
    None for a shot from fresh dice.
    """

    seats: tuple[SeatScore, ...]
    first: int = 0
    due: tuple[int, ...] | None = None
    picked_up: int | None = None

    def is_earlier(self, place: int) -> bool:
        """Return whether the player at this place comes before the one to move in a round."""
        return (place - self.first) % len(self.seats) < -self.first % len(self.seats)


@dataclass(frozen=True, eq=False)
class ShotChances:
    """The chance to win, 0 to 1, at every position of a shot of the player to move.

    Rows stand for the score that a bank would make, from `low` on. `values` (rows x columns x 1): the chances of
    arriving. `banks` (rows x columns x 1; a single column where all are alike): those of banking. `bust`: the chance
    after a bust. `start`: the column in which the shot begins. `estimate`: whether the chances are an estimate. `over`
    (one entry): the chance after a shot that is over beyond an exact target; None where that is the same as a bust.
    """

    graph: Graph
    values: Floats
    banks: Floats
    low: int
    bust: float
    start: int
    estimate: bool
    over: Floats | None = None

    def throw(self, column: int, score: int) -> float:
        """Return the chance by throwing from this column; `score`: what a bank would make it, in points."""
        layer, place = self.graph.layer_of[column]
        row = self._find_row(score - int(self.graph.offsets[column]))
        bust = value_struck(self.graph, self.values, np.array([self.bust]))[[row]]
        thrown = throw_values(self.graph, layer, self.values, np.array([row]), bust, self.over)
        return float(thrown[0, place, 0])

    def bank(self, column: int | None, score: int) -> float:
        """Return the chance after a bank in this column that makes this score, in points.

        `column` None: no dice are left to pick up. The dice that are worth the least to the next player stand for that.
        """
        banks = self.banks[self._find_row(score), :, 0]
        return float(banks.max() if column is None or len(banks) == 1 else banks[column])

    def _find_row(self, points: int) -> int:
        """Return the row of these points. Beyond the rows that are solved, all that may be banked alike are alike."""
        last = len(self.values) - self.graph.reach - 1
        row = points // self.graph.unit - self.low
        return row if row <= last else last - (last - row) % self.graph.period

    def end(self, cost: int, score: int) -> float:
        """Return the chance after a bust that costs this many points; `score`: what a bank would have made it."""
        fits = [end.kind == "bust" and (end.cost >= cost if cost else not end.cost) for end in self.graph.ends]
        if True not in fits:
            return self.bust
        row = min(score // self.graph.unit - self.low, len(self.values) - 1)
        return float(self.values[row, self.graph.win + fits.index(True), 0])

    @property
    def after_over(self) -> float:
        """The chance after a shot that is over beyond an exact target."""
        return self.bust if self.over is None else float(self.over[0])

    @property
    def begin(self) -> float:
        """The chance when the shot begins with fresh dice."""
        return self.throw(self.start, self.low * self.graph.unit)


def solve_shot_chances(table: WinTable, situation: ScoreSituation, score: int = 0) -> ShotChances:
    """Solve the shot of the player to move for the largest chance to win; cached. Takes 1 to 15 ms.

    `score`: the highest score that a bank could make now, in points, so that its row is solved, too. Leads beyond
    `Race.safe_lead` count as that much, and so do distances below the lowest place: game files come from anybody, and
    each row takes time.
    """
    race, unit = table.race, table.race.graph.unit
    me, *others = situation.seats
    own, lowest = me.score // unit, -race.floor
    if isinstance(table, RoundsTable):  # there only leads count
        lowest = min(max((seat.score // unit for seat in others), default=0), 0) - table.most
    lowest -= race.safe_lead
    if own < lowest:
        seats = (replace(me, score=lowest * unit), *others)
        return replace(solve_shot_chances(table, replace(situation, seats=seats)), low=own)
    most = (max(race.target, own) + race.safe_lead) * unit
    if any(seat.score > most for seat in situation.seats):
        seats = tuple(replace(seat, score=min(seat.score, most)) for seat in situation.seats)
        situation = replace(situation, seats=seats)
    reach = min(score, most + race.safe_lead * unit) // unit + 1
    always = reach <= race.target and not isinstance(table, RoundsTable)
    return _solve_up_to(table, situation, 0 if always else reach)


# The result is needed several times a turn, and for every viewer. The cache is shared by all games.
@lru_cache(maxsize=64)
def _solve_up_to(table: WinTable, situation: ScoreSituation, reach: int) -> ShotChances:
    """Solve the shot up to the row of the score `reach` at least."""
    race, me = table.race, situation.seats[0]
    in_rounds = isinstance(table, RoundsTable)
    if len(situation.seats) == 2 and not in_rounds and not _is_final(race, situation):
        return _solve_between_two(table, situation, reach)
    own, entered = np.array([me.score // race.graph.unit]), np.array([me.entered])
    bust = float(_chances_after_bust(table, situation, own)[0, 0])
    least = int(race_bounds.least_scores(race, entered, own)[0])
    top = race.target + 1 if race.is_exact else max(_find_top(table, situation, bust), least, reach)
    rows = np.arange(int(own[0]), top + race.graph.reach + 1)
    points = rows - own if _leaves_offers(race, situation) else None
    bank = _chances_after(table, situation, rows, points=points)[..., None]
    bank = bank[:, race.graph.offers] if bank.shape[1] > 1 else bank
    race_bounds.forbid_banks(race, bank, rows[:, None], own, entered)
    forced, thrown = None, None
    if points is not None:
        thrown = np.zeros((len(rows), race.graph.width, 1))
    elif must_throw_sweeps(race.graph) and not in_rounds:
        forced = (1 - table.endgame.risk) * bank[-race.graph.reach - 1 :, 0] + table.endgame.risk * bust
    target = race.target - int(own[0]) if race.is_exact else None
    value_bust = partial(_chances_after_bust, table, situation, rows)
    ends = value_ends(race.graph, len(rows), 1, value_bust)
    over = _chances_after(table, situation, own, me)[:, 0] if race.tells_over else None
    values = fill_values(
        race.graph, bank, np.array([bust]), forced=forced, target=target, thrown=thrown, ends=ends, over=over
    )
    start, estimate = race.graph.start_column(me.entered), _is_estimate(table, situation)
    return ShotChances(race.graph, values, bank, int(own[0]), bust, start, estimate, over)


def _chances_in_rounds(
    table: RoundsTable, situation: ScoreSituation, rows: Indices, then: SeatScore, points: Indices | None
) -> Floats:
    """Compute the chances of `_chances_after` where a number of rounds ends the game; `then`: the player then."""
    race, me = table.race, situation.seats[0]
    odds, product = np.zeros((len(rows), 1)), np.ones((len(rows), 1))
    mine = (int(then.entered), then.streak % race.streaks)
    # A score that the shot changed is the newer one.
    stays = (then is not BANKED) & (rows == me.score // race.graph.unit)
    for place, seat in enumerate(situation.seats[1:], start=1):
        earlier = situation.is_earlier(place)
        holds = stays & ((me.since, 1) < (seat.since, 0 if earlier else 2))
        left, theirs = max(me.left - 1, 0) + seat.left, seat.streak % race.streaks
        score = np.array(seat.score // race.graph.unit)
        # Once both have no shot left, the chances in the table are those of the first player.
        if left or earlier:
            entered, streaks = (int(seat.entered), mine[0]), (theirs, mine[1])
            at = Standings(left, entered, streaks, score, rows, ~holds)
            chance = 1 - table.read(at)[:, None]
            if place == 1 and points is not None:
                chance = chance - table.read_gains(at, points)
        else:
            entered, streaks = (mine[0], int(seat.entered)), (mine[1], theirs)
            chance = table.read(Standings(0, entered, streaks, rows, score, holds))[:, None]
        product = product * chance
        odds = odds + (1 - chance) / np.maximum(chance, 1e-12)
    if len(situation.seats) == 2 or me.left <= 1:
        return product
    return 1 / (1 + odds)


def _solve_between_two(table: WinTable, situation: ScoreSituation, reach: int) -> ShotChances:
    race = table.race
    mine, theirs = (_place(race, seat) for seat in situation.seats)
    role = 1 if race.roles > 1 and situation.is_earlier(1) else 0
    plane = race.plane(role, *(seat.streak for seat in situation.seats))
    pairs = ScorePairs(np.array([plane]), np.array([mine]), np.array([theirs]))
    cost, brought = _cost_of_picking_up(race, situation), (situation.picked_up or 0) // race.graph.unit
    bust = values_of_busts(table, pairs, cost)
    me, over = situation.seats[0], values_of_over(table, pairs)
    below = max(-(me.score // race.graph.unit) - race.floor, 0)
    shot = solve_shots(table, pairs, bust, reach, cost, brought, below)
    start = race.graph.start_column(me.entered)
    low = int(shot.first[0])
    return ShotChances(race.graph, shot.values, shot.bank, low, float(bust[0]), start, table.rough, over)


def _cost_of_picking_up(race: Race, situation: ScoreSituation) -> int:
    return race.graph.ruleset.pick_up_cost if situation.picked_up is not None else 0


def _chances_after_bust(table: WinTable, situation: ScoreSituation, rows: Indices, cost: int = 0) -> Floats:
    """Compute the chance after a bust (rows x 1), by the score that a bank would make.

    `cost`: what the dice of the bust cost, in points.
    """
    race, me = table.race, situation.seats[0]
    own, entered, streak = np.array([me.score // race.graph.unit]), np.array([me.entered]), np.array([me.streak])
    gathered = np.maximum(rows - own - (situation.picked_up or 0) // race.graph.unit, 0)
    cost += _cost_of_picking_up(race, situation)
    left = race.score_after_bust(own, entered, streak % race.streaks, cost, gathered)
    counted = me.streak + int(race.pays(np.array(me.entered)))
    return _chances_after(table, situation, left, replace(me, streak=counted))


def _place(race: Race, seat: SeatScore) -> int:
    return int(race.place_of(np.array(seat.score // race.graph.unit), np.array(seat.entered)))


def _is_final(race: Race, situation: ScoreSituation) -> bool:
    return any(seat.score // race.graph.unit >= race.target for seat in situation.seats)


def _is_estimate(table: WinTable, situation: ScoreSituation) -> bool:
    if isinstance(table, RoundsTable):
        settled = situation.seats[0].left <= 1
    else:
        settled = _is_final(table.race, situation) and len(_places_due(table.race, situation)) <= 1
    return table.rough or (len(situation.seats) > 2 and not settled)


def _leaves_offers(race: Race, situation: ScoreSituation) -> bool:
    """Return whether the next player may pick up what a bank leaves."""
    if not race.has_offers or len(situation.seats) == 1:
        return False
    return situation.seats[1].entered or race.graph.ruleset.pick_up_by == "all"


def _places_due(race: Race, situation: ScoreSituation) -> list[int]:
    """List the places of those who still have a shot after the player to move, once somebody is at the target."""
    if situation.due is not None:
        return list(situation.due)
    places = range(1, len(situation.seats))
    reached = [place for place in places if situation.seats[place].score // race.graph.unit >= race.target]
    extra = situation.seats[0].score // race.graph.unit >= race.target
    if race.ending == "complete_round" or extra:
        return [place for place in places if not situation.is_earlier(place)]
    return list(range(1, min(reached, default=len(situation.seats))))


def _chances_after(
    table: WinTable, situation: ScoreSituation, rows: Indices, me: SeatScore = BANKED, points: Indices | None = None
) -> Floats:
    """Compute the chance at the end of the shot (rows x dice), by the player's score then: `rows`, in rows.

    `me`: the player then; the score in it is ignored. `points`: those of a bank that leaves 1 to all dice to the next
    player, in rows; None where nothing is left, and the result has one column.
    """
    if isinstance(table, RoundsTable):
        return _chances_in_rounds(table, situation, rows, me, points)
    if _is_final(table.race, situation):
        return _chances_in_final(table, situation, rows, points)
    inside = rows < table.race.target
    chances = np.empty((len(rows), 1 if points is None else table.race.graph.ruleset.dice))
    near, far = (None, None) if points is None else (points[inside], points[~inside])
    chances[inside] = _chances_before_final(table, situation, rows[inside], me, near)
    chances[~inside] = _chances_in_final(table, situation, rows[~inside], far)
    return chances


def _chances_before_final(
    table: WinTable, situation: ScoreSituation, rows: Indices, me: SeatScore, points: Indices | None
) -> Floats:
    """Compute the chances while nobody is at the target, combined from those against each opponent alone."""
    race = table.race
    mine = race.place_of(rows, np.full(len(rows), me.entered))
    odds = np.zeros((len(rows), 1))
    for place, seat in enumerate(situation.seats[1:], start=1):
        role = 1 if race.roles > 1 and not situation.is_earlier(place) else 0
        plane = np.array(race.plane(role, seat.streak, me.streak))
        theirs = table.chances[plane, _place(race, seat), mine][:, None]
        if place == 1 and points is not None and table.offers is not None:
            theirs = theirs + table.offers.read_gains(plane, np.array(_place(race, seat)), mine, points)
        chance = np.maximum(1 - theirs, 1e-12)
        odds = odds + (1 - chance) / chance
    return 1 / (1 + odds)


def _chances_in_final(table: WinTable, situation: ScoreSituation, rows: Indices, points: Indices | None) -> Floats:
    """Compute the chances once somebody is at the target: that no player due gets ahead, and that no other is ahead."""
    race, chances = table.race, np.ones((len(rows), 1))
    if race.ending == "at_once" and not _is_final(race, situation):
        return chances
    due = _places_due(race, situation)
    for place, seat in enumerate(situation.seats[1:], start=1):
        lead = rows - seat.score // race.graph.unit
        if place in due:
            role = 1 if race.roles > 1 and not situation.is_earlier(place) else 0
            reply = table.endgame.reply[role, int(seat.entered)]
            passing = reply[np.clip(lead, 0, len(reply) - 1), None]
            if place == 1 and points is not None:
                taken = values_of_offers(race, table.endgame, np.array(role), lead, points, np.array(seat.entered))
                passing = np.maximum(passing, taken)
            chances = chances * np.where(lead[:, None] < 0, 0.0, 1 - passing)
        else:
            role = 1 if race.roles > 1 and situation.is_earlier(place) else 0
            tie = np.array([[tie_value(race, role, table.endgame.extra)]])
            if role == 1 and place == 1 and points is not None and table.endgame.knows_ties:
                tie = 1 - table.endgame.values_of_ties(points)
            chances = chances * np.where(lead[:, None] > 0, 1.0, np.where(lead[:, None] == 0, tie, 0.0))
    return chances


def _find_top(table: WinTable, situation: ScoreSituation, bust: float) -> int:
    """Find the score, in rows, from which on banking is the best."""
    race = table.race
    if isinstance(table, RoundsTable):
        return _find_top_in_rounds(table, situation, bust)
    share = max(race_bounds.largest_reply(race.graph) * (1 - bust) / len(situation.seats), race_bounds.NO_REPLY)
    due = _places_due(race, situation)
    tops = [race.target]
    mine, *others = ((seat, table.endgame.reply[:, int(seat.entered)].max(axis=0)) for seat in situation.seats)
    for place, (seat, replies) in enumerate(others, start=1):
        if race.has_offers:
            behind = (seat.score - mine[0].score) // race.graph.unit
            lead = race_bounds.find_settled_lead(mine[1], replies, behind) + race.offer_worth
        else:
            lead = race_bounds.first_below(replies, share)
        tops.append(seat.score // race.graph.unit + (lead if place in due else 1))
    return max(tops)


def _find_top_in_rounds(table: RoundsTable, situation: ScoreSituation, bust: float) -> int:
    race, own = table.race, situation.seats[0].score // table.race.graph.unit
    far = table.most + max(seat.score // race.graph.unit for seat in situation.seats)
    banked = _chances_after(table, situation, np.arange(own, far + 1))[:, 0]
    safe = race_bounds.SAFE_REPLY if must_throw_sweeps(race.graph) else 1.0
    share = max(min(race_bounds.largest_reply(race.graph), safe) * (1 - bust) / len(situation.seats), SURE)
    return own + race_bounds.first_below(
        1 - banked, race_bounds.SETTLED_CHANCE if _leaves_offers(race, situation) else share
    )
