"""Rules changed at the table, and the pages of rules that were played."""

import html
import json
import re
from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from game.forms.ruleset.own import OwnRulesetForm
from game.forms.shared_rules import write_shared_rules
from game.models import Game, KeptRuleset, PlayedRuleset, RulesetRow
from game.rules import Ruleset, preset
from game.services.shipped_rulesets import read_world_tables
from game.storage import load_state
from tests.cast import ANA, BRUNO, IN, Device, Response, bank, make_key, reload_game
from tests.require import require
from tests.views.conftest import log_in_staff
from tests.words import read_text

pytestmark = pytest.mark.django_db
CHANGED = replace(preset("classic"), slug="custom", name="Grandma’s <b>rules</b>", straight=1750)
PATTERNS = ["".join(dice) for dice in combinations_with_replacement("123456", 4)][:20]
NAMED = {"name": "骰" * 60, "combinations": [{"pattern": one, "points": 500, "name": "骰" * 40} for one in PATTERNS]}
LONG = json.dumps({**CHANGED.to_json(), **NAMED}, ensure_ascii=False).encode()  # with the longest names of all


def fill_form(rules: Ruleset, **changed: Any) -> dict[str, Any]:
    """Return what a browser sends for the form as shown, with some fields changed."""
    form = OwnRulesetForm(settings=rules.to_json())
    shown = {name: form[name].value() for name in form.fields} | changed
    return {name: value for name, value in shown.items() if value is not False and value is not None}


def read_main(response: Response) -> str:
    main = response.content.decode().partition("<main")[2]
    return html.unescape(read_text(main))


def read_hidden_field(page: str, name: str) -> str:
    match = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert match, name
    return html.unescape(match[1])


def start_game(device: Device, rules: Ruleset) -> Game:
    form = {
        "key": make_key(),
        "name": [ANA, BRUNO],
        "level": ["", ""],
        "ruleset": "own",
        "own": write_shared_rules(rules),
    }
    answer = device.client.post("/new", form)
    assert answer.status_code == 303, read_main(answer)
    return Game.objects.get(code=answer["Location"].rpartition("/")[2])


def test_changing_rules_from_a_new_game_loses_nothing_typed(device: Device) -> None:
    typed = {
        "key": make_key(),
        "name": ["Zoë", "Max"],
        "level": ["", ""],
        "ruleset": "pot",
        "hints": "odds",
        "do": "change",
    }
    page = device.client.post("/rules/change", typed)
    assert "Everyone pays" in read_main(page) and 'value="The Pot, changed"' in page.content.decode()
    sent = fill_form(replace(preset("pot"), slug="custom", name="The Pot, changed"), entry_minimum="250")
    carried = read_hidden_field(page.content.decode(), "carried")
    back = device.client.post("/new", {**sent, "carried": carried, "do": "rules"})
    text = back.content.decode()
    assert "Zoë" in text and "Max" in text and "250 to get on the board" in text
    own = read_hidden_field(text, "own")
    started = {"key": make_key(), "name": ["Zoë", "Max"], "level": ["", ""], "ruleset": "own", "own": own}
    game = Game.objects.get(code=device.client.post("/new", started)["Location"].rpartition("/")[2])
    assert (game.rules.entry_minimum, game.rules.name, game.ruleset) == (250, "The Pot, changed", None)


def test_after_a_mistake_the_name_of_the_rules_is_no_players_name(device: Device) -> None:
    sent = fill_form(CHANGED, entry_minimum="33", do="rules")
    sent["carried"] = read_hidden_field(device.client.get("/rules/change?ruleset=classic").content.decode(), "carried")
    refused = device.client.post("/new", sent)
    assert refused.status_code == 422
    sent |= {"entry_minimum": "50", "carried": read_hidden_field(refused.content.decode(), "carried")}
    page = device.client.post("/new", sent).content.decode()
    assert re.findall(r'id="name-\d"[^>]* value="([^"]*)"', page) == ["", ""]


