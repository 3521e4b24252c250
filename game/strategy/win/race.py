"""A game of two as the solver sees it: which places scores have in a table, and which rulesets have one."""

from dataclasses import dataclass
from functools import cached_property

from game.rules.marking import gettext_noop
from game.rules.ruleset import Ending, Ruleset, TieRule
from game.strategy.arrays import Flags, Indices, np
from game.strategy.turn.graph import Graph, build_graph
from game.strategy.turn.positions import NoBestPlay, is_shot_split

# A table for shots with more positions than this would take hours.
POSITIONS_MOST = 120
# A lead of this many points is assumed to be safe from one last shot (whose chance is below one in a billion).
SAFE_LEAD = 60_000
# No score ever falls this many points below 0, not in the longest game file.
NEVER_SO_LOW = 10**12
# Tables have at most this many chances, of 8 bytes each.
CHANCES_MOST = 20_000_000
# Where scores fall below 0, the lowest score with a place is -(target / this + twice the largest cost).
FLOOR_PART = 4
UNKNOWN = gettext_noop("Under these rules the chance to win is not known; expected points are.")


class NoTable(ValueError):
    """The chance to win is not solved for this ruleset: a table would need more than two scores, or be too large."""


@dataclass(frozen=True, eq=False)
class Race:
    """A game of two as the solver sees it. `target`, `entry` and `least` (the bank minimum) are in rows, rounded up.

    The chances to win form planes, whose axes are the places of the two scores: of the player to move, and of the
    other. There is a plane for each role of the player to move and, where several busts in a row cost points, for each
    combination of the numbers of busts that the two have in a row.
    """

    graph: Graph
    target: int
    entry: int
    least: int
    ending: Ending
    tie: TieRule

    @property
    def roles(self) -> int:
        """The number of roles: 2 if it matters who is first (role 0) or second (role 1) in order of play, else 1."""
        extra = self.ending == "last_shot_each" and self.plays_ties_out
        return 2 if self.ending == "complete_round" or extra else 1

    @property
    def plays_ties_out(self) -> bool:
        """Whether extra rounds follow a tie; for all or for those tied is the same, because there are two players."""
        return are_ties_played_out(self.ending, self.tie)

    @property
    def is_exact(self) -> bool:
        """Whether the target has to be made exactly."""
        return self.graph.ruleset.exact != "no"

    @property
    def costs(self) -> tuple[int, ...]:
        """The fixed numbers of points that busts can cost, leaving out costs of what was gathered or of everything."""
        rules = self.graph.ruleset
        row = rules.bust_streak_penalty if rules.bust_streak else 0
        return tuple(cost for cost in (row, rules.pick_up_cost, *(end.cost for end in self.graph.ends)) if cost)

    @property
    def may_fall(self) -> bool:
        """Whether a bust can take points off a score, so that chances depend on smaller scores, too."""
        return self.graph.ruleset.busts_may_cost

    @cached_property
    def streaks(self) -> int:
        """How many numbers of busts in a row are told apart: from 0 to the last before they cost points; else 1."""
        return self.graph.ruleset.bust_streak if self.graph.ruleset.streak_costs else 1

    @property
    def planes(self) -> int:
        """The number of planes."""
        return self.roles * self.streaks**2

    def plane(self, role: int, own_streak: int = 0, other_streak: int = 0) -> int:
        """Return the plane for a player to move in this role, with these busts in a row of both."""
        rows = (streak % self.streaks for streak in (own_streak, other_streak))
        return int(np.ravel_multi_index((role, *rows), (self.roles, self.streaks, self.streaks)))

    def streak_of(self, plane: Indices) -> Indices:
        """Return how many busts in a row the players to move have in these planes."""
        return plane // self.streaks % self.streaks

    def plane_after_bank(self, plane: Indices) -> Indices:
        """Return the planes in which the other player moves after a bank."""
        return (self.other_role(plane) * self.streaks + plane % self.streaks) * self.streaks

    def plane_after_bust(self, plane: Indices, entered: Flags) -> Indices:
        """Return the planes in which the other player moves after a bust, which counts only for players who pay."""
        return self.plane_after_bank(plane) + (self.streak_of(plane) + self.pays(entered)) % self.streaks

    def plane_after_over(self, plane: Indices) -> Indices:
        """Return the planes in which the other player moves after a shot that is over, which counts as no bust."""
        return self.plane_after_bank(plane) + self.streak_of(plane)

    @property
    def tells_over(self) -> bool:
        """Whether a shot that is over beyond an exact target has another value than a bust."""
        rules = self.graph.ruleset
        return rules.exact == "stay" and (rules.streak_costs or rules.pick_up_cost > 0)

    @property
    def safe_lead(self) -> int:
        """The lead, in rows, that is assumed to be safe from one last shot."""
        return max(SAFE_LEAD // self.graph.unit, 10 * self.graph.reach)

    @cached_property
    def floor(self) -> int:
        """How far below 0 scores have places, in rows; lower scores hardly occur, and count as the lowest place.

        Where a number of rounds ends the game, only leads have places, so scores may fall as far as they like.
        """
        rules = self.graph.ruleset
        if rules.below_zero == "never" or not self.may_fall:
            return 0
        if self.ending == "rounds":
            return NEVER_SO_LOW // self.graph.unit
        return self.target // FLOOR_PART + 2 * max(self.costs, default=0) // self.graph.unit

    @cached_property
    def enters_alike(self) -> bool:
        """Whether a player who has not entered has the same place as one with the same score who has entered."""
        rules = self.graph.ruleset
        only_entered_pick_up = rules.pick_up and rules.pick_up_by == "entered"
        enters_freely = rules.entry_minimum == rules.bank_minimum and not is_shot_split(rules)
        return rules.below_zero == "always" and enters_freely and not only_entered_pick_up

    @cached_property
    def entry_places(self) -> int:
        """How many places there are for players who have not entered: one, or one for each score from `-floor` to 0."""
        return 1 if self.enters_alike or self.graph.ruleset.below_zero != "always" else self.floor + 1

    @property
    def places(self) -> int:
        """How many places each axis of a plane has."""
        return self.entry_places + self.target + self.floor

    def place_of(self, score: Indices, entered: Flags) -> Indices:
        """Return the places of scores in rows; the places of players who have not entered come first."""
        above, last = np.maximum(score + self.floor, 0), self.entry_places - 1
        return np.where(entered | self.enters_alike, 1 + last + above, np.minimum(above, last))

    def score_at(self, place: Indices) -> Indices:
        """Return the scores at these places, in rows."""
        last = self.entry_places - 1
        return np.where(place > last, place - 1 - self.floor, place) - last

    def has_entered(self, place: Indices) -> Flags:
        """Return which players have entered, by the places of their scores."""
        return place >= self.entry_places

    def pays(self, entered: Flags) -> Flags:
        """Return which players pay points for a bust."""
        everybody = self.graph.ruleset.below_zero == "always"
        return np.full_like(entered, fill_value=True) if everybody else entered

    def score_after_bust(
        self, own: Indices, entered: Flags, streak: Indices, cost: int = 0, gathered: Indices | int = 0
    ) -> Indices:
        """Return the scores after a bust, in rows.

        `streak`: the busts in a row before it. `cost`: what the bust itself costs, in points. `gathered`: what the shot
        had gathered before it, in rows.
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
        """Whether the ruleset has pick-up, and the values of offers can be solved."""
        settles = self.graph.period <= self.graph.reach
        return self.graph.ruleset.pick_up and settles and not asks_more_of_offers(self.graph.ruleset)

    @property
    def counts_brought(self) -> bool:
        """Whether offers are solved and a bust costs what the shot has gathered, less the points that it began with."""
        rules = self.graph.ruleset
        return self.has_offers and rules.streak_costs and rules.bust_cost == "shot"

    @property
    def offer_kinds(self) -> int:
        """How many kinds of players can pick up: by their role, and by their busts in a row."""
        return self.roles * self.streaks

    def offer_kind(self, plane: Indices) -> Indices:
        """Return the kind of the player who picks up in these planes; the other, who has just banked, has no busts."""
        return plane // self.streaks

    @property
    def offer_worth(self) -> int:
        """The points that a picked-up shot begins with, in rows; 0 if they are those that were banked."""
        worth = self.graph.ruleset.pick_up_worth
        return worth // self.graph.unit if isinstance(worth, int) and self.has_offers else 0

    def plain_columns(self, entered: bool) -> Indices:
        """Return the columns of 1 to all dice in which a shot begins that picks them up."""
        dice = range(1, self.graph.ruleset.dice + 1)
        return np.array([self.graph.plain_column(left, entered=entered) for left in dice], dtype=np.intp)

    def other_role(self, plane: Indices) -> Indices:
        """Return the roles of the opponents of the players to move in these planes."""
        return self.roles - 1 - plane // self.streaks**2


def make_race(ruleset: Ruleset, target: int) -> Race:
    """Make the race to a target, in points.

    Raises `NoTable` where costs of busts or pick-up depend on more than a table can hold (`asks_more_of_costs`,
    `asks_more_of_offers`, `Race.has_offers`) or costs are no multiple of the graph's unit, for shots with more than
    `POSITIONS_MOST` positions, and for more than `CHANCES_MOST` chances.
    """
    if never_has_table(ruleset):
        raise NoTable(UNKNOWN)
    try:
        race = make_plain_race(ruleset, target)
    except NoBestPlay as refused:
        raise NoTable(*refused.args) from refused
    if (ruleset.pick_up and not race.has_offers) or any(cost % race.graph.unit for cost in race.costs):
        raise NoTable(UNKNOWN)
    if len(race.graph.positions) > POSITIONS_MOST:
        raise NoTable(gettext_noop("Under these rules a turn has too many positions to work out the chance to win."))
    if race.planes * race.places**2 > CHANCES_MOST and race.ending != "rounds":
        raise NoTable(gettext_noop("Under these rules there are too many scores to work out the chance to win."))
    return race


def never_has_table(ruleset: Ruleset) -> bool:
    """Return whether the settings alone rule a table out. Takes no time, where `make_race` may take a second."""
    costs = ruleset.busts_may_cost and asks_more_of_costs(ruleset)
    return costs or (ruleset.pick_up and asks_more_of_offers(ruleset))


def asks_more_of_costs(ruleset: Ruleset) -> bool:
    """Return whether the value of a tie depends on more than the two scores, because busts cost points.

    In an extra round two busts that cost points can bring both players below the target again, which calls the round
    off. The value of a tie would then depend on how far above the target it is, and on the table that is being solved.
    With a cost of 500 points, and up to scores from which hardly anybody loses it twice in a row, this would take some
    40 replies of each player instead of one, for every pair of busts in a row, and again in each round in which the
    table settles; an extra round being played would also need a score of its own. Where a number of rounds ends the
    game nothing is called off, but in extra rounds only leads count, and these are not enough if a bust costs what the
    shot or the player has, or costs players who have not entered.
    """
    open_ended = ruleset.bust_cost != "fixed" or ruleset.below_zero == "always"
    return are_ties_played_out(ruleset.ending, ruleset.tie) and (ruleset.ending != "rounds" or open_ended)


def asks_more_of_offers(ruleset: Ruleset) -> bool:
    """Return whether the value of an offer depends on more than its dice, its points and the two scores.

    Where a number of rounds ends the game, an offer has another value for each number of turns left and each lead: 20
    turns x 1,400 leads x 200 points x 6 dice are 35 million chances, or 140 MB. If busts cost points as well, the lower
    score counts, too: with a cost of 500 points that is 40 times as much.
    """
    return ruleset.ending == "rounds" and ruleset.busts_may_cost


def are_ties_played_out(ending: Ending, tie: TieRule) -> bool:
    """Return whether extra rounds can follow a tie; where the first at the target wins at once there are no ties."""
    return tie in ("extra_rounds", "tied_only") and ending != "at_once"


def make_plain_race(ruleset: Ruleset, target: int) -> Race:
    """Make the race to a target, in points, without checking whether it can have a table. Raises `NoBestPlay`."""
    graph = build_graph(ruleset)
    rows, entry, least = (-(-points // graph.unit) for points in (target, ruleset.entry_minimum, ruleset.bank_minimum))
    return Race(graph, rows, entry, least, ruleset.ending, ruleset.tie)
