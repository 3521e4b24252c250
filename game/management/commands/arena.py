"""Let computers play each other, thousands of games, and show how often each wins."""

import json
import os
import signal
import time
from argparse import ArgumentParser
from collections.abc import Generator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from multiprocessing import active_children
from typing import Any

import numpy as np
from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.management.arguments import RULESET, RULESET_HELP, read_ruleset, read_target
from game.management.shell import ShellCommand
from game.management.tables import format_columns, format_percent
from game.pages.parts.text import number
from game.strategy.arena import Match, play_match
from game.strategy.arrays import Floats
from game.strategy.computers import COMPUTERS
from game.strategy.turn import NoBestPlay

# How many games are played side by side: more make better use of a table, fewer show progress sooner.
AT_ONCE = 2500


@dataclass(frozen=True)
class MatchResult:
    """The result of a match: the share of games that each computer won, 0 to 1, with its standard error."""

    match: Match
    games: int
    seed: int
    seconds: float
    shares: tuple[float, ...]
    errors: tuple[float, ...]

    def as_json(self) -> dict[str, Any]:
        levels = zip(self.match.levels, self.shares, self.errors, strict=True)
        return {
            "ruleset": self.match.ruleset.slug,
            "target": self.match.target,
            "games": self.games,
            "seed": self.seed,
            "players": [{"level": level, "won": share, "error": error} for level, share, error in levels],
            "seconds": round(self.seconds, 1),
            "games_per_second": round(self.games / self.seconds),
        }


class Command(ShellCommand):
    """`manage.py arena`, which plays on all processors."""

    help = "Let computers play each other. Who begins changes from game to game; a shared win counts in parts."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("levels", nargs="+", choices=COMPUTERS, metavar="LEVEL", help=", ".join(COMPUTERS))
        parser.add_argument("-n", "--games", type=int, default=2000, help="the number of games (default: 2000)")
        parser.add_argument("--ruleset", default="classic", metavar=RULESET, help=f"{RULESET_HELP} (default: classic)")
        parser.add_argument("--target", type=int, help="the score to play to (default: the ruleset's own)")
        parser.add_argument("--seed", type=int, default=1, help="the same seed brings the same games (default: 1)")
        parser.add_argument("--pairs", action="store_true", help="let every two of the levels play each other")
        parser.add_argument("--json", action="store_true", help="print one JSON value per line")

    def handle(self, *args: Any, **options: Any) -> None:
        results = []
        for match in _make_matches(options):
            try:
                results.append(self._play(match, options["games"], options["seed"]))
            except NoBestPlay as error:
                raise CommandError(_(str(error))) from error
            if options["json"]:
                self.stdout.write(json.dumps(results[-1].as_json()))
        if not options["json"]:
            self.stdout.write(format_square(results) if options["pairs"] else format_match(results[0]))

    def _play(self, match: Match, games: int, seed: int) -> MatchResult:
        started, done, sums = time.perf_counter(), 0, np.zeros((2, len(match.levels)))
        try:
            with closing(_play_parts(match, games, seed)) as played:
                for part in played:
                    sums += part
                    done = min(done + AT_ONCE, games)
                    share = format_percent(done / games, 0)
                    self.stderr.write(f"\r{' – '.join(match.levels)}: {share:>6}", ending="")
        finally:
            if done:
                self.stderr.write()  # what follows stands in a line of its own
        seconds = time.perf_counter() - started
        shares, squares = sums / games
        errors = np.sqrt(np.maximum(squares - shares**2, 0) / games)
        return MatchResult(match, games, seed, seconds, tuple(shares.tolist()), tuple(errors.tolist()))