@pytest.mark.one_database
@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"ending": "rounds"}, "“Rounds” must be at least 1 if a number of rounds ends the game."),
        ({"exact": "stay", "ending": "rounds", "rounds": "5", "tie": "shared"}, "“Exact target” cannot be used if"),
        ({"exact": "stay"}, "“Exact target” needs a tie to be shared or won by the first to reach the score"),
        ({"exact": "stay", "tie": "shared", "target": "400"}, "must not be more than the target if that has to be"),
        ({"nothing_when": "first_throw"}, "can only be changed if a throw of nothing scores points, costs points or"),
    ],
)
def test_rules_that_contradict_each_other_are_refused_in_the_pages_words(
    device: Device, changed: dict[str, Any], sentence: str
) -> None:
    refused = device.client.post("/new", {**fill_form(CHANGED, **changed), "do": "rules"})
    assert refused.status_code == 422
    assert sentence in read_main(refused)
    assert not re.search(r"[a-z]_[a-z]", read_main(refused))  # no name of a setting in code


@pytest.mark.one_database
@pytest.mark.parametrize(
    ("changed", "listed"),
    [
        ({"ending": "rounds"}, "“Rounds” must be at least 1 if a number of rounds ends the game."),
        ({"last_die_throws": "1", "bust_streak": "many"}, "Busts in a row that cost points: Enter a whole number"),
    ],
)
def test_the_summary_names_the_field_that_is_wrong_once(device: Device, changed: dict[str, Any], listed: str) -> None:
    refused = device.client.post("/new", {**fill_form(CHANGED, **changed), "do": "rules"}).content.decode()
    (summary,) = re.findall(r'<div class="errors".*?</div>', refused, re.DOTALL)
    assert [text.strip()[: len(listed)] for text in re.findall(r"<a href[^>]*>([^<]*)</a>", summary)] == [listed]
    sent, htmx = {**fill_form(CHANGED, **changed), "do": "try"}, {"HX-Request": "true"}
    tried = device.client.post("/rules/change", sent, headers=htmx).content.decode()
    assert listed in tried and f": {listed}" not in tried


def test_german_has_its_own_quotation_marks_around_settings(device: Device) -> None:
    sent = {**fill_form(CHANGED, ending="rounds"), "do": "rules"}
    refused = device.client.post("/new", sent, headers={"accept-language": "de"}).content.decode()
    (summary,) = re.findall(r'<div class="errors".*?</div>', refused, re.DOTALL)
    (listed,) = re.findall(r"<a href[^>]*>([^<]*)</a>", summary)
    assert listed.strip().startswith("„Runden“ ") and listed.count("Runden“") == 1


def test_no_hint_denies_what_the_next_setting_allows(device: Device) -> None:
    page = read_main(device.client.get("/rules/change?ruleset=wikipedia"))
    assert "Everyone may pick up" in page and "Only for players on the board, and only after a bank" not in page
    assert "You may throw all dice again, or bank." in page and "Points for bad luck instead of a bust." in page


def test_rules_changed_from_their_own_page_lead_to_a_game_with_seats(device: Device) -> None:
    page = device.client.get("/rules/change?ruleset=macke").content.decode()
    assert read_hidden_field(page, "carried") == ""
    new = device.client.post("/new", {**fill_form(CHANGED), "do": "rules"}).content.decode()
    assert new.count('name="name"') == 2


@pytest.mark.one_database
@pytest.mark.examples
@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_every_ruleset_can_be_changed_in_every_language(device: Device, language: str) -> None:
    """Some names have a number in them, which French writes with a space that is not allowed in names."""
    device.client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    for slug in RulesetRow.objects.filter(latest=True).values_list("slug", flat=True):
        assert device.client.get(f"/rules/change?ruleset={slug}").status_code == 200, slug


def test_rules_that_cannot_be_played_are_refused_with_a_sentence_and_nothing_is_stored(device: Device) -> None:
    refused = device.client.post("/new", {**fill_form(CHANGED, throws_most="1", entry_minimum="20000"), "do": "rules"})
    assert refused.status_code == 422
    assert "no turn of a player who is not on the board can be banked" in read_main(refused)
    sent = {"key": make_key(), "name": [ANA], "level": [""], "ruleset": "own", "own": '{"singles": [0, 0, 0, 0, 0, 0]}'}
    started = device.client.post("/new", sent)
    assert started.status_code == 422
    assert "Under these rules no turn of a player on the board can be banked or won." in read_main(started)
    assert not Game.objects.exists() and not PlayedRuleset.objects.exists()


