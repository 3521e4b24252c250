"""A running game on several devices: what its page offers and tells the host, the other players and spectators."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from game import services
from game.models import Game
from game.rules import Rename, keeps_now
from game.services import Command
from game.storage import load_state
from game.storage.columns import pick_columns
from tests.cast import (
    ANA,
    BRUNO,
    HAL,
    IN,
    Device,
    Response,
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
from tests.words import read_text

LONG = timedelta(minutes=4)


@pytest.fixture
def game(device: Device, other_device: Device) -> Game:
    """Ana, the host, has banked 1,000; Bruno is due on the other device."""
    return share_game(device, other_device, bank(0, 1000, IN))


def list_forms(html: str) -> set[str]:
    """Return the last parts of the addresses that the page's forms post to."""
    return set(re.findall(r'action="/g/[\w-]+/([\w/]+)"', html))


def read_banner(html: str) -> str:
    return read_text(html.split('<div id="banner">')[1].split("</div>", maxsplit=1)[0]).strip()


def test_the_player_who_is_due_gets_the_dice_and_the_others_look_on(
    game: Game, device: Device, other_device: Device
) -> None:
    assert "Your turn, Bruno" in other_device.page(game) and 'id="throw"' in other_device.page(game)
    assert "Bruno’s turn" in device.page(game) and 'id="throw"' not in device.page(game)


def test_the_next_player_is_told_so(game: Game, device: Device) -> None:
    assert "Ana banked 1,000. You are next." in read_text(device.page(game))


def test_nobody_is_told_to_pass_a_device_that_another_player_has(game: Game, other_device: Device) -> None:
    assert "Pass to" not in other_device.page(game)


def test_players_at_one_device_are_told_to_pass_it(device: Device) -> None:
    assert "Pass to Bruno." in device.page(device.game(bank(0, 1000, IN)))


def test_nobody_is_told_to_pass_the_device_to_a_computer(device: Device) -> None:
    page = device.page(device.game(bank(0, 1000, IN), players=(ANA, HAL, BRUNO)))
    assert "*HAL’s turn" in page and "Pass to" not in page


def test_a_spectator_finds_no_form_of_the_game_but_a_hidden_undo(game: Game) -> None:
    page = Device().page(game)
    assert list_forms(page) == {"undo"} and "formaction" not in page
    assert re.search(r'<button[^>]* id="undo"[^>]* hidden>', page)


def test_a_guest_finds_none_of_the_hosts_forms(game: Game, other_device: Device) -> None:
    assert not list_forms(other_device.page(game)) & {"target", "mode", "options", "watching", "host", "skip"}


# ── a player who went away ──


def test_the_host_is_asked_what_to_do_about_a_player_who_went_away(game: Game, device: Device) -> None:
    assert "seems to be away" not in device.page(game)
    let_time_pass(game, dice_changed=LONG)
    page = read_text(device.page(game))
    assert "Bruno seems to be away. Wait, or carry on without them?" in page
    assert "Skip this turn" in page and "Let the computer play for Bruno" in page


def test_others_read_that_the_host_can_continue(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN), players=("Ana", "Bruno", "Chloé"))
    third = Device()
    third.takes(game, 2)
    let_time_pass(game, dice_changed=LONG)
    page = third.page(game)
    assert "The host can continue without them." in read_text(page) and "skip" not in list_forms(page)


def test_others_read_when_somebody_else_takes_over_from_an_absent_host(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device)
    let_time_pass(game, dice_changed=LONG)
    page = read_text(other_device.page(game))
    assert "The host, Ana, seems to be away. After 10 minutes someone else takes over." in page


def test_the_player_who_is_due_is_not_told_that_they_are_away(game: Game, other_device: Device) -> None:
    let_time_pass(game, dice_changed=LONG)
    assert "seems to be away" not in other_device.page(game)


def test_a_turn_is_skipped(game: Game, device: Device, other_device: Device) -> None:
    let_time_pass(game, dice_changed=LONG)
    assert device.do(game, "skip", do="skip").status_code == 303
    assert "was skipped" in read_text(other_device.page(game))


def test_the_computer_plays_until_the_player_is_back(game: Game, device: Device, other_device: Device) -> None:
    let_time_pass(game, dice_changed=LONG)
    device.do(game, "skip", do="hand")
    assert "The computer is playing for Bruno." in read_text(device.page(game))
    assert "Take over from the computer" in other_device.page(game)
    assert "Take over from the computer" not in device.page(game)
    assert other_device.do(game, "hand", seat="1").status_code == 303
    assert "Your turn, Bruno" in other_device.page(game)


