"""Compiled templates, kept on disk for all processes of the site and for the next start.

Compiling the pages of a game would cost a process 8 MB that it never gives back, and its first visitor 0.25 seconds.
"""

import hashlib
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import jinja2
from django.conf import settings
from django.template import engines
from django.template.backends.jinja2 import Jinja2
from django.utils.translation import override
from jinja2.bccache import Bucket

# The files that a compiled template depends on: templates, translations, and the code behind addresses.
SOURCES = (("templates", "*.html"), ("game", "*.po"), ("game", "*.py"), ("config", "*.py"))


class CompiledTemplates(jinja2.FileSystemBytecodeCache):
    """The compiled templates of one language, in a folder of their own; none are kept if it can't be written to."""

    def __init__(self, folder: Path) -> None:
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
        super().__init__(str(folder), "%s")

    def load_bytecode(self, bucket: Bucket) -> None:
        """Read a compiled template, if it can be read."""
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a compiled template, if it can be written."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def compile_board() -> None:
    """Compile the board in every language, and delete what other versions compiled.

    Other pages are compiled when somebody opens them, since all of them together would take four seconds.
    """
    engine = engines["jinja2"]
    assert isinstance(engine, Jinja2)
    environment = engine.env
    for language, _name in settings.LANGUAGES:
        with override(language):
            for name in environment.list_templates(filter_func=lambda name: name.startswith("board/")):
                environment.get_template(name)
    delete_other_versions()


def delete_other_versions() -> None:
    """Delete what other versions of the program compiled."""
    present = find_folder()
    for folder in settings.TEMPLATES_DIR.glob("*"):
        if folder != present:
            shutil.rmtree(folder, ignore_errors=True)


def find_folder() -> Path:
    """Return the folder for the templates that this version of the program compiles; other versions have others."""
    sources = (path for folder, pattern in SOURCES for path in Path(settings.ROOT, folder).rglob(pattern))
    state = hash_files(sources, jinja2.__version__, settings.ADMIN_PATH, *map(str, settings.LOCALE_PATHS))
    return Path(settings.TEMPLATES_DIR, state[:16])


def hash_files(paths: Iterable[Path], *others: str) -> str:
    """Return 64 hex digits that change when one of these files does, or one of the other texts."""
    files = [(path, path.stat()) for path in sorted(paths)]
    lines = [f"{path} {file.st_size} {file.st_mtime_ns}" for path, file in files]
    return hashlib.sha256("\n".join([*others, *lines]).encode()).hexdigest()