@pytest.mark.parametrize("own", ["", "{", "[]", '{"straight": -1}', '{"name": "' + "x" * 70_000 + '"}', "\x00"])
def test_malformed_rules_are_refused(device: Device, own: str) -> None:
    sent = {"key": make_key(), "name": [ANA], "level": [""], "ruleset": "own", "own": own}
    assert device.client.post("/new", sent).status_code == 422
    assert not Game.objects.exists()


def test_the_live_example_follows_the_form(device: Device) -> None:
    tried = device.client.post(
        "/rules/change", {**fill_form(CHANGED), "throw": "123456", "do": "try"}, headers={"HX-Request": "true"}
    )
    assert "1,750" in tried.content.decode()
    wrong = device.client.post("/rules/change", {**fill_form(CHANGED, straight="x"), "do": "try"})
    assert "Enter a whole number from 0 to 100,000." in read_main(wrong)


def test_a_file_with_rules_fills_the_form(device: Device) -> None:
    for data in (CHANGED.to_json(), {"format": "ten-thousand-game", "ruleset": CHANGED.to_json()}):
        file = SimpleUploadedFile("rules.json", json.dumps(data).encode())
        page = device.client.post("/rules/change", {"do": "load", "file": file})
        assert 'value="1750"' in page.content.decode()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"no json", "This isn’t a JSON file with rules."),
        (b'{"dice": 7}', "“Number of dice” must be one of"),
        (b'{"target": 7}', "“Target” must be from 100 to 100,000 in steps of 50."),
        (b'{"wings": 2}', "“wings” is not a setting"),
        (b'{"combinations": [{"dice": "AA", "points": 50}]}', "“combinations.1.dice” is not a setting"),
        (b'{"of_a_kind": {"three": [0, 0, 0, 0, 0, 0]}}', "“of_a_kind.three” is not a setting"),
        (b"[" * 90_000, "too long to be shared"),
        (LONG, "too long to be shared"),
        (b"\xff\xfe", "This isn’t a JSON file with rules."),
    ],
)
def test_a_file_without_rules_is_refused_with_a_sentence(device: Device, data: bytes, sentence: str) -> None:
    refused = device.client.post("/rules/change", {"do": "load", "file": SimpleUploadedFile("rules.json", data)})
    assert refused.status_code == 422
    assert sentence in read_main(refused)


def test_loading_without_a_file_says_what_to_choose(device: Device) -> None:
    refused = device.client.post("/rules/change", {"do": "load"})
    assert refused.status_code == 422 and "Choose a JSON file with rules." in read_main(refused)


def test_the_same_rules_have_one_address_whoever_made_them(device: Device, other_device: Device) -> None:
    one, other = start_game(device, CHANGED), start_game(other_device, replace(CHANGED, name="Ours", slug="ours"))
    assert one.rules_address == other.rules_address
    assert PlayedRuleset.objects.count() == 1


def test_the_page_of_played_rules_shows_nobodys_own_words(device: Device, client: Client) -> None:
    own = [{"pattern": "1234", "points": 500, "name": "Rude words"}]
    rules = Ruleset.from_json({**CHANGED.to_json(), "combinations": own})
    game = start_game(device, rules)
    page = client.get(game.rules_address)
    text = read_main(page)
    assert "Grandma" not in text and "Rude" not in text
    assert "1 2 3 4" in text and "1,750" in text and page.status_code == 200
    file = client.get(game.rules_address + ".json")
    assert b"Rude" not in file.content
    assert Ruleset.from_json(json.loads(file.content)).digest == rules.digest
    assert "Grandma" in html.unescape(device.page(game))


def test_rules_that_nobody_played_have_no_page(client: Client) -> None:
    assert client.get(f"/rules/x/{CHANGED.digest}").status_code == 404
    assert client.get("/rules/x/nothing").status_code == 404


@pytest.mark.parametrize(
    ("language", "slug", "name"),
    [("en", "classic", "Classic 10,000"), ("de", "classic", "Zehntausend klassisch"), ("de", "pot", "Der Topf")],
)
def test_played_rules_have_the_readers_name_of_those_of_the_site(
    device: Device, client: Client, language: str, slug: str, name: str
) -> None:
    digest = device.game(ruleset=slug).rules.digest
    in_language = {"accept-language": language}
    page = client.get(f"/rules/x/{digest}", headers=in_language).content.decode()
    assert f"<h1>{name}</h1>" in page
    assert name in read_main(client.get(f"/odds?ruleset=x-{digest}", headers=in_language))


