"""Collect the sentences of the site into the catalogues that its translators edit; GNU gettext is not needed."""

import io
import json
import re
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from babel import Locale, UnknownLocaleError
from babel.messages import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_file, extract_python
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.core.management.base import CommandError
from django.template import engines
from django.template.backends.jinja2 import Jinja2
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, templatize
from jinja2.ext import extract_from_ast

from game.catalogues import LOCALES, list_untranslated
from game.management.shell import ShellCommand
from game.pages.parts.text import number
from game.pages.rulesets.names import ANYWHERE
from game.services.shipped_rulesets import FOLDER

KEYWORDS: Mapping[str, Any] = DEFAULT_KEYWORDS | {
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext_lazy": (1, 2),
    "npgettext_lazy": ((1, "c"), 2, 3),
    "pgettext_lazy": ((1, "c"), 2),
}
FOR_TRANSLATORS = "Translators:"
# Headers that change with every run would only cause merge conflicts.
CHANGING_HEADER = re.compile(
    r'^"(Project-Id-Version|Report-Msgid-Bugs-To|POT-Creation-Date|PO-Revision-Date|Last-Translator|Language-Team'
    r'|Generated-By): .*"\n',
    re.M,
)


def extract_jinja(file: BinaryIO, *_: Any, **__: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the sentences of a page of the site, as Babel expects them."""
    pages = engines["jinja2"]
    assert isinstance(pages, Jinja2)
    for line, function, texts in extract_from_ast(pages.env.parse(file.read().decode())):
        yield line, function, texts, []


def extract_django(file: BinaryIO, keywords: Any, comment_tags: Any, options: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the sentences of a template of the admin or of a mail, as Babel expects them."""
    python = "\n".join(line.strip() for line in templatize(file.read().decode()).splitlines())
    return extract_python(io.BytesIO(python.encode()), keywords, comment_tags, options)


def extract_table(file: BinaryIO, *_: Any, **__: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the texts of a table of the world: its name, if that is English, where it is played, and its notes."""
    data = json.load(file)
    names = [name["name"] for name in data["names"][:1] if name["language"] == "en"]
    regions = [region for region in data["region"].split(", ") if region not in ANYWHERE]
    for text in [*names, *regions, data["notes"]]:
        yield 1, "gettext", text, []


def list_sources() -> Iterator[tuple[Path, str | Callable[..., Any]]]:
    """Yield the files that may contain sentences, each with its extractor."""
    templates = settings.ROOT / "templates"
    for path in (settings.ROOT / "game").rglob("*.py"):
        yield path, "python"
    for path in FOLDER.glob("*.json"):
        yield path, extract_table
    for path in templates.rglob("*.*"):
        yield path, extract_django if templates / "django" in path.parents else extract_jinja


def collect_messages() -> Catalog:
    """Return a catalogue of every translatable sentence in the code and the templates."""
    catalogue = Catalog()
    for path, method in sorted(list_sources(), key=lambda source: source[0]):
        place = path.relative_to(settings.ROOT).as_posix()
        for line, texts, comments, context in extract_from_file(method, path, KEYWORDS, (FOR_TRANSLATORS,)):
            catalogue.add(texts, locations=[(place, line)], auto_comments=comments, context=context)
    return catalogue


class Command(ShellCommand):
    help = "Bring the catalogues of translations up to date with the sentences of the site."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("languages", nargs="*", help='such as "de"; without, all that there are')

    def handle(self, *args: Any, **options: Any) -> None:
        messages = collect_messages()
        for language in options["languages"] or sorted(folder.name for folder in LOCALES.iterdir()):
            path = LOCALES / language / "LC_MESSAGES" / "django.po"
            try:
                locale = Locale.parse(language)
            except (UnknownLocaleError, ValueError) as error:
                text = _("%(code)s is not a language code such as de or pt_BR.")
                raise CommandError(text % {"code": language}) from error
            catalog = Catalog(locale, header_comment=f"# Ten Thousand in {locale.english_name}.", fuzzy=False)
            if path.exists():
                with path.open("rb") as file:
                    catalog = read_po(file, locale)
            catalog.update(messages, no_fuzzy_matching=True)
            path.parent.mkdir(parents=True, exist_ok=True)
            written = io.BytesIO()
            write_po(written, catalog, width=0, sort_by_file=True, ignore_obsolete=True, include_lineno=False)
            path.write_text(CHANGING_HEADER.sub("", written.getvalue().decode()), encoding="utf-8")
            text = ngettext(
                "%(file)s: %(n)s sentence, %(left)s to translate.",
                "%(file)s: %(n)s sentences, %(left)s to translate.",
                len(catalog),
            )
            left = number(len(list_untranslated(catalog)))
            self.stdout.write(text % {"file": path.relative_to(settings.ROOT), "n": number(len(catalog)), "left": left})
