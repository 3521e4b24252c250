"""The game page under rules of the world: what else counts, why the Bank button is off, and what happened."""

import html
import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.formats import number_format

from game.models import Game
from game.pages.parts.event_sentences import describe_event
from game.pages.parts.scoreboard import build_cards
from game.rules import Entry, Ruleset, events, new_game
from game.rules.play.state import with_player
from game.services.shipped_rulesets import read_world_tables
from tests.cast import ANA, BRUNO, HAL, IN, Device, bank, bust, make_key, open_turn, share_game, throw, write_game_file
from tests.words import read_text

pytestmark = pytest.mark.django_db
SIX = {
    "singles": [100, 0, 0, 0, 50, 0],
    "of_a_kind": {"3": [1000, 200, 300, 400, 500, 600]},
    "slug": "world",
    "name": "Of the world",
}
FIVE = {**SIX, "dice": 5}


def read_page(device: Device, *happened: dict[str, Any], **rules: Any) -> str:
    page = device.page(device.game(*happened, ruleset={**SIX, **rules}))
    return html.unescape(read_text(page))


def describe_under(**rules: Any) -> Any:
    state = new_game(Ruleset.from_json({**SIX, **rules}), [Entry(ANA), Entry(BRUNO)]).state
    return lambda happened: describe_event(happened, state, {0})


# ── the tray ──


def test_with_five_dice_five_are_thrown(device: Device) -> None:
    game = device.game(ruleset=FIVE)
    page = device.page(game)
    assert "Throw 5 dice" in page and page.count("<kbd>") >= 5 and 'class="blank c6' not in page
    assert "five" in page


def test_no_die_is_called_part_of_a_set_that_counts_only_among_all_dice(device: Device) -> None:
    five_of_six = [open_turn(0, throw("112346", "1"), throw("11123"))]
    page = read_page(device, *five_of_six, sets_need_all_dice=True)
    assert "Part of three of a kind" not in page and "100 points." in page
    assert "Part of three of a kind, 1,000 points." in read_page(device, *five_of_six)


def test_a_die_is_labelled_with_the_points_it_adds(device: Device) -> None:
    doubled = [throw("111555", "111555"), throw("111234", "1"), throw("11123")]
    page = read_page(device, open_turn(0, *doubled), sets_need_all_dice=True, sweep_multiplier=6)
    assert "200 points." in page and "Part of three of a kind" not in page
    page = read_page(device, open_turn(0, *doubled[:1], throw("333246")), sweep_multiplier=6)
    assert "Part of three of a kind, 600 points." in page
    grown = {"of_a_kind": {"3": [1000] * 6, "4": [2000] * 6}, "sets_grow": "of_a_kind"}
    page = read_page(device, open_turn(0, throw("111246", "111"), throw("123")), **grown)
    assert "1,000 points." in page


def test_all_five_dice_set_aside_are_hot_dice(device: Device) -> None:
    page = read_page(device, open_turn(0, throw("11155")), **FIVE)
    assert "Hot dice! Bank 1,100, or throw all five again." in page
    assert "Throw all five" in page


@pytest.mark.parametrize(
    ("rules", "untrue"),
    [
        ({"last_die_throws": 3}, "With one die left, 67%"),
        ({"must_keep": "all"}, "You don’t have to keep every scoring die."),
        ({"dice": 5}, "you throw all six again"),
        ({"singles": [100, 50, 0, 0, 50, 0]}, "Five dice bust only one time in 13."),
    ],
)
def test_a_tip_that_is_untrue_under_the_rules_is_not_given(device: Device, rules: dict[str, Any], untrue: str) -> None:
    for changed, is_given in ({}, True), (rules, False):
        missed = throw("334466"[-changed.get("dice", 6) :])
        turns = [bust(place % 2, missed) for place in range(5)]
        pages = [read_page(device, *turns[:played], **changed) for played in range(1, 6)]
        assert any("Far behind? Take more risk." in page for page in pages)
        assert any(untrue in page for page in pages) == is_given


def test_newcomers_who_must_keep_every_scoring_die_are_not_offered_a_choice(device: Device) -> None:
    page = device.page(device.game(players=(ANA, HAL), ruleset={**SIX, "must_keep": "all"}))
    assert "Keep every die that scores." in page and "Gold dice" not in page


