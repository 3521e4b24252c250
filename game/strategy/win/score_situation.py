"""The chance to win of every position of a shot, in a game as it stands.

For two players it is exact, in the last shots and extra rounds as well, as far as the table is (about 1e-8; where six
dice have to be thrown with a lead that is all but safe in an extra round, a little less). For more players it is an
estimate: from the chances w against each opponent alone, P = 1 / (1 + sum of (1 - w) / w). Once the last shots have
begun it is exact for the last two players who are due; where more follow, it is a lower bound of what they leave,
because each is taken to play for overtaking alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from game.strategy.turn.backward_induction import throw_values
from game.strategy.turn.graph import Floats, Places
from game.strategy.win.ends import Ends, Race, fill_plane, tie_value
from game.strategy.win.table import Pairs, first_below, least_risk, value_shots


@dataclass(frozen=True, eq=False)
class WinTable:
    """The solved table of a race: `chances` (roles x places x places), see `table`."""

    race: Race
    ends: Ends
    chances: Floats


@dataclass(frozen=True)
class SeatScore:
    """A player's score, in points, and whether he has entered."""

    score: int
    entered: bool


@dataclass(frozen=True)
class ScoreSituation:
    """The active players in turn from the one to move; `first`: the place in this list of who begins the rounds.

    `due`: in the final round, the places of those who have a shot after this one; None: as it follows from the scores.
    """

    seats: tuple[SeatScore, ...]
    first: int = 0
    due: tuple[int, ...] | None = None

    def before(self, place: int) -> bool:
        """Whether a player comes before the one to move in a round."""
        return self._turn(place) < self._turn(0)

    def _turn(self, place: int) -> int:
        return (place - self.first) % len(self.seats)


