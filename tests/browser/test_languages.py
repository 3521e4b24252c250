"""Every language on the screen: texts longer than in English fit, and a game can be played in each language.

The texts of the pseudo-language are a third longer than English; those of the others are real translations.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Literal

import pytest
from django.conf import settings as site_settings
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django import Settings

from game.models import Game
from game.rules import preset
from game.services.shipped_rulesets import list_shipped_rulesets
from tests import pseudo
from tests.axe import check_accessible
from tests.browser.conftest import iterate_widths, press_and_wait
from tests.browser.test_whole_games import PLAIN, iterate_buttons
from tests.cast import ANA, BRUNO, HAL, IN, Device, bank, bust, open_turn, throw
from tests.conftest import Site
from tests.gallery.states import STATES, make_state
from tests.reviews import load_finished_game, write_reviews
from tests.test_translations import LANGUAGES
from tests.views.crews.test_crews import make_crew
from tests.views.history.test_head_to_head import make_finished_game
from tests.views.languages.test_languages import GAMES

WIDTHS = (320, 360, 1280)
SHORT_GAME = "223446", "115236", "111346", "223446"  # a bust, a bank, a bank that reaches the target, and a last turn
BY_HAND = {"type": "shot", "player": 0, "end": "bank", "points": 1000, "manual": True}
PAGES = [
    "/", "/new", "/new?for=friends", "/crews", "/games", "/games/import", "/games/archive", "/rules", "/rules/change",
    "/rules/classic", "/rules/boxcars", "/names", "/fair", "/odds", "/practice", "/prefs", "/privacy", "/help",
    "/offline", "/account/sign-up", "/account/sign-in", "/account/forgotten", "/sheet", "/join", "/nowhere",
]  # fmt: skip
LARGE = (
    "/", "/new?for=computer", "/fair", "/rules", "/rules/classic", "/rules/kingdom-come", "/games", "/account/sign-up",
    "/help",
)  # fmt: skip
PAGES_OF_A_GAME = ("", "?at=last", "/delete", "/sheet", "/fair", "/analysis")
PADS = ("", "&picked=1", "&throws=155236-155", "&throws=111555", "&sums=300")

# The language of the page, its width in px, and the texts that go over an edge of their box where nobody can scroll to
# them; for the big buttons, also over its lower edge.
BROKEN = """[document.documentElement.lang, document.documentElement.scrollWidth,
    [...document.querySelectorAll('body *')].filter(part => {
    const style = getComputedStyle(part)
    if (part.matches('.big') && part.scrollHeight > part.clientHeight + 1) return true
    if (![...part.childNodes].some(node => node.nodeType === 3 && node.data.trim())) return false
    if (!part.checkVisibility({visibilityProperty: true}) || part.closest('svg, .vh, .scroll, pre, .name')) return false
    const lines = part.matches('.button') ? part.offsetHeight / parseFloat(style.lineHeight) : 0
    const cut = style.display !== 'inline' && /visible|hidden|clip/.test(style.overflowX)
    return lines > 3.5 || cut && part.scrollWidth > part.clientWidth + 1
}).map(part => `${part.tagName}.${part.className} ${part.textContent.trim().replace(/\\s+/g, ' ').slice(0, 80)}`)]"""


@pytest.fixture
def speak(request: pytest.FixtureRequest, settings: Settings, site: Site) -> Callable[..., None]:
    """Return a function that makes a page show this language, even an unfinished one, as the browser of a device."""

    settings.EMAIL_HOST = "mail.example"  # without it there is no page for a forgotten password

    def choose(page: Page, language: str, device: Device) -> None:
        if language == pseudo.LANGUAGE:
            request.getfixturevalue("pseudo_language")
        else:
            settings.LANGUAGES = [("en", "English"), (language, language)]
        cookies = {site_settings.LANGUAGE_COOKIE_NAME: language, "visitor": device.browser.token}
        page.context.add_cookies([{"name": name, "value": value, "url": site.url} for name, value in cookies.items()])

    return choose


@pytest.fixture
def in_each_language(speak: Callable[..., None], settings: Settings) -> Callable[[Page, Device, Game], Iterator[str]]:
    """Return a function that opens a game's page in each language of the site, one after the other."""
    languages = [code for code, _name in settings.LANGUAGES]

    def open_page(page: Page, device: Device, game: Game) -> Iterator[str]:
        for language in languages:
            speak(page, language, device)
            page.goto(game.get_absolute_url())
            yield language

    return open_page


