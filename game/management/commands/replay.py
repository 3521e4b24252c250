"""Replays game files and shows how they stand, or where and why they cannot be."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from game.rules import RecordError, State
from game.rules.record import BYTES_MOST, Flaw, from_json, replay
from game.rules.ruleset import DICE


class Command(BaseCommand):
    help = "Replay game files: scores, pot and winners, or the place and the reason why a file cannot be."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE.json")
        parser.add_argument("--json", action="store_true", help="one JSON value a line")

    def handle(self, *args: Any, **options: Any) -> None:
        bad = False
        for file in options["files"]:
            try:
                state = replay(from_json(read(file))).state
                said = json.dumps(facts(file, state)) if options["json"] else in_words(file, state)
            except RecordError as error:
                bad = True
                said = flaw(file, error) if options["json"] else "\n".join([file, *_indented(error)])
            self.stdout.write(said)
        if bad:
            sys.exit(1)


def read(file: str) -> bytes:
    """The bytes of a file. Raises `RecordError` if it cannot be read."""
    try:
        with open(file, "rb") as opened:
            return opened.read(BYTES_MOST + 1)
    except (OSError, ValueError) as error:
        raise RecordError(
            [Flaw("file", "%(reason)s", {"reason": getattr(error, "strerror", None) or error})]
        ) from error


def facts(file: str, state: State) -> dict[str, Any]:
    """How a game stands, for a program. The pot is in the smallest coin."""
    return {
        "file": file,
        "scores": [player.score for player in state.players],
        "entered": [player.entered for player in state.players],
        "pot": state.pot,
        "winners": list(state.winners),
        "finished": state.finished,
        "next": None if state.finished else {"player": state.player, "dice": dice_due(state)},
    }


def dice_due(state: State) -> int:
    """How many dice lie on the table, or would be thrown next."""
    return state.shot.left if state.shot else DICE


def flaw(file: str, error: RecordError) -> str:
    """The first problem of a file, for a program."""
    first = error.problems[0]
    return json.dumps({"file": file, "error": {"place": first.place, "reason": first.reason}})


def _indented(error: RecordError) -> list[str]:
    return [f"  {problem}" for problem in error.problems]


def in_words(file: str, state: State) -> str:
    """How a game stands, for a person."""
    longest = max(len(player.name) for player in state.players)
    lines = [
        f"  {player.name:<{longest}}  {player.score:>7,}{'' if player.entered else '  not entered'}"
        f"{'' if player.active else '  out'}"
        for player in state.players
    ]
    if state.pot:
        lines.append(f"  Pot: {state.pot / 100:.2f} {state.ruleset.currency}")
    return "\n".join([file, *lines, f"  {_outcome(state)}"])


def _outcome(state: State) -> str:
    names = [state.players[seat].name for seat in state.winners]
    if not state.finished:
        dice = dice_due(state)
        return f"Next: {state.players[state.player].name}, {dice} {'die' if dice == 1 else 'dice'}."
    return f"Won by {' and '.join(names)}." if names else "Over, without a winner."
