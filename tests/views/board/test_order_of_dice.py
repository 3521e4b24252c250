"""Dice shown as they fell or sorted: their places, keys and announcements follow the order that the viewer sees."""

import re

import pytest

from tests.cast import IN, Device, bank, open_turn, reload_game, reseal_until, throw
from tests.require import require

BOTH_IN = (bank(0, 1000, IN), bank(1, 1000, IN))
FALLEN = open_turn(0, throw("612541"))
SECOND = open_turn(0, throw("612541", "5"), throw("61214"))


@pytest.fixture
def sorts(device: Device) -> Device:
    device.client.cookies["prefs"] = "order=sorted"
    return device


def list_dice(page: str) -> list[str]:
    tray = require(re.search(r'id="tray".*?</form>', page, re.S))[0]
    return re.findall(r"Die \d: \w+", tray)


def test_dice_lie_as_they_fell_by_default(device: Device) -> None:
    game = device.game(*BOTH_IN, FALLEN)
    assert list_dice(device.page(game))[:3] == ["Die 1: six", "Die 2: one", "Die 3: two"]


def test_sorted_dice_lie_from_low_to_high(sorts: Device) -> None:
    page = sorts.page(sorts.game(*BOTH_IN, FALLEN))
    assert list_dice(page) == ["Die 1: one", "Die 2: one", "Die 3: two", "Die 4: four", "Die 5: five", "Die 6: six"]
    assert "Throw 1: 1 1 2 4 5 6" in page


def test_a_die_that_was_set_aside_stays_in_its_place(sorts: Device) -> None:
    page = sorts.page(sorts.game(*BOTH_IN, SECOND))
    assert list_dice(page) == ["Die 1: one", "Die 2: one", "Die 3: two", "Die 4: four", "Die 5: five", "Die 6: six"]
    assert re.search(r'class="die old c5', page)


def test_ticking_sorted_dice_keeps_those_dice(sorts: Device) -> None:
    game = sorts.game(*BOTH_IN, FALLEN)
    ones = re.findall(r'id="die-([12])" name="keep" value="(\d)"', sorts.page(game))
    assert [place for place, _value in ones] == ["1", "2"]
    sorts.do(game, "bank", keep=[value for _place, value in ones])
    assert reload_game(game).seats[0].score == 1200


def test_the_links_of_ways_to_keep_tick_the_same_dice(sorts: Device) -> None:
    game = sorts.game(*BOTH_IN, FALLEN)
    (link,) = re.findall(r'href="[^"]*(\?[^"]*keep=[\d,]+)" data-keep="5"', sorts.page(game))
    ticked = re.findall(r'id="die-(\d)"[^>]* checked', sorts.page(game, link))
    assert ticked == ["5"]


def test_announcements_follow_the_sorted_order(sorts: Device, other_device: Device) -> None:
    game = other_device.game(*BOTH_IN, SECOND)
    version = reload_game(game).version - 1
    heard = sorts.client.get(f"{game.get_absolute_url()}/board", {"version": version}).content.decode()
    assert "keeps 5, has 50 points at risk, and throws 1 1 2 4 6." in heard


def test_a_bust_is_announced_in_sorted_order(sorts: Device) -> None:
    game = reseal_until(sorts.game(*BOTH_IN), lambda dice: sorted(dice) == [2, 2, 3, 3, 4, 6] and dice[0] == 6)
    heard = sorts.do(game, "throw", htmx=True).content.decode()
    assert "You threw 2 2 3 3 4 6." in heard


def test_the_replay_sorts_the_dice(sorts: Device) -> None:
    game = sorts.game(*BOTH_IN, bank(0, 250, throw("612541", "115")))
    assert list_faces(sorts.page(game, "?at=3")) == ["one", "one", "two", "four", "five", "six"]


def test_practice_sorts_the_dice(sorts: Device) -> None:
    page = sorts.client.get("/practice?mode=keep&ruleset=classic&n=7").content.decode()
    thrown = re.findall(r'name="keep" value="(\d)"[^>]*data-face="(\d)"', page)
    assert [face for _column, face in thrown] == sorted(face for _column, face in thrown)
    assert [column for column, _face in thrown] == sorted(column for column, _face in thrown)


def list_faces(page: str) -> list[str]:
    tray = require(re.search(r'<fieldset class="felt.*?</fieldset>', page, re.S))[0]
    return re.findall(r"Die \d: (\w+)", tray)
