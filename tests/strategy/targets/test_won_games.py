"""Under every ruleset that comes with the project, no computer and no advice passes up a bank that wins the game."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from game.rules import PRESETS, Bank, Entry, Ruleset, State, Throw, apply, legal_moves, new_game, preset, throw
from game.rules.play.state import alter, with_player
from game.strategy.coach import give_advice
from game.strategy.computers import COMPUTERS, choose_move
from game.strategy.win import rate_state
from tests.require import require

pytestmark = pytest.mark.examples(costly=True)

WORLD = Path(__file__).resolve().parents[3] / "game" / "rules" / "world"
RULESETS = [preset(slug) for slug in PRESETS] + [
    Ruleset.from_json(json.loads(file.read_bytes())["ruleset"]) for file in sorted(WORLD.glob("*.json"))
]
DICE = (1, 1, 2, 3, 4, 6)


@pytest.fixture(scope="module", params=RULESETS, ids=[ruleset.slug for ruleset in RULESETS])
def ruleset(request: pytest.FixtureRequest) -> Ruleset:
    chosen: Ruleset = request.param
    return replace(chosen, first_player="seat_order", min_players=1, max_players=max(2, chosen.max_players))


def set_up_two_ones(ruleset: Ruleset, mine: int, other: int) -> State:
    """Bo, who plays second, has thrown two ones beside dice of little worth, and may bank."""
    state = new_game(ruleset, [Entry("Ann"), Entry("Bo")]).state
    state = with_player(state, 0, score=other, entered=True, played=True, since=1)
    state = with_player(state, 1, score=mine, entered=True)
    last = ruleset.ending == "rounds"
    state = alter(state, player=1, round_begun=True, shots=1, round=max(ruleset.rounds, 1), final=last)
    state = apply(state, Throw()).state
    shot = alter(require(state.shot), points=ruleset.bank_minimum)
    return throw(alter(state, shot=shot), (1, 1, 5, 5, 2, 3)[: ruleset.dice]).state


def set_up_last_turn(ruleset: Ruleset, mine: int, other: int) -> State:
    """Bo faces two ones in the last turn of the game: Ann is at the target, or it is the last round."""
    state = set_up_two_ones(ruleset, mine, other)
    if ruleset.ending == "rounds":
        return state
    return with_player(alter(state, final=True, first=0), 0, last=True)


def find_best_bank(ruleset: Ruleset) -> int:
    """The most points that these dice can bank."""
    state = set_up_two_ones(ruleset, 0, 0)
    banks = [move for move in legal_moves(state) if isinstance(move, Bank)]
    return max(apply(state, move).state.players[1].score for move in banks)


def test_points_that_reach_the_target_are_banked_against_somebody_far_behind(ruleset: Ruleset) -> None:
    if ruleset.ending == "rounds":
        return  # no score ends the game
    state = set_up_two_ones(ruleset, ruleset.target - find_best_bank(ruleset), 0)
    best = give_advice(state, rate_state(state)).best
    assert best.option.then in ("bank", "win")
    assert require(best.win) > 0.95


def test_every_level_makes_a_bank_that_wins_the_game_at_once(ruleset: Ruleset) -> None:
    points, behind = find_best_bank(ruleset), ruleset.exact == "no" and ruleset.ending != "at_once"
    other = ruleset.target + points - 50 if behind else 0
    mine = ruleset.target if behind else ruleset.target - points
    state = set_up_last_turn(ruleset, mine, other) if behind else set_up_two_ones(ruleset, mine, other)
    rated = rate_state(state)
    if not any(apply(state, move).state.winners == (1,) for move in legal_moves(state) if isinstance(move, Bank)):
        return  # somebody else still has a last turn
    assert rated[0].win == 1
    for level in COMPUTERS:
        moved = choose_move(with_player(state, 1, level=level))
        assert apply(state, moved).state.winners == (1,)


def test_no_level_makes_a_losing_bank_in_the_last_turn(ruleset: Ruleset) -> None:
    if ruleset.ending == "at_once":
        return  # there are no last turns
    points = find_best_bank(ruleset)
    mine = ruleset.target - points - 4 * ruleset.least_value
    state = set_up_last_turn(ruleset, mine, ruleset.target)
    if not any(isinstance(move, Throw) for move in legal_moves(state)):
        return  # that was the last throw of the turn
    best = rate_state(state)[0]
    assert best.option.then == "throw"
    for level in COMPUTERS:
        assert isinstance(choose_move(with_player(state, 1, level=level)), Throw)
