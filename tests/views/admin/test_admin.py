"""The admin: rulesets copied, edited, tried and retired."""

import html
import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult
from pytest_django import DjangoAssertNumQueries

from game import rules, services
from game.forms.ruleset.form import RulesetForm
from game.models import Game, RulesetRow
from game.rules import Ruleset
from game.services.shipped_rulesets import list_shipped_rulesets
from tests.cast import Response, make_key
from tests.views.conftest import log_in_staff
from tests.words import read_text

pytestmark = pytest.mark.django_db
LIST = "/admin/game/rulesetrow/"
ADD = f"{LIST}add/"
TRY = f"{LIST}try/"
TASKS = "/admin/django_tasks_database/dbtaskresult/"


def load_classic() -> RulesetRow:
    return RulesetRow.objects.get(slug="classic")


def save_house_rules() -> RulesetRow:
    return services.save_ruleset(None, {**load_classic().settings, "slug": "house", "name": "House"})


def load_latest(slug: str = "house") -> RulesetRow:
    return RulesetRow.objects.get(slug=slug, latest=True)


def find_address(row: RulesetRow) -> str:
    return f"{LIST}{row.pk}/change/"


def fill_form(settings: Mapping[str, Any], **changed: Any) -> dict[str, Any]:
    """Return what a browser sends for the form as shown, with some fields changed."""
    form = RulesetForm(settings=settings)
    shown = {name: form[name].value() for name in form.fields}
    return {name: value for name, value in (shown | changed).items() if value is not False and value is not None}


def read_page(response: Response) -> str:
    return read_text(response.content.decode())


# ── the list, copying, saving ──


def test_the_list_shows_what_tells_rulesets_apart(editor: Client) -> None:
    page = read_page(editor.get(LIST))
    assert "Classic 10000" in page
    assert "shipped" in page
    assert "Delete" not in page


def test_rulesets_made_here_come_first_in_the_list(editor: Client) -> None:
    services.save_ruleset(None, {**load_classic().settings, "slug": "ox", "name": "As at the Ox"})
    page = read_page(editor.get(LIST))
    assert "As at the Ox" in page and page.index("As at the Ox") < page.index("Classic 10000")


