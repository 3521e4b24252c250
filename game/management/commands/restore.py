"""`manage.py restore FILE`: back to a backup. What the database held before is kept aside."""

from __future__ import annotations

import os
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from filelock import FileLock, Timeout

from game.management.commands import backup, play
from game.services.restoring import close_epochs

RUNNING = "The site is running. Stop it, and its worker, before a backup is put in its place."


class Command(BaseCommand):
    help = "Put a backup in the place of the database, which is kept aside. Running games go on with newly sealed dice."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        if not file.is_file():
            raise CommandError(f"There is no file {file}.")
        put_back = sqlite if connection.vendor == "sqlite" else postgresql
        with nobody_serves():
            aside = put_back(file)
            play.migrate()
            games = close_epochs()
        self.stdout.write(
            f"Restored. Games that go on with newly sealed dice: {games}. Their seeds before can be seen."
        )
        if aside:
            self.stdout.write(f"What was there before is in {aside}.")


@contextmanager
def nobody_serves() -> Iterator[None]:
    """Holds the locks of the site and of its worker, where they run on this machine."""
    with ExitStack() as held:
        for path in (settings.SITE_LOCK_FILE, settings.WORKER_LOCK_FILE):
            try:
                held.enter_context(FileLock(path).acquire(timeout=0))
            except Timeout as taken:
                raise CommandError(RUNNING) from taken
        yield


def name_aside(ending: str) -> Path:
    return settings.DATA_DIR / f"before-restore-{timezone.now():%Y%m%d-%H%M%S}.{ending}"


def sqlite(file: Path) -> Path | None:
    backup.check_sqlite(file)
    place = Path(connection.settings_dict["NAME"])
    aside = name_aside("sqlite3") if place.exists() else None
    if aside:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # all of it into the one file
    connection.close()
    with backup.draft_of(place) as draft:
        backup.copy_sqlite(file, draft)
        if aside:
            os.replace(place, aside)
        for journal in ("-wal", "-shm"):
            Path(f"{place}{journal}").unlink(missing_ok=True)
    return aside


def postgresql(file: Path) -> Path:
    backup.run("pg_restore", "--list", str(file))
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        if cursor.fetchone()[0]:
            raise CommandError(RUNNING)
    aside = name_aside("dump")
    backup.save(aside)
    clear = drop_tables()
    connection.close()
    with tempfile.NamedTemporaryFile(dir=settings.DATA_DIR, suffix=".sql") as script:
        backup.run("pg_restore", "--no-owner", "--no-privileges", f"--file={script.name}", str(file))
        whole = ["--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1"]
        backup.run("psql", *whole, f"--command={clear}", f"--file={script.name}", dump=True)
    return aside


def drop_tables() -> str:
    """For the tables as they are now: a backup of an older release does not know all of them."""
    names = [
        *connection.introspection.django_table_names(only_existing=True),
        MigrationRecorder.Migration._meta.db_table,
    ]
    return f"DROP TABLE IF EXISTS {', '.join(map(connection.ops.quote_name, names))} CASCADE"
