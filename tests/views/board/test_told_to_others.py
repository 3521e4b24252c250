"""What the other players' pages announce after something happened: one or two sentences beside the board."""

from __future__ import annotations

import html
import re
from datetime import timedelta
from typing import Any

import pytest

from game.models import Game
from game.storage import load_state
from tests.cast import (
    IN,
    Device,
    bank,
    bust,
    let_time_pass,
    make_key,
    open_turn,
    reload_game,
    reseal_until,
    share_game,
    throw,
)
from tests.require import require

DUE = bank(0, 1000, IN)  # now it is Bruno's turn
PLAYERS = ("Ana", "Bruno", "Chloé")
PLAIN = {
    "singles": [100, 0, 0, 0, 50, 0],
    "of_a_kind": {"3": [1000, 200, 300, 400, 500, 600]},
    "slug": "plain",
    "name": "Plain",
}


def fetch_announcement(device: Device, game: Game, version: int | str, **more: str) -> str:
    """Return what the page of this device announces if it shows that version."""
    return read_live(device.client.get(f"{game.get_absolute_url()}/board", {"version": version, **more}))


def read_live(answer: Any) -> str:
    """Return what an answer has the page announce."""
    live = re.search(r'<div id="live"[^>]*>(.*?)</div>', answer.content.decode(), re.DOTALL)
    return html.unescape(live[1]) if live else ""


# ── before the start ──


def read_news_query(device: Device, game: Game, page: str = "") -> dict[str, str]:
    """Return what the waiting page of this device sends along when it asks for news."""
    sat = re.search(r'data-sat="([^"]*)"', page or device.page(game))
    assert sat
    return {"version": str(reload_game(game).version), "waiting": "1", "sat": sat[1]}


def test_the_waiting_page_says_who_has_sat_down(device: Device, other_device: Device) -> None:
    game = device.waiting_game()
    before = read_news_query(device, game)
    other_device.sit(game)
    assert fetch_announcement(device, game, **before) == "Bruno joined."
    assert fetch_announcement(Device(), game, **before) == "Bruno joined."


def test_the_waiting_page_says_who_took_a_seat_that_was_kept_free(device: Device, other_device: Device) -> None:
    game = device.waiting_game()
    device.do(game, "seats", do="free", name="Chloé", waiting="1")
    before = read_news_query(device, game)
    other_device.sit(game, player=game.players.get(name="Chloé").pk)
    assert fetch_announcement(device, game, **before) == "Chloé joined."


def test_the_waiting_page_says_who_has_left(device: Device, other_device: Device) -> None:
    game = device.waiting_game()
    other_device.sit(game)
    before = read_news_query(device, game)
    other_device.do(game, "seats", do="remove", player=game.players.get(name="Bruno").pk, waiting="1")
    assert fetch_announcement(device, game, **before) == "Bruno left before the start."


def test_a_player_who_was_removed_can_also_read_it_on_the_waiting_page(device: Device, other_device: Device) -> None:
    game = device.waiting_game()
    other_device.sit(game)
    before = read_news_query(other_device, game)
    device.do(game, "seats", do="remove", player=game.players.get(name="Bruno").pk, waiting="1")
    page = other_device.client.get(f"{game.get_absolute_url()}/board", before).content.decode()
    assert re.search(r"<p[^>]*>Bruno was removed before the start\. Want to play", page)


def test_a_player_who_left_and_one_who_came_meanwhile_are_both_told(device: Device, other_device: Device) -> None:
    game = device.waiting_game()
    other_device.sit(game)
    before = read_news_query(device, game)
    device.do(game, "seats", do="remove", player=game.players.get(name="Bruno").pk, waiting="1")
    Device().sit(game, "Dora")
    assert fetch_announcement(device, game, **before) == "Bruno was removed before the start. Dora joined."
    before = read_news_query(device, game)
    device.do(game, "seats", do="remove", player=game.players.get(name="Dora").pk, waiting="1")
    assert fetch_announcement(device, game, **before) == "Dora was removed before the start."


def test_a_player_who_left_is_told_although_a_seat_that_nobody_had_was_removed_since(
    device: Device, other_device: Device
) -> None:
    game = device.waiting_game()
    device.do(game, "seats", do="free", name="Chloé", waiting="1")
    other_device.sit(game)
    before = read_news_query(device, game)
    bruno, chloe = (game.players.get(name=name).pk for name in ("Bruno", "Chloé"))
    other_device.do(game, "seats", do="remove", player=bruno, waiting="1")
    device.do(game, "seats", do="remove", player=chloe, waiting="1")
    heard = "Bruno left before the start. The players are now, in order: Ana."
    assert fetch_announcement(Device(), game, **before) == heard


