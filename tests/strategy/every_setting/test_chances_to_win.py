"""The chance to win under every setting, compared with the rules' own moves, throw by throw to the end of a turn."""

from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import pytest

from game.rules import Bank, Entry, Move, Ruleset, State, Throw, Win, apply, legal_moves, new_game, throw
from game.rules.play.state import Offer, Shot, alter, with_player
from game.strategy.win import (
    ScoreSituation,
    make_race,
    make_score_situation,
    rate_options,
    solve_beginnings,
    solve_race,
)
from tests.require import require
from tests.strategy.every_setting.test_points import let_fall
from tests.strategy.positions import FEW_SCORES

pytestmark = pytest.mark.examples(costly=True)

FEW = {**FEW_SCORES, "combinations": [{"pattern": "AABB", "points": 500}], "entry_minimum": 1000}
AT_ONCE = {**FEW, "ending": "at_once"}
ALWAYS = {"below_zero": "always", "entry_minimum": 0}
NEWCOMERS = {"below_zero": "always"}
ROUNDS = {"ending": "rounds", "rounds": 2, "tie": "shared"}
OUT = {"pattern": "333", "effect": "out"}
SETTINGS: dict[str, dict[str, Any]] = {
    "wins at once": {**FEW, "combinations": [{"pattern": "AAAA", "effect": "wins"}]},
    "pattern busts": {**FEW, "combinations": [{"pattern": "22", "effect": "bust"}]},
    "eliminates": {**AT_ONCE, "combinations": [OUT]},
    "eliminates, few dice left": {**AT_ONCE, "combinations": [OUT], "bank_dice_left_most": 2},
    "sets need all dice": {**AT_ONCE, "sets_need_all_dice": True},
    "sets grow": {**FEW, "sets_grow": "of_a_kind"},
    "must keep all": {**FEW, "must_keep": "all", "ending": "complete_round"},
    "lone five": {**AT_ONCE, "singles": [500, 0, 0, 0, 500, 0], "lone_five": "rethrow"},
    "confirm by any": {**FEW, "confirm": ["of_a_kind"]},
    "confirm what six dice make": {
        **FEW,
        "dice": 6,
        "straight": 1500,
        "three_pairs": 1000,
        "confirm": ["straights", "groups", "sweep"],
        "confirm_by": 500,
    },
    "nothing sweeps": {**AT_ONCE, "nothing_bonus": 500},
    "nothing sweeps, last shots": {**FEW, "nothing_bonus": 500, "tie": "shared"},
    "nothing sweeps and must throw": {**FEW, "nothing_bonus": 500, "sweep": "must_throw", "ending": "complete_round"},
    "nothing sweeps, three busts cost": {**FEW, "nothing_bonus": 500, "bust_streak": 3, "bust_streak_penalty": 1000},
    "confirm by single": {**AT_ONCE, "confirm": ["of_a_kind"], "confirm_by": "single"},
    "confirm by points": {**AT_ONCE, "confirm": ["of_a_kind", "combinations"], "confirm_by": 600},
    "entry in a throw": {**FEW, "entry_in": "throw"},
    "entry by singles": {**AT_ONCE, "entry_needs": "singles", "entry_minimum": 500},
    "entry by a set": {**AT_ONCE, "entry_needs": "set"},
    "bank in steps": {**FEW, "bank_step": 1000, "throws_most": 3},
    "few dice left": {**AT_ONCE, "bank_dice_left_most": 2},
    "throws are limited": {**FEW, "throws_most": 2},
    "sweeps multiply": {**AT_ONCE, "sweep_multiplier": 2, "sweep": "must_throw"},
    "nothing again": {**AT_ONCE, "nothing": "again", "nothing_bonus": 500, "nothing_when": "first_throw"},
    "nothing costs": {**AT_ONCE, "nothing_cost": 500},
    "nothing costs, and must throw": {**FEW, "nothing_cost": 500, "sweep": "must_throw", "tie": "shared"},
    "pattern costs": {**FEW, "combinations": [{"pattern": "22", "effect": "bust", "cost": 500}]},
    "busts cost points": {**FEW, "bust_streak": 1, "bust_streak_penalty": 1000, "tie": "shared"},
    "busts cost the shot": {**AT_ONCE, "bust_streak": 1, "bust_cost": "shot"},
    "busts cost the shot, with two throws": {
        **AT_ONCE,
        "bust_streak": 1,
        "bust_cost": "shot",
        "throws_most": 2,
        "bank_minimum": 1500,
    },
    "offers and busts that cost the shot, with two throws": {
        **FEW,
        "pick_up": True,
        "bust_streak": 1,
        "bust_cost": "shot",
        "throws_most": 2,
        "bank_minimum": 1500,
    },
    "busts cost the shot, with two throws and few dice left": {
        **AT_ONCE,
        "bust_streak": 1,
        "bust_cost": "shot",
        "throws_most": 2,
        "bank_dice_left_most": 2,
    },
    "busts cost the shot, few dice left, and offers": {
        **AT_ONCE,
        "bust_streak": 1,
        "bust_cost": "shot",
        "bank_dice_left_most": 2,
        "pick_up": True,
    },
    "busts cost the shot, banks in steps": {**AT_ONCE, "bust_streak": 1, "bust_cost": "shot", "bank_step": 1000},
    "busts cost the shot, exactly": {**FEW, "bust_streak": 1, "bust_cost": "shot", "exact": "bust", "tie": "shared"},
    "busts cost everything": {**AT_ONCE, "bust_streak": 1, "bust_cost": "everything"},
    "three busts in a row cost points": {**FEW, "bust_streak": 3, "bust_streak_penalty": 1000, "tie": "shared"},
    "two busts in a row cost the turn": {**AT_ONCE, "bust_streak": 2, "bust_cost": "shot", "ending": "complete_round"},
    "two busts in a row cost everything": {**AT_ONCE, "bust_streak": 2, "bust_cost": "everything"},
    "busts cost points below 0": {**FEW, "bust_streak": 2, "bust_streak_penalty": 1000, "below_zero": "entered"},
    "busts cost everybody points": {**AT_ONCE, **ALWAYS, "bust_streak": 1, "bust_cost": "shot"},
    "costs before entering": {**AT_ONCE, **NEWCOMERS, "bust_streak": 1, "bust_streak_penalty": 500},
    "costs before entering, each second bust": {
        **FEW,
        **NEWCOMERS,
        "bust_streak": 2,
        "bust_cost": "shot",
        "ending": "complete_round",
        "tie": "shared",
    },
    "costs before entering, offers": {**FEW, **NEWCOMERS, "pick_up": True, "pick_up_cost": 500, "nothing_cost": 500},
    "costs and an exact target": {**AT_ONCE, "exact": "bust", "nothing_cost": 1000, "ending": "complete_round"},
    "costs and an exact target below 0": {
        **FEW,
        "exact": "bust",
        "bust_streak": 1,
        "bust_streak_penalty": 500,
        "below_zero": "entered",
        "tie": "shared",
    },
    "costs and shots that are over": {**FEW, "exact": "stay", "bust_streak": 2, "bust_streak_penalty": 500},
    "offers and a cost": {**FEW, "pick_up": True, "nothing_cost": 500, "tie": "shared"},
    "offers cost": {**AT_ONCE, "pick_up": True, "pick_up_cost": 500},
    "offers cost, exactly": {**FEW, "pick_up": True, "pick_up_cost": 1000, "pick_up_by": "all", "exact": "stay"},
    "offers cost everybody": {**AT_ONCE, **ALWAYS, "pick_up": True, "pick_up_by": "all", "pick_up_cost": 500},
    "offers and three busts in a row": {**FEW, "pick_up": True, "bust_streak": 3, "bust_streak_penalty": 500},
    "three busts in a row and a bank minimum": {
        **FEW,
        "bank_minimum": 1000,
        "bust_streak": 3,
        "bust_streak_penalty": 500,
        "tie": "shared",
    },
    "offers, three busts in a row and a bank minimum": {
        **FEW,
        "pick_up": True,
        "bank_minimum": 1000,
        "bust_streak": 3,
        "bust_streak_penalty": 500,
    },
    "offers and two busts in a row": {**AT_ONCE, "pick_up": True, "bust_streak": 2, "bust_cost": "everything"},
    "offers and busts that cost the shot": {**AT_ONCE, "pick_up": True, "bust_streak": 1, "bust_cost": "shot"},
    "offers and two busts in a row that cost the shot": {
        **FEW,
        "pick_up": True,
        "bust_streak": 2,
        "bust_cost": "shot",
        "below_zero": "entered",
        "tie": "shared",
    },
    "offers for a number and busts that cost the shot": {
        **FEW,
        "pick_up": True,
        "pick_up_by": "all",
        "pick_up_worth": 1000,
        "pick_up_cost": 500,
        "bust_streak": 1,
        "bust_cost": "shot",
        "ending": "complete_round",
        "tie": "shared",
    },
    "offers and ties played out": {**FEW, "pick_up": True, "tie": "extra_rounds"},
    "offers for a number and ties played out": {
        **FEW,
        "pick_up": True,
        "pick_up_by": "all",
        "pick_up_worth": 1000,
        "tie": "tied_only",
        "ending": "complete_round",
    },
    "offers below 0": {
        **FEW,
        "pick_up": True,
        "pick_up_cost": 500,
        "bust_streak": 2,
        "bust_streak_penalty": 500,
        "below_zero": "entered",
        "ending": "complete_round",
        "tie": "shared",
    },
    "offers in steps": {**FEW, "pick_up": True, "bank_step": 1000, "tie": "shared"},
    "offers for a number in steps": {**AT_ONCE, "pick_up": True, "pick_up_worth": 500, "bank_step": 1000},
    "offers and three throws": {**FEW, "pick_up": True, "pick_up_by": "all", "throws_most": 3},
    "nobody ties at once": {**AT_ONCE, "tie": "extra_rounds", "nothing_cost": 500, "pick_up": True},
    "two tries": {**AT_ONCE, "last_die_throws": 2},
    "tied only": {**FEW, "tie": "tied_only"},
    "exact at once": {**AT_ONCE, "exact": "bust", "last_die_throws": 3},
    "exact, last shots": {**FEW, "exact": "stay", "tie": "shared", "sweep": "must_throw"},
    "exact, whole rounds": {**FEW, "exact": "bust", "tie": "shared", "ending": "complete_round"},
    "exact, the first stands": {**FEW, "exact": "stay", "bank_minimum": 1000, "throws_most": 3},
    "three pairs across": {**AT_ONCE, "dice": 6, "three_pairs": 1000, "three_pairs_across_throws": True},
    "one round": {**FEW, "ending": "rounds", "rounds": 1},
    "rounds, the first stands": {**FEW, "ending": "rounds", "rounds": 3, "entry_minimum": 500},
    "rounds, shared": {**FEW, "ending": "rounds", "rounds": 2, "tie": "shared"},
    "rounds and costs": {**FEW, **ROUNDS, "rounds": 3, "nothing_cost": 500},
    "rounds, busts cost the shot": {**FEW, **ROUNDS, "bust_streak": 1, "bust_cost": "shot", "tie": "leader_stands"},
    "one round and costs": {**FEW, **ROUNDS, "rounds": 1, "bust_streak": 1, "bust_cost": "everything"},
    "one round that eliminates": {**FEW, "ending": "rounds", "rounds": 1, "combinations": [OUT]},
    "rounds, two busts in a row cost points": {**FEW, **ROUNDS, "bust_streak": 2, "bust_streak_penalty": 1000},
    "rounds, two busts cost everything": {**FEW, **ROUNDS, "bust_streak": 2, "bust_cost": "everything"},
    "rounds below 0": {**FEW, **ROUNDS, "bust_streak": 1, "bust_streak_penalty": 500, "below_zero": "entered"},
    "rounds, everybody pays": {
        **FEW,
        **ROUNDS,
        "nothing_cost": 500,
        "bust_streak": 1,
        "bust_cost": "everything",
        "below_zero": "always",
    },
    "rounds and offers": {**FEW, **ROUNDS, "pick_up": True},
    "rounds and offers for all, the first stands": {
        **FEW,
        **ROUNDS,
        "pick_up": True,
        "pick_up_by": "all",
        "entry_minimum": 500,
        "rounds": 3,
        "tie": "leader_stands",
    },
    "rounds and offers for a number": {**FEW, **ROUNDS, "pick_up": True, "pick_up_worth": 1000, "rounds": 1},
    "rounds, extra ones with offers": {**FEW, **ROUNDS, "tie": "extra_rounds", "pick_up": True},
    "rounds, extra ones with offers for all": {
        **FEW,
        **ROUNDS,
        "tie": "tied_only",
        "pick_up": True,
        "pick_up_by": "all",
        "pick_up_worth": 500,
        "entry_minimum": 0,
    },
    "rounds, extra ones with costs": {
        **FEW,
        **ROUNDS,
        "tie": "tied_only",
        "nothing_cost": 500,
        "below_zero": "entered",
    },
    "rounds, extra ones and two busts in a row": {
        **FEW,
        **ROUNDS,
        "tie": "extra_rounds",
        "bust_streak": 2,
        "bust_streak_penalty": 1000,
        "below_zero": "entered",
    },
    "rounds, extra ones": {**FEW, "ending": "rounds", "rounds": 2, "tie": "extra_rounds", "sweep": "must_throw"},
}
ROWS = [name for name in SETTINGS if "in a row" in name or "below 0" in name or "three busts" in name]
TIES_LEAVE_OFFERS = [name for name in SETTINGS if "extra ones with offers" in name or "ties played out" in name]
# Scores (None: not entered) and the seat that is to move.
STANDINGS = [((None, 1500), 0), ((1000, 1500), 0), ((1500, 2000), 0)]
# With this many points a player who may bank does so, unless all dice follow and cannot bust.
PLENTY = 6000
# Turns with this many points are so rare that their value changes no chance by 1e-10.
UNHEARD_OF = 12_000


