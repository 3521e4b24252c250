"""Rulesets as JSON that people make and pass on, read and written within the limits for sharing."""

import json
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError

from game.forms.commands import Mistyped
from game.forms.fields import NameField
from game.rules import Problem, RecordError, Ruleset, RulesetError
from game.rules.marking import gettext_noop
from game.rules.record.strict_json import parse_json

SHARED_MOST = 4096  # bytes of canonical JSON
TEXT_MOST = 65_536  # bytes or characters of a text that is read


def write_shared_rules(rules: Ruleset) -> str:
    """Return the canonical JSON of a ruleset."""
    return json.dumps(rules.to_json(), ensure_ascii=False, separators=(",", ":"))


def read_shared_rules(text: str | bytes) -> Ruleset:
    """Return the ruleset in a JSON text, which holds its settings either alone or under "ruleset", as game files do.

    Raises `RulesetError` if the text cannot be read or is too long, or if a setting is invalid.
    """
    rules = Ruleset.from_json(_find_settings(text)) if len(text) <= TEXT_MOST else None
    if rules is None or len(write_shared_rules(rules).encode()) > SHARED_MOST:
        raise RulesetError([Problem("ruleset", gettext_noop("These rules are too long to be shared."))])
    return rules


def clean_kept_name(text: str) -> str:
    """Return the name under which somebody keeps rules; it may be empty. Raises `Mistyped`."""
    try:
        return NameField(optional=True).clean(text)
    except ValidationError as error:
        raise Mistyped(error.messages[0]) from error


def _find_settings(text: str | bytes) -> Mapping[str, Any]:
    try:
        data = parse_json(text)
    except RecordError:
        raise RulesetError([Problem("ruleset", gettext_noop("This isn’t a JSON file with rules."))]) from None
    inside = data.get("ruleset") if isinstance(data, dict) else None
    return inside if isinstance(inside, dict) else data