def list_pages(device: Device, whole: bool) -> list[str]:
    """Return addresses of pages and of games in several states; with `whole`, of every page that people see."""
    games = [
        device.game(*state["events"], **{name: state[name] for name in state if name != "events"})
        for state in GAMES.values()
    ]
    pages = [game.get_absolute_url() for game in (device.waiting_game(ANA, BRUNO), *games)]
    if not whole:
        return ["/", "/new?for=friends", "/rules/classic", "/help", "/prefs", "/games", "/account/sign-up", *pages]
    reviewed = load_finished_game(device, players=(ANA, HAL)).get_absolute_url()
    device.client.post(f"{reviewed}/analysis")
    write_reviews()
    by_hand = device.game(BY_HAND, BY_HAND | {"player": 1, "dice_left": 3}, ruleset="wikipedia").get_absolute_url()
    return [
        *pages,
        *(f"{by_hand}?turn=2{entry}" for entry in PADS),
        *(reviewed + page for page in PAGES_OF_A_GAME),
        *PAGES,
    ]


def find_broken(page: Page, address: str, language: str) -> list[str]:
    """Return the texts of a page that go over an edge of their box, at each width."""
    page.goto(address)
    broken = []
    for width in iterate_widths(page, *WIDTHS):
        spoken, needed, parts = page.evaluate(BROKEN)
        assert spoken == language
        assert needed <= width, (address, width)
        if language != pseudo.LANGUAGE:  # whose texts cannot be made any shorter
            broken += [f"{width} {address}: {part}" for part in parts]
    return broken


@pytest.mark.parametrize("language", [pseudo.LANGUAGE, *LANGUAGES])
def test_no_text_goes_over_an_edge(browse: Callable[..., Page], speak: Callable[..., None], language: str) -> None:
    page, device = browse(), Device()
    speak(page, language, device)
    broken = [
        part
        for address in list_pages(device, whole=language != pseudo.LANGUAGE)
        for part in find_broken(page, address, language)
    ]
    assert not broken, "\n".join(broken)


def test_no_text_goes_over_an_edge_in_any_state(
    browse: Callable[..., Page], speak: Callable[..., None], show_state: Callable[[Page, str], Page]
) -> None:
    """German has the longest words."""
    page = browse()
    speak(page, "de", Device())
    broken = [part for state in STATES for part in find_broken(page, show_state(page, state).url, "de")]
    assert not broken, "\n".join(broken)


FORCED_COLOURS: tuple[Literal["none", "active"], ...] = ("none", "active")
# The big buttons whose meter lies over their text.
HIDDEN = """[...document.querySelectorAll('.big:has(.meter)')].filter(button => {
    const words = document.createRange()
    words.selectNodeContents(button.querySelector('span'))
    return words.getBoundingClientRect().bottom > button.querySelector('.meter').getBoundingClientRect().top + .5
}).map(button => button.textContent.trim().replace(/\\s+/g, ' '))"""


def test_the_meter_of_a_risk_hides_no_line_above_it(
    browse: Callable[..., Page], speak: Callable[..., None], settings: Settings
) -> None:
    page, device, languages = browse(360), Device(), settings.LANGUAGES
    left = bank(0, 550, throw("155236", "5"), throw("55536", "555"))
    addresses = []
    for slug, first in (("boxcars", IN), ("farkle-toxic-twos", throw("111146", "1111"))):
        rules = list_shipped_rulesets()[slug].to_json()
        game = device.game(bank(0, 1000, first), bank(1, 1000, first), left, ruleset=rules)
        addresses.append(game.get_absolute_url())
    hidden = []
    for language in (code for code, _name in languages):
        speak(page, language, device)
        for address in addresses:
            page.goto(address)
            assert page.locator("#pick-up .meter").count() == 1
            for colours in FORCED_COLOURS:
                page.emulate_media(forced_colors=colours)
                hidden += page.evaluate(HIDDEN)
    assert hidden == []