@dataclass
class Made:
    """The state after a move, the most that it can be worth, and its worth if that was computed; chances, 0 to 1."""

    state: State
    ceiling: float
    worth: float | None = None


class Judging:
    """The chance of the player to move: by the rules' own moves to the end of the turn, and then by the table."""

    def __init__(self, ruleset: Ruleset) -> None:
        race = make_race(ruleset, ruleset.target)
        self.table = solve_race(race)
        self.values: dict[Shot, float] = {}
        self.fallen: dict[Shot, list[tuple[float, State]]] = {}
        self.ceilings: dict[Shot, float] = {}
        self.begins: dict[tuple[ScoreSituation, bool, int, int], float] = {}
        self.player = 0

    def begin(self, state: State) -> float:
        """Return the chance before a turn, with fresh dice or, if that is better, with those on offer."""
        return max(self.chance(state, pick_up=picks_up) for picks_up in {False, state.pick_up is not None})

    def chance(self, state: State, *, pick_up: bool) -> float:
        dice, points = require(state.pick_up) if pick_up else (state.ruleset.dice, 0)
        key = (make_score_situation(state), pick_up, dice, points)
        if key not in self.begins:
            player = state.players[state.player]
            chances = solve_beginnings(self.table, state, player.score + points)[pick_up]
            column = chances.graph.plain_column(dice, entered=player.entered)
            self.begins[key] = chances.throw(column, player.score + points) if pick_up else chances.begin
        return self.begins[key]

    def play(self, state: State, *, pick_up: bool = False) -> float:
        self.player = state.player
        self.values, self.fallen, self.ceilings = {}, {}, {}
        return self.average_throws(apply(state, Throw(pick_up=pick_up)).state)

    def worth(self, state: State) -> float:
        if state.finished:
            return (self.player in state.winners) / max(len(state.winners), 1)
        chance = self.begin(state)
        return chance if state.player == self.player else 1 - chance

    def find_key(self, state: State) -> Shot:
        shot = require(state.shot)
        plain = shot if state.ruleset.three_pairs_across_throws else alter(shot, aside=(), aside_points=0)
        return alter(plain, swept=False, throws=shot.throws if state.ruleset.throws_most else min(shot.throws, 1))

    def list_fallen(self, state: State, key: Shot) -> list[tuple[float, State]]:
        if key not in self.fallen:
            self.fallen[key] = list(let_fall(state))
        return self.fallen[key]

    def average_throws(self, state: State) -> float:
        key = self.find_key(state)
        if key not in self.values:
            shot, fallen = require(state.shot), self.list_fallen(state, key)
            made: dict[Move, Made] = {}
            again = sum(share for share, after in fallen if is_made_again(shot, after))
            others = sum(
                share * self.value_after(after, made) for share, after in fallen if not is_made_again(shot, after)
            )
            self.values[key] = others / (1 - again)
        return self.values[key]

    def find_ceiling(self, state: State) -> float:
        """Return the most that a throw can be worth: its chance if it won whenever it does not end the turn."""
        key = self.find_key(state)
        if key not in self.ceilings:
            fallen = self.list_fallen(state, key)
            self.ceilings[key] = sum(share * (1 if after.shot else self.worth(after)) for share, after in fallen)
        return self.ceilings[key]

    def value_after(self, state: State, made: dict[Move, Made]) -> float:
        """Return the chance after a throw. `made`: outcomes of moves, which don't depend on the dice not kept."""
        if state.to_throw or (state.shot and not state.shot.dice):
            return self.average_throws(state if state.to_throw else apply(state, Throw()).state)
        if state.shot is None:
            return self.worth(state)
        if state.shot.points >= UNHEARD_OF:
            return 0.5
        moves = legal_moves(state)
        if state.shot.points >= PLENTY:
            moves = tuple(move for move in moves if isinstance(move, Bank | Win) or is_free(state, move)) or moves
        best = 0.0
        for move in sorted(moves, key=lambda move: isinstance(move, Throw)):
            if move not in made:
                after = apply(state, move).state
                made[move] = Made(after, self.find_ceiling(after) if after.to_throw else 1)
            outcome = made[move]
            if outcome.worth is None and outcome.ceiling > best:
                outcome.worth = self.value_after(outcome.state, {})
            best = max(best, outcome.worth or 0)
        return best