def play_turn(device: Device, game: Game) -> None:
    """Play Ana's turn: she banks as soon as she may, or busts."""
    device.do(game, "throw")
    while (state := load_state(reload_game(game))).player == 0:
        lying = require(reload_game(game).last_throw).by_column
        columns = pick_columns(lying, keeps_now(state)[0].dice)
        if device.do(game, "bank", keep=columns).status_code == 422:
            device.do(game, "throw", keep=columns)


def test_a_player_who_is_back_reads_how_many_turns_the_computer_played(
    game: Game, device: Device, other_device: Device
) -> None:
    let_time_pass(game, dice_changed=LONG)
    device.do(game, "skip", do="hand")
    assert "The computer is playing for you. Take over" in read_text(other_device.page(game))
    device.do(game, "advance")
    assert "The computer played 1 turn for you. Take over" in read_text(other_device.page(game))
    play_turn(device, game)
    device.do(game, "advance")
    assert "The computer played 2 turns for you. Take over" in read_text(other_device.page(game))
    assert "turns for you" not in device.page(game) and "turns for you" not in Device().page(game)
    other_device.do(game, "hand", seat="1")
    assert "turns for you" not in other_device.page(game)
    assert not require(reload_game(game).players.get(name=BRUNO)).level


def test_a_turn_that_the_computer_only_finished_counts_too(game: Game, device: Device, other_device: Device) -> None:
    other_device.do(game, "throw")
    while not reload_game(game).last_throw:  # a bust
        play_turn(device, game)
        other_device.do(game, "throw")
    let_time_pass(game, dice_changed=LONG)
    device.do(game, "skip", do="hand")
    device.do(game, "advance")
    assert "The computer played 1 turn for you." in read_text(other_device.page(game))


def test_nobody_takes_over_from_a_computer_after_the_end(device: Device, other_device: Device) -> None:
    handed = {"type": "hand", "player": 1, "level": "bold"}
    game = share_game(device, other_device, bank(0, 1000, IN), handed, bust(1, throw("223446")), target=1000)
    assert game.is_over and "Take over" not in other_device.page(game)


def test_nobody_takes_over_from_a_computer_of_its_own_name(device: Device) -> None:
    assert "Take over" not in device.page(device.game(bank(0, 1000, IN), players=(ANA, HAL)))


def test_at_a_shared_device_the_page_says_for_whom_the_computer_played(device: Device, other_device: Device) -> None:
    game = device.game(bank(0, 1000, IN), players=(ANA, BRUNO, "Chloé"))
    other_device.takes(game, 1, 2)
    let_time_pass(game, dice_changed=LONG)
    device.do(game, "skip", do="hand")
    device.do(game, "advance")
    assert "The computer played 1 turn for Bruno. Take over" in read_text(other_device.page(game))


@pytest.mark.parametrize("do", ["", "dance"])
def test_nonsense_skips_nobody(game: Game, device: Device, do: str) -> None:
    let_time_pass(game, dice_changed=LONG)
    assert device.do(game, "skip", do=do).status_code == 400


# ── the host ──


def test_the_host_is_marked_and_can_hand_over(game: Game, device: Device, other_device: Device) -> None:
    page = device.page(game)
    assert "Make host: Bruno" in page and "Make host: Ana" not in page
    assert device.do(game, "host", seat="1").status_code == 303
    assert "is the host now" in read_text(device.page(game))
    assert "watching" in list_forms(other_device.page(game)) and "watching" not in list_forms(device.page(game))


def test_watching_is_closed_and_opened(game: Game, device: Device) -> None:
    device.do(game, "watching", allowed="0")
    assert Device().client.get(game.get_absolute_url()).status_code == 404
    assert "Only players can see this game." in read_text(device.page(game))
    device.do(game, "watching", allowed="1")
    assert "Spectators can watch." in read_text(Device().page(game))


@pytest.mark.parametrize("action", ["host", "hand"])
@pytest.mark.parametrize("seat", ["", "x", "-1", "99", "9" * 30])
def test_a_seat_that_does_not_exist_is_refused(game: Game, device: Device, action: str, seat: str) -> None:
    assert device.do(game, action, seat=seat).status_code in (400, 403)


# ── undo ──


def test_the_undo_button_says_that_it_asks_the_others(game: Game, device: Device) -> None:
    assert 'aria-label="Ask to undo"' in device.page(game)
    assert 'aria-label="Undo"' in device.page(device.game(bank(0, 1000, IN)))


