"""A turn with real dice: points added throw by throw, and dice tapped face by face."""

import re
from typing import Any

import pytest
from pytest_django import Settings

from game.models import Game
from game.rules import preset, record
from game.services.shipped_rulesets import read_world_tables
from game.storage import build_file_data, load_record, load_state
from tests.cast import ANA, BOTH_IN, BRUNO, IN, LEFT_FOR_OTHERS, Device, bank, bust, reload_game, throw
from tests.real_dice_pad import (
    find_last_turn,
    keep_and_bank,
    keep_and_throw,
    lay_faces,
    load_scores,
    open_tap_pad,
    press_pad,
    read_hidden_fields,
    start_with_real_dice,
)
from tests.require import require
from tests.words import read_text

EXACT = {**preset("classic").to_json(), "slug": "ours", "tie": "shared", "bank_minimum": 300, "exact": "bust"}
NOBODY_IN = bust(0, throw("223446")), bust(1, throw("223446"))


# ── typed, throw by throw ──


@pytest.mark.parametrize(
    ("ruleset", "events", "hint"),
    [
        ("classic", NOBODY_IN, "First bank: 500+"),
        ("classic", BOTH_IN, "end turn"),
        ({**preset("farkle").to_json(), "first_player": "seat_order"}, BOTH_IN, "Minimum: 350"),
        ({**preset("classic").to_json(), "entry_in": "throw"}, NOBODY_IN, "First bank: 500+ in one throw"),
        ({**EXACT, "exact": "no"}, BOTH_IN, "Minimum: 300"),
        (EXACT, BOTH_IN, "end turn"),  # a bank that makes the target needs no minimum
    ],
)
def test_the_button_says_the_least_that_can_be_banked_until_the_turn_has_it(
    device: Device, ruleset: str | dict[str, object], events: tuple[dict[str, Any], ...], hint: str
) -> None:
    game = start_with_real_dice(device, *events, ruleset=ruleset)
    html = device.page(game)
    assert f"Bank {hint}" in read_text(find_pad(html))
    html = press_pad(device, game, "add", **read_hidden_fields(html), points="500")
    assert "Bank end turn" in read_text(find_pad(html))


def test_added_throws_are_summed_up_and_banked_as_one_turn(device: Device) -> None:
    game = start_with_real_dice(device)
    html = press_pad(device, game, "add", **read_hidden_fields(device.page(game)), points="300")
    html = press_pad(device, game, "add", **read_hidden_fields(html), points="150")
    assert "turn 450" in html and "+450 now" in html
    keep_and_bank(device, game, html, points="50")
    assert load_scores(game) == [1500, 1000]
    assert find_last_turn(game).points == 500 and game.shots.count() == 3


def test_points_can_be_typed_as_people_write_numbers(device: Device) -> None:
    game = start_with_real_dice(device)
    keep_and_bank(device, game, device.page(game), points="1,500")
    assert load_scores(game) == [2500, 1000]


def test_lost_points_that_are_no_number_are_refused_and_no_turn_is_written(device: Device) -> None:
    game = start_with_real_dice(device)
    refused = keep_and_bank(device, game, device.page(game), end="bust", lost="a lot")
    assert refused.status_code == 422 and "Enter points as a whole number" in refused.content.decode()
    assert game.shots.count() == 2


def test_a_refused_turn_keeps_the_dice_picked_up_and_those_left(device: Device) -> None:
    game = start_with_real_dice(device, *BOTH_IN, LEFT_FOR_OTHERS, ruleset="wikipedia")
    sent = {"points": "675", "pick_up": "3", "dice_left": "2"}
    refused = keep_and_bank(device, game, device.page(game), **sent)
    html = refused.content.decode()
    assert refused.status_code == 422 and 'value="675"' in html
    assert re.search(r'<input type="checkbox" id="picked"[^>]* checked>', html)
    assert "<option selected>2</option>" in html
    again = device.do(game, "points", htmx=True, **read_hidden_fields(html), **sent)
    assert re.search(r'id="picked"[^>]* checked>', again.content.decode())
    assert "checked" not in find_pad(device.page(game))


