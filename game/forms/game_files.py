"""The forms that take a game file, or a zip file of game files."""

import zipfile
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from game.rules.record import BYTES_MOST, Record, from_json
from game.services.archive import BROKEN, ArchivedFile, list_files

TOO_LARGE = "too_large"  # the code of the error for a file of which nothing has been read
NOT_CHOSEN = _("Choose a .json file that you downloaded from a game.")
ARCHIVE_BYTES_MOST = 4 * 1024 * 1024
FILES_MOST = 10_000
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
            raise ValidationError(_("This zip file has too many files. At most 10,000 can be sent at once."))
        return files
