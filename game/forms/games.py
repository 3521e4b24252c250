"""The filters of a list of games. They stand in its address, so what makes no sense is ignored, not refused."""

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from game.history.lists import GameFilter
from game.models import RulesetRow
from game.rules.names import PLAYER_NAME_LONGEST

RESULTS = (
    ("", _("all")),
    ("won", _("won")),
    ("lost", _("lost")),
    ("nobody", _("without a winner")),
    ("abandoned", _("abandoned")),
)


class FilterForm(forms.Form):
    """Player, ruleset and result."""

    player = forms.CharField(required=False, max_length=PLAYER_NAME_LONGEST)
    result = forms.ChoiceField(required=False, choices=RESULTS)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        rows = RulesetRow.objects.filter(latest=True).order_by("name").values_list("slug", "name")
        self.fields["ruleset"] = forms.ChoiceField(required=False, choices=[("", _("all")), *rows])

    @property
    def wanted(self) -> GameFilter:
        """The filters that hold; a field that makes no sense is taken as empty."""
        self.is_valid()
        return GameFilter(**{name: self.cleaned_data.get(name, "") for name in self.fields})


def page_number(text: str) -> int | None:
    """Return the number of a page, from 1; None where it is more than any list has."""
    if not (text.isascii() and text.isdigit()):
        return 1
    return max(1, int(text)) if len(text) < 10 else None