def test_while_a_request_is_open_there_is_no_button_to_ask_again(game: Game, device: Device) -> None:
    button = r'<button[^>]* id="undo"[^>]* hidden[ >]'
    assert not re.search(button, device.page(game))
    device.do(game, "undo")
    assert re.search(button, device.page(game))


def test_the_others_are_asked_and_answer(game: Game, device: Device, other_device: Device) -> None:
    device.do(game, "undo")
    assert "Ana wants to undo the turn that banked 1,000." in read_text(other_device.page(game))
    assert 'id="allow"' in other_device.page(game) and 'id="allow"' not in device.page(game)
    assert "Waiting for the others…" in read_text(device.page(game)) and 'id="withdraw"' in device.page(game)
    assert other_device.answer(game, "allow").status_code == 303
    assert "Your turn, Ana" in device.page(game)


def test_a_spectator_sees_the_question_and_no_answers(game: Game, device: Device) -> None:
    device.do(game, "undo")
    page = Device().page(game)
    assert "Ana wants to undo" in page and 'id="allow"' not in page and 'id="refuse"' not in page


def test_a_refused_request_is_told_until_the_next_one(game: Game, device: Device, other_device: Device) -> None:
    device.do(game, "undo")
    other_device.answer(game, "refuse")
    assert "Bruno said no to the undo." in read_text(device.page(game))
    other_device.do(game, "throw")
    other_device.do(game, "undo")
    assert "said no to the undo" not in read_text(device.page(game)).split("Earlier turns")[0]


def test_a_refused_undo_of_the_running_turn_is_told(game: Game, device: Device, other_device: Device) -> None:
    other_device.do(reseal_until(game, lambda dice: 1 in dice), "throw")
    other_device.do(game, "undo")
    device.answer(game, "refuse")
    assert "Ana said no to the undo." in read_banner(other_device.page(game))


def test_a_refusal_is_forgotten_once_the_turn_is_undone_after_all(
    game: Game, device: Device, other_device: Device
) -> None:
    device.do(game, "throw")
    device.do(game, "undo")
    other_device.answer(game, "refuse")
    device.do(game, "undo")
    other_device.answer(game, "allow")
    assert "said no to the undo" not in read_text(device.page(game)).split("Earlier turns")[0]


def test_whoever_asked_reads_that_a_throw_came_first_until_the_next_turn(
    game: Game, device: Device, other_device: Device
) -> None:
    device.do(game, "undo")
    other_device.do(reseal_until(reload_game(game), lambda dice: sorted(dice) == [2, 2, 3, 4, 6, 6]), "throw")
    assert "Ana asked for an undo, but nobody answered in time." in read_banner(device.page(game))
    assert read_banner(other_device.page(game)) == "" == read_banner(Device().page(game))
    answer = other_device.answer(game, "allow")
    assert answer.status_code == 409
    assert "That request is no longer open." in read_text(answer.content.decode())
    device.do(game, "throw")
    assert read_banner(device.page(game)) == ""


@pytest.mark.parametrize(
    ("events", "question"),
    [
        ([bank(0, 1000, IN), bust(1, throw("223446"))], "Ana wants to undo Bruno’s turn, which ended in a bust."),
        (
            [bank(0, 1000, IN), bank(1, 1000, IN), bust(0, throw("223446"))],
            "Ana wants to undo the turn that ended in a bust.",
        ),
        ([bank(0, 1000, IN), bank(1, 1000, IN)], "Ana wants to undo Bruno’s turn, which banked 1,000."),
        ([open_turn(0, throw("111346"))], "Ana wants to undo this turn."),
    ],
)
def test_the_question_says_what_would_be_undone(
    device: Device, other_device: Device, events: list[dict[str, object]], question: str
) -> None:
    game = share_game(device, other_device, *events)
    device.do(game, "undo")
    assert question in read_text(other_device.page(game))


@pytest.mark.parametrize("answer", ["", "yes"])
def test_an_unknown_answer_is_refused(game: Game, device: Device, other_device: Device, answer: str) -> None:
    device.do(game, "undo")
    assert other_device.answer(game, answer).status_code == 400


# ── the end ──


def test_an_abandoned_game_shows_its_state_and_no_controls(game: Game, device: Device, other_device: Device) -> None:
    Game.objects.filter(pk=game.pk).update(status=Game.Status.ABANDONED)
    page = other_device.page(reload_game(game))
    assert "This game was abandoned. Its dice can be verified." in read_text(page)
    assert 'id="throw"' not in page and "rematch" in list_forms(page)
    assert device.do(game, "rematch").status_code == 303


