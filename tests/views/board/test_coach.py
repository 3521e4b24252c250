"""The coach of Ways to keep: what it says is true, and only who is at the dice hears it."""

import random
import re
from dataclasses import replace
from itertools import product
from typing import Any, Literal

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from game.history import is_first_game
from game.pages.parts import coach
from game.pages.parts.text import fill_sentences
from game.rules import PRESETS, State, keeps_now, points_needed, points_with, preset
from game.rules.play.state import Offer, alter
from game.strategy import preload
from game.strategy.coach import give_advice, judge_pick_up
from game.strategy.win import RatedOption, rate_state
from tests.cast import ANA, HAL, IN, Device, banked, going_on, throw, two_devices
from tests.examples import try_examples
from tests.known import known
from tests.strategy.positions import decisions, facing
from tests.test_translations import LANGUAGES

KEEP = re.compile(
    r"[Kk]eep (?P<dice>both|all \w+|the \d|[\d\xa0]+) and (?:bank (?P<bank>[\d,]+)|throw (?P<left>\d) di)"
)
BOTH = {"both": 2, "all three": 3, "all four": 4, "all five": 5, "all six": 6}
DECISION = going_on(0, throw("153363"))


def whole(text: str) -> float:
    return float(text.replace(",", ""))


def near(text: str, value: float) -> bool:
    """Whether a number of a sentence is this one, as far as its places go."""
    places = len(text.partition(".")[2])
    return abs(whole(text) - value) <= 0.5 * 10.0**-places + 1e-9


def spoken_of(state: State, text: str) -> tuple[int, ...]:
    """The dice that a sentence says to keep."""
    thrown = tuple(sorted(known(state.shot).dice))
    if text.startswith(("Hot dice", "Six of a kind")):
        return thrown
    said = known(KEEP.search(text))["dice"]
    if said in BOTH:
        everything = max(keeps_now(state), key=lambda keep: (points_with(known(state.shot), keep), len(keep.dice)))
        assert len(everything.dice) == BOTH[said]
        return everything.dice
    return tuple(map(int, re.findall(r"\d", said)))


def named(state: State, text: str) -> RatedOption:
    """The way of keeping that a sentence recommends, found among all of them by its words."""
    found = KEEP.search(text)
    then = "win" if text.startswith("Six") else "bank" if found and found["bank"] else "throw"
    dice = spoken_of(state, text)
    return next(each for each in rate_state(state) if (each.option.keep.dice, each.option.then) == (dice, then))


def check(state: State, text: str) -> None:
    """Every number of a sentence against the rules and the tables."""
    best, rated = named(state, text), rate_state(state)
    if said := KEEP.search(text):
        assert said["bank"] is None or whole(said["bank"]) == best.option.total
        assert said["left"] is None or int(said["left"]) == (
            len(known(state.shot).dice) - len(best.option.keep.dice) or 6
        )
    if said := re.search(r"([\d.]+)% bust risk", text):
        assert near(said[1], 100 * best.option.bust)
    if said := re.search(r"You need ([\d,]+)", text):
        assert best.option.total < whole(said[1])
    if said := re.search(r"([\d.]+)%(?: chance)? to win", text):
        assert near(said[1], 100 * known(best.win)) or "under" in text or "over" in text
    if text.startswith("Best chance to win"):
        assert known(best.win) == max(known(option.win) for option in rated)
    if text.startswith("Best on average"):
        assert best.option.points == max(each.option.points for each in rated)
    for pattern in (r"That gives ([\d,.]+)", r"(?:throw|bank) [^.]*, worth ([\d,.]+)", r"again: ([\d,.]+) on average"):
        if said := re.search(pattern, text):
            assert near(said[1].rstrip(",."), best.option.points)
    if said := re.search(r"the best bank gives ([\d,]+)", text):
        assert whole(said[1]) == next(each for each in rated if each.option.then == "bank").option.total
    if said := re.search(r"Throwing (\d) di\w+ gives ([\d,.]+) and busts ([\d.]+)% of the time", text):
        other = next(each for each in rated if each.option.then == "throw")
        assert near(said[2], other.option.points) and near(said[3], 100 * other.option.bust)
    if said := re.search(r"wins the game with ([\d,]+)", text):
        assert whole(said[1]) == state.players[state.player].score + best.option.total


