"""Consistent reads: all statements see the database as it was at one moment."""

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.db import connection, transaction

if TYPE_CHECKING:  # psycopg takes 7 MB of memory, which a site on SQLite can save
    from psycopg import Connection


@contextlib.contextmanager
def consistent_read() -> Iterator[None]:
    """Read everything inside from one snapshot of the database; a write inside is an error.

    A move that lands between two statements is seen by both or by neither. The first statement takes the snapshot, so
    the database is not touched if nothing is read. Nobody waits for a reader, and a reader waits for nobody. Inside an
    open transaction this does nothing: that transaction's own view of the rows applies.
    """
    if connection.in_atomic_block:
        yield
        return
    wrappers = connection.execute_wrappers
    with contextlib.ExitStack() as snapshot:

        def begin_first(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            wrappers.remove(begin_first)  # it has done its work and would only take time
            snapshot.enter_context(read_only())
            snapshot.enter_context(transaction.atomic())
            return execute(sql, params, many, context)

        wrappers.append(begin_first)
        try:
            yield
        finally:
            if begin_first in wrappers:
                wrappers.remove(begin_first)


@contextlib.contextmanager
def read_only() -> Iterator[None]:
    """Make the transactions that this connection begins inside read-only, each with one snapshot."""
    if connection.vendor == "sqlite":
        usual, connection.transaction_mode = connection.transaction_mode, "DEFERRED"  # type: ignore[attr-defined]
        connection.connection.execute("PRAGMA query_only=1")
        try:
            yield
        finally:
            connection.transaction_mode = usual  # type: ignore[attr-defined]
            if connection.connection:
                connection.connection.execute("PRAGMA query_only=0")
    else:
        from psycopg import IsolationLevel

        opened: Connection[Any] = connection.connection
        opened.isolation_level, opened.read_only = IsolationLevel.REPEATABLE_READ, True
        try:
            yield
        finally:
            if not opened.closed:
                opened.isolation_level, opened.read_only = None, None
