"""The pages of rules and the admin in Chromium: by mouse, without JavaScript, with axe, under the strict policy."""

import math
import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page, expect

from game.models import Game, RulesetRow
from game.services import save_ruleset
from tests.axe import check_accessible, check_accessible_at_widths
from tests.browser.conftest import count_events, iterate_widths
from tests.cast import IN, Device, bank, bust, throw
from tests.require import require

Browse = Callable[..., Page]

SIDE_BY_SIDE = "/rules?compare=classic&compare=boxcars&compare=farkle"
READING = ("/rules", SIDE_BY_SIDE, "/rules/boxcars", "/rules/pot")
# For every column but the first of each table: the distance in px between its heading and the nearest text below, on
# the side where they are closer.
APART = """[...document.querySelectorAll('.data')].filter(table => table.tHead?.offsetHeight > 1).flatMap(table => {
    const place = cell => {
        const words = document.createRange()
        words.selectNodeContents(cell)
        return words.getBoundingClientRect()
    }
    return [...table.tHead.rows[0].cells].slice(1).map((head, n) => {
        const above = place(head), below = [...table.tBodies[0].rows].map(row => place(row.cells[n + 1]))
        return Math.min(...below.flatMap(one => ['left', 'right'].map(side => Math.abs(above[side] - one[side]))))
    })
})"""
A4, MARGIN = (210, 297), 14  # mm; the margin is that of @page
LIST = "/admin/game/rulesetrow/"


@pytest.fixture
def game(transactional_db: None) -> Game:
    return Device().game(bank(0, 1000, IN), bust(1, throw("223446")))


def log_in(page: Page) -> None:
    """Give the page's browser a session like that of somebody who has logged in."""
    client = Client()
    client.force_login(User.objects.create_superuser("root"))
    page.goto("/rules")
    address = page.evaluate("location.origin")
    page.context.add_cookies([{"name": "session", "value": client.cookies["session"].value, "url": address}])


def is_within_width(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


# ── the rules ──


def test_the_points_of_all_six_faces_are_in_sight_at_the_table_in_german(browse: Browse) -> None:
    page = browse(1280, locale="de-DE")
    page.goto("/rules/change")
    page.locator("main summary").first.click()
    points = page.locator("main .scroll").first
    assert points.evaluate("e => e.scrollWidth <= e.clientWidth")


@pytest.mark.parametrize("address", READING)
def test_the_pages_of_rules_are_accessible(page: Page, address: str) -> None:
    page.goto(address)
    check_accessible_at_widths(page, (320, 360, 1280))


@pytest.mark.parametrize("address", [SIDE_BY_SIDE, "/rules/classic", "/sheet"])
def test_the_heading_of_a_column_is_above_its_contents(browse: Browse, address: str) -> None:
    page = browse(360)
    page.goto(address)
    for width in iterate_widths(page, 360, 1280):
        apart = page.evaluate(APART)
        assert apart and max(apart) <= 1, (width, apart)


@pytest.mark.parametrize("javascript", [True, False])
def test_two_rulesets_can_be_chosen_and_compared(browse: Browse, javascript: bool) -> None:
    page = browse(360, javascript=javascript)
    page.goto("/rules")
    page.get_by_label("Compare Farkle", exact=True).check()
    page.get_by_label("Compare Classic 10,000").check()
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("columnheader")).to_have_text(["Classic 10,000", "Farkle"])


def test_one_press_starts_a_game_by_these_rules(page: Page) -> None:
    page.goto("/rules/farkle")
    page.get_by_role("link", name="Play these rules").click()
    expect(page.locator("input[name=ruleset]:checked")).to_have_value("farkle")


def test_a_page_of_rules_prints_without_buttons(page: Page) -> None:
    page.add_init_script("window.print = () => { window.printed = true }")
    page.goto("/rules/farkle")
    page.get_by_role("button", name="Print").click()
    assert page.evaluate("printed")
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name="Print")).to_be_hidden()
    expect(page.get_by_role("heading", name="How often a throw is a bust")).to_be_visible()


def test_printed_rules_take_no_more_sheets_than_their_length_needs(page: Page) -> None:
    page.goto("/rules/classic")
    page.emulate_media(media="print")
    width, height = (math.floor((side - 2 * MARGIN) * 96 / 25.4) for side in A4)
    page.set_viewport_size({"width": width, "height": height})
    length = page.evaluate("document.documentElement.scrollHeight")
    sheets = len(re.findall(rb"/Type\s*/Page[^s]", page.pdf(format="A4", prefer_css_page_size=True)))
    assert sheets == math.ceil(length / height) == 3


def test_without_javascript_there_is_no_print_button(plain: Page) -> None:
    plain.goto("/rules/farkle")
    expect(plain.get_by_text("Print", exact=True)).to_be_hidden()


# ── the admin ──


def test_the_admin_is_accessible(page: Page, game: Game) -> None:
    page.goto("/admin/login/")
    check_accessible(page)
    log_in(page)
    for address in list_admin_pages(game):
        page.goto(address)
        assert page.evaluate("document.querySelector('h1').checkVisibility()"), address
        check_accessible_at_widths(page, (360, 1280))


