"""The form for a new game: its players, rules and options, its row buttons, and its refusals."""

import re
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from game.models import Game, RulesetRow
from game.storage import load_state
from tests.cast import ANA, BRUNO, HAL, Response, make_key
from tests.require import require

pytestmark = pytest.mark.django_db
CHLOE = "Chloé"


def fill_form(*names: str, **more: Any) -> dict[str, Any]:
    """Return what the page sends when its Start button is pressed."""
    levels = ["balanced" if name.startswith("*") else "" for name in names]
    return {"key": make_key(), "name": list(names), "level": levels, "ruleset": "classic"} | more


def start_game(client: Client, *names: str, **more: Any) -> Response:
    return client.post("/new", fill_form(*names, **more))


def press_button(client: Client, button: str, *names: str, htmx: bool = False, **more: Any) -> str:
    headers = {"HX-Request": "true"} if htmx else {}
    response = client.post("/new", fill_form(*names, do=button, **more), headers=headers)
    assert response.status_code == 200
    return response.content.decode()


def list_levels(page: str) -> list[str]:
    """Return the words of the chosen levels, one for each computer in order."""
    return re.findall(r'<option value="[a-z]+" selected>(.*?)</option>', page)


def test_a_computers_level_is_chosen_in_its_row(client: Client) -> None:
    start_game(client, ANA, HAL, "*Ada", level=["", "bold", "best"])
    assert list_seats() == [(ANA, ""), (HAL, "bold"), ("*Ada", "best")]


def test_whoever_looks_for_rules_comes_back_to_what_they_typed(client: Client) -> None:
    answer = client.post("/new", fill_form("Zoë & Co", HAL, level=["", "bold"], mode="manual", do="find-rules"))
    assert answer.headers["Location"] == "/rules"
    page = client.get("/new?ruleset=farkle").content.decode()
    assert (list_names(page), list_levels(page)[:1]) == (["Zoë &amp; Co", HAL], ["Bold"])
    assert "Keep score with real dice" in page
    assert re.search(r'value="farkle" checked', page)
    assert "The rules you asked for are no longer offered here." in client.get("/new?ruleset=gone").content.decode()
    assert "Zoë" not in client.get("/new?for=computer").content.decode()


@pytest.mark.parametrize(("before", "after"), [("farkle", "farkle"), ("own", "classic")])
def test_whoever_finds_no_other_rules_still_has_some_chosen(client: Client, before: str, after: str) -> None:
    client.post("/new", fill_form("Zoë", HAL, ruleset=before, do="find-rules"))
    page = client.get("/new").content.decode()
    assert list_names(page) == ["Zoë", HAL]
    assert re.search(rf'name="ruleset"[^>]*value="{after}"\s+checked', page)


def test_what_was_typed_is_forgotten_once_the_game_is_made(client: Client) -> None:
    client.post("/new", fill_form(ANA, BRUNO, CHLOE, do="find-rules"))
    start_game(client, ANA, BRUNO)
    assert list_names(client.get("/new").content.decode()) == [ANA, BRUNO]


def test_more_than_a_cookie_holds_is_typed_again(client: Client) -> None:
    client.post("/new", fill_form(*["🎲" * 24] * 12, do="find-rules"))
    assert client.get("/new?ruleset=farkle").status_code == 200
    assert "new-game" not in client.cookies or not client.cookies["new-game"].value


def test_what_is_not_in_front_is_followed_by_the_way_to_all_other_rules(client: Client) -> None:
    page = client.get("/new").content.decode()
    more, _, after = page.partition("<summary>More rulesets</summary>")[2].partition("</details>")
    assert 'value="wikipedia"' in more
    assert "Find the rules you know: from all over the world" in after.partition("</fieldset>")[0]