def test_the_list_takes_the_same_queries_for_more_rulesets(
    editor: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for n in range(5):
        services.save_ruleset(None, {**load_classic().settings, "slug": f"house-{n}"})
    with django_assert_max_num_queries(9):
        editor.get(LIST)


def test_copying_a_ruleset_takes_two_presses(editor: Client) -> None:
    form = editor.get(f"{ADD}?copy={load_classic().pk}")
    assert "A copy of Classic 10000. Nothing is saved yet." in read_page(form)
    saved = editor.post(ADD, fill_form(services.copy_ruleset(load_classic())), follow=True)
    assert "and offered it for new games." in read_page(saved)
    assert load_latest("classic-copy").rules.straight == 1500


def test_an_edit_makes_a_version_and_says_what_changed(editor: Client) -> None:
    row = save_house_rules()
    saved = editor.post(find_address(row), fill_form(row.settings, three_pairs="750"), follow=True)
    assert "Saved “House” as version 2. Three pairs: 1,000 → 750" in read_page(saved)
    assert (load_latest().version, load_latest().rules.three_pairs) == (2, 750)


@pytest.mark.parametrize("is_new", [True, False])
def test_a_second_press_on_save_is_answered_like_the_first(editor: Client, is_new: bool) -> None:
    row = None if is_new else save_house_rules()
    address = find_address(row) if row else ADD
    form = fill_form(row.settings if row else services.copy_ruleset(load_classic()), three_pairs="750")
    editor.post(address, form)  # browsers drop this answer
    answer = editor.post(address, form, follow=True)
    slug, version = ("house", 2) if row else ("classic-copy", 1)
    assert answer.redirect_chain == [(find_address(load_latest(slug)), 302)] and "Saved “" in read_page(answer)
    assert (load_latest(slug).version, load_latest(slug).rules.three_pairs) == (version, 750)


def test_saving_without_a_change_makes_no_version(editor: Client) -> None:
    row = save_house_rules()
    assert "Nothing changed" in read_page(editor.post(find_address(row), fill_form(row.settings), follow=True))
    assert load_latest().version == 1


@pytest.mark.one_database
def test_every_setting_of_the_form_is_saved(editor: Client) -> None:
    wanted = rules.PRESETS["boxcars"].to_json() | {
        "slug": "house", "name": "Zoë’s 家", "four_and_two": 1250, "four_and_two_is_three_pairs": True,
        "nothing_bonus": 450, "two_triplets": 2500, "bank_minimum": 300, "sweep": "must_throw", "last_die_throws": 3,
        "bust_streak": 3, "bust_streak_penalty": 500, "target": 7000, "target_choices": [2000, 7000],
        "ending": "at_once", "tie": "shared", "first_player": "throw_for_it", "min_players": 2, "max_players": 5,
        "ante": 10, "bust_penalty": 3, "currency": "EUR", "singles": [100, 200, 0, 0, 50, 150],
    }  # fmt: skip
    editor.post(ADD, fill_form(wanted))
    assert load_latest().settings == wanted


OWN = [
    {"pattern": "1234", "points": 500, "name": "Row of four"},
    {"pattern": "2222", "effect": "bust", "cost": 200},
    {"pattern": "AAABB", "points": [1250, 450, 550, 650, 750, 0]},
]
LATER: list[dict[str, Any]] = [
    {"combinations": OWN},
    {"sets_need_all_dice": True, "must_keep": "all"},
    {"sets_grow": "of_a_kind", "confirm": ["of_a_kind", "sweep"], "confirm_by": "single"},
    {"confirm": ["straights", "groups", "combinations"], "confirm_by": 500, "lone_five": "rethrow"},
    {"entry_in": "throw", "entry_needs": "singles", "bank_step": 100, "bank_dice_left_most": 3, "throws_most": 7},
    {"entry_needs": "set", "sweep_multiplier": 4, "nothing": "again", "nothing_when": "first_throw"},
    {"nothing_cost": 1000, "bust_streak": 3, "bust_cost": "everything", "below_zero": "always"},
    {"bust_streak": 1, "bust_cost": "shot", "below_zero": "entered", "singles": [100, 1, 2, 3, 50, 4]},
    {"pick_up": True, "pick_up_by": "all", "pick_up_worth": 1000, "pick_up_cost": 300},
    {"ending": "rounds", "target_choices": [], "rounds": 10, "tie": "tied_only", "first_player": "lowest"},
    {"exact": "stay", "tie": "shared", "last_die_throws": 2},
]


@pytest.mark.one_database
@pytest.mark.examples
@pytest.mark.parametrize("settings", LATER, ids=lambda settings: " ".join(settings))
def test_every_setting_for_rules_of_the_world_is_saved(editor: Client, settings: dict[str, Any]) -> None:
    wanted = rules.PRESETS["classic"].to_json() | {"slug": "house", "name": "House", **settings}
    assert editor.post(ADD, fill_form(wanted)).status_code == 302
    assert load_latest().settings == wanted


def test_settings_that_need_six_dice_are_left_out_with_five(editor: Client) -> None:
    sent = fill_form(load_classic().settings, slug="house", name="House", dice="5", sweep="may_bank")
    assert "Saved" in read_page(editor.post(ADD, sent, follow=True))
    assert (load_latest().rules.dice, load_latest().rules.straight, load_latest().rules.points_for(6, 1)) == (5, 0, 0)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"exact": "bust", "singles": [100, 0, 0, 0, 70, 0]}, "“Exact target”"),
        (
            {"combination_1_pattern": "BA", "combination_1_points": "100"},
            "“Combination 1: dice” must be one to six characters",
        ),
        ({"confirm_by": "number", "confirm_by_number": ""}, "Enter a whole number from 50 to 10,000."),
        ({"bust_cost": "shot"}, "“Busts in a row that cost points” is at least 1 and “Points they cost” is 0."),
        ({"throws_most": "1", "entry_minimum": "20000"}, "no turn of a player who is not on the board can be banked"),
    ],
)
def test_rules_that_contradict_themselves_are_refused_with_a_sentence(
    editor: Client, changed: dict[str, Any], sentence: str
) -> None:
    settings = (
        load_classic().settings
        | {"slug": "house", "tie": "shared"}
        | {name: changed.pop(name) for name in [*changed] if name == "singles"}
    )
    refused = editor.post(ADD, fill_form(settings, **changed))
    assert refused.status_code == 422
    assert sentence in read_page(refused)
    assert not RulesetRow.objects.filter(slug="house").exists()


