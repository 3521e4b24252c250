"""`manage.py restore FILE`: returns to a backup, and keeps the database from before."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import takewhile
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.core.management.color import no_style
from django.db import Error, connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from filelock import FileLock, Timeout

from game.management.commands import backup, play
from game.management.shell import ShellCommand, exit_on_sigterm
from game.pages.parts.text import number
from game.services.dice import close_epochs
from game.serving.health import list_known_migrations

SQLITE_BEGINS = b"SQLite format 3\0"
RUNNING = gettext_lazy("The site is running. Stop it and its worker before you restore a backup.")


class Command(ShellCommand):
    help = "Replace the database with a backup, and keep the old one. Running games continue with newly sealed dice."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")

    @exit_on_sigterm()
    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        put_back = restore_sqlite if connection.vendor == "sqlite" else restore_postgresql
        try:
            refuse_unreadable(file)
            with nobody_serves():
                aside, games = put_back(file)
        finally:
            let_the_site_open_its_files()
        self.stdout.write(_("Restored."))
        if games:
            self.stdout.write(
                _("Games that continue with newly sealed dice: %(n)s. Their earlier seeds can now be seen.")
                % {"n": number(games)}
            )
        if aside:
            self.stdout.write(_("The database from before is in %(file)s.") % {"file": aside})


def refuse_unreadable(file: Path) -> None:
    """Raise `CommandError` if there is no file, or if this user may not read it."""
    try:
        file.open("rb").close()
    except FileNotFoundError as missing:
        raise CommandError(_("There is no file %(file)s.") % {"file": file}) from missing
    except OSError as error:
        raise CommandError(
            _("%(file)s cannot be read: %(reason)s.") % {"file": file, "reason": error.strerror}
        ) from error


@contextmanager
def nobody_serves() -> Iterator[None]:
    """Hold the locks of the site and its worker meanwhile. Raises `CommandError` if either runs on this machine."""
    with ExitStack() as held:
        for path in (settings.SITE_LOCK_FILE, settings.WORKER_LOCK_FILE):
            try:
                held.enter_context(FileLock(path).acquire(timeout=0))
            except Timeout as taken:
                raise CommandError(str(RUNNING)) from taken
        yield


def name_aside(ending: str) -> Path:
    """Return the path at which to keep the database from before, with the time in its name."""
    return settings.DATA_DIR / f"before-restore-{timezone.now():%Y%m%d-%H%M%S}.{ending}"


def restore_sqlite(file: Path) -> tuple[Path | None, int]:
    """Prepare the new database beside the old one, then replace it atomically: an interruption leaves one of the two.

    Return where the old one is kept, None if there was none, and how many games have newly sealed dice.
    """
    backup.check_sqlite(file)
    refuse_newer(file, list_migrations(file))
    place = Path(connection.settings_dict["NAME"])
    with backup.draft_of(place) as draft:
        backup.copy_sqlite(file, draft)
        games = prepare_draft(draft)
        aside = copy_aside(place) if place.exists() else None
        put_journals_aside(place)
        let_the_same_user_write(draft, place if place.exists() else place.parent)
    return aside, games


def refuse_newer(file: Path, applied: Iterable[str]) -> None:
    """Raise `CommandError` if a migration of ours was applied to the backup that this release does not have.

    Migrating would take no notice of it, and the site would fail later, at a table that it does not know.
    """
    if not list_known_migrations().issuperset(("game", name) for name in applied):
        raise CommandError(
            _(
                "%(file)s is a backup of a newer release, and nothing was changed. Update the program first: it "
                "restores backups of its own release and of earlier ones."
            )
            % {"file": file}
        )


def list_migrations(file: Path) -> list[str]:
    """Return the names of our migrations that were applied to an SQLite database."""
    with backup.read_only(file) as opened:
        return [str(row[0]) for row in opened.execute("SELECT name FROM django_migrations WHERE app = 'game'")]


def prepare_draft(draft: Path) -> int:
    """Migrate the draft of a database to this release, and seal new dice. Return how many games have them."""
    place = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = draft
    try:
        play.migrate_database()
        games = close_epochs()
    finally:
        connection.close()
        connection.settings_dict["NAME"] = place
    merge_journal(draft)
    return games


def copy_aside(place: Path) -> Path:
    """Copy the old SQLite database, and return the path of the copy."""
    aside = name_aside("sqlite3")
    merge_journal(place)
    with backup.draft_of(aside) as copy:
        shutil.copyfile(place, copy)
    return aside


def put_journals_aside(place: Path) -> None:
    """Rename the journal of a database that was moved or deleted: SQLite would apply it to the restored one."""
    for ending in ("-wal", "-shm", "-journal"):
        with suppress(FileNotFoundError):
            os.rename(f"{place}{ending}", name_aside(f"sqlite3{ending}"))


def let_the_site_open_its_files() -> None:
    """Give locks and secrets to the site's user: in a new data folder this command has made them."""
    place, folder = Path(connection.settings_dict["NAME"]), settings.DATA_DIR
    before = place if connection.vendor == "sqlite" and place.exists() else folder
    for file in (*folder.glob("*.lock"), *folder.glob("*-key")):
        let_the_same_user_write(file, before)


def let_the_same_user_write(draft: Path, before: Path) -> None:
    """Give a file to the owner of the one before it: whoever restores may be another user than the site's."""
    owner = before.stat()
    if hasattr(os, "chown") and os.geteuid() == 0:
        os.chown(draft, owner.st_uid, owner.st_gid, follow_symlinks=False)  # a link may lead to anybody's file