@pytest.mark.parametrize(("ruleset", "field"), [("macke", 'value="a lot"'), ("dez-mil", 'value="1" checked')])
def test_a_refused_bust_keeps_what_was_said_of_it(device: Device, ruleset: str, field: str) -> None:
    rules = read_world_tables()[ruleset].ruleset
    game = device.game(ruleset={**rules.to_json(), "first_player": "seat_order"})
    device.do(game, "mode", mode="manual")
    html = device.page(game)
    assert field not in find_pad(html)
    refused = keep_and_bank(device, game, html, end="bust", lost="a lot", nothing="1")
    assert refused.status_code == 422
    assert field in find_pad(refused.content.decode())


def find_pad(html: str) -> str:
    return html.partition('id="tray"')[2].partition("</form>")[0]


@pytest.mark.parametrize(
    ("added", "end", "lost", "score"),
    [(("200", "50"), "bust", "", 150), (("200", "50"), "bust", "100", 300), ((), "bust", "250", 150),
     ((), "bank", "250", 150), ((), "bust", "", 400)],
)  # fmt: skip
def test_a_bust_that_costs_what_was_gathered_costs_the_added_throws(
    device: Device, added: tuple[str, ...], end: str, lost: str, score: int
) -> None:
    """The example of Macke: with a score of 400 and 250 gathered, a bust leaves 150."""
    game = device.game(ruleset=read_world_tables()["macke"].ruleset.to_json())
    device.do(game, "mode", mode="manual")
    keep_and_bank(device, game, device.page(game), points="400")
    keep_and_bank(device, game, device.page(game), end="bust")
    html = device.page(game)
    for points in added:
        html = press_pad(device, game, "add", **read_hidden_fields(html), points=points)
    assert ('placeholder="250">' in html) == bool(added)
    keep_and_bank(device, game, html, points="0", end=end, lost=lost)
    assert load_scores(game) == [score, 0]


def test_the_points_lost_are_shown_as_entries_come_and_go_and_give_way_to_what_is_typed(device: Device) -> None:
    game = device.game(ruleset=read_world_tables()["macke"].ruleset.to_json())
    device.do(game, "mode", mode="manual")
    html = press_pad(device, game, "add", **read_hidden_fields(device.page(game)), points="1,000")
    html = press_pad(device, game, "add", **read_hidden_fields(html), points="50")
    assert find_lost_field(html) == 'value="" placeholder="1,050"'
    html = press_pad(device, game, "back", **read_hidden_fields(html))
    assert find_lost_field(html) == 'value="" placeholder="1,000"'
    refused = keep_and_bank(device, game, html, end="bust", lost="75").content.decode()
    assert find_lost_field(refused) == 'value="75" placeholder="1,000"'
    assert find_lost_field(press_pad(device, game, "back", **read_hidden_fields(refused))) == 'value=""'


def find_lost_field(html: str) -> str:
    return require(re.search(r'<input name="lost"[^>]*autocomplete="off"\s+(value="[^>]*)>', html)).group(1)


def test_a_turn_of_more_points_than_a_game_file_can_hold_is_refused(device: Device) -> None:
    game = start_with_real_dice(device)
    html = press_pad(device, game, "add", **read_hidden_fields(device.page(game)), points="999,999,900")
    assert "No turn can make" in press_pad(device, game, "add", **read_hidden_fields(html), points="999,999,900")
    keep_and_bank(device, game, html, points="100")
    assert load_scores(game) == [1000, 1000]
    device.do(game, "undo")
    assert load_record(reload_game(game)).events


