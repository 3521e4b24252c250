"""One screen for all: three browsers in one game, and what two of them see while the third chooses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from game.models import Game
from tests.browser.conftest import answered, tap, texts
from tests.cast import ANA, IN, Device, banked, fresh, going_on, throw, two_devices
from tests.known import known

Sit = Callable[..., Page]
Browse = Callable[..., Page]

BOTH_IN = (banked(0, 1000, IN), banked(1, 1000, IN))
CHOOSING = going_on(0, throw("115236"))


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
    """sit_down(events…): Ana's game at a 1280 px wide page, Bruno at a phone, and somebody who watches."""

    def lay_out(*events: dict[str, object], prefs: str = "") -> Table:
        game = two_devices(device, other_device, *BOTH_IN, *events)
        bruno, spectator = sit(browse(360), game, who=other_device), browse()
        spectator.goto(game.get_absolute_url())
        found = Table(game, sit(browse(), game, prefs=prefs), bruno, spectator)
        for page in (found.ana, found.bruno, found.spectator):
            page.wait_for_function("() => newest > 0")
        return found

    return lay_out


DOWN = """[...document.querySelectorAll('#tray .die')].filter(die => die.matches('.down, :has(:checked)'))
    .map(die => /\\bc(\\d)/.exec(die.className)[1]).join('')"""


def expect_down(columns: str, *pages: Page) -> None:
    """The dice of these columns lie in the lower line, and no others: new ones get there a moment after the sum."""
    for page in pages:
        page.wait_for_function(f"columns => columns === {DOWN}", arg=columns)


def shows(page: Page) -> list[str]:
    """What is at risk, and what a bank and a throw would be."""
    return texts(page, "#sum", "#bank b", "#bank span", "#throw b", "#throw span", "#lower", ".player.now .word")


def test_the_others_see_each_die_that_is_set_aside_and_what_is_at_risk_while_it_is_chosen(
    sit_down: Callable[..., Table],
) -> None:
    table = sit_down(CHOOSING)
    for column, left, sum_, columns in ((3, "4 dice", "200", "12"), (1, "5 dice", "100", "2")):
        tap(table.ana, column)
        for page in table.others:
            expect(page.locator("#sum")).to_have_text(sum_)
            expect(page.locator("#throw b")).to_have_text(f"Throw {left}")
            expect_down(columns, page, table.ana)
            assert shows(page) == shows(table.ana)
            expect(page.locator(".player.now .hatched")).to_have_attribute("width", f"{int(sum_) / 100:g}%")
    assert fresh(table.game).version == table.game.version


def test_the_others_hear_it_once_it_has_stood_for_a_moment(sit_down: Callable[..., Table]) -> None:
    table = sit_down(CHOOSING)
    tap(table.ana, 3)
    for page in table.others:
        expect(page.locator("#live")).to_have_text(
            f"{ANA} keeps 1 1: 200 points at risk. 4 left to throw, 16% bust risk."
        )


def test_before_anything_is_chosen_they_see_what_all_begin_with(sit_down: Callable[..., Table]) -> None:
    table = sit_down(CHOOSING)
    for page in table.others:
        expect_down("123", page)
        assert page.locator("#sum").inner_text() == "250"
        expect(page.locator(".player.now .word")).to_have_text("+250 now")
        expect(page.locator("#unit")).to_have_text("points at risk")
        expect(page.locator("#tray").get_by_role("button")).to_have_count(0)
        expect(page.locator("#tray input:visible")).to_have_count(0)


def test_they_see_that_nothing_is_set_aside_by_who_picks_the_dice_alone(sit_down: Callable[..., Table]) -> None:
    table = sit_down(CHOOSING, prefs="first=choose")
    for page in table.others:
        expect(page.locator("#sum")).to_have_text("0")
        expect_down("", page)
    tap(table.ana, 1)
    for page in table.others:
        expect(page.locator("#sum")).to_have_text("100")
        expect_down("1", page)


def test_who_comes_while_somebody_chooses_sees_the_choice(sit_down: Callable[..., Table]) -> None:
    table = sit_down(CHOOSING)
    tap(table.ana, 3)
    expect(table.spectator.locator("#sum")).to_have_text("200")
    table.spectator.reload()
    expect(table.spectator.locator("#sum")).to_have_text("200")


def test_the_choice_of_an_earlier_throw_is_not_laid_on_the_next_one(
    sit_down: Callable[..., Table], falls: Callable[..., None]
) -> None:
    table = sit_down(CHOOSING)
    tap(table.ana, 3)
    expect(table.spectator.locator("#sum")).to_have_text("200")
    falls("1546")
    answered(table.ana, table.ana.locator("#throw").click)
    for page in table.others:
        expect(page.locator("#sum")).to_have_text("350")
        expect_down("1234", page, table.ana)


def test_alone_at_one_device_nothing_is_sent(page: Page, sit: Sit, device: Device) -> None:
    sit(page, device.game(*BOTH_IN, CHOOSING))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.method == "POST" else None)
    tap(page, 3)
    expect(page.locator("#live")).to_contain_text("Keeping 1 1")  # later than a choice would have been sent
    assert asked == []


# ── reactions ──


def test_a_reaction_floats_over_the_card_of_who_sent_it_on_all_pages_and_goes(
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
        card, box = (known(at.bounding_box()) for at in (page.locator(".player").nth(1), sign))
        assert card["x"] <= box["x"] + box["width"] / 2 <= card["x"] + card["width"]
    expect(table.bruno.get_by_role("button", name="Applause")).to_be_disabled()
    for page in (table.ana, *table.others):
        page.clock.run_for(2000)
        expect(page.locator(".reaction")).to_have_count(0)
    expect(table.bruno.get_by_role("button", name="Applause")).to_be_enabled()


def test_who_has_muted_reactions_neither_sees_nor_sends_them(sit_down: Callable[..., Table]) -> None:
    table = sit_down(CHOOSING, prefs="reactions=off")
    expect(table.ana.locator(".reactions")).to_have_count(0)
    table.ana.evaluate("void (window.heard = new Promise(go => source.addEventListener('reaction', () => go())))")
    table.bruno.get_by_role("button", name="Hurry up").click()
    table.ana.evaluate("heard")
    table.ana.wait_for_function("() => import(document.querySelector('#stream').dataset.together)")
    expect(table.ana.locator(".reaction")).to_have_count(0)


def test_spectators_and_who_plays_alone_have_nothing_to_react_with(
    sit_down: Callable[..., Table], page: Page, sit: Sit, device: Device
) -> None:
    expect(sit_down(CHOOSING).spectator.locator(".reactions")).to_have_count(0)
    expect(sit(page, device.game(*BOTH_IN)).locator(".reactions")).to_have_count(0)
