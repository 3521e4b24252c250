"""What a ruleset may say, and how the settings of a bad one are named."""

import json
import pickle
from dataclasses import fields, replace

import pytest
from hypothesis import given

from game.rules import PRESETS, Ruleset, RulesetError, UnknownPreset, preset
from tests.rules.playing import rulesets

CLASSIC = {
    "slug": "classic", "name": "Classic 10000", "singles": [100, 0, 0, 0, 50, 0],
    "of_a_kind": {"3": [1000, 200, 300, 400, 500, 600], "4": [2000, 400, 600, 800, 1000, 1200],
                  "5": [4000, 800, 1200, 1600, 2000, 2400], "6": [10000, 2000, 3000, 4000, 5000, 6000]},
    "straight": 1500, "low_straight": 0, "high_straight": 0, "full_house": 0, "three_pairs": 1000, "two_triplets": 0,
    "four_and_two": 0, "four_and_two_is_three_pairs": False, "three_pairs_across_throws": False,
    "six_of_a_kind_wins": False, "nothing_bonus": 0, "entry_minimum": 500, "bank_minimum": 0, "sweep": "must_throw",
    "last_die_throws": 1, "pick_up": False, "bust_streak": 0, "bust_streak_penalty": 0, "target": 10000,
    "target_choices": [5000, 10000], "ending": "complete_round", "tie": "extra_rounds", "first_player": "seat_order",
    "min_players": 1, "max_players": 12, "ante": 0, "bust_penalty": 0, "currency": "USD",
}  # fmt: skip

# The table of shipped rulesets: the settings in which they differ.
TABLE = """\
slug         entry bank sweep      die pick  target ending         tie           first        players ante penalty
classic      500   0    must_throw 1   False 10000  complete_round extra_rounds  seat_order   1-12    0    0
wikipedia    550   0    may_bank   1   True  10000  last_shot_each leader_stands seat_order   1-12    0    0
boxcars      550   0    may_bank   1   True  10000  last_shot_each leader_stands seat_order   1-12    0    0
pot          1000  0    may_bank   1   False 10000  last_shot_each leader_stands seat_order   2-12    25   5
farkle       1000  350  must_throw 3   False 10000  last_shot_each shared        throw_for_it 1-12    0    0
farkle-quick 500   350  must_throw 3   False 5000   last_shot_each shared        throw_for_it 1-12    0    0
greed        500   0    may_bank   1   False 10000  last_shot_each leader_stands seat_order   2-2     0    0
greed-5000   500   0    may_bank   1   False 5000   last_shot_each leader_stands seat_order   2-2     0    0
""".splitlines()[1:]


def make_row(r: Ruleset) -> list[object]:
    players = f"{r.min_players}-{r.max_players}"
    return [r.slug, r.entry_minimum, r.bank_minimum, r.sweep, r.last_die_throws, r.pick_up, r.target, r.ending,
            r.tie, r.first_player, players, r.ante, r.bust_penalty]  # fmt: skip


@pytest.mark.parametrize("line", TABLE, ids=lambda line: line.split()[0])
def test_a_shipped_ruleset_is_as_in_the_table(line: str) -> None:
    assert [str(value) for value in make_row(preset(line.split(maxsplit=1)[0]))] == line.split()


def test_classic_is_read_and_written_as_documented() -> None:
    assert Ruleset.from_json(CLASSIC) == preset("classic")
    assert json.dumps(preset("classic").to_json()) == json.dumps(CLASSIC)


def test_eight_rulesets_ship_in_this_order() -> None:
    assert " ".join(PRESETS) == "classic wikipedia boxcars pot farkle farkle-quick greed greed-5000"
    assert [ruleset.name for ruleset in PRESETS.values()] == [
        "Classic 10000", "Dice 10,000", "Boxcars", "The Pot", "Farkle", "Quick Farkle", "Greed", "Quick Greed",
    ]  # fmt: skip
    with pytest.raises(UnknownPreset, match="classic, wikipedia"):
        preset("nope")


@given(rulesets())
def test_a_ruleset_survives_json_and_copies(ruleset: Ruleset) -> None:
    assert Ruleset.from_json(json.loads(json.dumps(ruleset.to_json()))) == ruleset
    assert pickle.loads(pickle.dumps(ruleset)) == ruleset
    assert hash(replace(ruleset)) == hash(ruleset)


