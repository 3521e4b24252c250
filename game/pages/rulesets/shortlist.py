"""The rulesets that forms offer to choose from, and the rest, which the page of all rules shows."""

from collections.abc import Container

from django.db.models import F, Q, QuerySet

from game.models import RulesetRow
from game.models.compiled import CompiledQuery
from game.pages.rulesets.names import place_in_list
from game.rules import PRESETS


def list_shortlist(chosen: str = "") -> list[RulesetRow]:
    """Return the rulesets of the documents, the featured ones, the site's own, and the one with this slug.

    The home page's default comes first, then the featured ones in their order.
    """
    return SHORTLIST(chosen if chosen.isprintable() else "")  # PostgreSQL raises an error for a NUL


def list_rest(slugs: Container[str]) -> list[RulesetRow]:
    """Return the rulesets on offer that have none of these slugs, in the order of the page of all rules."""
    return sorted((row for row in RulesetRow.query_offered() if row.slug not in slugs), key=place_in_list)


def query_shortlist(slug: str) -> QuerySet[RulesetRow]:
    """Return the query of `list_shortlist`."""
    rows = RulesetRow.query_offered().order_by("-home", F("place").asc(nulls_last=True), "-shipped", "pk")
    return rows.filter(Q(slug__in=PRESETS) | Q(shipped=False) | Q(place__gt=0) | Q(home=True) | Q(slug=slug))


SHORTLIST = CompiledQuery(query_shortlist, "a-slug")