def list_admin_pages(game: Game) -> list[str]:
    shipped = RulesetRow.objects.get(slug="classic")
    own = RulesetRow.objects.create(slug="house", name="House", settings=shipped.settings)
    rows = [shipped, own, game, game.players.first(), game.shots.first(), game.throws.first()]
    models = ("rulesetrow", "game", "player", "shotrow", "throwrow")
    return [
        "/admin/",
        f"{LIST}add/",
        f"{LIST}{own.pk}/history/",
        *(f"/admin/game/{model}/" for model in models),
        *(f"/admin/game/{require(row)._meta.model_name}/{require(row).pk}/change/" for row in rows),
    ]


def test_a_history_in_german_fits_a_phone(browse: Browse, transactional_db: None) -> None:
    page = browse(360, locale="de-DE")
    log_in(page)
    settings = RulesetRow.objects.get(slug="classic").settings
    row = save_ruleset(None, {**settings, "slug": "house", "name": "House"})
    save_ruleset(row, {**row.settings, "entry_minimum": 600})
    page.goto(f"{LIST}{row.pk}/history/")
    expect(page.get_by_role("columnheader", name="Was sich geändert hat")).to_be_visible()
    assert is_within_width(page)


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR", "nl-NL", "sv-SE"])
def test_the_points_of_all_six_faces_are_in_sight(browse: Browse, transactional_db: None, locale: str) -> None:
    page = browse(1280, locale=locale)
    log_in(page)
    page.goto(f"{LIST}add/")
    assert page.locator(".grid").evaluate_all("grids => grids.every(e => e.offsetWidth <= e.parentNode.clientWidth)")


@pytest.mark.parametrize("javascript", [True, False])
def test_a_ruleset_can_be_copied_tried_and_saved(browse: Browse, javascript: bool) -> None:
    page = browse(javascript=javascript)
    log_in(page)
    page.goto(LIST)
    page.get_by_role("link", name="Copy Classic 10000").click()
    page.wait_for_load_state()
    page.get_by_label("Three pairs", exact=True).fill("250")
    page.get_by_label("Dice", exact=True).fill("223366")
    if not javascript:
        page.get_by_role("button", name="Try").click()
    expect(page.locator("#example")).to_contain_text(re.compile(r"2 2 3 3 6 6\s*250"))
    expect(page.locator("#example")).to_contain_text("“Three pairs” scores 250, but")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".messagelist")).to_contain_text("and offered it for new games")
    assert RulesetRow.objects.get(slug="classic-copy").rules.three_pairs == 250


def test_an_admins_page_in_the_background_does_not_ask_how_far_the_tables_are(page: Page) -> None:
    log_in(page)
    settings = RulesetRow.objects.get(slug="classic").settings
    row = save_ruleset(None, {**settings, "slug": "house", "name": "House", "entry_minimum": 600})  # to be solved
    page.clock.install(time=0)
    page.clock.pause_at(1)
    page.goto(f"{LIST}{row.pk}/change/")
    expect(page.locator("#solving[hx-trigger]")).to_contain_text("is not solved yet")
    asks = count_events(page, "htmx:before:request")
    page.evaluate("Object.defineProperty(document, 'hidden', {value: true, writable: true})")
    page.clock.run_for(9000)
    assert asks() == 0
    page.evaluate("document.hidden = false")
    page.clock.run_for(3000)
    assert asks() == 1


def test_the_summary_leads_to_a_wrong_number(page: Page) -> None:
    log_in(page)
    page.goto(f"{LIST}add/")
    page.get_by_label("Three of a kind, 2s").fill("-1")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_be_focused()
    check_accessible(page)
    page.get_by_role("link", name="Three of a kind, 2s: Enter a whole number from 0 to 100,000.").click()
    expect(page.get_by_label("Three of a kind, 2s")).to_be_focused()


def test_on_a_phone_the_example_stays_in_sight_in_one_line(phone: Page) -> None:
    log_in(phone)
    phone.goto(f"{LIST}add/")
    example = phone.get_by_role("status")
    expect(example).to_have_text("1 2 2 2 4 5: 350 points at best.")
    phone.get_by_label("Three of a kind, 2s").fill("250")
    expect(example).to_have_text("1 2 2 2 4 5: 400 points at best.")
    phone.get_by_label("Dice", exact=True).scroll_into_view_if_needed()
    expect(example).to_be_in_viewport()
    above = phone.get_by_label("Three of a kind, 3s")
    above.focus()
    line, field = phone.locator(".stuck").bounding_box(), above.bounding_box()
    assert line and field
    assert line["height"] < 45
    assert field["y"] >= line["y"] + line["height"]


@pytest.mark.parametrize("width", [360, 1280])
def test_the_compare_button_stays_in_sight_and_its_table_comes_first(browse: Browse, width: int) -> None:
    page = browse(width)
    page.goto("/rules?compare=classic&compare=farkle")
    expect(page.get_by_role("columnheader").first).to_be_in_viewport()
    for name in ("Classic 10,000", "Greed"):
        page.get_by_label(f"Compare {name}", exact=True).scroll_into_view_if_needed()
        expect(page.get_by_role("button", name="Compare")).to_be_in_viewport()
