"""The colours of a table: chosen before the start, seen by all, and no two alike."""

import re

import pytest
from django.test import Client

from game.models import Game, share_out_colours
from tests.cast import BRUNO, IN, Device, bank, make_key, reload_game
from tests.reviews import load_finished_game, write_reviews


def list_colours(page: str, what: str = "player") -> list[str]:
    return re.findall(rf'<li class="{what} (p\d)', page)


def pick_colour(device: Device, game: Game, name: str, colour: int | str) -> int:
    player = game.players.get(name=name).pk
    return device.do(game, "seats", do="colour", colour=str(colour), player=player, waiting="1").status_code


@pytest.mark.parametrize(
    ("chosen", "shown"),
    [
        ([None, None, None], (1, 2, 3)),
        ([2, None], (2, 1)),  # the player whose usual colour was taken gets the first free one
        ([3, None, None], (3, 2, 1)),
        ([None, 1, 5], (2, 1, 5)),
        ([4, 4], (4, 2)),  # the first of two who chose a colour keeps it
        ([None] * 9, (1, 2, 3, 4, 5, 6, 7, 8, 1)),  # there are eight colours
    ],
)
def test_no_two_at_a_table_look_alike(chosen: list[int | None], shown: tuple[int, ...]) -> None:
    assert share_out_colours(chosen) == shown


def test_a_late_guest_changes_nobodys_colour() -> None:
    for chosen in ([2, None], [None, 1], [5, 1, 2], [None, 4, None]):
        before = share_out_colours(chosen)
        assert share_out_colours([*chosen, None])[: len(before)] == before


def test_a_colour_chosen_in_the_lobby_is_seen_by_all(device: Device, other_device: Device) -> None:
    game = device.waiting_game()
    other_device.sit(game)
    assert pick_colour(other_device, game, BRUNO, 6) == 303
    for who in (device, other_device):
        assert 'class="p6' in who.page(game)
    device.do(game, "start", key=make_key())
    assert (
        list_colours(device.page(reload_game(game)))
        == list_colours(other_device.page(reload_game(game)))
        == ["p1", "p6"]
    )


def test_a_colour_that_somebody_chose_is_refused_to_others(device: Device, other_device: Device) -> None:
    game = device.waiting_game()
    other_device.sit(game)
    assert pick_colour(device, game, "Ana", 6) == 303
    assert pick_colour(other_device, game, BRUNO, 6) == 409
    assert pick_colour(other_device, game, BRUNO, 1) == 303
    assert "Bruno" in device.page(game)


def test_a_colour_that_the_host_chose_for_a_friend_is_the_friends(device: Device) -> None:
    game = device.waiting_game()
    device.do(game, "seats", do="free", name=BRUNO, waiting="1")
    assert pick_colour(device, game, BRUNO, 6) == 303
    assert pick_colour(device, game, "Ana", 6) == 409


@pytest.mark.parametrize("colour", ["0", "9", "red", ""])
def test_something_that_is_no_colour_is_refused(colour: str, device: Device) -> None:
    assert pick_colour(device, device.waiting_game(), "Ana", colour) == 400


def test_nobody_can_choose_the_colour_of_somebody_elses_seat(device: Device, other_device: Device) -> None:
    game = device.waiting_game()
    other_device.sit(game)
    assert pick_colour(other_device, game, "Ana", 3) == 403


def test_people_at_one_device_choose_their_colours_in_the_form(device: Device) -> None:
    form = {"key": make_key(), "ruleset": "classic", "name": ["Ana", "Bruno"], "level": ["", ""], "colour": ["", "1"]}
    device.client.post("/new", form)
    assert list_colours(device.page(Game.objects.get())) == ["p2", "p1"]


def test_the_next_new_game_begins_with_the_colours_of_the_last(device: Device) -> None:
    form = {"key": make_key(), "ruleset": "classic", "name": ["Ana", "Bruno"], "level": ["", ""], "colour": ["5", ""]}
    device.client.post("/new", form)
    page = device.client.get("/new").content.decode()
    assert re.search(r'value="5" selected', page)


def test_a_rematch_has_the_colours_of_the_game_before(device: Device) -> None:
    game = device.game(players=["Ana", "Bruno"])
    game.players.filter(name="Ana").update(colour=7)
    Game.objects.filter(pk=game.pk).update(status=Game.Status.ABANDONED)
    answer = device.do(reload_game(game), "rematch")
    following = Game.objects.get(follows=game)
    assert answer.status_code == 303
    assert {row.name: row.colour for row in following.players.all()} == {"Ana": 7, "Bruno": None}


