"""The page of a long game reads and shows hardly more than that of a short one, and its chart looks the same."""

from itertools import pairwise

import pytest

from game.history.replay import find_first_steps, list_counted_scores, list_turns_of
from game.history.scores import DRAWN_MOST, find_step, list_scores_by_round
from game.history.summary import read_end
from game.models import Game
from game.pages.parts.score_chart import build_score_chart
from game.storage import load_state
from tests.cast import IN, Device, bank, bust, reload_game, throw
from tests.stored_games import store_long_game

ROUNDS = 200
NAMES = ("Chloé", "*HAL", "Bruno", "Ana")


@pytest.mark.parametrize("over", [False, True])
def test_the_chart_of_a_long_game_looks_as_if_drawn_from_all_scores(device: Device, over: bool) -> None:
    game = store_long_game(device, 4 * ROUNDS, over=over)
    whole = list_counted_scores(list_turns_of(game))
    shown = read_end(game).scores if over else list_scores_by_round(game)
    assert len(shown) < len(whole) / 2 and find_step(ROUNDS) > 1
    goal = load_state(game).goal
    assert build_score_chart(NAMES, goal, shown) == build_score_chart(NAMES, goal, whole)


def test_a_player_who_sat_out_long_ago_keeps_their_score_in_the_chart(device: Device) -> None:
    turns = [
        bank(0, 1000, IN),
        bank(1, 1000, IN),
        bank(0, 50, throw("223456", "5")),
        bank(1, 50, throw("223456", "5")),
    ]
    rest = [bust(0, throw("234466")) for _round in range(3 * DRAWN_MOST)]
    game = device.game(*turns, {"type": "out", "player": 1}, *rest)
    whole = list_counted_scores(list_turns_of(game))
    shown = list_scores_by_round(game)
    assert build_score_chart(NAMES[:2], 10_000, shown) == build_score_chart(NAMES[:2], 10_000, whole)
    assert len(shown) < len(whole)


def test_turns_of_a_finished_game_lead_to_their_first_throws(device: Device) -> None:
    game = store_long_game(device, 40)
    firsts = {turn.pk: turn.first for turn in list_turns_of(game)}
    html = device.page(game, "?log=all")
    assert all(f'?at={first}"' in html for first in list(firsts.values())[-20:])


def test_turns_of_a_game_abandoned_in_mid_turn_lead_to_their_throws(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), bank(1, 1000, IN))
    device.do(game, "throw")
    Game.objects.filter(pk=game.pk).update(status="abandoned", version=99)
    shots = list(game.shots.exclude(outcome="").order_by("-place"))
    html = device.page(game)
    assert all(f'?at={first}"' in html for first in find_first_steps(reload_game(game), shots).values())


def test_the_best_turn_is_no_longer_named_after_an_undone_end(device: Device) -> None:
    won = bank(0, 10100, throw("111111", "111111"), throw("134466", "1")), bust(1, throw("234466"))
    game = device.game(*won)
    assert "Ana had the best turn, 10,100." in device.page(game)
    device.do(game, "undo")
    assert "had the best turn" not in device.page(game)


@pytest.mark.parametrize("over", [False, True])
def test_the_page_of_a_long_game_is_hardly_longer_than_a_short_ones(device: Device, over: bool) -> None:
    sizes = [len(device.page(store_long_game(device, turns, over=over))) for turns in (100, 4 * ROUNDS)]
    assert all(longer < 1.2 * shorter for shorter, longer in pairwise(sizes))
