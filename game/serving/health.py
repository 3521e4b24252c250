"""Whether this process can serve, for monitoring at `/readyz`. `/healthz` is answered in game/serving/front.py."""

import json
import shutil
from collections.abc import Callable
from functools import cache

from django.conf import settings
from django.db import Error, connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

from game.database_trouble import is_read_only
from game.lock import write_lock

READY_PATH = "/readyz"
FREE_LEAST = 100 * 1024 * 1024


class ReadyMiddleware(MiddlewareMixin):
    """Answers `/readyz` before anything needs the host, the session or the visitor: a probe has none of them."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Return the answer to a probe: 503 with what is wrong, or 200; None for any other request."""
        if request.path != READY_PATH or request.method not in ("GET", "HEAD"):
            return None
        faults = find_faults()
        body = json.dumps({"ready": not any(faults.values()), "reasons": faults}, indent=1)
        return HttpResponse(body, "application/json", status=503 if any(faults.values()) else 200)


def find_faults() -> dict[str, str]:
    """Return what is wrong with each part, "" for nothing. It never contains a name, a path or an address."""
    database = find_fault(check_database)
    others = {"migrations": check_migrations, "write_lock": check_write_lock} if not database else {}
    checks = {**others, "disk": check_disk}
    return {"database": database, **{name: find_fault(check) for name, check in checks.items()}}


def find_fault(check: Callable[[], str]) -> str:
    """Return what a check says, or that the database or the data folder does not answer."""
    try:
        return check()
    except (Error, OSError):  # not with its message, which may name hosts, users and paths
        return "does not answer"


def check_database() -> str:
    """Return "" once the database has answered. Raises Django's database `Error`."""
    connection.ensure_connection()
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return ""


def check_migrations() -> str:
    """Return how many migrations of this code the database lacks, as a sentence; "" for none."""
    missing = list_known_migrations() - set(MigrationRecorder(connection).applied_migrations())
    return f"{len(missing)} not applied: run manage.py serve --set-up" if missing else ""


@cache
def list_known_migrations() -> frozenset[tuple[str, str]]:
    """Return the migrations of this code, as (app, name)."""
    return frozenset(MigrationLoader(None).disk_migrations)


def check_write_lock() -> str:
    """Return "" once a change was possible, "read-only" if the database refuses every one. Raises Django's `Error`."""
    try:
        with write_lock(), transaction.atomic():
            MigrationRecorder.Migration.objects.filter(pk=0).update(name="")  # no row has this key
    except Error as error:
        if is_read_only(error):
            return "read-only"
        raise
    return ""


def check_disk() -> str:
    """Return how much disk space is left if that is less than 100 MiB, else "". Raises `OSError` for no folder."""
    free = shutil.disk_usage(settings.DATA_DIR).free
    return "" if free >= FREE_LEAST else f"{free // 1024 // 1024} MiB free"
