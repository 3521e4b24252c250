"""The coach in "Ways to keep": what it says is true, and only the player who is due reads it."""

import random
import re
from dataclasses import replace
from itertools import product
from queue import SimpleQueue
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
from game.services.shipped_rulesets import read_world_tables
from game.strategy import preload
from game.strategy.coach import give_advice, judge_pick_up
from game.strategy.win import RatedOption, rate_state
from tests.cast import ANA, HAL, IN, Device, bank, open_turn, share_game, throw
from tests.examples import try_examples
from tests.require import require
from tests.strategy.positions import list_decisions, set_up_choice, set_up_throw
from tests.test_translations import LANGUAGES

KEEP = re.compile(
    r"[Kk]eep (?P<dice>both|all \w+|the \d|[\d\xa0]+) and (?:bank (?P<bank>[\d,]+)|throw (?P<left>\d) di)"
)
BOTH = {"both": 2, "all three": 3, "all four": 4, "all five": 5, "all six": 6}
DECISION = open_turn(0, throw("153363"))


def parse_number(text: str) -> float:
    return float(text.replace(",", ""))


def is_near(text: str, value: float) -> bool:
    """Return whether a number in a sentence equals this value, to as many places as the sentence gives."""
    places = len(text.partition(".")[2])
    return abs(parse_number(text) - value) <= 0.5 * 10.0**-places + 1e-9


def find_dice(state: State, text: str) -> tuple[int, ...]:
    """Return the dice that a sentence says to keep."""
    thrown = tuple(sorted(require(state.shot).dice))
    if text.startswith(("Hot dice", "Six of a kind")):
        return thrown
    dice = require(KEEP.search(text))["dice"]
    if dice in BOTH:
        everything = max(keeps_now(state), key=lambda keep: (points_with(require(state.shot), keep), len(keep.dice)))
        assert len(everything.dice) == BOTH[dice]
        return everything.dice
    return tuple(map(int, re.findall(r"\d", dice)))


def find_recommended(state: State, text: str) -> RatedOption:
    """Return the option that a sentence recommends, found among all options by its words."""
    match = KEEP.search(text)
    then = "win" if text.startswith("Six") else "bank" if match and match["bank"] else "throw"
    dice = find_dice(state, text)
    return next(rated for rated in rate_state(state) if (rated.option.keep.dice, rated.option.then) == (dice, then))


def check_numbers(state: State, text: str) -> None:
    """Check every number in a sentence against the rules and the solved values."""
    best, rated = find_recommended(state, text), rate_state(state)
    if match := KEEP.search(text):
        assert match["bank"] is None or parse_number(match["bank"]) == best.option.total
        assert match["left"] is None or int(match["left"]) == (
            len(require(state.shot).dice) - len(best.option.keep.dice) or 6
        )
    if match := re.search(r"([\d.]+)% bust risk", text):
        assert is_near(match[1], 100 * best.option.bust)
    if match := re.search(r"You need ([\d,]+)", text):
        assert best.option.total < parse_number(match[1])
    if match := re.search(r"([\d.]+)%(?: chance)? to win", text):
        assert is_near(match[1], 100 * require(best.win)) or "under" in text or "over" in text
    if text.startswith("Best chance to win"):
        assert require(best.win) == max(require(option.win) for option in rated)
    if text.startswith("Best on average"):
        assert best.option.points == max(entry.option.points for entry in rated)
    for pattern in (r"That gives ([\d,.]+)", r"(?:throw|bank) [^.]*, worth ([\d,.]+)", r"again: ([\d,.]+) on average"):
        if match := re.search(pattern, text):
            assert is_near(match[1].rstrip(",."), best.option.points)
    if match := re.search(r"the best bank gives ([\d,]+)", text):
        assert parse_number(match[1]) == next(entry for entry in rated if entry.option.then == "bank").option.total
    if match := re.search(r"Throwing (\d) di\w+ gives ([\d,.]+) and busts ([\d.]+)% of the time", text):
        other = next(entry for entry in rated if entry.option.then == "throw")
        assert is_near(match[2], other.option.points) and is_near(match[3], 100 * other.option.bust)
    if match := re.search(
        r"Keeping ([^.]*) and throwing (\d) di\w+ (?:makes it|gives) (?:about )?([\d,.]+)(%?)\.", text
    ):
        dice = find_dice(state, f"Keep {match[1]} and throw {match[2]} di")
        other = next(entry for entry in rated if (entry.option.keep.dice, entry.option.then) == (dice, "throw"))
        assert is_near(match[3], 100 * require(other.win) if match[4] else other.option.points)
    if match := re.search(r"wins the game with ([\d,]+)", text):
        assert parse_number(match[1]) == state.players[state.player].score + best.option.total


