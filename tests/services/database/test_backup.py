"""Making backups of a running site, and restoring them."""

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import dj_database_url
import pytest
from django.core.management import CommandError
from django.db.backends.postgresql.base import DatabaseWrapper
from pytest_django import Settings

from game.management.commands import backup as backup_command
from game.management.commands import restore
from tests.own_sites import RealSite, find_database_server, lend_database

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.pg_dump]

MAKE = """
from game import identity, services
from game.models import Game, RulesetRow
from game.rules import Entry
browser = identity.Browser("b" * 43, True)
game = services.create_game(browser, "k" * 22, RulesetRow.objects.get(slug="classic"), [Entry("Ana"), Entry("Bo")])
"""
THROW = """
import secrets
from game import identity, services
from game.models import Game
game = Game.objects.get()
visitor = identity.Browser("b" * 43, True).visitor()
services.throw_dice(game.code, services.Command(visitor, secrets.token_urlsafe(16), game.version, ""), ())
"""
# A crash: what was written last stays in the journal, since the connection is never closed.
LEAVE_A_JOURNAL = """
import os
from game.models import Visitor
Visitor.objects.create(token_hash="lost")
os._exit(0)
"""
COUNT_LOST = """
from game.models import Visitor
print(Visitor.objects.filter(token_hash="lost").count())
"""
STANDS = """
from game.models import Game
game = Game.objects.get()
print(game.throws.count(), game.epoch, game.version > 1000)
"""
# As a release with one more migration than this one would have.
BECOME_NEWER = """
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
MigrationRecorder(connection).record_applied("game", "9999_of_a_newer_release")
"""


# A restore that is broken off before each of its operations on files, one after the other.
BREAK_OFF = """
import os, signal, sqlite3, sys
from contextlib import closing
from pathlib import Path
from django.conf import settings
from django.core.management import call_command
from django.db import connections

BACKUP, PLACE = Path({backup!r}), settings.DATA_DIR / "game.sqlite3"
DOES = ("os.rename", "os.remove", "sqlite3.connect", "shutil.copyfile", "tempfile.mkstemp")
connections.close_all()
before = PLACE.read_bytes()

def restore(most):
    done = 0
    def watch(event, _arguments):
        nonlocal done
        if event in DOES:
            done += 1
            if done == most + 1:
                {end}
    sys.addaudithook(watch)
    try:
        call_command("restore", BACKUP)
    except SystemExit as ended:
        os._exit(ended.code)
    os._exit(0)

def stands():
    with closing(sqlite3.connect(PLACE)) as database:
        sound = database.execute("PRAGMA integrity_check").fetchone()[0]
        return sound, *database.execute("SELECT epoch, (SELECT count(*) FROM game_throw) FROM game_game").fetchone()

outcomes = []
while not outcomes or outcomes[-1][0]:
    if not (child := os.fork()):
        sys.stdout = open(os.devnull, "w")
        restore(len(outcomes))
    broken_off = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    outcomes.append((broken_off, *stands()))
    PLACE.write_bytes(before)
    assert not list(settings.DATA_DIR.glob(PLACE.name + "-*"))
print(*sorted({{stands[0] for stands in outcomes}}), *sorted({{stands[1:] for stands in outcomes}}), len(outcomes) > 10)
"""


# On PostgreSQL the restore is broken off before every {every}th statement.
BREAK_OFF_POSTGRESQL = """
import os, signal, sys
from django.core.management import call_command
from django.db import connection
from game.models import Game

def restore(most):
    done = 0
    def watch(execute, *call):
        nonlocal done
        done += 1
        if done == most + 1:
            {end}
        return execute(*call)
    try:
        with connection.execute_wrapper(watch):
            call_command("restore", {backup!r})
    except SystemExit as ended:
        os._exit(ended.code)
    os._exit(0)

def stands():
    with connection.cursor() as cursor:
        others = True
        while others:  # the server may not have noticed yet that the restore is gone
            cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
            others = cursor.fetchone()[0] > 1
    game = Game.objects.get()
    connection.close()
    return game.epoch, game.throws.count()

outcomes = []
while not outcomes or outcomes[-1][0]:
    connection.close()
    if not (child := os.fork()):
        sys.stdout = open(os.devnull, "w")
        restore({every} * len(outcomes))
    outcomes.append((os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), *stands()))
print(*sorted(set(outcomes[:-1])), outcomes[-1], len(outcomes) > 5)
"""