def test_after_the_last_throw_nothing_is_said_about_throwing_again(device: Device) -> None:
    device.client.cookies["prefs"] = "hints=odds"
    game = device.game(open_turn(0, throw("122346")), ruleset={**SIX, "throws_most": 1})
    page = device.page(game)
    assert "Ways to keep" in page and "bust risk" not in page
    heard = device.client.get(f"{game.get_absolute_url()}/board", {"version": 0}).content.decode()
    assert "You threw 1 2 2 3 4 6: keeping 1 is 100 points, 100 in all. That was your last throw." in heard


def test_the_page_says_which_keep_proves_the_points(device: Device) -> None:
    rules = {"confirm": ["of_a_kind"], "confirm_by": "single"}
    assert "To prove: keep a single die" in read_page(device, open_turn(0, throw("333246")), **rules)
    assert "To prove: a single die" in read_page(device, open_turn(0, throw("333246", "333"), throw("222")), **rules)


def test_once_a_keep_proves_the_points_nothing_is_left_to_prove(device: Device) -> None:
    rules = {"confirm": ["of_a_kind"], "confirm_by": "single"}
    page = read_page(device, open_turn(0, throw("333246", "333"), throw("152")), **rules)
    assert "To prove" not in page


def test_the_page_says_which_dice_were_a_bust_although_they_score(device: Device) -> None:
    toxic = [{"pattern": "2222", "effect": "bust"}]
    page = read_page(device, bust(0, throw("222214")), combinations=toxic)
    assert "A throw with 2 2 2 2 is always a bust, whatever else scores." in page
    assert "none of the dice thrown scored" not in page


def test_the_page_says_how_many_points_are_still_to_prove(device: Device) -> None:
    rules = {"confirm": ["of_a_kind"], "confirm_by": 300}
    assert "To prove: 300 more points" in read_page(device, open_turn(0, throw("333246", "333"), throw("115")), **rules)


@pytest.mark.parametrize(
    ("rules", "dice", "words"),
    [
        ({"bank_step": 100}, "152346", "Only multiples of 100"),
        ({"entry_minimum": 350, "bank_step": 100}, "122346", "First bank: 400+ · 300 to go"),
        ({"bank_dice_left_most": 2}, "122346", "At most 2 dice may be left"),
        ({"entry_minimum": 300, "entry_in": "throw"}, "122346", "First bank: 300+ in one throw"),
        ({"entry_needs": "set"}, "122346", "First bank: a combination of 3+ dice"),
        ({"throws_most": 1}, "122346", "That was your last throw"),
        ({"throws_most": 3}, "122346", "Throw 1 of 3: 100 points"),
        ({"exact": "bust", "tie": "shared"}, "122346", "10,000 to go, exactly"),
        ({"bust_streak": 1, "bust_cost": "shot", "below_zero": "always"}, "122346", "bust risk (costs 100)"),
    ],
)
def test_buttons_and_points_say_what_the_rules_ask(
    device: Device, rules: dict[str, Any], dice: str, words: str
) -> None:
    assert words in read_page(device, open_turn(0, throw(dice)), **rules)


def test_a_score_below_zero_has_a_minus_sign_and_no_hyphen(device: Device) -> None:
    missed = throw("223466")
    turns = bank(0, 100, throw("122346", "1")), bust(1, missed), bust(0, missed)
    page = read_page(device, *turns, bust_streak=1, bust_streak_penalty=500, below_zero="entered")
    assert "−400" in page and "-400" not in page


def test_whoever_has_0_points_leads_somebody_below_zero() -> None:
    rules = Ruleset.from_json({**SIX, "entry_minimum": 0, "nothing_cost": 300, "below_zero": "always"})
    state = new_game(rules, [Entry(ANA), Entry(BRUNO)]).state
    for score, remarks in ((-300, ["leads", ""]), (0, ["", ""])):
        cards = build_cards(with_player(state, 1, score=score), ("here", "here"), 0)
        assert [card.remark for card in cards] == remarks


