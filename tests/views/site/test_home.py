"""The home page: one tap to the first throw, the games to continue, and what others wait for."""

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from game.models import Game, RulesetRow, ThrowRow, Visitor
from tests.cast import ANA, BRUNO, HAL, IN, Device, bank, make_key, share_game
from tests.require import require
from tests.views.account.test_accounts import sign_up
from tests.words import read_text

pytestmark = pytest.mark.django_db


def find_key(page: bytes) -> str:
    """Return the key in the form of the tray."""
    return require(re.search(rb'action="/quick".*?name="key" value="([^"]+)"', page, re.S))[1].decode()


def list_players(game: Game) -> list[tuple[str, str]]:
    return list(game.players.order_by("seat").values_list("name", "level"))


def test_one_press_makes_a_game_against_the_computer_with_six_dice_on_the_table(client: Client) -> None:
    response = client.post("/quick", {"key": find_key(client.get("/").content)})
    game = Game.objects.get()
    assert (response.status_code, response["Location"]) == (303, f"{game.get_absolute_url()}#top")
    assert list_players(game) == [("Player 1", ""), (HAL, "balanced")]
    assert len(ThrowRow.objects.get().faces) == 6


def test_two_presses_of_the_same_button_make_one_game_and_one_throw(client: Client) -> None:
    pressed = {"key": find_key(client.get("/").content)}
    first, second = client.post("/quick", pressed), client.post("/quick", pressed)
    assert first["Location"] == second["Location"]
    assert (Game.objects.count(), ThrowRow.objects.count()) == (1, 1)


def test_the_same_press_under_another_name_is_refused_on_the_page(client: Client) -> None:
    pressed = {"key": find_key(client.get("/").content)}
    client.post("/quick", pressed)
    client.cookies["name"] = "Ana"
    response = client.post("/quick", pressed)
    assert response.status_code == 422 and "That form was already used." in response.content.decode()
    assert Game.objects.count() == 1


def test_each_page_has_its_own_key(client: Client) -> None:
    assert find_key(client.get("/").content) != find_key(client.get("/").content)


@pytest.mark.parametrize("bad", [{}, {"key": ""}, {"key": "short"}, {"key": "x" * 65}, {"key": "a b" * 10}])
def test_a_form_without_a_valid_key_makes_no_game(client: Client, bad: dict[str, str]) -> None:
    assert client.post("/quick", bad).status_code == 400
    assert not Game.objects.exists()


def test_looking_makes_no_game_and_no_visitor(client: Client) -> None:
    response = client.get("/")
    assert response.status_code == 200
    assert "visitor" in response.cookies
    assert not Visitor.objects.exists() and not Game.objects.exists()


def test_a_link_to_the_first_throw_is_refused(client: Client) -> None:
    assert client.get("/quick").status_code == 405


def test_a_newcomer_reads_what_the_game_is_and_its_other_names(client: Client) -> None:
    page = client.get("/").content.decode()
    assert "Race to 10,000. Also known as Farkle, Zehntausend" in page
    assert 'id="continue"' not in page


def find_continue_button(device: Device) -> str:
    return require(re.search(r'id="continue" href="([^"]*)".*?</a>', device.client.get("/").content.decode(), re.S))[0]


def test_a_returning_player_is_first_offered_to_continue(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), players=(ANA, HAL))
    page = device.client.get("/").content.decode()
    assert page.index('id="continue"') < page.index('id="throw"')
    button = find_continue_button(device)
    assert game.get_absolute_url() in button
    assert "Continue against *HAL" in button and "1,000 : 0" in button


def test_a_game_with_your_turn_is_offered_before_a_newer_one(device: Device, other_device: Device) -> None:
    own = device.game(players=(ANA, HAL))
    share_game(other_device, device)
    assert own.get_absolute_url() in find_continue_button(device)


def find_waiting_part(device: Device) -> str:
    """Return the part of the home page that says for what others wait; "" without one."""
    page = device.client.get("/").content.decode()
    return page.partition('id="waiting"')[2].partition("</section>")[0]


def test_games_in_which_others_wait_come_first(device: Device, other_device: Device) -> None:
    games = [share_game(device, other_device) for _game in range(2)]
    for _game in range(8):
        device.game(players=(ANA, HAL))  # newer, and nobody waits
    page = device.client.get("/").content.decode()
    assert page.index("Waiting for you") < page.index('id="throw"') < page.index("Your games")
    waiting = find_waiting_part(device)
    assert waiting.count("Your turn") == 2 and all(game.get_absolute_url() in waiting for game in games)
    assert find_waiting_part(other_device) == ""  # it is not Bruno's turn


def test_an_open_question_waits_for_the_others_at_the_table(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN), bank(1, 1000, IN), bank(0, 1000, IN))
    device.do(game, "undo")
    assert "Ana is waiting for your answer" in find_waiting_part(other_device)
    assert "Your games" not in other_device.client.get("/").content.decode()  # where it would be a second time
    assert find_waiting_part(device) == ""