# The two ways to be broken off: killed, and told to end.
KILLED, TOLD_TO_END = "os._exit(9)", "os.kill(os.getpid(), signal.SIGTERM)"


# A backup that is told to end (SIGTERM) when its draft is there and the database is about to be copied to it.
TERMINATE = """
import os, signal, sys
from pathlib import Path
from django.core.management import call_command

BACKUP = Path({backup!r})

def watch(event, _arguments):
    if event in ("sqlite3.connect", "subprocess.Popen") and list(BACKUP.parent.glob(f".{{BACKUP.name}}-*")):
        os.kill(os.getpid(), signal.SIGTERM)

sys.addaudithook(watch)
call_command("backup", BACKUP)
"""


def test_a_backup_is_made_while_the_site_runs_and_restored_when_it_is_stopped(
    own_site: RealSite, tmp_path: Path
) -> None:
    backup = tmp_path / "games.backup"
    process = own_site.start()
    own_site.ask(MAKE)
    assert "checked" in own_site.manage("backup", backup)
    assert backup.stat().st_mode & 0o077 == 0
    assert "already exists" in own_site.manage("backup", backup, ok=False)
    own_site.ask(THROW)
    assert "The site is running." in own_site.manage("restore", backup, ok=False)
    own_site.kill(process)
    own_site.stop()
    assert "newly sealed dice: 1." in own_site.manage("restore", backup)
    assert own_site.ask(STANDS) == "0 2 True"
    assert len(list(tmp_path.glob("before-restore-*"))) == 1


def test_a_backup_that_is_told_to_end_leaves_nothing_behind(own_site: RealSite, tmp_path: Path) -> None:
    place = tmp_path / "backups"
    place.mkdir()
    own_site.manage("shell", "-v0", "-c", TERMINATE.format(backup=str(place / "games.backup")), ok=False)
    assert not list(place.iterdir())


def test_a_backup_is_restored_to_a_new_and_empty_database(own_site: RealSite, tmp_path: Path) -> None:
    backup, place = tmp_path / "games.backup", tmp_path / "new"
    own_site.ask(MAKE)
    own_site.manage("backup", backup)
    place.mkdir()
    with lend_database(find_database_server()) as more:
        new_site = RealSite(place, more, with_odds=False)
        assert "newly sealed dice: 1." in new_site.manage("restore", backup)
        assert new_site.ask(STANDS) == "0 2 True"


@pytest.mark.one_database
def test_whoever_restores_a_site_without_games_reads_of_no_seeds(own_site: RealSite, tmp_path: Path) -> None:
    own_site.manage("backup", tmp_path / "games.backup")
    output = own_site.manage("restore", tmp_path / "games.backup")
    assert "Restored." in output and "seeds" not in output


@pytest.mark.only_on("sqlite")  # a server has no journal beside its database
def test_the_journal_of_a_database_that_was_moved_away_is_not_applied_to_the_backup(
    own_site: RealSite, tmp_path: Path
) -> None:
    backup, place = tmp_path / "games.backup", tmp_path / "game.sqlite3"
    own_site.ask(MAKE)
    own_site.manage("backup", backup)
    own_site.stop()
    own_site.ask(LEAVE_A_JOURNAL)
    place.rename(tmp_path / "broken.sqlite3")
    own_site.manage("restore", backup)
    assert own_site.ask(STANDS) == "0 2 True"
    assert own_site.ask(COUNT_LOST) == "0"
    assert len(list(tmp_path.glob("before-restore-*-wal"))) == 1


def test_a_database_that_root_restores_belongs_to_the_user_of_the_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[tuple[Path, int, int]] = []
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "chown", lambda path, user, group, **_: given.append((path, user, group)))
    before, draft = tmp_path / "game.sqlite3", tmp_path / "draft"
    before.touch()
    restore.let_the_same_user_write(draft, before)
    assert given == [(draft, before.stat().st_uid, before.stat().st_gid)]