def test_a_game_holds_the_sum_of_the_largest_turns(device: Device) -> None:
    rules = {"slug": "odd", "name": "Odd", "singles": [100, 0, 0, 0, 50, 0], "ending": "rounds", "rounds": 4}
    game = device.game(ruleset=rules | {"bust_streak": 1, "bust_cost": "everything"})
    Game.objects.filter(pk=game.pk).update(loaded=False)  # it counts for statistics
    device.do(game, "mode", mode="manual")
    for _round in range(3):
        keep_and_bank(device, game, device.page(game), points="999,999,900")
        keep_and_bank(device, game, device.page(game), end="bust")
    assert load_scores(game) == [2_999_999_700, 0]
    keep_and_bank(device, game, device.page(game), end="bust")
    assert (find_last_turn(game).cost, load_scores(game)) == (2_999_999_700, [0, 0])
    keep_and_bank(device, game, device.page(game), end="bust")
    assert reload_game(game).seats[0].banked == 2_999_999_700
    device.do(game, "undo")
    assert [shot.score for shot in game.shots.filter(player__seat=0).order_by("place")][2] == 2_999_999_700


def test_no_turn_is_written_before_the_bank(device: Device) -> None:
    game = start_with_real_dice(device)
    press_pad(device, game, "add", **read_hidden_fields(device.page(game)), points="300")
    assert game.shots.count() == len(build_file_data(reload_game(game))["events"]) == 2


def test_the_field_may_be_empty_after_added_throws(device: Device) -> None:
    game = start_with_real_dice(device)
    html = press_pad(device, game, "add", **read_hidden_fields(device.page(game)), points="300")
    keep_and_bank(device, game, html, points="")
    assert load_scores(game) == [1300, 1000]


def test_the_last_added_throw_is_undone(device: Device) -> None:
    game = start_with_real_dice(device)
    html = press_pad(device, game, "add", **read_hidden_fields(device.page(game)), points="300")
    html = press_pad(device, game, "add", **read_hidden_fields(html), points="100")
    assert "Undo entry" in html
    html = press_pad(device, game, "back", **read_hidden_fields(html))
    assert "turn 300" in html
    assert "Undo entry" not in press_pad(device, game, "back", **read_hidden_fields(html))


def test_points_that_no_dice_can_make_are_refused_with_the_nearest_that_can(device: Device) -> None:
    game = start_with_real_dice(device)
    html = press_pad(device, game, "add", **read_hidden_fields(device.page(game)), points="300")
    refused = press_pad(device, game, "add", **read_hidden_fields(html), points="175")
    assert "No turn can make 175 points under these rules. Did you mean 150 or 200?" in refused
    assert "turn 300" in refused and 'value="175"' in refused


def test_hot_dice_that_cannot_be_banked_can_still_be_added(device: Device) -> None:
    odd = {"slug": "odd", "name": "Odd", "singles": [100, 0, 0, 0, 0, 0], "straight": 1230, "sweep": "must_throw"}
    game = start_with_real_dice(device, bank(0, 300, IN), bank(1, 300, IN), ruleset=odd)
    html = press_pad(device, game, "add", **read_hidden_fields(device.page(game)), points="1230")
    assert "turn 1,230" in html
    assert keep_and_bank(device, game, html, points="").status_code == 422
    assert keep_and_bank(device, game, html, points="100").status_code == 303


def test_picked_up_points_count_with_added_throws(device: Device) -> None:
    game = start_with_real_dice(device, *BOTH_IN, LEFT_FOR_OTHERS, ruleset="wikipedia")
    html = press_pad(device, game, "add", **read_hidden_fields(device.page(game)), points="100", pick_up="3")
    assert "turn 300" in html
    keep_and_bank(device, game, html, points="")
    assert load_scores(game) == [1200, 1300]
    assert find_last_turn(game).picked_up == 3


def test_a_bust_after_added_throws_costs_what_a_bust_costs(device: Device) -> None:
    game = start_with_real_dice(device, ruleset="pot")
    html = press_pad(device, game, "add", **read_hidden_fields(device.page(game)), points="300")
    keep_and_bank(device, game, html, points="200", end="bust")
    assert load_scores(game) == [1000, 1000]
    assert load_state(reload_game(game)).pot == 2 * 25 + 5


# ── tapped ──


def test_tapped_dice_offer_what_dice_on_screen_offer(device: Device) -> None:
    game = start_with_real_dice(device)
    html = open_tap_pad(device, game)
    assert "Tap 6 dice" in html and 'name="points"' not in html
    html = lay_faces(device, game, html, "1 5 5 2 3 6")
    assert "Ways to keep" in html and "data-choices" in html
    assert "Bank 200" in html and "makes 1,200" in html and "Throw 3 dice" in html


