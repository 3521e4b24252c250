"""Expected points under every setting, compared with plain counting by the rules' own moves, throw by throw."""

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from game.rules import Dice, Move, Ruleset, State, Throw, apply, keeps_now, legal_moves, throw
from game.rules.events import Won
from game.rules.play.choosing import keeps_scored
from game.rules.play.playable import begin_alone
from game.rules.play.state import Offer, Shot, alter, with_player
from game.rules.scoring import find_effect
from game.strategy.analysis import analyse_game
from game.strategy.turn import ShotPoints, list_options, solve_shot_points
from game.strategy.turn.positions import ShotPosition, position_of
from tests.require import require
from tests.rules.playing import Playing
from tests.rules.test_world import NAMES, WORLD
from tests.strategy.turn.test_simulation import has_mean

pytestmark = pytest.mark.examples(costly=True)

FIVE = {
    "dice": 5,
    "singles": [100, 0, 0, 0, 50, 0],
    "of_a_kind": {"3": [1000, 0, 300, 0, 500, 0], "4": [2000, 0, 600, 0, 1000, 0]},
}
SIX = {**FIVE, "dice": 6, "three_pairs": 700}

SETTINGS: dict[str, dict[str, Any]] = {
    "five dice": FIVE,
    "six dice": SIX,
    "own values": {**FIVE, "combinations": [{"pattern": "AAABB", "points": [1250, 450, 550, 650, 750, 850]}]},
    "wins at once": {**FIVE, "combinations": [{"pattern": "AAAA", "effect": "wins"}]},
    "pattern busts": {**FIVE, "combinations": [{"pattern": "22", "effect": "bust"}]},
    "pattern costs": {**FIVE, "combinations": [{"pattern": "22", "effect": "bust", "cost": 150}]},
    "last die busts": {**FIVE, "combinations": [{"pattern": "2", "effect": "bust"}], "last_die_throws": 3},
    "eliminates": {**FIVE, "combinations": [{"pattern": "33", "effect": "out"}]},
    "sets need all dice": {**FIVE, "sets_need_all_dice": True},
    "sets grow": {**FIVE, "sets_grow": "of_a_kind"},
    "must keep all": {**FIVE, "must_keep": "all"},
    "lone five": {**FIVE, "lone_five": "rethrow"},
    "confirm by any": {**FIVE, "confirm": ["of_a_kind"]},
    "confirm by single": {**FIVE, "confirm": ["of_a_kind", "sweep"], "confirm_by": "single"},
    "confirm what six dice make": {
        **SIX,
        "straight": 1500,
        "combinations": [{"pattern": "AABB", "points": 150}],
        "confirm": ["straights", "groups", "combinations"],
    },
    "confirm by points": {**FIVE, "confirm": ["of_a_kind", "sweep"], "confirm_by": 150},
    "entry in a throw": {**FIVE, "entry_in": "throw", "entry_minimum": 200},
    "entry by singles": {**FIVE, "entry_needs": "singles", "entry_minimum": 150},
    "entry by a set": {**FIVE, "entry_needs": "set"},
    "bank in steps": {**FIVE, "bank_step": 150},
    "few dice left": {**FIVE, "bank_dice_left_most": 2},
    "sweeps multiply": {**FIVE, "sweep_multiplier": 3, "singles": [100, 10, 0, 0, 50, 0]},
    "nothing sweeps": {**FIVE, "nothing_bonus": 100},
    "nothing sweeps first": {**FIVE, "nothing_bonus": 100, "nothing_when": "first_throw"},
    "nothing again": {**FIVE, "nothing": "again", "nothing_bonus": 100},
    "nothing again for none": {**FIVE, "nothing": "again"},
    "nothing again first": {**FIVE, "nothing": "again", "nothing_bonus": 50, "nothing_when": "first_throw"},
    "nothing costs": {**FIVE, "nothing_cost": 400, "below_zero": "always"},
    "busts cost the shot": {**FIVE, "bust_streak": 1, "bust_cost": "shot", "below_zero": "entered"},
    "busts cost everything": {**FIVE, "bust_streak": 1, "bust_cost": "everything"},
    "busts cost points": {**FIVE, "bust_streak": 1, "bust_streak_penalty": 300},
    "two tries": {**FIVE, "last_die_throws": 2},
    "three tries": {**FIVE, "last_die_throws": 3, "sweep": "must_throw"},
    "must throw": {**FIVE, "sweep": "must_throw", "bank_minimum": 250},
    "three pairs across": {**SIX, "three_pairs_across_throws": True},
    "all at once": {
        **FIVE,
        "sets_grow": "of_a_kind",
        "lone_five": "rethrow",
        "confirm": ["of_a_kind"],
        "confirm_by": "single",
        "sweep_multiplier": 2,
        "nothing": "again",
        "nothing_bonus": 50,
        "last_die_throws": 3,
        "entry_in": "throw",
        "entry_minimum": 200,
        "sweep": "must_throw",
    },
}
# Settings under which a turn affects the next one: busts in a row, and dice on offer.
LONG_RUN: dict[str, dict[str, Any]] = {
    "three busts in a row cost points": {**FIVE, "bust_streak": 3, "bust_streak_penalty": 500},
    "two busts in a row cost the shot": {**FIVE, "bust_streak": 2, "bust_cost": "shot", "below_zero": "entered"},
    "two busts in a row cost everything": {**FIVE, "bust_streak": 2, "bust_cost": "everything"},
    "dice on offer": {**FIVE, "pick_up": True, "pick_up_by": "all"},
    "dice on offer for a number": {**FIVE, "pick_up": True, "pick_up_worth": 350},
    "dice on offer that cost": {**FIVE, "pick_up": True, "pick_up_cost": 300, "bank_minimum": 200},
    "dice on offer and busts in a row": {**FIVE, "pick_up": True, "bust_streak": 2, "bust_streak_penalty": 500},
    "dice on offer for an odd number": {**FIVE, "pick_up": True, "pick_up_worth": 75},
    "dice on offer and few tries": {**FIVE, "pick_up": True, "throws_most": 3, "last_die_throws": 2},
    "dice on offer and few throws made again": {
        **FIVE,
        "pick_up": True,
        "throws_most": 3,
        "lone_five": "rethrow",
        "nothing": "again",
    },
}
# The settings under which a player who has not entered plays differently.
ENTRIES = [name for name, settings in SETTINGS.items() if {"entry_in", "entry_needs", "below_zero"} & settings.keys()]
PLAYERS = [*((name, True) for name in SETTINGS), *((name, False) for name in ENTRIES)]
SCORE = 2000
MISSING = 350
# The turns that are played out under each setting.
SHOTS = 300


