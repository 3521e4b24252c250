"""List the options with a throw, each with its chance to win and its expected points."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import override, pgettext

from game.management.arguments import add_ruleset_option, read_dice, read_input_lines, read_ruleset
from game.management.shell import ShellCommand
from game.management.tables import format_columns, format_percent
from game.pages.parts.text import number
from game.rules import PlayerState, Ruleset, Shot, State, best_points
from game.rules.ruleset import PLAYERS_MOST
from game.strategy.win import RatedOption, prepare_table, rate_options

SCORE_MOST = 1_000_000
QUERY_KEYS = {"scores", "points", "throw", "aside", "entered", "not_entered", "first"}


class Command(ShellCommand):
    """`manage.py advise`, which exits with 1 if one of the queries makes no sense."""

    help = (
        "List what you can keep of a throw and whether to bank or throw then, best first. "
        "Without --throw, read one JSON query per line from standard input."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_ruleset_option(parser)
        parser.add_argument("--scores", help="in order of turns, the player to move first: 4000,5200")
        parser.add_argument("--points", type=int, default=0, help="points of the turn before this throw")
        parser.add_argument("--throw", metavar="DICE", help="the dice just thrown: 115")
        parser.add_argument("--aside", default="", metavar="DICE", help="dice set aside since the last hot dice")
        parser.add_argument("--entered", help="players who are on the board whatever their score: 1,2")
        parser.add_argument("--not-entered", help="players who are not on the board (default: those with a score of 0)")
        parser.add_argument(
            "--first", type=int, help="the player who begins the rounds (default: what fits the scores)"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON value per line")

    def handle(self, *args: Any, **options: Any) -> None:
        ruleset = read_ruleset(options["ruleset"])
        if options["throw"] is None:
            with override("en"):  # the answers are for a program
                self._answer_lines(ruleset, read_input_lines())
            return
        try:
            rated = answer_query(ruleset, _make_query(options))
        except ValueError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(json.dumps(encode_options(rated)) if options["json"] else format_options(rated))

    def _answer_lines(self, ruleset: Ruleset, lines: Iterable[str]) -> None:
        failed = False
        for line in lines:
            try:
                answer = encode_options(answer_query(ruleset, _parse_line(line)))
            except (ValueError, RecursionError) as error:
                answer, failed = {"error": str(error)}, True
            self.stdout.write(json.dumps(answer))
        if failed:
            sys.exit(1)


def _parse_line(line: str) -> object:
    """Return the JSON value of a line. Raises `ValueError`."""
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError('A query is one line of JSON, as {"throw": "115"}.') from error


def _make_query(options: Mapping[str, Any]) -> dict[str, Any]:
    """Build the query from the options. Raises `ValueError`."""
    query = {name: options[name] for name in QUERY_KEYS if options[name] is not None}
    lists = {name: query[name].split(",") for name in ("scores", "entered", "not_entered") if name in query}
    for name, numbers in lists.items():
        if not all(text.isascii() and text.isdigit() for text in numbers):
            text = _("--%(option)s takes whole numbers with commas between them, as in 4000,5200.")
            raise ValueError(text % {"option": name.replace("_", "-")})
    return query | {name: [*map(int, numbers)] for name, numbers in lists.items()}


def answer_query(ruleset: Ruleset, query: object) -> tuple[RatedOption, ...]:
    """Return the options, best first; empty for a bust. Raises `ValueError` for a query that makes no sense."""
    if not isinstance(query, dict):
        raise ValueError("A query is a JSON object.")
    unknown = set(query) - QUERY_KEYS
    if unknown:
        raise ValueError(f"{min(unknown)[:40]} is not part of a query.")
    seats = _read_seats(query)
    first = _check_number(query.get("first", _guess_first(ruleset, seats)), "first", 1, len(seats))
    order = tuple((first - 1 + place) % len(seats) for place in range(len(seats)))
    # Where a number of rounds ends the game, this counts as its last turn.
    state = State(ruleset, ruleset.target, seats, order, shot=_read_shot(ruleset, query), round=max(ruleset.rounds, 1))
    return rate_options(state, prepare_table(ruleset, ruleset.target))


def _read_seats(query: Mapping[str, Any]) -> tuple[PlayerState, ...]:
    scores = query.get("scores", [0])
    if not isinstance(scores, list) or not 1 <= len(scores) <= PLAYERS_MOST:
        raise ValueError(_("scores must be a list of 1 to %(most)s numbers.") % {"most": PLAYERS_MOST})
    for score in scores:
        _check_number(score, "scores", 0, SCORE_MOST)
    entered = {place: score > 0 for place, score in enumerate(scores, start=1)}
    for name, value in (("entered", True), ("not_entered", False)):
        places = query.get(name, [])
        if not isinstance(places, list):
            raise ValueError(f"{name} must be a list of numbers.")
        for place in places:
            entered[_check_number(place, name, 1, len(scores))] = value
    seats = tuple(
        PlayerState(str(place), score=score, entered=entered[place], played=place > 1)
        for place, score in enumerate(scores, start=1)
    )
    if any(seat.score and not seat.entered for seat in seats):
        raise ValueError(_("A player who is not on the board has no score."))
    return seats


def _guess_first(ruleset: Ruleset, seats: tuple[PlayerState, ...]) -> int:
    """Return the place, from 1, of who begins the rounds: the player to move, or the first who is at the target."""
    reached = [place for place, seat in enumerate(seats, start=1) if seat.score >= ruleset.target]
    return min(reached, default=1) if ruleset.ending == "complete_round" else 1


def _read_shot(ruleset: Ruleset, query: Mapping[str, Any]) -> Shot:
    thrown, lying = query.get("throw"), query.get("aside", "")
    if not isinstance(thrown, str) or not isinstance(lying, str):
        raise ValueError('throw and aside are dice written like "115".')
    aside = read_dice(ruleset, lying) if lying else ()
    dice = read_dice(ruleset, thrown, aside)
    points = _check_number(query.get("points", 0), "points", 0, SCORE_MOST)
    aside_points = min(best_points(ruleset, aside) or 0, points) if aside else 0
    return Shot(0, len(dice), points, dice, aside, aside_points, throws=1)


def _check_number(value: object, name: str, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        text = (
            _("A score must be a whole number from %(least)s to %(most)s.")
            if name == "scores"
            else _("%(name)s must be a whole number from %(least)s to %(most)s.")
        )
        raise ValueError(text % {"name": name, "least": least, "most": most})
    return value


def encode_options(rated: Iterable[RatedOption]) -> dict[str, Any]:
    """Return the answer for a program: `best` is the index of the best option, None for a bust."""
    options = [
        {
            "keep": list(entry.option.keep.dice),
            "then": entry.option.then,
            "win": entry.win,
            "points": entry.option.points,
            "bust": entry.option.bust,
        }
        for entry in rated
    ]
    return {"options": options, "best": 0 if options else None}


def format_options(rated: tuple[RatedOption, ...]) -> str:
    """Return the rated options as a table, best first, or the sentence that the throw is a bust."""
    if not rated:
        return _("A bust: nothing can be kept.")
    then = {
        "bank": pgettext("what to do", "bank"),
        "throw": pgettext("what to do", "throw"),
        "win": pgettext("what to do", "win"),
    }
    rows = [
        [
            ",".join(map(str, entry.option.keep.dice)),
            then[entry.option.then],
            "" if entry.win is None else format_percent(entry.win, 2),
            number(entry.option.points, 1),
            format_percent(entry.option.bust, 2),
        ]
        for entry in rated
    ]
    heads = [_("Keep"), _("Then"), _("Wins"), _("Points"), _("Bust")]
    return format_columns([heads, *rows], ("<11", "<5", ">8", ">8", ">8"))