def test_rules_that_end_after_rounds_have_no_target_to_speak_of(device: Device, other_device: Device) -> None:
    game = device.waiting_game()
    device.do(game, "target", target="5000", waiting="1")
    before = read_news_query(other_device, game)
    answer = device.do(game, "rules", htmx=True, ruleset="zonk-ten-rounds", waiting="1").content.decode()
    live = require(re.search(r'<div id="live"[^>]*>(.*?)</div>', answer, re.DOTALL))[1]
    assert "Now you play" in live and "target" not in live
    assert fetch_announcement(other_device, game, **before) == live


def test_the_waiting_page_says_once_what_the_host_has_changed(device: Device, other_device: Device) -> None:
    game = device.waiting_game()
    other_device.sit(game)
    before = read_news_query(other_device, game)
    device.do(game, "target", target="5000", waiting="1")
    device.do(game, "seats", do="computer", waiting="1")
    sentences = "The players are now, in order: Ana, Bruno and *HAL. The target is now 5,000."
    assert fetch_announcement(other_device, game, **before) == sentences
    assert fetch_announcement(Device(), game, **before) == sentences
    before = read_news_query(other_device, game)
    answer = device.do(game, "rules", htmx=True, ruleset="wikipedia", waiting="1").content.decode()
    assert fetch_announcement(other_device, game, **before) == "Now you play Dice 10,000. The target is now 10,000."
    assert fetch_announcement(device, game, **read_news_query(device, game, answer), there="") == ""
    assert fetch_announcement(other_device, game, **read_news_query(other_device, game), there="") == ""


@pytest.mark.parametrize(
    ("do", "form", "names"),
    [
        ("rename", {"name": "Bea"}, "Ana, Bea and *HAL"),
        ("up", {}, "Bruno, Ana and *HAL"),
        ("down", {}, "Ana, *HAL and Bruno"),
    ],
)
def test_the_waiting_page_says_who_plays_after_a_change_of_names_or_order(
    device: Device, other_device: Device, do: str, form: dict[str, Any], names: str
) -> None:
    game = device.waiting_game()
    other_device.sit(game)
    device.do(game, "seats", do="computer", waiting="1")
    before = read_news_query(other_device, game)
    device.do(game, "seats", do=do, player=game.players.get(name="Bruno").pk, waiting="1", **form)
    assert fetch_announcement(other_device, game, **before) == f"The players are now, in order: {names}."


def test_a_guest_who_becomes_host_before_the_start_is_told(device: Device, other_device: Device) -> None:
    game = device.waiting_game()
    other_device.sit(game)
    before = read_news_query(other_device, game)
    device.do(game, "host", seat="1", waiting="1")
    assert fetch_announcement(other_device, game, **before) == "Bruno is the host now."
    assert fetch_announcement(Device(), game, **before) == "Bruno is the host now."
    before = read_news_query(other_device, game)
    assert fetch_announcement(other_device, game, **before) == ""
    other_device.do(game, "target", target="5000", waiting="1")
    assert fetch_announcement(device, game, **before) == "The target is now 5,000."


# ── in the game ──


def test_a_keep_and_its_points_at_risk_are_told_with_the_next_throw(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN), open_turn(1, throw("115236", "11"), throw("1346")))
    assert fetch_announcement(device, game, "0") == "Bruno keeps 1 1, has 200 points at risk, and throws 1 3 4 6."
    assert fetch_announcement(Device(), game, "0") == "Bruno keeps 1 1, has 200 points at risk, and throws 1 3 4 6."


@pytest.mark.parametrize(
    ("rules", "throws", "sentence"),
    [
        ({"last_die_throws": 3}, ("111556", "2"), "Bruno threw 2. Try 2 of 3 with one die."),
        ({"lone_five": "rethrow"}, ("223456",), "Bruno threw 2 2 3 4 5 6. No bust: these dice are thrown again."),
    ],
)
def test_dice_that_must_be_thrown_again_are_told(
    device: Device, other_device: Device, rules: dict[str, Any], throws: tuple[str, ...], sentence: str
) -> None:
    *kept, last = throws
    turn = open_turn(1, *(throw(dice, dice[:5]) for dice in kept), throw(last))
    game = share_game(device, other_device, bank(0, 1000, IN), turn, ruleset={**PLAIN, **rules})
    assert fetch_announcement(device, game, "0") == sentence


