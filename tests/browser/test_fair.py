"""The check of a game's dice, which the browser draws again from the seed, and the page on fair dice."""

from collections.abc import Callable
from datetime import date

import pytest
from playwright.sync_api import Page, expect

from game.models import Game, RulesetRow, Tally
from game.rules import Entry
from game.services import create_game
from game.services.dice import close_epochs, fix_words
from tests.axe import check_accessible_at_widths
from tests.browser.conftest import iterate_widths
from tests.cast import Device, make_key

Browse = Callable[..., Page]


@pytest.fixture
def game(site: object, device: Device) -> Game:
    """A finished game of computers, with words in its dice."""
    ruleset = RulesetRow.objects.get(slug="classic", latest=True)
    made = create_game(device.browser, make_key(), ruleset, [Entry("*HAL"), Entry("*Ada")], target=1000)
    made.players.filter(seat=0).update(word="Büro & Söhne")
    fix_words(made)
    while not Game.objects.filter(status="finished").exists():
        device.do(made, "advance")
    return Game.objects.get()


def make_address(game: Game) -> str:
    return f"{game.get_absolute_url()}/fair"


def store_tallies() -> None:
    for computer in (False, True):
        for dice in range(1, 7):
            faces = [4000 * dice // 6 + 7 * face for face in range(6)]
            Tally.objects.create(
                day=date(2026, 1, 2), computer=computer, dice=dice, throws=4000, busts=900, faces=faces, expected=905.5
            )


@pytest.mark.smoke
def test_every_throw_of_a_finished_game_gets_its_tick(page: Page, game: Game) -> None:
    page.goto(make_address(game))
    throws = game.throws.count()
    expect(page.locator("#verdict")).to_have_text(
        f"Verified: these dice were fixed before the game began. Throws checked: {throws}."
    )
    expect(page.locator("#throws td.good")).to_have_count(throws)
    expect(page.locator(".epoch .good")).to_have_text(["✓ matches", "✓ matches"])


def test_a_changed_die_gets_a_cross_and_what_should_have_fallen(page: Page, game: Game) -> None:
    second = game.throws.order_by("pk")[1]
    fell = " ".join(second.dice)
    game.throws.filter(pk=second.pk).update(dice=str(second.faces[0] % 6 + 1) + second.dice[1:])
    page.goto(make_address(game))
    expect(page.locator("#verdict")).to_have_text("Not verified. Throws that do not match, marked below: 1.")
    expect(page.locator("#throws td.wrong")).to_have_text([f"✗ does not match: {fell}"])


def test_a_word_changed_afterwards_spoils_every_throw(page: Page, game: Game) -> None:
    game.players.filter(seat=0).update(word="Büro")
    page.goto(make_address(game))
    expect(page.locator("[data-of=seal].good")).to_have_count(1)
    expect(page.locator("[data-of=table].wrong")).to_have_count(1)


def test_while_all_throws_are_still_sealed_it_is_too_early_to_check(page: Page, site: object, device: Device) -> None:
    game = device.game()
    close_epochs()  # as happens when the site is restored from a copy
    device.do(game, "throw")
    page.goto(make_address(game))
    expect(page.locator("#verdict")).to_have_text(
        "All throws so far are still sealed, so there is nothing to check yet."
    )


def test_without_javascript_the_data_and_the_download_stay(plain: Page, game: Game) -> None:
    plain.goto(make_address(game))
    expect(plain.get_by_text(bytes(game.seeds.get().seed).hex())).to_be_visible()
    expect(plain.locator("#throws tbody tr")).to_have_count(game.throws.count())
    with plain.expect_download() as saving:
        plain.get_by_role("link", name="Download the check").click()
    assert saving.value.suggested_filename == f"ten-thousand-{game.code}-check.py"


def test_a_link_leads_to_the_check_of_its_game(page: Page, game: Game) -> None:
    page.goto("/fair")
    page.get_by_label("Link or code of the game").fill("nothing")
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_role("alert")).to_contain_text("That isn’t a game link.")
    page.get_by_label("Link or code of the game").fill(f"https://example.org/g/{game.code}")
    page.get_by_role("button", name="Check").click()
    expect(page).to_have_url(make_address(game))


def test_both_pages_are_accessible(page: Page, game: Game) -> None:
    store_tallies()
    for where in (make_address(game), "/fair"):
        page.goto(where)
        if where != "/fair":
            expect(page.locator("#verdict.good")).to_be_visible()
        check_accessible_at_widths(page, (360, 1280))


def test_a_tick_is_beside_what_it_confirms(browse: Browse, game: Game) -> None:
    page = browse(360)
    page.goto(make_address(game))
    for width, what in ((width, what) for width in iterate_widths(page, 360, 1280) for what in ("seal", "table")):
        mark = page.locator(f".mark-of[data-of={what}]")
        expect(mark).to_have_text("✓ matches")
        right, bottom, left, top = mark.evaluate(
            """mark => {
                const end = [...mark.parentElement.querySelector('code').getClientRects()].at(-1)
                const { left, top } = mark.getBoundingClientRect()
                return [end.right, end.bottom, left, top] }"""
        )
        assert (0 <= left - right < 16 and top < bottom) or abs(top - bottom) < 8, width


def test_a_box_of_throws_shows_at_its_edge_that_there_are_more(browse: Browse, game: Game) -> None:
    page = browse(1280)
    page.goto(make_address(game))
    box = page.locator(".throws-of")
    shades = box.evaluate("box => getComputedStyle(box).backgroundAttachment")
    assert shades == "local, local, scroll, scroll"  # the covers scroll along, and the shades stay
