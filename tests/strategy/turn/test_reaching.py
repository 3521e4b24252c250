"""What a turn of these dice and points can be: a turn that is played is among those that are thought of."""

import random
from dataclasses import replace

import pytest

from game.rules import Entry, Throw, apply, legal_moves, new_game, throw
from game.rules.events import Bust
from game.services.shipped_rulesets import list_shipped_rulesets
from game.strategy.turn.graph import build_graph
from game.strategy.turn.positions import position_of
from game.strategy.turn.reaching import find_columns
from tests.require import require


@pytest.mark.parametrize(
    "slug", ["zehntausend", "zehntausend-schwer", "hot-dice", "zilch-growing", "tiotusen-ett-kast"]
)
def test_every_turn_that_is_played_can_be(slug: str) -> None:
    ruleset = replace(list_shipped_rulesets()[slug], first_player="seat_order", min_players=1)
    rng, seen = random.Random(slug), 0
    graph = build_graph(ruleset)
    while seen < 60:
        state, swept = apply(new_game(ruleset, [Entry("Ana")]).state, Throw()).state, False
        while True:
            state, events = throw(state, tuple(rng.choices(range(1, 7), k=state.to_throw)))
            moves = [move for move in legal_moves(state) if isinstance(move, Throw) and move.keep]
            if any(isinstance(event, Bust) for event in events) or not moves or swept:
                break
            state = apply(state, rng.choice(moves)).state
            shot = require(state.shot)
            swept = shot.left in (0, ruleset.dice)
            columns = find_columns(graph, shot.left or ruleset.dice, shot.points, entered=False)
            assert graph.find_column(position_of(ruleset, shot, entered=False)) in columns, shot
            seen += 1


def test_points_that_no_turn_has_are_nowhere() -> None:
    graph = build_graph(list_shipped_rulesets()["zehntausend"])
    assert find_columns(graph, 4, 500, entered=True) != []  # after hot dice
    assert find_columns(graph, 4, 75, entered=True) == []
