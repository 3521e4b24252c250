"""The fragments that a page fetches when its game has changed: only parts that may be stale, made for its viewer."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from game.models import Audience, Game, Player, Visitor
from game.rules import PRESETS
from game.storage import load_state
from tests.cast import ANA, BRUNO, HAL, IN, Device, Response, bank, bust, open_turn, reload_game, reseal_until, throw
from tests.require import require
from tests.words import read_text

BOTH_IN = (bank(0, 1000, IN), bank(1, 1000, IN))
WORTH = {200: throw("222346", "222"), 300: throw("333246", "333"), 1000: IN, 1200: throw("666623", "6666")}
DECIDING = (*BOTH_IN, open_turn(0, throw("115236")))


def fetch_news(device: Device, game: Game, version: int | None = None, there: str | None = None) -> Response:
    """Ask for fragments as a page does that shows this version of the game, by default the newest."""
    shown = reload_game(game).version if version is None else version
    page = device.client.get(game.get_absolute_url())
    who = re.search(r'data-there="(\w+)"', page.content.decode())
    there = there if there is not None else who[1] if who else ""
    return device.client.get(f"{game.get_absolute_url()}/board", {"version": shown, "there": there})


def list_regions(response: Response) -> set[str]:
    return set(re.findall(r'id="(\w+)"[^>]*hx-swap-oob', response.content.decode()))


def read_announcement(response: Response) -> str:
    live = re.search(r'<div id="live"[^>]*>(.*?)</div>', response.content.decode(), re.S)
    return live[1] if live else ""


def move_seat(game: Game, other: Device) -> Game:
    """Move the second player to another device."""
    visitor = other.browser.visitor_or_new()
    game.players.filter(seat=1).update(visitor=visitor)
    return reload_game(game)


def test_a_page_that_shows_the_game_as_it_is_gets_nothing(device: Device, other_device: Device) -> None:
    game = device.game(*DECIDING)
    for viewer in (device, other_device):
        answer = fetch_news(viewer, game)
        assert (answer.status_code, answer.content) == (204, b"")


def test_after_a_throw_the_page_gets_every_part_that_a_move_changes(device: Device, other_device: Device) -> None:
    game = device.game(*BOTH_IN)
    before = throw_until_scoring(device, game)
    answer = fetch_news(other_device, game, before)
    assert answer.status_code == 200
    assert list_regions(answer) - {"live"} == {"top", "banner", "scores", "say", "play", "ways", "turnlog"}


def test_a_page_that_missed_the_end_of_a_turn_also_gets_the_earlier_turns_and_the_chart(
    device: Device, other_device: Device
) -> None:
    game = device.game(*BOTH_IN, *BOTH_IN, *DECIDING, target=20_000)
    device.do(game, "bank", keep=find_columns(game, 1))
    device.do(game, "throw")
    missed = list_regions(fetch_news(other_device, game, game.version))
    assert {"earlier", "chart"} <= missed
    assert "people" not in missed


def throw_until_scoring(device: Device, game: Game) -> int:
    """Throw for whoever is due until a throw scores; return the version just before that throw."""
    before = reload_game(game).version
    device.do(game, "throw")
    return before if load_state(reload_game(game)).shot else throw_until_scoring(device, game)


def find_columns(game: Game, face: int) -> list[int]:
    last = game.last_throw
    return [column for column, lying in last.by_column.items() if lying == face] if last else []


def test_a_throw_from_a_page_that_missed_a_new_name_brings_the_panel_of_players(
    device: Device, other_device: Device
) -> None:
    game = move_seat(device.game(*DECIDING), other_device)
    before = game.version
    other_device.do(game, "seats", do="rename", seat=1, name="Bea")
    answer = device.do(game, "throw", htmx=True, version=before, keep=find_columns(game, 1))
    assert {"people", "play"} <= list_regions(answer)


def test_a_page_that_missed_a_new_name_and_a_throw_gets_the_panel_of_players(
    device: Device, other_device: Device
) -> None:
    game = device.game(*BOTH_IN)
    before = game.version
    device.do(game, "seats", do="rename", seat=1, name="Bea")
    device.do(game, "throw")
    assert "people" in list_regions(fetch_news(other_device, game, before))


def test_a_new_name_leaves_alone_the_dice_that_somebody_is_choosing(device: Device) -> None:
    game = device.game(*DECIDING)
    before = game.version
    device.do(game, "seats", do="rename", seat=1, name="Bea")
    answer = fetch_news(device, game, before)
    assert "play" not in list_regions(answer)
    assert "Bea" in answer.content.decode()


def test_renaming_a_player_keeps_the_ticked_dice(device: Device) -> None:
    game = device.game(*DECIDING)
    assert "play" not in list_regions(device.do(game, "seats", htmx=True, do="rename", seat=1, name="Bea"))


def test_a_new_target_is_announced_and_brings_the_tray(device: Device) -> None:
    game = device.game(*DECIDING)
    before = game.version
    device.do(game, "target", target=5000)
    answer = fetch_news(device, game, before)
    assert "play" in list_regions(answer)
    assert read_announcement(answer) == "The target is now 5,000."


def test_a_version_from_the_future_gets_the_whole_board(device: Device) -> None:
    """A page has such a version if it was open while an older copy of the database was restored."""
    game = device.game(*DECIDING)
    assert "play" in list_regions(fetch_news(device, game, game.version + 7))


@pytest.mark.parametrize("version", ["", "abc", "1_0", "-1", "9" * 5000])
def test_something_that_is_no_version_is_refused(device: Device, version: str) -> None:
    game = device.game(*DECIDING)
    assert device.client.get(f"{game.get_absolute_url()}/board", {"version": version}).status_code == 400


def test_the_fragments_take_no_post(device: Device) -> None:
    game = device.game(*DECIDING)
    assert device.do(game, "board").status_code == 405


# ── for whom ──


def test_a_player_gets_buttons_and_a_spectator_gets_none(device: Device, other_device: Device) -> None:
    game = device.game(*DECIDING)
    assert 'id="bank"' in fetch_news(device, game, 0).content.decode()
    seen = fetch_news(other_device, game, 0).content.decode()
    assert 'type="checkbox"' not in seen
    assert "formaction" not in seen


def test_fragments_for_spectators_hold_no_token_of_any_one_of_them(device: Device, other_device: Device) -> None:
    game = device.game(*BOTH_IN)
    before = game.version
    device.do(game, "throw")
    answers = [fetch_news(viewer, game, before).content.decode() for viewer in (other_device, Device())]
    tokens = [set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', answer)) for answer in answers]
    assert tokens == [set(), set()]


def test_all_spectators_get_the_same_fragments_which_are_made_once(
    device: Device, other_device: Device, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    game = device.game(*BOTH_IN)
    before = game.version
    device.do(game, "throw")
    first = fetch_news(other_device, game, before).content
    spectator = Device()
    with django_assert_max_num_queries(4):
        answer = spectator.client.get(f"{game.get_absolute_url()}/board", {"version": before})
    assert answer.content == first


def test_the_hints_of_one_spectator_are_not_given_to_another(device: Device, other_device: Device) -> None:
    game = device.game(*BOTH_IN, players=(ANA, HAL))
    other_device.client.cookies["prefs"] = "hints=coach"
    third = Device()
    answers = [fetch_news(viewer, game, 0).content.decode() for viewer in (third, other_device, third)]
    assert ["with 3 dice left" in answer for answer in answers] == [False, True, False]


def test_where_watching_is_closed_only_players_get_the_board(device: Device, other_device: Device) -> None:
    game = device.game(*BOTH_IN)
    Game.objects.filter(pk=game.pk).update(watching=False)
    path = f"{game.get_absolute_url()}/board"
    assert other_device.client.get(path, {"version": 0}).status_code == 404
    assert device.client.get(path, {"version": 0}).status_code == 200


# ── one sentence for those who did not do it ──


def test_somebody_elses_throw_is_announced(device: Device, other_device: Device) -> None:
    game = reseal_until(device.game(*BOTH_IN), lambda dice: 1 in dice)
    before = game.version
    device.do(game, "throw")
    fallen = " ".join(require(reload_game(game).last_throw).dice)
    assert read_announcement(fetch_news(other_device, game, before)) == f"{ANA} threw {fallen}."


def test_hot_dice_are_announced_with_the_throw(device: Device) -> None:
    game = reseal_until(device.game(*BOTH_IN), lambda dice: sorted(dice) == [1, 2, 3, 4, 5, 6])
    heard = read_announcement(device.do(game, "throw", htmx=True))
    assert heard.endswith("1,500 in all, with 6 dice to throw and 2.3% bust risk. Hot dice!")


def test_a_bank_is_announced_and_whose_turn_it_is(device: Device, other_device: Device) -> None:
    game = move_seat(device.game(*DECIDING), other_device)
    before = game.version
    device.do(game, "bank", keep=["1", "2", "3"])
    assert (
        read_announcement(fetch_news(other_device, game, before))
        == f"{ANA} banked 250. Score 1,250. {ANA} takes the lead! It is your turn."
    )
    assert (
        read_announcement(fetch_news(Device(), game, before))
        == f"{ANA} banked 250. Score 1,250. {ANA} takes the lead! {BRUNO} is next."
    )


def test_a_lone_player_is_called_you_after_a_bank(device: Device) -> None:
    game = device.game(open_turn(0, throw("111346")), players=(ANA, HAL))
    heard = read_announcement(device.do(game, "bank", keep=["1", "2", "3"], htmx=True))
    assert heard == f"You banked 1,000. Score 1,000. You’re on the board! {HAL} is next."


def test_a_lone_player_is_called_you_after_an_undo(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), players=(ANA, HAL))
    assert read_announcement(device.do(game, "undo", htmx=True)) == "Undone. Your turn again, with the same dice."
    game = device.game(bank(0, 1000, IN))
    assert read_announcement(device.do(game, "undo", htmx=True)) == f"Undone. {ANA}’s turn again, with the same dice."


def test_a_lone_player_who_wins_is_called_you(device: Device) -> None:
    last = bust(0, throw("223446")), open_turn(1, throw("111346"))
    game = device.game(*BOTH_IN, *last, players=(HAL, ANA), target=2000)
    assert read_announcement(device.do(game, "bank", keep=["1", "2", "3"], htmx=True)).endswith("You win with 2,000!")


def test_a_lone_player_whose_dice_win_is_called_you(device: Device) -> None:
    game = device.game(open_turn(0, throw("222222")), players=(ANA, HAL), ruleset="boxcars")
    assert read_announcement(device.do(game, "bank", keep=[*"123456"], htmx=True)).endswith("You win!")


def test_dice_that_win_are_announced_where_the_first_at_the_target_wins_too(device: Device) -> None:
    rules = PRESETS["boxcars"].to_json() | {"slug": "quick", "ending": "at_once"}
    game = device.game(open_turn(0, throw("222222")), ruleset=rules)
    won = read_announcement(device.do(game, "bank", keep=["1", "2", "3", "4", "5", "6"], htmx=True))
    assert won.endswith(f"Six of a kind! {ANA} wins at once.")


def test_each_device_hears_whether_its_own_people_won(device: Device, other_device: Device) -> None:
    last = bust(0, throw("223446")), open_turn(1, throw("111346"))
    game = move_seat(device.game(*BOTH_IN, *last, target=2000), other_device)
    before = game.version
    won = read_announcement(other_device.do(game, "bank", keep=["1", "2", "3"], htmx=True))
    assert won == f"{BRUNO} banked 1,000. Score 2,000. You win with 2,000!"
    assert (
        read_announcement(fetch_news(device, game, before))
        == f"{BRUNO} banked 1,000. Score 2,000. {BRUNO} wins 2,000 to 1,000!"
    )


@pytest.mark.parametrize(
    ("banks", "own", "others"),
    [
        ((1000, 1000, 300), "You take the lead!", "Ana takes the lead!"),
        ((1000, 1200, 300), "You take the lead!", "Ana takes the lead!"),
        ((1000, 1200, 200), "", "Ana banks 200"),
        ((1200, 1000, 200), "", "Ana banks 200"),
        ((0, 1000, 1200), "You’re on the board!", "Ana is on the board!"),
    ],
)
def test_a_bank_that_takes_the_lead_is_a_headline_for_all(
    device: Device, other_device: Device, banks: tuple[int, int, int], own: str, others: str
) -> None:
    turns = [bank(seat, points, WORTH[points]) for seat, points in zip((0, 1, 0), banks, strict=True) if points]
    begin = [] if banks[0] else [bust(0, throw("223446"))]
    game = move_seat(device.game(*begin, *turns), other_device)
    for page, headline in ((device.page(game), own), (other_device.page(game), others)):
        assert re.findall(r'data-moment="([^"]*)"', page) == [headline] * bool(headline)


def test_whoever_plays_alone_hears_that_they_take_the_lead(device: Device) -> None:
    game = device.game(*BOTH_IN, open_turn(0, throw("111346")), players=(ANA, HAL))
    heard = read_announcement(device.do(game, "bank", keep=["1", "2", "3"], htmx=True))
    assert heard == f"You banked 1,000. Score 2,000. You take the lead! {HAL} is next."


def test_an_undo_does_not_repeat_the_headline_of_the_turn_before(device: Device, other_device: Device) -> None:
    before = bank(0, 250, throw("115234", "115")), bank(1, 100, throw("123446", "1"))
    assert 'data-moment="Bruno banks 100"' in device.page(move_seat(device.game(*BOTH_IN, *before), other_device))
    game = move_seat(device.game(*BOTH_IN, *before, open_turn(0, throw("115236"))), other_device)
    device.do(game, "undo")
    other_device.answer(game, "allow")
    assert reload_game(game).last_throw is None
    assert "data-moment" not in device.page(game)


def test_an_undo_does_not_show_the_bust_of_the_turn_before(device: Device) -> None:
    before = *BOTH_IN, bust(0, throw("115234", "115"), throw("446")), bank(1, 100, throw("123446", "1"))
    game = device.game(*before, players=(ANA, BRUNO))
    device.do(game, "undo")
    page = read_text(device.page(game))
    assert f"Your turn, {BRUNO}" in page
    assert "points lost" not in page


def test_whoever_banks_six_scoring_dice_is_not_told_to_throw_them(device: Device) -> None:
    game = device.game(*BOTH_IN, open_turn(0, throw("223344")), ruleset="wikipedia")
    answer = device.do(game, "bank", keep=[*"123456"], htmx=True)
    assert read_announcement(answer).startswith(f"{ANA} banked 750.")


def test_a_bust_is_announced(device: Device, other_device: Device) -> None:
    game = device.game(*BOTH_IN, bust(0, throw("223446")))
    assert (
        read_announcement(fetch_news(other_device, game, 0))
        == f"{ANA} threw 2 2 3 4 4 6. {ANA} busted. {BRUNO} is next."
    )


def test_a_new_name_is_announced(device: Device, other_device: Device) -> None:
    game = device.game(*DECIDING)
    before = game.version
    device.do(game, "seats", do="rename", seat=1, name="Bea")
    assert read_announcement(fetch_news(other_device, game, before)) == "Bruno is now called Bea."


def test_whoever_asked_for_an_undo_reads_that_it_is_done(device: Device, other_device: Device) -> None:
    game = move_seat(device.game(*BOTH_IN, open_turn(0, throw("666334"))), other_device)
    device.do(game, "undo")
    other_device.answer(game, "allow")
    assert f'<p id="detail">{ANA}’s turn was undone.</p>' in device.page(game)
    device.do(reseal_until(reload_game(game), lambda dice: sorted(dice) == [1, 2, 2, 3, 4, 6]), "throw")
    assert '<p id="detail">Throw 1' in device.page(game)


def test_an_undone_turn_is_announced(device: Device, other_device: Device) -> None:
    game = device.game(*BOTH_IN, players=(ANA, BRUNO))
    before = game.version
    device.do(game, "undo")
    assert read_announcement(fetch_news(other_device, game, before)) == f"{BRUNO}’s turn was undone. {BRUNO} is next."
    device.do(game, "undo")
    assert read_announcement(fetch_news(other_device, game, before)) == f"{ANA}’s turn was undone. {ANA} is next."
    assert f'<p id="detail">{ANA}’s turn was undone.</p>' in device.page(game)


def test_the_end_of_the_game_is_announced(device: Device, other_device: Device) -> None:
    game = device.game(bank(0, 1000, IN), open_turn(1, throw("111546")), target=1000)
    before = game.version
    device.do(game, "bank", keep=["1", "2", "3", "4"])
    assert (
        read_announcement(fetch_news(other_device, game, before))
        == f"{BRUNO} banked 1,050. Score 1,050. {BRUNO} wins 1,050 to 1,000!"
    )


# ── who is there ──


def set_last_seen(game: Game, seat: int, seconds: int) -> None:
    long_ago = timezone.now() - timedelta(hours=1)
    Game.objects.filter(pk=game.pk).update(created=long_ago)
    Player.objects.filter(game=game, seat=seat).update(seen=timezone.now() - timedelta(seconds=seconds))


def list_cards(viewer: Device, game: Game) -> list[str]:
    """Return the players' cards on a viewer's page, in seating order."""
    return re.findall(r'<li class="player.*?</li>', viewer.page(game), re.S)


@pytest.mark.parametrize(("seconds", "word"), [(5, ""), (40, "away"), (400, "gone")])
def test_a_card_shows_a_player_who_has_not_been_heard_of(
    device: Device, other_device: Device, seconds: int, word: str
) -> None:
    game = move_seat(device.game(*BOTH_IN), other_device)
    set_last_seen(game, 1, seconds)
    _own, card = list_cards(device, game)
    assert (">away<" in card, ">gone<" in card) == (word == "away", word == "gone")
    assert ("dot away" in card) == bool(word)


@pytest.mark.parametrize(("seconds", "word"), [(40, "away"), (400, "gone")])
def test_neither_this_devices_player_nor_a_computer_is_shown_as_away(
    device: Device, other_device: Device, seconds: int, word: str
) -> None:
    game = device.game(bank(0, 1000, IN), players=(ANA, HAL))
    for seat in (0, 1):
        set_last_seen(game, seat, seconds)
    anas, computers = list_cards(other_device, game)  # a spectator's
    assert f">{word}<" in anas
    for card in (computers, *list_cards(device, game)):
        assert f">{word}<" not in card and "dot away" not in card


def test_a_player_who_goes_away_is_seen_without_a_move(device: Device, other_device: Device) -> None:
    game = move_seat(device.game(*DECIDING), other_device)
    set_last_seen(game, 1, 5)
    quiet_page = fetch_news(device, game)
    assert quiet_page.status_code == 204
    shown = require(re.search(r'data-there="(\w+)"', device.page(game)))[1]
    set_last_seen(game, 1, 40)
    answer = fetch_news(device, game, there=shown)
    assert list_regions(answer) == {"banner", "scores", "people", "options"}
    assert not read_announcement(answer), "it is no event"


def test_spectators_are_counted_over_all_live_processes(device: Device) -> None:
    game = device.game(*BOTH_IN)
    now = timezone.now()
    for process, watchers, age in (("a", 1, 5), ("b", 2, 20), ("c", 40, 60)):
        Audience.objects.create(game=game, process=process, watchers=watchers, seen=now - timedelta(seconds=age))
    assert "3 spectators" in device.page(game)


def test_looking_writes_nothing(
    device: Device, other_device: Device, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    game = move_seat(device.game(*DECIDING), other_device)
    before = Player.objects.get(game=game, seat=1).seen
    fetch_news(other_device, game, 0)
    assert Player.objects.get(game=game, seat=1).seen == before
    assert Visitor.objects.count() == 2
