"""A throw in three beats: dice rattle, tumble and land, and slide to Kept; only then the page tells the result."""

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from game.models import Game
from tests import patience
from tests.browser.conftest import COMPUTERS_WAIT, count_events, expect_headline, press_and_wait, wait_for_stream
from tests.cast import ANA, BOTH_IN, HAL, IN, Device, bank, bust, open_turn, share_game, throw

pytestmark = pytest.mark.unhastened

Sit = Callable[..., Page]
Browse = Callable[..., Page]
Falls = Callable[..., None]


# Records what the page shows at each of its changes: the dice in the air, how many show their faces, how many have slid
# to Kept, and the texts that tell the result.
FILM = """window.film = []
    window.swaps = []
    window.look = () => {
        const text = selector => [...document.querySelectorAll(selector)].map(e => e.textContent.trim()).join('|')
        const count = selector => document.querySelectorAll(selector).length
        const now = {
            air: count('.rolled'), faces: count('.stage use[href]'), down: count('.rolled.down'),
            told: [text('#status'), text('#detail'), text('#bank'), text('#throw'), text('.player'), count('.way'),
                count('.felt.lost'), text('.throws')].join('/'),
            sum: text('#sum'), live: text('#live'), at: performance.now(),
        }
        const {sum, at, ...before} = film.at(-1) ?? {}
        const {sum: _sum, at: _at, ...after} = now
        if (JSON.stringify(before) !== JSON.stringify(after) || sum !== now.sum) film.push(now)
    }
    addEventListener('DOMContentLoaded', () => {
        new MutationObserver(look).observe(document.body,
            {childList: true, subtree: true, characterData: true, attributes: true})
        addEventListener('htmx:after:request', () => { window.answeredAt ??= performance.now() }, true)
        addEventListener('htmx:after:swap', () => {
            window.swappedAt ??= performance.now()
            swaps.push(performance.now())
        }, true)
    })"""


@pytest.fixture
def filmed(page: Page) -> Page:
    page.add_init_script(FILM)
    return page


def read_film(page: Page) -> list[dict[str, Any]]:
    return page.evaluate("film")  # type: ignore[no-any-return]


def film_press(page: Page, button: str = "throw") -> list[dict[str, Any]]:
    """Press a button; return the film from just before the press until its result is shown."""
    page.evaluate("film.length = 0; look(); window.answeredAt = window.swappedAt = undefined")
    press_and_wait(page, page.locator(f"#{button}").click)
    return read_film(page)


def hold_throws(page: Page) -> list[Route]:
    """Hold back throws from now on; return a list of those held back, for the test to let go."""
    waiting: list[Route] = []
    page.route(re.compile("/throw$"), lambda route: waiting.append(route))
    return waiting


def list_beats(shots: list[dict[str, Any]]) -> list[str]:
    """Return the beats of a film in their order, each once in a row."""
    seen = []
    texts = shots[0]["told"]
    for shot in shots:
        if shot["told"] != texts:
            seen.append("told")
        elif shot["down"]:
            seen.append("slid")
        elif shot["faces"]:
            seen.append("tumbled")
        elif shot["air"]:
            seen.append("rattled")
    return [now for now, before in zip(seen, ["", *seen], strict=False) if now != before]


@pytest.mark.parametrize(
    ("events", "fallen", "in_air"),
    [
        ((), "115236", 6),
        ((open_turn(0, throw("115236")),), "146", 3),
        ((open_turn(0, throw("112233")),), "125346", 6),
    ],
    ids=["at the start of a turn", "later in a turn", "after hot dice"],
)
def test_the_dice_land_before_anything_tells_the_result(
    filmed: Page, sit: Sit, device: Device, falls: Falls, events: tuple[Any, ...], fallen: str, in_air: int
) -> None:
    sit(filmed, device.game(*BOTH_IN, *events))
    falls(fallen)
    shots = film_press(filmed)
    assert list_beats(shots) == ["rattled", "tumbled", "slid", "told"]
    assert {shot["air"] for shot in shots} == {0, in_air}
    assert all(shot["air"] == in_air for shot in shots if shot["faces"])
    falls_again = "all => all.filter(part => getComputedStyle(part).animationName !== 'none').length"
    assert filmed.locator("#tray .die :is(svg, use)").evaluate_all(falls_again) == 0


def test_the_points_count_up_while_the_dice_slide(filmed: Page, sit: Sit, device: Device, falls: Falls) -> None:
    sit(filmed, device.game(*BOTH_IN))
    filmed.clock.install(time=0)
    filmed.clock.pause_at(1)  # so that a slow machine leaves no step out
    falls("115236")
    filmed.locator("#throw").click()
    until = time.monotonic() + patience.SECONDS
    while filmed.locator("#bank").count() == 0 and time.monotonic() < until:
        filmed.clock.run_for(20)
    points = [int(shot["sum"]) for shot in read_film(filmed) if shot["sum"]]
    assert (points[0], points[-1], points) == (0, 250, sorted(points))
    assert len({*points}) > 5, "the engine draws about ten frames meanwhile"


