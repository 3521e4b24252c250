"""Warnings about odd settings, which sound rulesets do not get; changes listed in words; and dice typed to try."""

from dataclasses import replace
from typing import Any

import pytest

from game.pages.rulesets.comparison import list_changes
from game.pages.rulesets.examples import list_examples
from game.pages.rulesets.labels import SETS, ScoringSet
from game.pages.rulesets.sample_throws import try_throws
from game.pages.rulesets.warnings import find_warnings
from game.rules import PRESETS, Ruleset, RulesetError, best_points
from game.rules.combinations import Combination

CLASSIC = PRESETS["classic"]
NONE = (0, 0, 0, 0, 0, 0)


@pytest.mark.parametrize("combination", SETS, ids=lambda combination: combination.setting)
def test_every_combination_has_an_example_and_a_warning_where_it_is_worth_too_little(combination: ScoringSet) -> None:
    little: dict[str, Any] = {combination.setting: 50}
    much: dict[str, Any] = {combination.setting: 1000}
    weak, worthy = Ruleset(singles=(100,) * 6, **little), Ruleset(**much)
    assert best_points(worthy, combination.dice) == 1000
    assert any("1,000" in words for _dice, words in list_examples(worthy, named=True))
    assert any(warning.startswith(f"“{combination.name}” scores 50") for warning in find_warnings(weak))
    if len(combination.dice) > 5:
        with pytest.raises(RulesetError, match=combination.setting):
            replace(worthy, dice=5)


@pytest.mark.parametrize("slug", list(PRESETS))
def test_the_shipped_rulesets_have_no_warnings(slug: str) -> None:
    assert find_warnings(PRESETS[slug]) == []


def test_a_game_of_rounds_gets_no_warning_about_a_target() -> None:
    rounds = replace(CLASSIC, ending="rounds", rounds=10, target_choices=())
    costly = replace(rounds, entry_minimum=10000, bust_streak=3, bust_streak_penalty=20000)
    assert find_warnings(rounds) == find_warnings(costly) == []


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"three_pairs": 250}, "“Three pairs” scores 250, but the dice 1 1 2 2 5 5 score 300 without it."),
        ({"straight": 100}, "“Straight” scores 100, but the dice 1 2 3 4 5 6 score 150 without it."),
        ({"low_straight": 1800}, "The whole straight scores 1,500, less than a straight of five dice (1,800)."),
        ({"full_house": 150}, "“Full house” scores 150, but the dice 1 1 1 5 5"),
        ({"two_triplets": 600}, "“Two triplets” scores 600, but the dice 1 1 1 6 6 6 score 1,600 without it."),
        (
            {"of_a_kind": ((200, 200, 300, 400, 500, 600), *CLASSIC.of_a_kind[1:])},
            "“Three of a kind, 1s” scores 200, but the same dice score 300 without it.",
        ),
        ({"entry_minimum": 300, "bank_minimum": 350}, "The first bank takes 300, but every later one 350."),
        ({"entry_minimum": 10000}, "it already reaches the target of 10,000"),
        (
            {"entry_minimum": 525},
            "“Points to get on the board” is 525, but all points come in steps of 50: it means 550.",
        ),
        ({"bank_minimum": 525, "bank_step": 100}, "all points come in steps of 50: it means 600."),
        ({"entry_minimum": 525, "entry_in": "throw", "bank_step": 100}, "it means 550."),
        ({"target_choices": (5000,)}, "The target 10,000 is not among the targets offered at the start."),
        ({"three_pairs": 0, "three_pairs_across_throws": True}, "does nothing: three pairs do not score"),
        ({"three_pairs": 0, "four_and_two_is_three_pairs": True}, "does nothing: three pairs do not score"),
        ({"four_and_two_is_three_pairs": True, "four_and_two": 1500}, "score in two ways"),
        ({"ending": "at_once"}, "cannot be tied"),
        ({"max_players": 1, "pick_up": True}, "With one player there is nobody to leave dice behind."),
        ({"ante": 25}, "A player on their own pays into a pot"),
        ({"bust_streak": 3}, "Busts in a row cost nothing"),
        ({"bust_streak_penalty": 500}, "Busts in a row cost nothing"),
        ({"bust_streak": 1, "bust_streak_penalty": 500}, "Every single bust costs 500 points."),
        ({"bust_streak": 3, "bust_streak_penalty": 20000}, "cost more than the whole target"),
        ({"singles": NONE}, "Nothing scores with 2 dice or fewer"),
        ({"singles": (100, 50, 50, 50, 50, 50)}, "A single die always scores: no throw is ever a bust"),
        (
            {"singles": (10, 10, 10, 10, 10, 10), "nothing_bonus": 50},
            "“All dice thrown, nothing scores” never happens.",
        ),
    ],
)
def test_odd_settings_get_a_warning(settings: dict[str, Any], sentence: str) -> None:
    warnings = find_warnings(replace(CLASSIC, **settings))
    assert any(sentence in warning for warning in warnings), warnings


