"""The odds page: whether to bank or throw, and the figures behind that answer."""

import re

import pytest
from django.http import QueryDict
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from game.forms.odds import OddsForm
from game.models import RulesetRow
from game.pages.odds_answer import Question, find_answer
from game.pages.odds_answer import find_problem as find_impossible
from game.rules import PRESETS, preset
from game.services import rulesets
from game.strategy.odds import bust_chance
from game.strategy.turn import solve_shot_points
from tests.require import require

pytestmark = pytest.mark.django_db


def open_page(client: Client, **query: str) -> tuple[str, int]:
    response = client.get("/odds", query)
    return response.content.decode(), response.status_code


def read_answer(text: str) -> str:
    match = re.search(r'id="answer">([^<]+)<', text)
    return match[1] if match else ""


def find_problem(text: str) -> tuple[str, ...]:
    return require(re.search(r'<li><a href="#(\w+)">([^<]+)</a>', text)).groups()


def test_too_many_dice_are_refused_with_the_number_of_dice(client: Client) -> None:
    text, status = open_page(client, ruleset="cinquemila", dice="6", points="300")
    assert status == 422
    assert find_problem(text) == ("dice", "These rules are played with five dice.")
    assert '<span class="error" id="dice-error">These rules are played with five dice.</span>' in text
    assert '<select id="dice" name="dice" aria-invalid="true" aria-describedby="dice-error">' in text
    assert "held-error" not in text


def test_the_page_says_where_to_find_more_rules_than_the_list_has(client: Client) -> None:
    text, _ = open_page(client)
    assert '<a href="/rules">More rulesets</a>' in text.partition('<select id="ruleset"')[2].partition("</p>")[0]


def test_the_page_opens_with_a_question_and_its_answer(client: Client) -> None:
    text, status = open_page(client)
    assert status == 200
    assert read_answer(text) == "Bank. Throwing 2 dice busts 44.4% of the time and gives 326 on average; you hold 400."


@pytest.mark.parametrize("slug", ["farkle-playpalace", "tysiac"])
def test_rules_with_a_tenth_of_the_points_open_with_a_tenth_of_the_question(client: Client, slug: str) -> None:
    text, status = open_page(client, ruleset=slug)
    assert status == 200 and 'value="40"' in text
    assert "Throwing 2 dice" in read_answer(text) and "40" in read_answer(text)


def test_all_other_rules_that_come_with_the_app_open_with_400_points(db: None) -> None:
    for row in RulesetRow.objects.exclude(slug__in=["farkle-playpalace", "tysiac", "tysyacha"]):
        form = OddsForm(QueryDict(f"ruleset={row.slug}"), [row])
        assert form.is_valid() and form.cleaned_data["points"] == 400, row.slug
        assert not find_impossible(row.rules, Question(2, 400, True)), row.slug


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"dice": "3", "points": "400", "in": "on"}, "Throw. Throwing 3 dice busts 27.8% of the time, but gives 4"),
        (
            {"dice": "2", "points": "400"},
            "Throw: your first bank must be at least 500. Throwing 2 dice busts 44.4%",
        ),
        ({"dice": "6", "points": "0", "in": "on"}, "Throw: a turn with six fresh dice gives 562 points on average."),
        ({"dice": "6", "points": "1500", "in": "on"}, "Throw: all six have scored, and these rules require"),
        ({"ruleset": "farkle", "dice": "2", "points": "300", "in": "on"}, "Throw: you need 350 to bank."),
        ({"ruleset": "farkle", "dice": "1", "points": "600", "in": "on"}, "Throw. Throwing 1 die busts 29.6% of"),
        ({"ruleset": "greed", "dice": "6", "points": "20000", "in": "on"}, "Bank. Throwing 6 dice busts "),
        ({"ruleset": "wikipedia", "dice": "6", "points": "750", "in": "on"}, "since the next player may pick up."),
        ({"ruleset": "kostky", "dice": "3", "points": "1000", "in": "on"}, "Throw: you can’t bank yet. Throwing 3"),
        ({"ruleset": "berliner-macke", "dice": "5", "points": "1100", "in": "on"}, "more than the 1,100 you hold."),
        ({"ruleset": "farkle-playpalace", "dice": "6", "points": "1000", "in": "on"}, "Throw. Throwing 6 dice busts 2"),
    ],
)
def test_the_page_answers(client: Client, query: dict[str, str], words: str) -> None:
    text, status = open_page(client, **query)
    assert status == 200 and words in read_answer(text)


