"""What a newcomer meets: a bubble under the dice in each of the first three turns, and "You" in place of a name."""

import re
from typing import Any

import pytest

from game.models import Game
from game.rules import PRESETS
from tests.cast import ANA, BRUNO, HAL, IN, Device, bank, bust, make_key, open_turn, throw
from tests.real_dice_pad import lay_faces, open_tap_pad, start_with_real_dice
from tests.require import require
from tests.words import read_text

ALONE = (ANA, HAL)
MISSED = [bust(0, throw("223446")), bust(1, throw("223446"))]


def read_bubble(page: str) -> str:
    match = re.search(r'<aside id="coaching".*?</aside>', page, re.S)
    return read_text(match[0]) if match else ""


@pytest.mark.parametrize(
    ("rounds", "lesson"),
    [(0, "When dice turn gold, you choose"), (1, "Throw risks them for more"), (2, "You don’t have to keep every")],
)
def test_each_of_the_first_three_turns_has_its_bubble(device: Device, rounds: int, lesson: str) -> None:
    page = device.page(device.game(*MISSED * rounds, open_turn(0, throw("115236")), players=ALONE))
    assert lesson in read_bubble(page)
    assert "You need 500 in one turn to get on the board." in read_bubble(page)
    assert page.index('id="tray"') < page.index('id="coaching"') < page.index('id="ways"')


def test_who_can_bank_enough_is_no_longer_told_what_it_takes_to_get_on_the_board(device: Device) -> None:
    bubble = read_bubble(device.page(device.game(open_turn(0, throw("111236")), players=ALONE)))
    assert "When dice turn gold" in bubble and "to get on the board" not in bubble


def test_a_minimum_that_no_bank_can_hit_is_named_as_the_next_one_that_can(device: Device) -> None:
    stepped = {**PRESETS["classic"].to_json(), "slug": "stepped", "entry_minimum": 350, "bank_step": 100}
    page = device.page(device.game(open_turn(0, throw("115236")), players=ALONE, ruleset=stepped))
    assert "You need 400 in one turn to get on the board." in read_bubble(page) and "350" not in read_text(page)


@pytest.mark.parametrize(
    ("following", "explained"),
    [
        ((), "That was a bust: none of the dice thrown scored"),
        ((open_turn(1, throw("115236")),), "That was a bust: none of the dice thrown scored"),
        ((MISSED[1],), "Your last turn was a bust: none of the dice thrown scored"),
        ((MISSED[1], MISSED[0]), "That was a bust: none of the dice thrown scored"),
        ((MISSED[1], open_turn(0, throw("115236"))), ""),
        ((MISSED[1], bank(0, 1000, IN)), ""),
    ],
)
def test_the_bubble_explains_a_bust_until_the_newcomer_throws_again(
    device: Device, following: tuple[dict[str, Any], ...], explained: str
) -> None:
    bubble = read_bubble(device.page(device.game(MISSED[0], *following, players=ALONE)))
    assert explained in bubble and ("bust" in bubble) is bool(explained)


def test_after_a_bust_the_bubble_speaks_of_the_real_dice_that_were_entered(device: Device) -> None:
    game = start_with_real_dice(device, MISSED[0])
    page = lay_faces(device, game, open_tap_pad(device, game), "115236")
    assert "When dice turn gold, you choose" in read_bubble(page)


def test_no_bust_with_scoring_dice_is_said_to_have_none(device: Device) -> None:
    short = {**PRESETS["classic"].to_json(), "slug": "short", "throws_most": 1}
    page = device.page(device.game(bust(0, throw("115236")), bust(1, throw("223446")), players=ALONE, ruleset=short))
    assert "Throw risks them for more" in read_bubble(page)


def test_a_bust_with_scoring_dice_is_said_to_be_one_of_the_last_throw(device: Device) -> None:
    short = {**PRESETS["classic"].to_json(), "slug": "short", "throws_most": 1}
    why = "It was the last throw, and the points could not be banked."
    for fallen, explained in (("115236", True), ("223446", False)):
        page = read_text(device.page(device.game(bust(0, throw(fallen)), ruleset=short)))
        assert (f"{ANA} busted" in page, why in page) == (True, explained)


def test_before_the_first_throw_the_bubble_says_only_what_gold_dice_will_mean(device: Device) -> None:
    page = device.page(device.game(players=ALONE))
    assert "When dice turn gold, you choose: keep them or throw them again." in read_bubble(page)
    assert 'class="die opt' not in page and "Gold dice are" not in read_bubble(page)


def test_once_on_the_board_the_bubble_no_longer_says_how_to_get_there(device: Device) -> None:
    page = device.page(device.game(bank(0, 1000, IN), MISSED[1], players=ALONE))
    assert "Throw risks" in read_bubble(page) and "on the board" not in read_bubble(page)


def test_after_three_turns_the_bubbles_are_gone(device: Device) -> None:
    assert not read_bubble(device.page(device.game(*MISSED * 3, players=ALONE)))


def test_the_second_game_has_no_bubbles(device: Device) -> None:
    device.game(players=ALONE)
    assert not read_bubble(device.page(device.game(players=ALONE)))


def test_a_bubble_can_be_closed_for_good(device: Device) -> None:
    game = device.game(players=ALONE)
    close = require(
        re.search(
            r'<aside id="coaching".*?action="([^"]*)".*?<button[^>]*name="(\w+)" value="(\w+)"', device.page(game), re.S
        )
    )
    device.client.post(close[1], {close[2]: close[3]})
    assert not read_bubble(device.page(game))


