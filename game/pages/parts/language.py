"""The language that the values of a page are written in, found once for all of them.

Django works out the present language anew for every sentence and number, which for the two hundred of a board takes a
tenth of its time. Pages take their sentences from here, which keep names written from right to left in their places.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache

from django.utils import translation

from game.sentences import Sentence

_WRITTEN_IN: ContextVar[str | None] = ContextVar("written_in", default=None)


@contextmanager
def write_in_one_language() -> Iterator[None]:
    """Write everything inside in the language of now. Never override it there: some sentences would not follow."""
    token = _WRITTEN_IN.set(translation.get_language())
    try:
        yield
    finally:
        _WRITTEN_IN.reset(token)


def find_language() -> str | None:
    """Return the code of the present language; None while translation is off."""
    return _WRITTEN_IN.get() or translation.get_language()


def gettext(message: str) -> str:
    """Return a sentence in the present language."""
    return _translate_message(message, find_language())


@lru_cache(maxsize=8192)
def _translate_message(message: str, language: str | None) -> str:
    with translation.override(language):
        return mark_places(translation.gettext(message))


def ngettext(singular: str, plural: str, n: int) -> str:
    """Return the sentence in its form for a number, in the present language."""
    return mark_places(translation.ngettext(singular, plural, n))


def mark_places(text: str) -> str:
    """Return a sentence such that what is filled in at its places keeps its own direction."""
    return Sentence(text) if "%(" in text else text
