"""The question that somebody asks the odds page: the dice left, the points at risk, and the ruleset."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from game.forms.fields import OneOf, WholeNumber
from game.models import RulesetRow
from game.pages.parts.text import name_all_dice
from game.pages.rulesets.played_rules import PLAYED_PREFIX, PlayedRules, show_played
from game.pages.rulesets.shortlist import list_shortlist
from game.rules.ruleset import DICE
from game.services.own_rules import find_played

TURN_POINTS_MOST = 50_000
FIRST = {"dice": "2", "points": "400", "in": "on"}  # the points on the usual scale


def list_choices(chosen: str) -> list[RulesetRow | PlayedRules]:
    """Return the rulesets to choose from; one made at a table only if it is chosen already."""
    played = find_played(chosen.removeprefix(PLAYED_PREFIX)) if chosen.startswith(PLAYED_PREFIX) else None
    return [*list_shortlist(chosen), *([show_played(played)] if played else [])]


class OddsForm(forms.Form):
    """The question as a form. If `ruleset` alone is given, the page's own question fills in the rest."""

    dice = OneOf(choices=[(str(n), n) for n in range(1, DICE + 1)])
    points = WholeNumber(
        most=TURN_POINTS_MOST,
        error_messages=dict.fromkeys(
            ("invalid", "required"), gettext_lazy("Enter points as a whole number up to 50,000, for example 350.")
        ),
    )

    def __init__(self, data: QueryDict, rulesets: Sequence[RulesetRow | PlayedRules]) -> None:
        self.is_asked = "dice" in data or "points" in data
        self.rulesets = {row.slug: row for row in rulesets}
        super().__init__(data)
        if not self.is_asked:
            points = self.ruleset.rules.scale_points(int(FIRST["points"])) if self.ruleset else 0
            self.data = {**FIRST, "ruleset": data.get("ruleset", ""), "points": str(points)}
        self.fields["ruleset"] = forms.Field(required=False)
        self.fields["in"] = forms.BooleanField(required=False)

    def clean_ruleset(self) -> str:
        slug: str = self.cleaned_data["ruleset"]
        if slug and slug not in self.rulesets:
            raise ValidationError(_("Choose a ruleset from this page."))
        return slug

    def clean(self) -> dict[str, Any]:
        most = self.ruleset.rules.dice if self.ruleset else DICE
        if int(self.cleaned_data.get("dice", 0)) > most:
            self.add_error("dice", _("These rules are played with %(all)s dice.") % {"all": name_all_dice(most)})
        return self.cleaned_data

    @property
    def ruleset(self) -> RulesetRow | PlayedRules | None:
        """The chosen ruleset, whatever else is wrong; if it is unknown, the first one; None if there is none."""
        return self.rulesets.get(self.data.get("ruleset", "")) or next(iter(self.rulesets.values()), None)

    def problems(self) -> list[tuple[str, str]]:
        """Return (id of the control, sentence) for the error summary."""
        return [("held" if name == "points" else name, str(errors[0])) for name, errors in self.errors.items()]
