"""Lists the ways to keep dice of a throw, each with its chance to win and its expected points."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from game.management.commands.keeps import lines_of_input, read_dice, read_ruleset
from game.rules import PRESETS, Ruleset
from game.rules.ruleset import DICE, PLAYERS_MOST
from game.rules.scoring import best_points
from game.strategy.turn import DecisionPoint, EndlessShot
from game.strategy.win import RatedOption, ScoreSituation, SeatScore, find_table, rate_options

POINTS_MOST = 1_000_000


class Command(BaseCommand):
    help = "List the ways to keep, then bank or throw, best first; without --throw a query a line on standard input."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--ruleset", required=True, metavar="SLUG|FILE.json", help=f"one of {', '.join(PRESETS)}, or a file"
        )
        parser.add_argument("--scores", help="as in 4000,5200: in turn, that of the player to move first")
        parser.add_argument("--points", type=int, default=0, help="points of the shot before this throw")
        parser.add_argument("--throw", metavar="DICE", help="the dice just thrown, as in 115")
        parser.add_argument("--aside", default="", metavar="DICE", help="dice set aside since the last sweep")
        parser.add_argument("--entered", help="as in 1,2: these players have entered, whatever their score")
        parser.add_argument("--not-entered", help="as in 2: these have not; unless said, those with a score of 0")
        parser.add_argument("--first", type=int, help="which of the players begins the rounds; unless said, who fits")
        parser.add_argument("--json", action="store_true", help="one JSON value a line")

    def handle(self, *args: Any, **options: Any) -> None:
        ruleset = read_ruleset(options["ruleset"])
        if options["throw"] is None:
            self._answer_lines(ruleset, lines_of_input())
            return
        try:
            rated = advise(ruleset, _query(options))
        except (ValueError, EndlessShot) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(json.dumps(as_json(rated)) if options["json"] else as_table(rated))

    def _answer_lines(self, ruleset: Ruleset, lines: Iterable[str]) -> None:
        bad = False
        for line in lines:
            try:
                answer = as_json(advise(ruleset, json.loads(line)))
            except (ValueError, RecursionError) as error:
                answer, bad = {"error": str(error)}, True
            self.stdout.write(json.dumps(answer))
        if bad:
            sys.exit(1)


def _query(options: Mapping[str, Any]) -> dict[str, Any]:
    """The query that the options ask."""
    query = {name: options[name] for name in ("points", "throw", "aside")}
    if options["first"] is not None:
        query["first"] = options["first"]
    for name in ("scores", "entered", "not_entered"):
        if options[name] is not None:
            query[name] = [int(each) for each in options[name].split(",")]
    return query


def advise(ruleset: Ruleset, query: object) -> tuple[RatedOption, ...]:
    """The ways to keep, best first; empty for a bust. Raises `ValueError` for a query that makes no sense."""
    if not isinstance(query, dict):
        raise ValueError("A query is a JSON object.")
    unknown = set(query) - {"scores", "points", "throw", "aside", "entered", "not_entered", "first"}
    if unknown:
        raise ValueError(f"{min(unknown)[:40]} is not part of a query.")
    seats = _seats(query)
    first = _number(query.get("first", _who_fits(ruleset, seats)), "first", 1, len(seats))
    standing = ScoreSituation(seats, first - 1)
    return rate_options(ruleset, _spot(ruleset, query, seats[0]), standing, find_table(ruleset, ruleset.target))


def _seats(query: Mapping[str, Any]) -> tuple[SeatScore, ...]:
    scores = query.get("scores", [0])
    if not isinstance(scores, list) or not 1 <= len(scores) <= PLAYERS_MOST:
        raise ValueError(f"scores must be a list of 1 to {PLAYERS_MOST} numbers.")
    for score in scores:
        _number(score, "A score", 0, POINTS_MOST)
    entered = {place: score > 0 for place, score in enumerate(scores, start=1)}
    for name, value in (("entered", True), ("not_entered", False)):
        places = query.get(name, [])
        if not isinstance(places, list):
            raise ValueError(f"{name} must be a list of numbers.")
        for place in places:
            entered[_number(place, name, 1, len(scores))] = value
    seats = tuple(SeatScore(score, entered[place]) for place, score in enumerate(scores, start=1))
    if any(seat.score and not seat.entered for seat in seats):
        raise ValueError("Who has not entered has no score.")
    return seats


def _who_fits(ruleset: Ruleset, seats: tuple[SeatScore, ...]) -> int:
    """Who begins the rounds, from 1, unless it is said: the player to move, or the first who is at the target."""
    reached = [place for place, seat in enumerate(seats, start=1) if seat.score >= ruleset.target]
    return min(reached, default=1) if ruleset.ending == "complete_round" else 1


def _spot(ruleset: Ruleset, query: Mapping[str, Any], mover: SeatScore) -> DecisionPoint:
    texts = [query.get("throw"), query.get("aside", "")]
    if not all(isinstance(text, str) for text in texts):
        raise ValueError('throw and aside are dice written as in "115".')
    dice, aside = read_dice(texts[0]), read_dice(texts[1]) if texts[1] else ()
    if len(dice) + len(aside) > DICE:
        raise ValueError(f"There are only {DICE} dice, those set aside included.")
    points = _number(query.get("points", 0), "points", 0, POINTS_MOST)
    aside_points = min(best_points(ruleset, aside) or 0, points) if aside else 0
    return DecisionPoint(tuple(sorted(dice)), points, aside, aside_points, mover.entered)


def _number(value: object, name: str, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{name} must be a whole number from {least} to {most}.")
    return value


def as_json(rated: Iterable[RatedOption]) -> dict[str, Any]:
    """The answer for a program: `best` is the place of the best way, None for a bust."""
    found = [
        {
            "keep": list(each.option.keep.dice),
            "then": each.option.then,
            "win": each.win,
            "points": each.option.points,
            "bust": each.option.bust,
        }
        for each in rated
    ]
    return {"options": found, "best": 0 if found else None}


def as_table(rated: tuple[RatedOption, ...]) -> str:
    """The ways to keep for a person to read."""
    if not rated:
        return "A bust: nothing can be kept."
    rows = [
        f"{','.join(map(str, each.option.keep.dice)):<13}{each.option.then:<6}{_percent(each.win):>9}"
        f"{each.option.points:>10.1f}{_percent(each.option.bust):>10}"
        for each in rated
    ]
    return "\n".join([f"{'Keep':<13}{'Then':<6}{'Wins':>9}{'Points':>10}{'Bust':>10}", *rows])


def _percent(chance: float | None) -> str:
    return "" if chance is None else f"{100 * chance:.2f} %"