def is_free(state: State, move: Move) -> bool:
    """Whether all dice follow a move, and cannot bust."""
    after = apply(state, move).state.shot if state.ruleset.nothing_bonus else None
    return after is not None and after.left == state.ruleset.dice


def is_made_again(shot: Shot, after: State) -> bool:
    """Whether a throw has to be made again with the same dice and nothing changed, as after a lone five."""
    here = after.shot
    again = here is not None and not here.dice and not here.tries and not after.ruleset.throws_most
    return again and require(here).points == shot.points and require(here).left == shot.left


def set_up_scores(
    ruleset: Ruleset, scores: tuple[int | None, ...], player: int, streaks: tuple[int, ...] = (0, 0)
) -> State:
    state = new_game(ruleset, [Entry("Ann"), Entry("Bo")]).state
    for seat, score in enumerate(scores):
        entered, played = score is not None, seat < player
        streak = streaks[seat] if entered else 0
        changes = {"score": score or 0, "entered": entered, "played": played, "since": seat + 1, "streak": streak}
        state = with_player(state, seat, **changes)
    leader = max(score or 0 for score in scores)
    if leader >= ruleset.target and ruleset.ending != "rounds":
        state = with_player(alter(state, final=True, first=1), 1, last=True, played=True)
    return alter(state, player=player, shots=9, round_begun=player > 0, final=state.final or ruleset.rounds == 1)