def test_nobody_is_at_turn_in_an_abandoned_game(game: Game, device: Device) -> None:
    at_turn = re.compile(r'<li class="player p\d now"\s*aria-current="true">')
    assert len(at_turn.findall(device.page(game))) == 1
    Game.objects.filter(pk=game.pk).update(status=Game.Status.ABANDONED)
    assert at_turn.findall(device.page(game)) == []


def test_nobody_throws_or_sits_out_in_an_abandoned_game(game: Game, other_device: Device) -> None:
    Game.objects.filter(pk=game.pk).update(status=Game.Status.ABANDONED)
    assert other_device.do(game, "throw").status_code == 409
    assert other_device.do(game, "seats", do="out", seat="1").status_code == 409


def test_an_absent_hosts_powers_go_to_a_player_who_is_there(game: Game, device: Device, other_device: Device) -> None:
    let_time_pass(game, seen=timedelta(minutes=11))
    services.change_own_seat(
        game.code,
        Command(other_device.browser.visitor(), make_key(), reload_game(game).version, ""),
        Rename(1, "Bruno B"),
    )
    assert "target" in list_forms(other_device.page(game))
    assert other_device.do(game, "target", target="5000").status_code == 303
    assert device.do(game, "target", target="8000").status_code == 403


def test_a_host_who_comes_back_has_the_powers_until_somebody_uses_them(game: Game, device: Device) -> None:
    let_time_pass(game, seen=timedelta(minutes=11))
    game.players.filter(name=BRUNO).update(seen=timezone.now())
    assert "target" in list_forms(device.page(game))
    assert device.do(game, "target", target="5000").status_code == 303


# ── what is announced after a press ──


def read_announcement(answer: Response) -> str:
    return read_text(answer.content.decode().rpartition('<div id="live"')[2].partition(">")[2]).strip()


def test_asking_announces_once_that_the_others_are_asked(game: Game, device: Device, other_device: Device) -> None:
    answer = device.do(game, "undo", htmx=True)
    assert read_announcement(answer) == "Asked the other players."
    assert "<span>You asked to undo. Waiting for the others…</span>" in answer.content.decode()
    assert '<span role="alert">Ana wants to undo' in other_device.page(game)


@pytest.mark.parametrize(
    ("answer", "heard"),
    [("allow", "Undone. Ana’s turn again, with the same dice."), ("refuse", "The turn stays as it is.")],
)
def test_answering_announces_what_came_of_it(
    game: Game, device: Device, other_device: Device, answer: str, heard: str
) -> None:
    device.do(game, "undo")
    assert read_announcement(other_device.answer(game, answer, htmx=True)) == heard


def test_withdrawing_announces_that_nothing_was_undone(game: Game, device: Device) -> None:
    device.do(game, "undo")
    assert read_announcement(device.answer(game, "refuse", htmx=True)) == "The turn stays as it is."


@pytest.mark.parametrize(
    ("do", "heard"), [("skip", "Bruno was skipped."), ("hand", "The computer is playing for Bruno.")]
)
def test_the_host_hears_which_player_was_skipped_or_handed_over(
    game: Game, device: Device, do: str, heard: str
) -> None:
    let_time_pass(game, dice_changed=LONG)
    assert heard in read_announcement(device.do(game, "skip", htmx=True, do=do))


def test_the_host_hears_who_is_next_after_a_skip(game: Game, device: Device) -> None:
    let_time_pass(game, dice_changed=LONG)
    assert read_announcement(device.do(game, "skip", htmx=True, do="skip")) == "Bruno was skipped. Ana is next."


def test_handing_over_announces_the_new_host(game: Game, device: Device) -> None:
    assert read_announcement(device.do(game, "host", htmx=True, seat="1")) == "Bruno is the host now."


def test_a_seat_handed_to_the_computer_changes_every_page(game: Game, device: Device, other_device: Device) -> None:
    shown = reload_game(game).version
    let_time_pass(game, dice_changed=LONG)
    device.do(game, "skip", do="hand")
    news = other_device.client.get(f"{game.get_absolute_url()}/board?version={shown}").content.decode()
    assert 'id="play"' in news and 'id="throw"' not in news


def test_the_host_learns_of_an_absent_player_without_a_move(game: Game, device: Device) -> None:
    there = re.search(r'data-there="([^"]*)"', device.page(game))
    assert there
    let_time_pass(game, dice_changed=LONG)
    asking = f"{game.get_absolute_url()}/board?version={reload_game(game).version}&there={there[1]}"
    assert "seems to be away" in device.client.get(asking).content.decode()
