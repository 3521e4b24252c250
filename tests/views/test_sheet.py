"""The score sheet of a game."""

import re

from tests.cast import IN, Device, banked, bust, throw


def cells(device: Device, game) -> list[str]:
    html = device.client.get(f"{game.get_absolute_url()}/sheet").content.decode()
    rows = re.findall(r"<tr>(.*?)</tr>", html, re.S)
    return [re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", row)).strip() for row in rows]


def test_each_turn_stands_in_its_round_with_the_score_after_it(device: Device) -> None:
    game = device.game(banked(0, 1000, IN), bust(1, throw("223446")), banked(0, 50, throw("223456", "5")))
    assert cells(device, game) == ["Round Ana Bruno", "1 +1,000 1,000 – 0", "2 +50 1,050", "Score 1,050 0"]


def test_a_turn_taken_back_is_not_on_it(device: Device) -> None:
    game = device.game(banked(0, 1000, IN), banked(1, 1000, IN))
    device.do(game, "undo")
    assert cells(device, game) == ["Round Ana Bruno", "1 +1,000 1,000", "Score 1,000 0"]


def test_whoever_has_the_link_can_read_it(device: Device, other_device: Device) -> None:
    game = device.game(banked(0, 1000, IN))
    assert other_device.client.get(f"{game.get_absolute_url()}/sheet").status_code == 200


def test_before_the_first_throw_it_is_empty(device: Device) -> None:
    html = device.client.get(f"{device.game().get_absolute_url()}/sheet").content.decode()
    assert "No throws yet." in html
