"""Replay game files and show their state, or where and why they cannot be replayed."""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from game.management.shell import ShellCommand
from game.pages.parts.refusals import describe_flaw
from game.pages.parts.text import format_dice_count, format_money, join_names, number
from game.rules import RecordError, State
from game.rules.record import BYTES_MOST, Flaw, from_json, replay


class Command(ShellCommand):
    """`manage.py replay`, which exits with 1 if one of the files cannot be replayed."""

    help = "Replay game files. Show scores, pot and winners; or the place and the reason where a file is wrong."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "files", nargs="+", metavar="FILE.json", help="a game file, as the site offers for download"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON value per line")

    def handle(self, *args: Any, **options: Any) -> None:
        failed = False
        for file in options["files"]:
            try:
                state = replay(from_json(read_file(file))).state
                text = json.dumps(encode_game(file, state)) if options["json"] else format_game(file, state)
            except RecordError as error:
                failed = True
                first = error.problems[0]
                about = {"file": file, "error": {"place": first.place, "reason": first.reason}}
                flaws = [describe_flaw(flaw) for flaw in error.problems]
                text = json.dumps(about) if options["json"] else "\n  ".join([file, *flaws])
            self.stdout.write(text)
        if failed:
            sys.exit(1)


def read_file(file: str) -> bytes:
    """Return the bytes of a file, at most one more than a game file may have. Raises `RecordError`."""
    try:
        with open(file, "rb") as opened:
            return opened.read(BYTES_MOST + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise RecordError([Flaw("file", "%(reason)s", {"reason": reason})]) from error


def encode_game(file: str, state: State) -> dict[str, Any]:
    """Return a game's state for a program. The pot is in the smallest coin."""
    return {
        "file": file,
        "scores": [player.score for player in state.players],
        "entered": [player.entered for player in state.players],
        "pot": state.pot,
        "winners": list(state.winners),
        "finished": state.finished,
        "next": None if state.finished else {"player": state.player, "dice": count_dice(state)},
    }


def count_dice(state: State) -> int:
    """Return how many dice are on the table or to be thrown next."""
    return state.shot.left if state.shot else state.ruleset.dice


def format_game(file: str, state: State) -> str:
    """Return how a replayed file stands: its players, the pot, and who won or what comes next."""
    longest = max(len(player.name) for player in state.players)
    lines = []
    for player in state.players:
        notes = [] if player.entered else [_("not on the board")]
        notes += [] if player.active else [_("sitting out")]
        lines.append("  ".join([f"{player.name:<{longest}}", f"{number(player.score):>7}", *notes]))
    if state.pot:
        lines.append(_("Pot %(amount)s") % {"amount": format_money(state.pot, state.ruleset.currency)})
    return "\n  ".join([file, *lines, _describe_outcome(state)])


def _describe_outcome(state: State) -> str:
    names = [state.players[seat].name for seat in state.winners]
    if not state.finished:
        values = {"name": state.players[state.player].name, "dice": format_dice_count(count_dice(state))}
        return _("Next: %(name)s, %(dice)s.") % values
    return _("Won by %(names)s.") % {"names": join_names(names)} if names else _("Over, without a winner.")