def _make_matches(options: dict[str, Any]) -> list[Match]:
    """Build the matches from the options. Raises `CommandError`."""
    ruleset, levels = read_ruleset(options["ruleset"]), options["levels"]
    target = read_target(ruleset, options["target"])
    if options["games"] < 1 or options["seed"] < 0:
        raise CommandError(_("The number of games must be 1 or more, the seed 0 or more."))
    sides = list(combinations(levels, 2)) if options["pairs"] else [tuple(levels)]
    if len(levels) < 2 or not all(ruleset.min_players <= len(side) <= ruleset.max_players for side in sides):
        least, most = max(2, ruleset.min_players), ruleset.max_players
        text = _("Name %(least)s to %(most)s computers.") if most > least else _("Name %(most)s computers.")
        raise CommandError(text % {"least": least, "most": most})
    return [Match(ruleset, target, side) for side in sides]


def _play_parts(match: Match, games: int, seed: int) -> Generator[Floats]:
    """Yield what `sum_wins` returns, batch by batch, in the order of the games. Raises `CommandError`."""
    ranges = [range(first, min(first + AT_ONCE, games)) for first in range(0, games, AT_ONCE)]
    workers = min(len(ranges), os.cpu_count() or 1)
    play = partial(sum_wins, match, seed=seed)
    if workers == 1:
        yield from map(play, ranges)
        return
    pool = ProcessPoolExecutor(workers)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # which the processes inherit that are started now
    try:
        parts = [pool.submit(play, numbers) for numbers in ranges]
    finally:
        signal.signal(signal.SIGINT, before)
    try:
        for part in parts:
            yield part.result()
    except BrokenProcessPool as error:
        raise CommandError(_("A process that was playing games was killed. Perhaps memory ran out.")) from error
    finally:
        for worker in active_children():  # Ctrl+C ends us, and we end them
            worker.terminate()
        pool.shutdown()


def sum_wins(match: Match, numbers: range, seed: int) -> Floats:
    """Play these games; return the sums of each computer's wins and of their squares (2 × levels).

    The answer is short on purpose. On Linux a write of at most 4,096 bytes to a pipe happens whole or not at all; of a
    longer one, a process that is killed meanwhile may leave a part, and the pool would wait for the rest for ever.
    """
    won = play_match(match, numbers, seed)
    return np.array([won.sum(axis=0), (won**2).sum(axis=0)])


def format_match(result: MatchResult) -> str:
    """Return the shares of games won as a table, and how many games there were and how fast."""
    rows = zip(result.match.levels, result.shares, result.errors, strict=True)
    lines = [[level, format_percent(share, 2), f"± {number(100 * error, 2)}"] for level, share, error in rows]
    about = ngettext(
        "%(n)s game in %(seconds)s s, %(rate)s per second.",
        "%(n)s games in %(seconds)s s, %(rate)s per second.",
        result.games,
    ) % {
        "n": number(result.games),
        "seconds": number(result.seconds, 1),
        "rate": number(result.games / result.seconds, 0),
    }
    table = format_columns([[_("Computer"), _("Wins"), ""], *lines], ("<10", ">10", "<0"))
    return f"{table}\n{about}"


def format_square(results: list[MatchResult]) -> str:
    """Return a Markdown table of how often each computer on the left beats each in the heading, in per cent."""
    shares = {}
    for result in results:
        (one, other), (first, second) = result.match.levels, result.shares
        shares[one, other], shares[other, one] = first, second
    levels = list(dict.fromkeys(level for result in results for level in result.match.levels))
    lines = [
        f"| {row} | "
        + " | ".join(number(100 * shares[row, column], 1) if row != column else "–" for column in levels)
        + " |"
        for row in levels
    ]
    about = ngettext(
        "%(n)s game each, ± %(error)s (standard error).",
        "%(n)s games each, ± %(error)s (standard error).",
        results[0].games,
    ) % {
        "n": number(results[0].games),
        "error": number(100 * max(error for result in results for error in result.errors), 1),
    }
    head = ["| | " + " | ".join(levels) + " |", "| --- |" + " ---: |" * len(levels)]
    return "\n".join([*head, *lines, about])