@pytest.mark.examples
@pytest.mark.parametrize("slug", PRESETS)
@try_examples(12)
@given(seed=st.integers(0, 10_000))
def test_every_number_of_a_sentence_is_true(slug: str, seed: int) -> None:
    for state in decisions(preset(slug), random.Random(seed), 4):
        check(state, coach.describe_advice(state, give_advice(state, rate_state(state))))


def test_no_sentence_has_a_gap_or_is_longer_than_three_lines() -> None:
    for slug in PRESETS:
        for state in decisions(preset(slug), random.Random(slug), 25):
            text = coach.describe_advice(state, give_advice(state, rate_state(state)))
            assert "%(" not in text and text.endswith(".") and 20 < len(text) < 175


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_begins_with_a_capital_or_a_number(language: str) -> None:
    with override(language):
        for state in decisions(preset("classic"), random.Random(3), 60):
            text = said(state)
            assert not re.search(r"(?:^|[.!?] )[^\W\d_A-ZÄÖÜ]", text), text


def test_a_name_keeps_its_small_letter_at_the_head_of_a_sentence() -> None:
    text = "%(dice)s count. %(name)s has %(dice)s, %(share)s."
    said = fill_sentences(text, {"dice": "the 1", "share": "5%"}, name="ana")
    assert said == "The 1 count. ana has the 1, 5%."


@pytest.mark.examples
@pytest.mark.parametrize("slug", ["wikipedia", "pot"])
@pytest.mark.parametrize("ending", ["complete_round", "last_shot_each", "at_once"])
@pytest.mark.parametrize("tie", ["extra_rounds", "leader_stands", "shared"])
def test_other_endings_have_their_sentences_too(
    slug: str,
    ending: Literal["complete_round", "last_shot_each", "at_once"],
    tie: Literal["extra_rounds", "leader_stands", "shared"],
    db: None,
) -> None:
    ruleset = replace(preset(slug), ending=ending, tie=tie)
    for state in decisions(ruleset, random.Random(f"{ending} {tie}"), 25):
        last = alter(state, final=True, first=state.player)
        for each in (state, last):
            check(each, said(each))


def said(state: State) -> str:
    return coach.describe_advice(state, give_advice(state, rate_state(state)))


LAST = {"final": True, "first": 1}


@pytest.mark.parametrize(
    ("slug", "dice", "scores", "changes", "words"),
    [
        ("pot", "111234", (9500, 10_000), LAST, "Keep all three and bank 1,000: that wins the game with 10,500."),
        ("wikipedia", "444444", (4000, 5000), {}, "Six of a kind: keep all six and win the game."),
        ("classic", "115115", (9900, 9950), {}, "Hot dice, throw all six again: "),
        ("farkle", "122346", (4000, 5000), {}, "There is only one way: keep the 1 and throw 5 dice, 7.7% bust risk."),
        ("farkle", "152336", (4000, 5000), {}, "You need 350 to bank. Keep the 1 and throw 5 dice: 7.7% bust"),
    ],
)
def test_it_says(slug: str, dice: str, scores: tuple[int, int], changes: dict[str, Any], words: str) -> None:
    state = facing(preset(slug), dice, *scores, **changes)
    last = alter(state.players[1], last=bool(changes), played=bool(changes))
    assert said(alter(state, players=(state.players[0], last))).startswith(words)


def test_a_pick_up_is_told_with_what_both_are_worth() -> None:
    state = facing(replace(preset("wikipedia"), tie="tied_only"), "112346", 4000, 5000)  # it has no table
    state = alter(state, shot=None, to_throw=0, offer=Offer(1, 3, 1050))
    preload.preload_ruleset(state.ruleset, state.target)
    found = known(judge_pick_up(state))
    text = coach.describe_pick_up(state)
    numbers = known(re.fullmatch(r"Pick up 3 dice from 1,050: (\d+) on average\. Fresh dice give (\d+)\.", text))
    assert near(numbers[1], found.taken) and near(numbers[2], found.fresh)