def test_the_button_says_what_a_bust_after_picking_up_would_cost(device: Device) -> None:
    turns = [bank(seat, 1000, throw("111346", "111")) for seat in (0, 1)]
    for rules, words in (
        ({"pick_up_cost": 500}, "from 1,000 · 28% bust risk (costs 500)"),
        ({"pick_up_cost": 500, "pick_up_worth": 700}, "from 700 instead of 1,000 · 28% bust risk (costs 500)"),
    ):
        page = read_page(device, *turns, pick_up=True, **rules)
        assert words in page and "A bust costs" not in page, "six fresh dice cost nothing"


def test_a_note_says_that_a_bust_costs_points_and_not_money(device: Device) -> None:
    turns = [bank(seat, 1000, throw("111346", "111")) for seat in (0, 1)]
    assert "A bust costs 500 points" in read_page(device, *turns, bust_streak=1, bust_streak_penalty=500)


def test_a_bust_that_costs_points_by_itself_is_not_counted() -> None:
    happened = events.Penalty(1, 500)
    assert describe_under(bust_streak=1, bust_streak_penalty=500)(happened) == "The bust costs Bruno 500 points."
    assert (
        describe_under(bust_streak=2, bust_streak_penalty=500)(happened) == "2 busts in a row. Bruno loses 500 points."
    )


def test_what_a_bust_pays_is_announced_in_the_coins_of_the_currency() -> None:
    assert describe_under(currency="USD")(events.Paid(1, 5)) == "Bruno adds 0.05 to the pot."
    assert describe_under(currency="JPY")(events.Paid(1, 5)) == "Bruno adds 5 to the pot."


def test_points_that_count_twice_say_so(device: Device) -> None:
    sweep = throw("111555", "111555")
    page = read_page(device, open_turn(0, sweep, throw("122346")), sweep_multiplier=3)
    assert "Throw 2: 200 points, counted 2 times" in page


def test_a_lone_five_is_thrown_again_and_bank_says_why(device: Device) -> None:
    page = read_page(device, open_turn(0, throw("223456")), lone_five="rethrow")
    assert "No bust: these dice are thrown again." in page
    assert "These dice are thrown again" in page and "Throw 6 dice" in page


def test_a_throw_of_nothing_counts_and_is_thrown_again(device: Device) -> None:
    page = read_page(device, open_turn(0, throw("223446")), nothing="again", nothing_bonus=50)
    assert "Nothing scores: that’s worth 50. Throw these dice again." in page


def test_when_rounds_end_the_game_the_bars_are_measured_by_the_highest_score() -> None:
    rules = Ruleset.from_json({**SIX, "ending": "rounds", "rounds": 10, "target": 100})
    state = new_game(rules, [Entry(ANA), Entry(BRUNO)]).state
    state = with_player(with_player(state, 0, score=1500), 1, score=500)
    cards = build_cards(state, ("here", "here"), 250)
    assert [(card.bar, card.risk) for card in cards] == [(75, 12.5), (25, 0)]


def test_winning_dice_that_are_not_six_of_a_kind_are_not_called_so(device: Device) -> None:
    rules = {**SIX, "combinations": [{"pattern": "1234", "effect": "wins"}]}
    game = device.game(open_turn(0, throw("123466")), players=(ANA, HAL), ruleset=rules)
    device.do(game, "bank", keep=["1", "2", "3", "4"])
    page = device.page(game)
    assert "You win!" in page and "These dice win the game!" in page and "Six of a kind" not in page


def test_the_last_of_the_rounds_is_announced_above_the_game(device: Device) -> None:
    rules = {"ending": "rounds", "rounds": 2}
    turns = [bank(0, 1000, throw("111346", "111")), bank(1, 200, throw("222346", "222"))]
    page = read_page(device, *turns, **rules)
    assert "Round 2 of 2" in page
    assert "Last round: the highest score wins. Ana has 1,000." in page
    assert "Round 1 of 2" in read_page(device, **rules)
    page = device.page(device.game(*turns, players=(ANA, HAL), ruleset={**SIX, **rules}))
    assert "Last round: the highest score wins. You have 1,000." in page


def test_an_eliminated_player_is_shown_and_told(device: Device) -> None:
    out = {"type": "shot", "player": 0, "throws": [throw("111116")], "end": "eliminated"}
    rules = {"combinations": [{"pattern": "11111", "effect": "out"}]}
    game = device.game(out, players=(ANA, BRUNO, "Chloé"), ruleset={**SIX, **rules})
    page = device.page(game)
    assert "eliminated" in page and "was eliminated" in html.unescape(page)
    assert device.client.get(f"{game.get_absolute_url()}?at=1").status_code == 200