def test_a_name_with_a_number_can_be_played_in_every_language(device: Device) -> None:
    digest = device.game(ruleset=read_world_tables()["ten-thousand-party"].ruleset.to_json()).rules.digest
    for language, _name in settings.LANGUAGES:
        page = device.client.get(f"/new?rules={digest}", headers={"accept-language": language}).content.decode()
        assert Ruleset.from_json(json.loads(read_hidden_field(page, "own"))).digest == digest
        assert device.client.get(f"/rules/x/{digest}/card.png").status_code == 200


def test_play_with_these_starts_a_game_by_the_same_rules(device: Device, other_device: Device) -> None:
    digest = start_game(device, CHANGED).rules.digest
    page = other_device.client.get(f"/new?rules={digest}").content.decode()
    sent = {"key": make_key(), "name": [ANA], "level": [""], "ruleset": "own", "own": read_hidden_field(page, "own")}
    game = Game.objects.get(code=other_device.client.post("/new", sent)["Location"].rpartition("/")[2])
    assert game.rules.digest == digest


def test_played_rules_can_be_compared_with_others(device: Device) -> None:
    digest = start_game(device, CHANGED).rules.digest
    page = read_main(device.client.get(f"/rules?compare=x-{digest}&compare=classic"))
    assert "Straight 1,500 1,750" in page
    assert (
        f"compare=classic&amp;compare=x-{digest}#compared" in device.client.get(f"/rules/x/{digest}").content.decode()
    )


@pytest.mark.parametrize(
    ("chosen", "line"),
    [({"ruleset": "pot"}, "Three pairs 1,000 500"), ({"ruleset": "own"}, "Differs: Straight 1,500 1,750")],
)
def test_the_rules_of_a_new_game_can_be_compared_with_classic(
    device: Device, chosen: dict[str, str], line: str
) -> None:
    sent = {
        "key": make_key(),
        "name": [ANA],
        "level": [""],
        "own": write_shared_rules(CHANGED),
        "do": "compare",
        **chosen,
    }
    assert line in read_main(device.client.post("/rules/change", sent))


def test_played_rules_have_their_own_odds(device: Device, client: Client) -> None:
    digest = start_game(device, replace(CHANGED, singles=(150, 0, 0, 0, 50, 0))).rules.digest
    assert f'href="/odds?ruleset=x-{digest}"' in client.get(f"/rules/x/{digest}").content.decode()
    page = client.get(f"/odds?ruleset=x-{digest}&dice=2&points=400&in=on")
    assert "Throwing 2 dice busts 44.4% of the time" in read_main(page) and "Practise" not in read_main(page)
    assert f'href="/rules/x/{digest}"' in page.content.decode() and "Grandma" not in read_main(page)
    answer = client.post(f"/rules/x/{digest}/solve", {"back": "odds"})
    assert answer["Location"] == f"/odds?ruleset=x-{digest}#best-play"


@pytest.mark.parametrize("chosen", ["x-", "x-" + "0" * 20, "x-\x00", "x-classic"])
def test_rules_that_nobody_played_have_no_odds(client: Client, chosen: str) -> None:
    page = client.get("/odds", {"ruleset": chosen})
    assert page.status_code == 422 and "Choose a ruleset from this page." in read_main(page)


def test_played_rules_are_changed_under_the_name_that_their_reader_knows(device: Device, other_device: Device) -> None:
    rules = start_game(device, CHANGED).rules
    device.client.post(f"/rules/x/{rules.digest}/keep", {"key": make_key(), "name": "Ours"})
    for who, name in ((device, "Ours"), (other_device, f"Rules {rules.digest[:6]}, changed")):
        page = who.client.get(f"/rules/change?rules={rules.digest}").content.decode()
        assert f'name="name" id="id_name" value="{name}"' in " ".join(page.split())


def test_rules_that_a_friend_changes_again_do_not_keep_the_name_of_the_rules_before(other_device: Device) -> None:
    digest = other_device.game(ruleset="classic").rules.digest
    own = read_hidden_field(other_device.client.get(f"/new?rules={digest}").content.decode(), "own")
    page = other_device.client.post("/rules/change", {"ruleset": "own", "own": own}).content.decode()
    assert 'value="Classic 10,000, changed"' in page