def test_a_throw_is_announced_before_the_dice_land(filmed: Page, sit: Sit, device: Device, falls: Falls) -> None:
    sit(filmed, device.game(*BOTH_IN))
    falls("115236")
    shots = film_press(filmed)
    heard = next(n for n, shot in enumerate(shots) if shot["live"].startswith("You threw 1 1 5 2 3 6"))
    landed = next(n for n, shot in enumerate(shots) if shot["faces"])
    assert heard <= landed


def test_the_result_is_shown_within_900_ms_of_the_answer(filmed: Page, sit: Sit, device: Device, falls: Falls) -> None:
    """The page's timers add up to no more; the speed of this machine does not matter."""
    waits = """window.waits = []
        const set = setTimeout
        window.setTimeout = (f, ms, ...more) => { waits.push(ms); return set(f, ms, ...more) }"""
    filmed.add_init_script(waits)
    sit(filmed, device.game(*BOTH_IN))
    for fallen in ("115236", "146", "16"):
        falls(fallen)
        filmed.evaluate("waits.length = 0")
        film_press(filmed)
        beats_only = filmed.evaluate("waits.filter(ms => ms > 30 && ms <= 900)")
        assert 500 < sum(beats_only) <= 900, beats_only


def test_the_dice_rattle_from_the_press_until_the_server_answers(
    filmed: Page, sit: Sit, device: Device, falls: Falls
) -> None:
    sit(filmed, device.game(*BOTH_IN))
    falls("115236")
    waiting = hold_throws(filmed)
    filmed.evaluate("film.length = 0; look()")
    filmed.locator("#throw").click()
    expect(filmed.locator(".rolled")).to_have_count(6)
    assert filmed.evaluate("document.querySelector('.stage').getAnimations({subtree: true}).length") == 6
    assert list_beats(read_film(filmed)) == ["rattled"]
    waiting.pop().continue_()
    expect(filmed.locator("#bank")).to_contain_text("Bank 250")
    assert list_beats(read_film(filmed)) == ["rattled", "tumbled", "slid", "told"]


def test_lifted_dice_lie_down_again_if_the_throw_fails(unlucky: Page, sit: Sit, device: Device) -> None:
    sit(unlucky, device.game(*BOTH_IN, open_turn(0, throw("115236"))))
    unlucky.route(re.compile("/throw$"), lambda route: route.abort())
    unlucky.locator("#throw").click()
    expect(unlucky.locator("#problem")).to_be_visible()
    expect(unlucky.locator(".stage, .lifted")).to_have_count(0)


# Stops the timer of the fall, so that only a press ends the beats.
STILL = (
    "const set = setTimeout; window.setTimeout = (f, ms, ...more) => ms >= 300 && ms <= 900 ? 0 : set(f, ms, ...more)"
)


@pytest.mark.parametrize("press", ["key", "tap"])
def test_a_press_that_skips_does_not_count_if_its_button_has_changed(
    filmed: Page, sit: Sit, device: Device, falls: Falls, press: str
) -> None:
    filmed.add_init_script(STILL)
    game = device.game(*BOTH_IN, open_turn(0, throw("115236")))
    sit(filmed, game)
    falls("146")
    filmed.locator("#throw").click()
    expect(filmed.locator(".rolled")).to_have_count(3)
    expect(filmed.locator("#live")).to_contain_text("You threw 1 4 6")
    if press == "key":
        filmed.keyboard.press("r")
    else:
        filmed.locator("#throw").click()
    expect(filmed.locator("#throw")).to_contain_text("Throw 2 dice")
    filmed.wait_for_function("() => !sending")
    assert Game.objects.get(pk=game.pk).version == game.version + 1


@pytest.mark.parametrize("press", ["key", "tap"])
def test_a_press_that_skips_counts_if_its_button_is_the_same(
    filmed: Page, sit: Sit, device: Device, falls: Falls, press: str
) -> None:
    filmed.add_init_script(STILL)
    game = device.game(*BOTH_IN, open_turn(0, throw("112233")), ruleset="classic")
    sit(filmed, game)
    falls("223344", "115236")
    filmed.locator("#throw").click()
    expect(filmed.locator("#live")).to_contain_text("You threw 2 2 3 3 4 4")
    if press == "key":
        filmed.keyboard.press("r")
    else:
        filmed.locator("#throw").click()
    expect(filmed.locator("#live")).to_contain_text("You threw 1 1 5 2 3 6")
    assert Game.objects.get(pk=game.pk).version == game.version + 2


