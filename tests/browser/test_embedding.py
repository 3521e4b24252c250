"""A page of another site can show a replay in a frame, but no other page of this site."""

import re
import threading
from collections.abc import Callable, Iterator
from html import unescape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote, unquote, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from game.models import Game
from tests import patience
from tests.axe import check_accessible
from tests.cast import IN, Device, bank, bust, throw
from tests.conftest import Site


@pytest.fixture
def game(device: Device) -> Game:
    return device.game(bank(0, 1000, IN), bust(1, throw("223446")), bank(0, 1000, IN))


@pytest.fixture
def blog() -> Iterator[ThreadingHTTPServer]:
    """Another site, whose page shows the address in its query in a frame."""

    class Post(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            address = unquote(urlsplit(self.path).query)
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            frame = f'<iframe src="{address}" width="640" height="600"></iframe>' if address else ""
            self.wfile.write(f"<!doctype html><h1>A blog</h1>{frame}".encode())

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name is the library's
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Post)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()


@pytest.fixture
def frames(chromium: Browser, blog: ThreadingHTTPServer, site: Site) -> Iterator[Callable[[str], Page]]:
    """Return a function that opens the blog with an address of this site in its frame."""
    with chromium.new_context(viewport={"width": 800, "height": 700}) as context:
        context.set_default_timeout(1000 * patience.SECONDS)
        page = context.new_page()

        def show(address: str) -> Page:
            shown = quote(site.url + address, safe="")
            page.goto(f"http://localhost:{blog.server_port}/?{shown}", wait_until="domcontentloaded")
            return page

        yield show


def test_a_blog_shows_a_replay_and_its_readers_step_through_it(frames: Callable[[str], Page], game: Game) -> None:
    page = frames(f"{game.get_absolute_url()}/embed?at=1")
    frame = page.frame_locator("iframe")
    expect(frame.locator("#steps .number b")).to_have_text("1")
    page.wait_for_load_state()  # of the frame, too: without its scripts the buttons are plain links
    before = page.evaluate("history.length")
    frame.locator("#next").click()
    expect(frame.locator("#steps .number b")).to_have_text("2")
    expect(frame.locator("#where")).to_contain_text("Bruno")
    assert page.evaluate("history.length") == before, "Back leads from the blog to the page before it"
    assert page.context.cookies() == []
    broad, seen = frame.locator("html").evaluate("html => [html.scrollWidth, html.clientWidth]")
    assert broad <= seen


@pytest.mark.parametrize("width", [360, 800])
def test_the_code_to_embed_a_replay_shows_it_with_its_buttons(
    frames: Callable[[str], Page], site: Site, device: Device, game: Game, width: int
) -> None:
    code = re.search(r'data-copy="(&lt;iframe[^"]+)"', device.page(game, "?at=2"))
    assert code
    page = frames(f"{game.get_absolute_url()}/embed")
    page.set_viewport_size({"width": width, "height": 900})
    page.set_content(f"<h1>A blog</h1>{unescape(code[1]).replace('http://testserver', site.url)}")
    next_throw = page.frame_locator("iframe").locator("#next")
    seen = """async next => {
        if (document.readyState !== "complete") await new Promise(done => addEventListener("load", done))
        return next.getBoundingClientRect().bottom <= innerHeight
    }"""
    assert next_throw.evaluate(seen), "without scrolling"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("rest", [None, "", "?at=1"])
def test_no_page_but_the_replay_is_shown_in_a_frame(
    frames: Callable[[str], Page], game: Game, rest: str | None
) -> None:
    page = frames("/rules" if rest is None else game.get_absolute_url() + rest)
    expect(page.locator("iframe")).to_be_visible()
    page.wait_for_function(
        "() => !document.querySelector('iframe').contentDocument"
    )  # the frame's content is not the blog's
    assert page.frames[1].url.startswith("chrome-error://")


def test_the_way_back_from_a_replay_without_throws_leads_out_of_the_frame(
    frames: Callable[[str], Page], site: Site, device: Device
) -> None:
    game = device.game()
    page = frames(f"{game.get_absolute_url()}/embed")
    page.frame_locator("iframe").get_by_role("link", name="Back to the game").click()
    expect(page).to_have_url(site.url + game.get_absolute_url())


@pytest.mark.parametrize("width", [760, 1280])
def test_players_stand_side_by_side_in_a_wide_frame_and_point_at_nothing(
    browse: Callable[..., Page], game: Game, width: int
) -> None:
    page = browse(width)
    page.goto(f"{game.get_absolute_url()}/embed?at=2")
    one, other = (card.bounding_box() for card in page.locator(".player").all())
    assert one and other and one["y"] == other["y"]
    arrow = "card => getComputedStyle(card, '::before').content"
    assert page.locator(".player.now").evaluate(arrow) == "none"


def test_axe_finds_nothing_in_the_frame_of_a_phone(browse: Callable[..., Page], game: Game) -> None:
    page = browse(320)
    page.goto(f"{game.get_absolute_url()}/embed?at=2")
    check_accessible(page, dark=True)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