@pytest.mark.parametrize(
    ("query", "begins", "ends"),
    [
        (
            {"ruleset": "zehntausend", "dice": "2", "points": "400", "in": "on"},  # three fours, and no other dice
            "Throw: these points must be proved first. Throwing 2 dice busts 44.4% of the time",
            "and the turn gives 287 on average.",
        ),
        (
            {"ruleset": "zehntausend", "dice": "2", "points": "300", "in": "on"},  # three threes or three ones
            "Bank. Throwing 2 dice",
            "you hold 300. Throw if some of them are still to be proved.",
        ),
        (
            {"ruleset": "zehntausend", "dice": "3", "points": "200", "in": "on"},  # two ones
            "Throw. Throwing 3 dice",
            "more than the 200 you hold.",
        ),
        (
            {
                "ruleset": "tiotusen-ett-kast",
                "dice": "2",
                "points": "1000",
            },
            "Bank. Throwing 2 dice",
            "you hold 1,000. Throw if they don’t get you on the board.",
        ),
        (
            {"ruleset": "tiotusen-ett-kast", "dice": "1", "points": "1000"},
            "Throw: you can’t bank yet. Throwing 1 die",
            "on average.",
        ),
    ],
)
def test_points_are_banked_only_where_the_rules_let_them(
    client: Client, query: dict[str, str], begins: str, ends: str
) -> None:
    answer = read_answer(open_page(client, **query)[0])
    assert answer.startswith(begins) and answer.endswith(ends)


@pytest.mark.examples
@pytest.mark.parametrize("slug", PRESETS)
def test_the_numbers_of_an_answer_are_the_solved_ones(slug: str) -> None:
    ruleset, values = preset(slug), solve_shot_points(preset(slug))
    for dice in range(1, 6):
        for points in (600, 1500, 5000):
            answer = find_answer(ruleset, Question(dice, points, True))
            thrown = values.throw(values.graph.plain_column(dice), points, 0)
            chance = bust_chance(ruleset, dice) ** (ruleset.last_die_throws if dice == 1 else 1)
            assert answer.bust == pytest.approx(chance) and answer.value == pytest.approx(thrown)
            banks = values.bank(values.graph.plain_column(dice), points) >= thrown
            assert answer.way == ("bank" if banks else "throw")


def read_figures(text: str, name: str) -> dict[str, list[str]]:
    """Return the figures in the table under a drawing, by label."""
    table = require(re.search(rf'id="{name}-chart".*?<tbody>(.*?)</tbody>', text, re.S))[1]
    rows = re.findall(r'<th scope="row">([^<]+)</th>(.*?)</tr>', table, re.S)
    return {label: re.findall(r"<td>([^<]+)</td>", rest) for label, rest in rows}


def test_classic_advises_throwing_below_the_points_of_the_design(client: Client) -> None:
    table = read_figures(open_page(client, ruleset="classic")[0], "below")
    assert [row[0] for row in table.values()] == ["300", "250", "450", "1,050", "3,100", "always"]
    assert [row[1] for row in table.values()] == ["500", "500", "500", "1,050", "3,100", "always"]


@pytest.mark.parametrize("slug", ["dez-mil", "farkle-playpalace", "berliner-macke"])
def test_the_answer_for_a_fresh_turn_equals_the_figure_for_a_whole_turn(client: Client, slug: str) -> None:
    text, _ = open_page(client, ruleset=slug, dice="5" if slug == "berliner-macke" else "6", points="0", **{"in": "on"})
    whole = require(re.search(r"a whole turn in .*?\s+gives (\S+) on average", text, re.S))[1]
    assert f"fresh dice gives {whole} points on average" in read_answer(text)


@pytest.mark.parametrize(("slug", "twice"), [("classic", True), ("farkle-ten", False)])
def test_a_turn_before_the_first_bank_is_told_apart_only_where_it_differs(
    client: Client, slug: str, twice: bool
) -> None:
    assert ("before you are on the board." in open_page(client, ruleset=slug)[0]) is twice


def test_no_game_of_rounds_is_said_to_go_to_a_target(client: Client) -> None:
    assert "two players, can be worked out" in open_page(client, ruleset="farkle-ten")[0]