def test_players_who_chose_no_colour_keep_theirs_through_rematches(device: Device) -> None:
    game = device.game(players=["Ana", "Bruno", "Chloé"])
    for _rematch in range(4):  # the seats move round by one each time
        shown = dict(zip([seat.name for seat in game.seats], list_colours(device.page(game)), strict=True))
        assert shown == {"Ana": "p1", "Bruno": "p2", "Chloé": "p3"}
        Game.objects.filter(pk=game.pk).update(status=Game.Status.ABANDONED)
        device.do(reload_game(game), "rematch")
        game = Game.objects.get(follows=game)
    assert {seat.colour for seat in game.seats} == {None}


def test_players_whose_colours_others_chose_keep_theirs_through_rematches(device: Device) -> None:
    game = device.game(players=["Ana", "Bruno", "Chloé", "Dora"])
    game.players.filter(name="Bruno").update(colour=4)
    game.players.filter(name="Chloé").update(colour=1)
    game = reload_game(game)
    for _rematch in range(4):
        shown = dict(zip([seat.name for seat in game.seats], list_colours(device.page(game)), strict=True))
        assert shown == {"Ana": "p2", "Bruno": "p4", "Chloé": "p1", "Dora": "p3"}
        Game.objects.filter(pk=game.pk).update(status=Game.Status.ABANDONED)
        device.do(reload_game(game), "rematch")
        game = Game.objects.get(follows=game)


def test_a_colour_that_somebody_had_can_be_chosen_in_a_rematch(device: Device) -> None:
    game = device.game(players=["Ana", "Bruno"])
    Game.objects.filter(pk=game.pk).update(status=Game.Status.ABANDONED)
    device.do(reload_game(game), "rematch", do="words")
    waiting = Game.objects.get(follows=game)
    assert [seat.name for seat in waiting.seats] == ["Bruno", "Ana"] and pick_colour(device, waiting, "Bruno", 1) == 303
    device.do(waiting, "start", key=make_key())
    assert list_colours(device.page(reload_game(waiting))) == ["p1", "p2"]


def set_colours(game: Game) -> Game:
    game.players.filter(seat=0).update(colour=5)
    game.players.filter(seat=1).update(colour=3)
    return reload_game(game)


def test_a_spectator_still_sees_the_chosen_colours_after_a_throw(device: Device, other_device: Device) -> None:
    game = set_colours(device.game(bank(0, 1000, IN), bank(1, 1000, IN)))
    assert list_colours(other_device.page(game)) == ["p5", "p3"]
    device.do(game, "throw")
    address = f"{game.get_absolute_url()}/board?version={game.version}&there="
    answer = other_device.client.get(address, headers={"HX-Request": "true"})
    assert list_colours(answer.content.decode()) == ["p5", "p3"]


def test_the_replay_in_a_frame_shows_the_chosen_colours(device: Device) -> None:
    game = set_colours(device.game(bank(0, 1000, IN), bank(1, 1000, IN)))
    for headers in ({}, {"HX-Request": "true"}):
        frame = Client().get(f"{game.get_absolute_url()}/embed?at=2", headers=headers).content.decode()
        assert re.findall(r'class="felt (p\d)', frame) == ["p3"], headers


def test_the_short_review_shows_the_chosen_colours(device: Device) -> None:
    game = set_colours(load_finished_game(device))
    device.client.post(f"{game.get_absolute_url()}/analysis")
    write_reviews()
    review = device.client.get(f"{game.get_absolute_url()}/review").content.decode()
    assert re.findall(r'<li class="row (p\d)"', review)[:2] == ["p5", "p3"]


def test_the_picture_of_a_result_has_the_chosen_colours(device: Device) -> None:
    game = set_colours(load_finished_game(device))
    picture = device.client.get(f"{game.get_absolute_url()}/result.svg").content.decode()
    ochre, purple = "#8A5A00", "#7A4E9B"
    assert re.findall(r'r="10" fill="(#\w+)"', picture) == [purple, ochre]  # Bruno has won
    assert re.findall(r'<polyline points="[^"]+" stroke="(#\w+)"', picture) == [ochre, purple]
