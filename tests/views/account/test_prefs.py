"""Preferences: how they are chosen, kept in a cookie and seen on the pages."""

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from game.models import CallSettings, Visitor
from game.prefs import CHOICES
from tests.cast import ANA, HAL, IN, Device, bank
from tests.require import require

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
TURNS = (bank(0, 1000, IN), bank(1, 1000, IN))


def find_choice(client: Client, name: str) -> str:
    page = client.get("/prefs").content.decode()
    return require(re.search(rf'name="{name}" value="(\w+)" checked', page))[1]


def test_the_page_offers_every_choice_of_every_preference(client: Client) -> None:
    page = client.get("/prefs").content.decode()
    assert set(re.findall(r'type="radio"[^>]* name="(\w+)" value="(\w+)"', page)) == {
        (name, value) for name, values in CHOICES.items() for value in values
    }


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, values in CHOICES.items() for v in values])
def test_a_choice_is_saved_and_shown(client: Client, name: str, value: str) -> None:
    client.post("/prefs", {name: value})
    assert find_choice(client, name) == value


def test_a_change_of_quiet_hours_applies_to_calls_already_set_up(device: Device) -> None:
    device.game()
    CallSettings.objects.create(visitor=require(device.browser.visitor()), language="en", zone="UTC", quiet="night")
    device.client.post("/prefs", {"quiet": "long"})
    assert CallSettings.objects.get().quiet == "long"


def test_a_change_saves_itself_and_says_so_in_its_row(client: Client) -> None:
    response = client.post("/prefs", {"hints": "odds"}, headers=HTMX)
    assert (response.status_code, response.content) == (200, b"Saved")
    assert find_choice(client, "hints") == "odds"


def test_it_is_said_when_the_coach_comes_by_itself(client: Client) -> None:
    assert "Automatic: the coach in your first game, then points" in client.get("/prefs").content.decode()


def test_the_save_button_works_without_javascript(client: Client) -> None:
    response = client.post("/prefs", {"theme": "dark", "keys": "off"}, follow=True)
    assert response.redirect_chain == [("/prefs?saved", 303)]
    assert '<p class="saved" role="status">Saved' in response.content.decode()


def test_preferences_left_out_of_the_form_stay(client: Client) -> None:
    client.post("/prefs", {"theme": "dark"})
    client.post("/prefs", {"pace": "slow"})
    assert (find_choice(client, "theme"), find_choice(client, "pace")) == ("dark", "slow")


def test_the_theme_is_on_the_page_before_any_script_runs(client: Client) -> None:
    client.post("/prefs", {"theme": "dark", "motion": "none", "keys": "off"})
    page = client.get("/").content.decode()
    assert re.search(r'<html[^>]* data-theme="dark" data-motion="none" data-keys="off"', page)


@pytest.mark.parametrize("value", ["purple", "DARK", "\0", "x" * 5000])
def test_a_value_that_is_not_on_the_page_changes_nothing(client: Client, value: str) -> None:
    client.post("/prefs", {"theme": "light"})
    response = client.post("/prefs", {"theme": value})
    page = response.content.decode()
    assert response.status_code == 422
    assert "<title>Error: " in page and '<a href="#theme-1">' in page and "x" * 41 not in page
    assert find_choice(client, "theme") == "light"


@pytest.mark.parametrize("cookie", ["theme=purple", "\x01", "theme=dark&theme=light&x=" + "y" * 5000, "%00=%00"])
def test_a_broken_cookie_does_not_break_the_page(client: Client, cookie: str) -> None:
    client.cookies["prefs"] = cookie
    assert client.get("/prefs").status_code == 200


def test_preferences_need_no_row_in_the_database(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        client.post("/prefs", {"theme": "dark"})
        client.get("/prefs")
    assert not Visitor.objects.exists()


def test_numerals_are_on_the_dice_of_every_page(client: Client) -> None:
    assert 'text-anchor="middle">6</text>' not in client.get("/").content.decode()
    client.post("/prefs", {"dice": "numerals"})
    for page in ("/", "/rules/classic", "/practice?mode=keep&ruleset=classic&n=1"):
        assert 'text-anchor="middle">6</text>' in client.get(page).content.decode()


@pytest.mark.parametrize(
    ("name", "value", "mark"), [("dice", "contrast", 'data-dice="contrast"'), ("hand", "left", 'data-hand="left"')]
)
def test_the_look_of_the_dice_and_the_hand_are_on_the_page(client: Client, name: str, value: str, mark: str) -> None:
    assert mark not in client.get("/").content.decode()
    client.post("/prefs", {name: value})
    assert mark in client.get("/").content.decode()


def list_colours(page: str) -> list[str]:
    return re.findall(r'<li class="player (p\d)', page)


def test_a_lone_player_has_the_chosen_colour_and_nobody_else_has_it(device: Device) -> None:
    game = device.game(*TURNS, players=(ANA, HAL, "*Ada"))
    assert list_colours(device.page(game)) == ["p1", "p2", "p3"]
    device.client.cookies["prefs"] = "colour=3"
    page = device.page(game)
    assert list_colours(page) == ["p3", "p2", "p1"]
    assert '<polyline class="p3"' in page and '<polyline class="p1"' in page
    assert '<fieldset class="felt p1' in page  # *Ada is at the dice
    assert '<polyline class="p3"' in device.page(game, "?at=1")


def test_others_see_the_colours_of_the_seats(device: Device, other_device: Device) -> None:
    game = device.game(*TURNS)
    other_device.client.cookies["prefs"] = "colour=3"
    assert list_colours(other_device.page(game)) == ["p1", "p2"]


def test_people_at_one_device_have_the_colours_of_their_seats(device: Device) -> None:
    device.client.cookies["prefs"] = "colour=3"
    assert list_colours(device.page(device.game(*TURNS))) == ["p1", "p2"]
