"""JSON from strangers: read strictly, without Python's leniency."""

import json
import re
from typing import Any, NoReturn

from game.rules.marking import gettext_noop
from game.rules.record.fields import refuse_at

BYTES_MOST = 256 * 1024
DEPTH_MOST = 12
DIGITS_MOST = 15

# A string, or the rest of the text if it is unterminated: linear time, whatever the text.
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"?', re.DOTALL)


def parse_json(data: bytes | str) -> Any:
    """Return the value of the text.

    Raises `RecordError` if it is too long, not UTF-8, not JSON, nested too deeply, or has a duplicate key or NaN.
    """
    text = _decode_text(data)
    # Before parsing: Python's parser recurses at every bracket, and would run out of stack.
    if _measure_depth(text) > DEPTH_MOST:
        refuse_at("file", gettext_noop("The file is nested too deeply."))
    try:
        return json.loads(
            text, object_pairs_hook=_fields_once, parse_constant=_refuse_constant, parse_int=_read_integer
        )
    except json.JSONDecodeError as error:
        refuse_at("file", gettext_noop("Not valid JSON at line %(line)s."), line=error.lineno)


def _decode_text(data: bytes | str) -> str:
    try:
        raw = data.encode() if isinstance(data, str) else data
        if len(raw) > BYTES_MOST:
            refuse_at("file", gettext_noop("The file is larger than 256 KiB."))
        return raw.decode()
    except UnicodeError:
        refuse_at("file", gettext_noop("The file is not in UTF-8."))


def _measure_depth(text: str) -> int:
    depth = deepest = 0
    for character in re.findall(r"[\[\]{}]", _STRING.sub("", text)):
        depth += 1 if character in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _fields_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        refuse_at("file", gettext_noop("A field appears twice."))
    return fields


def _refuse_constant(_name: str) -> NoReturn:
    refuse_at("file", gettext_noop("NaN and Infinity are not allowed."))


def _read_integer(digits: str) -> int:
    # Python takes quadratic time to read a long number.
    if len(digits) > DIGITS_MOST:
        refuse_at("file", gettext_noop("A number is too long."))
    return int(digits)