@pytest.mark.parametrize(
    ("rules", "before", "cue"),
    [
        ({"bust_streak": 1, "bust_cost": "everything"}, [bank(0, 1000, IN), bank(1, 1000, IN)], "bank"),
        ({"nothing_cost": 300, "below_zero": "always"}, [], "in"),
    ],
)
def test_only_a_first_bank_sounds_like_one_whatever_the_score_was_before(
    device: Device, rules: dict[str, Any], before: list[dict[str, Any]], cue: str
) -> None:
    turns = [*before, bust(0, throw("223446")), bank(1, 1000, IN), bank(0, 1000, IN)]
    page = device.page(device.game(*turns, ruleset={**SIX, **rules}))
    assert re.findall(r'data-cue="(\w+) \d+"', page) == [cue]


@pytest.mark.parametrize(
    ("rules", "before", "leads"),
    [
        (
            {"bust_streak": 1, "bust_cost": "everything"},
            [bank(0, 1000, IN), bank(1, 200, throw("222346", "222"))],
            True,
        ),
        ({"nothing_cost": 300, "below_zero": "always"}, [], False),
    ],
)
def test_whoever_lost_everything_and_leads_again_takes_the_lead_but_not_by_a_first_bank(
    device: Device, other_device: Device, rules: dict[str, Any], before: list[dict[str, Any]], leads: bool
) -> None:
    turns = [*before, bust(0, throw("223446")), bank(1, 200, throw("222346", "222"))]
    game = share_game(device, other_device, *turns, open_turn(0, throw("111346")), ruleset={**SIX, **rules})
    answer = device.do(game, "bank", htmx=True, keep=["1", "2", "3"]).content.decode()
    seen = other_device.page(game)
    assert [text.count("Ana takes the lead!") for text in (answer, seen)] == [leads, leads]


@pytest.mark.parametrize(("players", "before"), [((ANA,), []), ((ANA, BRUNO), [{"type": "out", "player": 1}])])
def test_whoever_lost_everything_takes_no_lead_where_nobody_else_plays(
    device: Device, players: tuple[str, ...], before: list[dict[str, Any]]
) -> None:
    rules = {**SIX, "bust_streak": 1, "bust_cost": "everything"}
    turns = [*before, bank(0, 1000, IN), bust(0, throw("223446")), open_turn(0, throw("111346"))]
    game = device.game(*turns, players=players, ruleset=rules)
    answer = device.do(game, "bank", htmx=True, keep=["1", "2", "3"]).content.decode()
    assert "banked 1,000" in answer and "the lead!" not in answer + device.page(game)


def test_the_log_says_what_a_bust_cost(device: Device) -> None:
    rules = {"nothing_cost": 300}
    turns = [bank(0, 1000, throw("111346", "111")), bank(1, 200, throw("222346", "222"))]
    page = read_page(device, *turns, bust(0, throw("223446")), **rules)
    assert page.count("busted and paid 300 points") == 2  # above the dice, too


def test_points_of_a_turn_that_a_bust_takes_off_the_score_are_said_once(device: Device) -> None:
    turns = bank(0, 1000, IN), bank(1, 1000, IN), bust(0, throw("111236", "111"), throw("246"))
    page = read_page(device, *turns, bust_streak=1, bust_cost="shot", bust_streak_penalty=0)
    assert page.count("busted and paid 1,000 points") == 2 and "lost 1,000" not in page


def test_the_risk_includes_ending_beyond_the_target_where_that_is_possible(device: Device) -> None:
    device.client.cookies["prefs"] = "hints=odds"
    near = bank(0, 600, throw("666346", "666")), bust(1, throw("223446")), open_turn(0, throw("333246"))
    stay, is_bust = ({**SIX, "tie": "shared", "target": 1000, "exact": exact} for exact in ("stay", "bust"))
    page = device.page(device.game(*near, ruleset=stay, target=1000))
    assert re.search(r"Throw 3 dice</b>\s*<span>\d+% risk: bust or over</span>", page)
    assert "risk: bust or over the target." in page and "dice left · risk" in page and "bust risk" not in page
    assert re.search(
        r"Throw 3 dice</b>\s*<span>\d+% bust risk</span>",
        device.page(device.game(*near, ruleset=is_bust, target=1000)),
    )
    both = [bank(seat, 200, throw("222346", "222")) for seat in (0, 1)]
    left = device.game(*both, ruleset={**stay, "pick_up": True}, target=1000)
    assert re.search(r"from 200 · \d+% risk: bust or over<", device.page(left))