def test_the_dice_have_fallen_once_the_tab_is_left(filmed: Page, sit: Sit, device: Device, falls: Falls) -> None:
    filmed.add_init_script(STILL)
    sit(filmed, device.game(*BOTH_IN, open_turn(0, throw("115236"))))
    falls("146")
    filmed.locator("#throw").click()
    expect(filmed.locator("#live")).to_contain_text("You threw 1 4 6")
    filmed.evaluate("""() => {
        Object.defineProperty(document, 'hidden', {value: true})
        document.dispatchEvent(new Event('visibilitychange'))
    }""")
    expect(filmed.locator("#throw")).to_contain_text("Throw 2 dice")


@pytest.mark.parametrize(
    ("keys", "prefs"),
    [("Control+r", ""), ("Alt+r", ""), ("Shift+Space", ""), ("r", "keys=off")],
    ids=["reload", "menu of the browser", "scroll up", "keys switched off"],
)
def test_a_key_that_is_not_the_games_ends_the_beats_but_presses_nothing(
    filmed: Page, sit: Sit, device: Device, falls: Falls, keys: str, prefs: str
) -> None:
    """The button is the same after the throw, so its own key would press it again."""
    filmed.add_init_script(STILL + "; addEventListener('keydown', event => { window.last = event }, true)")
    game = device.game(*BOTH_IN, open_turn(0, throw("112233")), ruleset="classic")
    sit(filmed, game, prefs=prefs)
    falls("223344")
    filmed.locator("#throw").click()
    expect(filmed.locator("#live")).to_contain_text("You threw 2 2 3 3 4 4")
    filmed.evaluate("document.activeElement.blur()")
    presses = count_events(filmed, "submit")
    filmed.keyboard.press(keys)
    expect(filmed.locator("#tray .rolled")).to_have_count(0)
    assert filmed.evaluate("last.defaultPrevented") is False, "the browser has it"
    filmed.wait_for_function("() => !sending")
    filmed.evaluate("new Promise(done => setTimeout(done))")  # with such a timer the page makes its press
    assert presses() == 0
    assert Game.objects.get(pk=game.pk).version == game.version + 1


def test_with_reduced_motion_dice_fade_in_and_the_order_is_the_same(
    filmed: Page, sit: Sit, device: Device, falls: Falls
) -> None:
    filmed.emulate_media(reduced_motion="reduce")
    filmed.add_init_script(
        """window.moves = []
        const animate = Element.prototype.animate
        Element.prototype.animate = function (frames, options) {
            moves.push([Object.keys(frames[0]).join(), options])
            return animate.call(this, frames, options)
        }"""
    )
    sit(filmed, device.game(*BOTH_IN))
    falls("115236")
    assert list_beats(film_press(filmed)) == ["rattled", "tumbled", "told"]
    assert filmed.evaluate("moves") == [["opacity", 100]] * 6


def test_without_motion_the_result_is_shown_at_once(filmed: Page, sit: Sit, device: Device, falls: Falls) -> None:
    sit(filmed, device.game(*BOTH_IN), prefs="motion=none")
    falls("115236")
    assert list_beats(film_press(filmed)) == ["told"]


def test_the_other_pages_show_a_throw_in_the_same_order(
    browse: Browse, sit: Sit, device: Device, other_device: Device, falls: Falls
) -> None:
    game = share_game(device, other_device, *BOTH_IN)
    ana, bruno, spectator = sit(browse(), game), browse(), browse()
    for page in (bruno, spectator):
        page.add_init_script(FILM)
    sit(bruno, game, who=other_device)
    spectator.goto(game.get_absolute_url())
    for page in (bruno, spectator):
        wait_for_stream(page)
        page.evaluate("film.length = 0; look()")
    falls("223446")
    press_and_wait(ana, ana.locator("#throw").click)
    for page in (bruno, spectator):
        expect(page.locator(".felt.lost")).to_be_visible()
        assert list_beats(read_film(page)) == ["rattled", "tumbled", "told"]


def test_a_computers_throw_is_shown_in_the_same_order(filmed: Page, sit: Sit, device: Device, falls: Falls) -> None:
    sit(filmed, device.game(*BOTH_IN, open_turn(0, throw("115236")), players=[ANA, HAL]))
    falls("344466")
    press_and_wait(filmed, filmed.locator("#bank").click)
    filmed.evaluate("film.length = 0; look()")
    expect(filmed.locator("#status")).to_have_text("Your turn")
    assert list_beats(read_film(filmed))[:4] == ["rattled", "tumbled", "slid", "told"]