@pytest.mark.examples
@pytest.mark.parametrize("slug", PRESETS)
@try_examples(12)
@given(seed=st.integers(0, 10_000))
def test_every_number_of_a_sentence_is_true(slug: str, seed: int) -> None:
    for state in list_decisions(preset(slug), random.Random(seed), 4):
        check_numbers(state, coach.describe_advice(state, give_advice(state, rate_state(state))))


def test_no_sentence_has_a_gap_or_is_longer_than_three_lines() -> None:
    for slug in PRESETS:
        for state in list_decisions(preset(slug), random.Random(slug), 25):
            text = coach.describe_advice(state, give_advice(state, rate_state(state)))
            assert "%(" not in text and text.endswith(".") and 20 < len(text) < 175


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_begins_with_a_capital_or_a_number(language: str) -> None:
    with override(language):
        for state in list_decisions(preset("classic"), random.Random(3), 60):
            text = write_advice(state)
            assert not re.search(r"(?:^|[.!?] )[^\W\d_A-ZÄÖÜ]", text), text


def test_a_name_keeps_its_small_letter_at_the_head_of_a_sentence() -> None:
    text = "%(dice)s count. %(name)s has %(dice)s, %(share)s."
    filled = fill_sentences(text, {"dice": "the 1", "share": "5%"}, name="ana")
    assert filled == "The 1 count. ana has the 1, 5%."


@pytest.mark.examples
@pytest.mark.parametrize("slug", ["wikipedia", "pot"])
@pytest.mark.parametrize("ending", ["complete_round", "last_shot_each", "at_once"])
@pytest.mark.parametrize("tie", ["extra_rounds", "leader_stands", "shared"])
def test_sentences_are_true_under_other_endings_and_ties(
    slug: str,
    ending: Literal["complete_round", "last_shot_each", "at_once"],
    tie: Literal["extra_rounds", "leader_stands", "shared"],
    db: None,
) -> None:
    ruleset = replace(preset(slug), ending=ending, tie=tie)
    for state in list_decisions(ruleset, random.Random(f"{ending} {tie}"), 25):
        last = alter(state, final=True, first=state.player)
        for deciding in (state, last):
            check_numbers(deciding, write_advice(deciding))


def write_advice(state: State) -> str:
    return coach.describe_advice(state, give_advice(state, rate_state(state)))


LAST = {"final": True, "first": 1}


@pytest.mark.parametrize(
    ("slug", "dice", "scores", "changes", "words"),
    [
        ("pot", "111234", (9500, 10_000), LAST, "Keep all three and bank 1,000: that wins the game with 10,500."),
        ("wikipedia", "444444", (4000, 5000), {}, "Six of a kind: keep all six and win the game."),
        ("classic", "115115", (9900, 9950), {}, "Hot dice, throw all six again: "),
        ("farkle", "122346", (4000, 5000), {}, "There is only one way: keep the 1 and throw 5 dice, 7.7% bust risk."),
        ("farkle", "152336", (4000, 5000), {}, "You need 350 to bank. Keep the 1 and throw 5 dice: "),
    ],
)
def test_the_coach_says(slug: str, dice: str, scores: tuple[int, int], changes: dict[str, Any], words: str) -> None:
    state = set_up_throw(preset(slug), dice, *scores, **changes)
    last = alter(state.players[1], last=bool(changes), played=bool(changes))
    assert write_advice(alter(state, players=(state.players[0], last))).startswith(words)


@pytest.mark.parametrize("known", [True, False])
def test_before_the_first_bank_the_coach_compares_the_best_way_with_the_next_best(known: bool, db: None) -> None:
    ruleset = preset("classic") if known else replace(preset("classic"), tie="tied_only")  # it has no table
    state = set_up_choice(ruleset, (2, 2, 2, 3, 5), 100, entered=False)
    best, second, *_rest = rate_state(state)
    text = write_advice(state)
    assert text.startswith("You need 500 for your first bank. Keep "), text
    assert ("to win. Keeping " if known else "on average. Keeping ") in text, text
    assert find_recommended(state, text) == best
    assert (require(best.win) >= require(second.win)) if known else best.option.points >= second.option.points
    check_numbers(state, text)


