"""The pseudo-language: `.venv/bin/python -m tests.pseudo` makes its catalogue anew from every sentence of the site.

It is English with every letter accented, and a third longer, as other languages are. A plain word on a page that is
shown in it is text that nobody could translate. Needs GNU gettext (Debian: sudo apt install gettext).
"""

from __future__ import annotations

import io
import os
import re
import tempfile
import textwrap
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LANGUAGE, LOCALE = "en-xa", "en_XA"
FOLDER = Path(__file__).parent / "locale"
PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
LETTERS = str.maketrans(PLAIN, "áƀçďéƒğĥíĵķļɱñóƥɋŕšţúṽŵẋýžÁƁÇĎÉƑĞĤÍĴĶĻṀÑÓƤɊŔŠŢÚṼŴẊÝŽ")
KEPT = re.compile(r"(%\([a-z_0-9]+\)[sd]|%%|%[sd]|\{[a-z_0-9]*\}|<[^>]*>|&[a-z]+;)")
LONGER = 0.3


def accented(text: str) -> str:
    """The text in other letters; places for values, and markup, stay."""
    parts = [part if n % 2 else part.translate(LETTERS) for n, part in enumerate(KEPT.split(text))]
    letters = sum(map(str.isalpha, "".join(parts[::2])))
    whole = "".join(parts)
    more = " ".join(textwrap.wrap("~" * round(letters * LONGER), 7))  # in words, as languages are
    return whole.rstrip("\n") + more + "\n" * (len(whole) - len(whole.rstrip("\n")))


def sentences() -> Catalog:
    """Every sentence that the code and the templates give to be translated."""
    from django.core.management import call_command
    from django.test import override_settings

    with tempfile.TemporaryDirectory() as folder, override_settings(LOCALE_PATHS=[folder]):
        ignored = [".*", "tests/*", "static/*"]
        call_command("makemessages", locale=[LOCALE], ignore_patterns=ignored, no_location=True, verbosity=0)
        found = Path(folder, LOCALE, "LC_MESSAGES", "django.po").read_text(encoding="utf-8")
        return read_po(
            io.StringIO(found.replace("nplurals=INTEGER; plural=EXPRESSION;", "nplurals=2; plural=(n != 1);"))
        )


def of_django() -> Iterator[Message]:
    """Django's own sentences: for a real language it brings their translations."""
    import django

    for folder in ("conf", "contrib/auth"):
        with (Path(django.__file__).parent / folder / "locale/en/LC_MESSAGES/django.po").open("rb") as file:
            yield from read_po(file)


def main() -> None:
    translated = Catalog(locale="en", charset="utf-8")
    for message in chain(of_django(), sentences()):
        if not message.id:
            continue
        said = tuple(map(accented, message.id)) if isinstance(message.id, tuple) else accented(str(message.id))
        translated.add(message.id, said, context=message.context)
    path = FOLDER / LOCALE / "LC_MESSAGES" / "django.mo"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_mo(file, translated)
    print(f"{len(translated)} sentences in {path}")


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    main()
