"""Deleting, ending and leaving games: a game goes if nobody else has a seat in it, else only from one's own list."""

from datetime import timedelta

import pytest

from game.models import Game, ShotRow
from game.pages.lobby import mark_table
from game.storage import load_state
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
    reload_game,
    share_game,
    throw,
)
from tests.views.account.test_accounts import read_hidden_fields

WON = bank(0, 10100, throw("111111", "111111"), throw("134466", "1")), bust(1, throw("234466"))


def open_question(device: Device, game: Game) -> Response:
    return device.client.get(f"{game.get_absolute_url()}/delete")


def delete_game(device: Device, game: Game, **form: str) -> Response:
    posted = {"key": make_key(), "do": "delete", "show": "finished" if game.is_over else "open"} | form
    return device.client.post(f"{game.get_absolute_url()}/delete", posted)


def make_finished_game(device: Device) -> Game:
    return device.game(*WON)


def give_seat(game: Game, device: Device, seat: int) -> None:
    """Give the seat to somebody on this other device."""
    game.players.filter(seat=seat).update(visitor=device.browser.visitor_or_new())


def is_listed(device: Device, show: str = "finished") -> bool:
    return '<li class="one' in device.client.get("/games", {"show": show}).content.decode()


def test_a_page_asks_before_a_game_is_deleted(device: Device) -> None:
    html = open_question(device, make_finished_game(device)).content.decode()
    assert "Delete this game?" in html and "This cannot be undone." in html
    assert Game.objects.count() == 1


def test_a_deleted_game_and_its_turns_are_gone(device: Device) -> None:
    answer = delete_game(device, make_finished_game(device))
    assert answer.status_code == 303 and answer["Location"] == "/games?show=finished&done=deleted"
    assert not Game.objects.exists() and not ShotRow.objects.exists()


def test_the_list_says_whether_a_game_was_deleted_or_only_left(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN))
    for one, banner_text in ((device, "You have left the game."), (other_device, "The game has been deleted.")):
        page = one.client.get(delete_game(one, game)["Location"]).content.decode()
        assert f'<p class="banner info" role="status">{banner_text}</p>' in page
    assert "banner info" not in device.client.get("/games?done=nonsense").content.decode()


def test_the_link_of_a_deleted_game_leads_nowhere(device: Device) -> None:
    game = make_finished_game(device)
    delete_game(device, game)
    assert device.client.get(game.get_absolute_url()).status_code == 404
    assert delete_game(device, game).status_code == 404


def test_a_game_in_which_somebody_else_has_a_seat_stays(device: Device, other_device: Device) -> None:
    game = make_finished_game(device)
    give_seat(game, other_device, 1)
    assert "Take this game off your list?" in open_question(device, game).content.decode()
    delete_game(device, game)
    assert not is_listed(device) and is_listed(other_device)
    assert reload_game(game).host == other_device.browser.visitor()


def test_a_guest_can_leave_a_game_of_others(device: Device, other_device: Device) -> None:
    game = make_finished_game(device)
    give_seat(game, other_device, 1)
    delete_game(other_device, game)
    assert is_listed(device) and not is_listed(other_device)
    assert reload_game(game).host == device.browser.visitor()


def test_computers_pass_to_the_next_host(device: Device, other_device: Device) -> None:
    game = device.game(*WON, players=(ANA, BRUNO, HAL))
    Game.objects.update(status="abandoned")
    give_seat(game, other_device, 1)
    delete_game(device, game)
    assert game.players.get(seat=2).visitor == other_device.browser.visitor()


def test_nobody_takes_over_for_a_player_who_resigned_while_a_computer_played(
    device: Device, other_device: Device
) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN))
    let_time_pass(game, dice_changed=timedelta(minutes=4))
    device.do(game, "skip", do="hand")
    delete_game(other_device, game)
    assert game.players.get(name=BRUNO).visitor is None
    assert "Take over from the computer" not in device.page(game)
    assert device.do(game, "hand", seat="1").status_code == 403


@pytest.mark.parametrize("do", ["delete", "leave"])
def test_a_repeated_press_is_answered_alike(device: Device, other_device: Device, do: str) -> None:
    game = make_finished_game(device)
    give_seat(game, other_device, 1)
    pressed = make_key()
    assert [delete_game(device, game, key=pressed, do=do).status_code for _press in range(2)] == [303, 303]
    assert other_device.browser.visitor() in {seat.visitor for seat in game.players.all()}


