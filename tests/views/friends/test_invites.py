"""The page of an invite: looking at it changes nothing, and its button takes a seat."""

import html
import re
from datetime import timedelta

import pytest
from django.test import Client

from game import services
from game.models import Game, Invite, Player, Visitor
from game.services import Command
from tests.cast import BRUNO, IN, Device, Response, bank, bust, let_time_pass, make_key, open_turn, reload_game, throw
from tests.require import require
from tests.words import read_text

SUGGESTED = re.compile(r'id="name" name="name" value="" placeholder="(Guest [^"]+)"')


@pytest.fixture
def game(device: Device) -> Game:
    return device.waiting_game()


def open_invite(device: Device, game: Game) -> Response:
    return device.client.get(f"/j/{game.invite.token}")


def read_page(answer: Response) -> str:
    return read_text(answer.content.decode())


def make_command(device: Device, game: Game) -> Command:
    return Command(device.browser.visitor(), make_key(), reload_game(game).version, "")


def add_free_seat(device: Device, game: Game, name: str) -> int:
    services.add_seat(game.code, make_command(device, game), name, None, free=True)
    return game.players.get(name=name).pk


def test_looking_at_an_invite_changes_nothing(game: Game, other_device: Device) -> None:
    before = reload_game(game).version
    assert "Ana invites you to a game" in read_page(open_invite(other_device, game))
    assert reload_game(game).version == before
    assert Visitor.objects.count() == 1


def test_a_guest_who_types_no_name_has_one_that_stays(game: Game, device: Device, other_device: Device) -> None:
    first, again = (SUGGESTED.search(open_invite(other_device, game).content.decode()) for _ in "ab")
    assert first and again and first[1] == again[1]
    other_device.sit(game, " ")
    assert game.players.filter(name=first[1]).exists()
    nobody_typed_it = open_invite(other_device, device.waiting_game()).content.decode()
    assert require(SUGGESTED.search(nobody_typed_it))[1] == first[1]


def test_a_guest_who_types_no_name_has_another_if_the_suggested_one_is_taken_meanwhile(
    game: Game, other_device: Device
) -> None:
    suggested = require(SUGGESTED.search(open_invite(other_device, game).content.decode()))[1]
    Device().sit(game, suggested)
    assert other_device.sit(game, "").status_code == 303
    assert game.players.filter(name__startswith="Guest ").count() == 2


def test_a_remembered_name_that_is_taken_is_not_filled_in(device: Device, other_device: Device) -> None:
    other_device.sit(device.waiting_game(), "Zoë")
    assert SUGGESTED.search(open_invite(other_device, device.waiting_game("Zoë")).content.decode())


def test_the_name_of_the_last_visit_is_filled_in(game: Game, device: Device, other_device: Device) -> None:
    other_device.sit(game, "Zoë")
    another = device.waiting_game()
    assert 'value="Zoë"' in open_invite(other_device, another).content.decode()


def test_sitting_down_leads_to_the_game(game: Game, other_device: Device) -> None:
    answer = other_device.sit(game)
    assert (answer.status_code, answer["Location"]) == (303, game.get_absolute_url())
    assert "You’re in!" in other_device.page(game)


def test_a_seat_kept_free_is_offered_as_a_button(game: Game, device: Device, other_device: Device) -> None:
    seat = add_free_seat(device, game, "Chloé")
    assert "Join as Chloé" in read_page(open_invite(other_device, game))
    assert other_device.sit(game, "", player=seat).status_code == 303
    assert "Join as Chloé" not in read_page(open_invite(Device(), game))


def test_the_second_guest_for_a_seat_is_told_that_it_is_taken(game: Game, device: Device, other_device: Device) -> None:
    seat = add_free_seat(device, game, "Chloé")
    other_device.sit(game, "", player=seat)
    answer = Device().sit(game, "", player=seat)
    assert answer.status_code == 409
    assert "That seat was just taken. Choose another one." in read_page(answer)


def test_when_all_seats_are_taken_a_guest_can_watch(device: Device, other_device: Device) -> None:
    game = device.waiting_game("Ana", "Bruno", ruleset="greed")
    page = open_invite(other_device, game)
    assert "All seats are taken. You can watch." in read_page(page)
    assert 'id="sit"' not in page.content.decode()
    assert other_device.sit(game, "Chloé").status_code == 409


