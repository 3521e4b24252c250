"""The bust risk that the coach names is the one on the button, whatever has to be thrown again."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from game.rules import Entry, State, apply, legal_moves, new_game, preset, throw
from game.rules.play.moves import Bank, Throw
from game.services.shipped_rulesets import read_world_tables
from game.strategy.odds import chance_to_end_next, chance_to_end_with
from game.strategy.turn import solve_shot_points
from game.strategy.turn.options import list_options
from tests.strategy.positions import set_up_choice

AGAIN: dict[str, Any] = {"lone_five": "rethrow"}
NOTHING: dict[str, Any] = {"nothing": "again", "nothing_bonus": 0}
OWN: dict[str, dict[str, Any]] = {
    "tries": {"last_die_throws": 3, "exact": "stay"},
    "tries and limit": {"last_die_throws": 3, "throws_most": 4},
    "lone five": AGAIN,
    "lone five and limit": AGAIN | {"throws_most": 3},
    "lone five and exact": AGAIN | {"exact": "bust", "last_die_throws": 2},
    "nothing": NOTHING,
    "nothing first": AGAIN | NOTHING | {"nothing_when": "first_throw"},
    "nothing for points": AGAIN | {"nothing": "again", "nothing_bonus": 50, "exact": "stay"},
}


def play_on(state: State, random: Random, steps: int) -> Iterator[State]:
    """Play at random, and yield the states in which a choice of dice is due."""
    for _step in range(steps):
        if state.finished:
            return
        if state.to_throw:
            state, _events = throw(state, [random.randint(1, 6) for _die in range(state.to_throw)])
            continue
        if state.shot and state.shot.dice:
            yield state
        moves = legal_moves(state)
        on = [move for move in moves if isinstance(move, Throw)]
        banks = [move for move in moves if isinstance(move, Bank)]
        state = apply(state, random.choice(banks if banks and (not on or random.random() < 0.3) else on or moves)).state


def find_differing_risks(state: State, seed: int) -> list[tuple[object, ...]]:
    return [
        (at.shot, option.keep.dice, option.bust, risk)
        for at in play_on(state, Random(seed), 60)
        for option in list_options(at)
        if option.then == "throw"
        and option.bust != pytest.approx(risk := chance_to_end_next(at, Throw(option.keep.dice)))
    ]


@pytest.mark.examples
@pytest.mark.parametrize("name", OWN)
def test_coach_and_button_name_the_same_risk(name: str) -> None:
    rules = replace(preset("classic"), slug="own", target=3000, tie="shared", **OWN[name])
    assert find_differing_risks(new_game(rules, [Entry("Ana"), Entry("Ben")])[0], 5) == []


def test_coach_and_button_name_the_same_risk_near_an_exact_target() -> None:
    rules = read_world_tables()["dix-mille-com"].ruleset
    state = new_game(rules, [Entry("Ana"), Entry("Ben")])[0]
    near = tuple(replace(player, score=state.target - 700, entered=True) for player in state.players)
    assert find_differing_risks(state, 1) == find_differing_risks(replace(state, players=near), 2) == []


def test_coach_and_button_name_the_same_risk_with_very_many_points() -> None:
    rules = replace(preset("classic"), slug="own", throws_most=2, bank_dice_left_most=2)
    assert find_differing_risks(set_up_choice(rules, (1, 1, 2, 2, 5, 6), 90_050), 1) == []


def test_the_last_die_busts_with_all_its_tries_under_an_exact_target() -> None:
    solved = solve_shot_points(read_world_tables()["dix-mille-com"].ruleset)
    columns = solved.graph.kept_columns(1, entered=True)
    assert solved.graph.bust_chance(columns[0]) == pytest.approx(4 / 9)


def test_a_lone_five_thrown_again_is_in_the_risk() -> None:
    rules = replace(preset("classic"), slug="own", lone_five="rethrow")
    again, busts = 3 * 4**2, 60  # throws of three dice with a 5 and two that score nothing; throws of nothing
    assert chance_to_end_with(rules, 3) == pytest.approx(busts / (6**3 - again))


def test_a_throw_of_nothing_that_brings_points_never_busts_itself() -> None:
    rules = read_world_tables()["zilch-growing"].ruleset
    graph = solve_shot_points(rules).graph
    assert chance_to_end_with(rules, 6) == graph.bust_chance(graph.start) == 0