@pytest.mark.parametrize(("dice", "words"), [("52336", "the 5 and bank 350"), ("15236", "both and bank 450")])
def test_on_the_last_throw_of_a_turn_the_coach_says_to_bank(dice: str, words: str, db: None) -> None:
    state = set_up_choice(read_world_tables()["berliner-macke"].ruleset, [*map(int, dice)], 300, scores=(4000, 5000))
    state = alter(state, shot=alter(require(state.shot), throws=3))
    assert write_advice(state) == f"That was your last throw: keep {words}."


@pytest.mark.django_db
def test_a_pick_up_is_compared_with_fresh_dice_in_points() -> None:
    state = set_up_throw(replace(preset("wikipedia"), tie="tied_only"), "112346", 4000, 5000)  # it has no table
    state = alter(state, shot=None, to_throw=0, offer=Offer(1, 3, 1050))
    preload.preload_ruleset(state.ruleset, state.target)
    choice = require(judge_pick_up(state))
    text = coach.advise_pick_up(state)
    numbers = require(re.fullmatch(r"Pick up 3 dice from 1,050: (\d+) on average\. Fresh dice give (\d+)\.", text))
    assert is_near(numbers[1], choice.taken) and is_near(numbers[2], choice.fresh)


def test_a_pick_up_is_compared_in_chances_to_win_where_they_are_known() -> None:
    state = set_up_throw(preset("wikipedia"), "112346", 4000, 5000)
    state = alter(state, shot=None, to_throw=0, offer=Offer(1, 3, 1050))
    preload.preload_ruleset(state.ruleset, state.target)
    choice = require(judge_pick_up(state))
    words = r"Pick up 3 dice from 1,050: your chance to win is then ([\d.]+)%\. With fresh dice it is ([\d.]+)%\."
    numbers = require(re.fullmatch(words, coach.advise_pick_up(state)))
    assert [float(number) for number in numbers.groups()] == pytest.approx(
        [100 * choice.taken, 100 * choice.fresh], abs=0.1
    )


@pytest.mark.parametrize(
    ("best", "second", "shown"),
    [
        (0.63042, 0.63041, ["63.042%", "63.041%"]),
        (0.9999996, 0.99999, ["over 99.95%", "over 99.95%"]),
        (0.99999999, 0.99999998, ["over 99.95%", "over 99.95%"]),
        (0.99998, 0.99997, ["99.998%", "99.997%"]),
    ],
)
def test_two_chances_are_told_apart_where_neither_reads_as_certain(
    best: float, second: float, shown: list[str]
) -> None:
    assert list(coach.format_chances(best, second, False)) == shown


def test_small_and_large_chances_are_never_called_none_or_certain() -> None:
    assert (coach.format_chance(1e-6), coach.format_chance(1 - 1e-6)) == ("under 0.05%", "over 99.95%")
    assert (coach.format_chance(0), coach.format_chance(1), coach.format_chance(0.2034)) == ("0.0%", "100.0%", "20.3%")


# ---- on the page


@pytest.fixture
def prepared() -> None:
    for slug in ("classic", "wikipedia"):
        preload.preload_ruleset(preset(slug), preset(slug).target)


SOLO = (ANA, HAL)


def read_hint(page: str) -> str:
    match = re.search(r'<p class="muted">([^<]+)</p>\s*(?:<p class="tip">[^<]*</p>\s*)?</details>', page)
    return match[1] if match else ""


def test_only_the_first_game_is_played_with_the_coach(device: Device, prepared: None) -> None:
    page = device.page(device.game(DECISION, players=SOLO))
    assert page.count('class="best"') == 1
    assert read_hint(page).startswith("You need 500 for your first bank.")
    second = device.game(DECISION, players=SOLO)
    assert not is_first_game(second, require(second.players.get(seat=0).visitor_id))
    assert 'class="best"' not in device.page(second) and 'class="odds"' in device.page(second)


def test_several_people_see_points_unless_they_chose_otherwise(device: Device, prepared: None) -> None:
    game = device.game(DECISION)
    page = device.page(game)
    assert 'class="best"' not in page and 'class="odds"' not in page
    device.client.cookies["prefs"] = "hints=coach"
    assert 'class="best"' in device.page(game)


@pytest.mark.parametrize("locked", ["off", "points", "odds"])
def test_a_game_that_fixes_its_hints_hides_the_coach_from_players_who_prefer_it(
    device: Device, prepared: None, locked: bool
) -> None:
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