LINES = """[...document.querySelectorAll('#bank span, .points > span')].map(part =>
    Math.round(part.offsetHeight / parseFloat(getComputedStyle(part).lineHeight)))"""


def test_what_a_bank_makes_fits_on_one_line_and_the_caption_of_the_points_on_three(
    browse: Callable[..., Page], in_each_language: Callable[..., Iterator[str]]
) -> None:
    """The second line of a longer text begins with the dot between its parts."""
    page, (game, device) = browse(360), make_state("tie")
    for language in in_each_language(page, device, game):
        caption, bank = page.evaluate(LINES)
        assert (bank, caption <= 3) == (1, True), language


# Of each way to keep: where its points end, and where its risk begins.
COLUMNS = """[...document.querySelectorAll('#ways li:not(.late) .way')].map(way => {
    const [points, risk] = ['.pts', '.odds'].map(part => way.querySelector(part).getBoundingClientRect())
    return [points.right, risk.left]
})"""


def test_points_and_risks_of_the_ways_stand_one_under_the_other(
    browse: Callable[..., Page], in_each_language: Callable[..., Iterator[str]]
) -> None:
    page, (game, device) = browse(360), make_state("ways")
    for language in in_each_language(page, device, game):
        columns = page.evaluate(COLUMNS)
        assert len(columns) == 4
        assert len({tuple(column) for column in columns}) == 1, (language, columns)


# The px between the name of the game and the round.
GAP = """(() => {
    const name = document.createRange()
    name.selectNodeContents(document.querySelector('.mark'))
    return document.querySelector('.round').getBoundingClientRect().left - name.getBoundingClientRect().right
})()"""


def test_the_round_does_not_touch_the_name_of_the_game(
    browse: Callable[..., Page], in_each_language: Callable[..., Iterator[str]]
) -> None:
    page, (game, device) = browse(), make_state("proving")  # round 10 of 10
    for language in in_each_language(page, device, game):
        for width in iterate_widths(page, 320, 360):
            assert page.evaluate(GAP) >= 5, (language, width)


CUT_WORDS = """[...document.querySelectorAll('.word')].filter(word => word.scrollWidth > word.clientWidth)
    .map(word => word.textContent)"""


def test_what_a_player_still_needs_is_not_cut_off_on_the_cards_of_three(
    browse: Callable[..., Page], in_each_language: Callable[..., Iterator[str]]
) -> None:
    page, device = browse(360), Device()
    game = device.game(players=(ANA, BRUNO, "Chloé"), ruleset="pot")
    for _language in in_each_language(page, device, game):
        assert "000" in page.locator(".word").last.inner_text()
        assert page.evaluate(CUT_WORDS) == []


def test_what_a_player_still_needs_is_not_cut_off_beside_a_long_name_in_a_long_list(
    browse: Callable[..., Page], in_each_language: Callable[..., Iterator[str]]
) -> None:
    page, device = browse(), Device()
    game = device.game(open_turn(0, throw("134426", "1"), throw("53363")), players=(*NAMES, "Emil", "Frida"))
    for language in in_each_language(page, device, game):
        for _width in iterate_widths(page, 768, 1280, 1920):
            for word in page.locator(".word").all():
                assert word.evaluate("word => word.scrollHeight <= word.clientHeight"), (language, word.inner_text())


def test_a_computers_level_is_left_out_where_it_has_no_room_instead_of_being_cut_off(
    browse: Callable[..., Page], in_each_language: Callable[..., Iterator[str]]
) -> None:
    page, device = browse(360), Device()
    game = device.game(players=(ANA,), ruleset=replace(preset("classic"), entry_minimum=0).to_json())
    for level in ("beginner", "careful"):
        device.do(game, "seats", do="join", name="", computer="1", level=level)
    for _language in in_each_language(page, device, game):
        assert "(" in page.locator(".word").last.inner_text()
        assert page.evaluate(CUT_WORDS) == []


