"""The keeps of a throw, compared with the documents and with counting every one out the long way."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules import PRESETS, Keep, Ruleset, best_points, keeps, preset
from game.rules.scoring import all_throws
from tests.examples import try_examples
from tests.rules.playing import rulesets, world_rulesets

THROWS = st.lists(st.integers(1, 6), min_size=1, max_size=6)


def read_digits(text: str) -> tuple[int, ...]:
    return tuple(int(face) for face in text)


def find_keeps(slug: str, throw: str, aside: str = "") -> dict[str, int]:
    return {
        "".join(map(str, keep.dice)): keep.points
        for keep in keeps(preset(slug), read_digits(throw), read_digits(aside))
    }


def test_the_keeps_of_122245_are_those_of_document_2() -> None:
    assert find_keeps("pot", "122245") == {
        "12225": 350, "1222": 300, "2225": 250, "222": 200, "15": 150, "1": 100, "5": 50,
    }  # fmt: skip


def test_keeps_come_highest_points_first_then_by_dice() -> None:
    choices = keeps(preset("pot"), (5, 4, 2, 2, 1, 2))
    assert [keep.points for keep in choices] == [350, 300, 250, 200, 150, 100, 50]
    assert keeps(preset("greed"), (1, 5, 5))[1:3] == (Keep((1, 5), 150), Keep((1,), 100))


@pytest.mark.parametrize("face", [2, 3, 4, 6])
def test_greed_has_no_four_or_five_of_a_kind(face: int) -> None:
    for dice in (4, 5):
        assert keeps(preset("greed"), (face,) * dice) == (Keep((face,) * 3, 100 * face, has_set=True),)


@pytest.mark.parametrize(
    ("slug", "throw", "points"),
    [
        ("classic", "343233", 600), ("classic", "563343", 350), ("classic", "1655", 200), ("classic", "116556", 1000),
        ("classic", "214653", 1500), ("classic", "444", 400), ("classic", "111", 1000), ("classic", "4444", 800),
        ("classic", "1111", 2000), ("classic", "44444", 1600), ("classic", "11111", 4000), ("classic", "444444", 4000),
        ("classic", "111111", 10000), ("classic", "225544", 1000), ("classic", "123456", 1500),
        ("wikipedia", "44444", 1600), ("wikipedia", "555", 500), ("wikipedia", "123456", 2000),
        ("wikipedia", "225544", 750), ("boxcars", "12345", 1000), ("boxcars", "23456", 1000), ("boxcars", "33355", 750),
        ("pot", "444444", 1600), ("pot", "111111", 4000), ("pot", "55555", 1500), ("pot", "225544", 500),
        ("farkle", "111111", 8000), ("farkle", "666666", 4800), ("farkle", "225544", 500),
        ("greed", "222222", 3000), ("greed", "111111", 10000), ("greed", "222444", 2500), ("greed", "225544", 1500),
        ("greed", "1111", 1100), ("greed", "555", 500),
    ],
)  # fmt: skip
def test_the_best_keep_of_a_throw_is_worth_what_its_document_says(slug: str, throw: str, points: int) -> None:
    assert keeps(preset(slug), read_digits(throw))[0].points == points


FOUR_EQUAL = {"classic": 800, "wikipedia": 800, "boxcars": 800, "pot": 800, "farkle": 800, "farkle-quick": 800}


@pytest.mark.parametrize("slug", PRESETS)
def test_four_fours_score_only_where_the_rules_have_four_of_a_kind(slug: str) -> None:
    assert best_points(preset(slug), (4, 4, 4, 4)) == FOUR_EQUAL.get(slug)


def test_a_die_that_adds_nothing_may_not_be_kept() -> None:
    assert best_points(preset("classic"), (1, 4)) is None
    assert best_points(preset("classic"), (1, 1, 1)) == 1000


def test_six_equal_dice_win_and_say_so() -> None:
    assert keeps(preset("wikipedia"), (2,) * 6)[0] == Keep((2,) * 6, 1600, wins=True)
    assert all(keeps(preset("wikipedia"), (face,) * 6)[0].wins for face in range(1, 7))
    without_points = replace(preset("wikipedia"), of_a_kind=((0,) * 6,) * 4, three_pairs=0)
    assert keeps(without_points, (2,) * 6) == (Keep((2,) * 6, 0, wins=True),)


def test_three_pairs_can_include_the_dice_set_aside() -> None:
    assert keeps(preset("boxcars"), (1, 1, 6, 6), (5, 5))[0] == Keep((1, 1, 6, 6), 750, with_aside=True)
    assert keeps(preset("boxcars"), (3, 3, 4, 4), (5, 5)) == (Keep((3, 3, 4, 4), 750, with_aside=True),)
    assert not keeps(preset("wikipedia"), (3, 3, 4, 4), (5, 5))
    assert not keeps(preset("boxcars"), (3, 3, 4, 4), (5,))


def test_across_throws_the_better_total_counts() -> None:
    ruleset = replace(preset("boxcars"), four_and_two_is_three_pairs=True)
    assert keeps(ruleset, (1, 1, 1, 1), (5, 5))[0] == Keep((1, 1, 1, 1), 2000)
    assert keeps(ruleset, (1, 1, 5, 5), (5, 5))[0] == Keep((1, 1, 5, 5), 750, with_aside=True)
    assert keeps(ruleset, (1, 1, 5, 5), (5, 5), 600)[0] == Keep((1, 1, 5, 5), 300)


def test_a_throw_of_nothing_scores_its_bonus_with_six_dice_only() -> None:
    ruleset = replace(preset("classic"), nothing_bonus=500)
    assert keeps(ruleset, (2, 2, 3, 4, 4, 6)) == (Keep((2, 2, 3, 4, 4, 6), 500),)
    assert not keeps(ruleset, (2, 2, 3, 4, 4))


@pytest.mark.parametrize("dice", [(), (0,), (7,), (1,) * 7, (1.5,), ("1",)])
def test_bad_dice_are_refused(dice: Any) -> None:
    with pytest.raises(ValueError, match=r"throw|face"):
        keeps(preset("classic"), dice)


def test_the_dice_thrown_and_set_aside_are_six_at_most() -> None:
    with pytest.raises(ValueError, match="There are 6 dice"):
        keeps(preset("boxcars"), (1, 1, 6, 6), (5, 5, 5))


# The long way: every part of a throw, split into combinations in every way.


def score_dice(ruleset: Ruleset, dice: Sequence[int]) -> int:
    """Return the points of one combination made of exactly these dice, 0 if there is none."""
    counts = sorted(dice.count(face) for face in set(dice))
    values = [0]
    if counts == [1]:
        values.append(ruleset.singles[dice[0] - 1])
    if counts in ([3], [4], [5], [6]):
        values.append(ruleset.of_a_kind[counts[0] - 3][dice[0] - 1])
    shapes = {(2, 2, 2): "three_pairs", (3, 3): "two_triplets", (2, 4): "four_and_two", (2, 3): "full_house"}
    if tuple(counts) in shapes:
        values.append(getattr(ruleset, shapes[tuple(counts)]))
    if counts == [2, 4] and ruleset.four_and_two_is_three_pairs:
        values.append(ruleset.three_pairs)
    rows = {"123456": "straight", "12345": "low_straight", "23456": "high_straight"}
    if "".join(map(str, sorted(dice))) in rows:
        values.append(getattr(ruleset, rows["".join(map(str, sorted(dice)))]))
    return max(values)


@cache
def find_best_split(ruleset: Ruleset, dice: tuple[int, ...]) -> int | None:
    """Return the most points of all splits in which every part is a combination; None if there is no such split."""
    if not dice:
        return 0
    totals = []
    for size in range(1, len(dice) + 1):
        for others in combinations(range(1, len(dice)), size - 1):
            part = (dice[0], *(dice[place] for place in others))
            rest = tuple(die for place, die in enumerate(dice) if place and place not in others)
            more = find_best_split(ruleset, rest)
            if score_dice(ruleset, part) and more is not None:
                totals.append(score_dice(ruleset, part) + more)
    return max(totals, default=None)


def split_dice(ruleset: Ruleset, dice: Sequence[int]) -> dict[tuple[int, ...], int]:
    parts = {part for size in range(1, len(dice) + 1) for part in combinations(sorted(dice), size)}
    splits = {part: points for part in parts if (points := find_best_split(ruleset, part)) is not None}
    if ruleset.six_of_a_kind_wins and len(dice) == 6 and len(set(dice)) == 1:
        splits.setdefault(tuple(dice), 0)
    if not splits and len(dice) == 6 and ruleset.nothing_bonus:
        splits[tuple(sorted(dice))] = ruleset.nothing_bonus
    return splits


@try_examples(60)
@given(rulesets(), st.lists(THROWS, min_size=1, max_size=8))
def test_keeps_are_those_counted_the_long_way(ruleset: Ruleset, throws: list[list[int]]) -> None:
    for dice in throws:
        assert {keep.dice: keep.points for keep in keeps(ruleset, dice)} == split_dice(ruleset, dice)


@pytest.mark.parametrize("slug", ["classic", "boxcars", "greed"])
def test_every_throw_under_a_shipped_ruleset_has_the_right_keeps(slug: str) -> None:
    for dice in (dice for count in range(1, 7) for dice in all_throws(count)):
        assert {keep.dice: keep.points for keep in keeps(preset(slug), dice)} == split_dice(preset(slug), dice)


@given(st.sampled_from(list(PRESETS.values())), THROWS)
@try_examples(60)
def test_the_order_in_which_dice_fell_does_not_matter(ruleset: Ruleset, dice: Sequence[int]) -> None:
    assert keeps(ruleset, dice) == keeps(ruleset, tuple(reversed(dice))) == keeps(ruleset, sorted(dice))


# The same for every setting of a ruleset, with patterns tried letter by letter.


def match_pattern(pattern: str, dice: Sequence[int]) -> frozenset[int]:
    """Return the faces that A can stand for when these dice, in some order, match the pattern; 7 for one without A."""
    return match_every_order(pattern, tuple(sorted(dice)))


@cache
def match_every_order(pattern: str, dice: tuple[int, ...]) -> frozenset[int]:
    faces = set()
    for order in set(permutations(dice)):
        letters = {letter: face for letter, face in zip(pattern, order, strict=True) if letter.isalpha()}
        fits = all(
            (letters[sign] if sign.isalpha() else int(sign)) == face for sign, face in zip(pattern, order, strict=True)
        )
        apart = len(set(letters.values()) | {int(sign) for sign in pattern if sign.isdigit()})
        if fits and apart == len(set(pattern)):
            faces.add(letters.get("A", 7))
    return frozenset(faces)


def score_own_dice(ruleset: Ruleset, dice: Sequence[int]) -> int:
    """Return the points of the ruleset's own best combination of exactly these dice, 0 if there is none."""
    values = [0]
    for made in ruleset.combinations:
        if made.points is not None and len(made.pattern) == len(dice):
            for face in match_pattern(made.pattern, dice):
                values.append(made.points[face - 1] if isinstance(made.points, tuple) else made.points or 0)
    return max(values)