def test_when_all_seats_of_a_private_game_are_taken_nobody_is_told_to_watch(
    device: Device, other_device: Device
) -> None:
    game = device.waiting_game("Ana", "Bruno", ruleset="greed")
    device.do(game, "watching", allowed="0", waiting="1")
    for answer in (open_invite(other_device, game), other_device.sit(game, "Chloé")):
        assert "All seats are taken." in read_page(answer) and "watch" not in read_page(answer)


def test_the_summary_of_a_refused_seat_leads_to_what_is_on_the_page(
    game: Game, device: Device, other_device: Device
) -> None:
    seat, other = add_free_seat(device, game, "Chloé"), add_free_seat(device, game, "Dora")
    suggested = SUGGESTED.findall(open_invite(other_device, game).content.decode())
    assert suggested
    for taken in (seat, other):
        Device().sit(game, "", player=taken)
        page = other_device.sit(game, "", player=taken).content.decode()
        assert all(f'id="{place}"' in page for place in re.findall(r'<li><a href="#([^"]+)">', page))
        assert SUGGESTED.findall(page) == suggested
        assert "aria-invalid" not in page


@pytest.fixture
def in_round_three(device: Device) -> Game:
    game = device.game(*(bank(seat, 1000, IN) for _ in range(2) for seat in (0, 1)))
    Invite.objects.create(game=game)
    return game


def test_after_round_two_an_invite_leads_to_watching(in_round_three: Game, other_device: Device) -> None:
    game = in_round_three
    answer = open_invite(other_device, game)
    assert answer.status_code == 410
    assert "This game has already started" in read_page(answer) and game.get_absolute_url() in answer.content.decode()
    assert other_device.sit(game).status_code == 410


def test_where_nobody_may_watch_an_invite_does_not_offer_it(in_round_three: Game, other_device: Device) -> None:
    Game.objects.filter(pk=in_round_three.pk).update(watching=False)
    answer = open_invite(other_device, in_round_three)
    assert "This game has already started. Ask for a seat in the next one." in read_page(answer)
    assert "Watch" not in read_page(answer)


@pytest.mark.parametrize(
    ("watching", "sentence"),
    [
        (True, "This game is over. See how it went, or ask for a seat in the next one. See how it went"),
        (False, "This game is over. Ask for a seat in the next one. Home"),
    ],
)
def test_after_the_end_an_invite_says_that_the_game_is_over(
    device: Device, other_device: Device, watching: bool, sentence: str
) -> None:
    game = device.game(bank(0, 1000, IN), bust(1, throw("223446")), target=1000)
    Invite.objects.create(game=game)
    Game.objects.filter(pk=game.pk).update(watching=watching)
    answer = open_invite(other_device, game)
    assert answer.status_code == 410 and sentence in read_page(answer)


def test_an_invite_to_a_started_game_says_so_and_still_gives_a_seat(
    game: Game, device: Device, other_device: Device
) -> None:
    other_device.sit(game)
    services.start_game(game.code, make_command(device, game))
    late = Device()
    page = open_invite(late, game)
    assert page.status_code == 200
    assert "The game has started: it is in round 1. There is still a seat for you." in read_page(page)
    assert late.sit(game, "Chloé")["Location"] == game.get_absolute_url()
    assert "Chloé joined" in late.page(game) and "Chloé joined" in device.page(game)


def test_a_guest_who_comes_late_is_there_before_their_page_is_heard_of(
    game: Game, device: Device, other_device: Device
) -> None:
    other_device.sit(game)
    services.start_game(game.code, make_command(device, game))
    let_time_pass(game, seen=timedelta(minutes=1))
    Device().sit(game, "Chloé")
    away = [">away<" in card for card in re.findall(r'<li class="player.*?</li>', device.page(game), re.DOTALL)]
    assert away == [False, True, False]  # of the others, Bruno alone


def test_a_seat_that_the_host_has_removed_cannot_be_taken_after_the_start(
    game: Game, device: Device, other_device: Device
) -> None:
    seat = add_free_seat(device, game, "Chloé")
    device.do(game, "seats", do="remove", player=seat, waiting="1")
    services.start_game(game.code, make_command(device, game), alone=True)
    answer = other_device.sit(game, "", player=seat)
    assert answer.status_code == 409 and "That seat was just taken. Choose another one." in read_page(answer)


def test_an_invite_to_a_started_game_does_not_offer_the_seat_of_a_player_who_resigned(
    game: Game, device: Device, other_device: Device
) -> None:
    other_device.sit(game)
    Device().sit(game, "Dora")
    services.start_game(game.code, make_command(device, game))
    before = open_invite(Device(), game)
    other_device.client.post(f"{game.get_absolute_url()}/delete", {"key": make_key(), "do": "leave"})
    page = open_invite(Device(), game)
    assert "Join as" not in read_page(page) and "Bruno gone" in read_page(page)
    (seats,) = set(re.findall(r"\d+ seats are free", before.content.decode() + page.content.decode()))
    assert seats == "9 seats are free"