def test_rules_are_kept_for_one_browser_only(device: Device, other_device: Device) -> None:
    address = start_game(device, CHANGED).rules_address
    device.client.post(f"{address}/keep", {"key": make_key(), "name": "Ours"})
    assert "Ours" in read_main(device.client.get("/new"))
    assert "Ours" not in read_main(other_device.client.get("/new"))
    kept = device.client.get(address).content.decode()
    assert "You keep these rules" in kept and "<h1>Ours</h1>" in kept
    assert "Ours" not in read_main(other_device.client.get(address))
    assert "Ours" not in read_main(device.client.get(start_game(device, replace(CHANGED, straight=1800)).rules_address))
    device.client.post(f"{address}/keep", {"key": make_key(), "do": "forget"})
    assert not KeptRuleset.objects.exists()


def test_choosing_kept_rules_keeps_the_rest_of_the_form(device: Device) -> None:
    rules = start_game(device, CHANGED).rules
    device.client.post(f"/rules/x/{rules.digest}/keep", {"key": make_key(), "name": "Ours"})
    assert f'value="kept-{rules.digest}"' in device.client.get("/new?for=score").content.decode()
    sent = {"key": make_key(), "name": ["Opal", "Otto"], "level": ["", ""], "mode": "manual", "ruleset": "classic"}
    page = device.client.post("/new", sent | {"do": f"kept-{rules.digest}"})
    assert "Keep score with real dice" in read_main(page)
    shown = page.content.decode()
    assert "Opal" in shown and "Otto" in shown
    assert re.search(r'value="own" checked[^>]*>\s*<b dir="auto">Ours</b>', shown)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("x" * 61, "Enter a name of up to 60 characters."),
        ("a\x00b", "This name has a character that cannot be used."),
        ("a\u200cb", "This name has a character that cannot be used."),
    ],
)
def test_rules_are_not_kept_under_a_name_that_does_not_fit(device: Device, name: str, sentence: str) -> None:
    address = start_game(device, CHANGED).rules_address
    refused = device.client.post(f"{address}/keep", {"key": make_key(), "name": name})
    assert refused.status_code == 422 and sentence in read_main(refused)
    assert f'value="{name}"' in refused.content.decode()
    assert not KeptRuleset.objects.exists()


def test_rules_are_kept_under_a_name_with_joined_emoji(device: Device) -> None:
    address = start_game(device, CHANGED).rules_address
    device.client.post(f"{address}/keep", {"key": make_key(), "name": "Haus 👨‍👩‍👧‍👦"})
    assert KeptRuleset.objects.get().name == "Haus 👨‍👩‍👧‍👦"


def test_a_browser_with_fifty_kept_rules_must_remove_one_first(device: Device) -> None:
    address = start_game(device, CHANGED).rules_address
    visitor = require(device.browser.visitor())
    others = PlayedRuleset.objects.bulk_create([PlayedRuleset(digest=f"{n:020}", settings={}) for n in range(50)])
    KeptRuleset.objects.bulk_create([KeptRuleset(visitor=visitor, played=other) for other in others])
    refused = device.client.post(f"{address}/keep", {"key": make_key(), "name": "Ours"})
    assert refused.status_code == 409 and "You keep 50 sets of rules already. Remove one first." in read_main(refused)
    assert KeptRuleset.objects.count() == 50
    KeptRuleset.objects.filter(played=others[0]).update(played=PlayedRuleset.objects.get(digest=CHANGED.digest))
    assert device.client.post(f"{address}/keep", {"key": make_key(), "name": "Ours"}).status_code == 303
    assert KeptRuleset.objects.get(name="Ours").played.digest == CHANGED.digest


def test_the_host_can_change_the_rules_of_a_waiting_game(device: Device, other_device: Device) -> None:
    game = device.waiting_game(ANA)
    assert f"/rules/change?game={game.code}" in device.page(game)
    page = device.client.get(f"/rules/change?game={game.code}")
    assert "Use these rules" in read_main(page)
    form = {**fill_form(CHANGED, target="3000"), "do": "rules", "waiting": "1"}
    device.do(game, "rules", **form)
    assert (reload_game(game).rules.straight, reload_game(game).target, reload_game(game).ruleset) == (1750, 3000, None)
    other_device.sit(game)
    assert other_device.do(game, "rules", **form).status_code == 403
    device.do(game, "start", waiting="1")
    assert reload_game(game).status == "running"


