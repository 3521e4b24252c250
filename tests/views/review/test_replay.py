"""The replay of a game: each throw at its own address, as the table stood at that moment."""

import re

import pytest
from django.test import Client

from game.models import Game
from game.rules import preset
from tests.cast import ANA, BRUNO, HAL, IN, Device, bank, bust, throw, write_game_file
from tests.require import require
from tests.stored_games import store_long_game
from tests.words import read_text

GAINS = throw("555234", "555"), throw("115", "11")  # 500, then 200 with three dice
GONE = throw("234466")


def open_replay(device: Device, game: Game, step: int | str, **more: str) -> str:
    response = device.client.get(game.get_absolute_url(), {"at": step, **more})
    assert response.status_code == 200
    return response.content.decode()


def read_position(html: str) -> str:
    return read_text(html[html.index('id="position"') :].split("</section>", maxsplit=1)[0])


def read_number(html: str) -> str:
    return require(re.search(r'class="number"><span class="vh">([^<]*)<', html))[1]


def list_scores(html: str) -> list[str]:
    return re.findall(r'class="score">([^<]*)<', html)


def list_standings(html: str) -> list[str]:
    return re.findall(r'class="word">([^<]*)<', html)


@pytest.fixture
def game(device: Device) -> Game:
    """A game of five steps: 1 and 2 are Ana's bank, 3 is Bruno's bank, 4 and 5 are Ana's bust."""
    turns = bank(0, 700, *GAINS), bank(1, 1000, IN), bust(0, throw("555234", "5"), throw("22346"))
    return device.game(*turns)


def test_a_step_shows_its_dice_and_what_was_done_with_them(device: Device, game: Game) -> None:
    text = read_position(open_replay(device, game, 1))
    assert "Round 1 · Ana" in text and "Kept 5 5 5 for 500, then threw 3 dice." in text
    assert "Die 1: five" in text and "Die 6: four" in text


def test_dice_kept_before_are_shown_aside(device: Device, game: Game) -> None:
    html = open_replay(device, game, 2)
    assert html.count('class="die old') == 3 and html.count('class="die plain') == 3
    assert "Kept 1 1 and banked 700." in read_position(html)


def test_scores_are_those_of_the_moment_shown(device: Device, game: Game) -> None:
    assert [list_scores(open_replay(device, game, step)) for step in (1, 2, 3, 5)] == [
        ["0", "0"],
        ["700", "0"],
        ["700", "1,000"],
        ["700", "1,000"],
    ]
    assert "+500 now" in open_replay(device, game, 1) and "needs 500" in open_replay(device, game, 1)


def test_nobody_is_eliminated_before_the_throw_that_does_it(device: Device) -> None:
    rules = preset("classic").to_json() | {"name": "Own", "combinations": [{"pattern": "2222", "effect": "out"}]}
    ends = {"type": "shot", "player": 1, "throws": [throw("222234")], "end": "eliminated"}
    players = ANA, BRUNO, "Cleo"
    game = device.game(bank(0, 1000, IN), ends, bank(2, 1000, IN), players=players, ruleset=rules)
    assert list_standings(open_replay(device, game, 1)) == ["leads", "needs 500", "needs 500"]
    assert list_standings(open_replay(device, game, 2, choices="hidden"))[1] == "needs 500"
    for step in (2, 3):
        assert list_standings(open_replay(device, game, step))[1] == "eliminated"


def test_a_bust_says_what_was_lost(device: Device, game: Game) -> None:
    html = open_replay(device, game, 5)
    assert "Bust! 50 points lost." in read_position(html) and '<s id="sum" class="w2">50</s>' in html


def test_every_step_is_a_link(device: Device, game: Game) -> None:
    html = open_replay(device, game, 4)
    ways = dict(re.findall(r'<a id="([\w-]+)" href="/g/[\w-]{22}\?at=(\d+)"[^>]* aria-label', html))
    assert ways == {"first": "1", "turn-before": "3", "before": "3", "next": "5", "turn-next": "5", "last": "5"}
    assert read_number(html) == "Step 4 of 5"


def test_at_both_ends_half_of_the_links_are_off(device: Device, game: Game) -> None:
    for step in (1, 5):
        assert len(re.findall(r'<a id="[\w-]+"[^>]* aria-disabled="true"', open_replay(device, game, step))) == 3


