"""The look of the game page, tested in the gallery: every state from the narrowest to the widest, light and dark."""

import gzip
import io
from collections.abc import Callable
from typing import Literal

import pytest
from PIL import Image
from playwright.sync_api import Page, expect
from pytest_django import Settings

from tests.axe import check_accessible_at_widths
from tests.browser.conftest import find_small_controls, iterate_widths
from tests.gallery.states import STATES
from tests.require import require

WIDTHS = {320: 640, 1280: 740}
EVERY_SIZE = {600: 1, 768: 2, 1024: 2, 1133: 2, 1280: 3, 1920: 3, 2560: 3}  # columns of the page by its width in px


@pytest.fixture
def show(page: Page, show_state: Callable[[Page, str], Page], settings: Settings) -> Callable[..., Page]:
    """Return a function that opens a state of the game page at a width, in px, in a theme."""
    settings.ROOT_URLCONF = "tests.gallery.urls"

    def open_at_width(state: str = "", width: int = 1280, theme: Literal["light", "dark"] = "light") -> Page:
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.set_viewport_size({"width": width, "height": WIDTHS.get(width, 740 if width < 600 else 800)})
        if state:
            return show_state(page, state)
        page.goto("/gallery")
        return page

    return open_at_width


# The other states are tested with real games in test_game_page_is_accessible.py, with stricter checks.
@pytest.mark.parametrize("state", ["", "released", "start", "finished", "ways", "proving"])
def test_axe_finds_no_problem_in_any_state(show: Callable[..., Page], state: str) -> None:
    check_accessible_at_widths(show(state), list(WIDTHS))


def test_every_state_fits_from_320_to_2560(show: Callable[..., Page], page: Page) -> None:
    widths = [320, 360, 599, *EVERY_SIZE]
    for state in ["", *STATES]:
        show(state, widths[0])
        assert page.evaluate("document.querySelectorAll('*').length") <= 900, state
        for width in widths:
            page.set_viewport_size({"width": width, "height": 740})
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, (state, width)
            assert find_small_controls(page) == [], (state, width)
        widths.reverse()  # the next state begins with the width that this one ends with: changing it takes long