def test_an_invite_to_a_started_game_promises_no_seat_where_all_are_taken(device: Device, other_device: Device) -> None:
    game = device.game(bank(0, 1000, IN), ruleset="greed")
    Invite.objects.create(game=game)
    page = read_page(open_invite(other_device, game))
    assert "All seats are taken. You can watch." in page and "still a seat" not in page


def test_only_the_hosts_page_shows_the_invite_until_round_two_is_over(
    game: Game, in_round_three: Game, device: Device, other_device: Device
) -> None:
    other_device.sit(game)
    services.start_game(game.code, make_command(device, game))
    assert f"/j/{game.invite.token}" in device.page(game)
    assert "Friends can join until the end of round 2." in device.page(game)
    assert f"/j/{game.invite.token}" not in other_device.page(game)
    assert "/j/" not in device.page(in_round_three)


def test_the_invite_leaves_the_hosts_open_page_when_round_three_begins(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), bank(1, 1000, IN), bank(0, 1000, IN), open_turn(1, throw("111346")))
    invite = Invite.objects.create(game=game)
    assert f"/j/{invite.token}" in device.page(game)
    answer = device.do(game, "bank", htmx=True, keep=["1", "2", "3"]).content.decode()
    assert 'id="people"' in answer and f"/j/{invite.token}" not in answer


def test_a_player_comes_back_by_the_same_invite(game: Game, device: Device, other_device: Device) -> None:
    other_device.sit(game)
    assert "You already have a seat, as Bruno." in read_page(open_invite(other_device, game))
    services.start_game(game.code, make_command(device, game))
    assert open_invite(other_device, game)["Location"] == game.get_absolute_url()


def test_a_late_guest_gets_no_link_to_a_closed_game(in_round_three: Game, device: Device, other_device: Device) -> None:
    services.set_watching(in_round_three.code, make_command(device, in_round_three), False)
    assert in_round_three.get_absolute_url() not in open_invite(other_device, in_round_three).content.decode()


@pytest.mark.parametrize("token", ["A" * 22, "-" * 22])
def test_an_unknown_invite_says_what_to_do(client: Client, db: None, token: str) -> None:
    answer = client.get(f"/j/{token}")
    assert answer.status_code == 410
    assert "Ask for a new one" in read_page(answer)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("a" * 25, "A name can have at most 24 characters."),
        (
            "\u202eAna",
            "This name has a character that cannot be used. Use letters, digits, signs or emoji.",
        ),
        (
            "A\x00na",
            "This name has a character that cannot be used. Use letters, digits, signs or emoji.",
        ),
        ("\u200b", "character"),
        ("ＡＮＡ", "That name is taken. Choose another one."),
    ],
)
def test_a_bad_name_is_refused_with_its_reason(game: Game, other_device: Device, name: str, why: str) -> None:
    answer = other_device.sit(game, name)
    assert answer.status_code == 422
    assert why in read_page(answer) and "There is a problem" in read_page(answer)
    typed = re.findall(r'id="name" name="name" value="([^"]*)"', answer.content.decode())
    assert [html.unescape(shown) for shown in typed] == [name]
    assert Player.objects.count() == 1


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", '"><img src=x>', "{{7*7}}", "=SUM(A1)", "👩‍👩‍👧", "ไทย"])
def test_a_strange_name_is_accepted_as_plain_text(game: Game, device: Device, other_device: Device, name: str) -> None:
    assert other_device.sit(game, name[:24]).status_code == 303
    page = device.page(game)
    assert "<script>alert" not in page and "<img src=x" not in page


def test_a_form_without_its_key_is_refused(game: Game, other_device: Device) -> None:
    assert other_device.client.post(f"/j/{game.invite.token}", {"name": BRUNO}).status_code == 400


def test_the_invite_is_shown_to_nobody_but_the_host(game: Game, device: Device, other_device: Device) -> None:
    other_device.sit(game)
    token = game.invite.token
    assert token in device.page(game)
    assert token not in other_device.page(game)
    assert token not in Device().page(game)


def test_an_invite_is_neither_cached_nor_indexed(game: Game, other_device: Device) -> None:
    answer = open_invite(other_device, game)
    assert "no-store" in answer["Cache-Control"]
    assert answer["X-Robots-Tag"] == "noindex"
