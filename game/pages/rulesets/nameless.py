"""Rules that were made at a table, as a page of the site shows them."""

from dataclasses import dataclass

from django.urls import reverse

from game.rules import Ruleset


@dataclass(frozen=True)
class NamelessRules:
    """Rules as their page shows them: whoever made them, no words of theirs."""

    name: str
    rules: Ruleset
    digest: str
    origin: str
    retired: None = None

    def get_absolute_url(self) -> str:
        """Return the address of the page."""
        return reverse("game:played-ruleset", args=[self.digest])
