"""A wrong number is corrected on the score sheet, without undoing all that was entered since."""

import random
import re
from typing import Any

import pytest

from game.models import Game, Visitor
from game.rules import state_to_json
from game.rules.record import ShotRecord
from game.services.shipped_rulesets import list_shipped_rulesets
from game.storage import load_record, load_state, replay_rows
from tests.cast import BOTH_IN, Device, Response, reload_game
from tests.real_dice_pad import find_last_turn, load_scores, press_pad, read_hidden_fields, start_with_real_dice
from tests.views.history.test_sheet import open_sheet
from tests.words import read_text


def enter(device: Device, game: Game, *points: int) -> None:
    """Enter turns with real dice one after the other; 0 is a bust."""
    for number in points:
        end = "bank" if number else "bust"
        assert device.do(game, "points", points=str(number or ""), end=end).status_code == 303


def start_empty(device: Device, rules: dict[str, Any]) -> Game:
    game = device.game(ruleset=rules)
    device.do(game, "mode", mode="manual")
    return game


def enter_or_bust(device: Device, game: Game, points: int) -> int:
    """Enter a turn with real dice, as a bust if the rules refuse its points; return what was entered."""
    if points and device.do(game, "points", points=str(points), end="bank").status_code == 303:
        return points
    assert device.do(game, "points", end="bust").status_code == 303
    return 0


def list_fields(html: str) -> dict[str, Any]:
    """Return the fields of the sheet in which points can be corrected: name and value, the latest turn first."""
    return dict(re.findall(r'<input name="(points-\d+)"[^>]*?value="([^"]*)"', html, re.DOTALL))


def correct(device: Device, game: Game, back: int, points: str) -> Response:
    """Give the turn that is so many turns back other points, as the form of the sheet does."""
    fields = list_fields(open_sheet(device, game))
    return device.do(game, "correct", **(fields | {[*fields][back]: points}))


def test_the_sheet_offers_the_points_of_each_turn_with_real_dice(device: Device) -> None:
    game = start_with_real_dice(device)
    enter(device, game, 300, 0, 450)
    html = open_sheet(device, game)
    assert [*list_fields(html).values()] == ["450", "0", "300"]
    assert "Round 3 · Ana" in read_text(html)
    assert f'{game.get_absolute_url()}/sheet#correct">Correct an entry' in device.page(game)


def test_a_corrected_number_changes_the_scores_and_keeps_the_turns_after_it(device: Device) -> None:
    game = start_with_real_dice(device)
    enter(device, game, 300, 0, 450, 200)
    answer = correct(device, game, 3, "350")
    assert (answer.status_code, answer["Location"]) == (303, game.get_absolute_url())
    assert load_scores(game) == [1800, 1200]
    assert [*list_fields(open_sheet(device, game)).values()] == ["200", "450", "0", "350"]
    shots = [event for event in load_record(reload_game(game)).events if isinstance(event, ShotRecord)]
    assert [shot.cancelled for shot in shots] == [False] * 2 + [True] * 4 + [False] * 4


def test_a_bust_becomes_a_bank_and_a_bank_a_bust(device: Device) -> None:
    game = start_with_real_dice(device)
    enter(device, game, 300, 0)
    correct(device, game, 0, "500")
    correct(device, game, 1, "")
    assert load_scores(game) == [1000, 1500]


def test_what_is_entered_of_the_running_turn_stays(device: Device) -> None:
    game = start_with_real_dice(device)
    enter(device, game, 300, 200)
    html = press_pad(device, game, "add", **read_hidden_fields(device.page(game)), points="150")
    assert "turn 150" in html
    correct(device, game, 1, "350")
    assert "turn 150" in device.page(game) and load_scores(game) == [1350, 1200]


def test_the_last_turn_can_still_be_undone_after_a_correction(device: Device) -> None:
    game = start_with_real_dice(device)
    enter(device, game, 300, 200)
    correct(device, game, 1, "350")
    device.do(game, "undo")
    assert load_scores(game) == [1350, 1000] and load_state(reload_game(game)).player == 1