@pytest.mark.parametrize("typed", ["1000", "1.000", "1,000", "1 000", "1’000"])
def test_points_of_a_combination_may_be_grouped(editor: Client, typed: str) -> None:
    row = {"combination_1_pattern": "1122", "combination_1_points": typed}
    assert editor.post(ADD, fill_form(load_classic().settings, slug="house", **row)).status_code == 302
    assert [made.points for made in load_latest().rules.combinations] == [1000]


@pytest.mark.parametrize(
    "typed",
    [
        "1.000, 200, 300, 400, 500, 1.600",
        "1,000, 200, 300, 400, 500, 1,600",
        "1,000; 200; 300; 400; 500; 1,600",
        "1'000 200 300 400 500 1600",
        "1000,200,300,400,500,1600",
    ],
)
def test_points_of_a_combination_for_each_number_may_be_grouped(editor: Client, typed: str) -> None:
    row = {"combination_1_pattern": "AAAA", "combination_1_points": typed}
    assert editor.post(ADD, fill_form(load_classic().settings, slug="house", **row)).status_code == 302
    assert [made.points for made in load_latest().rules.combinations] == [(1000, 200, 300, 400, 500, 1600)]


@pytest.mark.parametrize(
    "typed",
    [
        "1,000,200,300,400,500,600",
        "1,000,200,300,400,500",
        "1 000, 200, 300, 400, 500, 600",
        "1000, 200,300, 400, 500, 600",
        "1,0000, 200, 300, 400, 500, 600",
    ],
)
def test_points_that_could_be_grouped_or_apart_are_refused_with_an_example(editor: Client, typed: str) -> None:
    row = {"combination_1_pattern": "AAAA", "combination_1_points": typed}
    refused = editor.post(ADD, fill_form(load_classic().settings, slug="house", **row))
    assert refused.status_code == 422
    assert "or six for the numbers 1 to 6, such as 1000, 200, 300, 400, 500, 600." in read_page(refused)


def test_each_of_two_wrong_combinations_is_named_at_its_dice(editor: Client) -> None:
    wrong = {"combination_1_pattern": "BA", "combination_2_pattern": "999"}
    refused = editor.post(ADD, fill_form(load_classic().settings, slug="house", **wrong))
    assert refused.status_code == 422
    for n in (1, 2):
        link = f'<a href="#id_combination_{n}_pattern">“Combination {n}: dice” must be'
        assert link in refused.content.decode()


def test_a_wrong_combination_is_named_once_by_its_row(editor: Client) -> None:
    refused = editor.post(ADD, fill_form(load_classic().settings, slug="house", combination_2_pattern="AAA"))
    assert "Combination 2 must have points or an effect, and not both." in read_page(refused)
    assert "Combination 2: dice:" not in read_page(refused) and "Combinations of your own” 1" not in read_page(refused)


def test_points_without_their_dice_are_refused_and_an_empty_row_is_no_combination(editor: Client) -> None:
    refused = editor.post(
        ADD, fill_form(load_classic().settings, slug="house", combination_1_pattern="", combination_1_points="100")
    )
    assert refused.status_code == 422
    assert "Combination 1: dice: Enter its dice" in read_page(refused)
    emptied = fill_form(load_classic().settings, slug="house", combination_1_pattern="", combination_1_points="")
    assert editor.post(ADD, emptied).status_code == 302


def test_an_overtaken_edit_shows_the_other_change_and_loses_nothing(editor: Client) -> None:
    row = save_house_rules()
    services.save_ruleset(row, {**row.settings, "straight": 2000})
    overtaken = editor.post(find_address(row), fill_form(row.settings, three_pairs="750"))
    assert overtaken.status_code == 409
    assert "They changed: Straight: 1,500 → 2,000." in read_page(overtaken)
    assert 'value="750"' in overtaken.content.decode()
    action = f'action="{find_address(load_latest())}"'
    assert action in overtaken.content.decode()
    editor.post(find_address(load_latest()), fill_form(row.settings, three_pairs="750"))
    kept = RulesetRow.objects.filter(slug="house").order_by("version")
    assert [(r.rules.straight, r.rules.three_pairs) for r in kept] == [(1500, 1000), (2000, 1000), (1500, 750)]


