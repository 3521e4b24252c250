"""Replays the stored games and names the first wrong row of each."""

import re
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.consistent_read import consistent_read
from game.database_trouble import require_database
from game.management.shell import ShellCommand
from game.models import Game
from game.models.visitors import CODE
from game.pages.parts.text import number
from game.services.verify import find_first_difference

GAMES_AT_ONCE = 100


class Command(ShellCommand):
    help = (
        "Replay stored games and check their dice, moves, scores, stored states and seals. Print a line for each game "
        "that is wrong, and exit with code 1. Games that wait for players are left out."
    )

    def run_from_argv(self, argv: list[str]) -> None:
        """Run the command; a code may begin with a dash without being an option, with or without "--" before it."""
        codes = [argument for argument in argv[2:] if re.fullmatch(CODE, argument)]
        rest = [argument for argument in argv[2:] if argument not in (*codes, "--")]
        super().run_from_argv([*argv[:2], *rest, "--", *codes])

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("codes", nargs="*", metavar="CODE", help="only these games")

    def handle(self, *args: Any, **options: Any) -> None:
        require_database()
        checked = differing = 0
        for code in list_codes(options["codes"]):
            checked += 1
            with consistent_read():  # somebody may be playing it meanwhile
                game = Game.by_code(code)
                difference = find_first_difference(game) if game else None
            if difference:
                differing += 1
                self.stdout.write(f"{code}: {difference.row}: {difference.text}")
            if checked % GAMES_AT_ONCE == 0:
                self.stderr.write(sum_up(checked, differing))
        self.stderr.write(sum_up(checked, differing))
        if differing:
            sys.exit(1)


def sum_up(checked: int, differing: int) -> str:
    """Return how many games were replayed, and how many differ from their replay."""
    text = ngettext(
        "%(n)s game replayed. With a difference: %(differing)s.",
        "%(n)s games replayed. With a difference: %(differing)s.",
        checked,
    )
    return text % {"n": number(checked), "differing": number(differing)}


def list_codes(codes: list[str]) -> Iterator[str]:
    """Yield the codes of all games that have begun, or of those named. Raises `CommandError` for one that is missing.

    Codes are read in batches, so that a large site fits into memory and no read lasts long.
    """
    wanted = Game.objects.exclude(status=Game.Status.WAITING).order_by("pk")
    if codes:
        missing = set(codes) - set(Game.objects.filter(code__in=codes).values_list("code", flat=True))
        if missing:
            raise CommandError(_("There is no game %(code)s.") % {"code": sorted(missing)[0]})
        wanted = wanted.filter(code__in=codes)
    last = 0
    while batch := list(wanted.filter(pk__gt=last).values_list("pk", "code")[:GAMES_AT_ONCE]):
        yield from (code for _pk, code in batch)
        last, _code = batch[-1]
