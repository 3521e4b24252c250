"""Expected points of a shot that has very many points: from some row on, every value is a straight line in the points.

From that row on, the same choices stay the best for all larger points, and they give the slope and the intercept of
every value. Whether this holds from a given row on is checked, not assumed: a choice that is the best there, and has
the largest slope of all choices, stays the best for ever. So the lines satisfy Bellman's equation for all larger
points.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Self

from game.rules.ruleset import Ruleset
from game.strategy.arrays import Flags, Floats, Indices, np
from game.strategy.turn.graph import STRUCK, Graph, Layer
from game.strategy.turn.positions import ShotEnd

ITERATIONS_MOST = 200
# Value iteration has converged when the lines change by less than this, relatively; slopes this close count as equal.
LINE_TOLERANCE = 1e-10


@dataclass(frozen=True, eq=False)
class Lines:
    """Values that are slope * points + intercept (columns x batch)."""

    slope: Floats
    intercept: Floats

    def at(self, points: Floats | float) -> Floats:
        """Return the values at these points."""
        return self.slope * points + self.intercept


@dataclass(frozen=True)
class PlayerKinds:
    """The kinds of player for whom a shot is valued side by side.

    `streaks`: how many numbers of busts in a row are told apart for a player who has entered, from 0 to the last before
    the row costs; `entry_streaks`: the same for one who has not. `picks_up`: whether players who have picked up are
    kinds of their own.
    """

    streaks: int
    entry_streaks: int
    picks_up: bool

    @classmethod
    def of(cls, ruleset: Ruleset) -> Self:
        """Return the kinds that a ruleset tells apart."""
        streaks = ruleset.bust_streak if ruleset.streak_costs else 1
        return cls(streaks, streaks if ruleset.below_zero == "always" else 1, ruleset.pick_up_cost > 0)

    @property
    def count(self) -> int:
        """The number of kinds."""
        return (self.streaks + self.entry_streaks) * (2 if self.picks_up else 1)

    @property
    def entered(self) -> Flags:
        """Which kinds are of players who have entered."""
        return np.arange(self.count) % (self.streaks + self.entry_streaks) < self.streaks

    @property
    def next(self) -> int:
        """The kind of a next player who picks up: one who has entered and has no busts in a row."""
        return self.place(entered=True, streak=0, picked_up=True)

    def place(self, *, entered: bool, streak: int, picked_up: bool) -> int:
        """Return the place of a kind in a batch."""
        own = min(streak, self.streaks - 1) if entered else self.streaks + min(streak, self.entry_streaks - 1)
        return own + (self.streaks + self.entry_streaks if picked_up and self.picks_up else 0)


@dataclass(frozen=True, eq=False)
class ShotRewards:
    """What a shot is played for, in points; arrays have one entry per kind of player (batch).

    `minimum`: the points needed to bank. `bust`: the value of a bust with nothing gathered; `lost`: what each gathered
    point takes off it; `pays`: 1 for players who pay what busts cost, else 0. `over`: the value of a shot that goes
    beyond an exact target, None where that is a bust. `prize`: the value of a win at once, on top of the points; an
    elimination costs as much. `fresh`: what a shot from fresh dice is worth to the next player, who picks up what is
    left if that is worth more; None where nothing can be picked up. `offers`: what picking up 1 to all dice is worth to
    that player; None where that depends on the points that were banked.
    """

    kinds: PlayerKinds
    minimum: Floats
    bust: Floats
    lost: Floats
    pays: Floats
    over: Floats | None
    prize: float
    fresh: float | None
    offers: Floats | None

    @classmethod
    def of(cls, ruleset: Ruleset, score: int, *, taken: bool) -> Self:
        """Make the rewards under a ruleset, with 0 for the unknowns, which `fill_in` sets.

        `score`: what a player loses to a bust that costs everything. `taken`: whether the next player may pick up.
        """
        kinds = PlayerKinds.of(ruleset)
        entered = kinds.entered
        picked_up = np.arange(kinds.count) >= kinds.streaks + kinds.entry_streaks
        minimum = np.where(entered, ruleset.bank_minimum, ruleset.entry_minimum).astype(np.float64)
        pays = np.where(entered | (ruleset.below_zero == "always"), 1.0, 0.0)
        costs, lost = np.zeros(kinds.count), np.zeros(kinds.count)
        last = [kinds.place(entered=True, streak=kinds.streaks - 1, picked_up=own) for own in (False, True)]
        last += [kinds.place(entered=False, streak=kinds.streaks - 1, picked_up=own) for own in (False, True)]
        if ruleset.bust_streak:
            costs[last] = score if ruleset.bust_cost == "everything" else ruleset.bust_streak_penalty
            lost[last] = ruleset.bust_cost == "shot"
        costs = (costs + np.where(picked_up, ruleset.pick_up_cost, 0)) * pays
        over = np.zeros(kinds.count) if ruleset.exact == "stay" else None
        fixed = taken and isinstance(ruleset.pick_up_worth, int)
        offers = np.zeros(ruleset.dice) if fixed else None
        fresh = 0.0 if taken else None
        return cls(kinds, minimum, -costs, lost * pays, pays, over, float(ruleset.target), fresh, offers)

    def fill_in(self, unknown: Floats) -> Self:
        """Return the rewards with guesses for their unknowns.

        `unknown` holds the worth of one bust in a row and of each larger number, then that of a shot from fresh dice,
        then those of 1 to all dice on offer; the last two only where they matter.
        """
        count = self.kinds.streaks - 1
        bust, over = self.bust.copy(), None if self.over is None else self.over.copy()
        for entered, streaks in ((True, self.kinds.streaks), (False, self.kinds.entry_streaks)):
            for streak in range(min(streaks, count + 1)):
                places = {self.kinds.place(entered=entered, streak=streak, picked_up=own) for own in (False, True)}
                for place in places:
                    if streak < count and streaks > 1:
                        bust[place] += unknown[streak]
                    if over is not None and streak:
                        over[place] = unknown[streak - 1]
        fresh = None if self.fresh is None else float(unknown[count])
        offers = None if self.offers is None else unknown[count + 1 :]
        return replace(self, bust=bust, over=over, fresh=fresh, offers=offers)

    def busts(self, points: Floats) -> Floats:
        """Return the values of a bust (kinds); where each point gathered counts, for all `points` (points x kinds)."""
        return self.bust - self.lost * points[:, None] if self.lost.any() else self.bust

    def end_lines(self, ends: Iterable[ShotEnd]) -> Lines:
        """Return the values of the ends of a shot as lines (ends x kinds)."""
        slopes, constants = [], []
        for end in ends:
            if end.kind == "bust":
                slopes.append(-self.lost)
                constants.append(self.bust - end.cost * self.pays)
            else:
                wins = end.kind == "win"
                slopes.append(np.full(self.kinds.count, float(wins)))
                constants.append(np.full(self.kinds.count, self.prize if wins else -self.prize))
        return Lines(np.array(slopes), np.array(constants))


def linear_tail(graph: Graph, rewards: ShotRewards, points: float) -> tuple[Lines, Lines, bool] | None:
    """Find the values of throwing and of arriving from these points on, by value iteration on lines.

    Returns the two sets of lines, and whether they are proved for all larger points. Returns None if they do not
    converge, because the points are too few for one way to play, or because the values have no bound.
    """
    kinds = len(rewards.bust)
    choices = _list_choices(graph)
    banked = Lines(np.ones((graph.width, kinds)), np.zeros((graph.width, kinds)))
    ends = rewards.end_lines(graph.ends)
    banked.slope[graph.win :], banked.intercept[graph.win :] = ends.slope, ends.intercept
    arriving = banked
    for _ in range(ITERATIONS_MOST):
        throwing = _throw_lines(choices, rewards, arriving, points)
        after, banks_hold = _arrive_lines(graph, rewards, throwing, banked, points)
        slope_change = np.abs(after.slope - arriving.slope).max()
        change = slope_change * points + np.abs(after.intercept - arriving.intercept).max()
        if change < LINE_TOLERANCE * points:
            return throwing, after, banks_hold and all(offered.holds(arriving, points) for offered in choices)
        arriving = after
    return None


@dataclass(frozen=True, eq=False)
class _LayerChoices:
    """The choices of the classes of a layer, each as one of a few lines, because many classes share the same choices.

    `columns`, `gains` (lines): the column that a choice leads to, and the points that it adds. `places`
    (classes x choices): the line of each choice.
    """

    layer: Layer
    columns: Indices
    gains: Floats
    places: Indices

    @classmethod
    def of(cls, graph: Graph, layer: Layer) -> Self:
        choices = layer.choices.T
        columns, offsets = choices % graph.width, graph.offsets
        owner = layer.columns[(layer.weights > 0).argmax(axis=0)]
        gains = choices // graph.width * graph.unit + offsets[columns] - offsets[owner][:, None]
        lines, places = np.unique(gains * graph.width + columns, return_inverse=True)
        far = (lines // graph.width).astype(np.float64)[:, None]
        return cls(layer, lines % graph.width, far, places.reshape(choices.shape))

    def find_best(self, arriving: Lines, points: float) -> tuple[Floats, Floats]:
        """Return the slope and the intercept (classes x kinds) of the best choice at these points."""
        slope = arriving.slope[self.columns]
        intercept = arriving.intercept[self.columns] + slope * self.gains
        offered = (slope * points + intercept).T.take(self.places, axis=1)
        best = np.take_along_axis(self.places, offered.argmax(axis=2).T.copy(), axis=1)
        kinds = np.arange(slope.shape[1])
        return slope[best, kinds], intercept[best, kinds]

    def holds(self, arriving: Lines, points: float) -> bool:
        """Tell whether the best choices at these points are the best for all larger points, too."""
        if not self.layer.ranks:
            return True
        steepest = arriving.slope[self.columns].T.take(self.places, axis=1).max(axis=2)
        slope, _ = self.find_best(arriving, points)
        return bool((slope >= steepest.T - LINE_TOLERANCE).all())


@lru_cache(maxsize=4)
def _list_choices(graph: Graph) -> tuple[_LayerChoices, ...]:
    """Return the choices of all layers; cached, because lines are looked for from more and more points on."""
    return tuple(_LayerChoices.of(graph, layer) for layer in graph.layers)


def _throw_lines(choices: Sequence[_LayerChoices], rewards: ShotRewards, arriving: Lines, points: float) -> Lines:
    """Compute the lines of throwing, by the choices that are the best at these points."""
    throwing = Lines(arriving.slope.copy(), arriving.intercept.copy())
    for offered in choices:
        layer = offered.layer
        if not layer.ranks:
            throwing.slope[layer.columns] = 0.0
            throwing.intercept[layer.columns] = STRUCK if layer.is_spent else rewards.bust
            continue
        slope, constant = offered.find_best(arriving, points)
        struck = constant < STRUCK / 2
        slope, constant = np.where(struck, -rewards.lost, slope), np.where(struck, rewards.bust, constant)
        throwing.slope[layer.columns] = layer.weights @ slope
        throwing.intercept[layer.columns] = layer.weights @ constant + layer.bust[:, None] * rewards.bust
    return throwing


def _arrive_lines(
    graph: Graph, rewards: ShotRewards, throwing: Lines, banked: Lines, points: float
) -> tuple[Lines, bool]:
    """Compute the lines of arriving, where the shot may also be banked.

    Second, return whether the choice between banking and throwing stays the same for all larger points.
    """
    slope, intercept = banked.slope, banked.intercept
    if rewards.offers is not None and rewards.fresh is not None:
        intercept = intercept - np.maximum(rewards.offers[graph.offers] - rewards.fresh, 0.0)[:, None]
    elif rewards.fresh is not None:
        taken = Lines(throwing.slope[graph.offers], throwing.intercept[graph.offers])
        taken = Lines(taken.slope[:, [rewards.kinds.next]], taken.intercept[:, [rewards.kinds.next]])
        picked_up = taken.at(points) > rewards.fresh
        slope = slope - np.where(picked_up, taken.slope, 0.0)
        intercept = intercept - np.where(picked_up, taken.intercept - rewards.fresh, 0.0)
    banks = graph.bankable[:, None] & (slope * points + intercept >= throwing.at(points))
    steeper = np.where(banks, throwing.slope - slope, slope - throwing.slope)
    holds = bool((steeper[graph.bankable] <= LINE_TOLERANCE).all())
    after = Lines(np.where(banks, slope, throwing.slope), np.where(banks, intercept, throwing.intercept))
    after.slope[graph.win :], after.intercept[graph.win :] = banked.slope[graph.win :], banked.intercept[graph.win :]
    return after, holds