def test_trying_dice_or_loading_a_file_in_an_overtaken_edit_loses_nothing(editor: Client) -> None:
    row = save_house_rules()
    services.save_ruleset(row, {**row.settings, "straight": 2000})
    tried = editor.post(find_address(row), fill_form(row.settings, three_pairs="250", throw="112233", _try="1"))
    assert "1 1 2 2 3 3 250" in read_page(tried) and 'value="250"' in tried.content.decode()
    file = SimpleUploadedFile("house.json", json.dumps({**row.settings, "three_pairs": 750}).encode())
    loaded = editor.post(find_address(row), {"_load": "1", "file": file})
    assert 'value="750"' in loaded.content.decode() and "_save" in loaded.content.decode()


def test_dice_can_be_tried_with_an_earlier_version(editor: Client) -> None:
    row = save_house_rules()
    services.save_ruleset(row, {**row.settings, "three_pairs": 250})
    tried = editor.post(find_address(row), {"_try": "1", "throw": "223366", "row": row.pk})
    assert "2 2 3 3 6 6 1,000" in read_page(tried) and "_save" not in tried.content.decode()


@pytest.mark.parametrize("slug", ["classic", "change", "custom", "own"])
def test_a_name_in_links_that_is_taken_is_refused(editor: Client, slug: str) -> None:
    refused = editor.post(ADD, fill_form(load_classic().settings, slug=slug))
    assert refused.status_code == 422
    assert "Name in links: That name is taken. Choose another one." in read_page(refused)


def test_the_history_says_in_words_who_changed_what(editor: Client) -> None:
    row = save_house_rules()
    editor.post(find_address(row), fill_form(row.settings, three_pairs="750", sweep="may_bank"))
    history = read_page(editor.get(f"{LIST}{row.pk}/history/"))
    assert "Three pairs: 1,000 → 750" in history
    assert "editor" in history
    assert "The first version" in history


def test_nobody_is_said_to_have_written_a_ruleset_that_they_only_archived(editor: Client) -> None:
    editor.post(f"{LIST}{load_classic().pk}/retire/", {"do": "retire"})
    history = editor.get(f"{LIST}{load_classic().pk}/history/").content.decode()
    assert "<td>–</td>" in history and "<td>editor</td>" not in history


def test_an_old_version_can_be_read_and_leads_to_the_newest(editor: Client) -> None:
    row = save_house_rules()
    services.save_ruleset(row, {**row.settings, "straight": 2000})
    page = editor.get(find_address(row))
    assert "This is an earlier version." in read_page(page)
    assert find_address(load_latest()) in page.content.decode()
    assert "Save as" not in read_page(page)


# ── shipped, archived, not allowed ──


def test_a_shipped_ruleset_shows_everything_and_saves_nothing(editor: Client) -> None:
    page = editor.get(find_address(load_classic()))
    assert "This ruleset comes with the site and cannot be changed." in read_page(page)
    assert f"{ADD}?copy={load_classic().pk}" in page.content.decode()
    assert "_save" not in page.content.decode()
    assert (
        editor.post(find_address(load_classic()), fill_form(load_classic().settings, straight="9000")).status_code
        == 403
    )
    assert load_classic().rules.straight == 1500


def test_a_ruleset_is_archived_and_restored(editor: Client) -> None:
    row = save_house_rules()
    assert "is archived" in read_page(editor.post(f"{LIST}{row.pk}/retire/", {"do": "retire"}, follow=True))
    assert load_latest().retired
    assert "is offered for new games again" in read_page(
        editor.post(f"{LIST}{row.pk}/retire/", {"do": "offer"}, follow=True)
    )
    assert load_latest().retired is None


def test_several_rulesets_are_archived_from_the_list(editor: Client) -> None:
    rows = [row.pk for row in RulesetRow.objects.filter(slug__startswith="greed")]
    editor.post(LIST, {"action": "retire_chosen", "_selected_action": rows})
    assert RulesetRow.objects.filter(retired=None).count() == len(list_shipped_rulesets()) - len(rows)


def test_nobody_can_delete_a_ruleset(admin_client: Client) -> None:
    assert admin_client.get(f"{LIST}{save_house_rules().pk}/delete/").status_code == 403
    admin_client.post(LIST, {"action": "delete_selected", "_selected_action": [load_latest().pk], "post": "yes"})
    assert load_latest()