def test_hot_dice_of_another_player_say_what_they_brought_and_ask_nothing(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN), open_turn(1, throw("111555")))
    page = device.page(game)
    assert "Hot dice! 1,500 so far. You are next." in page and "Throw all six again: 1,500" not in page
    assert "Hot dice! Throw all six again: 1,500 so far." in other_device.page(game)


def test_the_dice_of_a_bust_are_told(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN), bust(1, throw("115236", "11"), throw("2346")))
    expected = "Bruno threw 2 3 4 6. Bruno busted and lost 200 points. It is your turn."
    assert fetch_announcement(device, game, "0") == expected


def test_the_bust_that_ended_the_game_is_told_before_who_has_won(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, DUE, bust(1, throw("223446")), target=1000)
    assert fetch_announcement(device, game, "0") == "Bruno threw 2 2 3 4 4 6. Bruno busted. You win with 1,000!"


def test_the_dice_that_won_at_once_are_told(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, open_turn(0, throw("222222")), ruleset="boxcars")
    device.do(game, "bank", keep=["1", "2", "3", "4", "5", "6"])
    assert fetch_announcement(other_device, game, "0") == "Ana threw 2 2 2 2 2 2. Six of a kind! Ana wins at once."


@pytest.mark.parametrize("turn", [(), (open_turn(1, throw("115236")),)], ids=["between-turns", "during-a-turn"])
def test_spectators_are_told_that_a_game_was_ended_and_not_who_is_next(
    device: Device, other_device: Device, turn: tuple[dict[str, Any], ...]
) -> None:
    game = device.game(DUE, *turn)
    form = {"key": make_key(), "version": game.version, "do": "end"}
    assert device.client.post(f"{game.get_absolute_url()}/delete", form).status_code == 303
    assert fetch_announcement(other_device, game, game.version) == "Nobody won this game."


def test_the_final_round_is_told_once_and_before_the_others_have_their_last_turn(
    device: Device, other_device: Device
) -> None:
    game = share_game(device, other_device, open_turn(0, throw("111346")), players=PLAYERS, target=1000)
    device.do(game, "bank", keep=["1", "2", "3"])
    began = "Ana banked 1,000. Score 1,000. The final round begins."
    assert fetch_announcement(other_device, game, "0") == f"{began} It is your turn."
    game = share_game(device, other_device, DUE, bust(1, throw("223446")), players=PLAYERS, target=1000)
    assert fetch_announcement(other_device, game, "0") == "Bruno threw 2 2 3 4 4 6. Bruno busted. Chloé is next."


@pytest.mark.parametrize(
    ("turns", "players", "off"),
    [
        ((DUE,), PLAYERS, True),
        ((bank(0, 500, throw("555346", "555")), bank(1, 1000, IN)), ("Ana", "*HAL", "Chloé"), True),
        ((bank(0, 500, throw("555346", "555")),), PLAYERS, False),
        ((DUE, bust(1, throw("223446"))), PLAYERS, False),  # the final round goes on without that turn
        ((DUE,), PLAYERS[:1], False),  # there was no final round: the game was over
    ],
)
def test_a_final_round_that_an_undo_calls_off_is_told(
    device: Device, other_device: Device, turns: tuple[dict[str, Any], ...], players: tuple[str, ...], off: bool
) -> None:
    game = device.game(*turns, players=players, target=1000, ruleset=PLAIN)
    undone = read_live(device.do(game, "undo", htmx=True))
    announcement = fetch_announcement(other_device, game, game.version)
    due = load_state(reload_game(game))
    assert f"{due.players[due.player].name}’s turn was undone." in announcement
    assert ("The final round is called off." in announcement) == off
    assert undone.startswith("Undone. ") and ("The final round is called off." in undone) == off


def test_a_final_round_is_told_to_be_off_by_the_undo_that_called_it_off_alone(
    device: Device, other_device: Device
) -> None:
    game = device.game(players=PLAYERS, target=1000, ruleset=PLAIN)
    device.do(game, "mode", mode="manual")
    for points, off in ((1000, True), (500, False)):
        device.do(game, "points", end="bank", points=points)
        before = reload_game(game)
        device.do(game, "undo")
        announcement = fetch_announcement(other_device, game, before.version)
        assert "Ana’s turn was undone." in announcement and ("The final round is called off." in announcement) == off


