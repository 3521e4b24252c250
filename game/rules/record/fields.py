"""Readers of single values: each takes a place and a value and returns it typed, or raises `RecordError`.

Refusals name the field, or say "here" if there is only the place.
"""

from typing import Any, NoReturn

from game.rules.marking import gettext_noop
from game.rules.record.model import Flaw, RecordError


def refuse_at(place: str, sentence: str, **args: object) -> NoReturn:
    """Raise `RecordError` with this sentence."""
    raise RecordError([Flaw(place, sentence, args)])


def read_fields(place: str, value: object, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the fields of an object: all that are required, none that is not listed."""
    if not isinstance(value, dict):
        refuse_at(place, gettext_noop("An object with fields is expected here."))
    for name in value:
        if name not in required and name not in optional:
            refuse_at(place, gettext_noop("%(name)s is not a known field here."), name=ascii(str(name)[:40])[1:-1])
    for name in required:
        if name not in value:
            refuse_at(place, gettext_noop("%(name)s is missing."), name=name)
    return value


def read_list(place: str, value: object, least: int, most: int) -> list[Any]:
    """Return a list that has from `least` to `most` entries."""
    if not isinstance(value, list):
        refuse_at(place, gettext_noop("A list is expected here."))
    if not least <= len(value) <= most:
        refuse_at(
            place, gettext_noop("A list of %(least)s to %(most)s entries is expected here."), least=least, most=most
        )
    return value


_NUMBER = gettext_noop("%(name)s must be a whole number from %(least)s to %(most)s.")
_TEXT = gettext_noop("%(name)s must be text.")


def read_number(place: str, name: str, value: object, limits: tuple[int, int], sentence: str = _NUMBER) -> int:
    """Return a whole number from the first to the second limit; `true` is not one.

    `sentence`: the refusal if the number has no field of its own and `name` is empty.
    """
    least, most = limits
    if type(value) is not int or not least <= value <= most:
        refuse_at(place, sentence, name=name, least=least, most=most)
    return value


def read_text(place: str, name: str, value: object, sentence: str = _TEXT) -> str:
    """Return a text. `sentence`: the refusal if the text has no field of its own."""
    if not isinstance(value, str):
        refuse_at(place, sentence, name=name)
    return value


def read_switch(place: str, name: str, value: object) -> bool:
    """Return true or false."""
    if not isinstance(value, bool):
        refuse_at(place, gettext_noop("%(name)s must be true or false."), name=name)
    return value