@cache
def list_throws(count: int) -> tuple[tuple[Dice, float], ...]:
    """Return every throw of `count` dice, sorted, with its chance."""
    orders = Counter(tuple(sorted(dice)) for dice in product(range(1, 7), repeat=count))
    return tuple((dice, times / 6**count) for dice, times in orders.items())


def let_fall(state: State) -> Iterator[tuple[float, State]]:
    """Yield the state after every throw of the dice that are due, with its chance.

    Throws with the same keeps are alike, so one stands for all: no move and no bust depends on the other dice.
    """
    shot, ruleset = require(state.shot), state.ruleset
    plain = alter(shot, player=0, points=0, tries=0, swept=False, throws=min(shot.throws, 1))
    plain = plain if ruleset.three_pairs_across_throws else alter(plain, aside=(), aside_points=0)
    for dice, share in list_kinds(ruleset, plain, entered=state.players[state.player].entered):
        yield share, throw(state, dice).state


@cache
def list_kinds(ruleset: Ruleset, shot: Shot, *, entered: bool) -> tuple[tuple[Dice, float], ...]:
    """Return one throw of each kind, with the chance of all throws of this kind."""
    kinds: dict[object, tuple[Dice, float]] = {}
    for dice, share in list_throws(shot.left):
        lying = alter(shot, dice=dice, throws=shot.throws + 1)
        scored = keeps_scored(begin_alone(ruleset, entered), lying)
        kind = find_effect(ruleset, dice), tuple(tuple(vars(keep).values()) for keep in scored)
        example, before = kinds.get(kind, (dice, 0.0))
        kinds[kind] = example, before + share
    return tuple(kinds.values())