@pytest.mark.parametrize(
    ("step", "shown"), [("0", 1), ("-1", 1), ("abc", 1), ("", 1), ("²", 1), ("6", 5), ("9" * 31, 5), ("3;DROP", 1)]
)
def test_an_unknown_step_becomes_the_first_or_the_last(device: Device, game: Game, step: str, shown: int) -> None:
    assert read_number(open_replay(device, game, step)) == f"Step {shown} of 5"


def test_a_turn_still_being_played_is_not_shown(device: Device) -> None:
    running = {"type": "shot", "player": 1, "throws": [throw("555234")]}
    html = open_replay(device, device.game(bank(0, 1000, IN), running), 9)
    assert read_number(html) == "Step 1 of 1"
    assert "This game is still being played. You can see it up to the last finished turn." in html


def test_an_abandoned_game_is_shown_up_to_its_last_dice(device: Device) -> None:
    running = {"type": "shot", "player": 1, "throws": [throw("555234")]}
    game = device.game(bank(0, 1000, IN), running)
    Game.objects.update(status="abandoned")
    html = open_replay(device, game, 2)
    assert "This game was abandoned. You can see it up to where it stopped." in html
    assert "Die 1: five" in read_position(html) and "The turn ended here." in read_position(html)


def test_a_seat_is_a_persons_until_a_computer_takes_it_over(device: Device) -> None:
    handed = {"type": "hand", "player": 1, "level": "bold"}
    game = device.game(bank(0, 1000, IN), bank(1, 1000, IN), handed, bust(0, GONE), bust(1, GONE))
    assert [list_standings(open_replay(device, game, step))[1] for step in (2, 3)] == ["", "computer (Bold)"]
    assert ["dot computer" in open_replay(device, game, step) for step in (2, 3)] == [False, True]


def test_a_player_sits_out_in_a_replay_from_when_they_did_until_they_were_back(device: Device) -> None:
    first = bank(0, 1000, IN), bank(1, 1150, IN, throw("156", "15")), bust(2, GONE)
    left = {"type": "out", "player": 1}, bust(0, GONE), bust(2, GONE)
    back = {"type": "in", "player": 1}, bust(0, GONE)
    in_turn = {"type": "shot", "player": 1, "throws": [throw("115236")], "end": "out"}
    game = device.game(*first, *left, *back, in_turn, bust(2, GONE), players=(ANA, BRUNO, "Chloé"))
    seen = [list_standings(open_replay(device, game, step))[1] for step in (4, 5, 6, 7, 9)]
    assert seen == ["leads", "sitting out", "sitting out", "leads", "sitting out"]


def test_before_a_tie_that_two_played_off_the_third_led(device: Device) -> None:
    rules = preset("classic").to_json() | {"slug": "off", "name": "Played off", "tie": "tied_only"}
    first = bank(0, 1000, IN), bank(1, 1000, IN), bank(2, 1150, IN, throw("156", "15"))
    tied = bank(0, 1000, IN), bank(1, 1000, IN), bust(2, GONE)
    decided = bank(0, 1000, IN), bust(1, GONE)
    players = (ANA, BRUNO, "Chloé")
    game = device.game(*first, *tied, *decided, players=players, ruleset=rules, target=2000)
    assert list_standings(open_replay(device, game, 4)) == ["", "", "leads"]
    assert list_standings(open_replay(device, game, 7))[2] == ""
    assert list_standings(open_replay(device, game, "last")) == ["won", "", ""]


def test_spectators_see_the_same_replay(device: Device, other_device: Device, game: Game) -> None:
    assert read_position(open_replay(other_device, game, 2)) == read_position(open_replay(device, game, 2))


def test_a_lone_player_is_called_you_and_spectators_read_the_name(device: Device, other_device: Device) -> None:
    turns = bank(0, 1000, IN), bank(1, 1000, IN), bust(0, GONE)
    game = device.game(*turns, players=(ANA, HAL))
    own, others = (read_text(open_replay(viewer, game, 1)) for viewer in (device, other_device))
    assert "Round 1 · You" in own and "You banked 1,000 in 1 throw" in own and "You busted" in own
    assert "Ana" not in own
    assert "Round 1 · Ana" in others and "Ana banked 1,000 in 1 throw" in others and "You banked" not in others