def test_whoever_invites_friends_is_asked_for_their_own_name(client: Client) -> None:
    hint = "Add only people who share this device with you."
    for page in (client.get("/new?for=friends").content.decode(), press_button(client, "add", "", wait="1", htmx=True)):
        assert re.search(r'<label for="name-1">\s*Your name</label>', page) and hint in page
    assert re.search(r'<label class="vh" for="name-2">\s*Name of player 2</label>', page)
    page = client.get("/new").content.decode()
    assert re.search(r'<label class="vh" for="name-1">\s*Name of player 1</label>', page) and hint not in page


def test_the_level_that_was_chosen_stays_when_the_rows_change(client: Client) -> None:
    page = press_button(client, "add-computer", ANA, HAL, level=["", "careful"])
    assert list_levels(page) == ["Careful", "Balanced"]
    assert "would rather have points in the bank" in page


def test_a_typed_computer_stays_balanced_when_the_rows_change(client: Client) -> None:
    page = press_button(client, "add", ANA, "*HAL 2", level=["", ""])
    assert list_levels(page) == ["Balanced"]


def test_another_level_brings_another_name(client: Client) -> None:
    page = press_button(client, "level-2", ANA, HAL, level=["", "best"], htmx=True)
    assert (list_names(page), list_levels(page)) == ([ANA, "*Ada"], ["Best"])
    assert 'id="level-2"' in page and "autofocus" in page


def test_a_chosen_name_stays_with_another_level(client: Client) -> None:
    assert list_names(press_button(client, "level-2", ANA, "*Oma", level=["", "beginner"])) == [ANA, "*Oma"]


def test_an_empty_name_is_filled_in_by_its_level(client: Client) -> None:
    start_game(client, ANA, "", level=["", "beginner"])
    assert list_seats() == [(ANA, ""), ("*Tik-Tok", "beginner")]


def list_names(page: str) -> list[str]:
    return re.findall(r'name="name" value="([^"]*)"', page)


def list_seats() -> list[tuple[str, str]]:
    return list(Game.objects.get().players.order_by("seat").values_list("name", "level"))


def check_refused(response: Response, *, says: str, at: str) -> None:
    """Check that no game was made and that the page comes back with the reason, linked to its field."""
    page = response.content.decode()
    assert response.status_code == 422
    assert "<title>Error: " in page
    assert re.search(rf'role="alert".*?<a href="#{at}">[^<]*{re.escape(says)}', page, re.S), page
    assert f'id="{at}"' in page
    assert not Game.objects.exists()


# ── starting ──


def test_start_leads_to_the_game_of_the_named_players(client: Client) -> None:
    response = start_game(client, ANA, BRUNO, CHLOE, HAL)
    game = Game.objects.get()
    assert (response.status_code, response["Location"]) == (303, game.get_absolute_url())
    assert list_seats() == [(ANA, ""), (BRUNO, ""), (CHLOE, ""), (HAL, "balanced")]


def test_start_pressed_twice_makes_one_game(client: Client) -> None:
    sent = fill_form(ANA, BRUNO)
    assert client.post("/new", sent)["Location"] == client.post("/new", sent)["Location"]
    assert Game.objects.count() == 1


def test_a_form_used_again_for_another_game_is_refused(client: Client) -> None:
    same = make_key()
    assert start_game(client, ANA, BRUNO, key=same).status_code == 303
    answer = start_game(client, ANA, CHLOE, key=same)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "That form was already used." in page
    assert Game.objects.count() == 1
    fresh = require(re.search(r'action="/new".*?name="key" value="([^"]+)"', page, re.S))[1]
    assert start_game(client, ANA, CHLOE, key=fresh).status_code == 303
    assert Game.objects.count() == 2


def test_a_form_without_a_key_is_out_of_date(client: Client) -> None:
    assert start_game(client, ANA, BRUNO, key="").status_code == 400
    assert not Game.objects.exists()


def test_empty_names_are_filled_in(client: Client) -> None:
    start_game(client, "", BRUNO, " ")
    assert list_seats() == [("Player 1", ""), (BRUNO, ""), ("Player 3", "")]
    assert "name" not in client.cookies, "nobody is called so"


