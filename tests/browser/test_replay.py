"""The replay in Chromium: with keys, Back, play and pause, without JavaScript, and with axe."""

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from game.models import Game
from tests import patience
from tests.axe import check_accessible, check_accessible_at_widths
from tests.browser.conftest import count_events, iterate_widths
from tests.cast import ANA, IN, Device, bank, bust, throw
from tests.stored_games import store_long_game

Browse = Callable[..., Page]
GAINS = throw("555234", "555"), throw("115", "11")


@pytest.fixture
def game(device: Device) -> Game:
    """A game of six steps: 1 and 2 are Ana's, 3 is Bruno's, 4 and 5 are Ana's, 6 is Bruno's."""
    lost = bust(0, throw("555234", "5"), throw("22346"))
    return device.game(bank(0, 700, *GAINS), bank(1, 1000, IN), lost, bust(1, throw("223446")))


@pytest.fixture
def replay(sit: Callable[..., Page], game: Game) -> Callable[..., Page]:
    def open_at(page: Page, step: int, **more: str) -> Page:
        sit(page, game, f"?at={step}", **more)
        return page

    return open_at


def expect_step(page: Page, step: int) -> None:
    """Wait until the page and its address are at this step."""
    expect(page.locator("#steps .number b")).to_have_text(str(step))
    expect(page).to_have_url(re.compile(rf"\?at={step}\b"))


@pytest.fixture
def standing(page: Page) -> Page:
    """A page whose clock moves only when the test lets it, so that it plays no step too many on a slow machine."""
    page.clock.install(time=0)
    page.clock.pause_at(1)
    return page


def play_to_step(page: Page, step: int) -> None:
    """Let the page's clock run until it shows this step, and no longer."""
    until = time.monotonic() + patience.SECONDS
    while page.locator("#steps .number b").inner_text() != str(step) and time.monotonic() < until:
        page.clock.run_for(50)
    expect_step(page, step)