def has_effect(ruleset: Ruleset, dice: Sequence[int], *effects: str) -> bool:
    return any(
        match_pattern(made.pattern, part)
        for made in ruleset.combinations
        if made.effect in effects
        for part in set(combinations(dice, len(made.pattern)))
    )


def score_splits(ruleset: Ruleset, dice: tuple[int, ...], growing: tuple[int, ...], sets: bool) -> list[int]:
    """Return the points of every way to split these dice, some of which may join the set `growing`, once."""
    if not dice:
        return [0]
    totals = []
    for size in range(1, len(dice) + 1):
        for others in combinations(range(1, len(dice)), size - 1):
            part = (dice[0], *(dice[place] for place in others))
            rest = tuple(die for place, die in enumerate(dice) if place and place not in others)
            points = max(score_dice(ruleset, part), score_own_dice(ruleset, part)) if sets or size == 1 else 0
            if points:
                totals += [points + more for more in score_splits(ruleset, rest, growing, sets)]
            if growing and set(part) == {growing[0]}:
                grown, face = len(growing) + size, growing[0]
                larger = ruleset.points_for(grown, face) - ruleset.points_for(len(growing), face)
                if larger > 0:
                    totals += [larger + more for more in score_splits(ruleset, rest, (), sets)]
    return totals