def test_a_filled_in_name_is_never_taken_already(client: Client) -> None:
    start_game(client, "player 2", "")
    assert list_seats() == [("player 2", ""), ("Player 1", "")]


def test_a_name_with_a_star_is_a_computer(client: Client) -> None:
    client.post("/new", fill_form(ANA) | {"name": [ANA, "*Robbie"], "level": ["", ""]})
    assert list_seats() == [(ANA, ""), ("*Robbie", "balanced")]


def test_a_star_alone_is_a_computer_with_a_name_from_the_site(client: Client) -> None:
    client.post("/new", fill_form(ANA) | {"name": [ANA, "*"], "level": ["", ""]})
    assert list_seats() == [(ANA, ""), (HAL, "balanced")]


def test_a_computer_gets_its_star_back(client: Client) -> None:
    client.post("/new", fill_form(ANA) | {"name": [ANA, "HAL"], "level": ["", "balanced"]})
    assert list_seats() == [(ANA, ""), (HAL, "balanced")]


def test_the_game_has_the_target_rules_and_options_of_the_form(client: Client) -> None:
    start_game(client, ANA, BRUNO, ruleset="pot", target="5000", hints="off", mode="manual", free="1")
    game = Game.objects.get()
    assert (require(game.ruleset).slug, game.target, game.hints, load_state(game).mode) == (
        "pot",
        5000,
        "off",
        "manual",
    )
    assert (game.rules.ante, game.rules.bust_penalty) == (0, 0)


def test_the_pot_is_played_for_unless_it_is_switched_off(client: Client) -> None:
    start_game(client, ANA, BRUNO, ruleset="pot")
    assert Game.objects.get().rules.ante == 25


@pytest.mark.one_database
@pytest.mark.parametrize(
    "target", ["5000", "5,000", "5.000", "5 000", "5’000", "5\N{NARROW NO-BREAK SPACE}000", " 5000 "]
)
def test_a_target_can_be_typed_as_people_write_numbers(client: Client, target: str) -> None:
    start_game(client, ANA, BRUNO, target=target)
    assert Game.objects.get().target == 5000


@pytest.mark.one_database
@pytest.mark.parametrize(
    "target", ["50,00", "5,0000", "5,", ",5000", "5,000.0", "1,000.000", "5_000", "5,000,000", "٥٬٠٠٠"]
)
def test_a_wrongly_grouped_number_is_refused(client: Client, target: str) -> None:
    refused = start_game(client, ANA, BRUNO, target=target)
    assert refused.status_code == 422
    assert "Choose a target from 100 to 100,000 in steps of 50." in refused.content.decode()


def test_an_empty_target_means_that_of_the_rules(client: Client) -> None:
    start_game(client, ANA, BRUNO, ruleset="farkle-quick", target="")
    assert Game.objects.get().target == 5000


# ── what the page opens with ──


@pytest.mark.parametrize(
    ("address", "heading", "names", "mode"),
    [
        ("/new", "New game", ["", ""], "auto"),
        ("/new?for=phone", "New game", ["", ""], "auto"),
        ("/new?for=friends", "Invite friends", [""], "auto"),
        ("/new?for=score", "Keep score with real dice", ["", ""], "manual"),
        ("/new?for=computer", "New game", ["", HAL], "auto"),
        ("/new?for=nonsense", "New game", ["", ""], "auto"),
    ],
)
def test_each_link_to_the_form_opens_it_with_its_players(
    client: Client, address: str, heading: str, names: list[str], mode: str
) -> None:
    page = client.get(address).content.decode()
    assert f"<h1>{heading}</h1>" in page
    assert list_names(page) == names
    assert re.search(rf'name="mode"[^>]*value="{mode}" checked', page)