@pytest.mark.parametrize(
    ("rules", "risk"),
    [
        ({"pick_up_cost": 100}, r"from 200 · \d+% risk, a bust costs 100"),
        ({"pick_up_worth": 300}, r"from 300 instead of 200 · \d+% risk: bust or over"),
        ({"pick_up_worth": 300, "pick_up_cost": 100}, r"from 300 instead of 200 · \d+% risk, a bust costs 100"),
    ],
)
def test_the_risk_of_picking_up_is_not_called_that_of_a_bust_where_a_turn_may_be_over(
    device: Device, rules: dict[str, Any], risk: str
) -> None:
    both = [bank(seat, 200, throw("222346", "222")) for seat in (0, 1)]
    exact = {**SIX, "tie": "shared", "target": 1000, "exact": "stay", "pick_up": True, **rules}
    assert re.search(rf">{risk}<", device.page(device.game(*both, ruleset=exact, target=1000)))


def test_a_turn_beyond_an_exact_target_counts_for_nothing(device: Device) -> None:
    over = {"type": "shot", "player": 0, "throws": [throw("111346")], "end": "over"}
    turns = [bank(0, 600, throw("666346", "666")), bank(1, 200, throw("222346", "222"))]
    rules = {"exact": "stay", "tie": "shared", "target": 1000}
    game = device.game(*turns, {**over, "throws": [throw("666234")]}, ruleset={**SIX, **rules}, target=1000)
    text = html.unescape(device.page(game))
    assert "went beyond the target: the turn counts for nothing." in text


# ── sentences ──


@pytest.mark.parametrize(
    ("happened", "sentence"),
    [
        (events.ThrownAgain(0, 0), "No bust: these dice are thrown again."),
        (events.ThrownAgain(0, 50), "Nothing scores: that’s worth 50. Throw these dice again."),
        (events.Over(0, 300), "Every keep goes beyond the target: Ana’s turn is over. 300 points lost."),
        (events.Over(0, 0), "Every keep goes beyond the target: Ana’s turn is over."),
        (events.Eliminated(1, 0), "Bruno is out of the game: this throw eliminates them."),
        (events.Cost(1, 300), "The bust costs Bruno 300 points."),
        (events.LastRound(), "The last round begins. The highest score wins."),
        (events.Missed(0, 1), "Try 2 of 2 with one die."),
        (events.Tie(900, (0, 1)), "Tie at 900. Ana and Bruno play one more round."),
    ],
)
def test_each_new_event_is_a_whole_sentence(happened: events.Event, sentence: str) -> None:
    assert describe_under(last_die_throws=2, tie="tied_only")(happened) == sentence


# ── files ──


def test_a_file_with_rules_that_cannot_be_played_is_refused_and_nothing_is_stored(device: Device) -> None:
    text = json.dumps(write_game_file(players=[ANA, BRUNO], ruleset={"slug": "none", "name": "None"}))
    file = SimpleUploadedFile("game.json", text.encode())
    refused = device.client.post("/games/import", {"key": make_key(), "file": file})
    assert refused.status_code == 422
    assert "Under these rules no turn of a player on the board can be banked or won" in refused.content.decode()
    assert not Game.objects.exists()


@pytest.mark.parametrize("slug", ["zehntausend", "macke", "le-10000"])
def test_real_dice_are_entered_under_rules_of_the_world(device: Device, slug: str) -> None:
    rules = read_world_tables()[slug].ruleset
    game = device.game(ruleset={**rules.to_json(), "first_player": "seat_order"})
    device.do(game, "mode", mode="manual")
    assert device.do(game, "points", points=1000, end="bank").status_code == 303
    assert number_format(1000, force_grouping=True) in device.page(game)
    assert device.do(game, "points", points=0, end="bust", lost="0").status_code == 303
    device.client.cookies["prefs"] = "entry=tap"
    assert device.client.get(game.get_absolute_url()).status_code == 200
