"""The rulesets that forms offer to choose from. The page of all rules shows the rest."""

from django.db.models import F, Q, QuerySet

from game.models import RulesetRow
from game.models.compiled import CompiledQuery
from game.rules import PRESETS


def list_shortlist(chosen: str = "") -> list[RulesetRow]:
    """Return the rulesets of the documents, the featured ones, the site's own, and the one with this slug.

    The home page's default comes first, then the featured ones in their order.
    """
    return SHORTLIST(chosen if chosen.isprintable() else "")  # PostgreSQL raises an error for a NUL


def query_shortlist(slug: str) -> QuerySet[RulesetRow]:
    """Return the query of `list_shortlist`."""
    rows = RulesetRow.query_offered().order_by("-home", F("place").asc(nulls_last=True), "-shipped", "pk")
    return rows.filter(Q(slug__in=PRESETS) | Q(shipped=False) | Q(place__gt=0) | Q(home=True) | Q(slug=slug))


SHORTLIST = CompiledQuery(query_shortlist, "a-slug")
