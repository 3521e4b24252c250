"""The running game's page on several devices: who may do what, and what each is told."""

import re
from datetime import timedelta

import pytest

from game import services
from game.models import Game
from game.rules import keeps_now
from game.services import Command
from game.storage import load_state
from game.storage.columns import columns_of
from tests.cast import (
    ANA,
    BRUNO,
    HAL,
    IN,
    Device,
    Response,
    ago,
    banked,
    bust,
    fresh,
    going_on,
    key,
    throw,
    two_devices,
)
from tests.known import known
from tests.words import read_text

LONG = timedelta(minutes=4)


@pytest.fixture
def game(device: Device, other_device: Device) -> Game:
    """Ana, the host, has banked 1,000; Bruno is due on the other device."""
    return two_devices(device, other_device, banked(0, 1000, IN))


def forms(html: str) -> set[str]:
    """The last parts of where the forms on the page go to."""
    return set(re.findall(r'action="/g/[\w-]+/([\w/]+)"', html))


def test_who_is_due_gets_the_dice_and_the_others_look(game: Game, device: Device, other_device: Device) -> None:
    assert "Your turn, Bruno" in other_device.page(game) and 'id="throw"' in other_device.page(game)
    assert "Bruno’s turn" in device.page(game) and 'id="throw"' not in device.page(game)


def test_who_is_next_is_told(game: Game, device: Device) -> None:
    assert "Ana banked 1,000. You are next." in read_text(device.page(game))


def test_nobody_is_told_to_pass_what_is_elsewhere(game: Game, other_device: Device) -> None:
    assert "Pass to" not in other_device.page(game)


def test_on_one_device_it_is_passed_on(device: Device) -> None:
    assert "Pass to Bruno." in device.page(device.game(banked(0, 1000, IN)))


def test_a_computers_turn_is_passed_to_nobody(device: Device, other_device: Device) -> None:
    game = two_devices(device, other_device, banked(0, 1000, IN), players=("Ana", "Bruno", HAL))
    assert "Pass to" not in device.page(game) + other_device.page(game)


def test_a_watcher_finds_no_form(game: Game) -> None:
    assert forms(Device().page(game)) - {"undo"} == {"throw"} or forms(Device().page(game)) <= {"undo", ""}


def test_a_guest_finds_no_form_of_the_host(game: Game, other_device: Device) -> None:
    assert not forms(other_device.page(game)) & {"target", "mode", "options", "watching", "host", "skip"}


# ── who went away ──


def test_the_host_is_asked_what_to_do_about_who_went_away(game: Game, device: Device) -> None:
    assert "seems to be away" not in device.page(game)
    ago(game, dice_changed=LONG)
    page = read_text(device.page(game))
    assert "Bruno seems to be away. Wait, or carry on without them?" in page
    assert "Skip this turn" in page and "Let the computer play for Bruno" in page


def test_others_know_that_the_host_can_go_on(device: Device, other_device: Device) -> None:
    game = two_devices(device, other_device, banked(0, 1000, IN), players=("Ana", "Bruno", "Chloé"))
    third = Device()
    third.takes(game, 2)
    ago(game, dice_changed=LONG)
    page = third.page(game)
    assert "The host can continue without them." in read_text(page) and "skip" not in forms(page)


def test_nobody_is_told_to_rely_on_a_host_who_is_away(device: Device, other_device: Device) -> None:
    game = two_devices(device, other_device)
    ago(game, dice_changed=LONG)
    page = read_text(other_device.page(game))
    assert "The host, Ana, seems to be away. After 10 minutes someone else takes over." in page


def test_who_is_due_is_not_told_to_be_away(game: Game, other_device: Device) -> None:
    ago(game, dice_changed=LONG)
    assert "seems to be away" not in other_device.page(game)


def test_a_turn_is_skipped(game: Game, device: Device, other_device: Device) -> None:
    ago(game, dice_changed=LONG)
    assert device.do(game, "skip", do="skip").status_code == 303
    assert "was skipped" in read_text(other_device.page(game))


def test_the_computer_plays_until_one_is_back(game: Game, device: Device, other_device: Device) -> None:
    ago(game, dice_changed=LONG)
    device.do(game, "skip", do="hand")
    assert "The computer is playing for Bruno." in read_text(device.page(game))
    assert "Take over from the computer" in other_device.page(game)
    assert "Take over from the computer" not in device.page(game)
    assert other_device.do(game, "hand", seat="1").status_code == 303
    assert "Your turn, Bruno" in other_device.page(game)


def take_a_turn(device: Device, game: Game) -> None:
    """Ana throws and banks as soon as she may."""
    device.do(game, "throw")
    while (state := load_state(fresh(game))).player == 0:
        lying = known(fresh(game).last_throw).by_column
        columns = columns_of(lying, keeps_now(state)[0].dice)
        if device.do(game, "bank", keep=columns).status_code == 422:
            device.do(game, "throw", keep=columns)