@cache
def load_judging(name: str) -> tuple[Ruleset, Judging]:
    ruleset = Ruleset.from_json({**SETTINGS[name], "min_players": 2})
    return ruleset, Judging(ruleset)


@pytest.fixture(scope="module", params=SETTINGS)
def judging(request: pytest.FixtureRequest) -> tuple[Ruleset, Judging]:
    return load_judging(request.param)


@pytest.mark.parametrize(("scores", "player"), STANDINGS, ids=str)
def test_the_chance_at_the_start_of_a_turn_is_that_of_the_rules(
    judging: tuple[Ruleset, Judging], scores: tuple[int | None, ...], player: int
) -> None:
    ruleset, judge = judging
    state = set_up_scores(ruleset, scores, player)
    ended = state.final and ruleset.ending in ("complete_round", "at_once")
    if ended:
        return
    # Costs are solved by iteration, and offers in steps treat large leads as equal, which others do sooner.
    rough = judge.table.race.may_fall or (ruleset.pick_up and ruleset.bank_step)
    error = 1e-6 if rough else 1e-9
    assert judge.begin(state) == pytest.approx(judge.play(state), abs=error)


def test_a_player_below_0_lacks_more_points_than_an_exact_target() -> None:
    ruleset, judge = load_judging("costs and an exact target below 0")
    state = set_up_scores(ruleset, (1500, -500), 0)
    assert judge.begin(state) == pytest.approx(judge.play(state), abs=1e-6)


