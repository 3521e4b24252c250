"""While the database is away, or damaged, nobody loses a game, and everybody is told what to do."""

import errno
import http.client
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
from django.contrib.auth.models import User
from django.db import OperationalError, connection
from pytest_django import Settings

from game.database_trouble import explain_trouble
from game.management.commands.work import failing_alone
from game.services.tidying import tidy_site
from game.serving.middleware import TidyRecord
from tests import patience, pgserver
from tests.cast import Device, Response, make_key
from tests.own_sites import ROOT, RealSite, find_database_server, lend_database
from tests.require import require
from tests.services.database.test_busy_database import hold_lock
from tests.services.database.test_kill import LAY_OUT, Person, encode_form

PAGES = ("/", "/games", "/rules", "/new", "/account/", "/help", "{game}", "{game}.json", "{game}/board?version=1")

pytestmark = pytest.mark.django_db(transaction=True)


@contextmanager
def take_database_away() -> Iterator[None]:
    """Let nothing answer where the database was, as when its server has stopped or its disk is missing."""
    name, value = ("NAME", "/dev/null/game.sqlite3") if connection.vendor == "sqlite" else ("PORT", "1")
    was = connection.settings_dict[name]
    connection.close()
    connection.settings_dict[name] = value
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict[name] = was


@contextmanager
def protect_database() -> Iterator[None]:
    """Let the database refuse every change: a file that is write-protected, a server that has become a standby."""
    was = {name: connection.settings_dict[name] for name in ("NAME", "OPTIONS")}
    options = was["OPTIONS"]
    connection.close()
    if connection.vendor == "sqlite":
        connection.settings_dict["NAME"] = f"file:{was['NAME']}?mode=ro"
    else:
        protected = f"{options['options']} -c default_transaction_read_only=on"
        connection.settings_dict["OPTIONS"] = options | {"options": protected}
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict |= was


@pytest.fixture
def signed_in() -> Device:
    device = Device()
    device.client.force_login(User.objects.create_user("ana"))
    device.client.raise_request_exception = False
    return device


def asks_for_patience(answer: Response) -> bool:
    says_when = (answer.status_code, answer.headers.get("Retry-After")) == (503, "3")
    return says_when and "Yours are safe." in answer.content.decode()


def test_every_page_asks_a_signed_in_visitor_for_patience(signed_in: Device) -> None:
    game = signed_in.game()
    addresses = [page.format(game=game.get_absolute_url()) for page in PAGES]
    with take_database_away():
        assert [address for address in addresses if not asks_for_patience(signed_in.client.get(address))] == []
    answers = {signed_in.client.get(address).status_code for address in addresses}
    assert answers <= {200, 204}


def test_the_log_has_one_sentence_about_a_page_that_asks_for_patience(
    signed_in: Device, caplog: pytest.LogCaptureFixture
) -> None:
    signed_in.client.cookies["language"] = "de"
    with caplog.filtering(TidyRecord()), take_database_away():
        signed_in.client.get("/games")
    (line,) = caplog.messages
    what_is_wrong = "cannot be written to" if connection.vendor == "sqlite" else "The database does not answer"
    assert line.startswith("Service Unavailable: ") and what_is_wrong in line
    assert "Traceback" not in caplog.text


def test_a_press_meanwhile_can_be_repeated_when_the_database_is_back(signed_in: Device) -> None:
    game, form = signed_in.game(), {"key": make_key(), "version": "1"}
    throw = f"{game.get_absolute_url()}/throw"
    with take_database_away():
        assert asks_for_patience(signed_in.client.post(throw, form))
    assert signed_in.client.post(throw, form).status_code == 303
    assert game.throws.count() == 1


def test_the_worker_says_in_a_sentence_that_its_chores_wait(caplog: pytest.LogCaptureFixture) -> None:
    with take_database_away(), failing_alone():
        tidy_site()
    (record,) = caplog.records
    assert record.getMessage().startswith("A chore waits for the database: ")
    assert record.exc_info is None


def test_a_sign_in_meanwhile_is_answered_with_a_request_for_patience(signed_in: Device) -> None:
    with take_database_away():
        assert asks_for_patience(signed_in.client.post("/account/sign-in", {"username": "ana", "password": "x"}))
        assert signed_in.client.get("/readyz").status_code == 503