def test_the_preview_of_a_lone_players_throw_gives_the_name(device: Device) -> None:
    html = open_replay(device, device.game(bank(0, 1000, IN), players=(ANA, HAL)), 1)
    description = require(re.search(r'property="og:description" content="([^"]*)"', html))[1]
    assert "Round 1 · Ana." in description


def test_a_lone_player_reads_that_they_win(device: Device, other_device: Device) -> None:
    won = bank(0, 10100, throw("111111", "111111"), throw("134466", "1"))
    game = device.game(won, bust(1, GONE), players=(ANA, HAL))
    own, others = (read_text(open_replay(viewer, game, "last")) for viewer in (device, other_device))
    assert "You win!" in own and "Ana wins 10,100 to" not in own
    assert "Ana wins 10,100 to" in others


def test_a_lone_player_reads_that_they_go_first(device: Device, other_device: Device) -> None:
    game = device.game(bust(0, GONE), players=(ANA, HAL), ruleset="farkle", start=[[4, 2]])
    assert "You go first." in read_position(open_replay(device, game, 0))
    assert "Ana goes first." in read_position(open_replay(other_device, game, 0))


def test_before_the_first_turn_there_is_nothing_to_replay(device: Device) -> None:
    assert "No throws yet." in open_replay(device, device.game(), 1)


def test_hot_dice_lie_where_they_are_thrown_again_as_in_the_game(device: Device) -> None:
    shot = bank(0, 10100, throw("111111", "111111"), throw("134466", "1"))
    game = device.game(shot, bust(1, GONE))
    lines = re.findall(r'id="(?:upper|lower)">(.*?)</span>', open_replay(device, game, 1))
    assert [read_text(line).strip() for line in lines] == ["To throw · 6 dice", "Kept · 0 dice"]


def test_a_finished_game_ends_with_its_winner(device: Device) -> None:
    shot = bank(0, 10100, throw("111111", "111111"), throw("134466", "1"))
    html = open_replay(device, device.game(shot, bust(1, GONE)), 3)
    assert "Ana wins 10,100 to" in html and "still being played" not in html
    assert '<span class="word">won</span>' in html


def test_htmx_gets_the_regions_that_a_step_changes(device: Device, game: Game) -> None:
    part = device.client.get(game.get_absolute_url(), {"at": 2}, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    assert all(f'id="{name}"' in part for name in ("scores", "position", "cursor", "turns", "live"))
    assert "2 of 5. Round 1 · Ana. The dice: 1 1 5. Kept 1 1 and banked 700." in part


def test_a_decision_can_be_hidden_until_asked_for(device: Device, game: Game) -> None:
    html = open_replay(device, game, 1, choices="hidden")
    text = read_position(html)
    assert "What would you keep?" in text and "then threw" not in html and "banked" not in html
    assert ' down"' not in html and "?at=2&amp;choices=hidden" in html
    assert "Kept 5 5 5 for 500" in read_position(open_replay(device, game, 1, choices="asked"))


def test_nobody_is_asked_what_to_keep_where_no_dice_lie(device: Device) -> None:
    game = device.game()
    device.do(game, "mode", mode="manual")
    device.do(game, "points", points=550, end="bank")
    text = read_position(open_replay(device, game, 1, choices="hidden"))
    assert "No dice were thrown here." in text and "What would you keep?" not in text


def test_undone_turns_keep_their_addresses(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), bank(1, 1000, IN))
    device.do(game, "undo")
    device.do(game, "undo")
    html = open_replay(device, game, 2)
    assert "Round 1 · Bruno" in read_position(html) and "undone" in read_position(html)
    assert html.count('class="undone"') == 2 and list_scores(html) == ["1,000", "1,000"]


def test_scores_after_an_undo_leave_out_the_undone_turn(device: Device) -> None:
    cancelled = bank(0, 1000, IN) | {"cancelled": True}
    game = device.game(cancelled, bank(0, 700, *GAINS), bank(1, 1000, IN))
    assert list_scores(open_replay(device, game, 4)) == ["700", "1,000"]


def test_a_turn_with_real_dice_is_one_step(device: Device) -> None:
    manual = [{"type": "shot", "player": n, "manual": True, "end": "bank", "points": 600} for n in (0, 1)]
    html = open_replay(device, device.game(*manual), 2)
    assert read_number(html) == "Step 2 of 2" and "Banked 600 with real dice." in read_position(html)
    assert list_scores(html) == ["600", "600"]


