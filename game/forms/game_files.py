"""The forms that take a game file, or a zip file of game files."""

import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from game.models.visitors import CODE
from game.rules.record import BYTES_MOST, Flaw, Record, RecordError, from_json

TOO_LARGE = "too_large"  # the code of the error for a file of which nothing has been read
NOT_CHOSEN = _("Choose a .json file that you downloaded from a game.")
ARCHIVE_BYTES_MOST = 4 * 1024 * 1024
FILES_MOST = 10_000
NAMED = re.compile(rf"ten-thousand-({CODE})\.json\Z")
UNPACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, OverflowError, RuntimeError, ValueError)
NO_ARCHIVE = _("This isn’t a zip file of games. Choose the one that you downloaded here.")


class LoadForm(forms.Form):
    """A game file of at most 256 KiB."""

    file = forms.FileField(
        allow_empty_file=False,
        max_length=None,
        error_messages={
            **dict.fromkeys(("required", "invalid", "missing"), NOT_CHOSEN),
            "empty": _("This file is empty. Choose a .json file that you downloaded from a game."),
        },
    )

    def clean_file(self) -> Record:
        """Return the record in the file. Raises `ValidationError`, or `RecordError`, which names up to five places."""
        sent: Any = self.cleaned_data["file"]
        if sent.size > BYTES_MOST:
            raise ValidationError(_("This file is too large. A game file is at most 256 KiB."), code=TOO_LARGE)
        return from_json(sent.read())


@dataclass(frozen=True)
class ArchivedFile:
    """A file in the zip file, not unpacked yet."""

    archive: zipfile.ZipFile
    info: zipfile.ZipInfo

    @property
    def name(self) -> str:
        """The file's name, without its folders."""
        return PurePosixPath(self.info.filename).name

    @property
    def code(self) -> str:
        """The game's code in the file's name; "" if the name has none."""
        match = NAMED.match(self.name)
        return match[1] if match else ""

    def read(self) -> Record:
        """Return the record in the file. Raises `RecordError`. Never unpacks more bytes than a game file may have."""
        try:
            with self.archive.open(self.info) as file:
                text = file.read(BYTES_MOST + 1) if self.info.compress_type in UNPACKED else None
        except BROKEN:
            text = None
        if text is None:
            raise RecordError([Flaw("file", gettext_noop("This file cannot be read."))])
        if len(text) > BYTES_MOST:
            raise RecordError([Flaw("file", gettext_noop("This file is too large. A game file is at most 256 KiB."))])
        return from_json(text)


class ArchiveForm(forms.Form):
    """A zip file of at most 4 MiB."""

    file = forms.FileField(
        max_length=None, error_messages=dict.fromkeys(("required", "invalid", "missing", "empty"), NO_ARCHIVE)
    )

    def clean_file(self) -> list[ArchivedFile]:
        """Return the game files in the zip file. Raises `ValidationError` for no zip file of games."""
        sent: Any = self.cleaned_data["file"]
        if sent.size > ARCHIVE_BYTES_MOST:
            raise ValidationError(_("This file is too large. At most 4 MiB can be sent at once."), code=TOO_LARGE)
        try:
            archive = zipfile.ZipFile(sent)
        except BROKEN as error:
            raise ValidationError(NO_ARCHIVE) from error
        files = list(list_files(archive))
        if not files:
            raise ValidationError(NO_ARCHIVE)
        if len(files) > FILES_MOST:
            raise ValidationError(_("There are too many files in it. At most 10,000 can be sent at once."))
        return files


def list_files(archive: zipfile.ZipFile) -> Iterator[ArchivedFile]:
    """Yield the game files, skipping folders and what operating systems add."""
    for info in archive.infolist():
        if not info.is_dir() and info.filename.endswith(".json") and "__MACOSX" not in info.filename:
            yield ArchivedFile(archive, info)
