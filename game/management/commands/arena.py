"""Lets computers play each other, thousands of games, and says who wins how often."""

from __future__ import annotations

import json
import os
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import combinations, repeat
from math import sqrt
from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandError

from game.management.commands.keeps import read_ruleset
from game.rules import PRESETS, Ruleset
from game.rules.ruleset import is_target
from game.strategy.arena import Match, play_match
from game.strategy.computers import COMPUTERS
from game.strategy.turn import EndlessShot

# So many games are played side by side: more of them make better use of a table, and fewer tell sooner how it goes.
AT_ONCE = 2500


@dataclass(frozen=True)
class Result:
    """How a match went: the share of the games that each computer won, with its standard error."""

    match: Match
    games: int
    seed: int
    seconds: float
    shares: tuple[float, ...]
    errors: tuple[float, ...]

    def as_json(self) -> dict[str, Any]:
        """For a program."""
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


class Command(BaseCommand):
    help = "Let computers play each other; who begins changes from game to game. A shared win counts in parts."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("levels", nargs="+", choices=COMPUTERS, metavar="LEVEL", help=", ".join(COMPUTERS))
        parser.add_argument("-n", "--games", type=int, default=2000, help="how many games (2000 unless said)")
        parser.add_argument("--ruleset", default="classic", metavar="SLUG|FILE.json", help=", ".join(PRESETS))
        parser.add_argument("--target", type=int, help="play to this target, not to that of the ruleset")
        parser.add_argument("--seed", type=int, default=1, help="other dice; the same seed brings the same games")
        parser.add_argument("--pairs", action="store_true", help="every two of the levels against each other")
        parser.add_argument("--json", action="store_true", help="one JSON value a line")

    def handle(self, *args: Any, **options: Any) -> None:
        ruleset = read_ruleset(options["ruleset"])
        matches = _matches(ruleset, options)
        results = []
        for match in matches:
            try:
                results.append(self._play(match, options["games"], options["seed"]))
            except EndlessShot as error:
                raise CommandError(str(error)) from error
            if options["json"]:
                self.stdout.write(json.dumps(results[-1].as_json()))
        if not options["json"]:
            self.stdout.write(as_square(results) if options["pairs"] else as_table(results[0]))

    def _play(self, match: Match, games: int, seed: int) -> Result:
        """Play the games on all processors, telling how far they are."""
        started, done, parts = time.perf_counter(), 0, []
        for won in _parts(match, games, seed):
            parts.append(won)
            done += len(won)
            share = f"{100 * done / games:.0f} %"
            self.stderr.write(f"\r{' – '.join(match.levels)}: {share:>6}", ending="" if done < games else "\n")
        all_won = np.concatenate(parts)
        errors = all_won.std(axis=0) / sqrt(games)
        seconds = time.perf_counter() - started
        return Result(match, games, seed, seconds, tuple(all_won.mean(axis=0).tolist()), tuple(errors.tolist()))


def _matches(ruleset: Ruleset, options: dict[str, Any]) -> list[Match]:
    levels, target = options["levels"], options["target"] or ruleset.target
    if not is_target(target):
        raise CommandError(f"{target} is not a target.")
    if options["games"] < 1 or options["seed"] < 0:
        raise CommandError("The number of games is 1 or more, a seed 0 or more.")
    sides = list(combinations(levels, 2)) if options["pairs"] else [tuple(levels)]
    if len(levels) < 2 or not all(ruleset.min_players <= len(side) <= ruleset.max_players for side in sides):
        least, most = max(2, ruleset.min_players), ruleset.max_players
        raise CommandError(f"Name {least} to {most} computers." if most > least else f"Name {most} computers.")
    return [Match(ruleset, target, side) for side in sides]


def _parts(match: Match, games: int, seed: int) -> Iterator[np.ndarray[Any, np.dtype[np.float64]]]:
    """What was won, part by part in order; each game is the same whatever it is played beside."""
    ranges = [range(first, min(first + AT_ONCE, games)) for first in range(0, games, AT_ONCE)]
    workers = min(len(ranges), os.cpu_count() or 1)
    if workers == 1:
        yield from (play_match(match, numbers, seed) for numbers in ranges)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(play_match, repeat(match), ranges, repeat(seed))


def as_table(result: Result) -> str:
    """A match for a person to read."""
    rows = zip(result.match.levels, result.shares, result.errors, strict=True)
    lines = [f"{level:<12}{100 * share:>8.2f} %  ± {100 * error:.2f}" for level, share, error in rows]
    about = f"{result.games:,} games in {result.seconds:.1f} s, {result.games / result.seconds:,.0f} a second."
    return "\n".join([f"{'Computer':<12}{'Wins':>8}", *lines, about])


def as_square(results: list[Result]) -> str:
    """Who of the left wins how often against whom above, in per cent."""
    shares = {}
    for result in results:
        (one, other), (first, second) = result.match.levels, result.shares
        shares[one, other], shares[other, one] = first, second
    levels = list(dict.fromkeys(level for result in results for level in result.match.levels))
    lines = [
        f"| {row} | "
        + " | ".join(f"{100 * shares[row, column]:.1f}" if row != column else "–" for column in levels)
        + " |"
        for row in levels
    ]
    error = max(error for result in results for error in result.errors)
    head = ["| | " + " | ".join(levels) + " |", "| --- |" + " ---: |" * len(levels)]
    return "\n".join([*head, *lines, f"{results[0].games:,} games each, ± {100 * error:.1f}."])