@dataclass(frozen=True, eq=False)
class ShotChances:
    """The chance to win, 0 to 1, at every position of a shot of the player to move.

    Rows stand for the score that a bank would make, from `low` on; `bust`: the chance after a bust. `estimate`:
    whether it is one.
    """

    race: Race
    plane: Floats
    banks: Floats
    low: int
    bust: float
    estimate: bool

    def throw(self, column: int, score: int) -> float:
        """Of throwing from a position of the graph, when a bank would make this score (points)."""
        level, place = self.race.graph.level_of(column)
        row = score // self.race.graph.unit - self.low
        return float(throw_values(level, self.plane, np.array([row]), np.array([self.bust]))[0, place, 0])

    def bank(self, score: int) -> float:
        """Of banking to this score (points)."""
        return float(self.banks[score // self.race.graph.unit - self.low, 0])

    @property
    def begin(self) -> float:
        """Of beginning the shot with six fresh dice."""
        return self.throw(self.race.graph.start, self.low * self.race.graph.unit)


def solve_shot_chances(table: WinTable, standing: ScoreSituation, score: int = 0) -> ShotChances:
    """All chances of the shot of the player to move. Takes 1 to 5 ms.

    `score`: the highest that a bank would make now, in points, where the shot has run for a while.
    """
    race, me = table.race, standing.seats[0]
    reach = score // race.graph.unit + race.graph.reach + 1
    if len(standing.seats) == 2 and all(seat.score // race.graph.unit < race.target for seat in standing.seats):
        return _between_two(table, standing, reach)
    own = np.array([me.score // race.graph.unit])
    bust = float(_afterwards(table, standing, own, me.entered)[0])
    least = int(own[0]) + max(race.least if me.entered else race.entry, 1)
    rows = np.arange(int(own[0]), max(_top(table, standing, bust), least, reach) + race.graph.reach + 1)
    bank = _afterwards(table, standing, rows, True)[:, None]
    bank[rows < least] = -1.0
    sure = bank[-race.graph.reach - 1 :]
    can_bank = race.graph.bankable[race.graph.start]
    forced = sure if can_bank else (1 - table.ends.risk) * sure + table.ends.risk * bust
    plane = fill_plane(race.graph, bank, forced, np.array([bust]))
    return ShotChances(race, plane, bank, int(own[0]), bust, _is_estimate(table, standing))


def _between_two(table: WinTable, standing: ScoreSituation, reach: int) -> ShotChances:
    race = table.race
    mine, theirs = (_place(race, seat) for seat in standing.seats)
    role = 1 if race.roles == 2 and standing.before(1) else 0
    bust = 1 - table.chances[race.other(role), theirs, mine]
    pairs = Pairs(role, np.array([mine]), np.array([theirs]))
    shots = value_shots(race, table.ends, table.chances, pairs, np.array([bust]), reach)
    return ShotChances(race, shots.plane, shots.bank, shots.low, float(bust), estimate=False)


def _place(race: Race, seat: SeatScore) -> int:
    return 1 + seat.score // race.graph.unit if seat.entered else 0


def _is_final(race: Race, standing: ScoreSituation) -> bool:
    return any(seat.score // race.graph.unit >= race.target for seat in standing.seats)


def _is_estimate(table: WinTable, standing: ScoreSituation) -> bool:
    others = len(standing.seats) - 1
    return others > 1 and not (_is_final(table.race, standing) and len(_due(table.race, standing)) <= 1)


def _due(race: Race, standing: ScoreSituation) -> list[int]:
    """Who still has a shot after that of the player to move, once somebody is at the target."""
    if standing.due is not None:
        return list(standing.due)
    places = range(1, len(standing.seats))
    reached = [place for place in places if standing.seats[place].score // race.graph.unit >= race.target]
    extra = standing.seats[0].score // race.graph.unit >= race.target
    if race.ending == "complete_round" or extra:
        return [place for place in places if not standing.before(place)]
    return list(range(1, min(reached, default=len(standing.seats))))


def _afterwards(table: WinTable, standing: ScoreSituation, rows: Places, entered: bool) -> Floats:
    """The chance to win at the end of the shot, by the score in rows that the player to move has then."""
    if _is_final(table.race, standing):
        return _at_the_end(table, standing, rows)
    inside = rows < table.race.target
    chances = np.empty(len(rows))
    chances[inside] = _going_on(table, standing, rows[inside], entered)
    chances[~inside] = _at_the_end(table, standing, rows[~inside])
    return chances


def _going_on(table: WinTable, standing: ScoreSituation, rows: Places, entered: bool) -> Floats:
    """While nobody is at the target: against each opponent alone, put together."""
    race = table.race
    mine = rows + 1 if entered else np.zeros_like(rows)
    odds = np.zeros(len(rows))
    for place, seat in enumerate(standing.seats[1:], start=1):
        role = 1 if race.roles == 2 and not standing.before(place) else 0
        chance = np.maximum(1 - table.chances[role, _place(race, seat), mine], 1e-12)
        odds += (1 - chance) / chance
    return 1 / (1 + odds)


def _at_the_end(table: WinTable, standing: ScoreSituation, rows: Places) -> Floats:
    """Once somebody is at the target: nobody due may get ahead, and nobody else may be."""
    race, chances = table.race, np.ones(len(rows))
    if race.ending == "at_once" and not _is_final(race, standing):
        return chances
    due = _due(race, standing)
    for place, seat in enumerate(standing.seats[1:], start=1):
        lead = rows - seat.score // race.graph.unit
        if place in due:
            role = 1 if race.roles == 2 and not standing.before(place) else 0
            reply = table.ends.reply[role, int(seat.entered)]
            chances *= np.where(lead < 0, 0.0, 1 - reply[np.clip(lead, 0, len(reply) - 1)])
        else:
            role = 1 if race.roles == 2 and standing.before(place) else 0
            tie = tie_value(race, role, table.ends.extra)
            chances *= np.where(lead > 0, 1.0, np.where(lead == 0, tie, 0.0))
    return chances


def _top(table: WinTable, standing: ScoreSituation, bust: float) -> int:
    """From this score on, in rows, banking is the best."""
    race = table.race
    share = 0.5 * least_risk(race.graph) * (1 - bust) / len(standing.seats)
    tops = [race.target]
    for place, seat in enumerate(standing.seats[1:], start=1):
        replies = table.ends.reply[:, int(seat.entered)].max(axis=0)
        lead = first_below(replies, share) if place in _due(race, standing) else 1
        tops.append(seat.score // race.graph.unit + lead)
    return max(tops)
