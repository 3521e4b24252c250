"""`manage.py serve`, for service managers: serves a site that is already set up, on exactly the port given."""

import os
from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import Error, connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils.translation import gettext as _

from game.management.commands import play
from game.management.shell import speak_shell_language
from game.web.compiled_templates import compile_board


class Command(BaseCommand):
    help = "Serve the pages, with a worker if you want one. Else start manage.py work beside it."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on")
        parser.add_argument("--port", type=play.read_port, default=8000, help="the port to listen on")
        parser.add_argument(
            "--processes",
            type=read_processes,
            metavar="N",
            default=count_usual(),
            help="processes on the port (default: one for each core, at most 4); SQLite allows only one",
        )
        parser.add_argument("--worker", action="store_true", help="start a worker too, which shares their memory")
        parser.add_argument(
            "--set-up", action="store_true", help="only migrate, collect the files and compile the board"
        )

    def handle(
        self, *args: Any, host: str, port: int, processes: int, worker: bool, set_up: bool, **options: Any
    ) -> None:
        if set_up:
            play.set_up_site()
            compile_board()
            return
        if not is_set_up():
            with speak_shell_language():
                raise CommandError(_("The site is not set up: run manage.py serve --set-up."))
        try:
            opened = play.listen_on(host, port)
        except OSError as error:
            with speak_shell_language():
                raise CommandError(
                    _("%(address)s is not available: %(reason)s.")
                    % {"address": f"{host}:{port}", "reason": error.strerror}
                ) from error
        play.serve_site(opened, processes, with_worker=worker)


def is_set_up() -> bool:
    """Return whether files were collected and migrations applied; a database that can't be reached counts as set up."""
    if not (settings.DEBUG or (settings.STATIC_ROOT / "staticfiles.json").is_file()):
        return False
    try:
        return bool(MigrationRecorder(connection).applied_migrations())
    except Error:
        return True
    finally:
        connection.close()


def read_processes(text: str) -> int:
    """Return the number of processes that serve the pages. Raises `ArgumentTypeError` for one that cannot be."""
    most = count_possible()
    if not (text.isdecimal() and len(text) < 6 and 1 <= int(text) <= most):
        raise ArgumentTypeError(
            f"a whole number from 1 to {most} is needed"
            if most > 1
            else "one process serves the pages of SQLite; for more, set DATABASE_URL to a PostgreSQL database"
        )
    return int(text)


def count_possible() -> int:
    """Return how many processes can serve a port. On SQLite one, because several hear of each other's moves late."""
    return 64 if hasattr(os, "fork") and connection.vendor == "postgresql" else 1


def count_usual() -> int:
    """Return the number of processes to start by default: one for each core, but no more than four.

    A container sees all cores of a large machine, however few of them it may use.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, 4, count_possible())
