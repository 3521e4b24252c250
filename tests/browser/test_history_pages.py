"""Lists of games, deleting a game and printing a sheet in Chromium: with htmx, without JavaScript, with axe."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from game.models import Game
from tests.axe import check_accessible
from tests.browser.conftest import iterate_widths
from tests.cast import IN, WON, Device, bank
from tests.require import require
from tests.stored_games import store_many_games


@pytest.fixture
def over(device: Device) -> Game:
    return device.game(*WON)


def test_more_adds_the_next_games_to_the_list(page: Page, sit: Callable[..., Page], device: Device) -> None:
    store_many_games(device, 30)
    sit(page).goto("/games?show=finished")
    page.get_by_role("link", name="More", exact=True).click()
    expect(page.locator(".games > .one")).to_have_count(30)
    expect(page.locator(".games time", has_text=re.compile(" (AM|PM)$"))).to_have_count(30)
    expect(page.get_by_role("link", name="More", exact=True)).to_have_count(0)


@pytest.mark.parametrize(
    ("locale", "zone", "time", "day"),
    [
        ("en-US", "America/New_York", "October 31, 2026 at 9:05 PM", "2026-10-31"),
        ("en-GB", "Europe/London", "1 November 2026 at 01:05", "2026-11-01"),
        ("fr-FR", "Asia/Tokyo", "1 novembre 2026 à 10:05", "2026-11-01"),
    ],
)
def test_a_game_is_listed_and_found_at_the_readers_own_time(
    browse: Callable[..., Page], sit: Callable[..., Page], over: Game, locale: str, zone: str, time: str, day: str
) -> None:
    Game.objects.update(touched=datetime(2026, 11, 1, 1, 5, tzinfo=UTC))
    page = browse(locale=locale, timezone_id=zone)
    sit(page).goto("/games?show=finished")
    expect(page.locator(".games time")).to_have_text(time)
    page.locator("details.filter summary").click()
    for field in ("#since", "#until"):
        page.locator(field).fill(day)
    page.locator("details.filter button").click()
    page.wait_for_url("**&since=*")
    expect(page.locator(".games time")).to_have_text(time)


def test_a_reader_whose_own_language_is_another_gets_our_english_dates(
    browse: Callable[..., Page], sit: Callable[..., Page], over: Game
) -> None:
    Game.objects.update(touched=datetime(2026, 11, 1, 1, 5, tzinfo=UTC))
    page = browse(locale="de-DE", timezone_id="Europe/Berlin")
    sit(page).goto("/games?show=finished")
    expect(page.locator(".games time")).to_have_text("1. November 2026 um 02:05")
    page.get_by_role("button", name="English").click()
    expect(page.locator(".games time")).to_have_text("1 November 2026 at 02:05")


def test_a_page_without_scripts_says_when_a_game_was_played(
    browse: Callable[..., Page], sit: Callable[..., Page], over: Game
) -> None:
    Game.objects.update(touched=datetime(2026, 11, 1, 1, 5, tzinfo=UTC))
    page = browse(javascript=False)
    sit(page).goto("/games?show=finished")
    expect(page.locator(".games time")).to_have_text("1 November 2026, 01:05")


@pytest.mark.parametrize("javascript", [True, False])
def test_a_game_is_found_by_filter_and_deleted(
    browse: Callable[..., Page], sit: Callable[..., Page], over: Game, javascript: bool
) -> None:
    page = browse(360, javascript=javascript)
    sit(page).goto("/games?show=finished")
    page.get_by_text("Search and sort").click()
    page.get_by_label("Result").select_option("won")
    page.get_by_role("button", name="Show").click()
    page.get_by_role("link", name="Delete Ana and Bruno").click()
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("The game has been deleted.")).to_be_visible()
    expect(page).to_have_url(re.compile(rf"/games\?show=finished{'' if javascript else '&done=deleted'}$"))
    expect(page.get_by_text("No finished games yet.")).to_be_visible()


def test_a_note_about_what_is_done_or_came_too_late_is_gone_once_the_page_is_loaded_again(
    page: Page, sit: Callable[..., Page], device: Device
) -> None:
    started = f"{device.game().get_absolute_url()}?late"
    for address in ("/games?done=left", "/crews?done=leave", started):
        sit(page).goto(address)
        expect(page.locator("main .banner")).to_be_visible()
        page.wait_for_url(re.compile(r"^[^?]*$"))
        page.reload()
        expect(page.locator("main .banner")).to_have_count(0)


@pytest.mark.parametrize("path", ["/games/import", "/games/archive", "/rules/change"])
def test_a_file_that_is_too_large_is_refused_before_it_is_sent(page: Page, path: str, tmp_path: Path) -> None:
    large = tmp_path / "large.json"  # passed as a file: its bytes would go through three processes
    large.write_bytes(b"x" * (4 * 1024 * 1024 + 1))
    page.goto(path)
    field = page.locator("#file")
    page.wait_for_function("() => document.querySelector('#file').onchange")
    field.set_input_files(large)
    assert "too large" in field.evaluate("field => field.validationMessage")
    field.set_input_files({"name": "small", "mimeType": "application/json", "buffer": b"{}"})
    assert field.evaluate("field => field.validity.valid")


def test_changed_rules_stay_in_the_form_if_a_file_of_rules_is_too_large(page: Page) -> None:
    page.goto("/rules/change")
    targets, field = page.locator("[name=target_choices]"), page.locator("#file")
    page.get_by_text("More", exact=True).click()
    targets.fill("7000, 9000")
    page.wait_for_function("() => document.querySelector('#file').onchange")
    field.set_input_files({"name": "large", "mimeType": "application/json", "buffer": b"x" * 70_000})
    page.get_by_role("button", name="Load", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("Choose a JSON file with rules.")
    expect(targets).to_have_value("7000, 9000")


def test_a_game_that_was_watched_is_found_again(page: Page, over: Game) -> None:
    page.goto(over.get_absolute_url())
    page.goto("/games?show=watching")
    page.get_by_role("link", name="Ana and Bruno Ana won").click()
    expect(page).to_have_url(re.compile(over.code))


def test_a_sheet_prints_on_one_page_without_the_controls(page: Page, sit: Callable[..., Page], device: Device) -> None:
    sit(page, device.game(bank(0, 1000, IN)))
    for path in (
        f"{Game.objects.get().get_absolute_url()}/sheet",
        "/sheet?ruleset=farkle",
        "/sheet?ruleset=farkle-boxed",
    ):
        page.goto(path)
        page.emulate_media(media="print")
        for gone in (".site", ".foot", ".no-print", "#print"):
            expect(page.locator(gone).first).to_be_hidden()
        expect(page.locator("body")).to_have_css("min-height", "0px")  # else Firefox adds an empty page
        assert len(re.findall(rb"/Type\s*/Page[^s]", page.pdf(prefer_css_page_size=True))) == 1, path
        page.emulate_media(media="screen")


def test_a_sheet_of_many_players_with_long_names_prints_on_one_page(
    page: Page, sit: Callable[..., Page], device: Device
) -> None:
    names = [f"Bartholomäus Schwarzenb{'abcdefghijkl'[n]}" for n in range(12)]
    sit(page, device.game(*(bank(seat, 1000, IN) for seat in range(12)), players=names))
    page.goto(f"{Game.objects.get().get_absolute_url()}/sheet")
    assert len(re.findall(rb"/Type\s*/Page[^s]", page.pdf(prefer_css_page_size=True))) == 1


def test_the_date_of_a_sheet_stays_on_one_line_of_a_phone(
    browse: Callable[..., Page], sit: Callable[..., Page], device: Device
) -> None:
    game = device.game(bank(0, 1000, IN))
    Game.objects.update(created=datetime(2026, 11, 29, 12, tzinfo=UTC))
    page = sit(browse(360, locale="de-DE"), game, "/sheet")
    expect(page.locator("time.day")).to_have_text("29. November 2026")
    assert page.locator("time.day").evaluate("day => day.getClientRects().length") == 1


def test_no_word_of_a_printed_sheet_is_broken_in_two(page: Page) -> None:
    page.set_viewport_size({"width": 690, "height": 1000})  # what A4 leaves between the margins
    page.goto("/sheet")
    page.emulate_media(media="print")
    for name in ("Round", "Score", "Signature"):
        cell = page.locator(".lined th", has_text=name)
        assert (
            cell.evaluate("c => { const r = new Range(); r.selectNodeContents(c); return r.getClientRects().length }")
            == 1
        )


def test_a_sheet_of_more_than_six_players_prints_in_landscape(
    page: Page, sit: Callable[..., Page], device: Device
) -> None:
    sit(page, device.game(players=[f"P{n}" for n in range(7)]))
    page.goto(f"{Game.objects.get().get_absolute_url()}/sheet")
    width, height = require(
        re.search(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]", page.pdf(prefer_css_page_size=True))
    ).groups()
    assert float(width) > float(height)


def test_axe_finds_no_problem_on_pages_of_games(
    browse: Callable[..., Page], sit: Callable[..., Page], over: Game
) -> None:
    page = sit(browse(320))
    url = over.get_absolute_url()
    for path in ("/games?show=finished&result=won", "/games?show=watching", f"{url}/delete", f"{url}/sheet", "/sheet"):
        page.goto(path)
        for width in iterate_widths(page, 320, 1280):
            check_accessible(page)
            assert page.evaluate("document.documentElement.scrollWidth") == width, path