def merge_journal(place: Path) -> None:
    """Merge a database's journal into its file: SQLite would apply a journal to whatever file has the name next.

    The journal of a damaged database is deleted. Raises `CommandError` if the database is in use.
    """
    try:
        with closing(sqlite3.connect(place)) as opened:
            opened.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
            raise  # a disk that is full or cannot be written to
        raise CommandError(str(RUNNING)) from error
    except sqlite3.DatabaseError:  # it is damaged, which may be why it is being replaced
        for journal in ("-wal", "-shm"):
            Path(f"{place}{journal}").unlink(missing_ok=True)


def restore_postgresql(file: Path) -> tuple[Path, int]:
    """Restore a dump, or a backup that was made on SQLite.

    Return where the database from before is kept, and how many games have newly sealed dice.
    """
    put_in_place = put_dump_in_place
    if is_sqlite(file):
        put_in_place = put_rows_in_place
        backup.check_sqlite(file)
        refuse_newer(file, list_migrations(file))
    else:
        backup.run_program("pg_restore", "--list", str(file))
        refuse_newer(file, list_migrations_of_dump(file))
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
            "AND backend_type = 'client backend'"  # PostgreSQL's own processes tidy up by themselves
        )
        if cursor.fetchone()[0]:
            raise CommandError(str(RUNNING))
    aside = name_aside("dump")
    backup.save_database(aside)
    try:
        return aside, put_in_place(file)
    except Error as error:
        raise CommandError(
            _("%(file)s could not be restored, and nothing was changed: %(reason)s") % {"file": file, "reason": error}
        ) from error
    finally:
        connection.close()  # settings of it have changed


def is_sqlite(file: Path) -> bool:
    """Return whether a file says that it is an SQLite database."""
    with file.open("rb") as opened:
        return opened.read(len(SQLITE_BEGINS)) == SQLITE_BEGINS


def list_migrations_of_dump(file: Path) -> list[str]:
    """Return the names of our migrations that were applied to the dumped database."""
    table = MigrationRecorder.Migration._meta.db_table
    with tempfile.NamedTemporaryFile(dir=settings.DATA_DIR, suffix=".sql") as script:
        backup.run_program("pg_restore", "--data-only", f"--table={table}", f"--file={script.name}", str(file))
        rows = [line.decode().split("\t") for line in script]  # id, app, name, applied
    return [row[2] for row in rows if row[1:2] == ["game"]]


def put_dump_in_place(file: Path) -> int:
    """Restore in a single transaction, with the new dice: an interruption leaves the old data whole.

    Return how many games have newly sealed dice.
    """
    with (
        tempfile.NamedTemporaryFile(dir=settings.DATA_DIR, suffix=".sql") as script,
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        backup.run_program("pg_restore", "--no-owner", "--no-privileges", f"--file={script.name}", str(file))
        cursor.execute("SET LOCAL statement_timeout = 0")
        cursor.execute(drop_tables())
        with connection.wrap_database_errors:
            run_script(cursor, script)
        cursor.execute("RESET search_path")
        # Check constraints at each statement: checks that wait for the end would keep migrations from changing tables.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        call_command("migrate", verbosity=0, interactive=False)
        return close_epochs()


def put_rows_in_place(file: Path) -> int:
    """Put the rows of an SQLite database in place of ours, as `put_dump_in_place` does."""
    models = [model for model in apps.get_models(include_auto_created=True) if not model._meta.proxy]
    quote = connection.ops.quote_name
    with tempfile.TemporaryDirectory(dir=settings.DATA_DIR) as folder:
        draft = Path(folder, "game.sqlite3")
        backup.copy_sqlite(file, draft)
        migrate_afresh(folder)
        with backup.read_only(draft) as old, transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout = 0")
            cursor.execute(drop_tables())
            call_command("migrate", verbosity=0, interactive=False)
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # no table can be emptied while a check waits
            cursor.execute(f"TRUNCATE {', '.join(quote(model._meta.db_table) for model in models)}")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
            for model in models:
                table = quote(model._meta.db_table)
                columns = ", ".join(quote(str(field.column)) for field in model._meta.concrete_fields)
                with connection.wrap_database_errors, cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as rows:
                    for row in old.execute(f"SELECT {columns} FROM {table}"):  # noqa: S608 - our own names
                        rows.write_row(row)
            for statement in connection.ops.sequence_reset_sql(no_style(), models):
                cursor.execute(statement)
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            return close_epochs()


def migrate_afresh(folder: str) -> None:
    """Migrate the SQLite database in a data folder to this release, in a process whose database it is."""
    command = [sys.executable, str(settings.ROOT / "manage.py"), "migrate", "--verbosity=0"]
    done = subprocess.run(
        command, env=os.environ | {"DATA_DIR": folder, "DATABASE_URL": ""}, capture_output=True, text=True
    )
    if done.returncode:
        raise CommandError(done.stderr.strip())


def run_script(cursor: Any, script: Iterable[bytes]) -> None:
    r"""Run a script that pg_restore wrote for psql: statements, and after each COPY rows of a table up to a line \."""
    statements: list[bytes] = []
    lines = iter(script)
    for line in lines:
        if line.startswith(b"COPY ") and line.endswith(b" FROM stdin;\n"):
            cursor.execute(b"".join(statements).decode())
            statements.clear()
            with cursor.copy(line) as rows:
                for row in takewhile(lambda row: row != b"\\.\n", lines):
                    rows.write(row)
        elif not line.startswith(b"\\"):  # a command for psql itself
            statements.append(line)
    cursor.execute(b"".join(statements).decode())


def drop_tables() -> str:
    """Return the SQL that drops the current tables, since the backup of an older release does not name all of them."""
    names = [
        *connection.introspection.django_table_names(only_existing=True),
        MigrationRecorder.Migration._meta.db_table,
    ]
    return f"DROP TABLE IF EXISTS {', '.join(map(connection.ops.quote_name, names))} CASCADE"