def test_a_setting_that_is_left_out_has_its_default() -> None:
    plain = Ruleset.from_json({})
    assert (plain.singles, plain.of_a_kind) == ((0,) * 6, ((0,) * 6,) * 4)
    assert (plain.last_die_throws, plain.sweep, plain.target, plain.ending) == (1, "may_bank", 10000, "last_shot_each")
    assert (plain.tie, plain.first_player, plain.min_players) == ("leader_stands", "seat_order", 1)
    assert plain.max_players == 12
    assert Ruleset.from_json({"of_a_kind": {"3": [1, 2, 3, 4, 5, 6]}}).of_a_kind[1] == (0,) * 6


BAD = {
    "straigt": ("straigt", 1500),
    "of_a_kind.7": ("of_a_kind", {"7": [0] * 6}),
    "of_a_kind.3": ("of_a_kind", {"3": [0] * 5}),
    "of_a_kind": ("of_a_kind", [[0] * 6] * 3),
    "singles": ("singles", [100, 0, 0, 0, 50]),
    "straight": ("straight", -1),
    "three_pairs": ("three_pairs", 100_001),
    "entry_minimum": ("entry_minimum", True),
    "bank_minimum": ("bank_minimum", 350.0),
    "pick_up": ("pick_up", 1),
    "sweep": ("sweep", "may"),
    "last_die_throws": ("last_die_throws", 4),
    "target": ("target", 1025),
    "target_choices": ("target_choices", [5000, 999]),
    "ending": ("ending", ["at_once"]),
    "tie": ("tie", None),
    "first_player": ("first_player", ""),
    "min_players": ("min_players", 0),
    "max_players": ("max_players", 13),
    "ante": ("ante", "25"),
    "currency": ("currency", "dollars"),
    "slug": ("slug", "Not A Slug"),
    "name": ("name", "two\nlines"),
    "bust_streak": ("bust_streak", 10**9),
    "dice": ("dice", 4),
    "confirm": ("confirm", ["pairs"]),
    "confirm_by": ("confirm_by", 49),
    "pick_up_worth": ("pick_up_worth", "taken"),
    "throws_most": ("throws_most", 21),
    "sweep_multiplier": ("sweep_multiplier", 0),
    "combinations": ("combinations", {}),
    "combinations.1": ("combinations", [{"pattern": "AA"}]),
    "combinations.1.beside": ("combinations", [{"pattern": "AA", "points": 50, "beside": 1}]),
    "combinations.1.pattern": ("combinations", [{"pattern": "BBA", "points": 50}]),
    "combinations.2.points": ("combinations", [{"pattern": "AA", "points": 50}, {"pattern": "A", "points": 50}]),
    "combinations.1.points": ("combinations", [{"pattern": "1234", "points": [1, 2, 3, 4, 5, 6]}]),
    "combinations.1.effect": ("combinations", [{"pattern": "AA", "effect": "hot"}]),
    "combinations.1.cost": ("combinations", [{"pattern": "AA", "effect": "out", "cost": 50}]),
    "combinations.1.name": ("combinations", [{"pattern": "AA", "points": 50, "name": "n" * 41}]),
}

# Settings that contradict each other, with the one that the error names.
CONTRADICTIONS = [
    ("straight", {"dice": 5, "straight": 1500}),
    ("of_a_kind.6", {"dice": 5, "of_a_kind": {"6": [1] * 6}}),
    ("six_of_a_kind_wins", {"dice": 5, "six_of_a_kind_wins": True}),
    ("combinations.1.pattern", {"dice": 5, "combinations": [{"pattern": "111111", "effect": "wins"}]}),
    ("combinations.2.pattern", {"combinations": [{"pattern": "AA", "points": 50}, {"pattern": "AA", "points": 100}]}),
    ("rounds", {"ending": "rounds"}),
    ("rounds", {"rounds": 5}),
    ("target_choices", {"ending": "rounds", "rounds": 5, "target_choices": [5000]}),
    ("exact", {"ending": "rounds", "rounds": 5, "exact": "stay"}),
    ("exact", {"exact": "bust", "tie": "tied_only"}),
    ("exact", {"exact": "bust", "must_keep": "all", "lone_five": "rethrow"}),
    ("exact", {"exact": "bust", "singles": [100, 0, 0, 0, 30, 0]}),
    ("exact", {"exact": "bust", "singles": [100, 0, 0, 0, 0, 0], "target": 1050}),
    ("entry_minimum", {"exact": "bust", "target": 1000, "entry_minimum": 1050}),
    ("confirm_by", {"confirm_by": "single"}),
    ("confirm_by", {"confirm": ["of_a_kind"], "confirm_by": "single", "singles": [0] * 6}),
    ("confirm", {"confirm": ["sweep"]}),
    ("bust_cost", {"bust_cost": "shot"}),
    ("bust_cost", {"bust_cost": "everything", "bust_streak": 3, "bust_streak_penalty": 100}),
    ("nothing_cost", {"nothing_cost": 100, "nothing_bonus": 100}),
    ("nothing_cost", {"nothing_cost": 100, "nothing": "again"}),
    ("nothing_when", {"nothing_when": "first_throw"}),
    ("pick_up_by", {"pick_up_by": "all"}),
    ("pick_up_worth", {"pick_up_worth": 1000}),
    ("pick_up_cost", {"pick_up_cost": 1000}),
    ("entry_in", {"entry_in": "throw"}),
    ("entry_needs", {"entry_needs": "singles", "singles": [0] * 6}),
    ("bank_dice_left_most", {"dice": 5, "bank_dice_left_most": 5}),
    ("three_pairs_across_throws", {"three_pairs_across_throws": True, "sets_grow": "of_a_kind"}),
    ("sets_grow", {"sets_need_all_dice": True, "sets_grow": "of_a_kind"}),
]


