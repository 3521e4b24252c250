"""Random games under random rulesets: the properties that hold whatever happens."""

import json
import random
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from game.rules import (
    PRESETS,
    Bank,
    IllegalMove,
    Move,
    Ruleset,
    State,
    Throw,
    Win,
    apply,
    legal_moves,
    new_game,
    state_from_json,
    state_to_json,
    why_not,
)
from game.rules.play.banking import is_bankable
from game.rules.play.state import alter
from game.rules.record import replay, undo
from tests.examples import try_examples
from tests.rules.playing import Playing, rulesets, world_rulesets

GAMES = try_examples(30)
SEEDS = st.integers(0, 2**32)
ANY = (
    rulesets()
    | world_rulesets()
    | st.sampled_from(list(PRESETS.values())).filter(lambda ruleset: ruleset.max_players > 2)
)


def make_playing(ruleset: Ruleset, seed: int) -> Playing:
    rng = random.Random(seed)
    return Playing(ruleset, rng, rng.randint(max(ruleset.min_players, 2), 4))


@GAMES
@given(ANY, SEEDS)
def test_apply_accepts_exactly_the_legal_moves(ruleset: Ruleset, seed: int) -> None:
    rng = random.Random(seed)
    for state in make_playing(ruleset, seed).play(40):
        dice = state.shot.dice if state.shot else ()
        part = tuple(sorted(rng.sample(dice, rng.randint(0, len(dice)))))
        legal = legal_moves(state)
        tried = {*legal, Throw(part), Bank(part), Win(part), Throw(part, True), Throw(), Bank(())}
        for move in tried:
            accepted = why_not(state, move) is None
            assert accepted == (move in legal)
            assert accepted == can_apply(state, move)


@GAMES
@given(ANY, SEEDS)
def test_what_is_bankable_by_points_and_dice_alone_may_be_banked(ruleset: Ruleset, seed: int) -> None:
    for state in make_playing(ruleset, seed).play(40):
        legal = legal_moves(state)
        for move in legal:
            if isinstance(move, Throw) and move.keep and (shot := apply(state, move).state.shot):
                entered = state.players[state.player].entered
                certain = is_bankable(ruleset, shot.points, shot.left, entered=entered)
                may = Bank(move.keep) in legal
                assert certain == may if ruleset.is_plain else may or not certain


def can_apply(state: State, move: Move) -> bool:
    try:
        apply(state, move)
    except IllegalMove as refusal:
        assert str(refusal)
        return False
    return True


@GAMES
@given(ANY, SEEDS)
def test_every_state_of_a_game_is_sound(ruleset: Ruleset, seed: int) -> None:
    for state in make_playing(ruleset, seed).play(60):
        assert state_from_json(ruleset, json.loads(json.dumps(state_to_json(state)))) == state
        assert state.finished != bool(legal_moves(state))
        assert state.finished or state.players[state.player].active
        assert ruleset.below_zero != "never" or all(player.score >= 0 for player in state.players)
        assert state.pot >= ruleset.ante * len(state.players)
        assert sum(state.shares) == (state.pot if state.winners else 0)
        assert all(state.players[seat].active for seat in state.winners)


@GAMES
@given(ANY, SEEDS)
def test_a_game_file_replays_to_the_same_game(ruleset: Ruleset, seed: int) -> None:
    game = make_playing(ruleset, seed)
    for _ in game.play(50):
        if game.rng.random() < 0.2:
            assert game.reread_state() == game.state
    assert game.reread_state() == game.state


@GAMES
@given(ANY, SEEDS)
def test_undoing_everything_leads_back_to_the_start(ruleset: Ruleset, seed: int) -> None:
    game = make_playing(ruleset, seed)
    list(game.play(60, wild=False))
    record, state = game.record, game.state
    while state.shots or state.shot:
        record, cancelled = undo(record)
        assert cancelled
        state = replay(record).state
    fresh = new_game(ruleset, record.players).state
    assert state == alter(fresh, starting=(), to_throw=0, order=state.order, player=state.player)


@GAMES
@given(ANY, SEEDS)
def test_a_state_does_not_grow_with_the_game(ruleset: Ruleset, seed: int) -> None:
    game = make_playing(ruleset, seed)
    sizes = [len(json.dumps(state_to_json(state))) for state in game.play(150, wild=False)]
    assert max(sizes, default=0) < 500 + 250 * len(game.state.players)


def test_the_same_dice_and_moves_make_the_same_game() -> None:
    for ruleset, seed in product(list(PRESETS.values())[:6], range(5)):
        one, other = make_playing(ruleset, seed), make_playing(ruleset, seed)
        assert list(one.play(100)) == list(other.play(100))
