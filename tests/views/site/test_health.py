"""What those who watch over the site ask it, and what it writes down for them."""

import http.client
import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
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


def test_a_site_that_is_well_is_ready(client: Client, db: None) -> None:
    answer = client.get("/readyz")
    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-store")
    assert answer.json() == {"ready": True, "reasons": {"database": "", "migrations": "", "write_lock": "", "disk": ""}}


def test_whoever_asks_by_a_bare_address_is_answered_under_https_too(
    client: Client, db: None, settings: Settings
) -> None:
    settings.SECURE_SSL_REDIRECT = True
    settings.ALLOWED_HOSTS = ["dice.example"]
    assert client.get("/readyz", headers={"Host": "10.0.0.7:8001"}).status_code == 200


def test_a_migration_that_was_forgotten_is_named_as_the_reason(client: Client, db: None) -> None:
    MigrationRecorder(connection).record_unapplied("game", "0001_initial")
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["reasons"]["migrations"] == "1 not applied: run manage.py migrate"


def test_a_disk_that_is_nearly_full_is_named_as_the_reason(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "FREE_LEAST", 10**18)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["reasons"]["disk"].endswith("MiB free")


def test_a_data_folder_that_is_gone_is_named_as_the_reason(
    client: Client, db: None, settings: Settings, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path / "gone"
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["reasons"]["disk"] == "does not answer"


def test_a_database_that_is_away_is_the_reason_and_its_address_stays_secret() -> None:
    def away() -> str:
        raise OperationalError('connection to server at "db.internal", user "dice" failed')

    assert health.find_fault(away) == "does not answer"


def test_it_is_alive_even_where_no_page_has_a_thread(site: Site) -> None:
    line = http.client.HTTPConnection("127.0.0.1", site.port, timeout=patience.SECONDS)
    for method, said in (("GET", b"alive"), ("HEAD", b"")):
        line.request(method, "/healthz", headers={"Host": "anything.example"})
        answer = line.getresponse()
        assert (answer.status, answer.read()) == (200, said)
    line.close()


@pytest.fixture
def lines() -> Iterator[Callable[[], list[Any]]]:
    """lines() are the log lines so far, as production writes them."""
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


def test_every_answer_is_one_line_with_its_route_and_what_became_of_it(
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


def test_no_line_holds_what_opens_a_game_or_a_seat(device: Device, lines: Callable[[], list[Any]]) -> None:
    game = device.game()
    device.page(game)
    device.do(game, "bank", keep="1")
    device.client.get(f"/g/{game.code}/nothing")
    device.client.get("/static/nothing.css")
    told = json.dumps(lines())
    assert len(lines()) >= 4
    for secret in (game.code, device.browser.token, device.browser.token_hash):
        assert secret not in told


def test_what_broke_is_one_line_too() -> None:
    try:
        Path("/nowhere").read_text()
    except OSError as error:
        record = logging.getLogger("django.request").makeRecord("x", 40, "", 1, "Broke", (), (OSError, error, None))
    line = JsonLines().format(record)
    assert "\n" not in line and "FileNotFoundError" in json.loads(line)["trace"]
