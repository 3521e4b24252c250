"""The site as an app, without a connection."""

from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from game.models import Game
from tests.cast import Device


def test_without_a_connection_the_app_says_so_and_shows_how_dice_score(browse: Callable[..., Page]) -> None:
    page = browse(width=360, first_visit=True)
    page.clock.install(time=0)
    page.clock.pause_at(1)  # or the page that was wanted would appear by itself
    page.goto("/")
    page.evaluate("async () => { await navigator.serviceWorker.ready }")
    page.context.set_offline(True)
    page.goto("/games")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    expect(page.get_by_role("table")).to_contain_text("100")
    page.get_by_role("link", name="A score sheet to print").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Classic 10,000")
    expect(page.get_by_role("button", name="Print")).to_be_visible()
    page.go_back()
    page.context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("heading", name="Games")).to_be_visible()


def test_a_guest_of_an_invite_has_the_offline_page_without_having_been_at_home(
    browse: Callable[..., Page], device: Device
) -> None:
    page = browse(first_visit=True)
    page.goto(device.waiting_game().get_absolute_url())
    page.evaluate("async () => { await navigator.serviceWorker.ready }")
    page.context.set_offline(True)
    page.reload()
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()


def test_the_page_that_was_wanted_appears_by_itself_when_the_connection_is_back(browse: Callable[..., Page]) -> None:
    page = browse(first_visit=True)
    page.goto("/")
    page.evaluate("async () => { await navigator.serviceWorker.ready }")
    page.context.set_offline(True)
    page.goto("/games")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_role("heading", name="Games")).to_be_visible()


def test_a_form_sent_without_a_connection_is_there_again_with_it(browse: Callable[..., Page]) -> None:
    page = browse(width=360, first_visit=True)
    page.goto("/")
    page.evaluate("async () => { await navigator.serviceWorker.ready }")
    page.goto("/new?for=computer")
    page.context.set_offline(True)
    page.locator("#start").click()
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    page.context.set_offline(False)
    page.locator("#start").click()
    expect(page.locator("#status")).to_have_text("Your turn")


def test_a_press_whose_answer_got_lost_leads_to_the_game_that_it_made(browse: Callable[..., Page]) -> None:
    page = browse(first_visit=True)
    page.goto("/")
    page.evaluate("async () => { await navigator.serviceWorker.ready }")
    page.goto("/new?for=computer")
    keys: list[object] = []

    def swallow(route: Route) -> None:
        keys.append(route.request.post_data)
        route.fetch(max_redirects=0)
        route.abort()

    page.context.route("**/new", swallow, times=1)
    page.locator("#start").click()
    expect(page.locator("#status")).to_have_text("Your turn")
    assert (len(keys), Game.objects.count()) == (1, 1)


def test_a_form_of_another_site_is_left_to_the_browser(browse: Callable[..., Page]) -> None:
    page = browse(first_visit=True)
    page.goto("/")
    page.evaluate("async () => { await navigator.serviceWorker.ready }")
    form = f'<form method="post" action="{page.url}new"><button>Go</button></form>'
    page.goto("about:blank")
    page.set_content(form)
    with page.expect_response(lambda response: response.request.method == "POST") as foreign:
        page.get_by_role("button").click()
    assert (foreign.value.status, foreign.value.from_service_worker) == (403, False)


def test_a_form_that_only_a_press_leads_to_is_followed_by_its_game(browse: Callable[..., Page], device: Device) -> None:
    """Such as the rules of a game that were refused: their address takes forms alone."""
    page, path = browse(first_visit=True), device.game().get_absolute_url()
    page.goto("/")
    page.evaluate("async () => { await navigator.serviceWorker.ready }")
    page.goto(path)
    page.evaluate("""() => {
        history.replaceState(null, '', `${location.pathname}/rules`)
        document.body.insertAdjacentHTML('beforeend', '<form method="post" id="refused"></form>')
    }""")
    page.context.set_offline(True)
    page.evaluate("document.querySelector('#refused').submit()")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    page.context.set_offline(False)
    page.wait_for_url(f"**{path}")
    expect(page.locator("#status")).to_be_visible()
