"""Templates compiled once for each language, into which everything that is the same for all its readers is written.

A page has some two hundred sentences, icons and addresses that do not depend on who reads it. Looking each of them up
for every page took a third of the time of a page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from django.utils.translation import get_language, gettext, override
from jinja2 import Environment, Template, nodes
from jinja2.visitor import NodeTransformer
from markupsafe import Markup

from game.web.compiled_templates import CompiledTemplates

# The answer to a move, and those of its parts that change with every move. They are compiled into one template, because
# giving each part a copy of the page's context takes a twentieth of its time. Other parts and pages are left out,
# because compiling more at once takes ten megabytes.
JOINED = "board/changes.html"
PARTS = frozenset(
    f"board/{name}.html" for name in ("top", "banner", "scores", "say", "play", "tray", "ways", "turnlog")
)


class PageEnvironment(Environment):
    """The environment of a site in several languages: it has a twin for each language, which compiles for its readers.

    `constants`: functions, by their names in templates, whose results depend on nothing but their arguments and the
    language. No others may be here: everybody would get the first reader's result. For arguments with which a result
    depends on more, they raise `nodes.Impossible`.
    """

    constants: Mapping[str, Callable[..., object]]
    compiled: Path | None = None  # the folder for compiled templates
    language: str | None = None  # of a twin; None for the environment itself

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.twins: dict[str, PageEnvironment] = {}

    def find_twin(self) -> PageEnvironment:
        """Return the twin for the present language, which shares everything but the compiled templates."""
        language = get_language()
        if language not in self.twins:
            kept = CompiledTemplates(self.compiled / str(language)) if self.compiled else None
            twin = self.overlay(bytecode_cache=kept)
            assert isinstance(twin, PageEnvironment)
            twin.language = language
            self.twins[language] = twin
        return self.twins[language]

    def get_template(self, name: Any, *rest: Any, **options: Any) -> Template:
        """Return a template in the present language."""
        if self.language is None:
            return self.find_twin().get_template(name, *rest, **options)
        return super().get_template(name, *rest, **options)

    def from_string(self, source: Any, *rest: Any, **options: Any) -> Template:
        """Return the template with this source, in the present language."""
        if self.language is None:
            return self.find_twin().from_string(source, *rest, **options)
        return super().from_string(source, *rest, **options)

    def _generate(self, source: nodes.Template, name: str | None, *rest: Any, **options: Any) -> str:
        """Return the Python code of a template. Jinja calls this hook, so that environments can change the template."""
        with override(self.language):
            joined = JoiningParts(self).visit(source) if name == JOINED and not self.auto_reload else source
            return super()._generate(Folding(self.constants).visit(joined), name, *rest, **options)


class JoiningParts(NodeTransformer):
    """Replaces a template's includes of `PARTS` by the parts themselves."""

    def __init__(self, environment: PageEnvironment) -> None:
        self.environment = environment

    def visit_Include(self, node: nodes.Include) -> nodes.Node:  # noqa: N802 - Jinja's
        """Return the included part in a scope: it sees the variables around it, and its own don't leave it."""
        name, loader = node.template.as_const(), self.environment.loader
        if name not in PARTS:
            return node
        assert loader is not None  # the templates of the site are files
        source, filename, _uptodate = loader.get_source(self.environment, name)
        part = self.visit(self.environment.parse(source, name, filename))
        return nodes.Scope(part.body, lineno=node.lineno, environment=node.environment)


class Folding(NodeTransformer):
    """Replaces calls of constants by their values, and calls that translate a sentence by its translation."""

    def __init__(self, constants: Mapping[str, Callable[..., object]]) -> None:
        self.constants = constants

    def visit_Call(self, node: nodes.Call) -> nodes.Expr:  # noqa: N802 - Jinja's
        """Return what replaces a call: its value, or the call itself if its value is not always the same."""
        self.generic_visit(node)
        name = node.node.name if isinstance(node.node, nodes.Name) else ""
        if name not in self.constants:
            return node
        try:
            arguments = [argument.as_const() for argument in node.args]
            value = self.constants[name](*arguments) if not node.kwargs else gettext(*arguments)
        except nodes.Impossible:
            return node
        place = {"lineno": node.lineno, "environment": node.environment}
        if not node.kwargs:
            return nodes.Const(value, **place)
        values = [nodes.Pair(nodes.Const(keyword.key), keyword.value) for keyword in node.kwargs]
        filled = nodes.Filter(nodes.Dict(values, **place), "isolate_values", [], [], None, None, **place)
        return nodes.Mod(nodes.Const(Markup(value), **place), filled, **place)
