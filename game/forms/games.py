"""The filters of a list of games. They are in the URL, so those that make no sense are ignored, not refused."""

from datetime import date
from zoneinfo import ZoneInfo

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from game.calling.due import find_zone
from game.forms.fields import WholeNumber
from game.history.lists import GameFilter
from game.models import RulesetRow
from game.pages.rulesets.names import name_stored
from game.rules.names import PLAYER_NAME_LONGEST
from game.rules.ruleset import PLAYERS_MOST

RESULTS = (
    ("", _("all")),
    ("won", pgettext_lazy("games", "won")),
    ("lost", pgettext_lazy("games", "lost")),
    ("nobody", _("without a winner")),
    ("abandoned", pgettext_lazy("games", "abandoned")),
)


# Databases reject dates far outside this range.
SENSIBLE = [MinValueValidator(date(2000, 1, 1)), MaxValueValidator(date(2200, 1, 1))]
ORDERS = (("", _("last played first")), ("oldest", _("oldest first")), ("score", _("my best score first")))


class FilterForm(forms.Form):
    """Which games to list, and in which order."""

    player = forms.CharField(required=False, max_length=PLAYER_NAME_LONGEST)
    result = forms.ChoiceField(required=False, choices=RESULTS)
    seats = WholeNumber(required=False, least=1, most=PLAYERS_MOST)
    since = forms.DateField(required=False, input_formats=["%Y-%m-%d"], validators=SENSIBLE)
    until = forms.DateField(required=False, input_formats=["%Y-%m-%d"], validators=SENSIBLE)
    zone = forms.CharField(required=False)
    order = forms.ChoiceField(required=False, choices=ORDERS)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        rows = RulesetRow.objects.filter(latest=True).order_by("name").values("slug", "name")
        offered = [(row["slug"], name_stored(row)) for row in rows]
        self.fields["ruleset"] = forms.ChoiceField(required=False, choices=[("", _("all")), *offered])

    def clean_zone(self) -> ZoneInfo | None:
        """Return the time zone whose days are meant, which the browser fills in."""
        name = self.cleaned_data["zone"]
        return find_zone(name) if name else None

    @property
    def wanted(self) -> GameFilter:
        """The valid filters; a field that makes no sense counts as empty."""
        self.is_valid()
        return GameFilter(**{name: value for name, value in self.cleaned_data.items() if value})


def read_page_number(text: str) -> int | None:
    """Return the number of a page, from 1, which is also the default; None for one beyond any list."""
    if not (text.isascii() and text.isdigit()):
        return 1
    return max(1, int(text)) if len(text) < 10 else None
