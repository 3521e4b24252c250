"""Turns and games played with random dice agree with the computed values within three standard errors."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from math import sqrt
from typing import Any

import pytest

from game.rules import Dice, Entry, Move, Ruleset, State, Throw, apply, dice_left, keeps_now, new_game, preset, throw
from game.rules.play.state import alter
from game.strategy.turn import Option, list_options, solve_shot_points
from game.strategy.win import (
    ScoreSituation,
    find_table,
    make_race,
    make_score_situation,
    rate_options,
    solve_race,
    solve_shot_chances,
)
from tests.require import require
from tests.strategy.positions import FEW_SCORES, set_up_choice


def play_shot(ruleset: Ruleset, rng: random.Random, best: Callable[[Dice, int], Option | None]) -> int:
    """Play a turn; return its points, 0 for a bust."""
    points, left, tries = 0, 6, 0
    while True:
        dice = tuple(sorted(rng.choices(range(1, 7), k=left)))
        way = best(dice, points)
        tries += 1
        if way is None and left == 1 and tries < ruleset.last_die_throws:
            continue
        if way is None:
            return 0
        if way.then == "bank":
            return way.total
        points, left, tries = way.total, dice_left(dice, way.keep.dice), 0


def has_mean(values: Sequence[float], expected: float) -> bool:
    mean = sum(values) / len(values)
    error = sqrt(sum((value - mean) ** 2 for value in values)) / len(values)
    return abs(mean - expected) < 3 * error


@pytest.mark.parametrize("slug", ["classic", "farkle"])
def test_turns_bring_the_expected_points(slug: str) -> None:
    ruleset, rng = preset(slug), random.Random(7)

    @cache
    def best(dice: Dice, points: int) -> Option | None:
        return next(iter(list_options(set_up_choice(ruleset, dice, points))), None)

    brought = [play_shot(ruleset, rng, best) for _ in range(4000)]
    assert has_mean(brought, solve_shot_points(ruleset).expected())


def test_two_perfect_players_win_as_often_as_the_table_says() -> None:
    ruleset, rng = preset("pot"), random.Random(8)
    table = require(find_table(ruleset, 10_000))

    @cache
    def best(mine: int, theirs: int, dice: Dice, points: int) -> Option | None:
        rated = rate_options(set_up_choice(ruleset, dice, points, scores=(mine, theirs)), table)
        return rated[0].option if rated else None

    def first_wins() -> bool:
        mine, theirs, first = 9600, 9700, True
        while True:
            mine += play_shot(ruleset, rng, partial(best, mine, theirs))
            if theirs >= 10_000:
                return (mine > theirs) == first
            mine, theirs, first = theirs, mine, not first

    assert has_mean([first_wins() for _ in range(150)], table.chances[0, 193, 195])


FEW = {**FEW_SCORES, "ending": "at_once", "first_player": "seat_order", "min_players": 2}
ROUNDS = {"ending": "rounds", "rounds": 3}
SETTINGS: dict[str, dict[str, Any]] = {
    "three busts in a row cost points": {"bust_streak": 3, "bust_streak_penalty": 1000},
    "busts cost everybody the turn": {"bust_streak": 1, "bust_cost": "shot", "below_zero": "always"},
    "exactly, with growing sets": {"sets_grow": "of_a_kind", "exact": "bust"},
    "three throws, in steps": {"throws_most": 3, "bank_step": 1000},
    "dice on offer and two busts in a row": {"pick_up": True, "bust_streak": 2, "bust_streak_penalty": 1000},
    "dice on offer cost": {"pick_up": True, "pick_up_by": "all", "pick_up_cost": 1000},
    "rounds in which two busts in a row cost": {**ROUNDS, "bust_streak": 2, "bust_cost": "everything"},
    "rounds with ties played out and costs": {**ROUNDS, "tie": "tied_only", "nothing_cost": 1000},
}


@pytest.mark.examples
@pytest.mark.parametrize("name", SETTINGS)
def test_whole_games_by_the_rules_are_won_as_often_as_the_table_says(name: str) -> None:
    ruleset, rng = Ruleset.from_json({**FEW, **SETTINGS[name]}), random.Random(9)
    table = solve_race(make_race(ruleset, 2000))

    chosen: dict[object, Move] = {}

    def choose(state: State) -> Move:
        key = alter(require(state.shot), player=0), make_score_situation(state)
        if key not in chosen:
            chosen[key] = rate_options(state, table)[0].option.move
        return chosen[key]

    @cache
    def picks_up(situation: ScoreSituation, dice: int, points: int) -> bool:
        score, entered = situation.seats[0].score + points, situation.seats[0].entered
        fresh = solve_shot_chances(table, situation, score)
        taken = solve_shot_chances(table, replace(situation, picked_up=ruleset.pick_up_cost > 0), score)
        return taken.throw(table.race.graph.plain_column(dice, entered=entered), score) > fresh.begin

    def begin(state: State) -> Throw:
        return Throw(pick_up=state.pick_up is not None and picks_up(make_score_situation(state), *state.pick_up))

    def first_wins() -> bool:
        state = new_game(ruleset, [Entry("Ana"), Entry("Bo")]).state
        while not state.finished:
            if state.to_throw:
                state = throw(state, sorted(rng.choices(range(1, 7), k=state.to_throw))).state
                continue
            move = choose(state) if keeps_now(state) else Throw()
            state = apply(state, begin(state) if state.shot is None else move).state
        return state.winners == (0,)

    start = make_score_situation(new_game(ruleset, [Entry("Ana"), Entry("Bo")]).state)
    assert has_mean([first_wins() for _ in range(400)], solve_shot_chances(table, start).begin)