def test_the_form_opens_with_the_rules_in_the_address(client: Client) -> None:
    page = client.get("/new?ruleset=boxcars").content.decode()
    first = re.search(r'<input type="radio" name="ruleset"[^>]*>', page)
    assert first and 'value="boxcars" checked' in first[0]
    assert page.count('value="boxcars"') == 1


def test_an_unknown_ruleset_in_the_address_opens_with_the_first_one(client: Client) -> None:
    assert 'value="classic" checked' in client.get("/new?ruleset=nothing").content.decode()


def test_all_eight_rulesets_are_offered_with_their_key_facts(client: Client) -> None:
    page = client.get("/new").content.decode()
    assert page.count('name="ruleset"') == 8
    facts = "1,000 to get on the board · play to 10,000 · a pot of play money: 0.25\N{NO-BREAK SPACE}USD each"
    assert facts.replace(" ·", "\u00a0·") in page  # no line begins with a dot


def test_opening_the_page_asks_the_database_once(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        client.get("/new")


# ── the buttons of the rows, with and without JavaScript ──


def test_add_player_adds_an_empty_row_with_the_cursor_in_it(client: Client) -> None:
    page = press_button(client, "add", ANA, BRUNO)
    assert list_names(page) == [ANA, BRUNO, ""]
    assert re.search(r'id="name-3"[^>]*autofocus', page)


def test_add_computer_adds_one_with_a_free_name(client: Client) -> None:
    assert list_names(press_button(client, "add-computer", ANA, HAL)) == [ANA, HAL, "*Orac"]


def test_a_row_moves_up_and_the_focus_moves_with_it(client: Client) -> None:
    page = press_button(client, "up-3", ANA, BRUNO, CHLOE)
    assert list_names(page) == [ANA, CHLOE, BRUNO]
    assert re.search(r'id="up-2"[^>]*autofocus', page)


def test_a_row_moved_to_the_end_can_only_move_up(client: Client) -> None:
    page = press_button(client, "down-2", ANA, BRUNO, CHLOE)
    assert list_names(page) == [ANA, CHLOE, BRUNO]
    assert 'id="down-3"' not in page
    assert re.search(r'id="up-3"[^>]*autofocus', page)


def test_a_row_can_be_removed_but_not_the_last_one(client: Client) -> None:
    page = press_button(client, "remove-1", ANA, BRUNO)
    assert list_names(page) == [BRUNO]
    assert "remove-1" not in page and re.search(r'value="add"[^>]*autofocus', page)


@pytest.mark.parametrize("button", ["up-1", "down-2", "up-0", "up-9", "remove-99", "up-١", "what", "up-" + "9" * 5000])
def test_a_button_that_is_not_there_changes_nothing(client: Client, button: str) -> None:
    assert list_names(press_button(client, button, ANA, BRUNO)) == [ANA, BRUNO]


def test_twelve_players_are_the_most(client: Client) -> None:
    page = press_button(client, "add", *[f"Player {n}" for n in range(1, 13)])
    assert len(list_names(page)) == 12
    assert "That’s the most: 12 players." in page and 'value="add"' not in page


def test_a_row_button_keeps_what_was_typed_and_makes_no_game(client: Client) -> None:
    page = press_button(client, "add", ANA, "<b>", ruleset="greed", target="77", hints="odds")
    assert 'value="&lt;b&gt;"' in page and 'value="greed" checked' in page and 'value="77"' in page
    assert not Game.objects.exists()


def test_htmx_gets_only_the_rows(client: Client) -> None:
    page = press_button(client, "add", ANA, BRUNO, htmx=True)
    assert page.lstrip().startswith('<section id="players"') and "<html" not in page


def test_other_rules_bring_their_own_targets(client: Client) -> None:
    row = RulesetRow.objects.get(slug="greed")
    row.settings["target_choices"] = [3000]
    row.save()
    page = press_button(client, "options", ANA, BRUNO, ruleset="greed", htmx=True)
    assert page.lstrip().startswith('<div id="new-options"')
    assert re.findall(r'value="target-(\d+)"', page) == ["3000"]


def test_a_quick_pick_fills_in_the_target(client: Client) -> None:
    page = press_button(client, "target-5000", ANA, BRUNO)
    assert re.search(r'id="target" name="target" value="5000"', page)
    assert '<details class="options" open>' in page


@pytest.mark.parametrize("choice", [{"hints": "off"}, {"mode": "manual"}, {"free": "1"}])
def test_options_that_were_chosen_stay_in_sight_when_a_player_is_added(client: Client, choice: dict[str, Any]) -> None:
    assert '<details class="options" open>' in press_button(client, "add", ANA, BRUNO, **choice)
    assert '<details class="options">' in press_button(client, "add", ANA, BRUNO, mode="auto", hints="")


# ── refusals ──


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("A\0na", "character that cannot be used"),
        ("A\u202ena", "character that cannot be used"),
        ("\u200b\u200b", "character that cannot be used"),
        ("\ufffdna", "character that cannot be used"),
        ("A\tna", "character that cannot be used"),
        ("e" + "\u0301" * 23, "marks on one letter"),
        ("A" * 25, "at most 24 characters"),
        ("A" * 5000, "at most 24 characters"),
        ("*" + "A" * 24, "at most 24 characters"),
        ("\u0301", "Enter a name"),
    ],
)
def test_an_impossible_name_is_refused_at_its_row(client: Client, name: str, says: str) -> None:
    check_refused(start_game(client, ANA, name), says=says, at="name-2")


