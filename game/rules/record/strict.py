"""JSON from strangers: read without the freedoms that Python takes."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from game.rules.marking import gettext_noop
from game.rules.record.model import Flaw, RecordError

BYTES_MOST = 256 * 1024
DEPTH_MOST = 12
DIGITS_MOST = 15

# A string, or what is left of the text where it has no end: one pass, whatever the text is.
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"?', re.DOTALL)


def parse(data: bytes | str) -> Any:
    """The value that the text stands for.

    Raises `RecordError` for what is too long, not UTF-8, not JSON, nested too deep, or has a key twice or NaN.
    """
    text = _decoded(data)
    if _depth(text) > DEPTH_MOST:
        _refuse(gettext_noop("The file is nested too deep."))
    try:
        return json.loads(text, object_pairs_hook=_once_each, parse_constant=_no_constant, parse_int=_short_number)
    except json.JSONDecodeError as error:
        raise RecordError(
            [Flaw("file", gettext_noop("This is not JSON, from line %(line)s on."), {"line": error.lineno})]
        ) from None


def _decoded(data: bytes | str) -> str:
    try:
        raw = data.encode() if isinstance(data, str) else data
        if len(raw) > BYTES_MOST:
            _refuse(gettext_noop("The file is larger than 256 KiB."))
        return raw.decode()
    except UnicodeError:
        _refuse(gettext_noop("The file is not UTF-8."))


def _depth(text: str) -> int:
    depth = deepest = 0
    for character in re.findall(r"[\[\]{}]", _STRING.sub("", text)):
        depth += 1 if character in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        _refuse(gettext_noop("The file has a field twice."))
    return found


def _no_constant(name: str) -> NoReturn:
    _refuse(gettext_noop("The file has a number that is none."))


def _short_number(digits: str) -> int:
    if len(digits) > DIGITS_MOST:
        _refuse(gettext_noop("The file has a number that is too long."))
    return int(digits)


def _refuse(sentence: str) -> NoReturn:
    raise RecordError([Flaw("file", sentence)])
