"""The catalogues: complete in each language that is offered, and correct wherever a sentence is translated."""

from __future__ import annotations

import ast
import os
import re
import tomllib
from collections import Counter
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from babel.messages import Catalog, Message
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from django.conf import settings

from game.catalogues import LOCALES, compile_catalogues, list_untranslated
from game.management.commands.makemessages import KEYWORDS
from game.pages.rulesets.names import SHOWN_NAMES
from game.rules import PRESETS
from tests.pseudo import collect_once

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = sorted(folder.name for folder in LOCALES.iterdir())
PLACE = re.compile(r"%\((\w+)\)[sd]|\{(\w+)\}")
TAG = re.compile(r"</?[a-z][^>]*>")
NAMED_BUTTON = re.compile(r'aria-label="\{\{ _\("([^"]+)"[^}]*\}\}"[^>]*>\s*\{\{-? _\("([^"]+)"\) -?\}\}')


class AnyValue(dict[str, int]):
    """A number for every place for a value."""

    def __missing__(self, place: str) -> int:
        return 7


@cache
def read_catalog(language: str) -> Catalog:
    with (LOCALES / language / "LC_MESSAGES" / "django.po").open("rb") as file:
        return read_po(file, abort_invalid=True)


@cache
def read_glossary(language: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / "glossary" / f"{language}.toml").read_text(encoding="utf-8"))


def list_forms(texts: Any) -> list[str]:
    return [texts] if isinstance(texts, str) else list(texts)


def list_translated(language: str) -> list[tuple[Message, list[str], list[str]]]:
    """Every translated sentence with its English forms and its translated ones."""
    catalog = read_catalog(language)
    untranslated = {(str(message.id), message.context) for message in list_untranslated(catalog)}
    return [
        (message, list_forms(message.id), list_forms(message.string))
        for message in catalog
        if message.id and (str(message.id), message.context) not in untranslated
    ]


def find_places(text: str) -> set[str]:
    return {match[1] or match[2] for match in PLACE.finditer(text)}


def test_every_catalogue_has_a_glossary_and_a_name() -> None:
    assert sorted(path.stem for path in (ROOT / "glossary").glob("*.toml")) == LANGUAGES
    source = (ROOT / "config" / "settings.py").read_text(encoding="utf-8")
    assert [language for language in LANGUAGES if f'("{language}", "' not in source] == []


@pytest.mark.examples
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_that_is_offered_has_every_sentence(language: str) -> None:
    catalog = read_catalog(language)
    if language in settings.UNFINISHED_LANGUAGES:
        return
    left = {str(message.id) for message in list_untranslated(catalog)}
    messages = [message for message in collect_once() if message.id]
    new = {str(message.id) for message in messages if catalog.get(message.id, message.context) is None}
    assert left | new == set()


def test_the_names_of_the_rulesets_of_the_documents_are_sentences_to_translate() -> None:
    sentences = {message.id for message in collect_once()}
    assert {SHOWN_NAMES.get(ruleset.name, ruleset.name) for ruleset in PRESETS.values()} <= sentences


def test_no_sentence_is_inside_a_formatted_string() -> None:
    """In Python 3.11 Babel does not look there, so nobody could translate it."""
    hidden = [
        f"{path.relative_to(ROOT)}: {ast.unparse(call)}"
        for path in (ROOT / "game").rglob("*.py")
        for formatted in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(formatted, ast.JoinedStr)
        for call in ast.walk(formatted)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in {"_", *KEYWORDS}
        if any(isinstance(word, ast.Constant) for word in call.args)
    ]
    assert hidden == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_place_for_a_value_is_in_the_translation(language: str) -> None:
    wrong = []
    for _, english, forms in list_translated(language):
        common = set.intersection(*map(find_places, english)) - ({"num"} if len(forms) > 1 else set())
        known = set.union(*map(find_places, english))
        wrong += [form for form in forms[:-1] if not common <= find_places(form) <= known]
        wrong += [forms[-1]] * (find_places(forms[-1]) != find_places(english[-1]))
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_translation_can_be_filled_in(language: str) -> None:
    wrong = []
    for _, english, forms in list_translated(language):
        for form in forms:
            if "%" not in "".join(english):
                wrong += [form] * ("%" in form)
            elif find_places("".join(english)) or "%%" in "".join(english):
                try:
                    form % AnyValue()
                except (ValueError, TypeError, KeyError):
                    wrong.append(form)
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_has_the_markup_and_outer_blanks_of_its_source(language: str) -> None:
    wrong = []
    for _, english, forms in list_translated(language):
        for source, form in zip((english[0], *[english[-1]] * (len(forms) - 1)), forms, strict=True):
            ends = [(text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]) for text in (source, form)]
            if Counter(TAG.findall(source)) != Counter(TAG.findall(form)) or ends[0] != ends[1]:
                wrong.append(form)
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_plural_has_all_the_forms_of_its_language(language: str) -> None:
    catalog = read_catalog(language)
    plurals = [forms for _, english, forms in list_translated(language) if len(english) > 1]
    assert [forms for forms in plurals if len(forms) != catalog.num_plurals] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_translation_is_the_english_sentence(language: str) -> None:
    same = set(read_glossary(language).get("same", ()))
    equal = [forms[0] for _, english, forms in list_translated(language) if forms == english and has_words(forms[0])]
    assert sorted(set(equal) - same) == []