def test_a_second_press_on_delete_leads_to_the_same_list(device: Device) -> None:
    game, pressed = make_finished_game(device), make_key()
    answers = [delete_game(device, game, key=pressed) for _press in range(2)]
    assert {(answer.status_code, answer["Location"]) for answer in answers} == {
        (303, "/games?show=finished&done=deleted")
    }


def test_a_second_press_on_delete_or_resign_leads_to_the_list_of_open_games_as_the_first_does(
    device: Device, other_device: Device
) -> None:
    alone, together = device.game(bank(0, 1000, IN)), share_game(device, other_device)
    other_device.do(together, "seats", do="out", seat=1)  # so nobody plays on without Ana
    for game, do, done in ((alone, "delete", "deleted"), (together, "leave", "left")):
        form = read_hidden_fields(open_question(device, game)) | {"do": do}
        answers = [device.client.post(f"{game.get_absolute_url()}/delete", form) for _press in range(2)]
        assert [answer["Location"] for answer in answers] == [f"/games?show=open&done={done}"] * 2
    assert Game.objects.get().status == "finished"


def test_a_second_press_on_end_leads_to_the_game_as_the_first_does(device: Device) -> None:
    game, pressed = device.game(bank(0, 1000, IN), players=(ANA, HAL)), make_key()
    answers = [delete_game(device, game, key=pressed, do="end") for _press in range(2)]
    assert {answer["Location"] for answer in answers} == {game.get_absolute_url()}


def test_the_key_of_somebody_elses_deletion_finds_no_game(device: Device, other_device: Device) -> None:
    game, pressed = make_finished_game(device), make_key()
    make_finished_game(other_device)
    delete_game(device, game, key=pressed)
    assert delete_game(other_device, game, key=pressed).status_code == 404


def test_a_game_without_other_people_can_be_ended_and_still_seen(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), players=(ANA, HAL))
    assert "End this game?" in open_question(device, game).content.decode()
    answer = delete_game(device, game, do="end")
    assert answer["Location"] == game.get_absolute_url()
    assert reload_game(game).status == "abandoned"
    assert is_listed(device) and not is_listed(device, "open")
    assert "Nobody won this game" in device.page(game)


def test_a_running_game_without_other_people_can_be_deleted(device: Device) -> None:
    assert delete_game(device, device.game(bank(0, 1000, IN), players=(ANA, HAL)))["Location"] == (
        "/games?show=open&done=deleted"
    )
    assert not Game.objects.exists()


def test_a_game_with_others_is_resigned_and_the_log_says_so(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN), players=(ANA, BRUNO, HAL))
    question = open_question(other_device, game).content.decode()
    assert "Resign from this game?" in question and "End it" not in question
    assert game.status == "running" and is_listed(other_device, "open")
    delete_game(other_device, game)
    assert is_listed(device, "open") and not is_listed(other_device, "open")
    page = device.page(game)
    assert "Bruno is sitting out" in page
    assert load_state(reload_game(game)).player == 2


def test_nobody_can_end_a_game_in_which_others_have_seats(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device)
    assert delete_game(device, game, do="end").status_code == 403
    assert reload_game(game).status == "running"


def test_the_menu_and_the_list_offer_to_end_an_open_game(device: Device, other_device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    end = f'href="{game.get_absolute_url()}/delete">'
    assert f"{end}End this game" in device.page(game)
    assert f"{end}End or delete<" in device.client.get("/games").content.decode()
    assert end not in other_device.page(game)


def test_in_a_game_with_others_the_menu_and_the_list_offer_to_resign(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN))
    link = f'href="{game.get_absolute_url()}/delete">'
    for one in (device, other_device):
        assert f"{link}Resign<" in one.page(game)
        assert f"{link}Resign<" in one.client.get("/games").content.decode()
        assert "Resign from this game?" in open_question(one, game).content.decode()


