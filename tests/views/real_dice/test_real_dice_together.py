"""A turn with real dice while it is being entered: it is kept with its game, where everybody at the table sees it."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from game.models import Game
from tests.cast import ANA, Device, bank, reload_game, throw
from tests.real_dice_pad import (
    keep_and_throw,
    lay_faces,
    load_scores,
    open_tap_pad,
    press_pad,
    read_hidden_fields,
    start_with_real_dice,
)
from tests.words import read_text


def start_at_two_devices(device: Device, other_device: Device, *events: Any, **more_of: Any) -> Game:
    """Return a game with real dice, with Bruno at his own device, in which Ana has tapped her six dice."""
    game = start_with_real_dice(device, *events, **more_of)
    other_device.takes(game, 1)
    lay_faces(device, game, open_tap_pad(device, game), "155236")
    return reload_game(game)


def test_everybody_sees_the_dice_that_are_tapped(device: Device, other_device: Device) -> None:
    game, spectator = start_at_two_devices(device, other_device), Device()
    for onlooker in (other_device, spectator):
        html = onlooker.page(game)
        assert "Die 2: five" in html and "+200 now" in html
        assert 'id="tap"' not in html and "/pad" not in html


def test_everybody_sees_what_was_kept_and_how_many_dice_are_thrown(device: Device, other_device: Device) -> None:
    game = start_at_two_devices(device, other_device)
    keep_and_throw(device, game, device.page(game), "123")
    html = other_device.page(game)
    assert f"200 so far. {ANA} throws 3 dice." in html and "Kept earlier." in html and "+200 now" in html
    assert "<b>To throw</b> · 3 dice" in html


def test_everybody_sees_a_bust_before_it_is_entered(device: Device, other_device: Device) -> None:
    game = start_with_real_dice(device)
    other_device.takes(game, 1)
    lay_faces(device, game, open_tap_pad(device, game), "223346")
    assert "Bust! This throw scores nothing." in other_device.page(game)
    assert 'id="bank"' not in other_device.page(game)


def test_everybody_sees_the_points_that_are_typed_throw_by_throw(device: Device, other_device: Device) -> None:
    game = start_with_real_dice(device)
    other_device.takes(game, 1)
    assert f"{ANA} is throwing real dice. The turn appears here as it is entered." in other_device.page(game)
    press_pad(device, game, "add", **read_hidden_fields(device.page(game)), points="300")
    assert f"{ANA} is throwing real dice: 300 points so far." in other_device.page(game)
    assert "+300 now" in other_device.page(game)


def test_points_that_are_typed_throw_by_throw_are_announced(device: Device, other_device: Device) -> None:
    game = start_with_real_dice(device)
    other_device.takes(game, 1)
    before = reload_game(game).version
    answer = device.client.post(
        f"{game.get_absolute_url()}/pad?do=add",
        {**read_hidden_fields(device.page(game)), "points": "300"},
        headers={"HX-Request": "true"},
    )
    assert '<div id="live" hx-swap-oob="innerHTML">This turn so far: 300.</div>' in answer.content.decode()
    news = other_device.client.get(f"{game.get_absolute_url()}/board?version={before}", headers={"HX-Request": "true"})
    heard = f'<div id="live" hx-swap-oob="innerHTML">{ANA} is throwing real dice: 300 points so far.</div>'
    assert heard in news.content.decode()


def test_open_pages_of_others_fetch_the_dice_as_they_are_tapped(device: Device, other_device: Device) -> None:
    game = start_with_real_dice(device)
    other_device.takes(game, 1)
    before = reload_game(game).version
    lay_faces(device, game, open_tap_pad(device, game), "155236")
    answer = other_device.client.get(
        f"{game.get_absolute_url()}/board?version={before}", headers={"HX-Request": "true"}
    )
    assert "Die 2: five" in answer.content.decode()
    assert f"{ANA} threw 1 5 5 2 3 6." in answer.content.decode()


@pytest.mark.parametrize(
    ("dice", "end", "heard"),
    [
        (
            "155236",
            {"end": "bank", "keep": ["1", "2", "3"]},
            f"{ANA} banked 200. Score 1,200. Ana takes the lead! Bruno is next.",
        ),
        ("223346", {"end": "bust"}, "Bust! Bruno is next."),
    ],
)
def test_dice_announced_as_they_were_tapped_are_not_announced_again_at_the_end(
    device: Device, dice: str, end: dict[str, Any], heard: str
) -> None:
    game = start_with_real_dice(device)
    html = lay_faces(device, game, open_tap_pad(device, game), dice)
    answer = device.client.post(
        f"{game.get_absolute_url()}/points", {**read_hidden_fields(html), **end}, headers={"HX-Request": "true"}
    )
    assert f'<div id="live" hx-swap-oob="innerHTML">{heard}</div>' in answer.content.decode()


def test_the_device_that_a_seat_moved_to_continues_the_entry(device: Device, other_device: Device) -> None:
    game = start_at_two_devices(device, other_device)
    second = Device()
    second.takes(game, 0)
    html = keep_and_throw(second, game, open_tap_pad(second, game), "1")
    assert "100 so far. Throw 5 dice and tap them." in html
    assert f"{ANA} throws 5 dice." in device.page(game)


def test_the_first_of_two_devices_cannot_overwrite_the_second(device: Device) -> None:
    game = start_with_real_dice(device)
    old = read_hidden_fields(open_tap_pad(device, game))
    lay_faces(device, game, device.page(game), "155236")
    answer = device.do(game, "pad?do=faces", **old | {"key": "n" * 22}, faces="222222")
    assert answer.status_code == 409 and "Bank 200" in answer.content.decode()


def test_an_entry_sent_twice_is_made_once(device: Device) -> None:
    game = start_with_real_dice(device)
    form = read_hidden_fields(device.page(game)) | {"points": "300"}
    assert [device.do(game, "pad?do=add", **form).status_code for _time in range(2)] == [303, 303]
    assert "turn 300" in device.page(game)


def test_undo_clears_the_tapped_dice_and_nothing_before_them(device: Device) -> None:
    game = start_with_real_dice(device)
    lay_faces(device, game, open_tap_pad(device, game), "155236")
    device.do(game, "undo")
    assert "Tap 6 dice" in device.page(game) and "Die 1:" not in device.page(game)
    assert load_scores(game) == [1000, 1000] and not reload_game(game).undone
    device.do(game, "undo")
    assert load_scores(game) == [1000, 0]


def test_the_first_tapped_dice_of_a_game_can_be_undone(device: Device) -> None:
    game = device.game()
    device.do(game, "mode", mode="manual")
    html = lay_faces(device, game, open_tap_pad(device, game), "155236")
    assert f'action="{game.get_absolute_url()}/undo"' in html
    assert "Undone." in device.do(game, "undo", htmx=True).content.decode()
    assert "Tap 6 dice" in device.page(game)


def test_a_players_tapped_dice_are_undone_once_they_agree(device: Device, other_device: Device) -> None:
    game = start_at_two_devices(device, other_device)
    other_device.do(game, "undo")
    page = read_text(device.page(game))
    assert "Die 2: five" in page and "Bruno wants to undo this turn." in page
    device.answer(game, "allow")
    assert "Tap 6 dice" in device.page(game) and load_scores(game) == [1000, 1000]


def test_tapping_before_the_answer_makes_the_question_expire(device: Device, other_device: Device) -> None:
    game = start_at_two_devices(device, other_device)
    other_device.do(game, "undo")
    keep_and_throw(device, game, device.page(game), "123")
    assert device.answer(game, "allow").status_code == 409
    assert "Kept earlier." in device.page(game)


@pytest.mark.parametrize("what", [("mode", {"mode": "auto"}), ("seats", {"do": "out", "seat": "0"})])
def test_tapped_dice_are_dropped_with_real_dice_or_with_their_player(
    device: Device, what: tuple[str, dict[str, Any]]
) -> None:
    game = start_with_real_dice(device)
    lay_faces(device, game, open_tap_pad(device, game), "155236")
    address, data = what
    assert device.do(game, address, **data).status_code == 303
    assert "Die 1: one" not in device.page(game)
    device.do(game, "mode", mode="manual")
    device.do(game, "seats", do="in", seat="0")
    assert "Die 1: one" not in device.page(game) and reload_game(game).draft == {}


@pytest.mark.parametrize(
    "what",
    [
        ("seats", {"do": "rename", "seat": "1", "name": "Bo"}),
        ("seats", {"do": "out", "seat": "1"}),
        ("seats", {"do": "join", "name": "Chloé"}),
        ("target", {"target": "5000"}),
        ("options", {"hints": "off"}),
    ],
)
def test_other_changes_at_the_table_leave_the_tapped_dice(device: Device, what: tuple[str, dict[str, Any]]) -> None:
    game = start_with_real_dice(device)
    lay_faces(device, game, open_tap_pad(device, game), "155236")
    address, data = what
    assert device.do(game, address, **data).status_code == 303
    assert "Bank 200" in device.page(game)


def test_a_target_that_forbids_what_was_kept_restarts_the_turn(device: Device) -> None:
    rules = {"slug": "exact", "name": "Exact", "exact": "bust", "singles": [200, 0, 0, 0, 50, 0]}
    both = bank(0, 600, throw("111346", "111")), bank(1, 200, throw("134446", "1"))
    game = start_with_real_dice(device, *both, ruleset=rules)
    html = keep_and_throw(device, game, lay_faces(device, game, open_tap_pad(device, game), "111556"), "12345")
    assert "Tap 1 die" in html
    assert device.do(game, "target", target="1000").status_code == 303
    assert "Tap 6 dice" in device.page(game)


def test_the_fifth_throw_costs_as_many_queries_as_the_second(device: Device) -> None:
    game = start_with_real_dice(device)
    html, counts = open_tap_pad(device, game), []
    for _throw in range(5):
        with CaptureQueriesContext(connection) as queries:
            device.do(game, "pad?do=faces", **read_hidden_fields(html), faces="111555")
        counts.append(len(queries))
        html = keep_and_throw(device, game, device.page(game), "123456")
    assert counts[4] == counts[1]
