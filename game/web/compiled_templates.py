"""Compiled templates kept on disk, for all processes of the site and for the next start.

To compile the pages of a game takes a process 8 MB that it never gives back, and its first visitor a quarter second.
"""

import hashlib
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import jinja2
from django.conf import settings
from django.template import engines
from django.template.backends.jinja2 import Jinja2
from django.utils.translation import override
from jinja2.bccache import Bucket

# What a compiled template is made of: itself, the parts joined to it, translations and addresses.
SOURCES = (("templates", "*.html"), ("game", "*.po"), ("game", "*.py"), ("config", "*.py"))


class CompiledTemplates(jinja2.FileSystemBytecodeCache):
    """The compiled templates of one language, in a folder of their own. Where nothing can be written, none are kept."""

    def __init__(self, folder: Path) -> None:
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
        super().__init__(str(folder), "%s")

    def load_bytecode(self, bucket: Bucket) -> None:
        """Read a compiled template, if there is one."""
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a compiled template, if the disk lets us."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def compile_board() -> None:
    """Compile the board in every language, and forget what other versions of the program compiled.

    Other pages wait for somebody to open them: all of them together would take four seconds.
    """
    engine = engines["jinja2"]
    assert isinstance(engine, Jinja2)
    environment = engine.env
    for language, _name in settings.LANGUAGES:
        with override(language):
            for name in environment.list_templates(filter_func=lambda name: name.startswith("board/")):
                environment.get_template(name)
    present = find_folder()
    for folder in settings.TEMPLATES_DIR.glob("*"):
        if folder != present:
            shutil.rmtree(folder, ignore_errors=True)


def find_folder() -> Path:
    """Return the folder for the templates as this program compiles them: another version of it has another folder."""
    state = [jinja2.__version__, settings.ADMIN_PATH, *map(str, settings.LOCALE_PATHS), *_describe_sources()]
    return Path(settings.TEMPLATES_DIR, hashlib.sha256("\n".join(state).encode()).hexdigest()[:16])


def _describe_sources() -> Iterator[str]:
    """Yield a line for each file, which changes when the file does."""
    for folder, pattern in SOURCES:
        for path in sorted(Path(settings.ROOT, folder).rglob(pattern)):
            file = path.stat()
            yield f"{path} {file.st_size} {file.st_mtime_ns}"