def has_words(text: str) -> bool:
    return re.search(r"[^\W\d_]{2}", TAG.sub("", PLACE.sub("", text))) is not None


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_translation_uses_a_word_that_the_glossary_avoids(language: str) -> None:
    glossary = read_glossary(language)
    avoided = [*glossary.get("avoid", ()), *chain(*(term.get("avoid", ()) for term in glossary["terms"].values()))]
    words = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, avoided))})(?!\w)", re.I)
    translated = [form for _, _, forms in list_translated(language) for form in forms]
    wrong = {form: match[0] for form in translated if (match := words.search(PLACE.sub("", form)))}
    assert wrong == {}


def test_french_has_its_unbroken_spaces_before_signs_and_units_and_inside_quotation_marks() -> None:
    wrong = re.compile(r" (?:[:;!?»]|%(?![(s])|[KM]io\b)|« |\u00a0[;!?]")
    assert [form for _, _, forms in list_translated("fr") for form in forms if wrong.search(form)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_of_the_glossary_are_used_in_the_translation(language: str) -> None:
    text = "\n".join(form for _, _, forms in list_translated(language) for form in forms).casefold()
    unused = {
        english: term["use"]
        for english, term in read_glossary(language)["terms"].items()
        if not any(word.casefold() in text for word in term["use"])
    }
    assert unused == {} or language in settings.UNFINISHED_LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_entry_names_its_files_without_lines_or_dates(language: str) -> None:
    text = (LOCALES / language / "LC_MESSAGES" / "django.po").read_text(encoding="utf-8")
    assert not re.search(r"^#: .*:\d+", text, re.M)
    assert not re.search(r"^#~|^#, .*fuzzy|Date: ", text, re.M)


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_the_name_of_a_button_contains_what_it_shows(language: str) -> None:
    """Whoever speaks to the page says what they read (WCAG 2.5.3)."""
    listed = [] if language == "en" else list_translated(language)
    translated = {sources[0]: forms[0] for message, sources, forms in listed if not message.context}
    templates = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "templates").rglob("*.html"))
    named = NAMED_BUTTON.findall(templates)
    assert len(named) >= 7
    for name, shown in named:
        spoken = re.sub(r"%\(\w+\)s", "", translated.get(name, name)).casefold()
        assert translated.get(shown, shown).rstrip("…").casefold() in spoken, (name, shown)


def test_a_catalogue_is_compiled_only_when_it_has_changed(tmp_path: Path) -> None:
    source = tmp_path / "de" / "LC_MESSAGES" / "django.po"
    source.parent.mkdir(parents=True)
    compiled = source.with_suffix(".mo")
    source.write_text('msgid "throw"\nmsgstr "Wurf"\n\nmsgid "bust"\nmsgstr ""\n', encoding="utf-8")
    compile_catalogues(tmp_path)
    with compiled.open("rb") as file:
        assert [(message.id, message.string) for message in read_mo(file) if message.id] == [("throw", "Wurf")]
    compiled.write_bytes(b"kept")
    os.utime(compiled, ns=(source.stat().st_mtime_ns,) * 2)
    compile_catalogues(tmp_path)
    assert compiled.read_bytes() == b"kept"
    os.utime(source, ns=(1, 1))
    compile_catalogues(tmp_path)
    assert compiled.read_bytes() != b"kept"
    assert [path.name for path in source.parent.iterdir()] in (["django.mo", "django.po"], ["django.po", "django.mo"])
