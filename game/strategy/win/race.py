"""A game of two as its solver sees it: where scores have their places, and which rulesets have a table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from game.rules.marking import gettext_noop
from game.rules.ruleset import Ending, Ruleset, TieRule
from game.strategy.arrays import Flags, Indices, np
from game.strategy.turn.graph import Graph, build_graph
from game.strategy.turn.positions import is_shot_split

# A table for shots with more positions than this would take hours.
POSITIONS_MOST = 120
# A lead of this many points is taken to be safe from one last shot (its chance is below one in a billion).
SAFE_LEAD = 60_000
# Tables have at most this many chances, of 8 bytes each.
CHANCES_MOST = 20_000_000
# Where scores fall below 0, the lowest with a place is this part of the target below it, and two costs more.
FLOOR_PART = 4
UNKNOWN = gettext_noop("Under these rules the chance to win is not known; expected points are.")


class NoTable(ValueError):
    """The chance to win is not solved for this ruleset: the table would need more than two scores."""


@dataclass(frozen=True, eq=False)
class Race:
    """A game of two as its solver sees it. `target`, `entry` and `least` (the bank minimum) in rows, rounded up.

    The chances make a plane of both scores for each role of the player to move and, where several busts in a row cost
    points, for each number of busts that either of the two has in a row.
    """

    graph: Graph
    target: int
    entry: int
    least: int
    ending: Ending
    tie: TieRule

    @property
    def roles(self) -> int:
        """2 where it matters whether the player to move is the first (0) or the second (1) of the order, else 1."""
        extra = self.ending == "last_shot_each" and self.plays_ties_out
        return 2 if self.ending == "complete_round" or extra else 1

    @property
    def plays_ties_out(self) -> bool:
        """Whether extra rounds follow a shared highest score. Two who share it are all of two players."""
        return self.tie in ("extra_rounds", "tied_only")

    @property
    def is_exact(self) -> bool:
        """Whether only the target itself is reached."""
        return self.graph.ruleset.exact != "no"

    @property
    def costs(self) -> tuple[int, ...]:
        """What busts can take off a score beside what the shot had gathered or everything, in points."""
        rules = self.graph.ruleset
        row = rules.bust_streak_penalty if rules.bust_streak else 0
        return tuple(cost for cost in (row, rules.pick_up_cost, *(end.cost for end in self.graph.ends)) if cost)

    @property
    def may_fall(self) -> bool:
        """Whether a bust can take points off a score, so that what comes after does not only depend on larger ones."""
        return may_cost_points(self.graph.ruleset)

    @cached_property
    def streaks(self) -> int:
        """How many numbers of busts in a row are told apart: as many as make a row that costs points; else 1."""
        return self.graph.ruleset.bust_streak if does_row_cost(self.graph.ruleset) else 1

    @property
    def planes(self) -> int:
        """How many planes of scores there are."""
        return self.roles * self.streaks**2

    def plane(self, role: int, own_streak: int = 0, other_streak: int = 0) -> int:
        """Return the plane of a player in this role, by the busts that both have in a row."""
        rows = (streak % self.streaks for streak in (own_streak, other_streak))
        return int(np.ravel_multi_index((role, *rows), (self.roles, self.streaks, self.streaks)))

    def streak_of(self, plane: Indices) -> Indices:
        """Return how many busts in a row the players to move have in these planes."""
        streak: Indices = plane // self.streaks % self.streaks
        return streak

    def plane_after_bank(self, plane: Indices) -> Indices:
        """Return the planes in which the other player moves after a bank."""
        others = self.roles - 1 - plane // self.streaks**2
        after: Indices = (others * self.streaks + plane % self.streaks) * self.streaks
        return after

    def plane_after_bust(self, plane: Indices, entered: Flags) -> Indices:
        """Return the planes in which the other player moves after a bust; nobody counts one before entering."""
        after: Indices = self.plane_after_bank(plane) + (self.streak_of(plane) + self.pays(entered)) % self.streaks
        return after

    def plane_after_over(self, plane: Indices) -> Indices:
        """Return the planes in which the other player moves after a shot that is over, which counts no bust."""
        after: Indices = self.plane_after_bank(plane) + self.streak_of(plane)
        return after

    @property
    def tells_over(self) -> bool:
        """Whether a shot that is over beyond an exact target is worth something else than a bust."""
        rules = self.graph.ruleset
        return rules.exact == "stay" and (does_row_cost(rules) or rules.pick_up_cost > 0)

    @cached_property
    def floor(self) -> int:
        """How far below 0 there are places for scores, in rows; lower ones hardly come about and count as the last."""
        rules = self.graph.ruleset
        if rules.below_zero == "never" or not self.may_fall:
            return 0
        if self.ending == "rounds":
            return SAFE_LEAD // self.graph.unit  # only leads have places
        return self.target // FLOOR_PART + 2 * max(self.costs, default=0) // self.graph.unit

    @cached_property
    def enters_alike(self) -> bool:
        """Whether who has not entered stands where an entered player with the same score does."""
        rules = self.graph.ruleset
        return rules.below_zero == "always" and not asks_more_of_entry(rules)

    @cached_property
    def entry_places(self) -> int:
        """How many places there are for who has not entered: one, or those of the scores from the floor to 0."""
        return 1 if self.enters_alike or self.graph.ruleset.below_zero != "always" else self.floor + 1

    @property
    def places(self) -> int:
        """How many places each axis of a plane has."""
        return self.entry_places + self.target + self.floor

    def place_of(self, score: Indices, entered: Flags) -> Indices:
        """Return the places of scores, in rows; those of who has not entered come first."""
        above, last = np.maximum(score + self.floor, 0), self.entry_places - 1
        place: Indices = np.where(entered | self.enters_alike, 1 + last + above, np.minimum(above, last))
        return place

    def score_at(self, place: Indices) -> Indices:
        """Return the scores at these places, in rows."""
        last = self.entry_places - 1
        score: Indices = np.where(place > last, place - 1 - self.floor, place) - last
        return score

    def has_entered(self, place: Indices) -> Flags:
        """Return who has entered, by the places of their scores."""
        entered: Flags = place >= self.entry_places
        return entered

    def pays(self, entered: Flags) -> Flags:
        """Return who pays for a bust."""
        everybody = self.graph.ruleset.below_zero == "always"
        return np.full_like(entered, fill_value=True) if everybody else entered

    def score_after_bust(
        self, own: Indices, entered: Flags, streak: Indices, cost: int = 0, gathered: Indices | int = 0
    ) -> Indices:
        """Return the scores after a bust, in rows.

        `streak`: the busts in a row before it; `cost`: in points, of the bust itself; `gathered`: the rows of the shot
        before the throw that bust.
        """
        rules = self.graph.ruleset
        lost, ends_row = np.asarray(cost // self.graph.unit), streak + 1 == self.streaks
        if rules.bust_streak:
            row = gathered if rules.bust_cost == "shot" else rules.bust_streak_penalty // self.graph.unit
            lost = lost + np.where(ends_row, row, 0)
        left: Indices = np.maximum(own - lost, -self.floor)
        if rules.bust_cost == "everything":
            left = np.where(ends_row, np.minimum(left, 0), left)
        return np.where(self.pays(entered), left, own)

    @property
    def has_offers(self) -> bool:
        """Whether dice are picked up, and what they are worth can be solved."""
        settles = self.graph.period <= self.graph.reach
        return self.graph.ruleset.pick_up and settles and not asks_more_of_offers(self.graph.ruleset)

    @property
    def counts_brought(self) -> bool:
        """Whether a bust costs what a shot has gathered, but not the points with which it began."""
        rules = self.graph.ruleset
        return self.has_offers and does_row_cost(rules) and rules.bust_cost == "shot"

    @property
    def offer_kinds(self) -> int:
        """How many kinds of players there are who pick up: by role, and by their busts in a row."""
        return self.roles * self.streaks

    def offer_kind(self, plane: Indices) -> Indices:
        """Return which kind of player picks up in these planes; whoever leaves dice has no busts in a row."""
        kind: Indices = plane // self.streaks
        return kind

    @property
    def offer_worth(self) -> int:
        """The points with which who picks up begins, in rows; 0 where they are those that were banked."""
        worth = self.graph.ruleset.pick_up_worth
        return worth // self.graph.unit if isinstance(worth, int) and self.has_offers else 0

    def plain_columns(self, entered: bool) -> Indices:
        """Return the columns of 1 to all dice, as a shot begins that picks them up."""
        dice = range(1, self.graph.ruleset.dice + 1)
        return np.array([self.graph.plain_column(left, entered=entered) for left in dice], dtype=np.intp)

    def start(self, entered: bool) -> int:
        """Return the column in which a shot with all dice begins."""
        return self.graph.start if entered else self.graph.entry_start

    def other(self, plane: Indices) -> Indices:
        """Return the roles of the opponents of the players to move in these planes."""
        role: Indices = self.roles - 1 - plane // self.streaks**2
        return role


def make_race(ruleset: Ruleset, target: int) -> Race:
    """Make the race to a target.

    Raises `NoTable` for costs and for pick-up where more counts than the table can know (`asks_more_of_costs`,
    `asks_more_of_offers`); for shots of more than `POSITIONS_MOST` positions, and for more than `CHANCES_MOST` chances.
    """
    if never_has_table(ruleset):
        raise NoTable(UNKNOWN)
    race = make_plain_race(ruleset, target)
    if (ruleset.pick_up and not race.has_offers) or any(cost % race.graph.unit for cost in race.costs):
        raise NoTable(UNKNOWN)
    if len(race.graph.positions) > POSITIONS_MOST:
        raise NoTable(gettext_noop("Under these rules a turn has too many positions to solve the chance to win."))
    if race.planes * race.places**2 > CHANCES_MOST and race.ending != "rounds":
        raise NoTable(gettext_noop("Under these rules there are too many scores to solve the chance to win."))
    return race


def never_has_table(ruleset: Ruleset) -> bool:
    """Tell whether the settings alone rule a table out. Takes no time, where `make_race` may take a second."""
    costs = may_cost_points(ruleset) and asks_more_of_costs(ruleset)
    return costs or (ruleset.pick_up and asks_more_of_offers(ruleset))


def asks_more_of_costs(ruleset: Ruleset) -> bool:
    """Return whether what a tie is worth depends on more than the two scores, because busts cost points.

    Two busts that cost points can bring both players of an extra round below the target again, which calls it off: what
    a tie is worth would depend on how far above the target it is, and on the table that is being solved. With a cost of
    500 points, to where hardly anybody loses it twice in a row, that would be some 40 replies of each of the two
    players in place of one, for every pair of busts in a row, anew in each of the rounds in which the table settles;
    and a live extra round would have a score of its own. Where rounds end the game nothing is called off, but only
    leads count in extra rounds, which is not enough where a bust costs what somebody has, or costs those who have not
    entered.
    """
    open_ended = ruleset.bust_cost != "fixed" or ruleset.below_zero == "always"
    return plays_ties_out(ruleset) and (ruleset.ending != "rounds" or open_ended)


def asks_more_of_entry(ruleset: Ruleset) -> bool:
    """Return whether the entry asks for something else than later banks, or lets dice be picked up."""
    picks_up = ruleset.pick_up and ruleset.pick_up_by == "entered"
    return ruleset.entry_minimum != ruleset.bank_minimum or is_shot_split(ruleset) or picks_up


def asks_more_of_offers(ruleset: Ruleset) -> bool:
    """Return whether more counts of dice on offer than their number, their points and the two scores.

    Where rounds end the game an offer is worth something else for each number of turns left and each lead: 20 turns x
    1,400 leads x 200 points x 6 dice are 35 million chances, or 140 MB. Where busts cost points as well, the lower
    score counts, too: for a cost of 500 points that is 40 times as much.
    """
    return ruleset.ending == "rounds" and may_cost_points(ruleset)


def plays_ties_out(ruleset: Ruleset) -> bool:
    """Return whether extra rounds can follow the end of the game; the first at the target has nobody to tie with."""
    return ruleset.tie in ("extra_rounds", "tied_only") and ruleset.ending != "at_once"


def may_cost_points(ruleset: Ruleset) -> bool:
    """Return whether a bust can take points off a score."""
    patterns = any(made.cost for made in ruleset.combinations)
    return bool(does_row_cost(ruleset) or ruleset.nothing_cost or ruleset.pick_up_cost or patterns)


def does_row_cost(ruleset: Ruleset) -> bool:
    """Return whether busts in a row, or each of them, cost points."""
    return bool(ruleset.bust_streak and (ruleset.bust_streak_penalty or ruleset.bust_cost != "fixed"))


def make_plain_race(ruleset: Ruleset, target: int) -> Race:
    """Make the race to a target as if nobody picked up dice and a bust cost nothing."""
    graph = build_graph(ruleset)
    rows, entry, least = (-(-points // graph.unit) for points in (target, ruleset.entry_minimum, ruleset.bank_minimum))
    return Race(graph, rows, entry, least, ruleset.ending, ruleset.tie)