def test_a_read_only_database_refuses_a_press_and_is_not_ready(
    signed_in: Device, caplog: pytest.LogCaptureFixture
) -> None:
    game = signed_in.game()
    with caplog.filtering(TidyRecord()), protect_database():
        assert asks_for_patience(signed_in.do(game, "throw"))
        assert signed_in.client.get(game.get_absolute_url()).status_code == 200
        ready = signed_in.client.get("/readyz")
    assert (ready.status_code, ready.json()["reasons"]["write_lock"]) == (503, "read-only")
    assert "cannot be written to." in caplog.messages[0] and "Traceback" not in caplog.text
    assert signed_in.do(game, "throw").status_code == 303


@pytest.mark.only_on("sqlite")
def test_a_folder_that_nobody_may_write_to_refuses_a_press(signed_in: Device, settings: Settings) -> None:
    game = signed_in.game()
    settings.WRITE_LOCK_FILE = Path("/dev/null/write.lock")
    assert asks_for_patience(signed_in.do(game, "throw"))
    assert signed_in.client.get("/readyz").json()["reasons"]["write_lock"] == "does not answer"
    assert signed_in.client.get(game.get_absolute_url()).status_code == 200


@pytest.mark.only_on("sqlite")
def test_a_lock_file_that_has_vanished_is_made_again(signed_in: Device, settings: Settings) -> None:
    game = signed_in.game()
    assert signed_in.do(game, "throw").status_code == 303
    settings.WRITE_LOCK_FILE.unlink()
    assert signed_in.do(game, "undo").status_code == 303
    assert settings.WRITE_LOCK_FILE.exists()


@pytest.mark.only_on("sqlite")
def test_a_lock_file_that_vanishes_lets_nobody_write_beside_its_holder(signed_in: Device, settings: Settings) -> None:
    game = signed_in.game()
    with hold_lock(game):
        settings.WRITE_LOCK_FILE.unlink(missing_ok=True)
        assert asks_for_patience(signed_in.do(game, "throw"))
    connection.close()  # this one would not wait long
    assert not game.throws.exists()
    assert signed_in.do(game, "throw").status_code == 303