def test_a_level_of_hints_that_does_not_exist_is_refused(device: Device) -> None:
    assert device.do(device.game(DECISION), "options", hints="oracle").status_code == 400


def test_a_spectator_reads_nothing_from_the_coach(device: Device, other_device: Device, prepared: None) -> None:
    other_device.client.cookies["prefs"] = "hints=coach"
    page = other_device.page(device.game(DECISION))
    assert 'class="best"' not in page and "first bank. Keep" not in page


def test_the_best_row_is_never_behind_show_all(device: Device, prepared: None) -> None:
    device.client.cookies["prefs"] = "hints=coach"
    page = device.page(device.game(open_turn(0, throw("112255"))))
    rows = re.findall(r"<li( class=\"late\")?>\s*<a class=\"way.*?</li>", page, re.S)
    best = next(
        m for m in re.finditer(r"<li( class=\"late\")?>\s*<a class=\"way.*?</li>", page, re.S) if "best" in m[0]
    )
    assert len(rows) >= 8 and best[1] is None


def test_dice_that_may_be_picked_up_are_weighed_before_the_first_throw(device: Device, prepared: None) -> None:
    device.client.cookies["prefs"] = "hints=coach"
    turns = [bank(0, 1000, IN), bank(1, 1000, IN), bank(0, 1000, IN)]
    page = device.page(device.game(*turns, ruleset="wikipedia"))
    assert "Pick up 3 dice from 1,000: " in page


def test_the_log_tells_how_many_dice_a_computer_left_when_it_banked(device: Device, prepared: None) -> None:
    game = device.game(bank(0, 1000, IN), bank(1, 1000, IN), players=SOLO)
    assert "banked 1,000 with 3 dice left" in device.page(game)
    device.client.cookies["prefs"] = "hints=odds"
    assert "banked 1,000 in 1 throw" in device.page(game)


def test_the_coach_is_silent_until_its_values_are_solved(device: Device) -> None:
    device.client.cookies["prefs"] = "hints=coach"
    game = device.game(DECISION, target=3000)
    page = device.page(game)
    assert 'class="way' in page and 'class="best"' not in page


def test_the_coach_costs_no_more_queries(
    device: Device, prepared: None, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    game = device.game(DECISION, players=SOLO)
    with django_assert_max_num_queries(14):
        device.page(game)


def test_the_coach_names_the_minimum_that_applies() -> None:
    for slug in PRESETS:
        for state in list_decisions(preset(slug), random.Random(1), 20):
            if need := re.search(r"You need ([\d,]+) (?:for your first bank|to bank)", write_advice(state)):
                assert parse_number(need[1]) == points_needed(state)


def test_every_reason_for_advice_occurs_somewhere() -> None:
    left = {"ahead", "behind", "finishing", "get_in", "minimum", "only", "points", "sweep", "win", "wins"}
    for seed, slug in product(range(25), PRESETS):
        if left:
            states = list_decisions(preset(slug), random.Random(seed), 4)
            left -= {give_advice(state, rate_state(state)).reason for state in states}
    assert left == set()


# ── where there is nothing to keep ──

SOON = "Throw to see your options."


def find_panel(page: str) -> str:
    match = re.search(r'<(?:details|div) id="ways".*?</(?:details|div)>', page, re.DOTALL)
    assert match
    return match[0]


def test_a_waiting_player_reads_when_ways_to_keep_will_fill(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN), bank(1, 1000, IN), open_turn(0, throw("115236")))
    assert SOON in find_panel(other_device.page(game))
    assert SOON not in find_panel(device.page(game))


def test_a_spectator_has_no_ways_to_keep(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), bank(1, 1000, IN), open_turn(0, throw("115236")))
    assert "hidden" in find_panel(Device().page(game))


def test_a_waiting_player_reads_that_hints_are_off_in_this_game(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN))
    device.do(game, "options", hints="off")
    assert "Hints are off in this game." in find_panel(device.page(game))


@pytest.mark.django_db
def test_what_the_coach_needs_is_asked_for_before_the_first_throw(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preload, "_ready", {})
    monkeypatch.setattr(preload, "_waiting", SimpleQueue())  # that of earlier tests may be full
    device.client.cookies["prefs"] = "hints=coach"
    device.page(device.game(players=(ANA, HAL), target=7350))
    assert [target for _ruleset, target in preload._ready] == [7350]
