"""The tables of the world that ship as data, and rulesets that cannot be played."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, reject

from game.rules import PRESETS, Ruleset
from game.rules.play.playable import TooManyPositions, find_problem, is_entry_harder, why_unplayable
from game.rules.record import from_json, replay
from tests.examples import try_examples
from tests.game_files import to_json
from tests.rules.playing import Playing, world_rulesets

WORLD = sorted((Path(__file__).resolve().parents[2] / "game" / "rules" / "world").glob("*.json"))
NAMES = [file.stem for file in WORLD]


def load_table(file: Path) -> dict[str, Any]:
    table: dict[str, Any] = json.loads(file.read_bytes())
    return table


def test_there_are_46_tables_of_the_world() -> None:
    assert len(WORLD) == 46


@pytest.mark.parametrize("file", WORLD, ids=NAMES)
def test_a_table_of_the_world_is_canonical_and_playable(file: Path) -> None:
    table = load_table(file)
    ruleset = Ruleset.from_json(table["ruleset"])
    assert json.dumps(ruleset.to_json()) == json.dumps(table["ruleset"])
    assert table["slug"] == ruleset.slug == file.stem
    assert table["names"][0]["name"] == ruleset.name
    assert why_unplayable(ruleset) is find_problem(ruleset, entered=True) is None


@pytest.mark.parametrize("file", WORLD, ids=NAMES)
def test_a_game_under_a_table_of_the_world_replays(file: Path) -> None:
    ruleset = Ruleset.from_json(load_table(file)["ruleset"])
    game = Playing(ruleset, random.Random(file.stem), max(2, ruleset.min_players) if ruleset.max_players > 1 else 1)
    for _ in game.play(300, wild=False):
        pass
    assert replay(from_json(to_json(game.record))).state == game.state
    assert game.state.shots > 10 or game.state.finished


@pytest.mark.parametrize("slug", PRESETS)
def test_the_shipped_rulesets_can_be_played(slug: str) -> None:
    assert why_unplayable(PRESETS[slug]) is find_problem(PRESETS[slug], entered=True) is None


ALL_SCORE = {"singles": [100, 60, 70, 80, 50, 90], "must_keep": "all", "sweep": "must_throw"}
UNPLAYABLE: list[tuple[dict[str, Any], str]] = [
    ({}, "a player on the board"),
    ({"singles": [100, 0, 0, 0, 50, 0], "throws_most": 1, "entry_minimum": 20_000}, "not on the board"),
    ({"singles": [100, 0, 0, 0, 50, 0], "throws_most": 1, "bank_minimum": 20_000}, "a player on the board"),
    ({"singles": [30, 0, 0, 0, 0, 0], "throws_most": 1, "bank_step": 100}, "a player on the board"),
    ({"singles": [30, 0, 0, 0, 0, 0], "throws_most": 2, "bank_step": 130, "bank_minimum": 10}, "a player on the board"),
    ({"low_straight": 1000, "nothing": "again", "nothing_bonus": 50}, ""),
    (ALL_SCORE, "banked or won"),
    ({**ALL_SCORE, "combinations": [{"pattern": "111111", "effect": "wins"}]}, ""),
    ({"singles": [100, 0, 0, 0, 50, 0], "throws_most": 1, "bank_step": 100}, ""),
    ({"singles": [100, 0, 0, 0, 50, 0], "entry_needs": "set"}, "not on the board"),
    ({"singles": [100, 0, 0, 0, 50, 0], "entry_minimum": 300, "entry_in": "throw"}, ""),
    ({"singles": [100, 0, 0, 0, 50, 0], "entry_minimum": 700, "entry_in": "throw"}, "not on the board"),
    ({"singles": [100, 0, 0, 0, 50, 0], "entry_minimum": 700}, ""),
    ({"singles": [101, 2, 3, 5, 53, 7], "bank_step": 101}, ""),
    ({"singles": [101, 2, 3, 5, 53, 7], "bank_step": 9973}, "too many ways"),
]


@pytest.mark.examples
@pytest.mark.parametrize(("settings", "words"), UNPLAYABLE)
def test_a_ruleset_that_can_be_read_but_not_played_says_why(settings: dict[str, Any], words: str) -> None:
    problem = why_unplayable(Ruleset.from_json(settings))
    assert (words in str(problem)) if words else problem is None


@given(world_rulesets())
@try_examples(6)
def test_a_ruleset_playable_before_entry_is_playable_after_it(ruleset: Ruleset) -> None:
    try:
        assume(is_entry_harder(ruleset) and find_problem(ruleset, entered=False) is None)
        assert find_problem(ruleset, entered=True) is None
    except TooManyPositions:
        reject()