def test_a_site_whose_data_folder_is_new_can_open_the_locks_and_secrets_that_root_has_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    given: list[str] = []
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "chown", lambda path, user, group, **_: given.append(path.name))
    settings.DATA_DIR, made = tmp_path, ("secret-key", "secret-key.lock", "site.lock", "worker.lock", "write.lock")
    for name in made:
        (tmp_path / name).touch()
    with pytest.raises(CommandError, match="There is no file"):
        restore.Command().handle(file=tmp_path / "games.backup")
    assert sorted(given) == sorted(made)


def test_root_gives_away_no_file_to_which_a_link_in_the_data_folder_leads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    given: list[Path] = []

    def give(path: Path, user: int, group: int, *, follow_symlinks: bool = True) -> None:
        given.append(path.resolve() if follow_symlinks else path)

    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "chown", give)
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()
    link = settings.DATA_DIR / "site.lock"
    link.symlink_to(tmp_path / "of-somebody-else")
    restore.let_the_site_open_its_files()
    assert given == [link]


@pytest.mark.one_database
def test_a_full_disk_is_not_taken_for_a_site_that_is_running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = sqlite3.OperationalError("database or disk is full")
    full.sqlite_errorcode = sqlite3.SQLITE_FULL

    def connect(*_: Any, **__: Any) -> None:
        raise full

    place = tmp_path / "game.sqlite3"
    monkeypatch.setattr(sqlite3, "connect", connect)
    with pytest.raises(CommandError, match="The disk is full"), backup_command.draft_of(place) as draft:
        restore.merge_journal(draft)
    assert not list(tmp_path.iterdir())


@pytest.mark.one_database
def test_a_database_in_which_rows_are_missing_is_damaged(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "game.sqlite3")) as database:
        database.executescript(
            "CREATE TABLE game (id INTEGER PRIMARY KEY); CREATE TABLE throw (game INTEGER REFERENCES game (id));"
            "INSERT INTO game VALUES (1); INSERT INTO throw VALUES (1);"
        )
        assert backup_command.find_damage(tmp_path / "game.sqlite3") == ""
        database.executescript("DELETE FROM game;")
    assert backup_command.find_damage(tmp_path / "game.sqlite3") == "rows are missing"


@pytest.mark.one_database
@pytest.mark.parametrize(
    ("address", "named"),
    [
        ("postgresql://ana@db.example/games", ["--dbname=games", "-U", "ana", "-h", "db.example"]),
        ("postgresql:///?service=dice", []),
    ],
)
def test_the_programs_of_postgresql_are_told_which_database_unless_a_service_says_so(
    monkeypatch: pytest.MonkeyPatch, address: str, named: list[str]
) -> None:
    calls: list[tuple[list[str], str | None]] = []
    monkeypatch.delenv("PGSERVICE", raising=False)

    def run(command: list[str], *, env: dict[str, str], **_: Any) -> subprocess.CompletedProcess[str]:
        calls.append((command, env.get("PGSERVICE")))
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(
        backup_command, "connection", DatabaseWrapper({"OPTIONS": {}, **dj_database_url.parse(address)})
    )
    monkeypatch.setattr(shutil, "which", lambda program: program)
    monkeypatch.setattr(subprocess, "run", run)
    backup_command.run_program("pg_dump", "--format=custom", dump=True)
    assert calls == [(["pg_dump", *named, "--format=custom"], None if named else "dice")]


def test_a_backup_of_an_earlier_release_with_counted_games_is_restored(own_site: RealSite, tmp_path: Path) -> None:
    own_site.ask(MAKE + "game.players.update(turns=1, banks=1)")
    own_site.manage("migrate", "game", "0018_single_seats")
    backup = tmp_path / "games.backup"
    own_site.manage("backup", backup)
    own_site.manage("serve", "--set-up")
    assert "newly sealed dice: 1." in own_site.manage("restore", backup)
    assert own_site.ask(STANDS) == "0 2 True"