def test_a_tapped_turn_is_written_with_its_throws(device: Device) -> None:
    game = start_with_real_dice(device)
    html = keep_and_throw(device, game, lay_faces(device, game, open_tap_pad(device, game), "155236"), "123")
    assert "200 so far. Throw 3 dice and tap them." in html and "Die 2: five" in html
    html = lay_faces(device, game, html, "144")
    keep_and_bank(device, game, html, "4")
    turn = find_last_turn(game)
    assert load_scores(game) == [1300, 1000]
    assert (turn.manual, turn.points, turn.count) == (True, 300, 2)
    assert [(t.dice, t.kept_faces, t.points, t.number) for t in turn.throws.order_by("pk")] == [
        ("155236", (1, 5, 5), 200, None),
        ("144", (1,), 100, None),
    ]
    saved = load_record(reload_game(game))
    assert record.replay(saved).state.players[0].score == 1300


def test_a_single_die_is_spoken_of_as_one(device: Device) -> None:
    game = start_with_real_dice(device)
    html = keep_and_throw(device, game, lay_faces(device, game, open_tap_pad(device, game), "111556"), "12345")
    assert "1,100 so far. Throw 1 die and tap it." in html
    assert "Tap 1 die" in html and "as it lies on the table" in html


def test_a_first_throw_tapped_that_is_a_bust_loses_no_points(device: Device) -> None:
    game = start_with_real_dice(device)
    html = read_text(lay_faces(device, game, open_tap_pad(device, game), "223446"))
    assert "Bust 0 points" in html and "points this turn" in html and "points lost" not in html


def test_a_tapped_bust_loses_the_points_and_keeps_its_throws(device: Device) -> None:
    game = start_with_real_dice(device)
    html = keep_and_throw(device, game, lay_faces(device, game, open_tap_pad(device, game), "155236"), "123")
    html = lay_faces(device, game, html, "244")
    assert "200 points lost" in html and "Bust! This throw scores nothing." in html
    keep_and_bank(device, game, html)
    turn = find_last_turn(game)
    assert (turn.outcome, turn.points, turn.count) == ("bust", 200, 2)


def test_the_cookie_for_the_way_of_entry_is_secure_behind_any_proxy(device: Device, settings: Settings) -> None:
    settings.SESSION_COOKIE_SECURE = True
    answer = device.client.post(f"{start_with_real_dice(device).get_absolute_url()}/pad", {"entry": "tap"})
    assert answer.cookies["prefs"]["secure"]


@pytest.mark.parametrize("entry", ["tap", "type"])
def test_the_same_bank_sent_again_is_done_once(device: Device, entry: str) -> None:
    game = start_with_real_dice(device)
    if entry == "tap":
        html = lay_faces(device, game, open_tap_pad(device, game), "155236")
        more_fields: dict[str, Any] = {"keep": ["1", "2", "3"]}
    else:
        html = press_pad(device, game, "add", **read_hidden_fields(device.page(game)), points="200")
        more_fields = {"points": ""}
    form = read_hidden_fields(html) | more_fields | {"version": reload_game(game).version, "key": "k" * 22}
    answers = [device.do(game, "points", **form).status_code for _time in range(2)]
    assert answers == [303, 303]
    assert load_scores(game) == [1200, 1000]
    assert device.do(game, "points", **form | {"key": "n" * 22}).status_code == 409


def test_tapped_six_of_a_kind_win_at_once(device: Device) -> None:
    game = start_with_real_dice(device, *BOTH_IN, ruleset="wikipedia")
    html = lay_faces(device, game, open_tap_pad(device, game), "444444")
    assert "six of a kind wins" in html
    keep_and_bank(device, game, html, "123456")
    assert load_state(reload_game(game)).winners == (0,)
    assert find_last_turn(game).throws.count() == 1