def test_the_background_tasks_are_named_in_the_readers_language(admin_client: Client) -> None:
    page = read_page(admin_client.get("/admin/", headers={"accept-language": "de"}))
    assert "Hintergrundaufgaben" in page and " Aufgaben Ansehen" in page and "Task" not in page
    add_task(TaskResultStatus.FAILED)
    page = read_page(admin_client.get(TASKS, headers={"accept-language": "de"}))
    for word in ("Funktion", "Eingereiht am", "Begonnen am", "Beendet am", "Priorität", "Fehlgeschlagen"):
        assert word in page
    assert not re.search("task|queue|priority|Ready|Running|Failed|Successful", page.replace("review_game", ""))


def test_an_impossible_filter_of_the_tasks_shows_them_all(admin_client: Client) -> None:
    add_task(TaskResultStatus.READY)
    for query in ("priority__exact=9999999999999999999", "priority__exact=x", "status__exact=%00"):
        answer = admin_client.get(f"{TASKS}?{query}")
        assert (answer.status_code, answer["Location"].split("?")[0]) == (302, TASKS)


def add_task(status: TaskResultStatus) -> None:
    DBTaskResult.objects.create(
        status=status,
        args_kwargs={"args": [], "kwargs": {}},
        task_path="game.services.reviews.review_game",
        backend_name="default",
        run_after=timezone.now(),
    )


def test_staff_who_may_only_look_see_no_button() -> None:
    client, row = log_in_staff("view_rulesetrow"), save_house_rules()
    page = client.get(find_address(row))
    assert "You may look at this ruleset, but not change it." in read_page(page)
    assert "_save" not in page.content.decode()
    assert "Archive" not in read_page(page)
    assert client.post(find_address(row), fill_form(row.settings)).status_code == 403
    assert client.get(ADD).status_code == 403
    assert client.post(f"{LIST}{row.pk}/retire/", {"do": "retire"}).status_code == 403


def test_staff_who_may_only_add_rulesets_are_told_that_theirs_is_saved() -> None:
    answer = log_in_staff("add_rulesetrow").post(ADD, fill_form(load_classic().settings, slug="house"), follow=True)
    assert answer.status_code == 200
    assert "and offered it for new games." in read_page(answer)


def test_staff_without_permissions_are_turned_away() -> None:
    client, row = log_in_staff(), save_house_rules()
    addresses = (LIST, ADD, find_address(row), f"{LIST}{row.pk}/history/", "/admin/game/game/")
    assert {client.get(address).status_code for address in addresses} == {403}
    assert client.post(TRY, fill_form(row.settings)).status_code == 403
    assert Client().get(find_address(row)).status_code == 302


# ── files ──


def load_file(client: Client, address: str, content: bytes) -> Response:
    return client.post(address, {"file": SimpleUploadedFile("rules.json", content), "_load": "1"})


def test_a_file_fills_the_form_of_a_new_ruleset_and_nothing_is_saved(editor: Client) -> None:
    rows = RulesetRow.objects.count()
    page = load_file(editor, ADD, json.dumps(load_classic().settings | {"slug": "loaded", "straight": 1850}).encode())
    assert 'value="1850"' in page.content.decode() and 'value="loaded"' in page.content.decode()
    assert "The form shows the rules of the file. Nothing is saved yet." in read_page(page)
    assert RulesetRow.objects.count() == rows


def test_a_file_fills_the_form_but_leaves_a_rulesets_name_in_links(editor: Client) -> None:
    row = save_house_rules()
    page = load_file(
        editor, find_address(row), json.dumps(load_classic().settings | {"straight": 1850}).encode()
    ).content.decode()
    assert 'value="1850"' in page and 'value="house"' in page and 'value="classic"' not in page
    assert load_latest().version == 1


@pytest.mark.parametrize(
    ("content", "sentence"),
    [(b"", "This isn’t a JSON file with rules."), (b'{"dice": 7}', "“Number of dice” must be one of")],
)
def test_a_file_without_rules_is_refused_with_a_sentence(editor: Client, content: bytes, sentence: str) -> None:
    page = load_file(editor, ADD, content)
    assert page.status_code == 200 and sentence in read_page(page)


def test_each_version_is_downloaded_as_a_file_that_can_be_loaded_again(editor: Client) -> None:
    row = save_house_rules()
    link = f"/rules/house/{row.version}.json"
    assert f'href="{link}" download' in editor.get(find_address(row)).content.decode()
    assert Ruleset.from_json(json.loads(editor.get(link).content)) == row.rules


# ── how the site presents a ruleset ──