@pytest.mark.parametrize("points", [[0] * 6, [100, 0, 0, 0, 0, 0]])
def test_a_combination_needs_points_for_a_number_that_its_letter_can_stand_for(points: list[int]) -> None:
    with pytest.raises(RulesetError, match=r"combinations\.1\.points must have a letter in the pattern, and a value"):
        Ruleset.from_json({"combinations": [{"pattern": "1AA", "points": points}]})


@pytest.mark.parametrize(("named", "settings"), CONTRADICTIONS)
def test_settings_that_contradict_each_other_are_named(named: str, settings: dict[str, object]) -> None:
    with pytest.raises(RulesetError) as refusal:
        Ruleset.from_json({"singles": [100, 0, 0, 0, 50, 0], **settings})
    (problem,) = refusal.value.problems
    assert problem.setting == named
    assert str(problem).startswith(named)


def test_a_younger_setting_is_written_only_where_it_differs_from_its_default() -> None:
    given = {"exact": "no", "confirm": ["groups", "of_a_kind"], "dice": 6, "first_player": "highest", "rounds": 0}
    written = Ruleset.from_json(given).to_json()
    assert list(written)[-2:] == ["currency", "confirm"] and written["confirm"] == ["of_a_kind", "groups"]
    assert written["first_player"] == "throw_for_it"
    assert Ruleset.from_json({"exact": "no"}) == Ruleset()


def test_names_and_order_of_combinations_do_not_change_how_a_ruleset_is_played() -> None:
    made = [{"pattern": "AA", "points": 50, "name": "Pair"}, {"pattern": "1A", "points": 100}]
    one, other = (Ruleset.from_json({"combinations": given}) for given in (made, [made[1], {**made[0], "name": "Two"}]))
    assert one != other and one.to_json()["combinations"] == made
    assert one.playing_settings() == other.playing_settings()


@pytest.mark.parametrize("named", BAD)
def test_a_bad_setting_is_named(named: str) -> None:
    setting, value = BAD[named]
    with pytest.raises(RulesetError) as refusal:
        Ruleset.from_json({setting: value})
    (problem,) = refusal.value.problems
    assert problem.setting == named
    assert str(problem).startswith(named)


def test_a_ruleset_may_be_named_after_a_family_in_emoji() -> None:
    assert Ruleset.from_json({"name": "Haus 👨‍👩‍👧‍👦"}).name == "Haus 👨‍👩‍👧‍👦"
    with pytest.raises(RulesetError, match="name has a character that cannot be used"):
        Ruleset.from_json({"name": "a\u200cb"})


def test_all_bad_settings_are_named_at_once() -> None:
    with pytest.raises(RulesetError) as refusal:
        Ruleset.from_json({"straight": -1, "ante": -1})
    assert [problem.setting for problem in refusal.value.problems] == ["straight", "ante"]


def test_the_least_number_of_players_is_not_above_the_greatest() -> None:
    with pytest.raises(RulesetError, match="min_players"):
        Ruleset(min_players=3, max_players=2)


def test_only_an_object_can_be_a_ruleset() -> None:
    with pytest.raises(RulesetError, match="object"):
        Ruleset.from_json([])


def test_every_setting_says_what_kind_it_is() -> None:
    assert all(setting.metadata["kind"] for setting in fields(Ruleset))