def test_nothing_on_the_tray_is_squeezed(show: Callable[..., Page]) -> None:
    """On tablets held either way, laptops and large screens captions are whole and each button's words fit one line."""
    page = show("decision", 600)
    squeezed = """[...document.querySelectorAll('.cap span, .big :is(b, span)')].filter(part =>
        part.scrollWidth > part.clientWidth && getComputedStyle(part).display !== 'inline'
        || part.getClientRects().length > 1 || part.offsetHeight > 2 * parseFloat(getComputedStyle(part).lineHeight)
    ).map(part => part.textContent)"""
    side = "[...new Set(['#scores', '#play', '.side'].map(part => document.querySelector(part).offsetLeft))].length"
    for width, columns in EVERY_SIZE.items():
        page.set_viewport_size({"width": width, "height": max(740, width * 9 // 16)})
        assert page.evaluate(squeezed) == [], width
        assert page.evaluate(side) == columns, width
        tray = require(page.locator(".felt").bounding_box())["width"]
        assert min(width - 30, 460) <= tray <= 864, width
        assert tray >= 800 or width < 1920, width


@pytest.mark.parametrize("state", ["pickup", "decision"])
def test_the_words_of_a_button_end_above_its_meter(
    show: Callable[..., Page], page: Page, settings: Settings, state: str
) -> None:
    for language, _name in settings.LANGUAGES:
        page.set_extra_http_headers({"accept-language": language})
        show(state, 320)
        assert page.evaluate("document.documentElement.lang") == language
        for width in (320, 360):
            page.set_viewport_size({"width": width, "height": 640})
            gaps = page.locator(".big:has(.meter)").evaluate_all(
                """buttons => buttons.map(button => button.querySelector('.meter').getBoundingClientRect().top
                    - button.querySelector('span').getBoundingClientRect().bottom)"""
            )
            assert min(gaps) >= 1, (language, width)


def test_at_360_by_640_the_whole_decision_is_seen_without_scrolling(show: Callable[..., Page], page: Page) -> None:
    show("decision", 360)
    page.set_viewport_size({"width": 360, "height": 640})
    top_of_bar = require(page.locator(".commands").bounding_box())["y"]
    for part in ("#scores", "#status", ".felt", "#sum"):
        box = require(page.locator(part).bounding_box())
        assert box["y"] + box["height"] <= top_of_bar, part


def test_tray_points_and_buttons_stay_in_place_from_state_to_state(show: Callable[..., Page]) -> None:
    where = """['.felt', '.points', '#throw, #advance'].map(part =>
        Math.round(document.querySelector(part).getBoundingClientRect().top))"""
    places: dict[int, list[int]] = {}
    for state in ("decision", "fresh", "pickup", "tries", "grows", "sweep", "computer", "free", "entry", "ways", "rtl"):
        page = show(state, 360)
        for width in iterate_widths(page, 360, 1280):
            place = page.evaluate(where)
            assert places.setdefault(width, place) == place, (state, width)


def test_a_pot_in_a_longer_word_covers_no_button(show: Callable[..., Page], page: Page) -> None:
    show("pot", 360)
    page.locator("#pot summary").evaluate("pot => { pot.textContent = 'Cagnotte 12,50 USD' }")
    for width in iterate_widths(page, 320, 360, 412, 480):
        for button in page.locator(".site .icon-button").all():
            button.click(trial=True)  # fails if anything covers it
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, width


@pytest.mark.painted
def test_a_headline_covers_the_band_of_the_next_player(show: Callable[..., Page]) -> None:
    page = show("fresh")
    page.evaluate(
        """document.querySelector('#say').classList.add('hand-over', 'p2')
        document.querySelector('#say').insertAdjacentHTML('beforeend', '<p class="moment"><b>Bust!</b></p>')"""
    )
    headline = Image.open(io.BytesIO(page.locator("#say").screenshot()))
    assert len(headline.crop((0, 0, 12, 12)).getcolors() or ()) == 1


def test_no_transform_runs_with_reduced_motion(show: Callable[..., Page]) -> None:
    page = show("decision")
    names = page.evaluate("[...document.querySelectorAll('.die svg')].map(e => getComputedStyle(e).animationName)")
    assert set(names) <= {"none", "fade0", "fade1"}
    assert page.evaluate("getComputedStyle(document.querySelector('.die')).transitionDuration") == "0s"


def test_a_throw_ends_within_700_ms(show: Callable[..., Page], page: Page) -> None:
    show("decision")
    page.emulate_media(reduced_motion="no-preference")
    ends = page.evaluate(
        """document.body.hidden = true
        document.body.getClientRects()
        document.body.hidden = false
        document.getAnimations().map(each => each.effect.getComputedTiming().endTime)"""
    )
    assert ends
    assert max(ends) <= 700


def test_an_answer_with_all_regions_keeps_to_its_budget(show: Callable[..., Page], page: Page) -> None:
    answer = page.request.get(show("decision").url + "/board?version=0").body()
    assert all(f'id="{region}"'.encode() in answer for region in ("tray", "ways", "earlier", "people", "chart"))
    size = len(gzip.compress(answer, 9))
    print(f"{size / 1024:.1f} KB of 5")
    assert size <= 5 * 1024


def test_cards_of_joining_players_cover_nothing(show: Callable[..., Page]) -> None:
    """The list may grow without the rest of the page, because an answer may replace the list of players alone."""
    page = show("decision", 360)
    for width, count in (
        (width, count) for width in iterate_widths(page, 360, 768, 1280) for count in (2, 5, 6, 8, 12)
    ):
        covered = page.evaluate(
            """count => {
                const list = document.querySelector('.players')
                while (list.children.length > count) list.lastElementChild.remove()
                while (list.children.length < count) list.append(list.children[1].cloneNode(true))
                list.className = `players n${count}${count > 4 ? ' many' : ''}${count > 5 ? ' dense' : ''}`
                const box = e => e.getBoundingClientRect()
                const last = box(list.lastElementChild).bottom
                return [...document.querySelectorAll('#say, #play, .side > :not([hidden]), #chart')].filter(e =>
                    box(e).left < box(list).right && box(list).left < box(e).right && box(e).top < last).map(e => e.id)
            }""",
            count,
        )
        assert covered == [], (width, count)
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, (width, count)


def test_points_of_four_digits_do_not_run_into_the_words_beside_them(show: Callable[..., Page], page: Page) -> None:
    show("sweep", 360)
    expect(page.locator("#sum")).to_have_text("1,500")
    gap = """unit => {
        const digits = document.createRange()
        digits.selectNodeContents(document.querySelector('#sum'))
        return unit.getBoundingClientRect().left - digits.getBoundingClientRect().right
    }"""
    for width, height in ((360, 740), (667, 375), (740, 360), (768, 1024), (999, 800), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.locator("#unit").evaluate(gap) >= 4, (width, height)


def test_the_points_row_keeps_its_height(show: Callable[..., Page], page: Page) -> None:
    show("decision", 360)
    for width in iterate_widths(page, 320, 360, 412):
        heights = {
            page.evaluate(
                """points => {
                    const sum = document.querySelector('#sum')
                    sum.textContent = document.querySelector('#this-points').textContent = points
                    sum.className = 'w' + points.length
                    return document.querySelector('.points').offsetHeight
                }""",
                points,
            )
            for points in ("0", "450", "1,150", "10,000", "99,950")
        }
        assert len(heights) == 1, width


@pytest.mark.parametrize(("width", "first"), [(768, "#earlier"), (820, "#earlier"), (1024, "#people")])
def test_before_the_throw_a_tablet_leaves_no_hole_below_the_scores(
    show: Callable[..., Page], page: Page, width: int, first: str
) -> None:
    show("fresh", width)
    scores, panel = (require(page.locator(part).bounding_box()) for part in (".players", first))
    assert 0 <= panel["y"] - scores["y"] - scores["height"] < 20


def test_on_a_phone_held_sideways_the_arrow_points_down_from_the_card_of_whoever_is_due(
    show: Callable[..., Page], page: Page
) -> None:
    show("eight", 844)
    page.set_viewport_size({"width": 844, "height": 390})
    at, middle = page.locator(".player.now").evaluate(
        "card => [getComputedStyle(card, '::before').left, card.clientWidth / 2].map(parseFloat)"
    )
    assert at + 6 == pytest.approx(middle, abs=1)


def test_short_names_are_not_cut_off_in_a_long_list_of_players(show: Callable[..., Page], page: Page) -> None:
    show("many")
    cards = page.locator(".player")
    for card in cards.all():
        card.locator(".word").evaluate("word => { word.textContent = 'computer, Careful' }")
        card.locator("b").evaluate("name => { name.textContent = '*Eliza' }")
    cut = "names => names.filter(name => name.scrollWidth > name.clientWidth).length"
    assert cards.locator("b").evaluate_all(cut) == 0


def test_the_invite_stands_apart_from_the_link_to_the_game(show: Callable[..., Page]) -> None:
    gap = show("decision", 360).evaluate(
        """() => {
            const link = document.querySelector('#people .invite'), invite = link.cloneNode(true)
            link.before(invite)
            return link.getBoundingClientRect().top - invite.getBoundingClientRect().bottom
        }"""
    )
    assert gap >= 8


def test_the_line_about_a_player_is_not_cut_off_in_a_long_list(show: Callable[..., Page], page: Page) -> None:
    for card in (cards := show("many", 360).locator(".player")).all():
        card.locator("b").evaluate("name => { name.textContent = 'Maximilian' }")
        card.locator(".word").evaluate("word => { word.textContent = '500 zum Einstieg' }")
    cut = "words => words.filter(e => e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight).length"
    for width in iterate_widths(page, 360, 768, 1280):
        assert cards.locator(".word").evaluate_all(cut) == 0, width


def test_a_name_takes_the_room_that_the_line_about_its_player_leaves(show: Callable[..., Page]) -> None:
    for card in (cards := show("many", 1280).locator(".player")).all():
        card.locator("b").evaluate("name => { name.textContent = 'Maximilian' }")
        card.locator(".word").evaluate("word => { word.textContent = 'leads' }")
    cut = "names => names.filter(name => name.scrollWidth > name.clientWidth).length"
    assert cards.locator("b").evaluate_all(cut) == 0


def test_names_come_before_the_lines_about_players_where_a_big_screen_is_small(show: Callable[..., Page]) -> None:
    page = show("many", 768)
    page.goto(f"{page.url}?big")
    page.locator(".players").evaluate("list => { list.classList.replace('n12', 'n8') }")
    for card in (cards := page.locator(".player")).all():
        card.locator("b").evaluate("name => { name.textContent = 'Mama' }")
        card.locator(".word").evaluate("word => { word.textContent = 'sitting out' }")
    cut = "names => names.filter(name => name.scrollWidth > name.clientWidth).length"
    assert cards.locator("b").evaluate_all(cut) == 0
