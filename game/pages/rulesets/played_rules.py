"""Rules that were made at a table, as a page of the site shows them."""

from dataclasses import dataclass

from django.urls import reverse

from game.models import PlayedRuleset
from game.pages.parts.language import gettext as _
from game.pages.rulesets.names import find_origin, name_ruleset
from game.rules import Ruleset
from game.services.own_rules import find_row_played_alike

PLAYED_PREFIX = "x-"  # precedes the digest of played rules in links, where other rulesets have their slug


@dataclass(frozen=True)
class PlayedRules:
    """Played rules as their page shows them: without any words of whoever made them."""

    name: str
    rules: Ruleset
    digest: str
    origin: str
    retired: None = None

    @property
    def slug(self) -> str:
        """The value of these rules in a form's choices."""
        return PLAYED_PREFIX + self.digest

    def get_absolute_url(self) -> str:
        """Return the address of the page."""
        return reverse("game:played-ruleset", args=[self.digest])


def show_played(played: PlayedRuleset) -> PlayedRules:
    """Return played rules under the name of the site's ruleset that plays the same, else under their digest."""
    row = find_row_played_alike(played.rules)
    if row:
        return PlayedRules(name_ruleset(row), played.rules, played.digest, find_origin(row))
    return PlayedRules(played.name, played.rules, played.digest, _("Rules that were made at a table"))
