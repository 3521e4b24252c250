"""Sentences with places, filled in so that a name written from right to left stays where it stands.

Between words that run from left to right, "נועה 0" would show its number on the other side of the name. Isolates keep
such a name to itself, in HTML and wherever else a sentence goes: titles, messages, mails. They are text, so what is
data, such as a game file or a table, is not written with them.
"""

import re
from collections.abc import Mapping
from typing import overload

from markupsafe import Markup

BROKEN = "\ufffd"  # what Django puts in place of bytes that are not UTF-8
QUOTED_MOST = 40  # characters
FIRST_STRONG_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"
# Hebrew, Arabic, Syriac, Thaana, N’Ko and their like, and the blocks that Unicode keeps for more of them.
RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")


class Sentence(str):
    """A sentence with named places. What is filled in by `%` keeps its own direction."""

    __slots__ = ()

    def __mod__(self, values: object) -> str:
        filled = super().__mod__(values)
        if isinstance(values, Mapping) and RIGHT_TO_LEFT.search(filled):
            return super().__mod__(isolate_values(values))
        return filled


@overload
def isolate(text: str) -> str: ...
@overload
def isolate(text: object) -> object: ...


def isolate(text: object) -> object:
    """Return a text that is to stand within another one, with isolates around it if it is written from right to left.

    What has isolates already is a sentence, which runs in its reader's direction; HTML has elements for that.
    """
    if not isinstance(text, str) or isinstance(text, Markup):
        return text
    return f"{FIRST_STRONG_ISOLATE}{text}{POP_ISOLATE}" if is_right_to_left(text) else text


def is_right_to_left(text: str) -> bool:
    """Return whether a text has letters of a script that is written from right to left, and no isolates yet."""
    return not text.isascii() and FIRST_STRONG_ISOLATE not in text and RIGHT_TO_LEFT.search(text) is not None


def isolate_values(values: Mapping[str, object]) -> dict[str, object]:
    """Return what fills the places of a sentence, each with isolates where it needs them."""
    return {name: isolate(value) for name, value in values.items()}


def quote_input(text: object) -> str:
    """Return the input, shortened and made printable, so that a sentence can quote it."""
    text = "".join(c if c.isprintable() else BROKEN for c in str(text))
    return text if len(text) <= QUOTED_MOST else text[: QUOTED_MOST - 1] + "…"
