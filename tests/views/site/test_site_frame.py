"""What holds for every address, tested over the network: headers, methods, paths, sizes of bodies, broken pages."""

import http.client
import logging
import re
import socket
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest
from django.conf import settings
from django.templatetags.static import static
from django.test import Client, RequestFactory
from django.urls import resolve
from django.utils.translation import override
from django.views.defaults import server_error
from pytest_django import DjangoAssertNumQueries, Settings

from game.serving.headers import HEADERS
from game.serving.middleware import TidyRecord
from tests import patience
from tests.cast import Device
from tests.conftest import Site
from tests.reviews import load_finished_game
from tests.views.crews.test_crews import make_crew

KIB = 1024
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Answer(NamedTuple):
    status: int
    headers: http.client.HTTPMessage
    text: str


@pytest.fixture
def ask(site: Site) -> Callable[..., Answer]:
    def send(
        method: str,
        path: str,
        body: bytes | Iterator[bytes] | None = None,
        headers: dict[str, str] | None = None,
        chunked: bool = False,
    ) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=patience.SECONDS)
        connection.request(method, path, body=body, headers=headers or {}, encode_chunked=chunked)
        response = connection.getresponse()
        answer = Answer(response.status, response.headers, response.read().decode())
        connection.close()
        return answer

    return send


@pytest.fixture
def sheet(site: Site) -> str:
    """Return the address of the style sheet, whose name holds the hash of its content."""
    return static("css/site.css")


@pytest.fixture
def say(site: Site) -> Callable[..., bytes]:
    """Return a function that sends bytes such as no decent client would send, and returns the answer's first bytes."""

    def send(data: bytes, then_hang_up: bool = False) -> bytes:
        with socket.create_connection(("127.0.0.1", site.port), timeout=patience.SECONDS) as line:
            line.sendall(data)
            if then_hang_up:
                line.shutdown(socket.SHUT_WR)
            return line.recv(64 * KIB)

    return send


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 200),
        ("GET", "/static/nothing.css", 404),
        ("GET", "/nothing", 404),
        ("GET", "/admin/login/", 200),
        ("GET", "/admin/", 302),
        ("POST", "/new", 403),
        ("GET", "/g/" + "A" * 22 + "/throw", 405),
        ("TRACE", "/", 405),
        ("FOO", "/", 405),
        ("GET", "/healthz", 200),
        ("GET", "/readyz", 200),
        ("GET", "/live/nothing", 404),
        ("GET", "/rules/", 404),
        ("GET", "/account/data", 302),
    ],
)
def test_every_kind_of_answer_carries_the_headers(
    ask: Callable[..., Answer], method: str, path: str, status: int
) -> None:
    answer = ask(method, path)
    assert answer.status == status
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS


def test_every_answer_to_a_press_carries_the_headers(device: Device, other_device: Device, settings: Settings) -> None:
    game = device.game()
    answers = [device.do(game, "throw", htmx=htmx) for htmx in (True, False)]
    answers += [device.do(game, "throw", version=version) for version in ("1", "x")]
    answers += [device.do(game, "bank", htmx=True, keep="9"), other_device.do(game, "throw")]
    settings.LIMITS = {"move": (1, 60)}
    answers += [device.do(game, "undo"), device.do(game, "undo")]
    assert {answer.status_code for answer in answers} == {200, 303, 400, 403, 409, 422, 429}
    for answer in answers:
        assert {name: answer[name] for name in HEADERS} == HEADERS
        assert "no-store" in answer["Cache-Control"]


def test_static_files_carry_the_headers(ask: Callable[..., Answer], sheet: str) -> None:
    for method, status in (("GET", 200), ("PUT", 405)):
        answer = ask(method, sheet)
        assert answer.status == status
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS


