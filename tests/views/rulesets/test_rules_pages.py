"""The pages of rules: the list and its search, the comparison, and a page for each ruleset."""

import html
import json
import re
import unicodedata
from dataclasses import replace
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.utils.translation import override
from markupsafe import escape
from pytest_django import DjangoAssertNumQueries

from game import rules, services
from game.models import Game, RulesetRow
from game.pages.rulesets import comparison, examples
from game.pages.rulesets.examples import describe_chance
from game.pages.rulesets.face_points import build_value_grid
from game.pages.rulesets.labels import LABELS
from game.pages.rulesets.names import name_ruleset
from game.pages.rulesets.page import list_prose_values
from game.pages.rulesets.patterns import describe_effect
from game.pages.rulesets.sample_throws import FIRST_THROW, build_live_example
from game.pages.rulesets.summary import describe_specials, list_distinguishing_facts, list_scoring_dice
from game.rules.combinations import Combination
from game.services.shipped_rulesets import read_world_tables
from tests.cast import Device
from tests.require import require
from tests.words import read_text

pytestmark = pytest.mark.django_db


def read_page(client: Client, address: str, status: int = 200) -> str:
    response = client.get(address)
    assert response.status_code == status
    return read_text(response.content.decode().partition("<main")[2])


FIVE: dict[str, Any] = {
    "dice": 5, "straight": 0, "three_pairs": 0, "of_a_kind": (*rules.PRESETS["classic"].of_a_kind[:3], (0,) * 6),
}  # fmt: skip


def render_prose(ruleset: rules.Ruleset) -> str:
    return render_to_string("game/partials/prose.html", {**list_prose_values(ruleset), "keeps_seats": False})


def write_prose(**settings: Any) -> str:
    return read_text(render_prose(replace(rules.PRESETS["classic"], **settings)))


def list_sections(ruleset: rules.Ruleset) -> list[str]:
    return re.findall(r'<h2 id="([\w-]+)">', render_prose(ruleset))


# ── the list ──


def test_all_rules_are_listed_with_their_origin(client: Client) -> None:
    page = read_page(client, "/rules")
    for row in RulesetRow.objects.all():
        assert name_ruleset(row) in page
    assert "From “Dice 10000” in Wikipedia" in page
    assert "Where it is played: United States, online" in page
    assert "Points to get on the board 1,000" in page


