"""`manage.py serve`: one process of a site that is already set up, on exactly this port. For service managers."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from game.management.commands import play
from game.management.shell import speak_shell_language


class Command(BaseCommand):
    """Run the server without any set-up."""

    help = "Serve the pages, and nothing else. Start one for each core, and manage.py work beside them."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on")
        parser.add_argument("--port", type=int, default=8000, help="the port to listen on")
        parser.add_argument("--set-up", action="store_true", help="only migrate and collect the files")

    def handle(self, *args: Any, host: str, port: int, set_up: bool, **options: Any) -> None:
        if set_up:
            play.migrate()
            play.collect_static()
            return
        try:
            opened = play.listen(host, port)
        except OSError as error:
            with speak_shell_language():
                raise CommandError(
                    _("%(address)s is not available: %(reason)s.")
                    % {"address": f"{host}:{port}", "reason": error.strerror}
                ) from error
        play.serve(opened)
