"""The bricks of reading: each takes a place and a value and gives it back typed, or raises `RecordError`."""

from __future__ import annotations

from typing import Any, NoReturn

from game.rules.marking import gettext_noop
from game.rules.record.model import Flaw, RecordError


def refuse(place: str, sentence: str, **args: object) -> NoReturn:
    """Raises `RecordError` with this sentence."""
    raise RecordError([Flaw(place, sentence, args)])


def read_fields(place: str, value: object, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    """The fields of an object: all that are required, none that is not listed."""
    if not isinstance(value, dict):
        refuse(place, gettext_noop("This has to be an object with fields."))
    for name in value:
        if name not in required and name not in optional:
            refuse(place, gettext_noop("%(name)s is not a field here."), name=ascii(str(name)[:40])[1:-1])
    for name in required:
        if name not in value:
            refuse(place, gettext_noop("%(name)s is missing."), name=name)
    return value


def read_list(place: str, value: object, least: int, most: int) -> list[Any]:
    """A list of so many."""
    if not isinstance(value, list):
        refuse(place, gettext_noop("This has to be a list."))
    if not least <= len(value) <= most:
        refuse(place, gettext_noop("There have to be %(least)s to %(most)s here."), least=least, most=most)
    return value


NUMBER = gettext_noop("%(name)s has to be a whole number from %(least)s to %(most)s.")
TEXT = gettext_noop("%(name)s has to be text.")


def read_number(place: str, name: str, value: object, least: int, most: int, sentence: str = NUMBER) -> int:
    """A whole number within its limits; `true` is none. `sentence`: the refusal, where no field has the number."""
    if type(value) is not int or not least <= value <= most:
        refuse(place, sentence, name=name, least=least, most=most)
    return value


def read_text(place: str, name: str, value: object, sentence: str = TEXT) -> str:
    """A string. `sentence`: the refusal, where no field has the text."""
    if not isinstance(value, str):
        refuse(place, sentence, name=name)
    return value


def read_switch(place: str, name: str, value: object) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        refuse(place, gettext_noop("%(name)s has to be true or false."), name=name)
    return value
