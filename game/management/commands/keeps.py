"""Show which dice of a throw may be kept under a ruleset, and what they are worth."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from textwrap import indent
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.management.arguments import add_ruleset_option, read_dice, read_input_lines, read_ruleset
from game.management.shell import ShellCommand
from game.management.tables import format_columns
from game.pages.parts.text import name_all_dice, number
from game.rules import Dice, Keep, Ruleset, keeps

# How many throws are answered at a time: enough to keep a pipe fast, and its reader need not wait for the last throw.
CHUNK = 500

# The keeps of a throw, or what is wrong with it.
KeepsOrError = tuple[Keep, ...] | ValueError


class Command(ShellCommand):
    """`manage.py keeps`, which exits with 1 if one of the throws cannot be read."""

    help = "Show which dice may be kept of throws like 122245, given as arguments or as lines on standard input."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dice", nargs="*", metavar="DICE", help="a throw, for example 122245")
        add_ruleset_option(parser)
        parser.add_argument("--aside", default="", metavar="DICE", help="dice set aside since the last hot dice")
        parser.add_argument("--json", action="store_true", help="print one JSON value per line")

    def handle(self, *args: Any, **options: Any) -> None:
        ruleset = read_ruleset(options["ruleset"])
        try:
            aside = read_dice(ruleset, options["aside"]) if options["aside"] else ()
        except ValueError as error:
            raise CommandError(f"--aside: {error}") from error
        answers = answer_throws(ruleset, options["dice"] or read_input_lines(), aside)
        write = format_json if options["json"] else partial(format_keeps, dice=ruleset.dice)
        failed = False
        while chunk := list(islice(answers, CHUNK)):
            failed = failed or any(isinstance(answer, ValueError) for _, answer in chunk)
            self.stdout.write("\n".join(write(text, answer) for text, answer in chunk))
        if failed:
            sys.exit(1)


def answer_throws(ruleset: Ruleset, throws: Iterable[str], aside: Dice) -> Iterator[tuple[str, KeepsOrError]]:
    """Yield each throw with its keeps, or with what is wrong with it."""
    for text in throws:
        try:
            yield text, keeps(ruleset, read_dice(ruleset, text, aside), aside)
        except ValueError as error:
            yield text, error


def format_json(text: str, answer: KeepsOrError) -> str:
    """Return the answer for a program, as one line of JSON."""
    if isinstance(answer, ValueError):
        return json.dumps({"dice": text[:40], "error": str(answer)})
    offered = [
        {"dice": keep.dice, "points": keep.points}
        | ({"wins": True} if keep.wins else {})
        | ({"with_aside": True} if keep.with_aside else {})
        for keep in answer
    ]
    return json.dumps({"dice": [int(face) for face in text], "keeps": offered, "bust": not answer})


def format_keeps(text: str, answer: KeepsOrError, dice: int) -> str:
    """Return the answer for a person to read. `dice`: how many the game is played with."""
    if isinstance(answer, ValueError):
        return f"{ascii(text[:40])[1:-1]}: {answer}"
    if not answer:
        return _("%(dice)s: bust") % {"dice": text}
    rows = [[",".join(map(str, keep.dice)), number(keep.points), _describe_next(text, keep, dice)] for keep in answer]
    table = format_columns([[_("Dice kept"), _("Points"), _("Then")], *rows], ("<11", ">6", "<4"))
    return indent(f"{text}:\n{table}", "  ").lstrip()


def _describe_next(text: str, keep: Keep, dice: int) -> str:
    if keep.wins:
        return _("wins the game")
    left = len(text) - len(keep.dice)
    if left:
        return ngettext("%(n)s left", "%(n)s left", left) % {"n": left}
    if keep.with_aside:  # three pairs across throws, which take all six dice
        return _("three pairs with the dice set aside: hot dice, throw all six")
    return _("hot dice, throw all %(all)s") % {"all": name_all_dice(dice)}
