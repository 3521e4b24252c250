"""Home, new game, games, preferences and help in Chromium: by mouse and keyboard, without JavaScript, with axe."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from playwright.sync_api import FilePayload, Page, Route, expect

from game.models import Game
from game.rules import preset
from game.storage import sums
from tests.axe import check_accessible, check_accessible_at_widths
from tests.browser.conftest import count_events, iterate_widths
from tests.cast import ANA, BRUNO, HAL, IN, Device, bank, bust, make_key, reload_game, throw

CHLOE = "Chloé"
PAGES = (
    "/",
    "/names",
    "/new",
    "/new?for=computer",
    "/rules/change",
    "/rules?q=five",
    "/games",
    "/games?show=finished",
    "/games/import",
    "/prefs",
    "/help",
)
Browse = Callable[..., Page]
GAME = re.compile(r"/g/[\w-]{22}(#top)?$")  # "#top" until the first throw has been played


def read_names(page: Page) -> list[str]:
    return [field.input_value() for field in page.locator("[name=name]").all()]


def list_players() -> list[str]:
    return list(Game.objects.get().players.order_by("seat").values_list("name", flat=True))


# ── home ──


@pytest.mark.parametrize("javascript", [True, False])
def test_one_tap_on_the_home_page_throws_six_dice(browse: Browse, javascript: bool) -> None:
    page = browse(360, javascript=javascript)
    page.goto("/")
    page.get_by_role("button", name="Throw 6 dice").click()
    expect(page).to_have_url(GAME)
    expect(page.locator("#tray .die")).to_have_count(6)


@pytest.mark.parametrize("address", ["/", "/games"])
def test_r_throws_where_a_first_game_is_offered(page: Page, address: str) -> None:
    page.goto(address)
    page.keyboard.press("r")
    expect(page).to_have_url(GAME)


def test_a_question_mark_leads_to_the_help(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("?")
    expect(page).to_have_url("/help")


def test_two_quick_taps_make_one_game(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Throw 6 dice").dblclick()
    expect(page).to_have_url(GAME)
    assert Game.objects.count() == 1


def test_a_game_can_be_continued_from_the_home_page(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Throw 6 dice").click()
    expect(page).to_have_url(GAME)
    address = page.url.partition("#")[0]
    page.goto("/")
    page.get_by_role("link", name="Continue against *HAL").click()
    expect(page).to_have_url(address)


def test_a_long_name_is_written_out_where_its_game_can_be_continued(
    browse: Browse, sit: Callable[..., Page], device: Device
) -> None:
    device.game(players=(ANA, "W" * 24))
    page = sit(browse(360))
    page.goto("/")
    again = page.get_by_role("link", name="Continue with Ana and WWW")
    assert again.evaluate("link => link.scrollWidth <= link.clientWidth")


# ── new game ──


@pytest.mark.parametrize("javascript", [True, False])
def test_a_family_sets_up_its_game(browse: Browse, javascript: bool) -> None:
    page = browse(360, javascript=javascript)
    page.goto("/")
    page.get_by_role("link", name="Pass one phone").click()
    page.get_by_label("Name of player 1").fill(ANA)
    page.get_by_label("Name of player 2").fill(BRUNO)
    page.get_by_role("button", name="+ Add player").click()
    page.get_by_label("Name of player 3").fill(CHLOE)
    page.get_by_role("button", name="+ Add computer").click()
    expect(page.locator("#name-4")).to_have_value(HAL)
    page.get_by_role("button", name="Move player 3 up").click()
    expect(page.locator("#name-2")).to_have_value(CHLOE)
    page.get_by_label("Quick Farkle").check()
    page.locator("#start").click()
    page.wait_for_url("**/g/*")
    assert list_players() == [ANA, CHLOE, BRUNO, HAL]
    assert Game.objects.get().target == 5000


def test_the_focus_moves_to_what_is_used_next(page: Page) -> None:
    page.goto("/new")
    page.get_by_role("button", name="+ Add player").press("Enter")
    expect(page.locator("#name-3")).to_be_focused()
    page.keyboard.type(CHLOE)
    page.locator("#up-3").press("Enter")
    expect(page.locator("#up-2")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#down-1")).to_be_focused()
    page.locator("#remove-1").press("Enter")
    expect(page.locator("[name=name]")).to_have_count(2)
    expect(page.locator("#remove-1")).to_be_focused()
    assert read_names(page) == ["", ""]
    page.keyboard.press("Enter")
    expect(page.locator("#add")).to_be_focused()


def press_slowly(page: Page, button: str) -> Callable[[], None]:
    """Press a button of the rows and return a function that lets its request go, which waits until then."""
    sent: list[Route] = []
    address = page.url.partition("#")[0]
    page.route(address, lambda route: sent.append(route), times=1)
    with page.expect_request(address):
        page.locator(button).click()
    return lambda: sent[0].continue_()


def test_two_quick_presses_add_two_players(page: Page) -> None:
    page.goto("/new")
    let_go = press_slowly(page, "#add")
    page.locator("#add").click()
    page.locator("#add-computer").click()
    page.locator("#remove-1").click()
    let_go()
    expect(page.locator("#level-4")).to_be_visible()
    expect(page.locator("#name-5")).to_have_count(0)
    assert read_names(page) == ["", "", "", HAL]


def test_quick_presses_add_no_more_players_than_allowed(page: Page) -> None:
    page.goto("/new")
    for n in range(3, 12):
        page.locator("#add").click()
        expect(page.locator(f"#name-{n}")).to_be_focused()
    let_go = press_slowly(page, "#add")
    page.locator("#add").click()
    page.locator("#add").click()
    let_go()
    expect(page.get_by_text("That’s the most: 12 players.")).to_be_visible()
    expect(page.locator("[name=name]")).to_have_count(12)


def test_what_is_typed_while_a_player_is_added_stays(page: Page) -> None:
    page.goto("/new")
    page.locator("#name-1").fill(ANA)
    let_go = press_slowly(page, "#add")
    page.locator("#name-2").fill("Buno")
    for _press in range(3):
        page.keyboard.press("ArrowLeft")
    let_go()
    expect(page.locator("#name-3")).to_be_visible()
    expect(page.locator("#name-2")).to_be_focused()
    page.keyboard.type("r")
    assert read_names(page) == [ANA, BRUNO, ""]


def test_what_is_typed_while_a_player_is_removed_moves_up_with_its_row(page: Page) -> None:
    page.goto("/new")
    page.locator("#add").click()
    expect(page.locator("#name-3")).to_be_focused()
    let_go = press_slowly(page, "#remove-1")
    page.locator("#name-3").fill(CHLOE)
    let_go()
    expect(page.locator("[name=name]")).to_have_count(2)
    expect(page.locator("#name-2")).to_be_focused()
    assert read_names(page) == ["", CHLOE]


def test_a_second_quick_press_moves_the_same_player(page: Page) -> None:
    page.goto("/new")
    page.locator("#add").click()
    page.locator("#name-3").fill(CHLOE)
    let_go = press_slowly(page, "#up-3")
    page.locator("#up-3").click()
    page.locator("#name-2").fill(BRUNO)
    let_go()
    expect(page.locator("#name-1")).to_have_value(CHLOE)
    assert read_names(page) == [CHLOE, "", BRUNO]


def test_a_colour_chosen_while_a_player_is_added_is_kept(page: Page) -> None:
    page.goto("/new")
    let_go = press_slowly(page, "#add")
    page.get_by_label("Colour of player 1").select_option("Blue")
    let_go()
    expect(page.locator("#name-3")).to_be_visible()
    expect(page.locator("#colour-1")).to_be_focused()  # once its own answer has come
    expect(page.locator("#colour-1 :checked")).to_have_text("Blue")
    assert read_names(page) == ["", "", ""]


def test_start_waits_for_a_player_who_is_being_added(page: Page) -> None:
    page.goto("/new")
    let_go = press_slowly(page, "#add")
    page.locator("#start").click(no_wait_after=True)
    let_go()
    page.wait_for_url("**/g/*")
    assert len(list_players()) == 3


def test_enter_in_a_name_starts_the_game(page: Page) -> None:
    page.goto("/new")
    page.get_by_label("Name of player 1").fill(ANA)
    page.keyboard.press("Enter")
    page.wait_for_url("**/g/*")
    assert list_players() == [ANA, "Player 2"]


def test_other_rules_and_row_buttons_load_no_new_page(page: Page) -> None:
    loaded: list[str] = []
    page.goto("/new")
    page.on("framenavigated", lambda frame: loaded.append(frame.url))
    page.get_by_text("Options").click()
    page.get_by_role("radio", name="The Pot").check()
    page.get_by_role("button", name="5,000").click()
    expect(page.locator("#target")).to_have_value("5000")
    page.get_by_role("button", name="+ Add player").click()
    expect(page.locator("#name-3")).to_be_visible()
    assert loaded == []


def test_the_pot_can_be_switched_off_only_where_there_is_one(page: Page) -> None:
    page.goto("/new")
    page.get_by_text("Options").click()
    expect(page.locator("#free")).to_be_hidden()
    page.get_by_role("radio", name="The Pot").check()
    expect(page.locator("#free")).to_be_visible()


def test_classic_rules_are_not_offered_to_be_compared_with_themselves(page: Page) -> None:
    page.goto("/new")
    page.get_by_label("Classic 10,000").check()
    compare = page.get_by_role("button", name="Compare with Classic 10,000")
    expect(compare).to_be_hidden()
    page.get_by_label("Quick Farkle").check()
    expect(compare).to_be_visible()


def test_mistakes_are_named_first_and_lead_to_their_field(page: Page) -> None:
    page.goto("/new")
    page.locator("#name-1").fill("A" * 25)
    page.locator("#start").click()
    summary = page.get_by_role("alert")
    expect(summary).to_be_focused()
    expect(page).to_have_title(re.compile("^Error: "))
    check_accessible(page)
    expect(page.locator("#name-1")).to_have_css("border-top-width", "2px")  # the wrong field is framed
    summary.get_by_role("link").click()
    expect(page.locator("#name-1")).to_be_focused()


def test_start_is_in_reach_of_the_thumb_on_a_phone(browse: Browse) -> None:
    page = browse(320)
    page.goto("/new")
    for width in iterate_widths(page, 320, 360):
        box = page.locator("#start").bounding_box()
        assert box and box["y"] + box["height"] > 740 - 24 and box["width"] > width - 40


def test_the_words_on_the_button_to_throw_stand_in_its_middle(browse: Browse) -> None:
    page = browse(360)
    page.goto("/")
    gaps = """button => {
        const [box, ...words] = [button, ...button.children].map(part => part.getBoundingClientRect())
        return [words[0].top - box.top, box.bottom - words.at(-1).bottom]
    }"""
    for width in iterate_widths(page, 360, 768):
        above, below = page.locator("#throw").evaluate(gaps)
        assert abs(above - below) <= 1, width


def test_rules_with_a_long_name_fit_a_phone(browse: Browse, sit: Callable[..., Page], device: Device) -> None:
    address = device.game(ruleset=replace(preset("pot"), bank_minimum=300).to_json()).rules_address
    device.client.post(f"{address}/keep", {"key": make_key(), "name": "W" * 60})
    page = sit(browse(320))
    page.goto(f"/new?rules={address.rpartition('/')[2]}")
    expect(page.get_by_text("W" * 60)).to_have_count(2)  # chosen, and among the rules that are kept
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# ── games and files ──


def test_a_game_can_be_saved_as_a_file_and_loaded_again(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Throw 6 dice").click()
    page.wait_for_url("**/g/*")
    page.goto("/games")
    with page.expect_download() as saving:
        page.get_by_role("link", name="Download").click()
    page.get_by_role("link", name="Load a game file").click()
    page.get_by_label("Game file").set_input_files(saving.value.path())
    page.get_by_role("button", name="Load").click()
    page.wait_for_url("**/g/*")
    assert list(Game.objects.order_by("pk").values_list("loaded", flat=True)) == [False, True]


def test_names_of_a_head_to_head_are_not_broken_on_a_phone(
    browse: Browse, sit: Callable[..., Page], device: Device
) -> None:
    players = "Charlotte", "Mamie"
    game = device.game(bank(0, 1000, IN), bust(1, throw("234466")), players=players, target=1000)
    Game.objects.update(loaded=False)  # a loaded game does not count
    sums.add_up(reload_game(game))
    page = sit(browse(320, locale="fr"))
    page.goto("/games/with/Mamie")
    names = page.locator(".both thead th")
    expect(names).to_have_text(list(players))
    lines = "cell => { const text = new Range(); text.selectNodeContents(cell); return text.getClientRects().length }"
    assert [name.evaluate(lines) for name in names.all()] == [1, 1]


def test_a_file_that_is_no_game_file_is_refused(page: Page) -> None:
    page.goto("/games/import")
    wrong: FilePayload = {"name": "holiday.png", "mimeType": "image/png", "buffer": b"\x89PNG\r\n\x1a\n"}
    page.get_by_label("Game file").set_input_files(files=[wrong])
    page.get_by_role("button", name="Load").click()
    expect(page.get_by_role("alert")).to_be_focused()
    assert not Game.objects.exists()


# ── preferences ──


def test_a_preference_is_saved_and_seen_at_once(page: Page) -> None:
    page.goto("/prefs")
    page.get_by_label("Dark").check()
    expect(page.locator("#saved-theme")).to_have_text("Saved")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 20)"
    expect(page.get_by_label("Dark")).to_be_focused()
    page.goto("/")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 20)"


def test_the_last_of_several_quick_choices_is_saved(page: Page) -> None:
    """Arrow keys change a choice faster than a slow connection saves one."""
    page.add_init_script(
        """const now = fetch
        window.fetch = (...all) => new Promise(go => setTimeout(() => go(), 200)).then(() => now(...all))"""
    )
    page.goto("/prefs")
    page.locator("[name=colour]:checked").focus()
    with page.expect_response(lambda answer: "colour=4" in (answer.request.post_data or "")):
        for _ in range(4):
            page.keyboard.press("ArrowDown")
    expect(page.locator("#saved-colour")).to_have_text("Saved")
    page.reload()
    expect(page.locator("[name=colour]:checked")).to_have_value("4")


def test_preferences_can_be_saved_without_javascript(plain: Page) -> None:
    plain.goto("/prefs")
    plain.get_by_label("Dark").check()
    plain.get_by_role("button", name="Save").click()
    expect(plain.get_by_text("Saved")).to_be_visible()
    expect(plain.get_by_label("Dark")).to_be_checked()


def test_less_motion_is_seen_at_once(page: Page) -> None:
    page.goto("/prefs")
    page.get_by_role("group", name="Motion").get_by_label("Reduced").check()
    expect(page.locator("html")).to_have_attribute("data-motion", "reduced")


def test_single_keys_can_be_switched_off(page: Page) -> None:
    page.goto("/prefs")
    page.get_by_role("group", name="Single-letter keys").get_by_label("Off").check()
    expect(page.locator("#saved-keys")).to_have_text("Saved")
    page.goto("/")
    submits = count_events(page, "submit")
    page.keyboard.press("r")
    assert submits() == 0


# ── every page ──


def test_axe_finds_no_problem_and_every_page_fits(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Throw 6 dice").click()
    page.wait_for_url("**/g/*")
    for address in PAGES:
        page.goto(address)
        page.evaluate("document.querySelectorAll('main details').forEach(each => { each.open = true })")
        check_accessible_at_widths(page, (320, 1280))
