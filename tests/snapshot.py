"""A snapshot of the test database from before the first test, put back after each test that committed rows."""

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
from django.db import connection

from tests import own_sites


@contextlib.contextmanager
def take_snapshot() -> Iterator[Callable[[], None]]:
    """Yield a function that puts all rows back as they are now."""
    if connection.vendor == "sqlite":
        with contextlib.closing(sqlite3.connect(":memory:")) as copy:
            connection.ensure_connection()
            connection.connection.backup(copy)
            yield lambda: put_file_back(copy)
    else:
        with connection.cursor() as cursor:
            cursor.execute(COPY)
        yield put_rows_back


def put_file_back(copy: sqlite3.Connection) -> None:
    connection.ensure_connection()
    copy.backup(connection.connection)


@contextlib.contextmanager
def keep_database(path: Path) -> Iterator[None]:
    """Keep the whole database, as it is now, for other processes: on SQLite as a file, on PostgreSQL under its name.

    The file stays; the database ends with the context.
    """
    if connection.vendor == "sqlite":
        write_file(path)
        yield
    else:
        connection.close()  # a database that somebody is connected to cannot be copied
        server, name = own_sites.find_database_server(), connection.settings_dict["NAME"]
        own_sites.create_database(server, name, path.stem)
        try:
            yield
        finally:
            own_sites.drop_database(server, path.stem)


def has_database(name: str) -> bool:
    """Whether this PostgreSQL has a database of this name."""
    with psycopg.connect(own_sites.find_database_server()) as server:
        return server.execute("SELECT FROM pg_database WHERE datname = %s", [name]).fetchone() is not None


def write_file(path: Path) -> None:
    """Write the whole SQLite database, as it is now, to a file of its own, which is there whole or not at all."""
    connection.ensure_connection()
    unfinished = path.with_suffix(".unfinished")
    unfinished.unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(unfinished)) as file:
        connection.connection.backup(file)
    unfinished.rename(path)


def put_rows_back() -> None:
    with connection.cursor() as cursor:
        cursor.execute(PUT_BACK)


# Most tables are unchanged, and comparing them costs little. TRUNCATE would make new files for each of them.
COPY = """
CREATE SCHEMA snapshot;
DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('CREATE TABLE snapshot.%1$I AS TABLE public.%1$I', name);
    END LOOP;
END $$
"""
PUT_BACK = """
DO $$ DECLARE name text; different boolean; BEGIN
    -- What somebody is still writing is waited for.
    EXECUTE format('LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE', (SELECT string_agg(format('public.%I', tablename), ', ')
        FROM pg_tables WHERE schemaname = 'public'));
    SET LOCAL session_replication_role = replica;  -- no foreign key is looked at until all rows are back
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('SELECT EXISTS (TABLE public.%1$I EXCEPT ALL TABLE snapshot.%1$I)
            OR EXISTS (TABLE snapshot.%1$I EXCEPT ALL TABLE public.%1$I)', name) INTO different;
        IF different THEN
            EXECUTE format('DELETE FROM public.%1$I', name);
            EXECUTE format('INSERT INTO public.%1$I TABLE snapshot.%1$I', name);
        END IF;
    END LOOP;
END $$
"""
