"""Django's makemessages, which finds the sentences of Jinja templates as well."""

from pathlib import Path

from django.conf import settings
from django.core.management.commands import makemessages
from django.template import engines
from django.template.backends.jinja2 import Jinja2
from jinja2.ext import extract_from_ast

TEMPLATES = Path(settings.ROOT, "templates")


class SiteFile(makemessages.BuildFile):
    """A file that may be a page of the site."""

    def preprocess(self) -> None:
        """Write the sentences of a page as Python, which xgettext reads."""
        folders = Path(self.path).resolve().parents
        if TEMPLATES not in folders or TEMPLATES / "django" in folders:
            return super().preprocess()
        pages = engines["jinja2"]
        assert isinstance(pages, Jinja2)
        source = Path(self.path).read_text(encoding="utf-8")
        lines = [""] * (source.count("\n") + 1)
        for number, function, given in extract_from_ast(pages.env.parse(source)):
            forms = [text for text in (given if isinstance(given, tuple) else (given,)) if text is not None]
            count = ", 1" if function == "ngettext" else ""
            lines[number - 1] += f"{function}({', '.join(map(repr, forms))}{count}); "
        Path(self.work_path).write_text("\n".join(lines), encoding="utf-8")


class Command(makemessages.Command):
    """Collect the sentences of the site for its translators."""

    build_file_class = SiteFile