def test_points_continue_from_those_picked_up(device: Device) -> None:
    took = {"type": "shot", "player": 1, "pick_up": 3, "throws": [throw("515", "15")], "end": "bank", "points": 1150}
    opened = [bank(0, 1000, IN), bank(1, 1000, IN), bank(0, 1000, IN)]
    html = open_replay(device, device.game(*opened, took, ruleset="wikipedia"), 4)
    assert "Picked up 3 dice, starting from 1,000." in read_position(html) and "banked 1,150" in read_position(html)


def test_dice_kept_by_the_player_before_are_shown_with_those_picked_up(device: Device) -> None:
    first = {"type": "shot", "player": 1, "pick_up": 3, "throws": [throw("515", "5")], "end": "bank", "points": 1050}
    second = {"type": "shot", "player": 0, "pick_up": 2, "throws": [throw("13", "1")], "end": "bank", "points": 1150}
    opened = [bank(0, 1000, IN), bank(1, 1000, IN), bank(0, 1000, IN)]
    game = device.game(*opened, first, second, ruleset="wikipedia")
    for step, aside in ((4, 3), (5, 4)):
        assert open_replay(device, game, step).count('class="die old') == aside


def test_throws_for_the_first_player_come_before_the_first_step(device: Device) -> None:
    file = write_game_file(players=(ANA, BRUNO), ruleset="farkle", start=[[4, 4], [2, 6]])
    file["events"] = [bust(1, GONE)]
    game = device.game(*file["events"], ruleset="farkle", start=file["start"])
    text = read_position(open_replay(device, game, 0))
    assert "Ana 4, Bruno 4" in text and "Bruno goes first." in text
    assert read_number(open_replay(device, game, 0)) == "Step 0 of 1"


def test_where_the_lowest_goes_first_players_tied_for_it_throw_again(device: Device) -> None:
    rules = preset("farkle").to_json() | {"slug": "world", "first_player": "lowest"}
    game = device.game(bust(1, GONE), players=(ANA, BRUNO, "Chloé"), ruleset=rules, start=[[5, 2, 2], [None, 3, 4]])
    text = read_position(open_replay(device, game, 0))
    assert "Ana 5, Bruno 2, Chloé 2" in text and "Bruno 3, Chloé 4" in text and "Bruno goes first." in text


def test_a_player_who_joined_later_is_not_shown_before(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), {"type": "join", "name": "Chloé"}, bank(1, 1000, IN))
    assert [len(list_scores(open_replay(device, game, step))) for step in (1, 2)] == [2, 3]


def test_a_late_player_is_not_shown_while_dice_decide_who_begins(device: Device) -> None:
    joins = bust(0, GONE), {"type": "join", "name": "Chloé"}, bust(1, GONE)
    game = device.game(*joins, ruleset="farkle", start=[[6, 2]])
    assert [len(list_scores(open_replay(device, game, step))) for step in (0, 2)] == [2, 3]


def test_the_log_of_the_game_leads_to_its_throws(device: Device, game: Game) -> None:
    page = device.page(game)
    at = [f"{game.get_absolute_url()}?at={step}" for step in (4, 3, 1)]
    assert re.findall(r'<a href="(/g/[^"]*at=\d+)"', page) == at


def test_a_long_game_lists_a_hundred_turns_at_a_time(device: Device) -> None:
    game = store_long_game(device, 140, over=False)
    first, last = open_replay(device, game, 1), open_replay(device, game, 10**6)
    assert len(re.findall(r'<a href="[^"]*at=\d+"[^>]*>\s*<i class="dot', first)) == 100
    assert "Later turns" in first and "Earlier turns" not in first
    assert "Earlier turns" in last and "Later turns" not in last


def test_a_game_that_is_not_there_has_no_replay(client: Client, db: None) -> None:
    assert client.get(f"/g/{'A' * 22}?at=1").status_code == 404


def test_a_game_against_the_computer_can_be_replayed(device: Device) -> None:
    assert "*HAL" in read_position(
        open_replay(device, device.game(bank(0, 1000, IN), bust(1, GONE), players=(ANA, HAL)), 2)
    )