@pytest.mark.parametrize(("width", "height"), [(667, 375), (844, 390)])
def test_a_phone_held_sideways_shows_dice_points_and_steps_beside_each_other(
    replay: Callable[..., Page], page: Page, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    replay(page, 3)
    for part in (".felt", "#sum", "#steps"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    overlapping = page.evaluate(
        """() => {
            const parts = ['.felt', '#sum', '#unit', '.points dl', '.chosen', '#steps', '#scores', '#chart', '#turns']
            const boxes = parts.map(part => [part, document.querySelector(part).getBoundingClientRect()])
            const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
            return boxes.flatMap(([one, a], n) =>
                boxes.slice(n + 1).filter(([_, b]) => meet(a, b)).map(([other]) => [one, other]))
        }"""
    )
    assert overlapping == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize(
    ("key", "begin", "end"),
    [
        ("ArrowRight", 1, 2),
        ("ArrowLeft", 3, 2),
        ("Shift+ArrowRight", 1, 3),
        ("Shift+ArrowLeft", 5, 4),
        ("ArrowDown", 4, 6),
        ("ArrowUp", 3, 1),
        ("Home", 4, 1),
        ("End", 2, 6),
    ],
)
def test_a_key_leads_to_another_step(page: Page, replay: Callable[..., Page], key: str, begin: int, end: int) -> None:
    replay(page, begin).keyboard.press(key)
    expect_step(page, end)


def test_a_step_changes_scores_dice_list_and_cursor_but_not_the_page(page: Page, replay: Callable[..., Page]) -> None:
    replay(page, 1).evaluate("document.querySelector('h1').dataset.same = 'yes'")
    cursor = page.locator("#cursor path").get_attribute("d")
    page.get_by_label("Last throw").click()
    expect_step(page, 6)
    expect(page.locator(".score").nth(1)).to_have_text("1,000")
    expect(page.locator("#turns [aria-current=step]")).to_have_attribute("href", re.compile(r"at=6"))
    expect(page.locator("#live")).to_contain_text("6 of 6. Round 2 · Bruno. The dice: 2 2 3 4 4 6. Bust!")
    assert page.locator("#cursor path").get_attribute("d") != cursor
    expect(page.locator("h1")).to_have_attribute("data-same", "yes")


@pytest.fixture
def held(page: Page) -> Callable[..., None]:
    """Return a function that presses these keys and, as "#id", links, all before the answer to the first has come."""
    steps = re.compile(r"\?at=\d+$")

    def press(*keys: str) -> None:
        held_back: list[Route] = []
        page.route(steps, lambda route: held_back.append(route))
        for key in keys:
            if key.startswith("#"):
                page.locator(key).click()
            else:
                page.keyboard.press(key)
        for route in held_back:
            route.continue_()
        page.unroute(steps)

    return press


@pytest.mark.parametrize(
    ("begin", "keys", "end"),
    [
        (1, ["ArrowRight"] * 4, 5),
        (4, [*["ArrowRight"] * 5, "ArrowLeft"], 5),
        (1, ["ArrowRight", "ArrowLeft"], 1),
        (1, [*["ArrowRight"] * 3, "Space", "Space"], 4),
        (1, ["#next"] * 4, 5),
    ],
    ids=["onwards", "past the end and back", "there and back", "playing and pausing meanwhile", "taps"],
)
def test_presses_faster_than_the_answers_are_all_counted(
    page: Page, replay: Callable[..., Page], held: Callable[..., None], begin: int, keys: list[str], end: int
) -> None:
    replay(page, begin)
    held(*keys, "d")  # answered last, so that its effect shows that all answers have come
    expect(page.locator("#switch")).to_have_text("Show")
    expect_step(page, end)
    page.keyboard.press("Home")
    expect_step(page, 1)


def test_presses_are_counted_if_htmx_loads_before_the_script(
    page: Page, replay: Callable[..., Page], held: Callable[..., None]
) -> None:
    def send_late(route: Route) -> None:
        page.wait_for_selector("#next[data-htmx-powered]", state="attached")
        route.continue_()

    page.route(re.compile(r"/replay[^/]*\.js$"), send_late)
    replay(page, 1)
    held(*["ArrowRight"] * 4)
    expect_step(page, 5)


def test_back_and_forward_go_through_the_steps(page: Page, replay: Callable[..., Page]) -> None:
    replay(page, 1).keyboard.press("ArrowRight")
    expect_step(page, 2)
    page.keyboard.press("End")
    expect_step(page, 6)
    page.go_back()
    expect_step(page, 2)
    page.go_back()
    expect_step(page, 1)
    expect(page.locator(".chosen")).to_contain_text("Kept 5 5 5 for 500")
    page.go_forward()
    expect_step(page, 2)


def test_the_page_shows_the_step_that_several_quick_presses_on_back_lead_to(
    page: Page, replay: Callable[..., Page]
) -> None:
    replay(page, 1)
    for step in range(2, 6):
        page.keyboard.press("ArrowRight")
        expect_step(page, step)
    held: list[Route] = []
    page.route(re.compile(r"\?at=4$"), lambda route: held.append(route))
    with page.expect_request(re.compile(r"\?at=4$")):
        page.evaluate("history.back()")
    for step in (3, 2):
        page.evaluate("history.back()")
        expect(page).to_have_url(re.compile(rf"\?at={step}\b"))
    held[0].continue_()
    expect_step(page, 2)


def test_space_plays_and_pauses(standing: Page, replay: Callable[..., Page]) -> None:
    replay(standing, 1)
    button = standing.get_by_role("button", name="Play")
    standing.keyboard.press("Space")
    expect(button).to_have_attribute("aria-pressed", "true")
    play_to_step(standing, 2)
    play_to_step(standing, 3)
    standing.keyboard.press("Space")
    expect(button).to_have_attribute("aria-pressed", "false")
    requests = count_events(standing, "htmx:before:request")
    standing.clock.run_for(5000)
    assert requests() == 0
    expect_step(standing, 3)


def test_the_replay_stops_at_the_end_and_plays_again_from_the_start(
    standing: Page, replay: Callable[..., Page]
) -> None:
    replay(standing, 5)
    button = standing.get_by_role("button", name="Play")
    button.click()
    play_to_step(standing, 6)
    standing.clock.run_for(1300)
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    play_to_step(standing, 1)


@pytest.mark.parametrize("press", ["key", "link"])
def test_a_step_taken_by_hand_pauses_the_replay(standing: Page, replay: Callable[..., Page], press: str) -> None:
    button = replay(standing, 1).get_by_role("button", name="Play")
    button.click()
    play_to_step(standing, 2)
    if press == "key":
        standing.keyboard.press("ArrowRight")
    else:
        standing.get_by_label("Next throw").click()
    play_to_step(standing, 3)
    expect(button).to_have_attribute("aria-pressed", "false")


def test_d_hides_and_shows_the_decision(page: Page, replay: Callable[..., Page]) -> None:
    replay(page, 1).keyboard.press("d")
    expect(page.locator(".chosen")).to_contain_text("What would you keep?")
    expect(page.locator("#tray .down")).to_have_count(0)
    page.keyboard.press("d")
    expect(page.locator(".chosen")).to_contain_text("Kept 5 5 5 for 500")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".chosen")).to_contain_text("What would you keep?")