def test_your_turn_takes_one_large_line_beside_a_name(
    browse: Callable[..., Page], in_each_language: Callable[[Page, Device, Game], Iterator[str]]
) -> None:
    page, device = browse(360), Device()
    for language in in_each_language(page, device, device.game()):
        expect(page.locator("#status")).to_contain_text(ANA)
        assert page.locator("#status").get_attribute("class") != "long", language


BANDS = {360: 44, 1280: 57}  # how high the band of the next player has to be at each width, in px


def measure_band(page: Page) -> int:
    """Return the height of the band of the next player, in px."""
    return int(page.locator("#say.hand-over").evaluate("band => band.offsetHeight"))


@pytest.mark.parametrize("names", [("Jörg", "Zoë"), ("Maximiliane-Alexandra Lu", "Wolfgang Amadeus")])
def test_what_a_bust_cost_leaves_the_band_of_the_next_player_as_high_as_ever(
    browse: Callable[..., Page], in_each_language: Callable[..., Iterator[str]], names: tuple[str, str]
) -> None:
    page, device = browse(), Device()
    rules = list_shipped_rulesets()["macke"].to_json()
    three = throw("11146", "111")
    costly = bust(0, three, throw("46"))
    game = device.game(bank(0, 1000, three), bank(1, 1000, three), costly, players=names, ruleset=rules)
    for language in in_each_language(page, device, game):
        for width in iterate_widths(page, *BANDS):
            assert "1000" in re.sub(r"\W", "", page.locator("#detail").inner_text())
            assert measure_band(page) == BANDS[width], language


@pytest.mark.parametrize(
    "names",
    [("Bartholomeus Vandenberge", "De allerbeste dobbelaars"), ("Maximilian", "Opa Henk"), ("Wolfgang Amadeus", "Zoë")],
)
def test_names_leave_the_band_of_the_next_player_as_high_as_ever(
    browse: Callable[..., Page], in_each_language: Callable[..., Iterator[str]], names: tuple[str, str]
) -> None:
    page, device = browse(), Device()
    lost = bust(0, throw("111346", "111"), throw("346"))
    for end, turn in (("bank", bank(0, 1000, IN)), ("bust", bust(0, throw("223446"))), ("loss", lost)):
        game = device.game(turn, players=names)
        for language in in_each_language(page, device, game):
            for width in iterate_widths(page, *BANDS):
                assert measure_band(page) == BANDS[width], (language, end)


def test_points_at_risk_are_not_cut_off_on_the_card_of_one_of_five(
    browse: Callable[..., Page], in_each_language: Callable[[Page, Device, Game], Iterator[str]]
) -> None:
    page, device = browse(360), Device()
    game = device.game(open_turn(0, throw("111346", "111"), throw("156")), players=(ANA, BRUNO, "Chloé", "Dora", "Eva"))
    for language in in_each_language(page, device, game):
        word = page.locator(".player.now .word")
        expect(word).to_contain_text("+1")
        assert word.evaluate("word => word.scrollWidth <= word.clientWidth"), (language, word.inner_text())


def test_one_decision_is_on_one_line_of_the_first_headline(
    browse: Callable[..., Page], speak: Callable[..., None]
) -> None:
    page, device = browse(360), Device()
    lines = """title => {
        const begin = new Range(), text = title.firstChild
        begin.setStart(text, text.data.indexOf('.') + 2)
        begin.setEnd(text, text.data.indexOf(':'))
        return begin.getClientRects().length
    }"""
    for language in ("en", *LANGUAGES):
        speak(page, language, device)
        page.goto("/")
        for width in iterate_widths(page, 320, 360, 412):
            assert page.locator("h1").evaluate(lines) == 1, (language, width)