def present_ruleset(client: Client, slug: str, **sent: str) -> str:
    row = RulesetRow.objects.get(slug=slug, latest=True)
    return read_page(client.post(f"{LIST}{row.pk}/present/", sent, follow=True))


def test_rulesets_in_front_come_in_the_chosen_order(editor: Client) -> None:
    present_ruleset(editor, "farkle", place="1")
    present_ruleset(editor, "classic", place="")
    present_ruleset(editor, "kostky", place="2")
    shown = re.findall(r'name="ruleset" id="[^"]+" value="([^"]+)"', Client().get("/new").content.decode())
    assert shown[:5] == ["farkle", "pot", "kostky", "farkle-quick", "greed"]
    assert "classic" in shown[5:]


def test_the_home_page_plays_only_the_ruleset_chosen_last(editor: Client) -> None:
    assert "Classic 10,000" in read_page(Client().get("/"))
    for slug in ("pot", "greed"):
        assert "Saved. No new version was needed." in present_ruleset(editor, slug, home="on")
    assert list(RulesetRow.objects.filter(home=True).values_list("slug", flat=True)) == ["greed"]
    client = Client()
    client.get("/")
    code = client.post("/quick", {"key": make_key()})["Location"].partition("#")[0].rpartition("/")[2]
    assert Game.objects.get(code=code).rules.slug == "greed"


def test_a_family_of_joined_emoji_may_stand_in_every_text_of_a_ruleset(editor: Client) -> None:
    save_house_rules()
    present_ruleset(editor, "house", origin="Haus 👨‍👩‍👧‍👦", description="Für 👨‍👩‍👧‍👦.")
    assert (load_latest().origin, load_latest().description) == ("Haus 👨‍👩‍👧‍👦", "Für 👨‍👩‍👧‍👦.")
    editor.post(find_address(load_latest()), fill_form(load_latest().settings, name="Haus 👨‍👩‍👧‍👦"))
    assert load_latest().rules.name == "Haus 👨‍👩‍👧‍👦"


@pytest.mark.parametrize("name", ["x" * 50 + "👨‍👩‍👧‍👦", "x" * 49 + "می\u200cروم"])
def test_a_ruleset_can_be_copied_if_its_name_is_cut_at_a_joiner(editor: Client, name: str) -> None:
    row = services.save_ruleset(None, {**load_classic().settings, "slug": "house", "name": name})
    copy = editor.get(f"{ADD}?copy={row.pk}")
    assert copy.status_code == 200
    assert f'value="Copy of {name[:51]}"' in copy.content.decode()


def test_origin_and_description_are_shown_and_stay_with_the_next_version(editor: Client) -> None:
    row = save_house_rules()
    present_ruleset(editor, "house", origin="Aunt Mia’s kitchen", description="Short and <b>wild</b>.", place="7")
    editor.post(find_address(row), fill_form(row.settings, straight="1750"))
    assert (load_latest().version, load_latest().place) == (2, 7)
    page = Client().get("/rules/house").content.decode()
    assert "Aunt Mia’s kitchen" in page and "Short and &lt;b&gt;wild&lt;/b&gt;." in page
    assert "Short and &lt;b&gt;wild" in Client().get("/rules").content.decode()


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"place": "0"}, "Place among the featured rulesets: Enter a whole number from 1 to 99."),
        ({"origin": "x" * 121}, "Enter up to 120 characters."),
        ({"description": "x" * 501}, "Enter up to 500 characters."),
        ({"description": "a\x00b"}, "This text has a character that cannot be used."),
    ],
)
def test_a_presentation_that_does_not_fit_is_refused_with_a_sentence(
    editor: Client, sent: dict[str, str], sentence: str
) -> None:
    before = RulesetRow.objects.filter(slug="pot").values().get()
    refused = editor.post(f"{LIST}{before['id']}/present/", {"description": "Short and wild."} | sent)
    assert refused.status_code == 422 and sentence in read_page(refused)
    assert '<details class="module presentation" open>' in refused.content.decode()
    assert "description" in sent or "Short and wild." in read_page(refused)
    assert RulesetRow.objects.filter(slug="pot").values().get() == before


FOR_HOME = "The game from the home page is for two players with six dice and a target. These rules are not."


def test_the_home_page_needs_rules_for_two(editor: Client) -> None:
    row = save_house_rules()
    services.save_ruleset(row, {**row.settings, "min_players": 3})
    assert FOR_HOME in present_ruleset(editor, "house", home="on")


