"""Finds chances that would come out the same, where all sums are solved repeatedly because busts cost points.

The value of a shot follows from the chances after its banks and its busts. It changes by no more than these do, each
weighted by how likely the shot is to lead there. A change that is too small to count is remembered as owed, until it
counts together with others.
"""

from game.strategy.arrays import Flags, Floats, np
from game.strategy.win.endgame import chances_of_points
from game.strategy.win.grid import ScorePairs
from game.strategy.win.race import Race

# A shot is valued again if its chance may have changed by more than this.
OWED_MOST = 8e-7


def can_settle(race: Race) -> bool:
    """Return whether the busts of a shot lead to only a few places, because they cost the same after each throw."""
    return race.streaks > 1 and race.graph.ruleset.bust_cost != "shot"


class Settling:
    """What has changed since the chances (planes x places x places) were last solved.

    `guess`: the chances with which all sums were last begun. `outcome`: the chances that came out last. `moved`: how
    far the chances are from those with which shots were valued before; in sums not solved yet, the chances are guesses.
    `owed`: by how much at most shots may have changed that were not valued again. `tail`: from `chances_of_points`.
    """

    def __init__(self, race: Race, guess: Floats) -> None:
        self.race, self.guess, self.outcome, self.tail = race, guess.copy(), guess.copy(), chances_of_points(race)
        # Before the first pass no shot has been valued, so all have to be.
        self.moved, self.owed = np.zeros_like(guess), np.ones_like(guess)

    def begin(self, guess: Floats) -> None:
        """Begin a pass over all sums, with this guess."""
        np.abs(guess - self.guess, out=self.moved)
        self.guess[:] = guess

    def find_changed(self, pairs: ScorePairs) -> Flags:
        """Return which of these shots from fresh dice have to be valued again."""
        race, plane, other = self.race, pairs.plane, pairs.other
        entered, score, streak = race.has_entered(pairs.own), race.score_at(pairs.own), race.streak_of(plane)
        # The largest change among the ends of the shot without a bank.
        without = np.zeros(len(plane))
        for cost in {0, *(end.cost for end in race.graph.ends)}:
            left = race.place_of(race.score_after_bust(score, entered, streak, cost), entered)
            np.maximum(without, self.moved[race.plane_after_bust(plane, entered), other, left], out=without)
        if race.tells_over:
            np.maximum(without, self.moved[race.plane_after_over(plane), other, pairs.own], out=without)
        # A large change at many points counts only as often as a shot makes that many points.
        places = np.arange(race.places)
        gains = race.score_at(places) - score[:, None]
        banked = self.moved[race.plane_after_bank(plane), other] * ((gains > 0) & race.has_entered(places))
        most = np.maximum.accumulate(np.column_stack([without, banked]), axis=1)
        likely = self.tail[np.clip(gains, 0, len(self.tail) - 1)]
        self.owed[plane, pairs.own, other] += without + (np.diff(most) * likely).sum(axis=1)
        return self.owed[plane, pairs.own, other] > OWED_MOST

    def note_values(self, pairs: ScorePairs, values: Floats, changed: Flags) -> None:
        """Record the values that came out; shots that have not `changed` were not valued again."""
        at = pairs.plane, pairs.own, pairs.other
        self.moved[at] = np.abs(values - self.outcome[at])
        self.outcome[at] = values
        self.owed[at] = np.where(changed, 0.0, self.owed[at])
