"""The form that takes a game file."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from game.rules.record import BYTES_MOST, Record, from_json

NOT_CHOSEN = _("Choose a .json file that you downloaded from a game.")


class TooLarge(Exception):
    """The file is larger than allowed. None of it has been read."""


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
        """Return the record in the file. Raises `TooLarge`, or `RecordError`, which names up to five places."""
        sent: Any = self.cleaned_data["file"]
        if sent.size > BYTES_MOST:
            raise TooLarge
        return from_json(sent.read())
