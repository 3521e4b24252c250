"""Three browsers in one game: what two of them see while the third chooses dice; and reactions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, Route, expect

from game.models import Game
from tests.browser.conftest import press_and_wait, read_texts, tap_die, wait_for_stream
from tests.cast import ANA, BOTH_IN, BRUNO, Device, open_turn, reload_game, share_game, throw
from tests.require import require

Sit = Callable[..., Page]
Browse = Callable[..., Page]

CHOOSING = open_turn(0, throw("115236"))


@dataclass
class Table:
    game: Game
    ana: Page
    bruno: Page
    spectator: Page

    @property
    def others(self) -> tuple[Page, Page]:
        return self.bruno, self.spectator


@pytest.fixture
def sit_down(browse: Browse, sit: Sit, device: Device, other_device: Device) -> Callable[..., Table]:
    """Return a function that opens a game after these events: Ana at 1280 px, Bruno on a phone, and a spectator."""

    def lay_out(*events: dict[str, object], prefs: str = "") -> Table:
        game = share_game(device, other_device, *BOTH_IN, *events)
        bruno, spectator = sit(browse(360), game, who=other_device), browse()
        spectator.goto(game.get_absolute_url())
        table = Table(game, sit(browse(), game, prefs=prefs), bruno, spectator)
        for page in (table.ana, table.bruno, table.spectator):
            wait_for_stream(page)
        return table

    return lay_out


DOWN = """[...document.querySelectorAll('#tray .die')].filter(die => die.matches('.down, :has(:checked)'))
    .map(die => /\\bc(\\d)/.exec(die.className)[1]).join('')"""


def expect_down(columns: str, *pages: Page) -> None:
    """Wait until exactly the dice of these columns are in the lower line: they arrive a moment after the sum."""
    for page in pages:
        page.wait_for_function(f"columns => columns === {DOWN}", arg=columns)


def read_choice(page: Page) -> list[str]:
    """Return the texts that show the points at risk and what a bank and a throw would do."""
    return read_texts(page, "#sum", "#bank b", "#bank span", "#throw b", "#throw span", "#lower", ".player.now .word")


def test_the_others_see_each_choice_and_the_points_at_risk_as_it_is_made(
    sit_down: Callable[..., Table],
) -> None:
    table = sit_down(CHOOSING)
    for column, left, sum_, columns in ((3, "4 dice", "200", "12"), (1, "5 dice", "100", "2")):
        tap_die(table.ana, column)
        for page in table.others:
            expect(page.locator("#sum")).to_have_text(sum_)
            expect(page.locator("#throw b")).to_have_text(f"Throw {left}")
            expect_down(columns, page, table.ana)
            assert read_choice(page) == read_choice(table.ana)
            expect(page.locator(".player.now .hatched")).to_have_attribute("width", f"{int(sum_) / 100:g}%")
    assert reload_game(table.game).version == table.game.version


def test_the_others_hear_a_choice_once_it_has_rested_for_a_moment(sit_down: Callable[..., Table]) -> None:
    table = sit_down(CHOOSING)
    tap_die(table.ana, 3)
    for page in table.others:
        expect(page.locator("#live")).to_have_text(
            f"{ANA} keeps 1 1: 200 points at risk. 4 left to throw, 16% bust risk."
        )


def test_before_a_choice_the_others_see_the_dice_ticked_at_first(sit_down: Callable[..., Table]) -> None:
    table = sit_down(CHOOSING)
    for page in table.others:
        expect_down("123", page)
        assert page.locator("#sum").inner_text() == "250"
        expect(page.locator(".player.now .word")).to_have_text("+250 now")
        expect(page.locator("#unit")).to_have_text("points at risk")
        expect(page.locator("#tray").get_by_role("button")).to_have_count(0)
        expect(page.locator("#tray input:visible")).to_have_count(0)


def test_with_i_choose_myself_the_others_see_nothing_set_aside_at_first(sit_down: Callable[..., Table]) -> None:
    table = sit_down(CHOOSING, prefs="first=choose")
    for page in table.others:
        expect(page.locator("#sum")).to_have_text("0")
        expect_down("", page)
    tap_die(table.ana, 1)
    for page in table.others:
        expect(page.locator("#sum")).to_have_text("100")
        expect_down("1", page)


def test_a_page_opened_during_a_choice_shows_it(sit_down: Callable[..., Table]) -> None:
    table = sit_down(CHOOSING)
    tap_die(table.ana, 3)
    expect(table.spectator.locator("#sum")).to_have_text("200")
    table.spectator.reload()
    expect(table.spectator.locator("#sum")).to_have_text("200")


def test_a_choice_for_an_earlier_throw_is_not_shown_on_the_next(
    sit_down: Callable[..., Table], falls: Callable[..., None]
) -> None:
    table = sit_down(CHOOSING)
    tap_die(table.ana, 3)
    expect(table.spectator.locator("#sum")).to_have_text("200")
    falls("1546")
    press_and_wait(table.ana, table.ana.locator("#throw").click)
    for page in table.others:
        expect(page.locator("#sum")).to_have_text("350")
        expect_down("1234", page, table.ana)


def test_a_choice_beyond_the_rate_limit_is_seen_a_moment_later(sit_down: Callable[..., Table]) -> None:
    table = sit_down(CHOOSING)
    table.ana.route("**/choice", lambda route: route.fulfill(status=429, body=""), times=1)
    tap_die(table.ana, 3)
    for page in table.others:
        expect(page.locator("#sum")).to_have_text("200")


def test_a_choice_that_arrives_before_its_dice_is_shown_with_them(
    sit_down: Callable[..., Table], falls: Callable[..., None]
) -> None:
    table, held = sit_down(), list[Route]()
    table.spectator.route("**/board?*", lambda route: held.append(route), times=1)
    table.spectator.evaluate("void (window.heard = new Promise(go => source.addEventListener('choice', () => go())))")
    falls("115236")
    press_and_wait(table.ana, table.ana.locator("#throw").click)
    tap_die(table.ana, 3)
    table.spectator.evaluate("heard")
    held[0].continue_()
    expect(table.spectator.locator("#sum")).to_have_text("200")


def test_at_a_single_device_no_choice_is_sent(page: Page, sit: Sit, device: Device) -> None:
    sit(page, device.game(*BOTH_IN, CHOOSING))
    posts: list[str] = []
    page.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)
    tap_die(page, 3)
    expect(page.locator("#live")).to_contain_text("Keeping 1 1")  # announced after a choice would have been sent
    assert posts == []


# ── reactions ──


def test_a_reaction_floats_over_its_senders_card_on_all_pages_for_a_while(
    sit_down: Callable[..., Table],
) -> None:
    table = sit_down(CHOOSING)
    for page in (table.ana, *table.others):
        page.clock.install(time=0)
        page.clock.pause_at(1)
    table.bruno.get_by_role("button", name="Applause").click()
    for page in (table.ana, *table.others):
        sign = page.locator(".reaction")
        expect(sign).to_have_text("👏")
        card, box = (require(at.bounding_box()) for at in (page.locator(".player").nth(1), sign))
        assert card["x"] <= box["x"] + box["width"] / 2 <= card["x"] + card["width"]
    expect(table.bruno.get_by_role("button", name="Applause")).to_be_disabled()
    table.bruno.clock.run_for(2000)
    table.bruno.get_by_role("button", name="Hurry up").click()
    for page in (table.ana, *table.others):
        expect(page.locator(".reaction")).to_have_text("🐢")  # in place of the first
        page.clock.run_for(2000)
        expect(page.locator(".reaction")).to_have_count(0)
    expect(table.bruno.get_by_role("button", name="Applause")).to_be_enabled()


def test_a_screen_reader_says_who_reacts_and_how(sit_down: Callable[..., Table]) -> None:
    table = sit_down(CHOOSING)
    table.bruno.get_by_role("button", name="Hurry up").click()
    for page in (table.ana, table.bruno):
        expect(page.locator("#live")).to_have_text(f"{BRUNO}: Hurry up")
    expect(table.spectator.locator("#live")).to_have_text(f"{BRUNO}: 🐢")


def test_a_player_who_muted_reactions_neither_sees_nor_sends_them(sit_down: Callable[..., Table]) -> None:
    table = sit_down(CHOOSING, prefs="reactions=off")
    expect(table.ana.locator(".reactions")).to_have_count(0)
    table.ana.evaluate("void (window.heard = new Promise(go => source.addEventListener('reaction', () => go())))")
    table.bruno.get_by_role("button", name="Hurry up").click()
    table.ana.evaluate("heard")
    table.ana.wait_for_function("() => import(document.querySelector('#stream').dataset.together)")
    expect(table.ana.locator(".reaction")).to_have_count(0)


def test_spectators_and_a_single_device_have_no_reactions(
    sit_down: Callable[..., Table], page: Page, sit: Sit, device: Device
) -> None:
    expect(sit_down(CHOOSING).spectator.locator(".reactions")).to_have_count(0)
    expect(sit(page, device.game(*BOTH_IN)).locator(".reactions")).to_have_count(0)
