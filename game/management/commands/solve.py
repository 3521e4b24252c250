"""Solve the chance to win for two players under a ruleset, and save the table."""

import time
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from game.management.arguments import RULESET, RULESET_HELP, read_ruleset, read_target
from game.management.shell import ShellCommand
from game.management.tables import format_percent
from game.pages.parts.text import number
from game.strategy.win import NoTable, make_race, save_table, solve_race
from game.strategy.win.store import SHIPPED_TABLES


class Command(ShellCommand):
    help = "Solve the chance to win of two players from every pair of scores. This takes one or two minutes."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ruleset", metavar=RULESET, help=RULESET_HELP)
        parser.add_argument("--target", type=int, help="the score to play to (default: the ruleset's own)")
        parser.add_argument(
            "--folder",
            type=Path,
            default=SHIPPED_TABLES,
            help="where to save the table (default: where this program finds it)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        ruleset = read_ruleset(options["ruleset"])
        target = read_target(ruleset, options["target"])
        started = time.perf_counter()
        try:
            options["folder"].mkdir(parents=True, exist_ok=True)
            TemporaryFile(dir=options["folder"]).close()  # fails now rather than after minutes of work
            table = solve_race(make_race(ruleset, target), self._show_progress)
            path = save_table(ruleset, target, table, options["folder"])
        except NoTable as error:
            raise CommandError(_(str(error))) from error
        except OSError as error:
            values = {"file": options["folder"], "reason": error.strerror}
            raise CommandError(_("%(file)s cannot be written: %(reason)s.") % values) from error
        values = {
            "file": path.name,
            "seconds": number(time.perf_counter() - started, 1),
            "chance": format_percent(float(table.chances[0, 0, 0]), 2),
        }
        self.stdout.write(_("%(file)s: %(seconds)s s. The first player wins %(chance)s of the games.") % values)

    def _show_progress(self, done: float) -> None:
        """Write the share that is done, 0 to 1, if this is a terminal."""
        if self.stderr.isatty():
            self.stderr.write(f"\r{format_percent(done, 1):>7}", ending="" if done < 1 else "\n")
