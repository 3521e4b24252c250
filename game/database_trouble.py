"""How to recognise a database, or its folder, that is busy, away, full, read-only or damaged, and what to do then."""

import errno
import sqlite3
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError
from django.db import (
    DatabaseError,
    DataError,
    IntegrityError,
    InterfaceError,
    InternalError,
    NotSupportedError,
    OperationalError,
    ProgrammingError,
    connection,
)
from django.db.migrations.exceptions import MigrationSchemaMissing
from django.utils.translation import gettext, gettext_noop

NOT_SET_UP = gettext_noop(
    "The database is not set up. Check that DATA_DIR or DATABASE_URL names it, or run manage.py serve --set-up."
)
AWAY = gettext_noop("The database does not answer. Check that it runs, and that DATABASE_URL names it.")
# Pairs: pieces of the driver's or the system's message, in lower case; the sentences that say what is wrong and what
# to do.
ADVICE = (
    (("connection failed",), AWAY),  # the rest of PostgreSQL's message may say that the database does not exist
    (
        ("read-only transaction",),  # a server that is a standby, or that its operator has write-protected
        gettext_noop("The database cannot be written to. Check that DATABASE_URL names the primary server."),
    ),
    (
        ("denied for",),  # since PostgreSQL 15 only the owner may make tables
        gettext_noop("The database belongs to somebody else. Give it to the user that DATABASE_URL names."),
    ),
    (
        ("encoding", "conversion between"),
        gettext_noop("The database cannot store every character. Recreate it with the encoding UTF8."),
    ),
    (("malformed", "not a database"), gettext_noop("The database is damaged. Stop the site and restore a backup.")),
    (("no such table", "no such column", "does not exist"), NOT_SET_UP),
    (("full", "no space", "quota", "too large"), gettext_noop("The disk is full. Make room, then try again.")),
    (("disk i/o",), gettext_noop("The disk is full or failing. Make room, or check it and restore a backup.")),
    (
        ("readonly", "read-only", "unable to open", "denied", "not permitted"),
        gettext_noop("%(folder)s cannot be written to."),
    ),
    (
        ("locked", "lock is held", "timeout", "canceling statement", "deadlock", "foreign key constraint"),
        gettext_noop("The database is busy. Try again in a moment."),
    ),
)
# On PostgreSQL: a table that no migration has made yet, the address, a database of somebody else or without UTF8.
NOT_READY = ("does not exist", "invalid connection option", "permission denied", "encoding", "conversion between")
NOT_WRITABLE = {errno.EACCES, errno.EDQUOT, errno.EFBIG, errno.ENOSPC, errno.EPERM, errno.EROFS}


def has_database() -> bool:
    """Return whether there is a database, without a query, which would create an empty one on SQLite."""
    return connection.vendor != "sqlite" or Path(connection.settings_dict["NAME"]).exists()


def require_database() -> None:
    """Raise `CommandError` if there is no database: a command that only looks must not create an empty one."""
    if not has_database():
        raise CommandError(gettext(NOT_SET_UP))


def is_trouble(error: BaseException | None) -> bool:
    """Return whether the database or its disk is at fault, rather than what was asked of it."""
    if isinstance(error, OSError):
        return error.errno in NOT_WRITABLE
    if isinstance(error, IntegrityError):  # of two simultaneous requests, one deleted what the other refers to
        return type(error.__cause__).__name__ == "ForeignKeyViolation"
    if isinstance(error, DataError | MigrationSchemaMissing | NotSupportedError | ProgrammingError):
        return any(sign in str(error) for sign in NOT_READY)
    if isinstance(error, InternalError):
        return is_read_only(error)
    return isinstance(error, OperationalError | InterfaceError | sqlite3.DatabaseError) or type(error) is DatabaseError


def is_read_only(error: BaseException) -> bool:
    """Return whether the database refuses every change, though it can be read."""
    return any(sign in str(error) for sign in ("readonly database", "read-only transaction"))


def explain_trouble(error: BaseException) -> str:
    """Return what is wrong and what to do, in two sentences for whoever runs the site."""
    text = str(error).lower()
    advice = next((words for signs, words in ADVICE if any(sign in text for sign in signs)), AWAY)
    file = error.filename if isinstance(error, OSError) else None
    folder = Path(file).parent if isinstance(file, str) else settings.DATA_DIR
    return f"{gettext(advice) % {'folder': folder}} ({' '.join(str(error).split())})"