class Counting:
    """The largest mean change of a score, by the rules' own moves: throw after throw, to the end of the turn."""

    def __init__(self, ruleset: Ruleset, entered: bool, target: int) -> None:
        state = with_player(begin_alone(ruleset, entered), 0, score=SCORE)
        self.start = alter(state, target=target)
        self.prize = ruleset.target
        self.values: dict[Shot, float] = {}

    def expected(self) -> float:
        return self.average_throws(apply(self.start, Throw()).state)

    def average_throws(self, state: State) -> float:
        shot = require(state.shot)
        key = shot if state.ruleset.three_pairs_across_throws else alter(shot, aside=(), aside_points=0)
        key = alter(key, swept=False, throws=shot.throws if state.ruleset.throws_most else min(shot.throws, 1))
        if key not in self.values:
            fallen = list(let_fall(state))
            # Throws that lead back to this position only make all others more likely in proportion.
            again = sum(share for share, after in fallen if self.is_same(shot, after))
            made: dict[Move, float] = {}
            others = sum(
                share * self.value_after(after, made) for share, after in fallen if not self.is_same(shot, after)
            )
            self.values[key] = others / (1 - again)
        return self.values[key]

    def is_same(self, shot: Shot, after: State) -> bool:
        made_again = after.shot is not None and not after.shot.dice and not after.shot.tries
        limited = after.ruleset.throws_most or (after.ruleset.nothing_when == "first_throw" and shot.throws == 0)
        return made_again and not limited and require(after.shot).points == shot.points

    def value_after(self, state: State, made: dict[Move, float]) -> float:
        """Return the points after a throw. `made`: values of moves, which don't depend on the dice not kept."""
        if state.to_throw:
            return self.average_throws(state)
        if state.players[0].eliminated:
            return -self.prize
        if state.shot is None:
            return state.players[0].score - SCORE
        moves = legal_moves(state)
        if not state.shot.dice:
            made = {}  # the dice are thrown again, and tries or points have changed
        for move in moves:
            if move not in made:
                made[move] = self.follow(state, move)
        return max(made[move] for move in moves)

    def follow(self, state: State, move: Move) -> float:
        after, happened = apply(state, move)
        won_at_once = any(isinstance(event, Won) and event.at_once for event in happened)
        if won_at_once and after.players[0].score == SCORE:
            points = require(state.shot).points
            kept = [keep.points for keep in keeps_now(state) if keep.dice == move.keep]
            return points + kept[0] + self.prize
        return self.value_after(after, {})


def solve_points(ruleset: Ruleset, **limits: Any) -> ShotPoints:
    return solve_shot_points(ruleset, lost=SCORE, **limits)


def make_rules(settings: dict[str, Any], **more: Any) -> Ruleset:
    return Ruleset.from_json({**settings, "target": 10_000, "min_players": 2, **more})


@pytest.mark.parametrize(("name", "entered"), PLAYERS)
def test_with_two_throws_a_turn_brings_the_points_of_plain_counting(name: str, entered: bool) -> None:
    ruleset = make_rules(SETTINGS[name], throws_most=2)
    counted = Counting(ruleset, entered, 1_000_000).expected()
    assert solve_points(ruleset).expected(entered) == pytest.approx(counted, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "exact"),
    [
        *((name, "bust") for name in SETTINGS),
        *((name, "stay") for name in ("three tries", "all at once", "busts cost the shot")),
    ],
)
def test_short_of_an_exact_target_a_turn_brings_the_points_of_plain_counting(name: str, exact: str) -> None:
    ruleset = make_rules(SETTINGS[name], exact=exact, singles=[100, 0, 0, 0, 50, 0])
    for entered in {True, name in ENTRIES}:
        counted = Counting(ruleset, entered, SCORE + MISSING).expected()
        assert solve_points(ruleset, missing=MISSING).expected(entered) == pytest.approx(counted, abs=1e-9)


def test_dice_on_offer_and_three_tries_can_be_solved_with_an_exact_target() -> None:
    ruleset = make_rules(FIVE, pick_up=True, last_die_throws=3, exact="stay", tie="shared")
    solved = solve_points(ruleset, missing=MISSING)
    alone = solve_points(ruleset, missing=MISSING, taken=False)
    assert 0 < solved.expected() <= alone.expected()


def test_dice_on_offer_for_more_points_than_are_missing_are_worth_nothing() -> None:
    ruleset = make_rules(FIVE, pick_up=True, pick_up_worth=1000, exact="bust", tie="shared")
    assert (
        solve_points(ruleset, missing=MISSING).expected()
        == solve_points(ruleset, missing=MISSING, taken=False).expected()
    )


def iterate_positions(state: State, most: int) -> Iterator[State]:
    """Yield up to `most` positions of a turn in which dice are due, beginning with the first throw."""
    waiting, seen = [apply(state, Throw()).state], set[ShotPosition]()
    while waiting and len(seen) < most:
        here = waiting.pop(0)
        entered = here.players[0].entered
        position = position_of(here.ruleset, require(here.shot), entered=entered)
        if position in seen:
            continue
        seen.add(position)
        yield here
        for _, after in let_fall(here):
            if after.to_throw:
                waiting.append(after)
            elif after.shot and not after.finished and not require(after.shot).dice:
                waiting.append(apply(after, Throw()).state)
            elif after.shot:
                waiting += [apply(after, move).state for move in legal_moves(after) if isinstance(move, Throw)]