def test_a_bank_that_makes_an_exact_target_wins_from_however_far_below_0() -> None:
    ruleset, judge = load_judging("costs and an exact target below 0")
    for own, other in ((-3000, -500), (-3000, None)):
        state = throw(apply(set_up_scores(ruleset, (own, other), 0), Throw()).state, [1, 1, 1, 2, 3]).state
        state = alter(state, shot=alter(require(state.shot), points=3500))
        banks = {rated.option.move: rated.win for rated in rate_options(state, judge.table)}
        assert require(banks[Bank((1, 1, 1))]) > require(banks[Bank((1,))]) and min(map(require, banks.values())) >= 0


@pytest.mark.parametrize("name", ["one round and costs", "one round that eliminates"])
def test_a_leader_in_the_last_turn_can_still_lose(name: str) -> None:
    ruleset, judge = load_judging(name)
    state = set_up_scores(ruleset, (None, 500), 1)
    ahead = judge.table.chances.shape[-1] // 2 + 1
    assert judge.table.chances[1, 1, 0, 0, 0, 0, ahead] == pytest.approx(judge.begin(state), abs=1e-9)
    assert judge.begin(state) < 1
    assert judge.begin(state) == pytest.approx(judge.play(state), abs=1e-9)


@pytest.mark.parametrize("name", [name for name in SETTINGS if "extra ones" in name])
@pytest.mark.parametrize("lead", [0, 500, -500])
def test_the_chance_in_an_extra_round_is_that_of_the_rules(name: str, lead: int) -> None:
    ruleset, judge = load_judging(name)
    most = max(ruleset.bust_streak - 1, 0)
    for player, streaks in product((0, 1), {(0, 0), (most, 0), (0, most), (most, most)}):
        state = set_up_scores(ruleset, (2000 + lead * player, 2000), player, streaks)
        state = alter(state, extra=1, tied=(0, 1), final=True, round=ruleset.rounds + 1)
        assert judge.begin(state) == pytest.approx(judge.play(state), abs=1e-9)


