"""Shows what throws and shots bring under a ruleset: exact chances and expected points."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from game.management.commands.keeps import read_ruleset
from game.rules import PRESETS, Ruleset
from game.rules.ruleset import DICE
from game.strategy.odds import average_points, bust_chance, sweep_chance
from game.strategy.turn import EndlessShot, solve_shot_points
from game.strategy.win import find_table


class Command(BaseCommand):
    help = "Show the chances of a throw and the expected points of a shot, entered and not."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--ruleset", required=True, metavar="SLUG|FILE.json", help=f"one of {', '.join(PRESETS)}, or a file"
        )
        parser.add_argument("--json", action="store_true", help="one JSON value")

    def handle(self, *args: Any, **options: Any) -> None:
        ruleset = read_ruleset(options["ruleset"])
        try:
            found = odds_of(ruleset)
        except EndlessShot as error:
            raise CommandError(str(error)) from error
        self.stdout.write(json.dumps(found) if options["json"] else as_table(found))


def odds_of(ruleset: Ruleset) -> dict[str, Any]:
    """Chances from 0 to 1 by number of dice, 1 to 6; expected points of the best shot; who wins between two.

    The last is None where no solved table of the ruleset is stored.
    """
    counts = range(1, DICE + 1)
    shot, table = solve_shot_points(ruleset), find_table(ruleset, ruleset.target)
    return {
        "bust": [bust_chance(ruleset, dice) for dice in counts],
        "sweep": [sweep_chance(ruleset, dice) for dice in counts],
        "points": [average_points(ruleset, dice) for dice in counts],
        "expected_shot": shot.expected(),
        "expected_shot_not_entered": shot.expected(entered=False),
        "first_player_wins": None if table is None else float(table.chances[0, 0, 0]),
    }


def as_table(found: dict[str, Any]) -> str:
    """The odds for a person to read."""
    rows = [
        f"{dice:>4}{100 * bust:>9.2f} %{100 * sweep:>9.2f} %{points:>10.1f}"
        for dice, bust, sweep, points in zip(
            range(1, DICE + 1), found["bust"], found["sweep"], found["points"], strict=True
        )
    ]
    shots = [
        f"The best shot brings {found['expected_shot']:.1f} points on average,",
        f"{found['expected_shot_not_entered']:.1f} before the player has entered.",
    ]
    if found["first_player_wins"] is not None:
        shots.append(f"Of two perfect players the first wins {100 * found['first_player_wins']:.2f} % of the games.")
    return "\n".join(["Dice       Bust      Sweep    Points", *rows, " ".join(shots)])
