"""A name, target or word that was refused is shown again at its field, with the reason."""

import html
import re
from typing import Any

import pytest

from tests.cast import ANA, BRUNO, IN, Device, Response, bank

TAKEN = "That name is taken. Choose another one."


def find_input(answer: Response, field: str) -> str:
    match = re.search(rf'<input[^>]* id="{field}"[^>]*>', answer.content.decode())
    assert match
    return html.unescape(match[0])


def check_refused(answer: Response, field: str, typed: str, why: str) -> None:
    """Check that a field shows what was typed, and is marked as wrong for this reason."""
    assert answer.status_code == 422
    shown = find_input(answer, field)
    assert f' value="{typed}"' in shown and f'aria-invalid="true" aria-describedby="{field}-error"' in shown
    assert f'<span class="error" id="{field}-error">{why}</span>' in html.unescape(answer.content.decode())
    wrong = re.findall(r'<input[^>]* id="([^"]+)"[^>]* aria-invalid="true"', answer.content.decode())
    assert {name.removeprefix("looks-") for name in wrong} == {field.removeprefix("looks-")}


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
    for field in (f"name-{pk}", f"looks-name-{pk}"):  # in the list, and where a tap on the own seat opens
        check_refused(answer, field, "👨‍👩‍👧‍👦\u202e", why)
    assert ' value="Ana"' in find_input(answer, f"name-{game.seats[0].pk}")


def test_before_the_start_a_refused_target_and_word_are_shown_again(device: Device) -> None:
    game = device.waiting_game(ANA, BRUNO)
    pk, word = game.seats[0].pk, "w" * 65
    answer = device.do(game, "target", target="999", waiting="1")
    check_refused(answer, "target", "999", "Choose a target from 100 to 100,000 in steps of 50.")
    answer = device.do(game, "word", player=pk, word=word, waiting="1")
    check_refused(answer, f"word-{pk}", word, "A word can have at most 64 characters.")


def test_a_name_beside_another_button_is_no_refused_name(device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    answer = device.do(game, "seats", do="in", seat=0, name="Anna")
    assert answer.status_code == 422 and ' value="Ana"' in find_input(answer, "seat-0")


@pytest.mark.parametrize("part", ["key", "version"])
def test_a_form_that_lacks_a_part_says_to_load_the_page_again(device: Device, part: str) -> None:
    form: dict[str, Any] = {part: ""}
    answer = device.do(device.game(), "throw", **form)
    assert answer.status_code == 400 and "not complete. Load the page again." in answer.content.decode()


def test_markup_in_what_was_typed_is_text(device: Device) -> None:
    answer = device.do(device.game(), "seats", do="rename", seat=0, name='"><script>1</script>' + "x" * 24)
    assert answer.status_code == 422 and "<script>1" not in answer.content.decode()


def check_marked(answer: Response, field: str, stored: str) -> None:
    """Check that a field of a page with JavaScript is marked as wrong, and is sent with the stored value.

    What was typed stays in it as long as that value is the same; a new one would replace it at the next change.
    """
    assert answer.status_code == 422 and f'<span class="error" id="{field}-error">' in answer.content.decode()
    shown = find_input(answer, field)
    assert f' value="{stored}"' in shown and f'aria-invalid="true" aria-describedby="{field}-error"' in shown


def test_with_javascript_the_reason_is_at_the_field_and_the_text_stays(device: Device) -> None:
    game = device.game()
    check_marked(device.do(game, "seats", htmx=True, do="rename", seat="0", name=BRUNO), "seat-0", ANA)
    check_marked(device.do(game, "seats", htmx=True, do="join", name=BRUNO), "seat-new", "")
    check_marked(device.do(game, "target", htmx=True, target="1025"), "target", "10000")


def test_before_the_start_the_reason_is_at_the_field_and_the_text_stays(device: Device) -> None:
    game = device.waiting_game(ANA, BRUNO)
    pk = game.seats[1].pk
    renamed = device.do(game, "seats", htmx=True, do="rename", player=pk, name=ANA, waiting="1")
    check_marked(renamed, f"name-{pk}", BRUNO)
    check_marked(renamed, f"looks-name-{pk}", BRUNO)
    check_marked(device.do(game, "word", htmx=True, player=pk, word="w" * 65, waiting="1"), f"word-{pk}", "")