def test_a_full_table_waits_for_its_host_to_start(device: Device, other_device: Device) -> None:
    game = device.waiting_game(ANA)
    assert find_waiting_part(device) == ""
    other_device.sit(game)
    assert "Everyone’s here. You can start." in find_waiting_part(device)
    assert find_waiting_part(other_device) == ""


def test_an_account_sees_on_any_device_what_waits_for_it(device: Device, other_device: Device) -> None:
    sign_up(device)
    game = share_game(Device(), other_device)
    game.players.filter(seat=0).update(visitor=require(Visitor.objects.filter(user__isnull=False).first()))
    assert game.get_absolute_url() in find_waiting_part(device)


@pytest.mark.parametrize(
    ("seats", "words"),
    [
        ((ANA, BRUNO), "Continue with Ana and Bruno"),
        ((ANA,), "Continue your game"),
        ((HAL, "*WWW"), "Continue with *HAL and *WWW"),  # nobody plays against them
    ],
)
def test_people_on_one_device_are_named(device: Device, seats: tuple[str, ...], words: str) -> None:
    device.game(players=seats)
    assert words in find_continue_button(device)


def test_the_name_of_the_last_game_is_remembered(client: Client) -> None:
    client.post("/new", {"key": make_key(), "name": ["Chloé", ""], "level": ["", ""], "ruleset": "classic"})
    client.post("/quick", {"key": make_key()})
    assert list_players(require(Game.objects.first())) == [("Chloé", ""), (HAL, "balanced")]


@pytest.mark.parametrize("cookie", ["%00", "x" * 500, "%ED%A0%80", "*HAL", "%EF%BC%8AHAL", "%E2%80%AE"])
def test_a_broken_name_cookie_is_no_name(client: Client, cookie: str) -> None:
    client.cookies["name"] = cookie
    client.post("/quick", {"key": make_key()})
    assert list_players(Game.objects.get())[0] == ("Player 1", "")


def test_a_first_visit_shows_no_empty_list_of_games(client: Client) -> None:
    assert b"Your games" not in client.get("/").content


def test_my_open_games_say_whose_turn_it_is(device: Device) -> None:
    device.game(bank(0, 1000, IN), players=(ANA, BRUNO))
    page = device.client.get("/").content.decode()
    assert "Your games" in page
    assert "Bruno’s turn" in page
    assert "1,000" in page


def test_a_game_against_the_computer_says_your_turn(device: Device) -> None:
    device.game(players=(ANA, HAL))
    page = device.client.get("/").content.decode()
    assert "Against *HAL" in page and "Your turn" in page


def test_other_peoples_games_are_not_listed(device: Device) -> None:
    device.game(players=(ANA, BRUNO))
    assert b"Your games" not in Client().get("/").content


def test_each_way_to_play_leads_to_a_new_game(client: Client) -> None:
    page = client.get("/").content.decode()
    for way in ("phone", "friends", "score", "computer"):
        assert f'href="/new?for={way}"' in page


def test_the_home_page_says_how_dice_score_in_its_rules(client: Client) -> None:
    page = client.get("/").content.decode()
    assert "Points in Classic 10,000" in page
    assert "400 × number" in page and "1s: 4,000" in page and "1,500" in page


def test_without_any_ruleset_the_press_leads_to_the_form_that_says_so(client: Client) -> None:
    RulesetRow.objects.update(retired="2026-01-01T00:00Z")
    assert client.get("/").status_code == 200
    assert client.post("/quick", {"key": make_key()})["Location"] == "/new"


def test_the_number_of_queries_does_not_grow_with_the_games(
    device: Device,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for _game in range(2):
        device.game(players=(ANA, HAL))
    with django_assert_num_queries(5) as few:  # the visitor, the games, their seats, the ruleset, the crews
        device.client.get("/")
    for _game in range(4):
        device.game(bank(0, 1000, IN), players=(ANA, BRUNO, "Chloé"))
    with django_assert_num_queries(len(few)):
        device.client.get("/")


@pytest.mark.parametrize("slug", ["zonk-five-dice", "farkle-ten"])
def test_the_home_page_plays_no_rules_that_it_would_describe_wrongly(client: Client, slug: str) -> None:
    RulesetRow.objects.filter(slug=slug).update(home=True)  # as an older version of the site allowed
    assert "Classic 10,000" in read_text(client.get("/").content.decode())
    client.post("/quick", {"key": make_key()})
    assert Game.objects.get().rules.slug == "classic"


def test_if_the_first_at_the_target_wins_no_final_round_is_promised(client: Client) -> None:
    assert "First to 10,000 starts the final round." in read_text(client.get("/").content.decode())
    row = RulesetRow.objects.get(slug="classic")
    RulesetRow.objects.filter(pk=row.pk).update(settings={**row.settings, "ending": "at_once"})
    text = read_text(client.get("/").content.decode())
    assert "The first to reach 10,000 wins at once." in text and "final round" not in text
