"""Without JavaScript, a name, target or word that was refused is shown again at its field, with the reason."""

import html
import re
from typing import Any

import pytest

from tests.cast import ANA, BRUNO, IN, Device, Response, banked

TAKEN = "That name is taken in this game. Choose another one."


def find_input(answer: Response, field: str) -> str:
    found = re.search(rf'<input[^>]* id="{field}"[^>]*>', answer.content.decode())
    assert found
    return html.unescape(found[0])


def check_refused(answer: Response, field: str, typed: str, why: str) -> None:
    """Check that a field shows what was typed, and is marked as wrong for this reason."""
    assert answer.status_code == 422
    shown = find_input(answer, field)
    assert f' value="{typed}"' in shown and f'aria-invalid="true" aria-describedby="{field}-error"' in shown
    assert f'<span class="error" id="{field}-error">{why}</span>' in html.unescape(answer.content.decode())
    assert answer.content.decode().count('aria-invalid="true"') == 1


@pytest.mark.parametrize(
    ("form", "field"),
    [({"do": "rename", "seat": "0"}, "seat-0"), ({"do": "join"}, "seat-new")],
)
def test_a_refused_name_is_shown_again_in_the_open_list_of_players(
    device: Device, form: dict[str, Any], field: str
) -> None:
    answer = device.do(device.game(), "seats", name=BRUNO.upper(), **form)
    check_refused(answer, field, BRUNO.upper(), TAKEN)
    assert '<details class="seats" open>' in answer.content.decode()


def test_a_refused_target_is_shown_again_in_the_open_menu(device: Device) -> None:
    answer = device.do(device.game(), "target", target="1025")
    check_refused(answer, "target", "1025", "Choose a target from 100 to 100,000 in steps of 50.")
    assert '<details class="menu" id="menu" open>' in answer.content.decode()


@pytest.mark.parametrize("do", ["add", "free"])
def test_before_the_start_the_refused_name_of_a_new_player_is_shown_again(device: Device, do: str) -> None:
    game = device.waiting_game(ANA, BRUNO)
    check_refused(device.do(game, "seats", do=do, name=ANA, waiting="1"), "name-new", ANA, TAKEN)


def test_before_the_start_a_refused_new_name_is_shown_again(device: Device) -> None:
    game = device.waiting_game(ANA, BRUNO)
    pk = game.seats[1].pk
    answer = device.do(game, "seats", do="rename", player=pk, name="👨‍👩‍👧‍👦\u202e", waiting="1")
    why = "This name has a character that cannot be used. Use letters, digits, signs or emoji."
    check_refused(answer, f"name-{pk}", "👨‍👩‍👧‍👦\u202e", why)
    assert ' value="Ana"' in find_input(answer, f"name-{game.seats[0].pk}")


def test_before_the_start_a_refused_target_and_word_are_shown_again(device: Device) -> None:
    game = device.waiting_game(ANA, BRUNO)
    pk, word = game.seats[0].pk, "w" * 65
    answer = device.do(game, "target", target="999", waiting="1")
    check_refused(answer, "target", "999", "Choose a target from 100 to 100,000 in steps of 50.")
    answer = device.do(game, "word", player=pk, word=word, waiting="1")
    check_refused(answer, f"word-{pk}", word, "A word can have at most 64 characters.")


def test_a_name_beside_another_button_is_no_refused_name(device: Device) -> None:
    game = device.game(banked(0, 1000, IN))
    answer = device.do(game, "seats", do="in", seat=0, name="Anna")
    assert answer.status_code == 422 and ' value="Ana"' in find_input(answer, "seat-0")


def test_markup_in_what_was_typed_is_text(device: Device) -> None:
    answer = device.do(device.game(), "seats", do="rename", seat=0, name='"><script>1</script>' + "x" * 24)
    assert answer.status_code == 422 and "<script>1" not in answer.content.decode()
