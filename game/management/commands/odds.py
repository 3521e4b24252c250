"""Show what throws and turns are worth under a ruleset: exact chances and expected points."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from game.management.arguments import add_ruleset_option, read_ruleset
from game.management.shell import ShellCommand
from game.management.tables import format_columns, format_percent
from game.pages.parts.text import number
from game.rules import Ruleset
from game.strategy.odds import average_points, bust_chance, sweep_chance
from game.strategy.turn import NoBestPlay, solve_shot_points
from game.strategy.win import prepare_table


class Command(ShellCommand):
    help = "Show the chances of a throw, and the expected points of a turn, before and after the first bank."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_ruleset_option(parser)
        parser.add_argument("--json", action="store_true", help="print one JSON value")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            odds = compute_odds(read_ruleset(options["ruleset"]))
        except NoBestPlay as error:
            raise CommandError(_(str(error))) from error
        self.stdout.write(json.dumps(odds) if options["json"] else format_odds(odds))


def compute_odds(ruleset: Ruleset) -> dict[str, Any]:
    """Return chances, 0 to 1, and mean points, by number of dice from 1; and the expected points of a turn.

    Also the chance, 0 to 1, that the first of two players wins; None without a solved table of the ruleset. Raises
    `NoBestPlay` if expected points have no bound.
    """
    counts = range(1, ruleset.dice + 1)
    solved, table = solve_shot_points(ruleset), prepare_table(ruleset, ruleset.target)
    return {
        "bust": [bust_chance(ruleset, dice) for dice in counts],
        "sweep": [sweep_chance(ruleset, dice) for dice in counts],
        "points": [average_points(ruleset, dice) for dice in counts],
        "expected_shot": solved.expected(),
        "expected_shot_not_entered": solved.expected(entered=False),
        "first_player_wins": None if table is None else float(table.chances[0, 0, 0]),
    }


def format_odds(odds: dict[str, Any]) -> str:
    """Return the odds as a table by number of dice, and what turns and games are worth below it."""
    throws = enumerate(zip(odds["bust"], odds["sweep"], odds["points"], strict=True), start=1)
    rows = [
        [number(dice), format_percent(bust, 2), format_percent(hot, 2), number(points, 1)]
        for dice, (bust, hot, points) in throws
    ]
    table = format_columns([[_("Dice"), _("Bust"), _("Hot dice"), _("Points")], *rows], (">4", ">9", ">9", ">8"))
    summary = _(
        "A turn played for points brings %(points)s points on average, %(not_entered)s before the first bank."
    ) % {"points": number(odds["expected_shot"], 1), "not_entered": number(odds["expected_shot_not_entered"], 1)}
    if odds["first_player_wins"] is not None:
        chance = format_percent(odds["first_player_wins"], 2)
        summary += " " + _("Of two perfect players, the first wins %(chance)s of the games.") % {"chance": chance}
    return f"{table}\n{summary}"
