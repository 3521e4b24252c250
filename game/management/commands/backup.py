"""`manage.py backup FILE`: copies the database as it is at one moment, while the site runs."""

import os
import shutil
import sqlite3
import subprocess
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.db import connection
from django.utils.translation import gettext as _

from game.database_trouble import NOT_SET_UP, explain_trouble, has_database
from game.management.shell import ShellCommand, exit_on_sigterm
from game.models import Game
from game.pages.parts.text import number


class Command(ShellCommand):
    help = "Copy the database into a file, which is checked before it gets its name. The site may run meanwhile."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")

    @exit_on_sigterm()
    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        if file.exists():
            raise CommandError(_("%(file)s already exists. Choose another name for the backup.") % {"file": file})
        if not is_migrated():
            raise CommandError(_(NOT_SET_UP))
        save_database(file)
        self.stdout.write(
            _("%(file)s: %(bytes)s bytes, checked.") % {"file": file, "bytes": number(file.stat().st_size)}
        )


def is_migrated() -> bool:
    """Return whether there is a database that was migrated, without creating a missing SQLite file by asking."""
    return has_database() and Game._meta.db_table in connection.introspection.table_names()


def save_database(file: Path) -> None:
    """Save the database, even an empty one. Raises `CommandError` if that fails, and then leaves nothing behind."""
    with draft_of(file) as draft:
        if connection.vendor == "sqlite":
            copy_sqlite(Path(connection.settings_dict["NAME"]), draft)
            if reason := find_damage(draft):
                raise sqlite3.DatabaseError(f"database disk image is malformed: {reason}")
        else:
            run_program("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={draft}", dump=True)
            run_program("pg_restore", "--list", str(draft))


@contextmanager
def draft_of(file: Path) -> Iterator[Path]:
    """Yield the path of a temporary file that gets the name `file` at the end. Raises `CommandError` if that fails.

    Only its owner can read it, because it holds the seeds of running games.
    """
    try:
        handle, name = tempfile.mkstemp(dir=file.resolve().parent, prefix=f".{file.name}-")
    except OSError as error:
        raise CommandError(
            _("%(file)s cannot be written: %(reason)s.") % {"file": file, "reason": error.strerror}
        ) from error
    os.close(handle)
    try:
        yield Path(name)
        with open(name, "rb+") as written:
            os.fsync(written.fileno())
        os.replace(name, file)
        keep_names(file.resolve().parent)
    except (OSError, sqlite3.Error) as error:
        raise CommandError(
            _("%(file)s was not written. %(advice)s") % {"file": file, "advice": explain_trouble(error)}
        ) from error
    finally:
        with suppress(FileNotFoundError):
            os.unlink(name)


def keep_names(folder: Path) -> None:
    """Flush a folder to the disk, so that a power cut cannot lose a file's new name."""
    if os.name != "nt":
        handle = os.open(folder, os.O_RDONLY)
        os.fsync(handle)
        os.close(handle)


def read_only(file: Path) -> closing[sqlite3.Connection]:
    """Open an SQLite database to be read, and close it in the end."""
    return closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True))


def copy_sqlite(source: Path, target: Path) -> None:
    """Copy a database as it is at one moment; writers need not wait. The copy is one file, without a journal."""
    with read_only(source) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)
        new.execute("PRAGMA journal_mode=DELETE")


def check_sqlite(file: Path) -> None:
    """Raise `CommandError` for anything but an undamaged database of this site."""
    try:
        with read_only(file) as opened:
            ours = opened.execute("SELECT 1 FROM sqlite_master WHERE name = 'game_game'").fetchall()
        reason = find_damage(file)
    except sqlite3.Error as error:
        raise CommandError(_("%(file)s is not a database: %(reason)s.") % {"file": file, "reason": error}) from error
    if not (ours or reason):
        raise CommandError(_("%(file)s is not a backup of this site.") % {"file": file})
    if reason:
        raise CommandError(_("%(file)s is damaged: %(reason)s.") % {"file": file, "reason": reason})


def find_damage(file: Path) -> str:
    """Return what is damaged in an SQLite database, "" if nothing is. Raises `sqlite3.Error` for other files."""
    with read_only(file) as opened:
        report = [str(row[0]) for row in opened.execute("PRAGMA integrity_check(3)")]
        lost = opened.execute("PRAGMA foreign_key_check").fetchall()
    if report != ["ok"]:
        return "; ".join(report)
    return _("rows are missing") if lost else ""


def run_program(program: str, *arguments: str, dump: bool = False) -> None:
    """Run a program of PostgreSQL; it gets the password through its environment, which process lists don't show.

    `dump`: name the database to it. Raises `CommandError` if the program is missing or fails.
    """
    if not shutil.which(program):
        raise CommandError(
            _("%(program)s is needed, of the same release as the server (Debian: apt install postgresql-client).")
            % {"program": program}
        )
    (_psql, *options), more = connection.client.settings_to_cmd_args_env(connection.settings_dict, [])
    name = [f"--dbname={options.pop()}"] if connection.settings_dict["NAME"] else []  # else a service names it
    reach = [*name, *options] if dump else []
    done = subprocess.run([program, *reach, *arguments], env=os.environ | (more or {}), capture_output=True, text=True)
    if done.returncode:
        raise CommandError(
            _("%(program)s failed: %(reason)s") % {"program": program, "reason": done.stderr.strip()[-500:]}
        )