def test_keys_can_be_switched_off(page: Page, replay: Callable[..., Page]) -> None:
    requests = count_events(replay(page, 1, prefs="keys=off"), "htmx:before:request")
    page.keyboard.press("End")
    assert requests() == 0
    expect_step(page, 1)


def test_focus_stays_on_the_link_that_was_pressed(page: Page, replay: Callable[..., Page]) -> None:
    replay(page, 1).get_by_label("Next throw").focus()
    page.keyboard.press("Enter")
    expect_step(page, 2)
    expect(page.get_by_label("Next throw")).to_be_focused()


def test_focus_stays_on_play_while_the_replay_plays(standing: Page, replay: Callable[..., Page]) -> None:
    replay(standing, 1).get_by_role("button", name="Play").press("Enter")
    play_to_step(standing, 2)
    expect(standing.get_by_role("button", name="Play")).to_be_focused()


@pytest.mark.parametrize("come_near", [Locator.hover, Locator.focus], ids=["by mouse", "by keyboard"])
def test_the_next_step_is_fetched_before_it_is_needed(
    page: Page, replay: Callable[..., Page], come_near: Callable[[Locator], None]
) -> None:
    replay(page, 1)
    with page.expect_response(re.compile(r"\?at=2$")):
        come_near(page.get_by_label("Next throw"))
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.get_by_label("Next throw").press("Enter")
    expect_step(page, 2)
    assert not any(url.endswith("?at=2") for url in requests)


def test_a_step_that_gets_lost_is_reported_and_can_be_repeated(unlucky: Page, replay: Callable[..., Page]) -> None:
    on_their_way: list[Route] = []
    complaints: list[str] = []
    unlucky.on("console", lambda message: complaints.append(message.text))
    unlucky.route(re.compile(r"\?at=2$"), lambda route: on_their_way.append(route))
    replay(unlucky, 1)
    with unlucky.expect_request(re.compile(r"\?at=2$")):
        unlucky.get_by_label("Next throw").hover()
    unlucky.get_by_label("Next throw").click()
    on_their_way.pop().abort()
    expect(unlucky.get_by_role("alert")).to_have_text("No connection. Wait a moment, then try again.")
    assert all("Failed to" in complaint for complaint in complaints), complaints
    unlucky.unroute_all()
    unlucky.get_by_label("Next throw").click()
    expect_step(unlucky, 2)


def test_without_javascript_every_step_is_a_link(plain: Page, replay: Callable[..., Page]) -> None:
    replay(plain, 1).get_by_label("Next throw").click()
    expect_step(plain, 2)
    plain.get_by_label("Next turn").click()
    expect_step(plain, 3)
    plain.locator("#turns a", has_text="busted and lost 50").click()
    expect_step(plain, 4)
    plain.get_by_role("link", name="Hide decisions").click()
    expect(plain.locator(".chosen")).to_contain_text("What would you keep?")


def test_the_log_of_the_game_leads_to_a_throw_and_back(page: Page, sit: Callable[..., Page], game: Game) -> None:
    sit(page, game)
    page.get_by_role("link", name="banked 700 in 2 throws").click()
    expect_step(page, 1)
    page.get_by_role("link", name="Game", exact=True).click()
    expect(page).to_have_url(re.compile(r"/g/[\w-]{22}$"))