def test_all_six_dice_aside_are_thrown_again(device: Device) -> None:
    game = start_with_real_dice(device)
    html = lay_faces(device, game, open_tap_pad(device, game), "111555")
    assert keep_and_bank(device, game, html, "123456").status_code == 422
    html = keep_and_throw(device, game, html, "123456")
    assert "Tap 6 dice" in html and "Die 1: one" not in html


def test_the_last_die_has_its_tries(device: Device) -> None:
    game = start_with_real_dice(device, *BOTH_IN, ruleset="farkle", start=[[6, 1]])
    html = keep_and_throw(device, game, lay_faces(device, game, open_tap_pad(device, game), "111552"), "12345")
    html = lay_faces(device, game, html, "2")
    assert "Tap 1 die" in html and "Try 2 of 3 with one die." in html
    html = lay_faces(device, game, lay_faces(device, game, html, "3"), "4")
    assert "1,100 points lost" in html
    keep_and_bank(device, game, html)
    assert find_last_turn(game).count == 4


def test_the_next_player_may_pick_up_the_dice_left_and_tap_them(device: Device) -> None:
    game = start_with_real_dice(device, *BOTH_IN, ruleset="wikipedia")
    html = lay_faces(device, game, open_tap_pad(device, game), "155236")
    keep_and_bank(device, game, html, "123")
    html = press_pad(device, game, "pick_up", **read_hidden_fields(device.page(game)))
    assert "Tap 3 dice" in html
    html = lay_faces(device, game, html, "114")
    keep_and_bank(device, game, html, "12")
    assert load_scores(game) == [1200, 1400]
    assert (find_last_turn(game).picked_up, find_last_turn(game).dice_left) == (3, 1)


def test_too_few_points_to_bank_are_explained_and_refused(device: Device) -> None:
    game = start_with_real_dice(device, bank(0, 1000, IN))
    html = lay_faces(device, game, open_tap_pad(device, game), "155236")
    assert "First bank: 500+" in html
    answer = keep_and_bank(device, game, html, "123")
    assert answer.status_code == 422
    assert "The first bank must be at least 500 points." in answer.content.decode()
    assert "Bank 200" in answer.content.decode() and "Die 1: one" in answer.content.decode()


@pytest.mark.parametrize("faces", ["", "15523", "1552367", "155237", "abc", "1" * 5000])
def test_tapped_faces_that_are_no_throw_are_refused(device: Device, faces: str) -> None:
    game = start_with_real_dice(device)
    assert "Enter 6 dice, each from 1 to 6." in lay_faces(device, game, open_tap_pad(device, game), faces)


def test_dice_that_do_not_score_cannot_be_kept(device: Device) -> None:
    game = start_with_real_dice(device)
    html = lay_faces(device, game, open_tap_pad(device, game), "155236")
    assert "These dice don’t all score." in keep_and_throw(device, game, html, "14")


def test_entries_are_undone_one_by_one(device: Device) -> None:
    game = start_with_real_dice(device)
    html = keep_and_throw(device, game, lay_faces(device, game, open_tap_pad(device, game), "155236"), "123")
    html = press_pad(device, game, "back", **read_hidden_fields(html))
    assert "Bank 200" in html
    html = press_pad(device, game, "back", **read_hidden_fields(html))
    assert "Tap 6 dice" in html and "Undo entry" not in html


def test_the_way_of_entry_is_remembered_for_the_next_turn(device: Device) -> None:
    game = start_with_real_dice(device)
    keep_and_bank(device, game, lay_faces(device, game, open_tap_pad(device, game), "155236"), "123")
    assert "Tap 6 dice" in device.page(game)
    device.client.post(f"{game.get_absolute_url()}/pad", {"entry": "type"})
    assert 'name="points"' in device.page(game)


def test_points_can_be_typed_after_dice_were_tapped_and_nothing_is_lost(device: Device) -> None:
    game = start_with_real_dice(device)
    html = lay_faces(device, game, open_tap_pad(device, game), "155236")
    html = press_pad(device, game, "", **read_hidden_fields(html), entry="type")
    assert 'name="points"' in html
    assert "Bank 200" in press_pad(device, game, "", **read_hidden_fields(html), entry="tap")
    html = press_pad(device, game, "", **read_hidden_fields(html), entry="type")
    keep_and_bank(device, game, html, points="650")
    assert load_scores(game) == [1650, 1000]
    assert find_last_turn(game).count == 0


