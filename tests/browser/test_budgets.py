"""What the game page costs: sizes, requests, nodes and layout shift, measured and printed as a table.

The game has four players, and its hints show odds. Sizes are after gzip, except the font, which is compressed already.
"""

import gzip
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from playwright.sync_api import Page, Response, expect

from tests.browser.conftest import press_and_wait, wait_for_stream
from tests.cast import ANA, BRUNO, HAL, IN, Device, bank, open_turn, throw

pytestmark = pytest.mark.painted

Sit = Callable[..., Page]

KB = 1024
PLAYERS = [ANA, BRUNO, "Chloé", HAL]
TURNS = [bank(seat % 4, 1000, IN) for seat in range(20)]

LIMITS: dict[str, tuple[float, str]] = {
    "HTML of the game page": (9 * KB, "bytes"),
    "CSS": (12 * KB, "bytes"),
    "JavaScript": (24 * KB, "bytes"),
    "JavaScript, game.js": (9 * KB, "bytes"),
    "JavaScript, htmx": (14 * KB, "bytes"),
    "Font": (18 * KB, "bytes"),
    "Images": (0, "bytes"),
    "Everything, first view": (60 * KB, "bytes"),
    "Requests, first view": (8, ""),
    "Repeat view": (9 * KB, "bytes"),
    "Answer to an action, the largest": (5 * KB, "bytes"),
    "DOM nodes": (900, ""),
    "Layout shift, first view": (0, ""),
    "Layout shift, a round": (0, ""),
    "Layout shift, a round on a phone": (0, ""),
}

# Browsers do not count what moves within half a second of a press. Here the time from a press to its answer is left
# out instead, so that the figure is the same on a slow machine; a choice of dice has no answer, so its shifts count.
SHIFTS = """window.shifts = []
    window.excused = []
    new PerformanceObserver(list => shifts.push(...list.getEntries())).observe({type: 'layout-shift', buffered: true})
    addEventListener('submit', event => {
        if (event.submitter.id !== 'advance') excused.push([performance.now(), Infinity])
    }, true)
    addEventListener('htmx:after:swap', () => {
        if (excused.at(-1)?.[1] === Infinity) excused.at(-1)[1] = performance.now() + 100
    }, true)"""


@pytest.fixture
def opened(browse: Callable[..., Page], sit: Sit, device: Device) -> Callable[[int], tuple[Page, list[Response]]]:
    """Return a function that opens the game's page in a new browser and returns it with every answer that it got."""

    def open_game(width: int) -> tuple[Page, list[Response]]:
        page = browse(width, first_visit=True)
        answers: list[Response] = []
        page.on("response", lambda sent: answers.append(sent))
        page.add_init_script(SHIFTS)
        running = open_turn(0, throw("111346", "1"), throw("15546"))
        sit(page, device.game(*TURNS, running, players=PLAYERS), prefs="hints=odds")
        wait_until_loaded(page)
        return page, answers

    return open_game


def wait_until_loaded(page: Page) -> None:
    """Wait until the page's stream, which stays open, has sent something."""
    page.wait_for_load_state("load")
    wait_for_stream(page)


def sum_bytes(answers: Iterable[Response], *kinds: str) -> int:
    """Return the bytes of the answers of these kinds (document, stylesheet, script, font, image, fetch), or of all."""
    return sum(count_bytes(answer) for answer in answers if not kinds or answer.request.resource_type in kinds)


def count_bytes(answer: Response) -> int:
    if "event-stream" in answer.headers["content-type"]:
        return 0  # a stream never ends
    packed = "woff2" in answer.headers["content-type"]
    return len(answer.body() if packed else gzip.compress(answer.body(), 9))


def measure_shift(page: Page) -> float:
    """Return the layout shift of everything that has moved by itself since the page was opened."""
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return page.evaluate(  # type: ignore[no-any-return]
        """shifts.filter(({startTime: at}) => !excused.some(([from, to]) => from <= at && at <= to))
            .reduce((sum, each) => sum + each.value, 0)"""
    )


def play_round(page: Page, falls: Callable[..., None]) -> None:
    """Release a die and keep it again, walk through the ways to keep, bust, bank, bust, and let the computer play."""
    for key in "22nb":
        page.keyboard.press(key)
    falls("26", "115236", "146", "223446", "344466", "223")
    for button in ("throw", "throw", "throw", "bank", "throw"):
        press_and_wait(page, page.locator(f"#{button}").click)
    expect(page.locator("#status")).to_have_text(f"Your turn, {ANA}")


def test_the_game_page_keeps_to_its_budgets(
    opened: Callable[[int], tuple[Page, list[Response]]], falls: Callable[..., None], capsys: Any
) -> None:
    page, answers = opened(1280)
    first = list(answers)
    measured: dict[str, float] = {
        "HTML of the game page": sum_bytes(first, "document"),
        "CSS": sum_bytes(first, "stylesheet"),
        "JavaScript": sum_bytes(first, "script"),
        "JavaScript, game.js": sum_bytes(answer for answer in first if "/js/game." in answer.url),
        "JavaScript, htmx": sum_bytes(answer for answer in first if "/js/htmx." in answer.url),
        "Font": sum_bytes(first, "font"),
        "Images": sum_bytes(first, "image"),
        "Everything, first view": sum_bytes(first),
        "Requests, first view": len(first),
        "DOM nodes": page.evaluate("document.querySelectorAll('*').length"),
        "Layout shift, first view": measure_shift(page),
    }
    answers.clear()
    play_round(page, falls)
    measured["Answer to an action, the largest"] = max(count_bytes(answer) for answer in answers)
    measured["Layout shift, a round"] = measure_shift(page)
    answers.clear()
    page.reload()
    wait_until_loaded(page)
    files = page.evaluate("performance.getEntriesByType('resource').map(each => [each.name, each.transferSize])")
    loaded = [page.url, *(name for name, transferred in files if transferred)]
    measured["Repeat view"] = sum_bytes(answer for answer in answers if answer.url in loaded)
    phone, _answers = opened(360)
    play_round(phone, falls)
    measured["Layout shift, a round on a phone"] = measure_shift(phone)
    with capsys.disabled():
        print(format_table(measured))
    over = [what for what, (limit, _unit) in LIMITS.items() if measured[what] > limit]
    assert over == []
    assert measured["JavaScript, game.js"] and measured["JavaScript, htmx"]
    assert measured.keys() == LIMITS.keys()


def format_table(measured: dict[str, float]) -> str:
    lines = [f"\n{'The game page, four players, odds on':36}{'measured':>10}{'limit':>10}"]
    for what, (limit, unit) in LIMITS.items():
        values = [f"{value / KB:.1f} KB" if unit == "bytes" else f"{value:.4g}" for value in (measured[what], limit)]
        lines.append(f"{what:36}{values[0]:>10}{values[1]:>10}")
    return "\n".join(lines)
