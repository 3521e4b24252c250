"""Compiles the translation catalogues each time the program starts, since only their sources are committed.

`python -m game.catalogues` does the same without starting the program, as when an image is built.
"""

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel.messages import Catalog, Message

LOCALES = Path(__file__).resolve().parent / "locale"


def compile_catalogues(folder: Path = LOCALES) -> None:
    """Compile every catalogue in this folder that has changed since it was last compiled.

    The compiled file carries its source's time stamp, so a wrong clock or a checkout of an older version leaves nothing
    stale. Several processes may do this at once; each moves its finished file into place.
    """
    for source in folder.glob("*/LC_MESSAGES/*.po"):
        compiled, written = source.with_suffix(".mo"), source.stat().st_mtime_ns
        if not compiled.exists() or compiled.stat().st_mtime_ns != written:
            _compile_catalogue(source, compiled, written)


def list_untranslated(catalog: "Catalog") -> "list[Message]":
    """Return the sentences of a catalogue that lack a translation, or one of its plural forms."""
    return [message for message in catalog if message.id and not (message.string and all(message.string))]


def _compile_catalogue(source: Path, compiled: Path, written: int) -> None:
    # Imported here because it takes memory, and most processes find everything compiled.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with source.open("rb") as file:
        catalog = read_po(file, abort_invalid=True)
    for message in list_untranslated(catalog):  # an empty plural form would show nothing
        catalog.delete(message.id, message.context)
    with tempfile.NamedTemporaryFile(dir=source.parent, delete=False) as whole:
        write_mo(whole, catalog)
    os.chmod(whole.name, 0o644)
    os.utime(whole.name, ns=(written, written))
    os.replace(whole.name, compiled)


if __name__ == "__main__":
    compile_catalogues()