@pytest.mark.parametrize("sent", [b"%ff%fe", b"%ED%A0%80", b"Ana%C3"])
def test_a_name_that_is_not_utf_8_is_refused(client: Client, sent: bytes) -> None:
    body = b"key=abcdefghijklmnop&ruleset=classic&level=&level=&name=Ana&name=" + sent
    response = client.post("/new", body, content_type="application/x-www-form-urlencoded")
    check_refused(response, says="character that cannot be used", at="name-2")


def test_the_same_name_in_other_letters_is_taken(client: Client) -> None:
    check_refused(start_game(client, "Anna", "ＡＮＮＡ"), says="That name is taken", at="name-2")


@pytest.mark.parametrize(
    "name",
    ["<script>", "{{7*7}}", "{% now %}", '"><img onerror>', "javascript:", "=HYPERLINK()", "👨‍👩‍👧‍👦", "สมชาย", "Zoë"],
)
def test_an_odd_name_is_only_text(client: Client, name: str) -> None:
    assert start_game(client, name, BRUNO).status_code == 303
    assert list_seats()[0] == (name, "")
    page = client.get("/").content.decode()
    assert "<script>" not in page.replace("<script src=", "") and "<img" not in page


@pytest.mark.parametrize(
    "target",
    [
        "0",
        "999",
        "1025",
        "1000000000",
        "1e4",
        "0x10",
        "²",
        "9" * 5000,
        "-5000",
        "+5000",
        "5_000",
        "5000.0",
        "١٠٠٠",
        "100050",
    ],
)
def test_an_impossible_target_is_refused_with_the_possible_ones(client: Client, target: str) -> None:
    response = start_game(client, ANA, BRUNO, target=target)
    check_refused(response, says="Choose a target from 100 to 100,000 in steps of 50.", at="target")
    assert '<details class="options" open>' in response.content.decode()


@pytest.mark.parametrize(
    ("ruleset", "target", "why"),
    [
        ("zonk-ten-rounds", "5000", "This game ends after a number of rounds: there is no target to change."),
        ("le-5000", "650", "Choose a target of at least 750 points: the first bank needs that many."),
    ],
)
def test_a_target_that_does_not_go_with_the_rules_is_refused_at_its_field(
    client: Client, ruleset: str, target: str, why: str
) -> None:
    response = start_game(client, ANA, BRUNO, ruleset=ruleset, target=target)
    check_refused(response, says=why, at="target")
    assert f'<span class="error" id="target-error">{why}</span>' in response.content.decode()


