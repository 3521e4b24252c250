"""Rulesets, dice and lines of input as typed at the prompt: shared by the commands for rules and odds."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from io import TextIOWrapper
from pathlib import Path

from django.core.management.base import CommandError

from game.rules import PRESETS, RecordError, Ruleset, RulesetError, UnknownPreset, preset
from game.rules.record.strict_json import parse_json
from game.rules.ruleset import DICE, Dice, is_target
from game.rules.scoring import check_dice

RULESET = "SLUG|FILE.json"
RULESET_HELP = f"a ruleset: {', '.join(PRESETS)}, or a JSON file with its settings"


def add_ruleset_option(parser: ArgumentParser) -> None:
    """Add `--ruleset`, which is required."""
    parser.add_argument("--ruleset", required=True, metavar=RULESET, help=RULESET_HELP)


def read_ruleset(name: str) -> Ruleset:
    """Return a shipped ruleset by its slug, or one from a file. Raises `CommandError` saying what is wrong with it."""
    try:
        if name in PRESETS or not Path(name).is_file():
            return preset(name)
        return Ruleset.from_json(parse_json(Path(name).read_bytes()))
    except (UnknownPreset, RulesetError, RecordError, OSError) as error:
        raise CommandError(str(error)) from error


def read_target(ruleset: Ruleset, target: int | None) -> int:
    """Return the target to play to, the ruleset's own by default. Raises `CommandError`."""
    if target and not is_target(target):
        raise CommandError(f"{target} is not a target.")
    return target or ruleset.target


def read_dice(text: str, aside: Dice = ()) -> Dice:
    """Return the dice of a throw written as in 122245, as they fell, given those that are set aside.

    Raises `ValueError` for an invalid throw.
    """
    for character in text:
        if character not in "123456":
            raise ValueError(f"{character!a} is not a face of a die.")
    dice = tuple(int(face) for face in text)
    check_dice(dice)
    if len(dice) + len(aside) > DICE:
        raise ValueError(f"There are only {DICE} dice, those set aside included.")
    return dice


def read_input_lines() -> Iterator[str]:
    """Return the lines of standard input that are not blank."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    return (line.strip() for line in sys.stdin if line.strip())
