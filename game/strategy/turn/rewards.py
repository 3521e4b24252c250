"""What a shot is played for, in points, for each kind of player."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

from game.rules.ruleset import Ruleset
from game.strategy.arrays import Flags, Floats, np
from game.strategy.turn.positions import ShotEnd


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
            for streak in range(streaks):
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