def test_the_list_takes_one_query_for_any_number_of_rulesets(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        client.get("/rules")


def test_retired_rules_leave_the_list_and_their_page_says_so(client: Client) -> None:
    services.retire_ruleset(RulesetRow.objects.get(slug="greed-5000"))
    assert "Quick Greed" not in read_page(client, "/rules")
    page = read_page(client, "/rules/greed-5000")
    assert "This ruleset is archived" in page
    assert "Play these rules" not in page


def test_house_rules_are_listed_as_such(client: Client) -> None:
    services.save_ruleset(None, {"slug": "house", "name": "House <b>", "singles": [100, 0, 0, 0, 50, 0]})
    assert "House rules of this site" in read_page(client, "/rules")
    assert "House &lt;b&gt;" in client.get("/rules/house").content.decode()


def test_a_site_without_rules_says_so(client: Client) -> None:
    RulesetRow.objects.all().delete()
    assert "There are no rulesets to play right now." in read_page(client, "/rules")


# ── the list ──


def search_rules(client: Client, query: str) -> list[str]:
    page = client.get("/rules", {"q": query}).content.decode()
    return re.findall(r'<h2><a href="/rules/([^"]+)">', page)


def test_the_eight_rulesets_of_the_documents_come_first(client: Client) -> None:
    assert search_rules(client, "")[:8] == list(rules.PRESETS)
    assert len(search_rules(client, "")) == 8 + 46


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_tables_of_the_world_are_in_the_order_of_the_names_that_are_read(client: Client, language: str) -> None:
    page = client.get("/rules", headers={"Accept-Language": language}).content.decode()
    names = re.findall(r'<h2><a href="/(?:\w\w/)?rules/[^"]+">(.*?)</a>', page, re.DOTALL)[8:]
    folded = [unicodedata.normalize("NFKD", html.unescape(read_text(name)).strip().casefold()) for name in names]
    assert len(folded) == 46 and folded == sorted(folded)


@pytest.mark.parametrize(
    ("query", "slug"),
    [
        ("Macke", "berliner-macke"),
        ("volle lotte", "volle-lotte"),
        ("tysiac", "tysiac"),
        ("зонк", "zonk-ten-rounds"),
        ("Sweden", "tiotusen"),
        ("five dice", "zehntausend"),
        ("exact five", "cinquemila"),
        ("rounds", "farkle-facebook"),
        ("proved", "zehntausend-schwer"),
        ("Wikipedia free", "wikipedia"),
        ("three pairs 1500", "farkle-boxed"),
        ("four of a kind 1,000", "farkle-boxed"),
        ("straight 1000", "farkle-ten"),
        ("full house", "game10000"),
    ],
)
def test_rules_are_found_by_name_region_and_contents(client: Client, query: str, slug: str) -> None:
    slugs = search_rules(client, query)
    assert slug in slugs
    assert len(slugs) < 30


@pytest.mark.parametrize(
    ("query", "language", "found", "missing"),
    [
        ("5 dice", "en", "macke", "farkle-ten"),
        ("6 dice", "en", "farkle-ten", "macke"),
        ("sechs Würfel", "de", "farkle-ten", "macke"),
        ("5 dés", "fr", "macke", "farkle-ten"),
        ("UK", "en", "zilch-playr", "tysyacha"),
        ("5000", "en", "le-5000", "classic"),
    ],
)
def test_figures_and_short_words_are_found_only_whole(
    client: Client, query: str, language: str, found: str, missing: str
) -> None:
    page = client.get("/rules", {"q": query}, headers={"Accept-Language": language}).content.decode()
    slugs = re.findall(r'<h2><a href="/(?:\w\w/)?rules/([^"]+)">', page)
    assert found in slugs and missing not in slugs


def test_rules_of_that_name_come_before_those_that_only_mention_it(client: Client) -> None:
    page = client.get("/rules?q=farkle").content.decode()
    names = [html.unescape(name) for name in re.findall(r'<h2><a href="[^"]+"><bdi>(.*?)</bdi>', page)]
    named = ["Farkle" in name for name in names]
    assert names[:2] == ["Farkle", "Quick Farkle"] and "10.000" in names
    assert named == sorted(named, reverse=True) and named.count(True) > 5


def test_rules_are_found_by_the_name_that_the_reader_sees(client: Client) -> None:
    assert "Farkle aus der Schachtel" in read_page(client, "/de/rules?q=schachtel")


def test_the_list_links_to_the_rules_by_country(client: Client) -> None:
    link = require(re.search(r'href="([^"]+)">By country<', client.get("/rules").content.decode()))
    path, _hash, part = link[1].partition("#")
    assert f'<h2 id="{part}">' in client.get(path).content.decode()


def test_what_scores_is_searched_line_by_line(client: Client) -> None:
    for slug in search_rules(client, "three pairs 1500"):
        words = re.sub("<[^>]+>", " ", client.get(f"/rules/{slug}").content.decode())
        assert re.search(r"Three pairs\s+1,500", words), slug
    assert len(search_rules(client, "three pairs")) > 30


def test_a_search_without_a_match_says_what_to_do(client: Client) -> None:
    page = client.get("/rules?q=chess").content.decode()
    assert "No set of rules has all these words." in page
    link = require(re.search(r'<a href="([^"]+)">Or make your own', page))[1]
    assert client.get(link).status_code == 200


def test_each_table_of_the_world_has_a_page_with_its_source(client: Client) -> None:
    for slug, table in read_world_tables().items():
        page = client.get(f"/rules/{slug}").content.decode()
        assert str(escape(table.source)) in page
        assert str(escape(table.notes)) in page
        assert f"/new?ruleset={slug}" in page


def test_the_notes_on_a_table_are_in_the_language_of_the_page(client: Client) -> None:
    english = str(escape(read_world_tables()["macke"].notes))
    assert english in client.get("/rules/macke").content.decode()
    german = client.get("/de/rules/macke").content.decode()
    assert english not in german
    assert "Macke" in german.split("<dt>Anmerkungen</dt>")[1].split("</dd>")[0]


# ── side by side ──


def test_three_rulesets_are_compared_in_a_table(client: Client) -> None:
    page = client.get("/rules?compare=classic&compare=farkle&compare=pot").content.decode()
    assert page.count('scope="col"') == 3
    assert "<caption" in page
    assert re.search(r"Tries with the last die</th>\s*<td[^>]*>1</td><td[^>]*>1</td><td[^>]*>3</td>", page)


def test_a_fourth_ruleset_is_left_out_and_the_page_says_so(client: Client) -> None:
    page = read_page(client, "/rules?" + "&".join(f"compare={slug}" for slug in list(rules.PRESETS)[:4]))
    assert "these are the first three" in page


@pytest.mark.parametrize("query", ["go=1", "compare=classic", "compare=nobody&compare=%00", "compare=%ff"])
def test_a_comparison_of_fewer_than_two_asks_for_more(client: Client, query: str) -> None:
    assert "Choose two or three of the rulesets below" in read_page(client, f"/rules?{query}")


def test_the_comparison_leaves_out_settings_that_no_ruleset_has() -> None:
    lines = dict(comparison.compare_rulesets([rules.PRESETS["classic"], rules.PRESETS["greed"]]))
    assert "Two triplets" in lines
    assert "Pot" not in lines
    assert lines["Six of a kind"] == ["1,000 × number, 1s: 10,000", "3,000, 1s: 10,000"]


def test_the_comparison_sets_each_face_apart_from_its_points(client: Client) -> None:
    assert "1s: 100, 5s: 50" in read_page(client, "/rules?compare=classic&compare=pot")
    french = read_page(client, "/fr/rules?compare=classic&compare=pot")
    assert "les 1 : 100, les 5 : 50" in french and "100 × face, les 1 : 1 000" in french


def test_the_comparison_says_what_going_beyond_an_exact_target_means() -> None:
    tables = read_world_tables()
    lines = dict(comparison.compare_rulesets([tables["le-10000"].ruleset, tables["zloutch"].ruleset]))
    assert lines["Exact target"] == ["yes, beyond it is a bust", "yes, beyond it ends the turn"]


def test_the_comparison_says_for_each_ruleset_how_many_dice_it_has() -> None:
    lines = dict(comparison.compare_rulesets([rules.PRESETS["classic"], read_world_tables()["macke"].ruleset]))
    assert lines["Number of dice"] == ["six", "five"]


def test_the_comparison_says_what_busts_cost_below_how_many_it_takes() -> None:
    tables = read_world_tables()
    lines = comparison.compare_rulesets([tables["macke"].ruleset, tables["berliner-macke"].ruleset])
    place = lines.index(("Busts in a row", ["1", ""]))
    assert lines[place + 1] == ("What they cost", ["the turn’s points", ""])


def test_the_comparison_names_what_is_to_be_proved_among_what_the_rules_have() -> None:
    harder, classic = read_world_tables()["zehntausend-schwer"].ruleset, rules.PRESETS["classic"]
    proved = replace(classic, confirm=("of_a_kind", "straights", "combinations"), confirm_by="single")
    row, by = str(LABELS["confirm"]), str(LABELS["confirm_by"])
    lines = dict(comparison.compare_rulesets([harder, proved, classic]))
    assert lines[row] == ["straights, three pairs", "three or more of a kind, straights", ""]
    assert lines[by] == ["500 points", "a single die", ""]
    assert "To be proved: straights and three pairs." in read_text(render_prose(harder))


def test_nothing_is_said_to_be_proved_where_the_rules_have_nothing_of_the_kind() -> None:
    void = replace(rules.PRESETS["classic"], confirm=("combinations",), confirm_by="single")
    assert not {str(LABELS["confirm"]), str(LABELS["confirm_by"])} & dict(comparison.compare_rulesets([void])).keys()
    assert "prove" not in list_sections(void) and "proved" not in describe_specials(void)


def test_the_comparison_says_of_a_throw_of_nothing_what_it_counts_as() -> None:
    again = replace(rules.PRESETS["classic"], nothing="again", nothing_bonus=50)
    assert ("What a throw of nothing counts as", ["thrown again"]) in comparison.compare_rulesets([again])


@pytest.mark.parametrize(("slug", "heading"), [("macke", "Busts"), ("noppa-10000", "Busts in a row")])
def test_what_each_bust_costs_is_not_said_of_busts_in_a_row(client: Client, db: None, slug: str, heading: str) -> None:
    page = client.get(f"/rules/{slug}").content.decode()
    assert require(re.search(r"<h[23][^>]*>(Busts[^<]*)</h", page))[1] == heading


def test_a_card_names_what_sets_rules_apart() -> None:
    assert "bank with at most 2 dice left" in describe_specials(read_world_tables()["kostky"].ruleset)
    assert describe_specials(read_world_tables()["dez-mil"].ruleset) == "some busts cost points"


def test_a_first_bank_that_needs_a_set_is_not_said_to_need_nothing() -> None:
    tre_ens = read_world_tables()["ti-tusind-tre-ens"].ruleset
    assert list_distinguishing_facts(tre_ens)[-1] == "first bank with a combination of three dice or more"
    assert "no opening minimum" not in list_distinguishing_facts(tre_ens)
    singles = replace(tre_ens, entry_needs="singles")
    assert "only single dice score before the first bank" in list_distinguishing_facts(singles)


def test_a_named_combination_says_that_other_dice_make_it_too(client: Client) -> None:
    assert "Tysiąc (dice like 1 1 1 1 1)" in read_page(client, "/rules/tysiac")
    assert "Cinq as (" not in read_page(client, "/rules/le-5000")


def test_the_combinations_of_shipped_rules_have_names_in_the_readers_language(client: Client) -> None:
    assert "Giftige Zweien" in read_page(client, "/de/rules/farkle-toxic-twos")
    assert "Ein Wurf mit 2 2 2 2 ist immer ein Fehlwurf" in read_page(client, "/de/rules/farkle-toxic-twos")
    swedish = read_page(client, "/sv/rules/game10000")
    assert "Kåk (" in swedish and "Kåk med fyrtal (" in swedish


def test_ones_without_a_value_as_a_set_are_shown_with_what_they_score() -> None:
    macke = read_world_tables()["berliner-macke"].ruleset
    shown = {score.name: (score.points, score.ones) for score in list_scoring_dice(macke)}
    assert shown["Three of a kind"] == ("100 × number", "1s: 300")
    assert dict(build_value_grid(macke))["3 dice"][0] == "300"
    assert dict(comparison.compare_rulesets([macke]))["Three of a kind"] == ["100 × number, 1s: 300"]
    never = replace(macke, singles=(0, 0, 0, 0, 50, 0))
    assert ("100 × number", "1s: 0") in {(score.points, score.ones) for score in list_scoring_dice(never)}


def test_differences_from_the_first_ruleset_are_marked(client: Client) -> None:
    page = client.get("/rules?compare=classic&compare=farkle&compare=pot").content.decode()
    assert re.search(r'<td class="text">1</td><td class="text">1</td><td class="text differs">3</td>', page)
    assert re.search(r'<tr>\s*<th scope="row"><span class="vh">Differs: </span>Tries with the last die</th>', page)
    assert re.search(r'<tr class="same">\s*<th scope="row">Single die</th>', page)


@pytest.mark.parametrize("slug", ["pot", "kostky"])
def test_each_ruleset_links_to_its_comparison_with_classic(client: Client, slug: str) -> None:
    page = client.get(f"/rules/{slug}").content.decode()
    link = f"/rules?compare=classic&amp;compare={slug}#compared"
    assert f'href="{link}">Compare with Classic 10,000</a>' in page
    assert "compared-title" in client.get(f"/rules?compare=classic&compare={slug}").content.decode()
    assert "Compare with Classic" not in client.get("/rules/classic").content.decode()


# ── one ruleset ──


@pytest.mark.parametrize("slug", list(rules.PRESETS))
def test_each_shipped_ruleset_has_a_page(client: Client, slug: str) -> None:
    page = client.get(f"/rules/{slug}").content.decode()
    assert f"/new?ruleset={slug}" in page
    assert " style=" not in page
    assert "<style" not in page
    assert not re.search(r"<script(?! src=)", page)


@pytest.mark.parametrize("slug", ["nobody", "CLASSIC", "x" * 500])
def test_an_unknown_ruleset_is_not_found(client: Client, slug: str) -> None:
    assert client.get(f"/rules/{slug}").status_code == 404


def test_the_page_of_a_ruleset_takes_one_query(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        client.get("/rules/boxcars")


def test_the_rules_of_a_game_begin_with_the_way_back_and_the_points(device: Device) -> None:
    for game in (device.game(), device.waiting_game()):
        link = f"/rules/classic?game={game.code}"
        assert f'href="{link}"' in device.page(game)
        page = device.client.get(link).content.decode().partition("<main")[2]
        assert f'href="/g/{game.code}">Back to the game</a>' in page
        points = [found.start() for found in re.finditer('id="scoring-title"', page)]
        assert len(points) == 1 and points[0] < page.index("From “Game rules")
    assert "Rules of this game: Classic 10,000" in read_text(device.page(device.game()))
    assert "Back to the game" not in read_page(device.client, "/rules/classic")


def test_the_rules_read_in_a_game_say_the_target_that_was_chosen_for_it(device: Device) -> None:
    game = device.game(target=5000)
    assert "This game is played to 5,000." in read_page(device.client, f"/rules/classic?game={game.code}")
    assert "This game is played to" not in read_page(device.client, f"/rules/classic?game={device.game().code}")


def test_a_game_leads_to_the_version_of_its_rules_by_which_it_began(device: Device) -> None:
    begun = services.save_ruleset(None, {**rules.PRESETS["pot"].to_json(), "slug": "house", "name": "House"})
    game = device.waiting_game(ruleset="house")
    link = f"{game.rules_address}?game={game.code}"
    assert "This is version 1" not in read_page(device.client, link)
    services.save_ruleset(begun, {**begun.settings, "straight": 1750})
    page = read_page(device.client, link)
    assert "Back to the game" in page and "This is version 1" in page and "Straight: 1,500 → 1,750" in page
    assert "This is version 1" not in read_page(device.client, f"/rules/house/2?game={game.code}")


def test_the_rules_of_a_private_game_lead_no_stranger_to_it(device: Device, other_device: Device) -> None:
    game = device.game()
    for watching in (True, False):
        Game.objects.filter(pk=game.pk).update(watching=watching)
        link = f"/rules/classic?game={game.code}"
        assert "Back to the game" in read_page(device.client, link)
        assert ("Back to the game" in read_page(other_device.client, link)) is watching


def test_the_page_says_how_long_a_game_takes_and_what_that_assumes(client: Client) -> None:
    assert "About 35 minutes for 4 players: 21 rounds, at the usual 25 seconds a turn." in read_page(
        client, "/rules/classic"
    )
    assert "for 2 players: 22 rounds" in read_page(client, "/rules/greed")
    assert "about 35 minutes for 4 players" in read_page(client, "/new")


@pytest.mark.parametrize("address", ["/rules/classic", "/sheet?ruleset=classic"])
def test_a_grid_shows_every_number_of_equal_dice_and_every_face(client: Client, address: str) -> None:
    shown = read_page(client, address).partition("Points for matching dice in one throw")[2]
    assert "1 die 100 – – – 50 – 2 dice 200 – – – 100 – 3 dice 1,000 200 300 400 500 600" in shown
    assert "6 dice 10,000 2,000 3,000 4,000 5,000 6,000" in shown


def test_the_grid_has_a_row_for_each_number_of_dice_and_says_what_wins(client: Client) -> None:
    assert [*dict(build_value_grid(replace(rules.PRESETS["classic"], **FIVE)))][-1] == "5 dice"
    assert dict(build_value_grid(rules.PRESETS["boxcars"]))["6 dice"] == ("wins",) * 6
    assert dict(build_value_grid(rules.PRESETS["greed"]))["4 dice"][:2] == ("1,100", "200")


def test_the_grid_shows_scores_of_sets_that_need_all_dice() -> None:
    rows = dict(build_value_grid(replace(rules.PRESETS["classic"], sets_need_all_dice=True)))
    assert rows["3 dice"] == ("1,000", "200", "300", "400", "500", "600")


def test_a_chance_of_one_in_some_is_singular() -> None:
    assert [describe_chance(risk) for risk in (1 / 2, 1 / 3, 2 / 3)] == [
        "about one time in 2", "about one time in 3", "about 2 times in 3"
    ]  # fmt: skip


def test_the_comparison_names_only_what_is_paid_into_a_pot_and_its_currency() -> None:
    classic = rules.PRESETS["classic"]
    pots = [replace(classic, ante=500, currency=currency) for currency in ("EUR", "JPY", "KWD")]
    pots += [replace(classic, bust_penalty=5), rules.PRESETS["pot"], classic]
    lines = dict(comparison.compare_rulesets(pots))
    shown = [text.replace("\N{NO-BREAK SPACE}", " ") for text in lines["Pot"]]
    assert shown[:3] == ["5.00 EUR to start", "500 JPY to start", "0.500 KWD to start"]
    assert shown[3:] == ["0.05 USD a bust", "0.25 USD to start, 0.05 USD a bust", ""]


def test_a_pot_that_only_busts_fill_names_their_cost() -> None:
    specials = describe_specials(replace(rules.PRESETS["classic"], bust_penalty=5))
    assert "a pot of play money: 0.05\N{NO-BREAK SPACE}USD for each bust" in specials


def test_winning_dice_are_not_described_as_0_points() -> None:
    wins = {"pattern": "223", "effect": "wins"}
    settings = {**rules.PRESETS["classic"].to_json(), "combinations": [wins]}
    example = build_live_example(rules.Ruleset.from_json(settings), "122355")
    assert example["heard"] == "Keep 2 2 3 and you win the game."
    assert example["example"]["tried"].keeps[0].wins
    assert build_live_example(rules.PRESETS["classic"], "111111")["heard"].startswith("1 1 1 1 1 1: 10,000 points")


def test_the_first_throw_of_the_example_has_as_many_dice_as_the_game() -> None:
    example = build_live_example(replace(rules.PRESETS["classic"], **FIVE), FIRST_THROW)
    assert example["typed"] == "12224" and example["example"]["tried"].dice == (1, 2, 2, 2, 4)


def test_each_shipped_ruleset_can_be_downloaded_as_a_file(client: Client) -> None:
    for slug, ruleset in rules.PRESETS.items():
        answer = client.get(f"/rules/{slug}.json")
        assert answer["Content-Disposition"] == f'attachment; filename="{slug}.json"'
        assert rules.Ruleset.from_json(json.loads(answer.content)) == ruleset
        assert f'href="/rules/{slug}.json" download' in client.get(f"/rules/{slug}").content.decode()


def test_earlier_versions_stay_readable_and_say_what_changed(client: Client) -> None:
    first = services.save_ruleset(None, {**rules.PRESETS["pot"].to_json(), "slug": "house", "name": "House"})
    services.save_ruleset(first, {**first.settings, "straight": 1750})
    newest = client.get("/rules/house").content.decode()
    assert 'href="/rules/house/1">1</a>' in newest and "1,750" in newest
    page = read_page(client, "/rules/house/1")
    assert "This is version 1, which some earlier games were played by." in page and "Straight: 1,500 → 1,750" in page
    assert "Play these rules" not in page and "Compare" not in page and "Blank" not in page.partition("The aim")[0]
    assert 'href="/rules/house/1.json" download' in client.get("/rules/house/1").content.decode()
    assert "Play these rules" in read_page(client, "/rules/house/2")
    old = json.loads(client.get("/rules/house/1.json").content)
    assert (old["straight"], json.loads(client.get("/rules/house.json").content)["straight"]) == (1500, 1750)


@pytest.mark.parametrize("address", ["/rules/classic/2", "/rules/classic/0.json", f"/rules/classic/{10**30}"])
def test_an_unknown_version_is_not_found(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404


def test_the_pages_of_rules_take_only_get(client: Client) -> None:
    assert client.post("/rules").status_code == client.post("/rules/classic").status_code == 405


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({}, "must be worth at least 500 points from a single turn"),
        ({"entry_minimum": 0}, "Your first bank puts you on the board"),
        ({"bank_minimum": 350}, "at least 350 points to bank, in your last turn too"),
        ({"bank_minimum": 1}, "at least 1 point to bank"),
        ({"entry_minimum": 1}, "must be worth at least 1 point from a single turn"),
        ({"sweep": "must_throw"}, "You must throw all dice again"),
        ({"sweep": "may_bank"}, "You may throw all dice again, or bank."),
        ({"last_die_throws": 3}, "has three tries"),
        ({"pick_up": True}, "start with the dice they left"),
        ({"six_of_a_kind_wins": True}, "wins the whole game at once"),
        ({"three_pairs_across_throws": True}, "can grow over several throws"),
        ({"four_and_two_is_three_pairs": True}, "Four of a kind and a pair count as three pairs."),
        ({"nothing_bonus": 450}, "it scores 450"),
        ({"bust_streak": 3, "bust_streak_penalty": 500}, "3 busts in a row take 500 points"),
        ({"target": 7000}, "The game is played to 7,000 points."),
        ({"target_choices": (2000, 10000)}, "for example 2,000"),
        ({"ending": "complete_round"}, "finish the round"),
        ({"ending": "last_shot_each"}, "exactly one more turn, in order"),
        ({"ending": "at_once"}, "to reach the target wins at once"),
        ({"tie": "extra_rounds"}, "play extra rounds"),
        ({"tie": "leader_stands"}, "the first to reach that score wins"),
        ({"tie": "shared"}, "the win is shared"),
        ({"first_player": "throw_for_it"}, "Everyone throws one die"),
        ({"first_player": "seat_order"}, "Players take turns in the order listed."),
        ({"min_players": 3, "max_players": 5}, "3 to 5 can play"),
        ({"min_players": 2, "max_players": 2}, "a game for exactly 2 players"),
        ({"ante": 25}, "pays 0.25 USD into the pot"),
        ({"ante": 25, "currency": "JPY"}, "pays 25 JPY into the pot"),
        ({"bust_penalty": 5, "currency": "KWD"}, "each bust adds 0.005 KWD"),
        ({"bust_penalty": 5, "currency": "EUR"}, "each bust adds 0.05 EUR"),
        (FIVE, "Throw five dice and collect points."),
        (FIVE, "When you have kept all five dice"),
        (
            {"combinations": (Combination("2222", effect="bust", cost=200),)},
            "with 2 2 2 2 is always a bust, and takes",
        ),
        ({"combinations": (Combination("11111", effect="out"),)}, "A throw with 1 1 1 1 1 puts you out of the game."),
        (
            {"combinations": (Combination("111111", effect="wins", name="Six as"),)},
            "Keep Six as from one throw",
        ),
        ({"sets_need_all_dice": True}, "Sets only score when you throw all six dice."),
        ({"sets_grow": "of_a_kind"}, "matching dice from later throws may join them"),
        ({"must_keep": "all"}, "Then set aside every die that scores."),
        ({"lone_five": "rethrow"}, "If a single 5 is all that scores"),
        ({"confirm": ("of_a_kind",)}, "To be proved: three or more of a kind. After any of these you can’t bank until"),
        ({"confirm": ("straights",), "confirm_by": 500}, "Later keeps worth at least 500 points in total prove them."),
        ({"entry_in": "throw"}, "must come from one throw. Points of other throws in that turn are added."),
        ({"entry_needs": "singles"}, "Before the first bank only single dice score, no sets."),
        ({"bank_step": 100}, "You can only bank a multiple of 100 points."),
        ({"bank_step": 100, "entry_minimum": 350}, "must be worth at least 400 points"),
        ({"bank_step": 100, "entry_minimum": 350, "entry_in": "throw"}, "must be worth at least 350 points"),
        ({"bank_step": 100, "bank_minimum": 250}, "you need at least 300 points to bank"),
        ({"bank_dice_left_most": 1}, "You can bank with at most 1 die left."),
        ({"throws_most": 3}, "A turn has at most 3 throws."),
        ({"sweep_multiplier": 3}, "up to 3 times"),
        ({"nothing": "again", "nothing_bonus": 50}, "that is not a bust: it scores 50. You must throw all six again"),
        ({"nothing": "again", "nothing_when": "first_throw"}, "This applies only to the first throw of a turn."),
        ({"nothing_bonus": 500, "sweep": "may_bank"}, "that is not a bust: it scores 500, and you have hot dice."),
        ({"nothing_cost": 1000}, "it’s a bust that also takes 1,000 points off your score."),
        ({"bust_streak": 3, "bust_cost": "everything"}, "3 busts in a row cost you your whole score."),
        ({"bust_streak": 1, "bust_cost": "shot"}, "Each bust takes as many points off your score as the turn had"),
        ({"nothing_cost": 1000, "below_zero": "entered"}, "Costs can take the score of a player on the board below 0."),
        ({"pick_up": True, "pick_up_by": "all"}, "You don’t have to be on the board"),
        ({"pick_up": True, "pick_up_worth": 1000}, "the dice they left and 1,000 points"),
        ({"pick_up": True, "pick_up_cost": 300}, "If you bust, you lose them, and 300 points come off your score."),
        ({"ending": "rounds", "target_choices": (), "rounds": 10}, "After 10 rounds the highest score wins."),
        ({"exact": "bust", "tie": "shared"}, "The target must be made exactly."),
        ({"tie": "tied_only"}, "those who share the lead play extra rounds"),
        ({"first_player": "lowest"}, "the lowest goes first"),
        ({"last_die_throws": 2}, "has two tries"),
    ],
)
def test_every_setting_is_in_the_prose(settings: dict[str, object], sentence: str) -> None:
    assert sentence in write_prose(**settings)


def test_players_who_must_keep_every_scoring_die_are_not_told_to_keep_fewer() -> None:
    advice = "If you would rather bank, keep fewer dice."
    assert advice in write_prose() and advice not in write_prose(must_keep="all")


def test_where_hot_dice_must_be_thrown_the_prose_says_that_an_exact_target_may_be_banked() -> None:
    sentence = "you may always bank what brings you to exactly the target"
    assert sentence in write_prose(exact="stay", tie="shared") and sentence not in write_prose()
    free = {"exact": "stay", "tie": "shared", "sweep": "may_bank"}
    assert sentence not in write_prose(**free) and sentence in write_prose(**free, bank_minimum=350)


def test_hot_dice_that_are_to_be_proved_are_not_said_to_be_bankable() -> None:
    proving: dict[str, Any] = {"sweep": "may_bank", "confirm": ("sweep",), "confirm_by": 300}
    assert "again, or bank." not in write_prose(**proving)
    assert "You must throw all dice again. If you would rather bank, keep fewer dice." in write_prose(**proving)
    proved = replace(rules.PRESETS["classic"], **proving)
    assert ("Hot dice", ["throw all dice again"]) in comparison.compare_rulesets([proved])
    assert "hot dice: you must throw again" in describe_specials(proved)


@pytest.mark.parametrize(
    ("settings", "can_be_left"),
    [
        ({"sweep": "may_bank"}, True), ({"sweep": "must_throw"}, False), ({"throws_most": 3}, True),
        ({"sweep": "may_bank", "confirm": ("sweep",), "confirm_by": 300}, False),
    ],
)  # fmt: skip
def test_all_dice_are_said_to_be_left_only_where_hot_dice_can_be_banked(
    settings: dict[str, Any], can_be_left: bool
) -> None:
    assert ("If they had kept all six dice" in write_prose(pick_up=True, **settings)) == can_be_left


def test_what_counts_twice_at_most_is_not_said_to_count_one_more_time() -> None:
    assert "counts twice." in write_prose(sweep_multiplier=2)
    assert "one more time" not in write_prose(sweep_multiplier=2)


def test_a_turn_of_one_throw_is_not_said_to_have_another() -> None:
    names = list_sections(replace(rules.PRESETS["farkle"], throws_most=1))
    assert "six" not in names and "last" not in names
    assert "A turn has 1 throw." in write_prose(throws_most=1) and "Or throw" not in write_prose(throws_most=1)


def test_hot_dice_of_a_last_throw_are_said_to_be_bankable() -> None:
    sentence = "After the last throw of a turn you may bank hot dice."
    assert sentence in write_prose(throws_most=3)
    assert sentence not in write_prose() + write_prose(throws_most=3, sweep="may_bank")
    assert sentence not in write_prose(throws_most=3, confirm=("sweep",), confirm_by=300)


def test_three_pairs_across_throws_are_named_as_the_exception_that_they_are() -> None:
    exception, rule = "Except for three pairs, the dice of a set must fall in one throw;", "The dice of a set must fall"
    assert exception in write_prose(three_pairs_across_throws=True) and exception not in write_prose()
    assert rule not in write_prose(three_pairs_across_throws=True) and rule in write_prose()


def test_three_pairs_speak_of_dice_picked_up_only_where_players_may() -> None:
    sentence = "Dice you picked up from another player"
    assert sentence in write_prose(three_pairs_across_throws=True, pick_up=True)
    assert sentence not in write_prose(three_pairs_across_throws=True)


def test_banks_in_steps_are_not_said_to_be_of_any_number_of_points() -> None:
    assert "bank any number of points" in write_prose() and "bank any number" not in write_prose(bank_step=100)


def test_no_bust_is_called_free_before_a_first_bank_where_it_costs_points() -> None:
    always = write_prose(bust_penalty=5, bust_streak=1, bust_streak_penalty=500, below_zero="always")
    assert "Before that it adds nothing." in always and "is free" not in always


@pytest.mark.parametrize(
    "costs",
    [
        {"nothing_cost": 1000}, {"pick_up": True, "pick_up_cost": 300}, {"bust_streak": 3, "bust_streak_penalty": 500},
        {"combinations": (Combination("2222", effect="bust", cost=200),)},
    ],
)  # fmt: skip
def test_where_busts_cost_points_the_prose_says_once_that_no_score_falls_below_0(costs: dict[str, Any]) -> None:
    assert write_prose(**costs).lower().count("no score falls below 0.") == 1


def test_no_cost_takes_a_score_below_0_where_no_bust_costs_points() -> None:
    assert "below 0" not in write_prose() + write_prose(below_zero="always")


def test_sections_that_do_not_apply_are_left_out() -> None:
    assert list_sections(rules.PRESETS["classic"]) == ["aim", "turn", "sets", "in", "six", "last", "end"]


def test_examples_are_worked_out_by_the_rules(client: Client) -> None:
    page = read_page(client, "/rules/pot").replace("\xa0", " ")
    assert "Keep 1 2 2 2 5 for 350." in page
    assert "1 2 2 2 = 300 · 2 2 2 5 = 250 · 2 2 2 = 200, or 3 other sets" in page
    assert "Nothing scores: it’s a bust." in page


def test_bust_chances_count_all_tries_of_the_last_die() -> None:
    rows = {dice: (chance, words) for dice, chance, words in examples.list_bust_chances(rules.PRESETS["farkle"])}
    assert rows["1 die, 3 tries"] == ("30%", "about 2 times in 7")
    assert rows["6 dice"] == ("2.3%", "about one time in 43")


def test_a_first_throw_that_cannot_bust_is_told_apart_from_later_ones() -> None:
    rows = examples.list_bust_chances(read_world_tables()["zilch-growing"].ruleset)
    assert rows[:2] == [("6 dice, first throw", "0.0%", "never"), ("6 dice", "2.3%", "about one time in 43")]
    assert examples.list_bust_chances(read_world_tables()["dez-mil"].ruleset)[0][0] == "6 dice"


def test_the_page_of_a_ruleset_has_the_scoring_table(client: Client) -> None:
    page = client.get("/rules/greed").content.decode()
    assert "<caption>Points in Greed</caption>" in page
    assert "2,500" in page


@pytest.mark.parametrize(
    ("made", "sentence"),
    [
        (Combination("AAAA", effect="out"), "Ein Wurf mit Würfeln wie 1 1 1 1, und du scheidest aus."),
        (Combination("AAAA", effect="bust"), "Ein Wurf mit Würfeln wie 1 1 1 1 ist immer ein Fehlwurf, egal was"),
        (Combination("AAAAAA", effect="wins"), "Behalte Würfel wie 1 1 1 1 1 1 aus einem Wurf"),
        (Combination("AAAA", effect="out", name="Viererpasch"), "Ein Wurf mit Viererpasch, und du scheidest aus."),
        (Combination("2222", effect="out"), "Ein Wurf mit 2 2 2 2, und du scheidest aus."),
    ],
)
def test_dice_patterns_are_in_the_right_case_in_german(made: Combination, sentence: str) -> None:
    with override("de"):
        assert describe_effect(made).startswith(sentence)