@pytest.mark.parametrize("end", ["bank", "bust"])
def test_the_next_turn_begins_without_entries_of_the_last(device: Device, end: str) -> None:
    game = start_with_real_dice(device)
    html = lay_faces(device, game, open_tap_pad(device, game), "155236" if end == "bank" else "223346")
    keep_and_bank(device, game, html, "123" if end == "bank" else "")
    assert "Tap 6 dice" in device.page(game) and "Die 1:" not in device.page(game)
    device.do(game, "undo")
    assert "Tap 6 dice" in device.page(game)


def test_loading_the_page_again_loses_nothing(device: Device) -> None:
    game = start_with_real_dice(device)
    lay_faces(device, game, open_tap_pad(device, game), "155236")
    assert "Bank 200" in device.page(game)
    assert "Bank 100" in device.page(game, "?keep=1")


@pytest.mark.parametrize("press", ["", "win", "throw"])
def test_a_press_that_is_on_no_pad_is_refused(device: Device, press: str) -> None:
    game = start_with_real_dice(device)
    assert device.do(game, f"pad?do={press}").status_code == 400
    assert device.do(game, "points", by="tap").status_code == 400


def test_a_turn_takes_no_more_than_sixty_entries(device: Device) -> None:
    game = start_with_real_dice(device)
    for _entry in range(60):
        assert device.do(game, "pad?do=add", points="50").status_code == 303
    assert "This turn is too long." in device.do(game, "pad?do=add", points="50").content.decode()


def test_a_spectator_sees_no_pad(device: Device, other_device: Device) -> None:
    game = start_with_real_dice(device)
    other_device.client.post(f"{game.get_absolute_url()}/pad", {"entry": "tap"})
    html = other_device.page(game)
    assert "Tap 6 dice" not in html and 'id="bank"' not in html


def test_with_htmx_the_fragments_show_the_turn_so_far(device: Device) -> None:
    game = start_with_real_dice(device)
    open_tap_pad(device, game)
    form = read_hidden_fields(device.page(game)) | {"faces": "155236"}
    answer = device.client.post(f"{game.get_absolute_url()}/pad?do=faces", form, headers={"HX-Request": "true"})
    html = answer.content.decode()
    assert answer.status_code == 200 and "Bank 200" in html
    assert f"{game.get_absolute_url()}?keep=1" in html


def test_the_page_names_the_next_player_and_what_the_last_one_banked(device: Device) -> None:
    game = start_with_real_dice(device)
    keep_and_bank(device, game, lay_faces(device, game, open_tap_pad(device, game), "155236"), "123")
    assert f"Your turn, {BRUNO}" in device.page(game) and f"{ANA} banked 200." in device.page(game)


def test_a_bank_of_nothing_is_a_bust(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), bank(1, 1000, IN))
    device.do(game, "mode", mode="manual")
    assert device.do(game, "points", points="0", end="bank").status_code == 303
    turn = require(game.shots.last())
    assert (turn.outcome, turn.points) == ("bust", 0)


def test_typed_points_are_not_forgotten_while_dice_are_tapped(device: Device) -> None:
    game = start_with_real_dice(device)
    html = press_pad(device, game, "add", **read_hidden_fields(device.page(game)), points="300")
    html = press_pad(
        device, game, "type", entry="tap", **{k: v for k, v in read_hidden_fields(html).items() if k != "by"}
    )
    assert "The 300 points that you typed count only under “Type points”." in html


def test_tapped_dice_are_not_forgotten_while_points_are_typed(device: Device) -> None:
    game = start_with_real_dice(device)
    html = lay_faces(device, game, open_tap_pad(device, game), "155236")
    html = keep_and_throw(device, game, html, "123")
    fields = {name: value for name, value in read_hidden_fields(html).items() if name != "by"}
    html = press_pad(device, game, "type", entry="type", **fields)
    assert "The dice you tapped (200) count only under “Tap dice”." in html
