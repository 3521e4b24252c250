"""The form of how the site presents a ruleset, which is no part of the rules."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from game.forms.fields import WholeNumber, is_clean
from game.models import RulesetRow
from game.pages.home import suits_home
from game.pages.parts.text import number
from game.services.rulesets import Presentation

PLACES_MOST = 99


class LineField(forms.CharField):
    """A line of printable text, which may be empty."""

    def clean(self, value: object) -> str:
        text = " ".join(str(value or "").split())
        if len(text) > (self.max_length or 0):
            raise ValidationError(_("Enter up to %(most)s characters.") % {"most": self.max_length})
        if not is_clean(text):
            raise ValidationError(
                _("This text has a character that cannot be used. Use letters, digits, signs or emoji.")
            )
        return text


class PresentationForm(forms.Form):
    """A ruleset's place in lists, whether it is the home page's default, where it comes from and what it is like."""

    place = WholeNumber(
        least=1,
        most=PLACES_MOST,
        required=False,
        label=gettext_lazy("Place among the featured rulesets"),
        help_text=gettext_lazy("1 comes first where people start a game. Empty: not featured."),
        widget=forms.TextInput(attrs={"inputmode": "numeric", "size": 3, "maxlength": 2, "autocomplete": "off"}),
    )
    home = forms.BooleanField(
        required=False, label=gettext_lazy("The home page plays by these rules, and other pages begin with them")
    )
    origin = LineField(
        required=False,
        max_length=120,
        label=gettext_lazy("Where the rules come from"),
        widget=forms.TextInput(attrs={"size": 40, "maxlength": 120}),
    )
    description = LineField(
        required=False,
        max_length=500,
        label=gettext_lazy("What they are like"),
        widget=forms.Textarea(attrs={"rows": 3, "cols": 60, "maxlength": 500}),
    )

    keeps_seats = forms.BooleanField(required=False, label=gettext_lazy("In a rematch the same player begins again"))

    def __init__(self, data: Any, row: RulesetRow) -> None:
        shown = {name: getattr(row, name) for name in self.base_fields}
        super().__init__(data, initial=shown, auto_id="present_%s")
        self.row = row
        limits = {"least": number(1), "most": number(PLACES_MOST)}
        self.fields["place"].error_messages["invalid"] = _("Enter a whole number from %(least)s to %(most)s.") % limits

    def clean_home(self) -> bool:
        chosen = bool(self.cleaned_data["home"])
        if chosen and not suits_home(self.row.rules):
            raise ValidationError(
                _("The game from the home page is for two players with six dice and a target. These rules are not.")
            )
        return chosen

    def problems(self) -> list[tuple[str, str]]:
        """Return (id of the control, sentence that names the field) for the error summary."""
        return [(self[name].auto_id, f"{self[name].label}: {errors[0]}") for name, errors in self.errors.items()]

    def presentation(self) -> Presentation:
        """Return the posted values, once they are valid."""
        return Presentation(**self.cleaned_data)