@pytest.mark.parametrize(
    ("settings", "untrue"),
    [
        ({"singles": NONE, "sets_grow": "of_a_kind"}, "can only bank or bust"),
        ({"singles": (50,) * 6, "combinations": (Combination("2222", effect="bust"),)}, "no throw is ever a bust"),
        ({"singles": (50,) * 6, "exact": "bust", "tie": "shared"}, "no throw is ever a bust"),
        ({"singles": NONE, "of_a_kind": (NONE,) * 4, "throws_most": 3}, "nobody can ever bank"),
        ({"entry_minimum": 525, "pick_up": True, "pick_up_worth": 25}, "all points come in steps of 50"),
    ],
)
def test_a_warning_that_another_setting_makes_untrue_is_not_given(settings: dict[str, Any], untrue: str) -> None:
    assert not [warning for warning in find_warnings(replace(CLASSIC, **settings)) if untrue in warning]


def test_rules_under_which_nothing_scores_get_a_warning() -> None:
    assert find_warnings(Ruleset())[0] == "Nothing scores: every throw is a bust, and nobody can ever win."


def test_rules_under_which_nobody_can_bank_get_a_warning() -> None:
    assert any(
        "nobody can ever bank" in warning for warning in find_warnings(Ruleset(straight=1500, sweep="must_throw"))
    )
    assert not any("nobody can ever bank" in warning for warning in find_warnings(Ruleset(straight=1500)))


def test_a_minimum_above_the_best_throw_gets_a_warning() -> None:
    low = replace(CLASSIC, of_a_kind=(NONE,) * 4, straight=0, three_pairs=0, entry_minimum=1000)
    assert any("No single throw scores the 1,000 that a bank needs" in warning for warning in find_warnings(low))


# ── differences ──


def test_changes_are_listed_in_words() -> None:
    after = replace(CLASSIC, name="House", three_pairs=750, sweep="may_bank", pick_up=True, target_choices=())
    assert list_changes(CLASSIC, after) == [
        "Name: Classic 10000 → House",
        "Three pairs: 1,000 → 750",
        "Hot dice: all dice have scored: throw all dice again → throw all dice or bank",
        "Players may pick up the dice and points the last player left: no → yes",
        "Targets offered at the start: 5,000, 10,000 → none",
    ]


def test_a_changed_price_is_listed_in_its_currency() -> None:
    yen = list_changes(CLASSIC, replace(CLASSIC, ante=25, currency="JPY"))
    assert [line.replace("\N{NO-BREAK SPACE}", " ") for line in yen] == [
        "Everyone pays at the start: 0.00 USD → 25 JPY",
        "Currency: USD → JPY",
    ]


def test_a_changed_cell_of_the_grid_is_named() -> None:
    grid = (CLASSIC.of_a_kind[0], (2000, 400, 600, 800, 1000, 1250), *CLASSIC.of_a_kind[2:])
    assert list_changes(CLASSIC, replace(CLASSIC, of_a_kind=grid)) == ["Four of a kind, 6s: 1,200 → 1,250"]
    assert list_changes(CLASSIC, replace(CLASSIC, singles=NONE)) == [
        "Single die, 1s: 100 → 0",
        "Single die, 5s: 50 → 0",
    ]


# ── dice to try ──


@pytest.mark.parametrize("typed", ["122245", "1 2 2 2 4 5", "1,2,2,2,4,5"])
def test_dice_can_be_typed_in_several_ways(typed: str) -> None:
    tried = try_throws(CLASSIC, typed)["tried"]
    assert tried and (tried.keeps[0].points, len(tried.keeps)) == (350, 7)


@pytest.mark.parametrize("typed", ["", "0", "7", "1222456", "1_2", "١", "-1", "\0", "1.5", "9" * 5000])
def test_text_that_is_no_throw_gets_a_sentence(typed: str) -> None:
    shown = try_throws(CLASSIC, typed)
    assert shown["tried"] is None
    assert shown["error"] == "Type one to six dice with faces from 1 to 6, for example 122245."
