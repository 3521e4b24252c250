"""The game page as each viewer finds it, and the fragments that answer an action."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from game.models import Game
from game.rules import preset
from tests.cast import ANA, BRUNO, HAL, IN, Device, bank, bust, make_key, open_turn, reload_game, reseal_until, throw
from tests.require import require
from tests.words import read_text

NO_LONGER_FINAL = "Nobody is at the target of %s any more. Unless this turn reaches it, the final round is called off."
GONE = throw("223446")
BOTH_IN = (bank(0, 1000, IN), bank(1, 1000, IN))


def test_the_buttons_tell_what_they_do(device: Device) -> None:
    game = device.game(*BOTH_IN, open_turn(0, throw("115236")))
    page = read_text(device.page(game))
    assert "Bank 250" in page and "makes 1,250" in page
    assert "Throw 3 dice" in page and "28% bust risk" in page


def test_the_page_shows_the_throws_that_decided_who_begins(device: Device) -> None:
    game = device.game(ruleset="farkle", start=[[4, 4], [2, 6]])
    assert "To see who goes first: Ana 4, Bruno 4 · Ana 2, Bruno 6." in read_text(device.page(game))
    game = device.game(bank(0, 1000, IN), ruleset="farkle", start=[[6, 1]])
    assert "To see who goes first" not in read_text(device.page(game))


def test_the_button_says_how_much_the_first_bank_lacks(device: Device) -> None:
    page = device.page(device.game(open_turn(0, throw("115236"))))
    assert "First bank: 500+\u00a0· 250 to go" in page  # its second line does not begin with the dot


def test_the_button_says_how_much_the_bank_minimum_lacks(device: Device) -> None:
    game = device.game(*BOTH_IN, open_turn(0, throw("115236")), ruleset="farkle", start=[[6, 1]])
    assert "Minimum: 350 · 100 to go" in read_text(device.page(game))


def test_the_button_says_that_all_six_must_be_thrown(device: Device) -> None:
    page = read_text(device.page(device.game(open_turn(0, throw("123456")))))
    assert "Hot dice: throw them all" in page
    assert "Hot dice! Throw all six again: 1,500 so far." in page


def test_the_page_counts_the_three_tries_with_the_last_die(device: Device) -> None:
    tries = open_turn(0, throw("111555", "11155"), throw("4"))
    game = device.game(*BOTH_IN, tries, ruleset="farkle", start=[[6, 1]])
    page = read_text(device.page(game))
    assert "Try 2 of 3 with one die." in page and "Finish your three tries first" in page


@pytest.mark.parametrize(
    ("throws", "label"),
    [
        ((throw("115236"),), "points this turn"),
        ((throw("123456"),), "points this turn"),
        ((throw("111555", "11155"), throw("4")), "points this turn"),
        ((throw("111236"),), "points if you bank now"),
    ],
    ids=["not in yet", "hot dice", "between the tries", "may bank"],
)
def test_points_are_called_bankable_only_where_they_can_be_banked(
    device: Device, throws: tuple[dict[str, object], ...], label: str
) -> None:
    page = device.page(device.game(open_turn(0, *throws), ruleset="farkle", start=[[6, 1]]))
    assert require(re.search('id="unit"[^>]*>([^<]*)<', page))[1] == label


@pytest.mark.parametrize("htmx", [True, False])
def test_a_choice_that_is_refused_stays_ticked(device: Device, htmx: bool) -> None:
    game = device.game(*BOTH_IN, open_turn(0, throw("115236")))
    answer = device.do(game, "throw", htmx=htmx, keep=["1", "4"])
    assert answer.status_code == 422
    boxes = re.findall(r'<input[^>]*name="keep"[^>]*>', answer.content.decode())
    assert [re.findall(r'value="(\d)"', box)[0] for box in boxes if " checked" in box] == ["1"]


def test_between_the_tries_a_press_on_the_greyed_bank_throws_nothing(device: Device) -> None:
    tries = open_turn(0, throw("111555", "11155"), throw("4"))
    game = device.game(*BOTH_IN, tries, ruleset="farkle", start=[[6, 1]])
    bank = require(re.search('<button id="bank"[^>]*formaction="([^"]*)"', device.page(game)))
    answer = device.client.post(bank[1], {"version": game.version, "key": make_key(), "shown": "1100"})
    assert answer.status_code == 422
    assert "Finish your three tries with the last die first." in read_text(answer.content.decode())
    assert Game.objects.get(pk=game.pk).thrown == 0


@pytest.mark.parametrize(
    ("kept", "reason", "button", "upper"),
    [
        ("111555", "Hot dice: throw them all", "Throw 6 dice", "To throw · 6 dice"),
        ("111", "Throw first", "Throw 3 dice", "To throw · 3 dice"),
    ],
)
def test_a_game_loaded_before_its_next_throw_continues_with_that_throw(
    device: Device, kept: str, reason: str, button: str, upper: str
) -> None:
    game = device.game(open_turn(0, throw("111555", kept)))
    page = read_text(device.page(game))
    assert reason in page and button in page and upper in page
    assert "tries" not in page
    assert device.do(game, "bank").status_code == 422
    assert device.do(game, "throw").status_code == 303
    assert Game.objects.get(pk=game.pk).thrown == 1


def test_a_computer_makes_the_throw_before_which_its_file_ended(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), open_turn(1, throw("111555", "111555")), players=("Ana", "*HAL"))
    assert device.do(game, "advance", htmx=True).status_code == 200
    assert game.throws.count() == 3


def test_the_risk_of_the_last_die_counts_its_further_tries(device: Device) -> None:
    deciding = open_turn(0, throw("111552"))
    page = read_text(device.page(device.game(*BOTH_IN, deciding, ruleset="farkle", start=[[6, 1]])))
    assert "Throw 1 die" in page and "30% bust risk" in page
    page = read_text(device.page(device.game(*BOTH_IN, deciding, ruleset="pot")))
    assert "Throw 1 die" in page and "67% bust risk" in page


FIVE_HUNDRED = throw("555346", "555")


@pytest.mark.parametrize(("dice", "word"), [("115236", "loses by 250"), ("555346", "level"), ("555146", "wins")])
def test_a_bank_that_ends_the_game_says_how_it_ends(device: Device, dice: str, word: str) -> None:
    turns = (bank(0, 500, FIVE_HUNDRED), bank(1, 500, FIVE_HUNDRED), bank(0, 500, FIVE_HUNDRED))
    assert word in read_text(device.page(device.game(*turns, open_turn(1, throw(dice)), target=1000)))


@pytest.mark.parametrize(("dice", "word"), [("115236", "250 behind"), ("555346", "level"), ("555146", "you lead")])
def test_while_others_still_play_bank_says_how_its_score_compares(device: Device, dice: str, word: str) -> None:
    turns = [bank(seat, 500, FIVE_HUNDRED) for seat in (0, 1, 2, 0)]
    game = device.game(*turns, open_turn(1, throw(dice)), target=1000, players=("Ana", "Bruno", "Chloé"))
    assert word in read_text(device.page(game))


def test_only_a_player_who_is_alone_in_front_leads(device: Device) -> None:
    assert "leads" not in read_text(device.page(device.game(*BOTH_IN)))
    ahead = device.game(*BOTH_IN, bank(0, 200, throw("115346", "11")))
    assert "leads" in read_text(device.page(ahead))


def test_dice_that_may_be_picked_up_are_offered(device: Device) -> None:
    game = device.game(*BOTH_IN, bank(0, 200, throw("155236", "155")), ruleset="wikipedia")
    page = read_text(device.page(game))
    assert "Pick up 3 dice" in page and "from 200" in page and "Throw 6 dice" in page


def test_after_a_sweep_six_fresh_dice_are_offered_and_none_lie_on_the_table(device: Device) -> None:
    swept = bank(0, 750, throw("223344", "223344"))
    page = device.page(device.game(*BOTH_IN, swept, ruleset="wikipedia"))
    assert "Pick up 6 dice" in read_text(page) and "To throw · 6 dice" in read_text(page)
    assert 'class="die ' not in page


def test_picking_up_continues_from_the_points_before(device: Device) -> None:
    game = device.game(*BOTH_IN, bank(0, 200, throw("155236", "155")), ruleset="wikipedia")
    device.do(game, "throw", pick_up="1")
    assert require(game.shots.last()).picked_up == 3
    assert require(game.throws.last()).columns == "456"


def test_a_bust_shows_what_fell_and_what_was_lost(device: Device) -> None:
    game = device.game(*BOTH_IN, bust(0, throw("111346", "111"), throw("246")))
    page = read_text(device.page(game))
    assert "Ana busted and lost 1,000 points. Pass to Bruno." in page
    assert "1,000 points lost Earlier throws 1,000 This throw 0" in page


def test_a_bust_with_the_first_throw_says_nothing_of_points_lost(device: Device) -> None:
    page = read_text(device.page(device.game(*BOTH_IN, bust(0, throw("223446")))))
    assert "Ana busted. Pass to Bruno." in page
    assert "0 points this turn Earlier throws 0 This throw 0" in page and "points lost" not in page


def test_three_pairs_with_dice_kept_before_count_as_such(device: Device) -> None:
    grows = open_turn(0, throw("115346", "11"), throw("5523", "55"), throw("33"))
    page = read_text(device.page(device.game(*BOTH_IN, grows, ruleset="boxcars")))
    assert "Bank 750" in page


def test_the_final_round_is_announced(device: Device) -> None:
    game = device.game(*BOTH_IN, bank(0, 2000, throw("111146", "1111")), target=3000, ruleset="pot")
    assert "Final round. Ana has 3,000. You have one turn left." in read_text(device.page(game))
    alone = device.game(bank(0, 1000, throw("111346", "111")), players=(ANA, HAL), target=1000)
    assert "Final round. You have 1,000." in read_text(device.page(alone))


def test_a_target_raised_above_every_score_is_announced_and_ends_the_final_round(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), open_turn(1, throw("555236")), target=1000)
    before = read_text(device.page(game))
    assert "You have one turn left." in before and "last turn" not in before and "loses by 500" in before
    device.do(game, "target", target="5000")
    page = device.page(game)
    assert NO_LONGER_FINAL % "5,000" in read_text(page)
    assert "Bank 500 makes 500" in read_text(page) and "Final round" not in page and "behind" not in read_text(page)


def test_when_whoever_was_at_the_target_sits_out_the_page_says_what_becomes_of_the_final_round(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), players=(ANA, BRUNO, "Chloé"), target=1000)
    device.do(game, "seats", do="out", seat="0")
    page = read_text(device.page(game))
    assert NO_LONGER_FINAL % "1,000" in page and "The target is now" not in page


def test_a_spectator_sees_the_dice_and_no_buttons(device: Device, other_device: Device) -> None:
    game = device.game(*BOTH_IN, open_turn(0, throw("115236")))
    page = other_device.page(game)
    assert "Die 1: one" in page and "Ana’s turn" in page
    assert '<button id="bank"' not in page and '<button id="throw"' not in page and 'name="target"' not in page


def test_the_file_of_a_running_game_is_offered_only_to_its_players(device: Device, other_device: Device) -> None:
    game = device.game(*BOTH_IN)
    assert "Download this game" in device.page(game) and "Download this game" not in other_device.page(game)
    Game.objects.update(status="abandoned")
    assert "Download this game" in other_device.page(game)


def test_a_link_of_ways_to_keep_ticks_those_dice(device: Device) -> None:
    game = device.game(*BOTH_IN, open_turn(0, throw("115236")))
    assert "Bank 200" in read_text(device.page(game, "?keep=1,2"))


@pytest.mark.parametrize("keep", ["", "0", "7", "x", "1,1", "4", "1,2,3,4,5,6,7", "١", "%00"])
def test_a_link_with_other_dice_still_shows_the_game(device: Device, keep: str) -> None:
    device.page(device.game(*BOTH_IN, open_turn(0, throw("115236"))), f"?keep={keep}")


def test_the_answer_to_a_throw_is_fragments_and_one_announcement(device: Device) -> None:
    game = device.game(*BOTH_IN)
    answer = device.do(game, "throw", htmx=True).content.decode()
    assert "<html" not in answer
    assert re.search(r'<div id="live" hx-swap-oob="innerHTML">[^<]+</div>', answer)


def test_a_plain_browser_is_led_back_to_the_page(device: Device) -> None:
    game = device.game()
    answer = device.do(game, "throw")
    assert (answer.status_code, answer["Location"]) == (303, game.get_absolute_url())


def test_a_refusal_keeps_the_points_that_were_typed(device: Device) -> None:
    game = device.game(*BOTH_IN)
    device.do(game, "mode", mode="manual")
    assert 'value="175"' in device.do(game, "points", htmx=True, points="175").content.decode()


def test_the_title_of_a_refused_page_says_that_there_is_an_error(device: Device) -> None:
    game = device.game(*BOTH_IN)
    device.do(game, "mode", mode="manual")
    assert "<title>Error: Your turn, Ana" in device.do(game, "points", points="175").content.decode()


def test_after_hot_dice_a_bank_is_offered_only_where_the_rules_allow_it(device: Device) -> None:
    swept = open_turn(0, throw("223344"))
    page = read_text(device.page(device.game(swept, ruleset="pot")))
    assert "First bank: 1,000+" in page and "Hot dice! Throw all six again: 500 so far." in page
    page = read_text(device.page(device.game(swept, ruleset="wikipedia")))
    assert "Hot dice! Bank 750, or throw all six again." in page


def test_the_page_says_who_won_and_offers_a_rematch(device: Device) -> None:
    game = device.game(open_turn(0, throw("222222")), ruleset="boxcars")
    device.do(game, "bank", keep=["1", "2", "3", "4", "5", "6"])
    page = read_text(device.page(game))
    assert "Six of a kind! Ana wins at once." in page and "Rematch" in page


def test_a_game_that_is_over_promises_no_more_choices(device: Device) -> None:
    game = device.game(open_turn(0, throw("222222")), ruleset="boxcars")
    answer = device.do(game, "bank", htmx=True, keep=["1", "2", "3", "4", "5", "6"]).content.decode()
    for page in (answer, device.page(game)):
        assert 'id="finish"' in page and "Ways to keep" not in page


@pytest.mark.parametrize("code", ["A" * 21, "A" * 23, "a%00" + "A" * 19])
def test_an_address_that_is_no_code_is_not_found(device: Device, code: str) -> None:
    assert device.client.get(f"/g/{code}").status_code == 404


@pytest.mark.parametrize(
    "what", ["throw", "bank", "points", "advance", "undo", "seats", "target", "mode", "options", "rematch"]
)
def test_looking_at_a_command_does_nothing(device: Device, what: str) -> None:
    game = device.game()
    assert device.client.get(f"{game.get_absolute_url()}/{what}").status_code == 405


def test_pages_of_a_game_are_not_kept_by_caches(device: Device) -> None:
    game = device.game()
    assert "no-store" in device.client.get(game.get_absolute_url())["Cache-Control"]


def test_three_pairs_with_dice_kept_before_are_named_as_such(device: Device) -> None:
    grows = open_turn(0, throw("115346", "11"), throw("5523", "55"), throw("33"))
    assert "Three pairs with your kept dice! Bank 750, or throw all six again." in read_text(
        device.page(device.game(*BOTH_IN, grows, ruleset="boxcars"))
    )


def test_the_log_keeps_one_tense_and_marks_computers_as_the_scores_do(device: Device) -> None:
    page = device.page(device.game(bank(0, 1000, IN), bank(1, 1000, IN), players=("Ana", "*HAL")))
    assert "banked 1,000 with 3 dice left" in read_text(page)
    assert '<i class="dot computer p2">' in page and '<i class="dot here p1">' in page


def test_the_log_marks_each_turn_by_who_played_it(device: Device) -> None:
    device.client.cookies["prefs"] = "hints=coach"
    handed = {"type": "hand", "player": 1, "level": "bold"}
    game = device.game(*BOTH_IN, handed, *BOTH_IN, {"type": "hand", "player": 1}, bust(0, GONE), bank(1, 1000, IN))
    newest_first = [("here", "in 1 throw"), ("computer", "with 3 dice left"), ("here", "in 1 throw")]
    turns = re.findall(r'<i class="dot (\w+) p2"></i>.*?banked 1,000 (.*?)</a>', device.page(game, "?log=all"))
    assert turns == newest_first


def test_the_log_shows_the_latest_turns_and_on_request_all(device: Device) -> None:
    game = device.game(*BOTH_IN, *(bank(seat, 50, throw("223456", "5")) for _round in range(3) for seat in (0, 1)))

    def read_log(query: str = "") -> str:
        return device.page(game, query).partition('id="earlier"')[2].partition("</section>")[0]

    assert read_log().count("<li") == 5 and f'href="{game.get_absolute_url()}?log=all"' in read_log()
    assert read_log("?log=all").count("<li") == 8 and "Show earlier" not in read_log("?log=all")


def test_a_turn_keeps_its_mark_however_much_was_changed_since(device: Device) -> None:
    changes = [{"type": "hand", "player": 1, "level": "bold"}]
    changes += [{"type": "target", "value": 10000 + 1000 * n} for n in range(1, 6)]
    page = device.page(device.game(*BOTH_IN, *changes))
    assert '<i class="dot here p2">' in page and '<i class="dot computer p2">' not in page


def test_the_pot_has_a_currency_and_says_who_paid(device: Device) -> None:
    missed = bust(0, throw("223446"))
    page = read_text(
        device.page(device.game(missed, bank(1, 1000, IN), bank(0, 1000, IN), bust(1, throw("223446")), ruleset="pot"))
    )
    paid = re.search(r"Pot ([\d.]+) USD .*? Ana ([\d.]+) Bruno ([\d.]+) ", page)
    pot, ana, bruno = (round(100 * float(amount)) for amount in require(paid).groups())
    assert ana + bruno == pot and bruno > ana


@pytest.mark.parametrize(
    ("currency", "pot", "ana", "bruno", "coin"),
    [("JPY", "55", "25", "30", "5"), ("KWD", "0.055", "0.025", "0.030", "0.005")],
)
def test_a_pot_is_counted_in_the_coins_of_its_currency(
    device: Device, currency: str, pot: str, ana: str, bruno: str, coin: str
) -> None:
    changes = bank(0, 1000, IN), bank(1, 1000, IN), bank(0, 1000, IN), bust(1, throw("223446"))
    game = device.game(*changes, ruleset=preset("pot").to_json() | {"slug": "ours", "currency": currency})
    page = read_text(device.page(game))
    assert f"Pot {pot} {currency} " in page and f" Ana {ana} Bruno {bruno} " in page
    assert f" {coin} goes into the pot." in page


def test_a_lone_player_is_called_you_in_pot_chart_and_extra_round(device: Device) -> None:
    """As on the cards, the only person at the table needs no name."""
    game = device.game(bust(0, throw("223446")), bank(1, 1000, IN), players=(ANA, HAL), ruleset="pot")
    page = read_text(device.page(game))
    assert re.search(r"Paid into the pot You [\d.]+ \*HAL", page) and "You 0, *HAL 1,000." in page
    rules = replace(preset("classic"), slug="custom", tie="tied_only").to_json()
    tied = [bank(seat, 1000, IN) for seat in (0, 1)]
    page = read_text(device.page(device.game(*tied, players=(ANA, HAL), ruleset=rules, target=1000)))
    assert "Tie at 1,000. You and *HAL play one more round." in page
    page = read_text(device.page(device.game(*tied, ruleset=rules, target=1000)))
    assert "Tie at 1,000. Ana and Bruno play one more round." in page


@pytest.mark.parametrize("tie", ["extra_rounds", "tied_only"])
def test_an_extra_round_is_no_tie_any_more_once_somebody_leads(device: Device, tie: str) -> None:
    rules = preset("classic").to_json() | {"slug": "custom", "tie": tie}
    tied = [bank(seat, 1000, IN) for seat in (0, 1)]
    game = device.game(*tied, bank(0, 1000, IN), ruleset=rules, target=1000)
    assert "Final round. Ana has 2,000. You have one turn left." in read_text(device.page(game))


@pytest.mark.parametrize(("rounds", "labels"), [(4, ["1", "2", "3", "4"]), (9, ["1", "5", "9"])])
def test_the_chart_names_each_round_of_a_short_game(device: Device, rounds: int, labels: list[str]) -> None:
    page = device.page(device.game(*(bank(seat, 1000, IN) for seat in rounds * [0, 1]), target=50_000))
    chart = page.partition('id="chart"')[2].partition("</svg>")[0]
    assert re.findall(r'<text x="[\d.]+"[^>]*>(\d+)<', chart) == labels


@pytest.mark.parametrize(("score", "target"), [(9000, 500), (1000, 10_000), (1050, 1000)])
def test_no_label_of_the_chart_lies_on_another(device: Device, score: int, target: int) -> None:
    """Labels stay apart however far beyond the target a score is, which can happen once the target is lowered."""
    by_hand = {"type": "shot", "player": 0, "end": "bank", "points": score, "manual": True}
    page = device.page(device.game(by_hand, target=target))
    chart = page.partition('id="chart"')[2].partition("</svg>")[0]
    heights = sorted(float(y) for y in re.findall(r'<text y="([\d.]+)"', chart))
    assert len(heights) >= 2
    assert min(below - above for above, below in pairwise(heights)) >= 10


def test_hints_are_worded_alike_in_a_new_game_and_in_its_menu(device: Device) -> None:
    menu = device.page(device.game()).partition('<select id="hints"')[2].partition("</select>")[0]
    new = device.client.get("/new").content.decode().partition("<legend>Ways to keep</legend>")[2]
    worded = [words.strip() for words in re.findall(r"<option[^>]*>([^<]+)", menu)]
    assert len(worded) == 5 and worded == [
        words.strip() for words in re.findall(r'name="hints"[^>]*>([^<]+)', new.partition("</fieldset>")[0])
    ]


def test_a_game_with_real_dice_only_offers_no_dice_to_check(device: Device) -> None:
    game = device.game()
    assert f'{game.get_absolute_url()}/fair"' in device.page(game)
    device.do(game, "mode", mode="manual")
    assert f'{game.get_absolute_url()}/fair"' not in device.page(game)


def test_the_target_is_on_the_page_and_a_change_reaches_everybody(device: Device) -> None:
    game = device.game(*BOTH_IN, target=5000)
    assert "Round 2 to 5,000" in read_text(device.page(game))
    version = reload_game(game).version
    device.do(game, "target", target="2000")
    news = Device().client.get(f"{game.get_absolute_url()}/board", {"version": version}).content.decode()
    assert "Round 2 to 2,000" in read_text(news)


def test_the_dice_of_the_player_before_stay_in_view_until_the_turn_ends(device: Device) -> None:
    game = device.game(*BOTH_IN, bank(0, 200, throw("155236", "155")), ruleset="wikipedia")
    reseal_until(game, lambda dice: len({*dice[:3]}) == 3 and {*dice[:3]} <= {2, 3, 4, 6})
    heard = device.do(reload_game(game), "throw", htmx=True, pick_up="1").content.decode()
    assert "Bruno picks up 3 dice and continues from 200 points." in heard
    page = device.page(reload_game(game))
    assert require(game.shots.last()).outcome == "bust"
    assert len(re.findall(r'class="die [^"]*old', page)) == 3
    assert "Kept · 3 dice" in read_text(page)


def test_dice_that_were_picked_up_are_thrown_above_those_of_the_player_before(device: Device) -> None:
    game = device.game(*BOTH_IN, bank(0, 200, throw("155236", "155")), ruleset="wikipedia")
    reseal_until(game, lambda dice: sorted(dice[:3]) == [1, 2, 3])
    device.do(reload_game(game), "throw", pick_up="1")
    page = device.page(reload_game(game))
    assert len(re.findall(r'class="die [^"]*old', page)) == 3
    assert "Kept · 4 dice" in read_text(page)


def test_the_cost_of_busts_in_a_row_is_on_the_page(device: Device) -> None:
    rules = preset("classic").to_json() | {"slug": "hard", "name": "Hard", "bust_streak": 2, "bust_streak_penalty": 500}
    busts = [bust(seat, throw("223346")) for seat in (0, 1, 0)]
    page = device.page(device.game(*BOTH_IN, *busts, ruleset=rules))
    assert "busted and paid 500 points." in page.split('id="detail"')[1].split("</p>")[0]
    assert read_text(page).count("busted and paid 500 points") == 2, "in the list of turns, too"


def test_the_file_for_the_players_is_not_offered_to_a_spectator(device: Device, other_device: Device) -> None:
    game, sentence = device.game(bank(0, 1000, IN)), "Saved. Come back by this link, or download the game."
    assert sentence in device.page(game)
    assert sentence not in other_device.page(game)
    for file in ("json", "csv"):
        answer = other_device.client.get(f"{game.get_absolute_url()}.{file}")
        assert answer.status_code == 403
        assert "Until the game is over, only its players can download the file." in answer.content.decode()
        assert "not change it" not in answer.content.decode()


def test_a_sentence_that_begins_with_an_arabic_name_runs_as_its_reader_reads(
    device: Device, other_device: Device
) -> None:
    name = "محمد"
    over = device.game(bank(0, 1000, IN), bust(1, throw("234466")), players=(name, ANA), target=1000)
    playing = device.game(bank(0, 1000, IN), open_turn(1, throw("115236")), players=(ANA, name))
    waiting = device.waiting_game(name)
    other_device.sit(waiting)
    places = [*map(Game.get_absolute_url, (over, playing, waiting)), "/", "/games", "/games?show=finished"]
    for place in (*places, f"{playing.get_absolute_url()}?at=2", f"{playing.get_absolute_url()}/delete"):
        for who in (device, other_device):
            html = who.client.get(place).content.decode()
            assert set(re.findall(r'dir="auto">\s*([^<]+?)\s*<', html)) <= {name, ANA, "Bruno"}, place


@pytest.mark.examples
@pytest.mark.parametrize("language", ["en", "de", "fr", "nl", "sv"])
def test_a_narrow_card_never_cuts_off_the_points_that_the_first_bank_needs(device: Device, language: str) -> None:
    html = device.client.get(device.game().get_absolute_url(), headers={"accept-language": language}).content.decode()
    words = re.findall(r'<span class="word">([^<]+)', html)
    assert words and all("500" in word[: len("needs 500")] for word in words)


def test_no_two_forms_have_the_same_key(device: Device) -> None:
    game = device.game(players=(ANA, BRUNO))
    keys = [key for _visit in range(2) for key in re.findall(r'name="key" value="([^"]+)"', device.page(game))]
    assert len(keys) == len(set(keys)) > 10
