"""What operators of the site see: whether it is alive and ready, and a log line for every answer."""

import asyncio
import http.client
import json
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event
from typing import Any

import pytest
from django.conf import settings
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from pytest_django import Settings

from game.serving import health
from game.serving.logs import JsonLines
from game.serving.middleware import TidyRecord
from tests import patience
from tests.cast import Device
from tests.conftest import Site
from tests.views.site.test_slow_readers import Reader


def test_a_healthy_site_is_ready(client: Client, db: None) -> None:
    answer = client.get("/readyz")
    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-store")
    assert answer.json() == {"ready": True, "reasons": {"database": "", "migrations": "", "write_lock": "", "disk": ""}}


def test_readiness_is_answered_at_a_bare_address_despite_https(client: Client, db: None, settings: Settings) -> None:
    settings.SECURE_SSL_REDIRECT = True
    settings.ALLOWED_HOSTS = ["dice.example"]
    assert client.get("/readyz", headers={"Host": "10.0.0.7:8001"}).status_code == 200


def test_a_forgotten_migration_is_named_as_the_reason(client: Client, db: None) -> None:
    MigrationRecorder(connection).record_unapplied("game", "0001_initial")
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["reasons"]["migrations"] == "1 not applied: run manage.py serve --set-up"


def test_a_nearly_full_disk_is_named_as_the_reason(client: Client, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "FREE_LEAST", 10**18)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["reasons"]["disk"].endswith("MiB free")


def test_a_missing_data_folder_is_named_as_the_reason(
    client: Client, db: None, settings: Settings, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path / "gone"
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["reasons"]["disk"] == "does not answer"


def test_an_unreachable_database_is_named_without_its_address() -> None:
    def away() -> str:
        raise OperationalError('connection to server at "db.internal", user "dice" failed')

    assert health.find_fault(away) == "does not answer"


def test_the_site_says_that_it_is_alive_at_any_host_name(site: Site) -> None:
    line = http.client.HTTPConnection("127.0.0.1", site.port, timeout=patience.SECONDS)
    for method, body in (("GET", b"alive"), ("HEAD", b"")):
        line.request(method, "/healthz", headers={"Host": "anything.example"})
        answer = line.getresponse()
        assert (answer.status, answer.read()) == (200, body)
    line.close()


async def ask_whether_alive_while_every_thread_is_busy() -> tuple[bytes, list[bytes]]:
    """Return what `/healthz` says while a request holds each thread, and the answers to those requests."""
    from game.serving import front  # here, so that the settings of the tests apply

    busy, may_end = Barrier(settings.PAGE_THREADS + 1), Event()

    def pages(_environ: dict[str, Any], start_response: Any) -> list[bytes]:
        start_response("200 OK", [])
        busy.wait(patience.SECONDS)
        may_end.wait(patience.SECONDS)
        return [b"page"]

    site = front.build_site(pages)
    readings = [asyncio.create_task(Reader(site, "/").read()) for _thread in range(settings.PAGE_THREADS)]
    try:
        await asyncio.to_thread(busy.wait, patience.SECONDS)
        alive = await asyncio.wait_for(Reader(site, "/healthz").read(), patience.SECONDS)
    finally:
        may_end.set()
    return alive, await asyncio.gather(*readings)


def test_the_site_says_that_it_is_alive_while_no_page_has_a_free_thread() -> None:
    with ThreadPoolExecutor(1) as own:  # a browser of an earlier test leaves its loop running in this thread
        alive, pages = own.submit(asyncio.run, ask_whether_alive_while_every_thread_is_busy()).result()
    assert alive == b"alive"
    assert pages == [b"page"] * settings.PAGE_THREADS


@pytest.fixture
def lines() -> Iterator[Callable[[], list[Any]]]:
    """Return a function that returns the log lines so far, as production writes them, parsed from JSON."""
    written: list[str] = []

    class Collect(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            written.append(self.format(record))

    handler, logger = Collect(), logging.getLogger("game.answers")
    handler.setFormatter(JsonLines())
    handler.addFilter(TidyRecord())
    logger.addHandler(handler)
    before = logger.level
    logger.setLevel(logging.INFO)
    yield lambda: [json.loads(line) for line in written]
    logger.removeHandler(handler)
    logger.setLevel(before)


def test_every_answer_is_one_log_line_with_its_route_and_outcome(
    device: Device, lines: Callable[[], list[Any]]
) -> None:
    game = device.game()
    answer = device.do(game, "throw")
    stale = device.do(game, "throw", version=1)
    assert stale.status_code == 409
    done, refused = lines()[-2:]
    assert done["request_id"] == answer["X-Request-Id"]
    assert (done["method"], done["route"], done["status"], done["outcome"]) == (
        "POST",
        "g/<code:code>/throw",
        303,
        "ok",
    )
    assert done["ms"] > 0 and done["level"] == "info"
    assert (refused["status"], refused["outcome"]) == (409, "StaleMove")


def test_the_log_names_the_setting_that_keeps_every_browser_out(
    client: Client, lines: Callable[[], list[Any]], settings: Settings
) -> None:
    client.get("/", headers={"Host": "www.dice.example"})
    settings.SECURE_SSL_REDIRECT = True
    for proxy in ({"X-Forwarded-Proto": "https"}, {}):
        assert Client().get("/", headers=proxy).headers["Location"] == "https://testserver/"
    outcomes = [(line["status"], line["outcome"]) for line in lines()]
    assert outcomes == [(400, "wrong ALLOWED_HOSTS?"), (301, "wrong TRUSTED_PROXIES?"), (301, "ok")]


@pytest.mark.parametrize("path", ["/", "/readyz"])
def test_an_address_without_a_pattern_has_a_route_in_the_log(
    device: Device, lines: Callable[[], list[Any]], path: str
) -> None:
    device.client.get(path)
    assert lines()[-1]["route"] == path


def test_no_log_line_holds_a_secret_that_opens_a_game_or_a_seat(device: Device, lines: Callable[[], list[Any]]) -> None:
    game = device.game()
    device.page(game)
    device.do(game, "bank", keep="1")
    device.client.get(f"/g/{game.code}/nothing")
    device.client.get("/static/nothing.css")
    text = json.dumps(lines())
    assert len(lines()) >= 4
    for secret in (game.code, device.browser.token, device.browser.token_hash):
        assert secret not in text


def test_an_error_is_one_log_line_with_its_trace() -> None:
    try:
        Path("/nowhere").read_text()
    except OSError as error:
        record = logging.getLogger("django.request").makeRecord("x", 40, "", 1, "Broke", (), (OSError, error, None))
    line = JsonLines().format(record)
    assert "\n" not in line and "FileNotFoundError" in json.loads(line)["trace"]