@pytest.mark.parametrize("language", LANGUAGES)
def test_text_of_twice_the_size_makes_no_page_wider_than_a_phone(
    browse: Callable[..., Page], speak: Callable[..., None], language: str
) -> None:
    page, device = browse(360), Device()
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    speak(page, language, device)
    device.game(bank(0, 1000, IN))
    waiting, crew, over = device.waiting_game(ANA, BRUNO), make_crew(device, ANA, HAL), load_finished_game(device)
    device.client.post(f"{over.get_absolute_url()}/analysis")
    write_reviews()
    wide = {}
    for address in (*LARGE, *(row.get_absolute_url() for row in (waiting, crew, over))):
        page.goto(address)
        wide[address] = page.evaluate("document.documentElement.scrollWidth")
    assert {address: width for address, width in wide.items() if width > 360} == {}


# The words that are broken in two, and the texts in more than two lines.
TORN = """[...document.querySelectorAll('.both th')].flatMap(({firstChild: text}) =>
    [...text.data.trim().matchAll(/\\S+/g), {index: 0, 0: text.data.trim()}].filter(({index, 0: part}) => {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + part.length)
        return range.getClientRects().length > (/ /.test(part) ? 2 : 1)
    }).map(found => found[0]))"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_beside_and_above_the_figures_of_a_head_to_head_stay_whole_on_a_phone(
    browse: Callable[..., Page], speak: Callable[..., None], language: str
) -> None:
    page, device = browse(360), Device()
    game = make_finished_game(device, ANA, "Maximilian")
    device.client.post(f"{game.get_absolute_url()}/analysis")
    write_reviews()
    speak(page, language, device)
    page.goto(reverse("game:head-to-head", args=["Maximilian"]))
    assert page.locator(".both tbody th").count() == 4
    assert page.evaluate(TORN) == []


NAMES = (ANA, "Bartholomew of Zanzibar", "Konstantin Rosenkavalier", "Wilhelmina van den Broek", "Chloé", "Dora")
# The texts in the middle of the table that are under a seat or too wide for their box.
COVERED = """(() => {
    const seats = [...document.querySelectorAll('.ring > li')].map(seat => seat.getBoundingClientRect())
    return [...document.querySelectorAll('.middle > *')].filter(part => {
        const words = document.createRange()
        words.selectNodeContents(part)
        const at = words.getBoundingClientRect()
        return part.scrollWidth > part.clientWidth + 1 || seats.some(seat => seat.top < at.bottom - 1
            && at.top < seat.bottom - 1 && seat.left < at.right && at.left < seat.right)
    }).map(part => part.textContent)
})()"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_middle_of_a_waiting_table_is_free_of_seats(
    browse: Callable[..., Page], speak: Callable[..., None], language: str
) -> None:
    page, device = browse(360), Device()
    speak(page, language, device)
    for count in range(2, 7):
        page.goto(device.waiting_game(*NAMES[:count]).get_absolute_url())
        for width in iterate_widths(page, 320, 360, 412, 768):
            assert page.evaluate(COVERED) == [], (count, width)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_can_be_played_by_keyboard_in_each_language(
    browse: Callable[..., Page], speak: Callable[..., None], falls: Callable[..., None], language: str
) -> None:
    page, device, keys = browse(360), Device(), {"#throw": "r", "#bank": "g"}
    speak(page, language, device)
    game = device.game(bank(0, 1000, IN), bank(1, 1000, IN), target=2000)
    page.goto(game.get_absolute_url())
    falls(*SHORT_GAME)
    for button in iterate_buttons(page):
        press_and_wait(page, partial(page.keyboard.press, keys[button]))
    check_accessible(page)
    assert page.locator("html").get_attribute("lang") == language


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_can_be_played_without_javascript_in_each_language(
    browse: Callable[..., Page], speak: Callable[..., None], falls: Callable[..., None], language: str
) -> None:
    page, device = browse(360, javascript=False), Device()
    speak(page, language, device)
    game = device.game(bank(0, 1000, IN), bank(1, 1000, IN), target=2000)
    page.goto(game.get_absolute_url())
    falls(*SHORT_GAME)
    for button in iterate_buttons(page, *PLAIN):
        before = page.locator("#top").get_attribute("data-version") or ""
        page.locator(button).click()
        expect(page.locator("#top")).not_to_have_attribute("data-version", before)
    assert page.locator("html").get_attribute("lang") == language