@pytest.mark.parametrize(("name", "entered"), PLAYERS)
def test_every_throw_is_worth_the_mean_of_its_best_legal_moves(name: str, entered: bool) -> None:
    ruleset = make_rules(SETTINGS[name])
    solved = solve_points(ruleset)
    counting = Known(ruleset, entered, solved)
    for state in iterate_positions(counting.start, 5):
        assert counting.find_value(state) == pytest.approx(counting.mean(state), rel=1e-10)


class Known(Counting):
    """Counting for one throw only: the value of the next throw is taken from the solved expected points."""

    def __init__(self, ruleset: Ruleset, entered: bool, solved: ShotPoints) -> None:
        super().__init__(ruleset, entered, 1_000_000)
        self.solved = solved

    def find_value(self, state: State) -> float:
        shot, player = require(state.shot), state.players[0]
        position = position_of(state.ruleset, shot, entered=player.entered)
        column, picked_up = self.solved.graph.find_column(position), shot.picked_up is not None
        return self.solved.throw(
            column, shot.points, self.solved.kind(player.entered, player.streak, picked_up=picked_up)
        )

    def value_after(self, state: State, made: dict[Move, float]) -> float:
        value = super().value_after(state, made)
        if state.shot or state.to_throw:
            return value
        if streak := state.players[0].streak:
            value += self.solved.expected(streak=streak) - self.solved.expected()
        return value - self.find_next_gain(state)

    def find_next_gain(self, state: State) -> float:
        """Return what picking up brings the next player, who is on the board and has no busts in a row."""
        if not state.ruleset.pick_up or state.offer is None:
            return 0.0
        column, worth = self.solved.graph.plain_column(state.offer.dice), state.ruleset.pick_up_worth
        points = state.offer.points if isinstance(worth, str) else worth
        taken = self.solved.throw(column, points, self.solved.kind(entered=True, picked_up=True))
        return max(taken - self.solved.expected(), 0.0)

    def mean(self, state: State) -> float:
        made: dict[Move, float] = {}
        return sum(share * self.value_after(after, made) for share, after in let_fall(state))

    def average_throws(self, state: State) -> float:
        # After a miss, count the remaining tries one by one: the solved value holds all of them together.
        return self.mean(state) if require(state.shot).tries else self.find_value(state)


@pytest.mark.parametrize("name", LONG_RUN)
def test_streaks_and_dice_left_behind_are_worth_what_they_bring_later(name: str) -> None:
    ruleset = make_rules(LONG_RUN[name])
    counting = Known(ruleset, True, solve_points(ruleset))
    states = list(iterate_positions(counting.start, 4))
    for streak in range(1, ruleset.bust_streak):
        states += iterate_positions(with_player(counting.start, 0, streak=streak), 2)
    for dice, points in ((2, 250), (4, 400)) if ruleset.pick_up else ():
        offered = alter(counting.start, offer=Offer(1, dice, points))
        states.append(apply(offered, Throw(pick_up=True)).state)
    for state in states:
        assert counting.find_value(state) == pytest.approx(counting.mean(state), rel=1e-10, abs=1e-6)


@pytest.mark.parametrize(("name", "entered"), PLAYERS)
def test_turns_played_out_bring_the_solved_points(name: str, entered: bool) -> None:
    ruleset, rng = make_rules(SETTINGS[name]), Random(name)
    counting = Counting(ruleset, entered, 1_000_000)

    @cache
    def best(state: State) -> Move:
        return list_options(state)[0].move

    def play() -> float:
        state = apply(counting.start, Throw()).state
        while state.to_throw or (state.shot and not state.finished):
            if state.to_throw:
                state = throw(state, sorted(rng.choices(range(1, 7), k=state.to_throw))).state
                continue
            move = best(state) if keeps_now(state) else Throw()
            after = apply(state, move).state
            if after.finished or not after.shot:
                return counting.follow(state, move)
            state = after
        return counting.value_after(state, {})

    brought = [play() for _ in range(SHOTS)]
    assert has_mean(brought, solve_points(ruleset).expected(entered))


@pytest.mark.parametrize("file", WORLD, ids=NAMES)
def test_no_decision_of_a_game_under_a_table_of_the_world_gains_by_a_worse_choice(file: Path) -> None:
    ruleset = Ruleset.from_json(json.loads(file.read_bytes())["ruleset"])
    game = Playing(ruleset, Random(file.name), max(2, ruleset.min_players))
    for _ in game.play(60, wild=False):
        pass
    analysis = analyse_game(game.record)
    assert analysis.decisions
    assert all(decision.loss >= -1e-9 for decision in analysis.decisions)