def test_ending_a_game_that_a_friend_has_just_joined_asks_again(device: Device, other_device: Device) -> None:
    game = device.game(bank(0, 1000, IN), players=(ANA, HAL))
    assert "End this game?" in open_question(device, game).content.decode()
    other_device.takes(game, 1)
    answer = delete_game(device, game, do="end")
    page = answer.content.decode()
    assert "Others are in this game now. You can resign from it." in page and "Resign from this game?" in page
    assert "Only the host" not in page


@pytest.mark.parametrize("status", ["running", "finished"])
def test_leaving_a_game_that_everybody_else_has_left_asks_again(
    device: Device, other_device: Device, status: str
) -> None:
    game = share_game(device, other_device) if status == "running" else make_finished_game(device)
    give_seat(game, other_device, 1)
    assert 'value="leave"' in open_question(device, game).content.decode()
    assert delete_game(other_device, game, do="leave").status_code == 303
    answer = delete_game(device, game, do="leave")
    page = answer.content.decode()
    assert answer.status_code == 403 and "The others have left this game. It would be gone for good." in page
    assert 'value="delete"' in page and Game.objects.count() == 1


def test_a_request_to_undo_ends_when_the_only_one_to_answer_leaves(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN))
    device.do(game, "undo")
    assert reload_game(game).asking is not None
    other_device.do(game, "seats", do="out", seat=1)
    assert reload_game(game).asking is None


def test_a_request_to_undo_a_finished_game_ends_when_the_only_one_to_answer_leaves(
    device: Device, other_device: Device
) -> None:
    game = make_finished_game(device)
    give_seat(game, other_device, 1)
    other_device.do(game, "undo")
    assert "undo/answer" in other_device.page(game)
    assert delete_game(device, game, do="leave").status_code == 303
    assert "undo/answer" not in other_device.page(game) and reload_game(game).asking is None


@pytest.mark.parametrize(("status", "list_"), [("waiting", "/games?show=open"), ("abandoned", "/games?show=finished")])
def test_deleting_a_game_that_nobody_plays_leads_back_to_its_list(device: Device, status: str, list_: str) -> None:
    game = device.game()
    Game.objects.update(status=status)
    form = read_hidden_fields(open_question(device, game))
    assert delete_game(device, game, **form)["Location"] == f"{list_}&done=deleted" and not Game.objects.exists()


def test_a_guest_who_leaves_before_the_start_keeps_no_seat_and_the_host_is_told(
    device: Device, other_device: Device
) -> None:
    game = device.waiting_game(ANA, HAL)
    for name in (BRUNO, "Chloé"):
        other_device.sit(game, name)
    shown = f"version={reload_game(game).version}&waiting=1&sat={mark_table(reload_game(game))}"
    assert delete_game(other_device, game, do="leave").status_code == 303
    assert [seat.name for seat in reload_game(game).seats] == [ANA, HAL]
    news = device.client.get(f"{game.get_absolute_url()}/board?{shown}", headers={"HX-Request": "true"})
    for name in (BRUNO, "Chloé"):
        assert f"{name} left before the start." in news.content.decode()
    assert device.do(game, "start").status_code == 303


def test_a_host_who_leaves_before_the_start_keeps_no_seat(device: Device, other_device: Device) -> None:
    game = device.waiting_game(ANA, HAL)
    other_device.sit(game)
    assert delete_game(device, game, do="leave").status_code == 303
    assert [seat.name for seat in reload_game(game).seats] == [HAL, BRUNO]
    assert (
        {seat.visitor for seat in reload_game(game).seats}
        == {reload_game(game).host}
        == {other_device.browser.visitor()}
    )


def test_a_spectator_may_not_delete_a_game(device: Device, other_device: Device) -> None:
    game = make_finished_game(device)
    assert open_question(other_device, game).status_code == 403
    assert delete_game(other_device, game).status_code == 403
    assert Game.objects.count() == 1


@pytest.mark.parametrize("sent", ["", "short", "ä" * 20])
def test_a_form_without_a_valid_key_deletes_nothing(device: Device, sent: str) -> None:
    assert delete_game(device, make_finished_game(device), key=sent).status_code == 400
    assert Game.objects.count() == 1


def test_a_rematch_stays_when_the_game_before_is_deleted(device: Device) -> None:
    game = make_finished_game(device)
    device.do(game, "rematch")
    delete_game(device, game)
    assert Game.objects.get().follows is None