@pytest.mark.parametrize("slug", ["zonk-five-dice", "zonk-ten-rounds"])
def test_the_home_page_needs_six_dice_and_a_target_because_it_names_them(editor: Client, slug: str) -> None:
    assert FOR_HOME in present_ruleset(editor, slug, home="on")
    assert "Classic 10,000" in read_page(Client().get("/"))


def test_a_presentation_is_saved_although_somebody_else_saved_a_version_meanwhile(editor: Client) -> None:
    row = save_house_rules()
    services.save_ruleset(row, {**row.settings, "straight": 2000})
    saved = editor.post(f"{LIST}{row.pk}/present/", {"description": "Ours since 1985."}, follow=True)
    assert "Saved. No new version was needed." in read_page(saved)
    assert load_latest().description == "Ours since 1985."


def test_staff_who_may_only_look_change_no_presentation() -> None:
    client, row = log_in_staff("view_rulesetrow"), save_house_rules()
    assert "How the site presents it" not in read_page(client.get(find_address(row)))
    assert client.post(f"{LIST}{row.pk}/present/", {"place": "1"}).status_code == 403


# ── trying dice ──


def test_the_example_follows_the_form(editor: Client) -> None:
    tried = read_page(editor.post(TRY, fill_form(load_classic().settings, throw="112233", three_pairs="250")))
    assert "1 1 2 2 3 3 250" in tried
    assert "“Three pairs” scores 250, but the dice 1 1 2 2 5 5 score 300 without it." in tried
    assert "1 66.7%" in tried


def test_the_example_writes_points_as_players_read_them(editor: Client) -> None:
    tried = read_page(editor.post(TRY, fill_form(load_classic().settings, throw="222333")))
    assert "2 2 2 3 3 3 500" in tried and "1 2 3 4 5 6 1 2 3 4 5 6 1,500" in tried
    german = editor.post(TRY, fill_form(load_classic().settings, throw="666666"), headers={"Accept-Language": "de"})
    assert "6 6 6 6 6 6 6.000" in read_page(german)


def test_the_example_says_what_is_wrong_with_the_form(editor: Client) -> None:
    tried = read_page(editor.post(TRY, fill_form(load_classic().settings, straight="much")))
    assert "Fix these settings to see the example:" in tried
    assert "Straight: Enter a whole number from 0 to 100,000." in tried


def test_without_javascript_the_try_button_shows_the_example_and_saves_nothing(editor: Client) -> None:
    row = save_house_rules()
    page = read_page(
        editor.post(find_address(row), fill_form(row.settings, three_pairs="250", throw="112233", _try="1"))
    )
    assert "1 1 2 2 3 3 250" in page
    assert load_latest().version == 1


def test_dice_can_be_tried_with_a_shipped_ruleset(editor: Client) -> None:
    pot = RulesetRow.objects.get(slug="pot")
    assert "2 2 3 3 6 6 500" in read_page(editor.post(find_address(pot), {"_try": "1", "throw": "223366"}))
    assert "2 2 3 3 6 6 500" in read_page(editor.post(TRY, {"row": pot.pk, "throw": "223366"}))


def test_two_rulesets_of_the_same_name_are_pointed_out(editor: Client) -> None:
    tried = read_page(editor.post(TRY, fill_form(load_classic().settings, slug="other")))
    assert "Another ruleset is called “Classic 10000” too" in tried


# ── bad input ──

NUMBERS = ["", "999999999999", "1_0", "١", "\0", "-1", "+1", "1.0", "1e3", "²", "0x10", "9" * 5000, "100001", "\ufffd"]
POINTS = ["straight", *(f"kind_{number}_{face}" for number in (1, 3, 6) for face in range(1, 7))]


