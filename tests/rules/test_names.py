"""The names that a player may have."""

import pytest

from game.rules import IllegalMove, clean_name
from game.rules.names import is_printable, same_name

FLAG = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
GOOD = [
    "Ana", "Zoë", "*HAL", "สมชาย", "李小龙", "O'Neill", "Jean-Luc", "R2D2", "👨‍👩‍👧‍👦", FLAG, "❤️", "<script>",
    "{{7*7}}", '"><img onerror>', "javascript:", "=HYPERLINK()", "a" * 24, "a\u0323\u0307\u0301", "🙂\u200d↔️",
    "1️⃣", "☺️ Ana", "‼️", "می\u200cروم", "محمد\u200cرضا", "श्री", "අනුරාධ ශ්\u200dරී", "അനില്\u200d", "क्\u200cष",
]  # fmt: skip
BAD = {
    "": "name_empty", "   ": "name_empty", "a" * 25: "name_long",
    "a" + "\u0338" * 23: "name_marks", "क" + "्\u200d" * 4: "name_marks",
    **dict.fromkeys(
        ["a\x00b", "\ud800", "a\u202eb", "a\u200eb", "\u200b", "a\u200db",
         "\ue000", "a\tb", "\u3164", "a\nb", "\u00ad", "a\u00a0b", "\ufe0f", "Anna\ufe0f", "An\ufe0fna",
         "\u200cعلی", "علی\u200c", "علی\u200dرضا", "علی\u200c\u200cرضا", "علی\u200c رضا", "a\u200cb", "क\u200d",
         "क्\u200d\u200d",
         "Anna\ufe00", "Anna\u180b", "Anna\U000e0100", "❤️\ufe0f", FLAG + "a\U000e0067"],
        "name_character",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", GOOD)
def test_a_name_that_people_have_is_accepted(name: str) -> None:
    assert clean_name(name)


@pytest.mark.parametrize("name", BAD)
def test_a_name_that_nobody_can_read_is_refused(name: str) -> None:
    with pytest.raises(IllegalMove) as refusal:
        clean_name(name)
    assert refusal.value.code == BAD[name]


def test_names_of_rules_and_crews_have_joiners_only_where_they_are_needed() -> None:
    assert all(map(is_printable, ("Haus 👨‍👩‍👧‍👦", FLAG, "❤️", "🙂\u200d↔️", "می روم", "می\u200cروم", "ශ්\u200dරී")))
    assert not any(map(is_printable, ("a\u200cb", "a\u200db", "👨\u200d", FLAG[1:], "a\nb", "a\u202eb")))


def test_a_name_is_trimmed_and_composed() -> None:
    assert clean_name("  Anna   Lena ") == "Anna Lena"
    assert clean_name("Zoe\u0308") == "Zoë"
    with pytest.raises(IllegalMove):
        clean_name(7)


def test_names_in_other_forms_of_the_same_letters_are_the_same() -> None:
    assert same_name("Anna", "ＡＮＮＡ")
    assert same_name("Straße", "STRASSE")
    assert same_name("❤️", "❤")
    assert same_name("علی\u200cرضا", "علیرضا")
    assert same_name("ශ්\u200dරී", "ශ්රී")
    assert not same_name("👨\u200d👩", "👨👩")
    assert not same_name("Ana", "Anna")