def test_the_policy_allows_nothing_inline_and_no_other_site() -> None:
    policy = HEADERS["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "unsafe" not in policy and "http" not in policy and "data:" not in policy
    assert "frame-ancestors 'none'" in policy and "base-uri 'none'" in policy and "form-action 'self'" in policy


def test_pages_are_not_stored(ask: Callable[..., Answer]) -> None:
    assert ask("GET", "/").headers["Cache-Control"] == "no-store"


def test_static_files_may_be_kept_for_ever_and_are_sent_compressed(site: Site, sheet: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=patience.SECONDS)
    connection.request("GET", sheet, headers={"Accept-Encoding": "br"})
    answer = connection.getresponse()
    assert answer.headers["Content-Encoding"] == "br"
    assert "immutable" in answer.headers["Cache-Control"]
    connection.close()


def test_pages_are_sent_compressed_and_never_twice_at_the_same_length(site: Site) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=patience.SECONDS)
    lengths = set()
    for _ in range(8):
        connection.request("GET", "/help", headers={"Accept-Encoding": "gzip"})
        answer = connection.getresponse()
        assert answer.headers["Content-Encoding"] == "gzip"
        lengths.add(len(answer.read()))
    connection.close()
    assert len(lengths) > 1


@pytest.mark.parametrize("path", ["/", "/help", "/nothing", "/admin/", "/static/nothing.css"])
@pytest.mark.parametrize("method", ["TRACE", "FOO", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"])
def test_unused_methods_are_refused(ask: Callable[..., Answer], method: str, path: str) -> None:
    assert ask(method, path).status == 405


@pytest.mark.parametrize("path", ["/", "/new", "/help", "/nothing", "/admin/login/"])
def test_pages_name_files_by_their_hash_only(ask: Callable[..., Answer], path: str) -> None:
    files = re.findall(r'"(/static/[^"]+)"', ask("GET", path).text)
    assert files and not [file for file in files if not re.search(r"\.[0-9a-f]{12}\.", file)]


@pytest.mark.parametrize(
    "path", ["/%00", "/help%00", "/%ff", "/%ed%a0%80", "/admin/%00/change/", "/static/%00", "/g/%ff"]
)
def test_paths_that_are_no_text_are_not_found(ask: Callable[..., Answer], path: str) -> None:
    assert ask("GET", path).status == 404


@pytest.mark.parametrize("code", ["A" * 21, "A" * 23, "A" * 21 + "!", "A" * 21 + "é", "A" * 22 + "/"])
def test_impossible_codes_are_not_found(client: Client, code: str) -> None:
    assert client.get(f"/g/{code}").status_code == 404


def test_raw_bytes_in_an_address_are_refused(say: Callable[..., bytes]) -> None:
    assert say(b"GET /?q=\xff HTTP/1.1\r\nHost: localhost\r\n\r\n").split(b" ")[1] == b"400"
    assert say(b"GET /\xff HTTP/1.1\r\nHost: localhost\r\n\r\n").split(b" ")[1] in (b"400", b"404")


def test_a_foreign_host_name_is_refused(ask: Callable[..., Answer]) -> None:
    assert ask("GET", "/", headers={"Host": "elsewhere.example"}).status == 400


def test_a_strangers_forwarding_headers_are_not_believed(ask: Callable[..., Answer]) -> None:
    claims = {"X-Forwarded-Host": "elsewhere.example", "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}
    answer = ask("GET", "/admin/", headers=claims)
    assert answer.status == 302
    assert answer.headers["Location"].startswith("/admin/login/")


@pytest.mark.parametrize(("path", "limit"), [("/new", settings.BODY_LIMIT), *settings.BODY_LIMITS.items()])
@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_may_be_as_large_as_its_limit_and_no_larger(
    ask: Callable[..., Answer], path: str, limit: int, chunked: bool
) -> None:
    def posted(size: int) -> Answer:
        body = iter([b"x" * size]) if chunked else b"x" * size
        return ask("POST", path, body, {**FORM, **({"Transfer-Encoding": "chunked"} if chunked else {})}, chunked)

    taken = posted(limit)
    assert taken.status == 403  # read, and refused for want of a token
    assert "This page is out of date." in taken.text
    refused = posted(limit + 1)
    assert refused.status == 413
    assert f"{limit // KIB} KiB" in refused.text
    assert {name: refused.headers[name] for name in HEADERS} == HEADERS


@pytest.mark.parametrize(
    "charset", ["charset=utf8", "charset=utf-7", " Charset = hex", "charset*=utf-8''zlib", "charset=x"]
)
def test_a_form_is_read_as_utf_8_whatever_it_says(ask: Callable[..., Answer], charset: str) -> None:
    cookie = {"Cookie": f"{settings.CSRF_COOKIE_NAME}={'a' * 32}"}
    posted = ask("POST", "/new", b"x=1", {"Content-Type": f"application/x-www-form-urlencoded;{charset}", **cookie})
    assert posted.status == 403 and "This page is out of date." in posted.text
    assert ask("GET", "/help?x=1", headers={"Content-Type": f"text/plain; {charset}"}).status == 200


def test_a_body_announced_as_huge_is_not_waited_for(say: Callable[..., bytes]) -> None:
    answer = say(b"POST /new HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\nx")
    assert answer.split(b" ")[1] == b"413"


def test_a_connection_cut_in_the_middle_of_a_body_does_nothing(say: Callable[..., bytes]) -> None:
    head = b"POST /quick HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n"
    assert say(head + b"target=5000", then_hang_up=True) == b""


def test_slow_senders_do_not_block_others(site: Site, ask: Callable[..., Answer]) -> None:
    lines = [socket.create_connection(("127.0.0.1", site.port)) for _ in range(20)]
    for line in lines:
        line.sendall(b"POST /new HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nslow")
    assert ask("GET", "/help").status == 200
    for line in lines:
        line.close()


def test_a_log_line_names_the_route_and_never_the_address(rf: RequestFactory) -> None:
    request = rf.get("/g/" + "A" * 22)
    request.resolver_match = resolve(request.path)
    line = logging.makeLogRecord({"msg": "%s: %s", "args": ("Internal Server Error", request.path), "request": request})
    TidyRecord().filter(line)
    assert line.getMessage() == "Internal Server Error: g/<code:code>"


@pytest.mark.parametrize(("path", "about_a_game"), [("/nothing", False), ("/g/nothing", True)])
def test_an_unknown_address_links_to_other_pages(ask: Callable[..., Answer], path: str, about_a_game: bool) -> None:
    html = ask("GET", path).text
    assert ("There is no game here." in html) == about_a_game
    assert 'href="/">Home' in html and 'href="/games">Games' in html


def test_the_page_of_a_broken_site_shows_a_lost_die_without_any_query(
    django_assert_num_queries: DjangoAssertNumQueries, db: None
) -> None:
    with django_assert_num_queries(0):
        page = server_error(RequestFactory().get("/games")).content.decode()
    assert "Your game is safe" in page
    assert page.count('class="die ') == 5 and 'class="stray"' in page and 'id="f1"' in page


def test_the_page_of_a_broken_site_names_its_language() -> None:
    with override("de"):
        page = server_error(RequestFactory().get("/games")).content.decode()
    assert '<html lang="de">' in page and "Bei uns ist etwas kaputtgegangen." in page


def test_every_page_has_one_place_for_problems(device: Device) -> None:
    games = [device.game(), device.waiting_game(), load_finished_game(device)]
    addresses = [game.get_absolute_url() for game in games]
    addresses += [addresses[0] + part for part in ("?at=1", "?big", "/delete", "/fair", "/sheet", "/embed")]
    addresses += ["/", "/new", "/crews", make_crew(device).get_absolute_url(), "/games", "/rules", "/rules/change"]
    addresses += ["/rules/classic", "/odds", "/practice?mode=keep&ruleset=classic&n=7", "/prefs", "/help", "/join"]
    addresses += ["/account/sign-in", "/offline", "/nowhere", f"{addresses[2]}/analysis"]
    for address in addresses:
        page = device.client.get(address).content.decode()
        assert page.count('id="banner"') == 1, address
        assert page.count("<html") == 1, address