def list_legal_keeps(ruleset: Ruleset, dice: tuple[int, ...], growing: tuple[int, ...], singles: bool) -> set[Keep]:
    """Return every legal keep of a throw, found the long way and under the rule on what must be kept."""
    if has_effect(ruleset, dice, "bust", "out"):
        return set()
    sets = not singles and (len(dice) == ruleset.dice or not ruleset.sets_need_all_dice)
    legal = {}
    for part in {part for size in range(1, len(dice) + 1) for part in combinations(sorted(dice), size)}:
        totals = score_splits(ruleset, part, growing, sets)
        own = any(
            made.effect == "wins" and len(made.pattern) == len(part) and match_pattern(made.pattern, part)
            for made in ruleset.combinations
        )
        wins = own or (ruleset.six_of_a_kind_wins and len(part) == 6 and len(set(part)) == 1)
        if totals or wins:
            legal[part] = Keep(part, max(totals, default=0), wins)
    if not legal and len(dice) == ruleset.dice and ruleset.nothing_bonus and ruleset.nothing == "sweep":
        return {Keep(tuple(sorted(dice)), ruleset.nothing_bonus)}
    if ruleset.must_keep == "one":
        return set(legal.values())
    return {
        keep for keep in legal.values() if keep.wins or not any(Counter(keep.dice) < Counter(more) for more in legal)
    }


@try_examples(200)
@given(world_rulesets(), st.lists(THROWS, min_size=2, max_size=5), st.booleans(), st.integers(1, 6))
def test_every_setting_scores_as_counted_the_long_way(
    ruleset: Ruleset, throws: list[list[int]], singles: bool, face: int
) -> None:
    growing = (face,) * 3 if ruleset.sets_grow == "of_a_kind" and ruleset.points_for(3, face) and not singles else ()
    for dice in throws:
        thrown = tuple(dice[: ruleset.dice - len(growing)])
        choices = keeps(ruleset, thrown, growing=growing, singles_only=singles)
        assert set(choices) == list_legal_keeps(ruleset, thrown, growing, singles)
        assert [keep.points for keep in choices] == sorted((keep.points for keep in choices), reverse=True)


@try_examples(50)
@given(world_rulesets(), st.lists(THROWS, min_size=2, max_size=5), st.booleans())
def test_a_factor_of_two_doubles_the_points(ruleset: Ruleset, throws: list[list[int]], singles: bool) -> None:
    for dice in throws:
        thrown = tuple(dice[: ruleset.dice])
        once, twice = (keeps(ruleset, thrown, singles_only=singles, factor=factor) for factor in (1, 2))
        assert [keep.points for keep in twice] == [2 * keep.points for keep in once]
