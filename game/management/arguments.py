"""Reading rulesets, dice and lines of input that were typed at the prompt; several commands share this."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from io import TextIOWrapper
from pathlib import Path

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from game.pages.parts.refusals import describe_flaw
from game.pages.parts.text import number
from game.rules import PRESETS, Dice, RecordError, Ruleset, RulesetError, UnknownPreset, preset
from game.rules.record.strict_json import parse_json
from game.rules.ruleset import TARGET_LEAST, TARGET_MOST, TARGET_STEP, is_target

RULESET = "SLUG|FILE.json"
RULESET_HELP = f"a ruleset: {', '.join(PRESETS)}, or a JSON file with its settings"


def add_ruleset_option(parser: ArgumentParser) -> None:
    """Add `--ruleset`, whose value `read_ruleset` reads."""
    parser.add_argument("--ruleset", required=True, metavar=RULESET, help=RULESET_HELP)


def read_ruleset(name: str) -> Ruleset:
    """Return a shipped ruleset by its slug, or one from a file. Raises `CommandError` saying what is wrong with it."""
    try:
        if name in PRESETS or not Path(name).is_file():
            return preset(name)
        return Ruleset.from_json(parse_json(Path(name).read_bytes()))
    except UnknownPreset as error:
        values = {"slug": repr(name[:40]), "known": ", ".join(PRESETS)}
        raise CommandError(_("There is no ruleset %(slug)s. Choose one of these: %(known)s.") % values) from error
    except RulesetError as error:
        raise CommandError("; ".join(_(problem.sentence) % problem.args for problem in error.problems)) from error
    except RecordError as error:
        raise CommandError("\n".join(map(describe_flaw, error.problems))) from error
    except OSError as error:
        raise CommandError(
            _("%(file)s cannot be read: %(reason)s.") % {"file": name, "reason": error.strerror}
        ) from error


def read_target(ruleset: Ruleset, target: int | None) -> int:
    """Return the target to play to, the ruleset's own by default. Raises `CommandError`."""
    if target is None:
        return ruleset.target
    if not is_target(target):
        values = {"points": target, "least": TARGET_LEAST, "most": number(TARGET_MOST), "step": TARGET_STEP}
        text = _("%(points)s is not a target. A target is from %(least)s to %(most)s, in steps of %(step)s.")
        raise CommandError(text % values)
    return target


def read_dice(ruleset: Ruleset, text: str, aside: Dice = ()) -> Dice:
    """Return the dice of a throw written as "122245", in that order. `aside`: the dice set aside.

    Raises `ValueError` for an invalid throw, also if there are too many dice with those set aside.
    """
    for character in text:
        if character not in "123456":
            raise ValueError(_("%(face)s is not a face of a die.") % {"face": ascii(character)})
    if not 1 <= len(text) <= ruleset.dice:
        raise ValueError(_("A throw has 1 to %(most)s dice, not %(n)s.") % {"most": ruleset.dice, "n": len(text)})
    if len(text) + len(aside) > ruleset.dice:
        raise ValueError(_("There are only %(most)s dice, those set aside included.") % {"most": ruleset.dice})
    return tuple(int(face) for face in text)


def read_input_lines() -> Iterator[str]:
    """Return the lines of standard input that are not blank, stripped."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    return (line.strip() for line in sys.stdin if line.strip())
