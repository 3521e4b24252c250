"""The help page: easy to read, true to the rules, and with every key listed."""

import re
from itertools import pairwise

import pytest
from django.test import Client
from django.utils import timezone

from game import rules
from game.models import RulesetRow
from game.pages.practice.positions import EXAMPLE
from tests.words import read_text

pytestmark = pytest.mark.django_db


@pytest.fixture
def text(client: Client) -> str:
    response = client.get("/help")
    assert response.status_code == 200
    return response.content.decode()


def read_examples(text: str) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The throws of the example turn as (dice, those kept of them), sorted."""
    examples = []
    for throw in re.findall(r'"ds example">(.*?)</p>', text):
        dice = sorted((int(face), kept == "kept") for kept, face in re.findall(r'class="d (\w+)".*?#f(\d)', throw))
        examples.append((tuple(face for face, _ in dice), tuple(face for face, kept in dice if kept)))
    return examples


def test_the_example_turn_is_what_the_rules_say(client: Client, text: str) -> None:
    RulesetRow.objects.update(home=False, retired=timezone.now())  # without rules, the second throw is no tray
    classic, (first, second) = rules.preset("classic"), read_examples(client.get("/help").content.decode())
    assert read_examples(text) == [first] and [first[0], second[0]] == [tuple(sorted(dice)) for dice in EXAMPLE]
    assert [(keep.dice, keep.points) for keep in rules.keeps(classic, first[0])] == [((1,), 100)] == [(first[1], 100)]
    best = rules.keeps(classic, second[0])[0]
    assert (best.dice, best.points) == (second[1], 350)


def test_the_help_names_the_entry_minimum_and_the_target(text: str) -> None:
    assert "Your first bank must be at least 500 points in Classic 10,000; other rules differ." in text
    assert "The first to reach 10,000" in text


@pytest.mark.parametrize("key", ["R", "G", "+", "1", "6", "Ctrl+Z", "S", "L", "P"])
def test_every_key_of_the_rules_is_listed(text: str, key: str) -> None:
    assert f"<kbd>{key}</kbd>" in text


@pytest.mark.parametrize(
    "words", ["never a die", "as in *HAL", "Keep score with real dice", "secret number", "gold die"]
)
def test_the_questions_people_ask_are_answered(text: str, words: str) -> None:
    assert words in text


@pytest.mark.parametrize("slug", ["tysiac", "farkle-ten"])
def test_the_help_speaks_of_classic_whatever_the_home_page_plays(client: Client, slug: str) -> None:
    RulesetRow.objects.filter(slug=slug).update(home=True)
    text = client.get("/help").content.decode()
    assert "On your turn you throw six dice." in text and "at least 500 points in Classic 10,000" in text


def test_the_help_names_its_rules_in_one_way(client: Client) -> None:
    text = read_text(client.get("/help").content.decode())
    assert "Classic 10,000" in text and "Classic 10000" not in text


def test_headings_come_in_order(text: str) -> None:
    levels = [int(level) for level in re.findall(r"<h([1-6])[ >]", text)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_a_twelve_year_old_can_read_the_help(text: str) -> None:
    """The text has short sentences of short words: an ARI below 7, which stands for a reading age of twelve or less."""
    text = re.sub(r"<(summary|table|kbd|h[1-6]|nav|header|footer).*?</\1>", " ", text[text.index("<h1") :], flags=re.S)
    text = read_text(text)
    sentences, words = len(re.findall(r"[.?:](?= |$)", text)), re.findall(r"[\w’]+", text)
    index = 4.71 * sum(map(len, words)) / len(words) + 0.5 * len(words) / sentences - 21.43
    assert index < 7, index


def test_the_help_describes_the_end_as_the_rules_do(text: str) -> None:
    assert "starts the final round: it is played to its end" in text
