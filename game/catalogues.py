"""Compiles the catalogues of translations, which only their sources are kept of. Run by every start of the program.

`python -m game.catalogues` does it where nobody starts it, such as when an image is built.
"""

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel.messages import Catalog, Message

LOCALES = Path(__file__).resolve().parent / "locale"


def compile_catalogues(folder: Path = LOCALES) -> None:
    """Compile every catalogue in this folder that was not compiled since it was written.

    What was compiled carries the time of its source: a clock that is wrong, or a checkout of an older version,
    then leaves nothing stale. Several processes may do this at once; each puts its file in place as a whole.
    """
    for source in folder.glob("*/LC_MESSAGES/*.po"):
        compiled, written = source.with_suffix(".mo"), source.stat().st_mtime_ns
        if not compiled.exists() or compiled.stat().st_mtime_ns != written:
            _compile(source, compiled, written)


def list_untranslated(catalog: "Catalog") -> "list[Message]":
    """List the sentences of a catalogue that lack a translation, or one of its plural forms."""
    return [message for message in catalog if message.id and not (message.string and all(message.string))]


def _compile(source: Path, compiled: Path, written: int) -> None:
    # Only here: it takes memory, and most processes find everything compiled.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with source.open("rb") as file:
        catalog = read_po(file, abort_invalid=True)
    for message in list_untranslated(catalog):  # a plural form without words would be shown as nothing
        catalog.delete(message.id, message.context)
    with tempfile.NamedTemporaryFile(dir=source.parent, delete=False) as whole:
        write_mo(whole, catalog)
    os.chmod(whole.name, 0o644)
    os.utime(whole.name, ns=(written, written))
    os.replace(whole.name, compiled)


if __name__ == "__main__":
    compile_catalogues()
