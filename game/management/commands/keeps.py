"""Shows which dice of a throw may be kept under a ruleset, and what they are worth."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from game.rules import PRESETS, Keep, RecordError, Ruleset, RulesetError, UnknownPreset, keeps, preset
from game.rules.record.strict import parse
from game.rules.ruleset import DICE
from game.rules.scoring import check_dice

Dice = tuple[int, ...]

# So many throws are written at a time: a pipe stays fast, and the reader at its end need not wait for the last one.
CHUNK = 500


class Command(BaseCommand):
    help = "Show what may be kept of throws like 122245, given as arguments or a line each on standard input."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dice", nargs="*", metavar="DICE", help="a throw, as in 122245")
        parser.add_argument(
            "--ruleset", required=True, metavar="SLUG|FILE.json", help=f"one of {', '.join(PRESETS)}, or a file"
        )
        parser.add_argument("--aside", default="", metavar="DICE", help="dice set aside since the last sweep")
        parser.add_argument("--json", action="store_true", help="one JSON value a line")

    def handle(self, *args: Any, **options: Any) -> None:
        ruleset = read_ruleset(options["ruleset"])
        try:
            aside = read_dice(options["aside"]) if options["aside"] else ()
        except ValueError as error:
            raise CommandError(f"--aside: {error}") from error
        answers = answer_all(ruleset, options["dice"] or lines_of_input(), aside)
        say = as_json if options["json"] else as_table
        bad = False
        while chunk := list(islice(answers, CHUNK)):
            bad = bad or any(isinstance(answer, ValueError) for _, answer in chunk)
            self.stdout.write("\n".join(say(text, answer) for text, answer in chunk))
        if bad:
            sys.exit(1)


Answer = tuple[Keep, ...] | ValueError


def read_ruleset(name: str) -> Ruleset:
    """A shipped ruleset by its slug, or one from a file. Raises `CommandError` saying what is wrong with it."""
    try:
        if name in PRESETS or not Path(name).is_file():
            return preset(name)
        return Ruleset.from_json(parse(Path(name).read_bytes()))
    except (UnknownPreset, RulesetError, RecordError, OSError) as error:
        raise CommandError(str(error)) from error


def read_dice(text: str) -> Dice:
    """The dice of a throw written as in 122245, as they fell. Raises `ValueError` for what is none."""
    for character in text:
        if character not in "123456":
            raise ValueError(f"{character!a} is not a face of a die.")
    dice = tuple(int(face) for face in text)
    check_dice(dice)
    return dice


def lines_of_input() -> Iterator[str]:
    """The lines of standard input that are not blank."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    return (line.strip() for line in sys.stdin if line.strip())


def answer_all(ruleset: Ruleset, throws: Iterable[str], aside: Dice) -> Iterator[tuple[str, Answer]]:
    """Each throw with its keeps, or with what is wrong with it."""
    for text in throws:
        try:
            dice = read_dice(text)
            if len(dice) + len(aside) > DICE:
                raise ValueError(f"There are only {DICE} dice, those set aside included.")
            yield text, keeps(ruleset, dice, aside)
        except ValueError as error:
            yield text, error


def as_json(text: str, answer: Answer) -> str:
    """The answer for a program, in one line."""
    if isinstance(answer, ValueError):
        return json.dumps({"dice": text[:40], "error": str(answer)})
    return json.dumps(
        {"dice": [int(face) for face in text], "keeps": [_keep(keep) for keep in answer], "bust": not answer}
    )


def _keep(keep: Keep) -> dict[str, Any]:
    fields: dict[str, Any] = {"dice": keep.dice, "points": keep.points}
    if keep.wins:
        fields["wins"] = True
    if keep.with_aside:
        fields["with_aside"] = True
    return fields


def as_table(text: str, answer: Answer) -> str:
    """The answer for a person."""
    if isinstance(answer, ValueError):
        return f"{ascii(text[:40])[1:-1]}: {answer}"
    if not answer:
        return f"{text}: bust"
    rows = [f"  {','.join(map(str, keep.dice)):<13}{keep.points:>6}   {_next(text, keep)}" for keep in answer]
    return "\n".join([f"{text}:", f"  {'Dice kept':<13}{'Points':>6}   Then", *rows])


def _next(text: str, keep: Keep) -> str:
    """What the keep leads to."""
    if keep.wins:
        return "wins the game"
    with_aside = "three pairs with the dice set aside, " if keep.with_aside else ""
    left = len(text) - len(keep.dice)
    return with_aside + (f"{left} left" if left else "all six again")