WRONG = {
    "name": [
        ("", "Enter a name of up to 60 characters."),
        ("x" * 61, "Enter a name of up to 60 characters."),
        ("a\0b", "This name has a character that cannot be used."),
        ("a\u202eb", "This name has a character that cannot be used."),
        ("a\u200cb", "This name has a character that cannot be used."),
    ],
    "slug": [
        ("", "Use up to 50 lowercase letters, digits and hyphens"),
        ("House", "Use up to 50 lowercase letters, digits and hyphens"),
        ("x" * 51, "Use up to 50 lowercase letters, digits and hyphens"),
        ("a\0", "Use up to 50 lowercase letters, digits and hyphens"),
    ],
    "target": [
        ("1025", "Choose a target from 100 to 100,000 in steps of 50."),
        ("", "Choose a target from 100 to 100,000 in steps of 50."),
        ("1e4", "Choose a target from 100 to 100,000 in steps of 50."),
    ],
    "target_choices": [
        ("5,000, 10,000", "Enter targets from 100 to 100000 in steps of 50, separated by commas"),
        ("5000 ١٠٠٠٠", "Enter targets from 100 to 100000 in steps of 50, separated by commas"),
        (",".join(["5000"] * 13), "Offer up to 12 targets."),
    ],
    "min_players": [("0", "Enter a whole number from 1 to 12.")],
    "max_players": [
        ("13", "Enter a whole number from 1 to 12."),
        ("0", "Enter a whole number from 1 to 12."),
    ],
    "bust_streak": [("101", "Enter a whole number from 0 to 100.")],
    "ante": [("1000001", "Enter a whole number from 0 to 1,000,000.")],
    "currency": [
        ("usd", "Enter three capital letters, such as USD or EUR."),
        ("", "Enter three capital letters, such as USD or EUR."),
    ],
    "sweep": [
        ("never", "Choose one of the answers on this page."),
        ("", "Choose one of the answers on this page."),
    ],
    "last_die_throws": [("4", "Choose one of the answers on this page.")],
    "ending": [("\0", "Choose one of the answers on this page.")],
}


def post_wrong_values(editor: Client, **wrong: str) -> dict[str, str]:
    """Post a form with these wrong values; return the label and sentence that the page shows for each field."""
    refused = editor.post(ADD, fill_form({**load_classic().settings, "slug": "house"}) | wrong)
    assert refused.status_code == 422
    assert "Error: New rules" in read_page(refused)
    assert not RulesetRow.objects.filter(slug="house").exists()
    links = re.findall(r'<li>\s*<a href="#id_(\w+)">([^<]+)</a>', refused.content.decode())
    return {re.sub(r"_\d$", "", field) if field not in wrong else field: html.unescape(text) for field, text in links}


@pytest.mark.one_database
def test_a_value_that_is_no_number_gets_a_sentence(editor: Client) -> None:
    """Every field for points gets one of the wrong values."""
    wrong = {name: NUMBERS[n % len(NUMBERS)] for n, name in enumerate(POINTS)}
    problems = post_wrong_values(editor, **wrong)
    assert problems.keys() == wrong.keys()
    assert all(sentence.endswith(": Enter a whole number from 0 to 100,000.") for sentence in problems.values())
    labels = {"straight": "Straight", "kind_1_1": "Single die, 1s", "kind_6_6": "Six of a kind, 6s"}
    assert {name: problems[name].partition(":")[0] for name in labels} == labels


@pytest.mark.one_database
def test_each_field_says_what_it_accepts(editor: Client) -> None:
    """Each form posts the next wrong value of every field, until no field has any left."""
    for sent in range(max(map(len, WRONG.values()))):
        wrong = {name: values[sent] for name, values in WRONG.items() if sent < len(values)}
        problems = post_wrong_values(editor, **{name: value for name, (value, _sentence) in wrong.items()})
        assert problems.keys() == wrong.keys()
        assert [name for name, (_value, sentence) in wrong.items() if sentence not in problems[name]] == []


def test_a_minimum_of_players_above_the_maximum_is_refused(editor: Client) -> None:
    refused = editor.post(
        ADD, fill_form({**load_classic().settings, "slug": "house"}, min_players="5", max_players="3")
    )
    assert "The maximum must not be below the minimum." in read_page(refused)


def test_an_empty_form_is_refused_field_by_field(editor: Client) -> None:
    refused = editor.post(ADD, {})
    assert refused.status_code == 422
    assert refused.content.decode().count("Enter a whole number from 0 to 100,000.") > 40


@pytest.mark.parametrize("number", ["0", "999999999999999999", "9" * 30, "abc", "1_0", "-1", "%00", "١"])
def test_a_ruleset_that_does_not_exist_is_not_found(editor: Client, number: str) -> None:
    assert editor.get(f"{LIST}{number}/change/").status_code == 404
    assert editor.get(f"{ADD}?copy={number}").status_code == 404
    assert editor.post(TRY, {"row": number}).status_code == 404