def test_a_tie_is_told_with_what_follows_from_it(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, DUE, bank(1, 1000, IN), target=1000)
    tie = "Tie at 1,000. Everyone plays one more round."
    assert fetch_announcement(other_device, game, "0") == f"Bruno banked 1,000. Score 1,000. {tie} Ana is next."


def test_the_last_of_a_number_of_rounds_is_told(device: Device, other_device: Device) -> None:
    rounds = PLAIN | {"ending": "rounds", "rounds": 2}
    game = share_game(device, other_device, DUE, bank(1, 1000, IN), ruleset=rounds)
    last = "The last round begins. The highest score wins."
    assert fetch_announcement(other_device, game, "0") == f"Bruno banked 1,000. Score 1,000. {last} Ana is next."


def test_whoever_begins_the_final_round_hears_their_score_once(device: Device) -> None:
    game = device.game(open_turn(0, throw("111346")), target=1000)
    heard = device.do(game, "bank", htmx=True, keep=["1", "2", "3"]).content.decode()
    spoken = "Ana banked 1,000. Score 1,000. Ana is on the board! The final round begins. Bruno is next."
    assert f'<div id="live" hx-swap-oob="innerHTML">{spoken}</div>' in heard


def share_game_of_three(device: Device, other_device: Device) -> Game:
    return share_game(device, other_device, DUE, players=PLAYERS)


def test_stepping_out_of_a_turn_is_told_without_repeating_the_turn_before(device: Device, other_device: Device) -> None:
    game = share_game_of_three(device, other_device)
    other_device.do(game, "seats", do="out", seat=1)
    assert fetch_announcement(device, game, game.version) == "Bruno is sitting out. It is your turn."
    assert fetch_announcement(Device(), game, game.version) == "Bruno is sitting out. Chloé is next."


@pytest.mark.parametrize("throws", [False, True])
def test_whoever_sits_out_during_their_turn_hears_who_is_next(
    device: Device, other_device: Device, throws: bool
) -> None:
    game = reseal_until(share_game_of_three(device, other_device), lambda dice: 1 in dice)
    if throws:
        other_device.do(game, "throw")
    heard = read_live(other_device.do(game, "seats", htmx=True, do="out", seat=1))
    assert heard == "Bruno is sitting out. Chloé is next."


def test_whoever_sits_out_while_another_plays_hears_only_that(device: Device, other_device: Device) -> None:
    game = share_game_of_three(device, other_device)
    assert read_live(device.do(game, "seats", htmx=True, do="out", seat=2)) == "Chloé is sitting out."


def test_whoever_is_back_is_no_longer_said_to_be_sitting_out(device: Device, other_device: Device) -> None:
    game = reseal_until(share_game_of_three(device, other_device), lambda dice: 1 in dice)
    other_device.do(game, "throw")
    for do in ("out", "in"):
        other_device.do(game, "seats", do=do, seat=1)
    detail = require(re.search(r'<p id="detail">(.*?)</p>', device.page(game)))[1]
    assert detail == "Bruno is back."


def test_the_winner_is_told_when_the_last_one_due_sits_out(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, DUE, target=1000, ruleset="pot")
    other_device.do(game, "seats", do="out", seat=1)
    assert fetch_announcement(device, game, game.version) == "Bruno is sitting out. You win with 1,000!"


def test_a_computer_that_takes_over_a_seat_is_told(device: Device, other_device: Device) -> None:
    game = share_game_of_three(device, other_device)
    let_time_pass(game, dice_changed=timedelta(minutes=4))
    device.do(game, "skip", do="hand")
    assert fetch_announcement(other_device, game, game.version) == "The computer is playing for Bruno. Bruno is next."
    before = reload_game(game)
    other_device.do(game, "hand", seat=1)
    assert fetch_announcement(device, game, before.version) == "Bruno is playing again. Bruno is next."


def test_a_seat_that_moves_to_another_device_is_told(device: Device, other_device: Device) -> None:
    game = share_game_of_three(device, other_device)
    offered = other_device.client.post(f"{game.get_absolute_url()}/transfer", {"key": make_key()})
    link = re.search(r"/c/[\w-]{22}", offered.content.decode())
    assert link
    Device().client.post(link[0], {"key": make_key()})
    assert fetch_announcement(device, game, game.version) == "Bruno has moved to another device. Bruno is next."