def run_command(site: RealSite, *arguments: str) -> str:
    """Run a command that has to fail with exit code 1 and no traceback; return its errors."""
    command = [sys.executable, "manage.py", *arguments]
    done = subprocess.run(
        command, env=site.environment, cwd=ROOT, capture_output=True, text=True, timeout=patience.SECONDS
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.mark.only_on("sqlite")
@pytest.mark.parametrize("command", ["verify", "tidy", "backup"])
def test_a_database_with_lost_pages_is_reported_as_damaged(own_site: RealSite, tmp_path: Path, command: str) -> None:
    place = tmp_path / "game.sqlite3"
    place.write_bytes(place.read_bytes()[:4096] + bytes(place.stat().st_size - 4096))
    arguments = (command, str(tmp_path / "copy")) if command == "backup" else (command,)
    assert "The database is damaged. Stop the site and restore a backup." in run_command(own_site, *arguments)
    assert not (tmp_path / "copy").exists()


@pytest.mark.only_on("sqlite")
def test_a_copy_of_a_database_with_one_lost_page_is_no_backup(own_site: RealSite, tmp_path: Path) -> None:
    """The page is copied as it is, so only a check of the copy finds the damage."""
    place = tmp_path / "game.sqlite3"
    with closing(sqlite3.connect(place)) as database:
        (page,) = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'game_game'").fetchone()
        (size,) = database.execute("PRAGMA page_size").fetchone()
    with place.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(bytes(size))
    errors = run_command(own_site, "backup", str(tmp_path / "copy"))
    assert "The database is damaged. Stop the site and restore a backup." in errors
    assert not (tmp_path / "copy").exists()


@pytest.mark.own_site
@pytest.mark.parametrize("command", ["verify", "tidy", "work", "backup"])
def test_a_database_without_its_tables_is_reported_to_need_a_set_up(tmp_path: Path, command: str) -> None:
    arguments = (command, str(tmp_path / "copy")) if command == "backup" else (command,)
    with lend_database(find_database_server()) as more:
        errors = run_command(RealSite(tmp_path, more), *arguments)
    assert "Check that DATA_DIR or DATABASE_URL names it, or run manage.py serve --set-up." in errors
    assert not (tmp_path / "copy").exists()


@pytest.mark.own_site
@pytest.mark.only_on("postgresql")
@pytest.mark.parametrize("part", ["USER", "NAME"])
def test_a_wrong_address_of_the_database_is_not_taken_for_a_missing_migration(tmp_path: Path, part: str) -> None:
    wrong = connection.settings_dict | {part: "nobody"}
    address = f"postgresql://{wrong['USER']}@{quote(wrong['HOST'], safe='')}:{wrong['PORT'] or 5432}/{wrong['NAME']}"
    errors = run_command(RealSite(tmp_path, {"DATABASE_URL": address}), "verify")
    assert "Check that it runs, and that DATABASE_URL names it." in errors and "does not exist" in errors


@pytest.mark.own_site
@pytest.mark.only_on("postgresql")
@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_without_utf8_is_reported_as_such(tmp_path: Path, encoding: str) -> None:
    with lend_database(find_database_server(), f"template0 ENCODING {encoding} LC_COLLATE 'C' LC_CTYPE 'C'") as more:
        errors = run_command(RealSite(tmp_path, more), "serve", "--set-up")
    assert errors.startswith("The database cannot store every character. Recreate it with the encoding UTF8. (")


@pytest.mark.own_site
@pytest.mark.only_on("postgresql")
def test_a_database_of_somebody_else_is_reported_as_such(tmp_path: Path) -> None:
    """The user need not exist: whoever may not make tables gets the same error."""
    with lend_database(find_database_server()) as more, psycopg.connect(more["DATABASE_URL"], autocommit=True) as owner:
        owner.execute("CREATE ROLE guest LOGIN")
        try:
            guest = f"{more['DATABASE_URL']}{'&' if '?' in more['DATABASE_URL'] else '?'}options=-c%20role%3Dguest"
            errors = run_command(RealSite(tmp_path, {"DATABASE_URL": guest}), "serve", "--set-up")
        finally:
            owner.execute("DROP ROLE guest")
    assert errors.startswith("The database belongs to somebody else. Give it to the user that DATABASE_URL names. (")


@pytest.mark.only_on("sqlite")
def test_the_folder_that_cannot_be_written_to_is_named(settings: Settings) -> None:
    """It need not be the data folder: catalogues are compiled beside their sources."""
    denied = PermissionError(errno.EACCES, "Permission denied", "/srv/dice/game/locale/de.mo")
    assert explain_trouble(denied).startswith("/srv/dice/game/locale cannot be written to.")
    readonly = OperationalError("attempt to write a readonly database")
    assert explain_trouble(readonly).startswith(f"{settings.DATA_DIR} cannot be written to.")


@pytest.mark.own_site
@pytest.mark.only_on("sqlite")
def test_an_empty_file_is_not_reported_as_damaged(tmp_path: Path) -> None:
    (tmp_path / "game.sqlite3").touch()
    assert "run manage.py serve --set-up" in run_command(RealSite(tmp_path, {}), "backup", str(tmp_path / "copy"))


@pytest.mark.own_site
@pytest.mark.only_on("sqlite")
@pytest.mark.parametrize("command", ["verify", "tidy", "work", "backup copy"])
def test_a_command_does_not_create_a_database_where_there_is_none(tmp_path: Path, command: str) -> None:
    assert "The database is not set up." in run_command(RealSite(tmp_path, {"LC_ALL": "C"}), *command.split())
    assert not list(tmp_path.glob("game.sqlite3*"))


@pytest.mark.own_site
@pytest.mark.only_on("sqlite")
@pytest.mark.parametrize("more", [(), ("--worker",)], ids=["alone", "with a worker"])
def test_a_site_that_is_not_set_up_says_so_in_one_sentence_and_does_not_start(
    tmp_path: Path, more: tuple[str, ...]
) -> None:
    site = RealSite(tmp_path, {"LANG": "C", "LC_ALL": ""})
    errors = run_command(site, "serve", "--port", str(site.port), *more)
    assert errors == "CommandError: The site is not set up: run manage.py serve --set-up.\n"


@pytest.mark.only_on("sqlite")
def test_a_set_up_site_starts_without_its_database_and_its_worker_says_why(own_site: RealSite, tmp_path: Path) -> None:
    away = {"DATABASE_URL": "postgresql://ana:x@127.0.0.1:1/games", "LC_ALL": "C"}
    command = [sys.executable, "manage.py", "serve", "--port", str(own_site.port), "--processes", "1", "--worker"]
    log = tmp_path / "said"
    with (
        log.open("w") as file,
        subprocess.Popen(command, env=own_site.environment | away, cwd=ROOT, stderr=file) as process,
    ):
        try:
            own_site.wait_until_it_answers()
            assert ask_anything(Person(own_site.port, "0" * 43, ""), "GET", "/") == (503, "3")
            wait_for_words(log, "Check that it runs, and that DATABASE_URL names it.")
        finally:
            process.terminate()
    assert not re.search("Traceback|Fatal", log.read_text())


def wait_for_words(file: Path, words: str) -> None:
    """Return once the file has these words."""
    until = time.monotonic() + patience.SECONDS
    while words not in file.read_text():
        assert time.monotonic() < until, file.read_text()
        time.sleep(0.02)


@pytest.mark.own_site
@pytest.mark.only_on("sqlite")
def test_a_command_whose_database_does_not_answer_says_what_to_check(tmp_path: Path) -> None:
    site = RealSite(tmp_path, {"DATABASE_URL": "postgresql://ana:x@127.0.0.1:1/games"})
    assert "Check that it runs, and that DATABASE_URL names it." in run_command(site, "verify")


@pytest.mark.own_site
@pytest.mark.only_on("sqlite")
def test_an_unknown_option_in_the_address_of_the_database_is_named(tmp_path: Path) -> None:
    site = RealSite(tmp_path, {"DATABASE_URL": "postgresql://ana:x@127.0.0.1/games?ssl_mode=require"})
    errors = run_command(site, "verify")
    assert "that DATABASE_URL names it." in errors and 'invalid connection option "ssl_mode"' in errors


# ── a site in processes of its own ──


def ask_anything(person: Person, method: str, path: str, body: bytes | None = None) -> tuple[int, str | None]:
    """Send a request; return the status of its answer, whatever it is, and when to try again."""
    line = http.client.HTTPConnection("127.0.0.1", person.port, timeout=patience.SECONDS)
    cookies = {"visitor": person.cookie} | person.kept
    headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
    if body:
        headers["Content-Type"] = "application/x-www-form-urlencoded"
    try:
        line.request(method, path, body, headers)
        answer = line.getresponse()
        return answer.status, answer.headers.get("Retry-After")
    finally:
        line.close()


def sit_down(site: RealSite) -> Person:
    """Start the site; return somebody with a game on it, who has thrown."""
    (code,) = site.ask(LAY_OUT % 1).split()
    person = Person(site.port, "0" * 43, code)
    site.start()
    person.throw()
    return person


@pytest.mark.only_on("postgresql")
def test_the_site_waits_for_a_stopped_postgresql_and_goes_on_by_itself(tmp_path: Path) -> None:
    with pgserver.run_stoppable_server(require(pgserver.find_programs())) as server:
        site = RealSite(tmp_path, {"DATABASE_URL": server.address}, with_odds=False)
        site.manage("serve", "--set-up")
        try:
            person = sit_down(site)
            page = f"/g/{person.code}"
            person.form = encode_form(person.ask("GET", page))
            server.stop()
            for path in ("/", "/games", page, f"{page}.json"):
                assert ask_anything(person, "GET", path) == (503, "3"), path
            assert ask_anything(person, "GET", "/readyz")[0] == 503
            assert ask_anything(person, "POST", f"{page}/throw", person.form) == (503, "3")
            assert ask_anything(person, "GET", "/healthz")[0] == 200
            server.start()
            person.throw()  # the same form once more
            assert (person.answered, person.repeated) == (2, 1)
            assert ask_anything(person, "GET", "/readyz")[0] == 200
            site.manage("verify")
        finally:
            site.stop()


@pytest.mark.only_on("sqlite")
def test_a_damaged_wal_is_never_an_internal_error(own_site: RealSite, tmp_path: Path) -> None:
    """The frames of the WAL become zeros while the site runs, as on a failing disk."""
    person = sit_down(own_site)
    wal, page = tmp_path / "game.sqlite3-wal", f"/g/{person.code}"
    assert wal.stat().st_size > 32
    with wal.open("r+b") as file:
        file.seek(32)
        file.write(bytes(wal.stat().st_size - 32))
    assert "The database is damaged. Stop the site and restore a backup." in run_command(own_site, "verify")
    for path in ("/", page, f"{page}.json", f"{page}/board?version=1"):
        assert ask_anything(person, "GET", path) in ((200, None), (204, None), (503, "3")), path
    person.form = person.form or b"key=x"
    status, when = ask_anything(person, "POST", f"{page}/throw", person.form)
    assert status < 500 or (status, when) == (503, "3")
