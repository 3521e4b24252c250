"""Whether this process can serve. For who watches over it; `/healthz` is answered in game/serving/front.py."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import cache

from django.conf import settings
from django.db import Error, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse

from game.lock import write_lock

FREE_LEAST = 100 * 1024 * 1024


class Ready:
    """Answers `/readyz` before anything asks for the host, the session or the visitor: who probes has none of them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path != "/readyz" or request.method not in ("GET", "HEAD"):
            return self.get_response(request)
        found = reasons()
        said = json.dumps({"ready": not any(found.values()), "reasons": found}, indent=1)
        return HttpResponse(said, "application/json", status=503 if any(found.values()) else 200)


def reasons() -> dict[str, str]:
    """Each thing looked at, and what is wrong with it; empty where it is well. Never a name, a path or an address."""
    database = reason(answers)
    asked = {"migrations": migrations, "write_lock": can_write} if not database else {}
    return {"database": database, **{name: reason(ask) for name, ask in asked.items()}, "disk": disk()}


def reason(ask: Callable[[], str]) -> str:
    try:
        return ask()
    except Error:  # its text may name hosts and users
        return "does not answer"


def answers() -> str:
    connection.ensure_connection()
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return ""


def migrations() -> str:
    missing = known_migrations() - set(MigrationRecorder(connection).applied_migrations())
    return f"{len(missing)} not applied: run manage.py migrate" if missing else ""


@cache
def known_migrations() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None).disk_migrations)


def can_write() -> str:
    with write_lock():
        return ""


def disk() -> str:
    free = shutil.disk_usage(settings.DATA_DIR).free
    return "" if free >= FREE_LEAST else f"{free // 1024 // 1024} MiB free"
