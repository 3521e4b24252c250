"""CONTEXT.md: its names exist, and the words that it avoids are neither names in the code nor words on the screen."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
GLOSSARY = (ROOT / "CONTEXT.md").read_text(encoding="utf-8")
MARKING = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy", "pgettext", "npgettext"}


class Term(NamedTuple):
    """A row of the glossary."""

    term: str
    meaning: str
    code: str
    screen: str
    avoid: str


def read_terms() -> list[Term]:
    rows = [line.strip("|").split("|") for line in GLOSSARY.splitlines() if line.startswith("| ")]
    return [Term(*(cell.strip() for cell in row)) for row in rows if row[0].strip() not in ("term", "---")]


TERMS = read_terms()
NAMED = sorted({name for term in TERMS for name in re.findall(r"`([\w.]+)`", term.code)})
WORDS = sorted({word for term in TERMS for word in term.screen.split(", ") if word})
AVOIDED_NAMES = sorted({name for term in TERMS for name in re.findall(r"`(\w+)`", term.avoid)})
AVOIDED_WORDS = sorted({word for term in TERMS for word in re.findall(r'"([^"]+)"', term.avoid)})


# In tests these words mean something else: pytest's session, a push message's nonce, the people and pages of tests.
OTHER_MEANINGS = {"session", "nonce", "cast", "gallery"}


def list_sources(*folders: str) -> Iterator[Path]:
    for folder in folders or ("game", "config"):
        yield from (path for path in (ROOT / folder).rglob("*.py") if "migrations" not in path.parts)


@cache
def list_names(*folders: str) -> frozenset[str]:
    """Return every name that the code gives: of modules, classes, functions, parameters, variables and attributes."""
    given = {path.stem for path in list_sources(*folders)} | {path.parent.name for path in list_sources(*folders)}
    for path in list_sources(*folders):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    given.add(node.name)
                case ast.arg():
                    given.add(node.arg)
                case ast.Name(ctx=ast.Store()):
                    given.add(node.id)
                case ast.Attribute(ctx=ast.Store()):
                    given.add(node.attr)
    return frozenset(given)


@cache
def list_screen_texts() -> tuple[str, ...]:
    """Return every sentence that the code marks for translation, and every text of a template."""
    texts = [text for path in (ROOT / "templates").rglob("*.html") for text in read_texts(path)]
    for path in list_sources():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKING:
                texts += [
                    arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
                ]
    return tuple(texts)


def read_texts(template: Path) -> list[str]:
    """Return the texts between the tags of a template, and those inside its expressions."""
    text = template.read_text(encoding="utf-8")
    expressions = re.findall(r"\{[{%].*?[%}]\}", text, re.S)
    between = re.split(r"\{[{%#].*?[%}#]\}|<[^>]*>", text, flags=re.S)
    return between + [literal[1:-1] for inside in expressions for literal in re.findall(r"\"[^\"]*\"|'[^']*'", inside)]


def test_a_term_occurs_once_and_has_a_meaning() -> None:
    assert len({term.term for term in TERMS}) == len(TERMS) > 60
    assert all(term.meaning and not term.meaning.endswith(".") for term in TERMS)


@pytest.mark.parametrize("name", NAMED)
def test_a_name_in_the_glossary_exists_in_the_code(name: str) -> None:
    *owner, last = name.split(".")
    assert last in (list_names_in(owner[0]) if owner else list_names())


def list_names_in(owner: str) -> set[str]:
    """Return what the module or the classes of this name define."""
    named = set[str]()
    for path in list_sources():
        text = path.read_text(encoding="utf-8")
        if path.stem != owner and f"class {owner}" not in text:
            continue  # parsing all of them for each name would take seconds
        tree = ast.parse(text)
        classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == owner]
        for body in [owning.body for owning in classes] + [tree.body] * (path.stem == owner):
            named |= {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
            assigned = [target for node in body if isinstance(node, ast.Assign) for target in node.targets]
            assigned += [node.target for node in body if isinstance(node, ast.AnnAssign)]
            named |= {node.id for node in assigned if isinstance(node, ast.Name)}
    return named


@pytest.mark.parametrize("name", AVOIDED_NAMES)
def test_a_name_to_avoid_is_not_in_the_code(name: str) -> None:
    assert name not in list_names()
    assert name not in list_names("tests") - OTHER_MEANINGS


@pytest.mark.parametrize("folders", [("game", "config"), ("tests",)])
def test_few_functions_have_a_name_of_one_word(folders: tuple[str, ...]) -> None:
    """A verb alone leaves its object open; tests and fixtures are named in other ways."""
    modules = [ast.parse(path.read_text(encoding="utf-8")) for path in list_sources(*folders)]
    functions = [node for module in modules for node in module.body if isinstance(node, ast.FunctionDef)]
    names = [node.name.strip("_") for node in functions if not node.name.startswith("test_") and not is_fixture(node)]
    assert sum("_" not in name for name in names) < len(names) / 10


def is_fixture(function: ast.FunctionDef) -> bool:
    return any("fixture" in ast.unparse(decorator) for decorator in function.decorator_list)


def test_no_two_types_share_a_name() -> None:
    """Except those that Django asks for: a `Command` in each module of a command, and `Meta`; and type variables T."""
    named = Counter(name for path in list_sources() for name in list_types(ast.parse(path.read_text(encoding="utf-8"))))
    assert {name for name, types in named.items() if types > 1} <= {"Command", "Meta", "T"}


def list_types(module: ast.Module) -> Iterator[str]:
    """Yield the classes of a module, and the other types that it names, which have a capital and small letters."""
    yield from (node.name for node in ast.walk(module) if isinstance(node, ast.ClassDef))
    assigned = [target for node in module.body if isinstance(node, ast.Assign) for target in node.targets]
    assigned += [node.target for node in module.body if isinstance(node, ast.AnnAssign)]
    yield from (name.id for name in assigned if isinstance(name, ast.Name) and re.match(r"[A-Z]($|.*[a-z])", name.id))


def test_nothing_has_a_second_name_where_it_is_imported() -> None:
    """Except functions that translate, which mark a sentence by `_`, and where others have a custom: NumPy, Django."""
    imports = [
        alias
        for path in list_sources()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    ]
    assert {alias.asname for alias in imports if alias.asname and alias.asname != alias.name} <= {"_", "np", "auth"}


@pytest.mark.parametrize("word", WORDS)
def test_a_word_of_the_glossary_is_on_the_screen(word: str) -> None:
    assert find_texts(word)


@pytest.mark.parametrize("word", AVOIDED_WORDS)
def test_a_word_to_avoid_is_not_on_the_screen(word: str) -> None:
    assert not find_texts(word)


def find_texts(word: str) -> list[str]:
    """Return the texts that people read with this word, or its plural, in them."""
    pattern = re.compile(rf"\b{re.escape(word)}s?\b", re.IGNORECASE)
    return [text for text in list_screen_texts() if pattern.search(text)]
