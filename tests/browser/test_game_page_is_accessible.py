"""The game page in every state, and pages that refuse: axe, sizes of targets, large text, motion, paper.

Home, new game, games, preferences and help: test_pages_round_a_game.py. Rules and admin: test_rules_and_admin.py.
"""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import FilePayload, Page, expect

from game.models import Game
from tests.axe import WHOLE, check_accessible, check_accessible_at_widths
from tests.browser.conftest import COMPUTERS_WAIT, find_small_controls, iterate_widths, press_and_wait
from tests.cast import ANA, BOTH_IN, BRUNO, HAL, IN, LEFT_FOR_OTHERS, Device, bank, bust, open_turn, throw

Sit = Callable[..., Page]

MANY_WAYS = open_turn(0, throw("115236", "11"), throw("1553"))
TRIES = open_turn(0, throw("111554", "11155"), throw("4"))
GROWS = open_turn(0, throw("115346", "11"), throw("5523", "55"), throw("33"))
LAST = bank(0, 2000, throw("111146", "1111"))
CROWD = [ANA, BRUNO, HAL, "Chloé", "אבנר", "Maximiliane von und zu X", *(f"Player {n}" for n in range(7, 13))]

STATES: dict[str, dict[str, Any]] = {
    "waiting for the first throw": {"events": BOTH_IN},
    "decision": {"events": (*BOTH_IN, MANY_WAYS)},
    "not in yet": {"events": (open_turn(0, throw("115236")),)},
    "bust": {"events": (*BOTH_IN, bust(0, throw("111346", "111"), throw("246")))},
    "pick-up": {"events": (*BOTH_IN, LEFT_FOR_OTHERS), "ruleset": "wikipedia"},
    "three tries": {"events": (*BOTH_IN, TRIES), "ruleset": "farkle", "start": [[6, 1]]},
    "three pairs with dice kept before": {"events": (*BOTH_IN, GROWS), "ruleset": "boxcars"},
    "six alike": {"events": (*BOTH_IN, open_turn(0, throw("222222"))), "ruleset": "boxcars"},
    "final round": {"events": (*BOTH_IN, LAST), "target": 3000, "ruleset": "pot"},
    "a computer's turn": {"events": (*BOTH_IN, bank(0, 1000, IN)), "players": [ANA, HAL]},
    "twelve players": {"events": (MANY_WAYS,), "players": CROWD},
    "finished": {"events": (*BOTH_IN, LAST, bust(1, throw("223446"))), "target": 3000},
}
ALSO = ("somebody else's turn", "number pad", "refused", "score sheet", "no such game")

WIDTHS = (320, 1280)
RULES = WHOLE | {"rules": {"target-size": {"enabled": True}}}

# The ids that a part of the page names to be described or labelled by, of elements that are not there.
MISSING = """['describedby', 'labelledby'].flatMap(by => [...document.querySelectorAll(`[aria-${by}]`)]
    .flatMap(part => part.getAttribute(`aria-${by}`).split(' '))).filter(id => !document.getElementById(id))"""


@pytest.fixture
def show(sit: Sit, device: Device, other_device: Device) -> Callable[[Page, str], None]:
    """Return a function that opens one of the states above on a page."""

    def open_state(page: Page, state: str) -> None:
        page.add_init_script(COMPUTERS_WAIT)
        page.emulate_media(reduced_motion="reduce")
        if state in STATES:
            setting = {"players": [ANA, BRUNO]} | STATES[state]
            sit(page, device.game(*setting.pop("events"), **setting), prefs="hints=odds")
        elif state == "somebody else's turn":
            sit(page, device.game(*BOTH_IN, MANY_WAYS), who=other_device)
        elif state == "no such game":
            page.goto("/g/" + "A" * 22)
        elif state == "score sheet":
            page.goto(device.game(*BOTH_IN, MANY_WAYS, players=[ANA, BRUNO]).get_absolute_url() + "/sheet")
        else:
            game = device.game(*BOTH_IN, LEFT_FOR_OTHERS, ruleset="wikipedia")
            device.do(game, "mode", mode="manual")
            sit(page, game)
            if state == "refused":
                page.locator("#points").fill("175")
                page.locator("#bank").click()
                page.get_by_role("alert").wait_for()
        page.evaluate("document.querySelectorAll('details:not(.menu)').forEach(each => { each.open = true })")

    return open_state