def test_who_is_back_reads_how_often_the_computer_played_for_them_and_takes_over_by_one_press(
    game: Game, device: Device, other_device: Device
) -> None:
    ago(game, dice_changed=LONG)
    device.do(game, "skip", do="hand")
    assert "The computer is playing for you. Take over" in read_text(other_device.page(game))
    device.do(game, "advance")
    assert "The computer played 1 turn for you. Take over" in read_text(other_device.page(game))
    take_a_turn(device, game)
    device.do(game, "advance")
    assert "The computer played 2 turns for you. Take over" in read_text(other_device.page(game))
    assert "turns for you" not in device.page(game) and "turns for you" not in Device().page(game)
    other_device.do(game, "hand", seat="1")
    assert "turns for you" not in other_device.page(game)
    assert not known(fresh(game).players.get(name=BRUNO)).level


def test_of_a_turn_that_the_computer_finished_it_says_so(game: Game, device: Device, other_device: Device) -> None:
    other_device.do(game, "throw")
    while not fresh(game).last_throw:  # a bust
        take_a_turn(device, game)
        other_device.do(game, "throw")
    ago(game, dice_changed=LONG)
    device.do(game, "skip", do="hand")
    device.do(game, "advance")
    assert "The computer played 1 turn for you." in read_text(other_device.page(game))


def test_where_two_play_on_one_device_it_says_for_whom_the_computer_played(
    device: Device, other_device: Device
) -> None:
    game = device.game(banked(0, 1000, IN), players=(ANA, BRUNO, "Chloé"))
    other_device.takes(game, 1, 2)
    ago(game, dice_changed=LONG)
    device.do(game, "skip", do="hand")
    device.do(game, "advance")
    assert "The computer played 1 turn for Bruno. Take over" in read_text(other_device.page(game))


@pytest.mark.parametrize("do", ["", "dance"])
def test_nonsense_skips_nobody(game: Game, device: Device, do: str) -> None:
    ago(game, dice_changed=LONG)
    assert device.do(game, "skip", do=do).status_code == 400


# ── the host ──


def test_the_host_is_marked_and_can_hand_over(game: Game, device: Device, other_device: Device) -> None:
    page = device.page(game)
    assert "Make Bruno the host" in page and "Make Ana the host" not in page
    assert device.do(game, "host", seat="1").status_code == 303
    assert "is the host now" in read_text(device.page(game))
    assert "watching" in forms(other_device.page(game)) and "watching" not in forms(device.page(game))


def test_watching_is_closed_and_opened(game: Game, device: Device) -> None:
    device.do(game, "watching", allowed="0")
    assert Device().client.get(game.get_absolute_url()).status_code == 404
    assert "Only players can see this game." in read_text(device.page(game))
    device.do(game, "watching", allowed="1")
    assert "Spectators can watch." in read_text(Device().page(game))


@pytest.mark.parametrize("action", ["host", "hand"])
@pytest.mark.parametrize("seat", ["", "x", "-1", "99", "9" * 30])
def test_a_seat_that_is_none_is_refused(game: Game, device: Device, action: str, seat: str) -> None:
    assert device.do(game, action, seat=seat).status_code in (400, 403)


# ── taking back ──


def test_the_button_says_that_it_asks(game: Game, device: Device) -> None:
    assert 'aria-label="Ask to undo"' in device.page(game)
    assert 'aria-label="Undo"' in device.page(device.game(banked(0, 1000, IN)))


def test_while_the_others_are_asked_there_is_no_button_to_ask_again(game: Game, device: Device) -> None:
    button = r'<button[^>]* id="undo"[^>]* hidden[ >]'
    assert not re.search(button, device.page(game))
    device.do(game, "undo")
    assert re.search(button, device.page(game))


def test_the_others_are_asked_and_answer(game: Game, device: Device, other_device: Device) -> None:
    device.do(game, "undo")
    assert "Ana wants to undo the bank of 1,000." in read_text(other_device.page(game))
    assert 'id="allow"' in other_device.page(game) and 'id="allow"' not in device.page(game)
    assert "Waiting for the others …" in read_text(device.page(game)) and 'id="withdraw"' in device.page(game)
    assert other_device.answer(game, "allow").status_code == 303
    assert "Your turn, Ana" in device.page(game)


def test_a_watcher_sees_the_question_and_no_answer(game: Game, device: Device) -> None:
    device.do(game, "undo")
    page = Device().page(game)
    assert "Ana wants to undo" in page and 'id="allow"' not in page and 'id="refuse"' not in page


def test_a_refusal_is_told(game: Game, device: Device, other_device: Device) -> None:
    device.do(game, "undo")
    other_device.answer(game, "refuse")
    assert "Bruno said no to the undo." in read_text(device.page(game))
    other_device.do(game, "throw")
    other_device.do(game, "undo")
    assert "said no to the undo" not in read_text(device.page(game)).split("Earlier turns")[0]


def test_a_refusal_is_forgotten_once_the_turn_is_taken_back_after_all(
    game: Game, device: Device, other_device: Device
) -> None:
    device.do(game, "throw")
    device.do(game, "undo")
    other_device.answer(game, "refuse")
    device.do(game, "undo")
    other_device.answer(game, "allow")
    assert "said no to the undo" not in read_text(device.page(game)).split("Earlier turns")[0]