def test_a_refusal_never_repeats_a_long_text(client: Client) -> None:
    assert b"9" * 41 not in start_game(client, ANA, BRUNO, target="9" * 5000).content


@pytest.mark.parametrize("ruleset", ["", "nothing", "9223372036854775808", "classic\0", "../etc"])
def test_an_unknown_ruleset_is_refused(client: Client, ruleset: str) -> None:
    check_refused(
        start_game(client, ANA, BRUNO, ruleset=ruleset), says="Choose a ruleset from this page.", at="ruleset-1"
    )


def test_a_retired_ruleset_is_refused_and_no_longer_offered(client: Client) -> None:
    RulesetRow.objects.filter(slug="greed").update(retired="2026-01-01T00:00Z")
    response = start_game(client, ANA, BRUNO, ruleset="greed")
    check_refused(response, says="Choose a ruleset from this page.", at="ruleset-1")
    assert '<p class="wrong">Choose a ruleset from this page.</p>' in response.content.decode()
    assert b'value="greed"' not in client.get("/new").content


def test_a_link_with_an_archived_ruleset_says_that_it_is_no_longer_offered(client: Client) -> None:
    sentence = "The rules you asked for are no longer offered here."
    assert sentence not in client.get("/new?ruleset=greed").content.decode()
    RulesetRow.objects.filter(slug="greed").update(retired="2026-01-01T00:00Z")
    assert sentence in client.get("/new?ruleset=greed").content.decode()


def test_too_few_players_are_refused_in_words(client: Client) -> None:
    check_refused(start_game(client, ANA, ruleset="greed"), says="Greed needs at least 2 players.", at="add")


def test_too_many_players_are_refused_in_words(client: Client) -> None:
    check_refused(
        start_game(client, ANA, BRUNO, HAL, ruleset="greed"), says="Greed is for at most 2 players.", at="add"
    )


def test_a_game_without_players_is_refused(client: Client) -> None:
    check_refused(start_game(client), says="Classic 10,000 needs at least 1 player.", at="add")


def test_thirteen_players_are_refused(client: Client) -> None:
    names = [f"Player {n}" for n in range(1, 14)]
    check_refused(start_game(client, *names), says="Classic 10,000 is for at most 12 players.", at="add")


@pytest.mark.parametrize(("field", "value"), [("mode", "magic"), ("hints", "all"), ("hints", "x" * 5000)])
def test_a_value_that_is_not_on_the_page_is_refused(client: Client, field: str, value: str) -> None:
    check_refused(start_game(client, ANA, BRUNO, **{field: value}), says="Choose one of the answers", at=field)


def test_an_unknown_level_is_refused(client: Client) -> None:
    response = client.post("/new", fill_form(ANA) | {"name": [ANA, HAL], "level": ["", "unbeatable"]})
    check_refused(response, says="no such level", at="name-2")


def test_all_mistakes_are_named_at_once(client: Client) -> None:
    page = start_game(client, "A" * 25, ANA, target="7", ruleset="greed").content.decode()
    summary = page[page.index('role="alert"') : page.index("</ul>", page.index('role="alert"'))]
    assert summary.count("<li>") == 2
    assert 'aria-describedby="name-1-error"' in page and "target-error" in page


def test_the_form_keeps_its_key_and_its_content_after_a_refusal(client: Client) -> None:
    sent = fill_form(ANA, BRUNO, target="7", ruleset="pot", free="1")
    page = client.post("/new", sent).content.decode()
    assert f'name="key" value="{sent["key"]}"' in page
    assert list_names(page) == [ANA, BRUNO]
    assert 'value="pot" checked' in page and 'id="free" value="1" checked' in page
