"""The pseudo-language: English with every letter accented, and a third longer, as other languages are.

A plain word on a page in this language is text that nobody could translate. The fixture `pseudo_language` makes the
language from every sentence of the site.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from game.management.commands.makemessages import collect_messages

LANGUAGE, LOCALE = "en-xa", "en_XA"
PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
LETTERS = str.maketrans(PLAIN, "áƀçďéƒğĥíĵķļɱñóƥɋŕšţúṽŵẋýžÁƁÇĎÉƑĞĤÍĴĶĻṀÑÓƤɊŔŠŢÚṼŴẊÝŽ")
KEPT = re.compile(r"(%\([a-z_0-9]+\)[sd]|%%|%[sd]|\{[a-z_0-9]*\}|<[^>]*>|&[a-z]+;)")
LONGER = 0.3


def accent_letters(text: str) -> str:
    """Return the text with accented letters; places for values, and markup, stay as they are."""
    parts = [part if n % 2 else part.translate(LETTERS) for n, part in enumerate(KEPT.split(text))]
    letters = sum(map(str.isalpha, "".join(parts[::2])))
    whole = "".join(parts)
    more = " ".join(textwrap.wrap("~" * round(letters * LONGER), 7))  # in words, as languages are
    return whole.rstrip("\n") + more + "\n" * (len(whole) - len(whole.rstrip("\n")))


@cache
def collect_once() -> Catalog:
    """Return every sentence of the site. Collecting them takes a second."""
    return collect_messages()


def list_django_sentences() -> Iterator[Message]:
    """Yield Django's own sentences, whose translations into real languages come with Django."""
    import django

    for folder in ("conf", "contrib/auth"):
        with (Path(django.__file__).parent / folder / "locale/en/LC_MESSAGES/django.po").open("rb") as file:
            yield from read_po(file)


def write_catalog(folder: Path) -> None:
    """Write the language into a folder of LOCALE_PATHS."""
    translated = Catalog(locale="en", charset="utf-8")
    for message in chain(list_django_sentences(), collect_once()):
        if not message.id:
            continue
        text = (
            tuple(map(accent_letters, message.id)) if isinstance(message.id, tuple) else accent_letters(str(message.id))
        )
        translated.add(message.id, text, context=message.context)
    path = folder / LOCALE / "LC_MESSAGES" / "django.mo"
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        write_mo(file, translated)