def test_every_drawing_has_a_table_with_the_same_figures(client: Client) -> None:
    for slug in PRESETS:
        text, _ = open_page(client, ruleset=slug)
        for name in ("bust", "points", "sweep", "below"):
            drawn = require(re.search(rf'id="{name}-chart".*?<svg(.*?)</svg>', text, re.S))[1]
            assert re.findall(r'<text x="[^"]+" y="\d+">([^<]+)<', drawn) == [
                c[0] for c in read_figures(text, name).values()
            ]
            assert 'role="img"' in drawn and "<desc" in drawn


def test_bust_chances_are_exact_and_count_the_tries_with_the_last_die(client: Client) -> None:
    assert [row[0] for row in read_figures(open_page(client)[0], "bust").values()] == [
        "66.7%", "44.4%", "27.8%", "15.7%", "7.7%", "2.3%"
    ]  # fmt: skip
    assert read_figures(open_page(client, ruleset="farkle")[0], "bust")["1 die, 3 tries"] == ["29.6%"]


def test_rules_made_in_the_admin_have_odds(client: Client) -> None:
    changes = {"slug": "sunday", "name": "Sunday", "singles": [200, 0, 0, 0, 100, 0]}
    row = rulesets.save_ruleset(None, RulesetRow.objects.get(slug="classic").settings | changes)
    text, status = open_page(client, ruleset=row.slug)
    assert status == 200 and "Sunday" in text and read_answer(text)
    assert read_figures(text, "points")["1 die"] == ["50"]


def test_rules_under_which_nothing_scores_are_no_trouble(client: Client) -> None:
    row = RulesetRow.objects.create(slug="none", name="None", settings={"slug": "none", "name": "None"})
    text, status = open_page(client, ruleset=row.slug)
    assert status == 200 and "nothing scores" in read_answer(text)


@pytest.mark.parametrize(
    ("query", "place", "words"),
    [
        ({"dice": "2", "points": "75"}, "held", "No turn can make 75 points under these rules. Did you mean 200?"),
        (
            {"dice": "3", "points": "475"},
            "held",
            "No turn can make 475 points under these rules. Did you mean 450 or 500?",
        ),
        ({"dice": "2", "points": "0"}, "held", "With fewer than six dice left you already have points."),
        ({"dice": "2", "points": "-50"}, "held", "Enter points as a whole number up to 50,000, for example 350."),
        ({"dice": "2", "points": "1e9"}, "held", "Enter points as a whole number up to 50,000"),
        ({"dice": "2", "points": "99999999999"}, "held", "Enter points as a whole number up to 50,000"),
        ({"dice": "2", "points": "٤٠٠"}, "held", "Enter points as a whole number up to 50,000"),
        ({"dice": "2", "points": "\0"}, "held", "Enter points as a whole number up to 50,000"),
        ({"dice": "2"}, "held", "Enter points as a whole number up to 50,000"),
        ({"dice": "7", "points": "400"}, "dice", "Choose one of the answers on this page."),
        ({"points": "400"}, "dice", "Choose one of the answers on this page."),
        ({"ruleset": "nosuch"}, "ruleset", "Choose a ruleset from this page."),
        ({"ruleset": "9" * 5000}, "ruleset", "Choose a ruleset from this page."),
    ],
)
def test_a_question_that_makes_no_sense_gets_a_sentence(
    client: Client, query: dict[str, str], place: str, words: str
) -> None:
    text, status = open_page(client, **query)
    assert status == 422
    assert find_problem(text)[0] == place and find_problem(text)[1].startswith(words)
    assert f'id="{place}"' in text and "<title>Error:" in text


def test_the_odds_page_takes_only_get(client: Client) -> None:
    assert client.post("/odds").status_code == 405


def test_the_odds_page_takes_few_queries(client: Client, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_max_num_queries(4):
        client.get("/odds")


def test_every_page_links_to_the_odds(client: Client) -> None:
    assert 'href="/odds"' in client.get("/").content.decode()


@pytest.mark.parametrize("slug", ["zehntausend", "macke", "farkle-ten", "le-10000", "hot-dice"])
def test_rules_of_the_world_have_an_odds_page(client: Client, slug: str) -> None:
    rules = RulesetRow.objects.get(slug=slug).rules
    for query in ({}, {"dice": "3", "points": "300"}, {"dice": str(rules.dice), "points": "1000", "in": "on"}):
        text, status = open_page(client, ruleset=slug, **query)
        assert status in (200, 422)
        assert len(read_figures(text, "bust")) == rules.dice