def test_a_rematch_can_be_played_by_other_rules(device: Device) -> None:
    game = device.game(ruleset="classic", players=("*HAL", "*Ada"), target=1000)
    while not reload_game(game).is_over:
        device.do(game, "advance")
    assert f"/rules/change?rematch={game.code}" in device.page(game)
    assert "Rematch with these rules" in read_main(device.client.get(f"/rules/change?rematch={game.code}"))
    device.do(game, "rematch", **fill_form(CHANGED), do="rules")
    again = Game.objects.get(follows=game)
    assert (again.rules.straight, again.ruleset, again.target) == (1750, None, 10_000)


def test_rules_changed_for_a_rematch_begin_with_the_target_that_was_played_to(device: Device) -> None:
    game = device.game()
    device.do(game, "target", target="5000")
    page = device.client.get(f"/rules/change?rematch={game.code}").content.decode()
    assert re.search(r'name="target"[^>]*value="5000"', page)


def test_players_and_rules_can_be_changed_before_a_rematch_with_real_dice(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), target=1000)
    device.do(game, "mode", mode="manual")
    device.do(game, "points", points="0", bust="1")
    page = device.page(game)
    assert "Change players or rules first" in page and "Rematch with other rules" not in page
    answer = device.do(game, "rematch", do="table")
    again = Game.objects.get(follows=game)
    assert answer["Location"] == f"{again.get_absolute_url()}#seats" and 'id="seats"' in device.page(again)
    device.do(again, "rules", ruleset="pot", waiting="1")
    device.do(again, "start", waiting="1")
    assert (reload_game(again).status, reload_game(again).rules.slug, load_state(reload_game(again)).mode) == (
        "running",
        "pot",
        "manual",
    )


def test_rules_that_a_game_cannot_take_come_back_as_they_were_typed(device: Device) -> None:
    waiting = device.waiting_game(ANA, BRUNO, "Chloé")
    form = {**fill_form(CHANGED, max_players="2"), "do": "rules"}
    sent = {**form, "key": make_key(), "version": "0", "game": waiting.code, "waiting": "1"}
    refused = device.client.post(f"/g/{waiting.code}/rules", sent)
    assert refused.status_code == 409 and "These rules are for at most 2 players." in read_main(refused)
    assert_form_is_there(refused, f"/g/{waiting.code}/rules")
    assert read_hidden_field(refused.content.decode(), "version") == str(reload_game(waiting).version)
    over = device.game(players=(ANA, BRUNO, "Chloé"))
    device.do(over, "delete", do="end")
    refused = device.do(over, "rematch", **form, rematch=over.code)
    assert refused.status_code == 422 and "The number of players must be from 1 to 2." in read_main(refused)
    assert_form_is_there(refused, f"/g/{over.code}/rematch")


def assert_form_is_there(refused: Response, address: str) -> None:
    page = refused.content.decode()
    assert f'action="{address}"' in page and 'value="1750"' in page
    assert html.escape(CHANGED.name) in page.replace("&#39;", "&#x27;")


def test_an_admin_can_publish_played_rules(device: Device) -> None:
    address = start_game(device, CHANGED).rules_address
    client = log_in_staff("add_rulesetrow", "view_rulesetrow", "change_rulesetrow")
    assert "Publish on this site" in read_main(client.get(address))
    page = client.get(f"/admin/game/rulesetrow/add/?played={CHANGED.digest}")
    assert 'value="1750"' in page.content.decode()
    sent = fill_form(CHANGED, slug="grandma", name="Grandma")
    client.post("/admin/game/rulesetrow/add/", sent)
    assert RulesetRow.objects.get(slug="grandma").rules.digest == CHANGED.digest
    assert "Grandma" in read_main(client.get(address))


def test_strangers_cannot_change_the_rules_of_a_game(device: Device, other_device: Device) -> None:
    game = device.waiting_game(ANA)
    assert other_device.client.get(f"/rules/change?game={game.code}").status_code == 404
    assert other_device.client.get("/rules/change?rematch=nothing").status_code == 404
    assert other_device.client.get("/rules/change?ruleset=nothing").status_code == 200