def test_a_question_that_comes_too_late_is_told(game: Game, device: Device, other_device: Device) -> None:
    device.do(game, "undo")
    other_device.do(game, "throw")
    assert "but the next throw came first" in read_text(device.page(game))
    answer = other_device.answer(game, "allow")
    assert answer.status_code == 409
    assert "That request is no longer open." in read_text(answer.content.decode())


@pytest.mark.parametrize(
    ("events", "question"),
    [
        ([banked(0, 1000, IN), bust(1, throw("223446"))], "Ana wants to undo Bruno’s bust."),
        ([banked(0, 1000, IN), banked(1, 1000, IN), bust(0, throw("223446"))], "Ana wants to undo the bust."),
        ([banked(0, 1000, IN), banked(1, 1000, IN)], "Ana wants to undo Bruno’s bank of 1,000."),
        ([going_on(0, throw("111346"))], "Ana wants to undo this turn."),
    ],
)
def test_the_question_says_what(
    device: Device, other_device: Device, events: list[dict[str, object]], question: str
) -> None:
    game = two_devices(device, other_device, *events)
    device.do(game, "undo")
    assert question in read_text(other_device.page(game))


@pytest.mark.parametrize("answer", ["", "yes"])
def test_an_answer_that_is_none_is_refused(game: Game, device: Device, other_device: Device, answer: str) -> None:
    device.do(game, "undo")
    assert other_device.answer(game, answer).status_code == 400


# ── the end ──


def test_an_abandoned_game_shows_its_state_and_no_controls(game: Game, device: Device, other_device: Device) -> None:
    Game.objects.filter(pk=game.pk).update(status=Game.Status.ABANDONED)
    page = other_device.page(fresh(game))
    assert "This game was abandoned. Its dice can be verified." in read_text(page)
    assert 'id="throw"' not in page and "rematch" in forms(page)
    assert device.do(game, "rematch").status_code == 303


def test_a_move_in_an_abandoned_game_is_refused(game: Game, other_device: Device) -> None:
    Game.objects.filter(pk=game.pk).update(status=Game.Status.ABANDONED)
    assert other_device.do(game, "throw").status_code == 409


def test_a_host_who_went_away_gives_the_powers_to_who_is_there(
    game: Game, device: Device, other_device: Device
) -> None:
    ago(game, seen=timedelta(minutes=11))
    services.rename_player(
        game.code, Command(other_device.browser.visitor(), key(), fresh(game).version, ""), 1, "Bruno B"
    )
    assert "target" in forms(other_device.page(game))
    assert device.do(game, "target", target="5000").status_code == 403


# ── what is said after a press ──


def said(answer: Response) -> str:
    return read_text(answer.content.decode().rpartition('<div id="live"')[2].partition(">")[2]).strip()


def test_who_asks_hears_that_the_others_are_asked(game: Game, device: Device) -> None:
    assert said(device.do(game, "undo", htmx=True)) == "Asked the other players."


@pytest.mark.parametrize(
    ("answer", "heard"),
    [("allow", "Undone. Ana’s turn again, with the same dice."), ("refuse", "Undo declined.")],
)
def test_who_answers_hears_what_came_of_it(
    game: Game, device: Device, other_device: Device, answer: str, heard: str
) -> None:
    device.do(game, "undo")
    assert said(other_device.answer(game, answer, htmx=True)) == heard


def test_who_withdraws_hears_that_it_stays(game: Game, device: Device) -> None:
    device.do(game, "undo")
    assert said(device.answer(game, "refuse", htmx=True)) == "Undo declined."


@pytest.mark.parametrize(
    ("do", "heard"), [("skip", "Bruno was skipped."), ("hand", "The computer is playing for Bruno.")]
)
def test_the_host_hears_who_was_gone_on_without(game: Game, device: Device, do: str, heard: str) -> None:
    ago(game, dice_changed=LONG)
    assert heard in said(device.do(game, "skip", htmx=True, do=do))


def test_the_host_hears_who_is_the_host_now(game: Game, device: Device) -> None:
    assert said(device.do(game, "host", htmx=True, seat="1")) == "Bruno is the host now."


def test_what_changed_hands_is_sent_to_every_page(game: Game, device: Device, other_device: Device) -> None:
    shown = fresh(game).version
    ago(game, dice_changed=LONG)
    device.do(game, "skip", do="hand")
    news = other_device.client.get(f"{game.get_absolute_url()}/board?version={shown}").content.decode()
    assert 'id="play"' in news and 'id="throw"' not in news


def test_that_somebody_is_waited_for_reaches_the_host_without_a_move(game: Game, device: Device) -> None:
    there = re.search(r'data-there="([^"]*)"', device.page(game))
    assert there
    ago(game, dice_changed=LONG)
    asking = f"{game.get_absolute_url()}/board?version={fresh(game).version}&there={there[1]}"
    assert "seems to be away" in device.client.get(asking).content.decode()