def test_a_step_does_not_move_the_page_on_a_phone(phone: Page, sit: Callable[..., Page], device: Device) -> None:
    sit(phone, store_long_game(device, 40), "?at=60")
    phone.keyboard.press("ArrowRight")
    expect_step(phone, 61)
    assert phone.evaluate("scrollY") == 0
    assert phone.evaluate("document.documentElement.scrollWidth") == 360


def test_the_turn_that_is_shown_is_in_sight_in_the_list(phone: Page, sit: Callable[..., Page], device: Device) -> None:
    sit(phone, store_long_game(device, 40), "?at=100")
    ends = "[...document.querySelectorAll('#turns > ol, #turns .now')].map(e => e.getBoundingClientRect().bottom)"
    below, shown = phone.evaluate(ends)
    assert shown <= below + 1


def test_nothing_is_below_the_footer_of_the_replay(phone: Page, sit: Callable[..., Page], device: Device) -> None:
    """The list shows only part of a much longer list of turns."""
    sit(phone, store_long_game(device, 40), "?at=60")
    below = "document.documentElement.scrollHeight - document.querySelector('.foot').getBoundingClientRect().bottom"
    assert phone.evaluate(below) < 1


def test_points_of_five_digits_stay_on_one_line_beside_their_words(
    browse: Browse, sit: Callable[..., Page], device: Device
) -> None:
    game = device.game(bank(0, 10100, throw("111111", "111111"), throw("134466", "1")))
    page = sit(browse(320), game, "?at=2")
    expect(page.locator("#earlier-points")).to_have_text("10,000")
    for width in iterate_widths(page, 320, 360, 412, 768, 1280):
        earlier, gap, words = page.evaluate(
            """() => {
                const box = place => {
                    const text = document.createRange()
                    text.selectNodeContents(document.querySelector(place))
                    return text.getBoundingClientRect()
                }
                const [sum, unit, label, points, one] =
                    ['#sum', '.points > span', '.points dt', '#earlier-points', '#this-points'].map(box)
                return [points.height - one.height, unit.left - sum.right, points.left - label.right]
            }"""
        )
        assert (page.inner_text("#sum"), earlier) == ("10,100", 0), width
        assert min(gap, words) > 4, width


@pytest.mark.parametrize("language", ["de-DE", "fr-FR"])
def test_the_words_about_points_take_two_lines_at_most_between_list_and_scores(
    browse: Browse, sit: Callable[..., Page], device: Device, language: str
) -> None:
    page = sit(browse(1000, locale=language), device.game(bank(0, 1000, IN)), "?at=1")
    lines = "words => words.offsetHeight / parseFloat(getComputedStyle(words).lineHeight)"
    for width in iterate_widths(page, 1000, 1024):
        assert page.locator(".points > span").evaluate(lines) <= 2.1, width
        assert page.locator(".points dl").evaluate(lines) <= 2.3, width


def test_axe_finds_no_problem_in_the_replay(page: Page, replay: Callable[..., Page]) -> None:
    replay(page, 2)
    check_accessible_at_widths(page, (320, 1280))
    page.keyboard.press("d")
    expect(page.locator(".chosen")).to_contain_text("What would you keep?")
    check_accessible_at_widths(page, (320, 1280))


def test_axe_finds_no_problem_at_the_throw_for_the_first_player(
    browse: Browse, sit: Callable[..., Page], device: Device
) -> None:
    game = device.game(bank(0, 1000, IN), ruleset="farkle", players=(ANA,), start=[[4]])
    page = sit(browse(320), game, "?at=0")
    for _width in iterate_widths(page, 320, 1280):
        check_accessible(page)


def test_all_buttons_of_the_replay_look_different(page: Page, replay: Callable[..., Page]) -> None:
    replay(page, 1)
    pictures = page.locator("#steps :is(a, button)").evaluate_all("all => all.map(one => one.innerHTML.trim())")
    assert len(pictures) > 4
    assert len({*pictures}) == len(pictures)


def test_the_button_that_hides_decisions_does_not_touch_the_steps(replay: Callable[..., Page], page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    replay(page, 4)
    page.locator("#switch").evaluate("link => { link.textContent = 'Entscheidungen verbergen' }")  # on its own line
    boxes = [page.locator(name).bounding_box() for name in ("#switch", "#steps")]
    assert boxes[0] and boxes[1] and boxes[0]["y"] + boxes[0]["height"] + 4 <= boxes[1]["y"]