@pytest.mark.parametrize(
    ("what", "form", "sentence"),
    [
        ("target", {"target": "5000"}, "The target is now 5,000."),
        ("seats", {"do": "rename", "seat": "0", "name": "Anna"}, "Renamed to Anna."),
    ],
)
def test_a_change_by_the_player_at_the_dice_is_told_without_repeating_the_dice(
    device: Device, what: str, form: dict[str, Any], sentence: str
) -> None:
    game = device.game(open_turn(0, throw("115236")))
    answer = device.do(game, what, htmx=True, **form).content.decode()
    assert f'<div id="live" hx-swap-oob="innerHTML">{sentence}</div>' in answer


@pytest.mark.parametrize(
    ("what", "form", "sentence"),
    [
        ("host", {"seat": "1"}, "Bruno is the host now."),
        ("watching", {"allowed": "0"}, "Only players can see this game."),
        ("seats", {"do": "join", "name": "Dora"}, "Dora joined."),
    ],
)
def test_what_the_host_changes_is_told(
    device: Device, other_device: Device, what: str, form: dict[str, Any], sentence: str
) -> None:
    game = share_game_of_three(device, other_device)
    device.do(game, what, **form)
    assert fetch_announcement(other_device, game, game.version) == sentence


def test_when_the_host_resigns_the_others_hear_who_is_the_next_host(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN))
    device.client.post(f"{game.get_absolute_url()}/delete", {"key": make_key(), "do": "leave"})
    assert fetch_announcement(other_device, game, game.version) == "Bruno is the host now. Ana is sitting out."


def test_the_next_host_is_named_as_a_person_and_not_as_a_computer_of_theirs(
    device: Device, other_device: Device
) -> None:
    game = device.game(players=("*HAL", "Ana", "Bruno"))
    other_device.takes(game, 2)
    device.do(game, "host", do="host", seat=2)
    other_device.client.post(f"{game.get_absolute_url()}/delete", {"key": make_key(), "do": "leave"})
    assert fetch_announcement(device, game, game.version) == "Ana is the host now. Bruno is sitting out."


def test_a_question_and_its_withdrawal_repeat_no_older_change(device: Device, other_device: Device) -> None:
    game = share_game_of_three(device, other_device)
    device.do(game, "seats", do="join", name="Dora")
    for _asked_and_withdrawn in range(2):
        before = reload_game(game)
        device.answer(game, "refuse") if before.asking else device.do(game, "undo")
        assert fetch_announcement(other_device, game, before.version) == ""
        assert fetch_announcement(Device(), game, before.version) == ""


def test_while_a_turn_with_real_dice_is_entered_the_others_read_whose_turn_it_is(
    device: Device, other_device: Device
) -> None:
    game = share_game_of_three(device, other_device)
    device.do(game, "mode", mode="manual")
    other_device.answer(game, "allow")
    waiting = "Bruno is throwing real dice. The turn appears here as it is entered."
    for page in (device.page(game), Device().page(game)):
        assert waiting in page
        assert "Bruno’s turn" in page
        assert 'id="points"' not in page
    assert waiting not in other_device.page(game)


def test_a_refused_undo_is_told(device: Device, other_device: Device) -> None:
    game = share_game_of_three(device, other_device)
    device.do(game, "undo")
    before = reload_game(game)
    other_device.answer(game, "refuse")
    assert fetch_announcement(device, game, before.version) == "Bruno said no to the undo."


def test_a_page_too_slow_for_the_computers_step_still_hears_of_it(device: Device, other_device: Device) -> None:
    game = device.game(bank(0, 1000, IN), players=("Ana", "*HAL", "Bruno"))
    other_device.takes(game, 2)
    shown = reload_game(game).version
    while load_state(reload_game(game)).player == 1:
        device.do(game, "advance", htmx=True)
    answer = other_device.do(game, "advance", htmx=True, version=shown)
    assert re.search(r'<div id="live"[^>]*>[^<]*HAL[^<]* It is your turn.</div>', answer.content.decode())


def test_a_rematch_is_told(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN), bust(1, throw("223446")), target=1000)
    other_device.client.post(f"{game.get_absolute_url()}/rematch", {"key": make_key()})
    assert fetch_announcement(device, game, game.version) == "Bruno has started a rematch."