@pytest.mark.parametrize("name", TIES_LEAVE_OFFERS)
def test_the_chance_with_dice_left_by_a_tie_is_that_of_the_rules(name: str) -> None:
    ruleset, judge = load_judging(name)
    for player, (dice, points) in product((0, 1), ((1, 500), (3, 1000), (5, 1500))):
        state = with_player(set_up_scores(ruleset, (2000 + points * player, 2000), player), 1, last=False, played=False)
        state = alter(state, extra=1, tied=(0, 1), final=True, round=ruleset.rounds + 1)
        state = alter(state, offer=Offer(1 - player, dice, points))
        assert judge.chance(state, pick_up=True) == pytest.approx(judge.play(state, pick_up=True), abs=1e-9)
        assert dice < 5 or judge.begin(state) > judge.chance(state, pick_up=False)


@pytest.mark.parametrize("name", [name for name in SETTINGS if "offers" in name])
def test_the_chance_with_dice_on_offer_is_that_of_the_rules(name: str) -> None:
    ruleset, judge = load_judging(name)
    most = max(ruleset.bust_streak - 1, 0)
    for scores, (dice, points) in product(((None, 1500), (0, 1000), (500, 1500)), ((1, 500), (3, 1000), (5, 1000))):
        state = set_up_scores(ruleset, scores, 0, (most, 0))
        state = alter(state, offer=Offer(1, dice, points))
        if state.pick_up:
            assert judge.chance(state, pick_up=True) == pytest.approx(judge.play(state, pick_up=True), abs=1e-6)


@pytest.mark.parametrize("name", [name for name in ROWS if "offers" not in name])
def test_busts_in_a_row_count_for_both_players(name: str) -> None:
    ruleset, judge = load_judging(name)
    most = ruleset.bust_streak - 1
    standings = product(((None, 0), (0, None), (0, 1500), (1500, 500)), ((most, 0), (0, most), (most, most)))
    # A player who has not entered has no busts in a row, so some of these are the same.
    for state in dict.fromkeys(set_up_scores(ruleset, scores, 0, streaks) for scores, streaks in standings):
        assert judge.begin(state) == pytest.approx(judge.play(state), abs=1e-6)


@pytest.mark.parametrize("name", ["costs before entering", "costs before entering, each second bust"])
def test_a_player_who_has_not_entered_can_owe_points(name: str) -> None:
    ruleset, judge = load_judging(name)
    for own, other in ((-500, 0), (0, -500)):
        state = set_up_scores(ruleset, (None, None), 0)
        state = with_player(state, 0, score=own, streak=ruleset.bust_streak - 1)
        state = with_player(state, 1, score=other)
        assert judge.begin(state) == pytest.approx(judge.play(state), abs=1e-6)