def test_a_corrected_number_can_end_the_game(device: Device) -> None:
    game = start_with_real_dice(device, target=2000)
    enter(device, game, 300, 200)
    assert correct(device, game, 1, "1000").status_code == 303
    assert reload_game(game).status == Game.Status.FINISHED and load_scores(game) == [2000, 1200]


def test_a_number_after_which_others_would_have_been_due_is_refused(device: Device) -> None:
    game = start_with_real_dice(device, target=2000)
    enter(device, game, 300, 200, 300)
    answer = correct(device, game, 2, "1000")
    assert answer.status_code == 422 and "Undo them one by one instead." in read_text(answer.content.decode())
    assert load_scores(game) == [1600, 1200]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "slug", ["farkle", "pot", "boxcars", "zilch-growing", "cinquemila", "macke", "zonk-ten-rounds"]
)
def test_a_corrected_game_is_the_one_in_which_the_right_number_was_entered_at_once(
    device: Device, slug: str, seed: int
) -> None:
    chance, rules = random.Random(seed), list_shipped_rulesets()[slug].to_json()
    rules |= {"slug": "own", "name": "Own", "first_player": "seat_order"}
    corrected, right = (start_empty(device, rules) for _game in range(2))
    entered = [enter_or_bust(device, corrected, chance.choice([0, 300, 500, 1000])) for _turn in range(8)]
    back, number = chance.randrange(8), chance.choice([0, 350, 600, 1000])
    answer = correct(device, corrected, back, str(number))
    entered[7 - back] = number
    taken = [enter_or_bust(device, right, points) for points in entered]
    if taken == entered:
        assert answer.status_code == 303
        assert state_to_json(load_state(reload_game(corrected))) == state_to_json(load_state(reload_game(right)))
        assert replay_rows(reload_game(corrected)) == load_state(reload_game(corrected))
    else:
        assert answer.status_code == 422 and len(list_fields(open_sheet(device, corrected))) == 8


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        ("many", "Enter points as a whole number, for example 350."),
        ("310", "No turn can make 310 points under these rules. Did you mean 300 or 350?"),
    ],
)
def test_points_that_cannot_be_are_refused_on_the_sheet_and_nothing_changes(
    device: Device, points: str, sentence: str
) -> None:
    game = start_with_real_dice(device)
    enter(device, game, 300, 200)
    answer = correct(device, game, 1, points)
    html = answer.content.decode()
    assert answer.status_code == 422 and sentence in read_text(html)
    assert [*list_fields(html).values()] == ["200", points]
    assert load_scores(game) == [1300, 1200]


def test_turns_of_other_dice_are_not_offered(device: Device) -> None:
    game = device.game(*BOTH_IN)
    assert not list_fields(open_sheet(device, game)) and "Correct an entry" not in device.page(game)
    typed: dict[str, Any] = {"points-1": "300"}
    answer = device.do(game, "correct", **typed)
    assert answer.status_code == 409 and "Undo it instead." in read_text(answer.content.decode())


def test_a_turn_before_a_player_joined_is_not_offered(device: Device) -> None:
    game = start_with_real_dice(device)
    enter(device, game, 300, 200)
    device.do(game, "seats", do="join", name="Chloé")
    assert not list_fields(open_sheet(device, game))


def test_nobody_corrects_alone_what_others_on_their_phones_have_entered(device: Device, other_device: Device) -> None:
    game = start_with_real_dice(device)
    enter(device, game, 300, 200)
    game.players.filter(seat=1).update(visitor=Visitor.objects.create(token_hash=other_device.browser.token_hash))
    for one in (device, other_device):
        assert not list_fields(open_sheet(one, game)) and "Correct an entry" not in one.page(game)
    typed: dict[str, Any] = {f"points-{find_last_turn(game).place}": "500"}
    assert device.do(game, "correct", **typed).status_code == 409
    assert load_scores(game) == [1300, 1200]