@pytest.mark.parametrize(
    ("settings", "dice", "sentence"),
    [
        ({}, "223446", "Nothing scores: it’s a bust."),
        ({"nothing": "again", "nothing_bonus": 50}, "223446", "Nothing scores: that’s worth 50."),
        ({"lone_five": "rethrow", "straight": 0}, "523446", "No bust: these dice are thrown again."),
        ({"last_die_throws": 3}, "2", "Try 2 of 3 with one die."),
        (
            {"combinations": [{"pattern": "2222", "effect": "out"}]},
            "222213",
            "A throw with 2 2 2 2 puts you out of the game.",
        ),
        ({"combinations": [{"pattern": "666", "effect": "bust"}]}, "666123", "is always a bust, whatever else scores."),
        ({"throws_most": 1, "bank_minimum": 350, "sweep": "may_bank"}, "123446", "None of it may be kept:"),
        (
            {"exact": "stay", "target": 100, "target_choices": [], "entry_minimum": 0, "tie": "leader_stands"},
            "222346",
            "Every keep goes beyond the target: the turn is over.",
        ),
    ],
)
def test_the_live_example_says_what_follows_a_throw_without_a_keep(
    device: Device, settings: dict[str, Any], dice: str, sentence: str
) -> None:
    rules = Ruleset.from_json({**CHANGED.to_json(), "max_players": 4, "min_players": 2, **settings})
    tried = device.client.post("/rules/change", {**fill_form(rules), "throw": dice, "do": "try"})
    assert sentence in read_main(tried)


def test_the_live_example_has_the_french_space_before_its_colon(device: Device) -> None:
    form = {**fill_form(CHANGED), "throw": "223446", "do": "try"}
    tried = device.client.post("/rules/change", form, headers={"Accept-Language": "fr"})
    assert "<p>2 2 3 4 4 6\u00a0: Rien ne marque" in tried.content.decode()


@pytest.mark.parametrize("nonsense", ["\0", "x-\0", "..", "é" * 22])
def test_an_address_that_names_neither_rules_nor_game_is_not_found(device: Device, nonsense: str) -> None:
    device.game()
    for address, name in (("/new", "rules"), ("/rules", "compare"), ("/odds", "ruleset")):
        assert device.client.get(address, {name: nonsense}).status_code in (200, 422), address
    assert "Back to the game" not in device.client.get("/rules/classic", {"game": nonsense}).content.decode()
    for name in ("rules", "game", "rematch"):
        assert device.client.get("/rules/change", {name: nonsense}).status_code == 404, name
    for name in ("game", "rematch"):
        assert device.client.post("/rules/change", {name: nonsense, "do": "try"}).status_code == 404, name


@pytest.mark.parametrize(
    ("setting", "label"), [("entry_minimum", "Points to get on the board"), ("bank_minimum", "Points needed to bank")]
)
def test_a_minimum_that_no_points_can_equal_is_refused_at_its_field(setting: str, label: str, client: Client) -> None:
    sent = fill_form(preset("classic"), **{setting: "525"}, do="rules", key=make_key())
    answer = client.post("/new", sent)
    assert answer.status_code == 422
    assert label in read_main(answer)
    assert "is 525, but all points come in steps of 50: it means 550." in read_main(answer)


def test_the_coins_of_a_pot_are_typed_beside_their_currency(client: Client) -> None:
    page = read_main(client.get("/rules/change?ruleset=pot"))
    assert re.search("coins of play money into the pot .* The currency of the pot is", page)
    sent = fill_form(preset("pot"), ante="100", currency="JPY", do="rules", key=make_key())
    assert "100\N{NO-BREAK SPACE}JPY each" in client.post("/new", sent).content.decode()


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"bust_streak_penalty": "500"}, "bust_streak"),
        ({"bust_streak": "3"}, "bust_streak_penalty"),
    ],
)
def test_half_a_penalty_for_busts_in_a_row_is_refused_and_not_lost(
    client: Client, typed: dict[str, str], field: str
) -> None:
    answer = client.post("/new", fill_form(preset("classic"), **typed, do="rules", key=make_key()))
    page = html.unescape(answer.content.decode())
    error = re.search(rf'id="id_{field}_error">([^<]*)<', page)
    assert answer.status_code == 422
    assert error and "Busts in a row cost nothing until you set both" in error[1]
    for name, value in typed.items():
        assert f'id="id_{name}" value="{value}"' in " ".join(page.split())