def test_a_backup_of_a_newer_release_is_refused_and_changes_nothing(own_site: RealSite, tmp_path: Path) -> None:
    backup = tmp_path / "newer.backup"
    own_site.ask(MAKE + BECOME_NEWER)
    own_site.manage("backup", backup)
    own_site.ask(BECOME_NEWER.replace("applied", "unapplied"))
    complaint = own_site.manage("restore", backup, ok=False)
    assert "newer.backup is a backup of a newer release" in complaint and "Update the program first" in complaint
    assert own_site.ask(STANDS) == "0 1 False"
    assert not list(tmp_path.glob("before-restore-*"))


def test_the_database_of_a_newer_release_is_not_set_up_for_this_one(own_site: RealSite) -> None:
    own_site.ask(BECOME_NEWER)
    refusal = own_site.manage("serve", "--set-up", ok=False)
    assert refusal.strip() == (
        "CommandError: The database belongs to a newer release. Update the program, or restore a backup of this one."
    )


def test_a_file_that_is_no_backup_changes_nothing(own_site: RealSite, tmp_path: Path) -> None:
    own_site.ask(MAKE)
    broken = tmp_path / "broken"
    broken.write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    own_site.manage("restore", broken, ok=False)
    own_site.manage("restore", tmp_path / "missing", ok=False)
    assert own_site.ask(STANDS) == "0 1 False"
    assert not list(tmp_path.glob("before-restore-*"))


@pytest.mark.only_on("sqlite")  # about its file
def test_what_is_wrong_with_a_file_that_is_no_backup_is_named(own_site: RealSite, tmp_path: Path) -> None:
    another = tmp_path / "another.sqlite3"
    with closing(sqlite3.connect(another)) as database:
        database.execute("CREATE TABLE recipe (name TEXT)")
    (tmp_path / "empty").touch()
    for file in (another, tmp_path / "empty"):
        assert f"{file} is not a backup of this site." in own_site.manage("restore", file, ok=False)
    assert f"{tmp_path} cannot be read: Is a directory." in own_site.manage("restore", tmp_path, ok=False)
    assert "There is no file" in own_site.manage("restore", tmp_path / "missing", ok=False)


@pytest.mark.only_on("sqlite")  # about its file
@pytest.mark.parametrize(("end", "code"), [(KILLED, 9), (TOLD_TO_END, 143)], ids=["killed", "told to end"])
def test_a_restore_that_is_broken_off_leaves_all_of_the_old_database_or_all_of_the_backup(
    own_site: RealSite, tmp_path: Path, end: str, code: int
) -> None:
    backup = tmp_path / "games.backup"
    own_site.ask(MAKE)
    own_site.manage("backup", backup)
    own_site.ask(THROW)
    output = own_site.ask(BREAK_OFF.format(backup=str(backup), end=end))
    assert output == f"0 {code} ('ok', 1, 1) ('ok', 2, 0) True"
    assert end == KILLED or not list(tmp_path.glob(".*"))


@pytest.mark.only_on("postgresql")  # about its transaction
@pytest.mark.parametrize(("end", "code"), [(KILLED, 9), (TOLD_TO_END, 143)], ids=["killed", "told to end"])
def test_a_restore_on_a_server_that_is_broken_off_changes_nothing(
    own_site: RealSite, tmp_path: Path, end: str, code: int
) -> None:
    backup = tmp_path / "games.backup"
    own_site.ask(MAKE)
    own_site.manage("backup", backup)
    own_site.ask(THROW)
    output = own_site.ask(BREAK_OFF_POSTGRESQL.format(backup=str(backup), every=15, end=end))
    assert output == f"({code}, 1, 1) (0, 2, 0) True"
    assert end == KILLED or not list(tmp_path.glob("*.sql"))


@pytest.mark.only_on("sqlite")  # about its file
def test_a_ruined_database_is_replaced(own_site: RealSite, tmp_path: Path) -> None:
    backup = tmp_path / "games.backup"
    own_site.ask(MAKE)
    own_site.manage("backup", backup)
    (tmp_path / "game.sqlite3").write_bytes(b"ruined" * 1000)
    assert "newly sealed dice: 1." in own_site.manage("restore", backup)
    assert own_site.ask(STANDS) == "0 2 True"