def test_a_computers_throw_keep_and_bank_can_each_be_seen(filmed: Page, sit: Sit, device: Device, falls: Falls) -> None:
    sit(filmed, device.game(*BOTH_IN, open_turn(0, throw("115236")), players=[ANA, HAL]))
    falls("344466")
    press_and_wait(filmed, filmed.locator("#bank").click)
    expect_headline(filmed, "bank", f"{HAL} takes the lead!")
    shots = read_film(filmed)
    faces = next(shot["at"] for shot in shots if shot["faces"] == 6)
    thrown = max(at for at in filmed.evaluate("swaps") if at <= faces)  # the film is taken only when the script rests
    kept = next(shot["at"] for shot in shots if shot["down"] == 3)
    assert kept - thrown >= 500 + 400, "the dice fall for 500 ms and lie open for 400"
    decided = next(shot["at"] for shot in shots if f"{HAL} keeps 400 and banks 400." in shot["told"])
    banked_at = next(shot["at"] for shot in shots if f"{HAL} banked 400." in shot["told"])
    assert kept <= decided and banked_at - decided >= 600, "what it keeps stands for 600 ms"


def test_the_replay_plays_a_throw_in_the_same_order(filmed: Page, sit: Sit, device: Device) -> None:
    sit(filmed, device.game(*BOTH_IN, bank(0, 350, throw("115236", "115"), throw("124", "1"))), "?at=3")
    filmed.evaluate("film.length = 0; look()")
    filmed.locator("#next").click()
    expect(filmed.locator("#sum")).to_have_text("350")
    assert [beat for beat in list_beats(read_film(filmed)) if beat != "told"] == ["rattled", "tumbled", "slid"]


def test_the_first_throw_from_the_home_page_has_the_same_beats(filmed: Page, falls: Falls) -> None:
    """No part of the page that opens tells the result before the dice have landed; then the status has the focus."""
    page = filmed
    page.add_init_script(
        """window.early = []
        requestAnimationFrame(function frame() {
            const seen = ({visibility, opacity}) => visibility === 'visible' && opacity > 0
            const parts = document.querySelectorAll('.table:has(.stage) :is(#detail, #bank, #ways, #turnlog, .die)')
            early.push(...[...parts].filter(part => seen(getComputedStyle(part))).map(part => part.id))
            requestAnimationFrame(frame)
        })"""
    )
    page.goto("/")
    falls("115236")
    page.locator("#throw").click()
    page.wait_for_url("**/g/*")
    expect(page.locator("#bank")).to_be_visible()
    assert page.evaluate("early") == []
    assert max(shot["faces"] for shot in read_film(page)) == 6 and max(shot["down"] for shot in read_film(page)) == 3
    expect(page.locator("#status")).to_be_focused()
    assert "#" not in page.url
    assert page.locator(".counting").count() == 0  # its points are not grey


def test_a_key_pressed_while_the_first_throw_falls_does_not_throw_later(page: Page, falls: Falls) -> None:
    """It ends the beats; nothing is kept of it, for the next request that the page happens to make."""
    page.add_init_script(STILL)
    page.goto("/")
    falls("115236")
    page.locator("#throw").click()
    page.wait_for_url("**/g/*")
    page.wait_for_function("() => document.querySelector('.stage use[href]')")
    page.keyboard.press("r")
    expect(page.locator("#bank")).to_be_visible()
    version = Game.objects.get().version
    presses = count_events(page, "submit")
    page.evaluate(  # with such a timer the page makes its press after a request
        """new Promise(done => {
            document.addEventListener('htmx:finally:request', () => setTimeout(done))
            ask()
        })"""
    )
    assert presses() == 0
    assert Game.objects.get().version == version


def test_a_bust_with_the_first_throw_is_seen_like_any_other(filmed: Page, falls: Falls) -> None:
    filmed.add_init_script(COMPUTERS_WAIT)
    filmed.goto("/")
    falls("223446")
    filmed.locator("#throw").click()
    filmed.wait_for_url("**/g/*")
    expect_headline(filmed, "bust", "Bust!")
    expect(filmed.locator("#tray .die").first).to_be_visible()
    assert max(shot["faces"] for shot in read_film(filmed)) == 6
    assert "#" not in filmed.url


def test_while_the_sum_counts_up_the_label_of_lost_points_is_hidden(
    page: Page, sit: Sit, device: Device, falls: Falls
) -> None:
    sit(page, device.game(bank(0, 1000, IN), bust(1, throw("111346", "111"), throw("246"))))
    expect(page.get_by_text("points lost")).to_be_visible()
    page.evaluate("""() => {
        window.beside = []
        new MutationObserver(() => document.querySelectorAll('.counting s + span').forEach(
            label => beside.push(getComputedStyle(label).visibility)
        )).observe(document.querySelector('#tray'), {attributeFilter: ['class']})
    }""")
    falls("115236")
    press_and_wait(page, page.locator("#throw").click)
    assert page.evaluate("beside") == ["hidden"]
