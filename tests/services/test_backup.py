"""Backups of a site that runs, and going back to one."""

import os
import shutil
from pathlib import Path

import pytest
from django.db import connection

from tests.real import RealSite, real_site

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        connection.vendor == "postgresql"
        and not shutil.which("pg_dump")
        and "postgres" not in os.environ.get("REQUIRE", ""),
        reason="no pg_dump in the search path",
    ),
]

MAKE = """
from game import identity, services
from game.models import Game, Ruleset
from game.rules import Entry
browser = identity.Browser("b" * 43, True)
game = services.create(browser, "k" * 22, Ruleset.objects.get(slug="classic"), [Entry("Ana"), Entry("Bo")])
"""
THROW = """
import secrets
from game import identity, services
from game.models import Game
game = Game.objects.get()
visitor = identity.Browser("b" * 43, True).visitor()
services.throw_dice(game.code, services.Asked(visitor, secrets.token_urlsafe(16), game.version, ""), ())
"""
STANDS = """
from game.models import Game
game = Game.objects.get()
print(game.throws.count(), game.epoch, game.version > 1000)
"""


@pytest.fixture
def own_site(tmp_path: Path):
    with real_site(tmp_path) as site:
        yield site


def test_a_backup_is_made_while_the_site_runs_and_put_back_when_it_is_stopped(own_site: RealSite, tmp_path) -> None:
    backup = tmp_path / "games.backup"
    process = own_site.start()
    own_site.ask(MAKE)
    assert "checked" in own_site.manage("backup", backup)
    assert backup.stat().st_mode & 0o077 == 0
    assert "exists already" in own_site.manage("backup", backup, ok=False)
    own_site.ask(THROW)
    assert "The site is running." in own_site.manage("restore", backup, ok=False)
    own_site.kill(process)
    own_site.stop()
    assert "newly sealed dice: 1." in own_site.manage("restore", backup)
    assert own_site.ask(STANDS) == "0 2 True"
    assert len(list(tmp_path.glob("before-restore-*"))) == 1


def test_what_is_no_backup_changes_nothing(own_site: RealSite, tmp_path: Path) -> None:
    own_site.ask(MAKE)
    broken = tmp_path / "broken"
    broken.write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    own_site.manage("restore", broken, ok=False)
    own_site.manage("restore", tmp_path / "missing", ok=False)
    assert own_site.ask(STANDS) == "0 1 False"
    assert not list(tmp_path.glob("before-restore-*"))
