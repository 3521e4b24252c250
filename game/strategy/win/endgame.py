"""The end of a game of two: the chance that a last shot wins, by the points that are missing.

Here all points are counted in rows of the graph's unit, and all chances are 0 to 1. A shared win counts one half.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self

from game.strategy.arrays import Floats, Indices, np
from game.strategy.turn.fixed_point import guess_next
from game.strategy.turn.graph import Graph
from game.strategy.win.race import SAFE_LEAD, Race
from game.strategy.win.shot_values import fill_values, must_throw_sweeps, throws_after_sweep, value_ends

# The chance of the first player in an extra round is found to within this much, in at most this many iterations.
EXTRA_ROUND_TOLERANCE, EXTRA_ROUND_ITERATIONS = 1e-14, 100


@dataclass(frozen=True, eq=False)
class Endgame:
    """The chances to win in the final round.

    In all shapes, "entered" is 0 for a player who has not entered and 1 for one who has.

    `reply` (roles x entered x rows): the chance of the player who has the last shot, by the rows that are missing to
    catch up; the last entry stands for all larger numbers. `forced` (same shape, by the rows of the lead): the chance
    of a leader who throws six dice after a sweep and then banks as soon as possible, without what a bust contributes,
    which is `risk` times the value of a bust. `extra`: the chance of the first player in an extra round. `taken`
    (roles x entered x 2 x dice x rows), where dice are picked up: the chance of a last shot that begins with 1 to all
    dice on offer, by the rows that are missing beyond the points of the offer; first without, then with the value of a
    tie.

    Where a tie leaves dice on offer to the first player, the value of the tie depends on them. `level` (points x dice):
    the chance of the player who begins an extra round with that offer. `behind` (entered x leads x points x dice): the
    chance of a second player whose last shot begins with dice on offer, by the lead of the other player, from 0 on; it
    then replaces `taken`.
    """

    reply: Floats
    forced: Floats
    risk: float
    extra: float
    taken: Floats = field(default_factory=lambda: np.zeros((1, 2, 2, 1, 1)))
    level: Floats = field(default_factory=lambda: np.zeros((0, 1)))
    behind: Floats = field(default_factory=lambda: np.zeros((2, 1, 0, 1)))

    @property
    def knows_ties(self) -> bool:
        """Whether a tie may leave dice on offer."""
        return self.level.size > 0

    def values_of_ties(self, points: Indices) -> Floats:
        """Return the chances (… x dice) of the player who begins an extra round with each offer.

        `points`: those that were banked, in rows.
        """
        return self.level[np.clip(points, 1, len(self.level)) - 1]


def solve_endgame(race: Race, rows_most: int | None = None, extra: float | None = None) -> Endgame:
    """Solve the final round of a race. Takes up to 2 s.

    Races without one take no time: where the first at the target wins at once, and where a number of rounds ends the
    game. `rows_most`: a lead, in rows, that is assumed to be safe. `extra`: as in `Endgame`, if it is known already.
    """
    if race.ending == "rounds":
        return Endgame(np.zeros((1, 2, 1)), np.zeros((1, 2, 1)), 0.0, 0.0)
    rows = 1 if race.ending == "at_once" else race.safe_lead
    rows = race.target + race.floor if race.is_exact and rows > 1 else min(rows, rows_most or rows)
    if extra is None:
        extra = float(_solve_extra_round(race, rows)[0, 0]) if race.plays_ties_out else 0.0
    reply = np.zeros((race.roles, 2, rows + 1))
    if race.ending != "at_once":
        for role in range(race.roles):
            tie = tie_value(race, role, extra)
            solve = _solve_exact_reply if race.is_exact else _solve_reply
            reply[role] = [solve(race, entered, tie, rows) for entered in (False, True)]
        if race.ending == "complete_round":
            reply[0] = 0.0
    if not race.is_exact:
        reply[..., -1] = 0.0
    forced, risk = _solve_forced(race, reply) if throws_after_sweep(race.graph) else (np.zeros(reply.shape), 0.0)
    offers = {"taken": _solve_taken(race, rows, extra)} if race.has_offers else {}
    return Endgame(reply, forced, risk, extra, **offers)


def _solve_taken(race: Race, rows: int, extra: float) -> Floats:
    """Compute `Endgame.taken` for leads of up to this many rows; `extra`: as in `Endgame`."""
    taken = np.zeros((race.roles, 2, 2, race.graph.ruleset.dice, rows + 1))
    first = 1 if race.ending == "complete_round" else 0
    for role in range(first, race.roles if race.ending != "at_once" else 0):
        for entered in (0, 1):
            for ties in (0, 1):
                tie = tie_value(race, role, extra) if ties else -1.0 if race.is_exact else 0.0
                bank = np.zeros((rows + race.graph.reach + 2, 1))
                bank[rows] = tie
                bank[rows + 1 :] = 1.0
                taken[role, entered, ties] = _value_takings(race, bank, rows)[:, race.plain_columns(bool(entered))].T
    return taken


def _value_takings(race: Race, bank: Floats, rows: int) -> Floats:
    """Compute the values of throwing (rows missing x columns).

    `bank` (rows x 1): the values of banking; a bank to row `rows` catches up.
    """
    thrown, target = np.zeros((len(bank), race.graph.width, 1)), rows if race.is_exact else None
    values = np.empty((rows + 1, race.graph.width))
    period = race.graph.period
    # The step counts the points of an offer, too; where they are those that were banked, they are a multiple of it.
    begins = np.arange(len(bank)) + race.offer_worth
    for first in range(period):
        allowed = np.where(((begins - first) % period == 0)[:, None], bank, -1.0)
        if target is not None:
            allowed[target] = bank[target]
        fill_values(race.graph, allowed, np.zeros(1), target=target, thrown=thrown)
        here = np.arange(first, rows + 1, period)
        values[rows - here] = thrown[here, :, 0]
    return values


def tie_value(race: Race, role: int, extra: float) -> float:
    """Return the value of a tie to the player in this role; `extra`: as in `Endgame`."""
    played_out = extra if role == 0 else 1 - extra
    return {"leader_stands": 0.0, "shared": 0.5, "extra_rounds": played_out, "tied_only": played_out}[race.tie]


def _solve_exact_reply(race: Race, entered: bool, tie: float, rows: int) -> Floats:
    """Compute the chance to win of a last shot that has to make exactly the rows missing, from 0 to `rows` of them."""
    chances = _exact_value(race, entered, tie, rows)
    if not entered:
        least = min(race.entry, rows + 1)
        chances[:least] = _exact_value(race, entered, -1.0, rows)[:least]
    return chances


def _exact_value(race: Race, entered: bool, tie: float, rows: int) -> Floats:
    """Compute the value of throwing all dice, by the rows missing, where only a bank of exactly these has a value.

    That bank is worth `tie`, which is -1 where it is not allowed.
    """
    bank = np.zeros((rows + race.graph.reach + 2, 1))
    bank[rows] = tie
    values = fill_values(race.graph, bank, np.zeros(1), target=rows)
    return values[: rows + 1, race.graph.start_column(entered), 0][::-1].copy()


def _solve_reply(race: Race, entered: bool, tie: float, rows: int) -> Floats:
    """Compute the chance to win of a last shot, by the rows missing. With 0, as in an extra round, a bust is a tie."""
    minimum = race.least if entered else race.entry
    chances = _overtake_chances(race, entered, tie, rows)
    if minimum > 1:
        chances[: min(minimum, rows)] = _overtake_chances(race, entered, 0.0, rows)[min(minimum - 1, rows)]
    if tie:
        bank = np.where(np.arange(rows + 1) >= max(minimum, 1), 1.0, -1.0)
        chances[0] = _shot_value(race, entered, bank, tie)[0]
    return chances


def _overtake_chances(race: Race, entered: bool, tie: float, rows: int) -> Floats:
    """Compute the chance to bank more than 0 to `rows` rows; a bank of exactly this many is worth `tie`."""
    bank = np.zeros(rows + 1)
    bank[rows] = tie
    # Which rows are multiples of a step depends on the row in which the shot began, so solve once for each remainder.
    period = min(race.graph.period, rows + 1)
    worth = [_shot_value(race, entered, bank, 0.0, first) for first in range(period)]
    return np.array([worth[row % period][row] for row in range(rows, -1, -1)])


def chances_of_points(race: Race) -> Floats:
    """Return upper bounds of the chance that a shot makes this many rows or more, from 0 rows to the target."""
    chances = [_overtake_chances(race, entered, 0.0, race.target) for entered in (False, True)]
    return np.append(1.0, np.max(chances, axis=0)[:-1])


def _shot_value(
    race: Race, entered: bool, bank: Floats, bust: float, first: int = 0, after: Callable[[int], float] | None = None
) -> Floats:
    """Compute the value of throwing all dice, by the rows gathered, given the values of banking and of a bust.

    `bank` (rows): the values of banking, -1 where that is not allowed; beyond these rows a bank is worth 1. `first`: a
    row in which the shot begins, from which multiples of a step are counted. `after`: gives the value of a bust by the
    points that its dice cost, where busts differ.
    """
    graph = race.graph
    banks = np.append(bank, np.ones(graph.reach + 1))
    banks[(np.arange(len(banks)) - first) % graph.period != 0] = -1.0
    forced = np.full((graph.reach + 1, 1), ForcedThrow.of(graph).value(bust)) if must_throw_sweeps(graph) else None
    ends = value_ends(graph, len(banks), 1, after) if after else None
    values = fill_values(graph, banks[:, None], np.array([bust]), forced=forced, begins=np.array([first]), ends=ends)
    return values[: len(bank), race.graph.start_column(entered), 0]


def _solve_extra_round(race: Race, rows: int) -> Floats:
    """Compute the chance of the first player when an extra round begins: the scores are equal, and both have one shot.

    The result has an axis for the busts in a row of each of the two, the first player first. Scores are assumed to be
    larger than what busts cost.
    """

    def begin_again(extra: Floats) -> Floats:
        reply = _solve_reply(race, True, 1 - float(extra[0, 0]), rows)
        bank = np.where(np.arange(rows + 1) >= max(race.least, 1), 1 - reply, -1.0)

        def begin(mine: int, theirs: int) -> float:
            def after(cost: int) -> float:
                left = -_count_lost_rows(race, mine, cost)
                return 1 - value_level_reply(race, extra, left, ((mine + 1) % race.streaks, theirs))

            return float(_shot_value(race, True, bank, after(0), after=after)[0])

        return np.array([[begin(mine, theirs) for theirs in range(race.streaks)] for mine in range(race.streaks)])

    return _find_fixed_point(begin_again, (race.streaks, race.streaks))


def value_level_reply(race: Race, extra: Floats, lead: int, streaks: tuple[int, int]) -> float:
    """Return the chance of the second player of an extra round if the first has gained nothing.

    `extra` (busts in a row of the first player x of the second): the chance of the first player in the next extra
    round. `lead`: that of the first player, in rows: 0, or less if a bust cost points. `streaks`: the busts in a row of
    the first player, this shot included, and of the second.
    """
    bank = np.where(np.arange(race.least + 2) >= max(race.least, 1), 1.0, -1.0)

    def after(cost: int) -> float:
        left = -_count_lost_rows(race, streaks[1], cost)
        tie = 1 - float(extra[streaks[0], (streaks[1] + 1) % race.streaks])
        return tie if left == lead else float(left > lead)

    return float(_shot_value(race, True, bank, after(0), after=after)[0])


def _count_lost_rows(race: Race, streak: int, cost: int) -> int:
    """Return how many rows a bust takes off a high score; `streak` and `cost` as in `Race.score_after_bust`."""
    high = np.array(SAFE_LEAD)
    return int(high - race.score_after_bust(high, np.array([True]), np.array(streak), cost)[0])


def _find_fixed_point(begin_again: Callable[[Floats], Floats], shape: tuple[int, ...]) -> Floats:
    """Return the chances of this shape that `begin_again` returns unchanged."""
    chances, history = np.full(shape, 0.5), list[tuple[Floats, Floats]]()
    for _ in range(EXTRA_ROUND_ITERATIONS):
        after = begin_again(chances)
        history = [*history[-chances.size :], (chances, after)]
        if np.abs(after - chances).max() < EXTRA_ROUND_TOLERANCE:
            break
        chances = guess_next(history)
    return chances


def find_extra_chances(race: Race) -> tuple[float, Floats]:
    """Find the chances of the first player where scores are equal at the end: if nobody has entered, and if both have.

    The second has an axis for the busts in a row of each player, as the extra rounds depend on them.
    """
    if not race.plays_ties_out:
        tie = tie_value(race, 0, 0.0)
        return tie, np.full((race.streaks, race.streaks), tie)
    both = _solve_extra_round(race, race.safe_lead)
    reply = _solve_reply(race, False, 1 - float(both[0, 0]), race.safe_lead)
    enough = np.arange(race.safe_lead + 1) >= max(race.entry, 1)
    bank, reach = np.where(enough, 1 - reply, -1.0), np.where(enough, 1.0, -1.0)

    def begin_again(chance: Floats) -> Floats:
        # After two busts it begins again in the same way; if both bank the same, both have entered.
        level = _shot_value(race, False, reach, 1 - float(chance[0]))[0]
        return np.array([_shot_value(race, False, bank, 1 - float(level))[0]])

    return float(_find_fixed_point(begin_again, (1,))[0]), both


@dataclass(frozen=True, eq=False)
class ForcedThrow:
    """A throw of six dice after a sweep, by a player who otherwise banks as soon as possible.

    `banks`: (chance, rise in rows) of each class of throws that is banked; a win counts as a rise beyond any lead.
    `sweeps`: (chance, rise in rows) of each that sweeps again. `either`: (chance, rise of the bank, rise of the sweep)
    of each that leaves the choice, where six dice never bust; where they may, a bank is assumed to be better. `bust`:
    the chance of a bust by one throw.
    """

    banks: tuple[tuple[float, int], ...]
    sweeps: tuple[tuple[float, int], ...]
    either: tuple[tuple[float, int, int], ...]
    bust: float

    @classmethod
    def of(cls, graph: Graph) -> Self:
        """Make it from the choices that the graph has for six dice."""
        layer, place = graph.layer_of[graph.start]
        weights = layer.weights[place]
        banks: list[tuple[float, int]] = []
        sweeps: list[tuple[float, int]] = []
        either: list[tuple[float, int, int]] = []
        for number in np.flatnonzero(weights):
            choices = [divmod(int(choice), graph.width) for choice in layer.choices[:, number]]
            free = [rise for rise, column in choices if graph.bankable[column] and column != graph.start]
            free += [SAFE_LEAD for _, column in choices if column == graph.win]
            swept = [rise for rise, column in choices if column == graph.start]
            if free and swept and graph.never_busts:
                either.append((float(weights[number]), max(free), max(swept)))
            else:
                (banks if free else sweeps).append((float(weights[number]), max(free or swept)))
        return cls(tuple(banks), tuple(sweeps), tuple(either), graph.bust_chance_at_once(graph.start))

    @property
    def risk(self) -> float:
        """The chance, 0 to 1, that it ends in a bust, after any number of sweeps."""
        return self.bust / (1 - sum(chance for chance, _ in self.sweeps))

    def value(self, bust: float) -> float:
        """Return the value of the throw where every bank wins and a bust is worth `bust`."""
        return 1 - self.risk + self.risk * bust


def _solve_forced(race: Race, reply: Floats) -> tuple[Floats, float]:
    """Compute `Endgame.forced` and `Endgame.risk`."""
    throw = ForcedThrow.of(race.graph)
    most = reply.shape[-1] - 1
    forced = np.full(reply.shape, 1 - throw.risk)
    leads = np.arange(most)
    banks = (chance * (1 - reply[..., np.minimum(leads + rise, most)]) for chance, rise in throw.banks)
    banked = sum(banks, np.zeros_like(reply[..., :most]))
    for lead in range(most - 1, -1, -1):
        again = sum(chance * forced[..., min(lead + rise, most)] for chance, rise in throw.sweeps)
        for chance, rise, sweep in throw.either:
            kept = 1 - reply[..., min(lead + rise, most)]
            again = again + chance * np.maximum(kept, forced[..., min(lead + sweep, most)])
        forced[..., lead] = banked[..., lead] + again
    return forced, throw.risk
