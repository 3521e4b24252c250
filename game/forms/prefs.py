"""Posted preferences: one control or the whole page."""

from django import forms
from django.http import QueryDict

from game.forms.fields import OneOf
from game.prefs import CHOICES


class PrefsForm(forms.Form):
    """The posted preferences; those left out stay as they are."""

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        for name, values in CHOICES.items():
            self.fields[name] = OneOf(choices=[(value, value) for value in values], required=False)

    def chosen(self) -> dict[str, str]:
        """Return the preferences that were posted, by name."""
        return {name: value for name, value in self.cleaned_data.items() if value}