def test_spectators_and_games_without_hints_have_no_bubbles(device: Device, other_device: Device) -> None:
    game = device.game(players=ALONE)
    assert not read_bubble(other_device.page(game))
    device.client.cookies["prefs"] = "hints=off"
    assert not read_bubble(device.page(game))


def test_a_lone_player_is_called_you_on_the_page(device: Device, other_device: Device) -> None:
    game = device.game(players=ALONE)
    page = device.page(game)
    assert '<h1 id="status" tabindex="-1">Your turn</h1>' in page
    cards = re.findall(r'<span class="name">.*?<b dir="auto">(.*?)</b>', page)
    assert cards == ["You", HAL]
    assert re.findall(r'<span class="name">.*?<b dir="auto">(.*?)</b>', other_device.page(game)) == [ANA, HAL]


def test_the_turns_of_a_lone_player_need_no_name(device: Device, other_device: Device) -> None:
    game = device.game(bust(0, throw("223446")), bank(1, 1000, IN), bust(0, throw("223446")), players=ALONE)
    page, watched = read_text(device.page(game)), read_text(other_device.page(game))
    assert "You busted. " in page and page.count("You busted") == 3 and f"{ANA} busted" not in page
    assert f"{HAL} banked 1,000" in page
    assert f"{ANA} busted. " in watched and "You busted" not in watched


def test_people_at_one_device_keep_their_names(device: Device) -> None:
    page = device.page(device.game(players=(ANA, BRUNO)))
    assert f"Your turn, {ANA}" in page and "You</b>" not in page


WON = bank(0, 10100, throw("111111", "111111"), throw("134466", "1")), bust(1, throw("234466"))


def test_a_name_is_asked_once_after_the_first_game(device: Device) -> None:
    game = device.game(*WON, players=("Player 1", HAL))
    assert "What’s your name?" in device.page(game)
    answer = device.do(game, "seats", htmx=True, do="rename", seat=0, name="Zoë", remember="1")
    assert "What’s your name?" not in answer.content.decode() and 'id="finish"' in answer.content.decode()
    assert "What’s your name?" not in device.page(game)
    device.client.post("/quick", {"key": make_key()})
    assert require(Game.objects.first()).players.get(seat=0).name == "Zoë"


def test_whoever_has_lost_with_0_points_is_not_praised_for_playing_well(device: Device) -> None:
    page = read_text(device.page(device.game(*WON, players=(HAL, "Player 2"))))
    assert "Good game! What’s your name?" in page and "Well played" not in page


def test_a_name_that_is_refused_is_not_remembered(device: Device) -> None:
    game = device.game(*WON, players=("Player 1", HAL))
    assert device.do(game, "seats", do="rename", seat=0, name=HAL, remember="1").status_code == 422
    assert "name" not in device.client.cookies


def test_neither_sitting_out_nor_renaming_somebody_at_the_table_remembers_a_name(device: Device) -> None:
    game = device.game()
    assert device.do(game, "seats", do="rename", seat=1, name="Zoë").status_code == 303
    assert device.do(game, "seats", do="out", seat=0, remember="1").status_code == 303
    assert "name" not in device.client.cookies


@pytest.mark.parametrize("names", [(ANA, HAL), ("Player 1", "Player 2")])
def test_whoever_has_a_name_or_shares_the_device_is_not_asked_for_one(device: Device, names: tuple[str, str]) -> None:
    assert "What’s your name?" not in device.page(device.game(*WON, players=names))


def test_a_finished_game_leads_to_practice_and_the_first_also_to_the_app(device: Device, other_device: Device) -> None:
    game = device.game(*WON, players=ALONE)
    assert "/practice" in find_aside(device.page(game)) and 'id="install-hint" hidden' in find_aside(device.page(game))
    assert not find_aside(other_device.page(game))
    assert "install-hint" not in find_aside(device.page(device.game(*WON, players=ALONE)))


def test_after_the_first_game_it_is_said_that_the_coach_came_by_itself_and_how_to_keep_it(device: Device) -> None:
    sentence = "The coach comes by itself only in your first game. To keep it, choose it in Preferences"
    game = device.game(*WON, players=ALONE)
    assert sentence in read_text(find_aside(device.page(game)))
    assert 'id="hint-hints"' in device.client.get("/prefs").content.decode(), "the link leads there"
    device.client.cookies["prefs"] = "hints=coach"
    assert sentence not in read_text(device.page(game))
    del device.client.cookies["prefs"]
    assert sentence not in read_text(device.page(device.game(*WON, players=ALONE)))
    assert sentence not in read_text(Device().page(game))


def test_who_only_entered_points_had_no_coach_that_could_go(device: Device) -> None:
    typed = {"type": "shot", "player": 0, "manual": True, "end": "bank", "points": 10100}
    page = read_text(device.page(device.game(typed, bust(1, throw("234466")), players=ALONE)))
    assert "Rematch" in page and "The coach comes by itself" not in page


@pytest.mark.parametrize("more", [{"players": (ANA, BRUNO)}, {"players": ALONE, "hints": "coach"}])
def test_who_had_no_coach_or_one_that_the_game_set_is_not_told_that_it_goes(device: Device, more: Any) -> None:
    hints = more.pop("hints", "")
    game = device.game(*WON, **more)
    Game.objects.update(hints=hints)
    assert "The coach comes by itself" not in read_text(device.page(game))


def find_aside(page: str) -> str:
    match = re.search(r'<aside class="panel after".*?</aside>', page, re.S)
    return match[0] if match else ""
