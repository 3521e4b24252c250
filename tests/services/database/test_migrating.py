"""A game that was running before the site was updated plays on afterwards."""

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import product
from pathlib import Path

import psycopg
import pytest
from filelock import FileLock

from tests import patience
from tests.own_sites import ROOT, RealSite, find_database_server, lend_database
from tests.require import require
from tests.services.database.test_backup import BECOME_NEWER

pytestmark = pytest.mark.django_db(transaction=True)

STORED = ROOT / "tests" / "migrations" / "running_0001.json"

# The rows of the first release, written with its tables as they were then.
STORE = f"""
import json
from pathlib import Path
from django.core.management.color import no_style
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
then = MigrationExecutor(connection).loader.project_state([("game", "0001_initial")]).apps
then.get_model("game", "Ruleset").objects.all().delete()
for name, rows in json.loads(Path({str(STORED)!r}).read_text()).items():
    model = then.get_model("game", name)
    fields = {{field.attname: field for field in model._meta.concrete_fields}}
    model.objects.bulk_create(
        model(**{{name: fields[name].to_python(value) for name, value in row.items()}}) for row in rows
    )
with connection.cursor() as cursor:
    for command in connection.ops.sequence_reset_sql(no_style(), list(then.get_models())):
        cursor.execute(command)
"""
PLAY_ON = """
import secrets
from game import services
from game.models import Game
from game.rules import Rename
from game.storage import load_state, replay_rows

def command():
    now = Game.objects.get()
    return services.Command(now.host, secrets.token_urlsafe(16), now.version, "")

def stands():
    game = Game.objects.get()
    assert replay_rows(game) == load_state(game)
    state = load_state(game)
    return game, f"{state.players[state.player].name} has {state.shot.points if state.shot else 0}"

game, before = stands()
one = next(column for column, face in game.last_throw.by_column.items() if face == 1)
services.throw_dice(game.code, command(), [one])
services.change_own_seat(game.code, command(), Rename(0, "Anna"))
services.undo_turn(game.code, command())
_, taken_back = stands()
services.throw_dice(game.code, command(), [])
game, _ = stands()
print(before, taken_back, game.status, game.throws.latest("pk").shot.player.name, sep=", ")
"""

STANDS = """
from game.models import Game
from game.storage import load_state, replay_rows
game = Game.objects.get()
assert replay_rows(game) == load_state(game)
print(f"{game.status}, epoch {game.epoch}")
"""


# The statement timeout that a migration finds, whoever asked for it.
MIGRATE = """
from django.core.management import call_command
from django.db import connection
from django.db.models.signals import pre_migrate
def note_timeout(**_signal):
    with connection.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        timeouts.append(cursor.fetchone()[0])
timeouts = []
pre_migrate.connect(note_timeout)
call_command("migrate", verbosity=0)
print(timeouts[-1])
"""


@pytest.fixture
def old_site(tmp_path: Path) -> Iterator[RealSite]:
    """A site with the tables and rows of the first release."""
    with lend_database(find_database_server()) as more:
        site = RealSite(tmp_path, more)
        make_first_release(site)
        yield site
        site.stop()


def make_first_release(site: RealSite) -> None:
    """Give a new site the tables and rows of the first release."""
    site.manage("migrate", "game", "0001_initial")
    site.ask(STORE)


def test_a_game_of_the_first_release_plays_on_after_every_migration_since(old_site: RealSite) -> None:
    old_site.manage("migrate")
    assert old_site.ask(PLAY_ON) == "Ana has 400, Anna has 0, running, Anna"


# A set-up that says when it waits for another one in its folder.
SET_UP = """
import logging, sys, manage
logging.getLogger("filelock").setLevel(logging.DEBUG)
sys.argv = ["manage.py", "serve", "--set-up"]
manage.main()
"""
WAITING = """
SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'
"""


@pytest.mark.own_site
def test_of_two_set_ups_at_once_one_waits_for_the_other(tmp_path: Path, new_site: tuple[Path, str]) -> None:
    """Both have come, and wait for the test, before either begins.

    On SQLite they share a folder; machines that share a database have folders of their own. What takes longest, the
    templates and the static files, is there already.
    """
    with lend_database(find_database_server()) as more, ExitStack() as held:
        folders = [tmp_path / "one", tmp_path / "two"] if more else [tmp_path] * 2
        for folder, name in product(dict.fromkeys(folders), ("templates", "static")):
            shutil.copytree(new_site[0] / name, folder / name)
        sites = [RealSite(folder, more) for folder in folders]
        if more:
            other = held.enter_context(psycopg.connect(more["DATABASE_URL"], autocommit=True))
            other.execute("SELECT pg_advisory_lock(10000)")
        else:
            held.enter_context(FileLock(tmp_path / "set-up.lock"))
        command = [sys.executable, "-c", SET_UP]
        started = [
            subprocess.Popen(command, env=site.environment, cwd=ROOT, stderr=subprocess.PIPE, text=True)
            for site in sites
        ]
        if more:
            while other.execute(WAITING).fetchone() != (2,):
                assert [process.poll() for process in started] == [None, None], "One does not wait."
                time.sleep(0.05)
        else:
            for process in started:
                assert any("not acquired" in line for line in require(process.stderr)), "It does not wait."
        held.close()
        errors = [process.communicate(timeout=patience.SECONDS)[1] for process in started]
        assert [process.returncode for process in started] == [0, 0], errors


@pytest.mark.pg_dump
def test_a_backup_of_the_first_release_is_restored_and_updated(old_site: RealSite, tmp_path: Path) -> None:
    backup = tmp_path / "games.backup"
    old_site.manage("backup", backup)
    old_site.manage("migrate")
    assert "newly sealed dice: 1." in old_site.manage("restore", backup)
    assert old_site.ask(STANDS) == "running, epoch 2"


@pytest.mark.pg_dump
@pytest.mark.only_on("postgresql")
def test_a_site_of_the_first_release_moves_from_sqlite_to_postgresql_by_a_backup(
    own_site: RealSite, tmp_path: Path
) -> None:
    home, backup = RealSite(tmp_path / "home", {"DATABASE_URL": ""}), tmp_path / "games.backup"
    make_first_release(home)
    home.manage("backup", backup)
    home.stop()
    own_site.ask(BECOME_NEWER)  # a database of a newer release is replaced, too
    assert "newly sealed dice: 1." in own_site.manage("restore", backup)
    own_site.manage("serve", "--set-up")
    assert own_site.ask(STANDS) == "running, epoch 2"
    assert own_site.ask(PLAY_ON) == "Ana has 400, Anna has 0, running, Anna"
    assert len(list(tmp_path.glob("before-restore-*.dump"))) == 1 and not list(tmp_path.glob("tmp*"))


SOLVED = "from game.models import SolvedTable"


def test_chances_to_win_that_an_earlier_release_solved_are_solved_again(own_site: RealSite) -> None:
    own_site.manage("migrate", "game", "0034", "--verbosity=0")
    own_site.ask(f"{SOLVED}; SolvedTable.objects.create(digest='5' * 16, step=50, data=b'old')")
    own_site.manage("serve", "--set-up")
    assert own_site.ask(f"{SOLVED}; print(SolvedTable.objects.count())") == "0"


@pytest.mark.only_on("postgresql")  # SQLite has no such limit
def test_a_migration_has_no_time_limit(own_site: RealSite) -> None:
    assert own_site.ask(MIGRATE) == "0"