def test_a_pick_up_is_told_with_the_chances_to_win_where_they_are_known() -> None:
    state = facing(preset("wikipedia"), "112346", 4000, 5000)
    state = alter(state, shot=None, to_throw=0, offer=Offer(1, 3, 1050))
    preload.preload_ruleset(state.ruleset, state.target)
    found = known(judge_pick_up(state))
    words = r"Pick up 3 dice from 1,050: you win with a chance of ([\d.]+)%, with fresh dice ([\d.]+)%\."
    numbers = known(re.fullmatch(words, coach.describe_pick_up(state)))
    assert [float(each) for each in numbers.groups()] == pytest.approx([100 * found.taken, 100 * found.fresh], abs=0.1)


@pytest.mark.parametrize(
    ("best", "second", "told"),
    [
        (0.63042, 0.63041, ["63.042%", "63.041%"]),
        (0.9999996, 0.99999, ["over 99.95%", "over 99.95%"]),
        (0.99999999, 0.99999998, ["over 99.95%", "over 99.95%"]),
        (0.99998, 0.99997, ["99.998%", "99.997%"]),
    ],
)
def test_two_chances_are_told_apart_where_neither_reads_as_certain(best: float, second: float, told: list[str]) -> None:
    assert list(coach.format_chances(best, second, False)) == told


def test_small_and_large_chances_are_never_called_none_or_certain() -> None:
    assert (coach.format_chance(1e-6), coach.format_chance(1 - 1e-6)) == ("under 0.05%", "over 99.95%")
    assert (coach.format_chance(0), coach.format_chance(1), coach.format_chance(0.2034)) == ("0.0%", "100.0%", "20.3%")


# ---- on the page


@pytest.fixture
def prepared() -> None:
    for slug in ("classic", "wikipedia"):
        preload.preload_ruleset(preset(slug), preset(slug).target)


SOLO = (ANA, HAL)


def hint(page: str) -> str:
    found = re.search(r'<p class="muted">([^<]+)</p>\s*(?:<p class="tip">[^<]*</p>\s*)?</details>', page)
    return found[1] if found else ""


def test_the_first_game_alone_is_played_with_the_coach(device: Device, prepared: None) -> None:
    page = device.page(device.game(DECISION, players=SOLO))
    assert page.count('class="best"') == 1
    assert hint(page).startswith("You need 500 for your first bank.")
    second = device.game(DECISION, players=SOLO)
    assert not is_first_game(second, known(second.players.get(seat=0).visitor_id))
    assert 'class="best"' not in device.page(second) and 'class="odds"' in device.page(second)


def test_several_people_see_points_unless_they_chose_otherwise(device: Device, prepared: None) -> None:
    game = device.game(DECISION)
    page = device.page(game)
    assert 'class="best"' not in page and 'class="odds"' not in page
    device.client.cookies["prefs"] = "hints=coach"
    assert 'class="best"' in device.page(game)


@pytest.mark.parametrize("locked", ["off", "points", "odds"])
def test_a_locked_game_hides_the_coach_from_who_prefers_it(device: Device, prepared: None, locked: bool) -> None:
    device.client.cookies["prefs"] = "hints=coach"
    game = device.game(DECISION)
    assert device.do(game, "options", hints=locked).status_code == 303
    page = device.page(game)
    assert 'class="best"' not in page and not re.search(r"Best on average|first bank\. Keep", page)


def test_a_game_can_give_everybody_the_coach(device: Device, prepared: None) -> None:
    device.client.cookies["prefs"] = "hints=off"
    game = device.game(DECISION)
    device.do(game, "options", hints="coach")
    assert 'class="best"' in device.page(game)


def test_a_level_that_there_is_none_is_refused(device: Device) -> None:
    assert device.do(device.game(DECISION), "options", hints="oracle").status_code == 400


