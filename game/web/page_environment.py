"""Templates compiled once for each language: what is the same for all its readers is written into them as text.

A page has some two hundred sentences, icons and addresses with nothing of its reader in them. To look each up for every
page took a third of the time of a page.
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

# The answer to a move, and the parts of it that change with every move: to give each a copy of all that the page knows
# takes a twentieth of its time. Not the others, nor other pages: compiling more at once takes ten megabytes.
JOINED = "board/changes.html"
PARTS = frozenset(
    f"board/{name}.html" for name in ("top", "banner", "scores", "say", "play", "tray", "ways", "turnlog")
)


class PageEnvironment(Environment):
    """The environment of a site in several languages: it has a twin for each, which compiles for its readers.

    `constants`: by the name that templates call them by, functions whose answer depends on their arguments and the
    language alone. No others: the answer to the first reader would be everybody's. They raise `nodes.Impossible` for
    arguments of which that is not true.
    """

    constants: Mapping[str, Callable[..., object]]
    compiled: Path | None = None  # the folder that keeps what was compiled
    language: str | None = None  # of a twin

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.twins: dict[str, PageEnvironment] = {}

    def find_twin(self) -> PageEnvironment:
        """Return the twin for the present language. It shares everything but the compiled templates."""
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
        """Return the template that this source is, in the present language."""
        if self.language is None:
            return self.find_twin().from_string(source, *rest, **options)
        return super().from_string(source, *rest, **options)

    def _generate(self, source: nodes.Template, name: str | None, *rest: Any, **options: Any) -> str:
        """Return the Python of a template: Jinja's hook for such changes."""
        with override(self.language):
            joined = JoiningParts(self).visit(source) if name == JOINED and not self.auto_reload else source
            return super()._generate(Folding(self.constants).visit(joined), name, *rest, **options)


class JoiningParts(NodeTransformer):
    """Puts in the place of each of the parts that a template includes the part itself."""

    def __init__(self, environment: PageEnvironment) -> None:
        self.environment = environment

    def visit_Include(self, node: nodes.Include) -> nodes.Node:  # noqa: N802 - Jinja's
        """Return the included part, which sees the variables of the template around it and keeps its own to itself."""
        name, loader = node.template.as_const(), self.environment.loader
        if name not in PARTS:
            return node
        assert loader is not None  # the templates of the site are files
        source, filename, _uptodate = loader.get_source(self.environment, name)
        part = self.visit(self.environment.parse(source, name, filename))
        return nodes.Scope(part.body, lineno=node.lineno, environment=node.environment)


class Folding(NodeTransformer):
    """Puts in the place of calls of constants their values, and in that of a sentence's its translation."""

    def __init__(self, constants: Mapping[str, Callable[..., object]]) -> None:
        self.constants = constants

    def visit_Call(self, node: nodes.Call) -> nodes.Expr:  # noqa: N802 - Jinja's
        """Return what stands for a call: the call itself, where its value is not always the same."""
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
