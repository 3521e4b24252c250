"""Solves the chance to win of two players under a ruleset, and keeps the table."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from game.management.commands.keeps import read_ruleset
from game.rules import PRESETS
from game.rules.ruleset import is_target
from game.strategy.win import NoTable, make_race, save_table, solve_race
from game.strategy.win.store import SHIPPED_TABLES


class Command(BaseCommand):
    help = "Solve the chance to win of two players from every pair of scores: up to a minute, two where rounds end."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ruleset", metavar="SLUG|FILE.json", help=f"one of {', '.join(PRESETS)}, or a file")
        parser.add_argument("--target", type=int, help="play to this target, not to that of the ruleset")
        parser.add_argument("--folder", type=Path, default=SHIPPED_TABLES, help="where the table is kept")

    def handle(self, *args: Any, **options: Any) -> None:
        ruleset = read_ruleset(options["ruleset"])
        target = options["target"] or ruleset.target
        if not is_target(target):
            raise CommandError(f"{target} is not a target.")
        started = time.perf_counter()
        try:
            chances = solve_race(make_race(ruleset, target), self._tell)
            path = save_table(ruleset, target, chances, options["folder"])
        except (NoTable, OSError) as error:
            raise CommandError(str(error)) from error
        seconds, first = time.perf_counter() - started, chances[0, 0, 0]
        self.stdout.write(f"{path.name}: {seconds:.1f} s. The first player wins {100 * first:.2f} % of the games.")

    def _tell(self, share: float) -> None:
        """The share that is done, on a terminal only."""
        if self.stderr.isatty():
            self.stderr.write(f"\r{100 * share:5.1f} %", ending="" if share < 1 else "\n")
