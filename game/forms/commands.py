"""Reading a posted command form before the rules are asked: nonsense stops here, with a 400."""

import hashlib
from collections.abc import Sequence

from django.core.exceptions import BadRequest
from django.http import HttpRequest
from django.utils.translation import gettext as _

from game.forms.fields import NUMBER, is_key
from game.models import Visitor
from game.services import Command

ENVELOPE = frozenset({"csrfmiddlewaretoken", "key", "version"})
KEEPS_MOST = 6


class Nonsense(BadRequest):
    """A form that none of our pages sends. Its text is a sentence that a view can show."""

    status = 400


class Mistyped(Nonsense):
    """Something was typed or chosen that the field does not accept."""

    status = 422


def read_command(request: HttpRequest, visitor: Visitor | None, *, versioned: bool = True) -> Command:
    """Return the envelope of a command form. `versioned`: it must say from which version of the game it was made.

    Raises `Nonsense` if it lacks a key or a version.
    """
    key = read_key(request)
    version = read_number(request.POST.get("version", "")) if versioned else None
    if versioned and version is None:
        raise incomplete()
    return Command(visitor, key, version, digest_form(request))


def read_key(request: HttpRequest) -> str:
    """Return the key of a form. Raises `Nonsense` if it has none."""
    key = request.POST.get("key", "")
    if not is_key(key):
        raise incomplete()
    return key


def incomplete() -> Nonsense:
    """Return the error for a form that lacks what all our pages send with it."""
    return Nonsense(_("This form is not complete. Load the page again."))


def digest_form(request: HttpRequest) -> str:
    """Return a digest of what a form asks for, without its envelope, so that a retry has the same digest."""
    content = [request.path]
    for name in sorted(set(request.POST) - ENVELOPE):
        content += [name, *request.POST.getlist(name)]
    return hashlib.sha256("\0".join(content).encode("utf-8", "surrogatepass")).hexdigest()


def read_number(text: str) -> int | None:
    """Return a number of ASCII digits, at most nine; None for anything else."""
    return int(text) if NUMBER.match(text) else None


def read_seat(request: HttpRequest) -> int:
    """Return the seat that a form names. Raises `Nonsense`."""
    seat = read_number(request.POST.get("seat", ""))
    if seat is None:
        raise Nonsense(_("Choose a seat."))
    return seat


def read_columns(values: Sequence[str]) -> tuple[int, ...]:
    """Return the ticked columns, 0 for nonsense: the rules refuse columns without a die. Too many raise `Nonsense`."""
    if len(values) > KEEPS_MOST:
        raise Nonsense(_("Keep up to six dice."))
    return tuple(read_number(value) or 0 for value in values)


def read_ticked(values: Sequence[str]) -> tuple[int, ...] | None:
    """Return the columns that a form or a URL names; None if it names none, or too many."""
    try:
        return read_columns([value for value in values if value]) or None
    except Nonsense:
        return None