def measure_overflow(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


@pytest.mark.parametrize("state", [*STATES, *ALSO])
def test_axe_finds_no_problem_and_everything_fits(page: Page, show: Callable[[Page, str], None], state: str) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    show(page, state)
    check_accessible_at_widths(page, WIDTHS, RULES)
    assert page.evaluate(MISSING) == []
    for width in iterate_widths(page, *WIDTHS):
        assert measure_overflow(page) <= 0, width
        assert find_small_controls(page) == [], width


def test_a_die_that_scores_nothing_says_so_after_every_tap(page: Page, show: Callable[[Page, str], None]) -> None:
    show(page, "decision")
    lying, tapped = page.locator(".die.dead input"), page.locator(".die.opt input").first
    for _tap in range(2):
        expect(lying).to_have_accessible_description("Scores nothing now.")
        expect(lying).to_have_attribute("aria-disabled", "true")
        assert page.evaluate(MISSING) == []
        tapped.click(force=True)


@pytest.mark.smoke
def test_the_menu_is_accessible(page: Page, show: Callable[[Page, str], None]) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    show(page, "decision")
    page.get_by_label("Menu").click()
    check_accessible(page, options=RULES)
    assert measure_overflow(page) <= 0


def test_the_refusal_of_a_file_is_accessible(page: Page) -> None:
    page.goto("/games/import")
    wrong: FilePayload = {
        "name": "game.json",
        "mimeType": "application/json",
        "buffer": b'{"format": "something else"}',
    }
    page.get_by_label("Game file").set_input_files(files=[wrong])
    page.get_by_role("button", name="Load").click()
    expect(page.get_by_role("alert")).to_be_focused()
    check_accessible(page)


# ── large text ──


@pytest.mark.parametrize("state", ["decision", "number pad", "finished", "twelve players"])
def test_text_of_twice_the_size_fits(page: Page, show: Callable[[Page, str], None], state: str) -> None:
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    page.set_viewport_size({"width": 360, "height": 640})
    show(page, state)
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 640})
        assert page.evaluate("getComputedStyle(document.body).fontSize") == "32px"
        assert measure_overflow(page) <= 0, width
        assert find_cut_off(page) == [], width
        if width == 360 and page.locator(".commands").count():
            assert page.evaluate("getComputedStyle(document.querySelector('.commands')).position") != "fixed"


def test_wider_spacing_of_text_breaks_nothing(page: Page, show: Callable[[Page, str], None]) -> None:
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 640})
        show(page, "decision")
        page.evaluate(
            """document.querySelectorAll('body *').forEach(({style}) => {
                style.setProperty('line-height', '1.5', 'important')
                style.setProperty('letter-spacing', '.12em', 'important')
                style.setProperty('word-spacing', '.16em', 'important')
            })"""
        )
        assert measure_overflow(page) <= 0
        assert find_cut_off(page) == []


def find_cut_off(page: Page) -> list[str]:
    """Return the buttons, status, captions, points and ways to keep whose text is larger than their box."""
    return page.evaluate(  # type: ignore[no-any-return]
        """[...document.querySelectorAll('.big, #say h1, #detail, .cap, .points, .way, .digits button')]
            .filter(each => each.getClientRects().length)
            .filter(each => each.scrollWidth > each.clientWidth + 1
                || getComputedStyle(each).overflowY !== 'visible' && each.scrollHeight > each.clientHeight + 1)
            .map(each => each.id || each.className || each.textContent)"""
    )


def test_the_focused_element_is_never_hidden_behind_the_buttons(page: Page, show: Callable[[Page, str], None]) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    show(page, "decision")
    seen = 0
    for _step in range(60):
        page.keyboard.press("Tab")
        where = page.evaluate(
            """(() => {
                const at = document.activeElement, bar = document.querySelector('.commands')
                if (at === document.body || bar.contains(at)) return null
                const box = (at.labels?.[0] ?? at).getBoundingClientRect()
                return [at.id || at.textContent, box.top >= 0 && box.bottom <= bar.getBoundingClientRect().top + 1]
            })()"""
        )
        if where:
            seen += 1
            assert where[1], where[0]
    assert seen > 20


# ── motion ──


ANIMATIONS = """window.moves = []
    const animate = Element.prototype.animate
    Element.prototype.animate = function (frames, options) {
        const made = animate.call(this, frames, options)
        moves.push(made)
        return made
    }"""


def read_animations(page: Page) -> tuple[set[str], float]:
    """Return the properties that a throw's animations change after its answer, and when the last ends, in ms."""
    changes, ends = page.evaluate(
        """() => {
            const lasts = each => each.getComputedTiming().endTime
            const falling = moves.splice(0).map(each => each.effect).filter(each => isFinite(lasts(each)))
            return [falling.flatMap(each => each.getKeyframes().flatMap(Object.keys)),
                Math.max(0, ...falling.map(lasts))]
        }"""
    )
    return set(changes) - {"offset", "easing", "composite", "computedOffset"}, ends


def test_a_throw_falls_within_700_ms_but_not_with_reduced_motion(
    page: Page, sit: Sit, device: Device, falls: Callable[..., None]
) -> None:
    page.add_init_script(ANIMATIONS)
    sit(page, device.game(*BOTH_IN))
    falls("115236", "136")
    press_and_wait(page, lambda: page.locator("#throw").click())
    changes, ends = read_animations(page)
    assert changes & {"transform", "translate", "rotate"}
    assert ends <= 700
    page.emulate_media(reduced_motion="reduce")
    press_and_wait(page, lambda: page.locator("#throw").click())
    changes, ends = read_animations(page)
    assert changes <= {"opacity"}
    assert ends <= 200


# ── paper ──


def test_on_paper_there_is_no_header_and_nothing_to_press(page: Page, show: Callable[[Page, str], None]) -> None:
    show(page, "finished")
    page.emulate_media(media="print")
    for part in ("header.site", "footer.foot", "#finish form .big", "#finish form .small", "#share"):
        expect(page.locator(part)).to_be_hidden()
    expect(page.locator("#finish h1")).to_be_visible()
    assert Game.objects.count() == 1