def test_who_watches_hears_nothing_of_it(device: Device, other_device: Device, prepared: None) -> None:
    other_device.client.cookies["prefs"] = "hints=coach"
    page = other_device.page(device.game(DECISION))
    assert 'class="best"' not in page and "first bank. Keep" not in page


def test_the_best_row_is_never_behind_show_all(device: Device, prepared: None) -> None:
    device.client.cookies["prefs"] = "hints=coach"
    page = device.page(device.game(going_on(0, throw("112255"))))
    rows = re.findall(r"<li( class=\"late\")?>\s*<a class=\"way.*?</li>", page, re.S)
    best = next(
        m for m in re.finditer(r"<li( class=\"late\")?>\s*<a class=\"way.*?</li>", page, re.S) if "best" in m[0]
    )
    assert len(rows) >= 8 and best[1] is None


def test_dice_that_may_be_picked_up_are_weighed_before_the_first_throw(device: Device, prepared: None) -> None:
    device.client.cookies["prefs"] = "hints=coach"
    turns = [banked(0, 1000, IN), banked(1, 1000, IN), banked(0, 1000, IN)]
    page = device.page(device.game(*turns, ruleset="wikipedia"))
    assert "Pick up 3 dice from 1,000: " in page


def test_the_log_tells_with_how_many_dice_a_computer_banked(device: Device, prepared: None) -> None:
    game = device.game(banked(0, 1000, IN), banked(1, 1000, IN), players=SOLO)
    assert "banked 1,000 with 3 dice left" in device.page(game)
    device.client.cookies["prefs"] = "hints=odds"
    assert "banked 1,000 in 1 throw" in device.page(game)


def test_nothing_is_said_while_nothing_is_ready(device: Device) -> None:
    device.client.cookies["prefs"] = "hints=coach"
    game = device.game(DECISION, target=3000)
    page = device.page(game)
    assert 'class="way' in page and 'class="best"' not in page


def test_the_page_asks_no_more_of_the_database_for_it(
    device: Device, prepared: None, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    game = device.game(DECISION, players=SOLO)
    with django_assert_max_num_queries(14):
        device.page(game)


def test_the_minimum_that_is_named_is_the_one_that_applies() -> None:
    for slug in PRESETS:
        for state in decisions(preset(slug), random.Random(1), 20):
            if need := re.search(r"You need ([\d,]+) (?:for your first bank|to bank)", said(state)):
                assert whole(need[1]) == points_needed(state)


def test_all_reasons_are_met_somewhere() -> None:
    left = {"ahead", "behind", "finishing", "get_in", "minimum", "only", "points", "sweep", "win", "wins"}
    for seed, slug in product(range(25), PRESETS):
        if left:
            states = decisions(preset(slug), random.Random(seed), 4)
            left -= {give_advice(state, rate_state(state)).reason for state in states}
    assert left == set()


# ── where there is nothing to keep ──

SOON = "Throw to see your options."


def panel(page: str) -> str:
    found = re.search(r'<(?:details|div) id="ways".*?</(?:details|div)>', page, re.DOTALL)
    assert found
    return found[0]


def test_who_waits_for_somebody_else_reads_what_will_stand_in_ways_to_keep(
    device: Device, other_device: Device
) -> None:
    game = two_devices(device, other_device, banked(0, 1000, IN), banked(1, 1000, IN), going_on(0, throw("115236")))
    assert SOON in panel(other_device.page(game))
    assert SOON not in panel(device.page(game))


def test_who_only_watches_has_no_ways_to_keep(device: Device) -> None:
    game = device.game(banked(0, 1000, IN), banked(1, 1000, IN), going_on(0, throw("115236")))
    assert "hidden" in panel(Device().page(game))


def test_where_hints_are_off_in_a_game_those_who_wait_read_that(device: Device, other_device: Device) -> None:
    game = two_devices(device, other_device, banked(0, 1000, IN))
    device.do(game, "options", hints="off")
    assert "Hints are off in this game." in panel(device.page(game))
