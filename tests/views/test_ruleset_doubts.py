"""Odd settings are pointed out in plain words, sound ones left in peace; differences are said in words."""

from dataclasses import replace

import pytest

from game.pages.rulesets.changes import differences
from game.pages.rulesets.sample_throws import bench
from game.pages.rulesets.warnings import doubts
from game.rules import PRESETS, Ruleset

CLASSIC = PRESETS["classic"]
NONE = (0, 0, 0, 0, 0, 0)


@pytest.mark.parametrize("slug", list(PRESETS))
def test_nothing_is_said_about_the_shipped_ones(slug: str):
    assert doubts(PRESETS[slug]) == []


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"three_pairs": 250}, "“Three pairs” scores 250, but the dice 1 1 2 2 5 5 score 300 without it."),
        ({"straight": 100}, "“Straight, 1 to 6” scores 100, but the dice 1 2 3 4 5 6 score 150 without it."),
        ({"low_straight": 1800}, "The whole straight scores 1,500, less than a straight of five dice (1,800)."),
        ({"full_house": 150}, "“Full house (three and two alike)” scores 150, but the dice 1 1 1 5 5"),
        ({"two_triplets": 600}, "“Two triplets” scores 600, but the dice 1 1 1 6 6 6 score 1,600 without it."),
        (
            {"of_a_kind": ((200, 200, 300, 400, 500, 600), *CLASSIC.of_a_kind[1:])},
            "“Three alike, 1s” scores 200, but the same dice score 300 without it.",
        ),
        ({"entry_minimum": 300, "bank_minimum": 350}, "Getting in takes 300, but every later turn 350"),
        ({"entry_minimum": 10000}, "who gets in has reached the target of 10,000 at once"),
        ({"entry_minimum": 525}, "“Points needed to get in” is 525, but all points go in steps of 50: it means 550."),
        ({"target_choices": (5000,)}, "The target 10,000 is not among the targets offered at the start."),
        ({"three_pairs": 0, "three_pairs_across_throws": True}, "does nothing: three pairs do not score"),
        ({"three_pairs": 0, "four_and_two_is_three_pairs": True}, "does nothing: three pairs do not score"),
        ({"four_and_two_is_three_pairs": True, "four_and_two": 1500}, "score in two ways"),
        ({"ending": "at_once"}, "has no ties"),
        ({"max_players": 1, "pick_up": True}, "In a game for one nobody leaves dice to go on with."),
        ({"ante": 25}, "Who plays alone pays into a pot"),
        ({"bust_streak": 3}, "Busts in a row cost nothing"),
        ({"bust_streak_penalty": 500}, "Busts in a row cost nothing"),
        ({"bust_streak": 1, "bust_streak_penalty": 500}, "Every single bust costs 500 points."),
        ({"bust_streak": 3, "bust_streak_penalty": 20000}, "cost more than the whole target"),
        ({"singles": NONE}, "With 2 dice or fewer nothing scores"),
        ({"singles": (100, 50, 50, 50, 50, 50)}, "A single die always scores: no throw is ever a bust"),
        (
            {"singles": (10, 10, 10, 10, 10, 10), "nothing_bonus": 50},
            "“Six dice of which nothing scores” never happens.",
        ),
    ],
)
def test_what_is_odd_is_said(settings: dict[str, object], sentence: str):
    assert any(sentence in doubt for doubt in doubts(replace(CLASSIC, **settings))), doubts(
        replace(CLASSIC, **settings)
    )


def test_nothing_scores_at_all():
    assert doubts(Ruleset())[0] == "Nothing scores: every throw is a bust, and nobody can ever win."


def test_only_all_six_score_and_must_be_thrown_again():
    assert any("nobody can ever bank" in doubt for doubt in doubts(Ruleset(straight=1500, sweep="must_throw")))
    assert not any("nobody can ever bank" in doubt for doubt in doubts(Ruleset(straight=1500)))


def test_a_minimum_above_the_best_throw():
    low = replace(CLASSIC, of_a_kind=(NONE,) * 4, straight=0, three_pairs=0, entry_minimum=1000)
    assert any("No single throw scores the 1,000 that a bank needs" in doubt for doubt in doubts(low))


# ── differences ──


def test_differences_are_said_in_words():
    after = replace(CLASSIC, name="House", three_pairs=750, sweep="may_bank", pick_up=True, target_choices=())
    assert differences(CLASSIC, after) == [
        "Name: Classic 10000 → House",
        "Three pairs: 1,000 → 750",
        "When all six dice have scored: The player has to throw all six again → "
        "The player may bank, or throw all six again",
        "A player may go on with the dice and points that the player before left: no → yes",
        "Targets offered at the start: 5,000, 10,000 → none",
    ]


def test_a_cell_of_the_grid_is_named():
    grid = (CLASSIC.of_a_kind[0], (2000, 400, 600, 800, 1000, 1250), *CLASSIC.of_a_kind[2:])
    assert differences(CLASSIC, replace(CLASSIC, of_a_kind=grid)) == ["Four alike, 6s: 1,200 → 1,250"]
    assert differences(CLASSIC, replace(CLASSIC, singles=NONE)) == ["One die, 1s: 100 → 0", "One die, 5s: 50 → 0"]


# ── dice to try ──


@pytest.mark.parametrize("typed", ["122245", "1 2 2 2 4 5", "1,2,2,2,4,5"])
def test_dice_are_typed_as_one_likes(typed: str):
    tried = bench(CLASSIC, typed).tried
    assert tried and (tried.keeps[0].points, len(tried.keeps)) == (350, 7)


@pytest.mark.parametrize("typed", ["", "0", "7", "1222456", "1_2", "١", "-1", "\0", "1.5", "9" * 5000])
def test_what_is_no_throw_gets_a_sentence(typed: str):
    shown = bench(CLASSIC, typed)
    assert shown.tried is None
    assert shown.error == "Type one to six dice with faces from 1 to 6, for example 122245."
