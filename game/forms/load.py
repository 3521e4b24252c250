"""A saved game file on its way in."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from game.rules.record import BYTES_MOST, Record, from_json


class TooLarge(Exception):
    """More than a game file can be: 413, and nothing of it is read."""


class LoadForm(forms.Form):
    file = forms.FileField(
        allow_empty_file=False,
        max_length=None,
        error_messages={
            "required": _("Choose a game file. It is what Download gives you, and ends in .json."),
            "invalid": _("Choose a game file. It is what Download gives you, and ends in .json."),
            "missing": _("Choose a game file. It is what Download gives you, and ends in .json."),
            "empty": _("This file is empty. Choose a game file, as Download gives you."),
        },
    )

    def clean_file(self) -> Record:
        """The record in the file. `RecordError` names up to five places; the view shows them."""
        sent: Any = self.cleaned_data["file"]
        if sent.size > BYTES_MOST:
            raise TooLarge
        return from_json(sent.read())
