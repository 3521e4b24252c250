"""Nothing on the game page moves by itself, whatever the number and the names of the players."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import iterate_widths, press_and_wait, wait_for_stream
from tests.cast import IN, Device, bank
from tests.require import require

LONG = "Maximiliane-Alexandra Lu"
NAMES = [
    "Ana",
    LONG,
    "*HAL",
    "Wolfgang Amadeus von und",
    "Bruno",
    "Chloé",
    *(f"Grandmother Number {n:02}" for n in range(1, 7)),
]

# Browsers excuse what moves within half a second of a press; here everything counts. The parts that moved are
# recorded, to be read when a test fails.
SHIFTS = """window.shifts = []
    const place = ({x, y, width, height}) => `${[x, y, width, height]}`
    const name = node => node?.id || node?.className || node?.nodeName
    new PerformanceObserver(list => list.getEntries().forEach(({value, sources}) => shifts.push([value, ...sources.map(
        ({node, previousRect, currentRect}) => `${name(node)}: ${place(previousRect)} → ${place(currentRect)}`
    )]))).observe({type: 'layout-shift', buffered: true})"""


def read_shifts(page: Page) -> list[list[Any]]:
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return page.evaluate("shifts")  # type: ignore[no-any-return]


@pytest.mark.painted
@pytest.mark.parametrize("width", [360, 768, 1280])
@pytest.mark.parametrize("players", [1, 2, 4, 5, 12])
def test_nothing_moves_by_itself_during_turns(
    browse: Callable[..., Page],
    sit: Callable[..., Page],
    device: Device,
    falls: Callable[..., None],
    players: int,
    width: int,
) -> None:
    """The turns have a throw, other keeps, hot dice, a bank, a bust, and a computer's turn."""
    names = NAMES[:players]
    page = browse(width, first_visit=True)
    page.add_init_script(SHIFTS)
    sit(
        page,
        device.game(*(bank(seat, 1000, IN) for seat in range(players)), players=names),
        prefs="pace=instant&coaching=off",
    )
    wait_for_stream(page)
    falls("115236", "155", "223344", "115236", "223446")
    press_and_wait(page, page.locator("#throw").click)
    for key in "1122nb":
        page.keyboard.press(key)
    for button in ("throw", "throw", "throw", "bank", "throw"):
        press_and_wait(page, page.locator(f"#{button}").click)
    expect(page.locator("#tray:not([data-pause])")).to_be_visible()
    shifts = read_shifts(page)
    assert not shifts, "\n".join(map(str, shifts))


@pytest.mark.parametrize("players", [4, 5, 12])
def test_a_score_has_its_place_before_all_scores_have_arrived(
    browse: Callable[..., Page], sit: Callable[..., Page], device: Device, players: int
) -> None:
    """Browsers paint a page before all of it has arrived."""
    page = sit(browse(360), device.game(players=NAMES[:players]), prefs="coaching=off")
    for width in iterate_widths(page, 360, 768, 1280):
        before, after = page.evaluate(
            """() => {
                const cards = [...document.querySelectorAll('.player')], list = cards[0].parentNode
                const places = () => [cards[0], cards[1], document.querySelector('.table > .side')].map(
                    part => Object.values(part.getBoundingClientRect().toJSON()))
                const before = places()
                for (const card of cards.slice(2)) card.remove()
                const after = places()
                list.append(...cards.slice(2))
                return [before, after]
            }"""
        )
        assert after[:2] == before[:2], width
        assert width == 360 or after[2] == before[2]  # on a phone the side is below the list, which has one height


@pytest.mark.painted
def test_nothing_moves_when_the_first_turn_of_a_game_joins_the_earlier_ones(
    browse: Callable[..., Page], sit: Callable[..., Page], device: Device, falls: Callable[..., None]
) -> None:
    page = browse(360, first_visit=True)
    page.add_init_script(SHIFTS)
    sit(page, device.game(players=NAMES[:2]), prefs="pace=instant&coaching=off")
    wait_for_stream(page)
    falls("111236")
    for button in ("throw", "bank"):
        press_and_wait(page, page.locator(f"#{button}").click)
    # Undo appears in the header now, beside the round.
    shifts = [(by, parts) for by, *parts in read_shifts(page) if not all(part.startswith("top:") for part in parts)]
    assert not shifts, "\n".join(map(str, shifts))


@pytest.mark.parametrize("players", [2, 5])
def test_on_a_phone_no_room_is_left_empty_at_the_start_of_a_turn(
    browse: Callable[..., Page], sit: Callable[..., Page], device: Device, players: int
) -> None:
    game = device.game(*(bank(seat, 1000, IN) for seat in range(players)), players=NAMES[:players])
    page = sit(browse(360), game, prefs="coaching=off")
    edges = page.evaluate(
        """['.felt', '#earlier', '#people', '#chart'].map(
            part => document.querySelector(part).getBoundingClientRect()).flatMap(({top, bottom}) => [top, bottom])"""
    )
    gaps = [edges[n + 1] - edges[n] for n in range(1, 7, 2)]
    assert max(gaps) < 90, gaps


@pytest.mark.parametrize("players", [2, 12])
def test_on_a_phone_the_footer_directly_follows_a_new_game(
    browse: Callable[..., Page], sit: Callable[..., Page], device: Device, players: int
) -> None:
    page = sit(browse(360), device.game(players=NAMES[:players]), prefs="coaching=off")
    gap = page.evaluate(
        """document.querySelector('.foot').getBoundingClientRect().top
            - document.querySelector('#people').getBoundingClientRect().bottom"""
    )
    assert 0 <= gap < 90
    end = "document.documentElement.scrollHeight - document.querySelector('.foot').getBoundingClientRect().bottom"
    assert page.evaluate(end) < 1


def test_whoever_is_due_is_in_sight_in_a_long_list_on_a_phone(
    browse: Callable[..., Page], sit: Callable[..., Page], device: Device
) -> None:
    page = sit(browse(360), device.game(*(bank(seat, 1000, IN) for seat in range(8)), players=NAMES))
    expect(page.locator(".player.now")).to_contain_text(NAMES[8])
    expect(page.locator(".player.now")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("width", [768, 1280])
def test_with_many_players_the_points_of_the_turn_are_not_cut_off(
    browse: Callable[..., Page], sit: Callable[..., Page], device: Device, falls: Callable[..., None], width: int
) -> None:
    page = sit(browse(width), device.game(*(bank(seat, 1000, IN) for seat in range(7)), players=[LONG, *NAMES[2:8]]))
    falls("111236")
    press_and_wait(page, page.locator("#throw").click)
    word = page.locator("#scores .now .word")
    expect(word).to_have_text("+1,000 now")
    room = require(word.bounding_box())
    figure = word.evaluate(
        """word => {
            const figure = document.createRange()
            figure.setStart(word.firstChild, 0)
            figure.setEnd(word.firstChild, '+1,000'.length)
            return figure.getBoundingClientRect().toJSON()
        }"""
    )
    assert room["x"] <= figure["x"] and figure["right"] <= room["x"] + room["width"] + 0.5
    assert room["y"] <= figure["y"] + 1 and figure["bottom"] <= room["y"] + room["height"] + 1
