"""All rulesets as cards, and up to three of them side by side."""

from collections.abc import Collection
from typing import Any

from game.models import PlayedRuleset, RulesetRow
from game.pages.rulesets import comparison, search, summary
from game.pages.rulesets.names import find_origin, name_ruleset, place_in_list
from game.pages.rulesets.played_rules import PLAYED_PREFIX

COMPARED = 3

RulesetCard = tuple[RulesetRow, str, tuple[comparison.Line, ...], str]


def build_ruleset_list(query: str, slugs: Collection[str]) -> dict[str, object]:
    """Return the cards of all rulesets that a query finds, and the comparison of those with these slugs.

    Those with the words of the query in their names come first.
    Instead of a slug, rules that were made at a table have `x-` and their digest.
    """
    rows = sorted(RulesetRow.query_offered(), key=place_in_list)
    chosen: list[Any] = [row for row in rows if row.slug in slugs]
    played = (slug for slug in slugs if slug.startswith(PLAYED_PREFIX) and slug.isprintable())
    digests = [slug.removeprefix(PLAYED_PREFIX) for slug in played][:COMPARED]
    chosen += PlayedRuleset.objects.filter(digest__in=digests) if digests else []
    compared = chosen[:COMPARED]
    found = [row for row in rows if search.is_found(query, row)] if query else rows
    if query:
        found.sort(key=lambda row: not search.is_named(query, row))
    return {
        "query": query,
        "cards": [build_ruleset_card(row) for row in found],
        "compared": compared,
        # Rules made at a table have no name of their own that may be shown.
        "names": [
            (name_ruleset(row) if isinstance(row, RulesetRow) else row.name, row.get_absolute_url()) for row in compared
        ],
        "lines": comparison.compare_rulesets([row.rules for row in compared]),
        "compared_played": digests,
        "too_many": len(chosen) > COMPARED,
    }


def build_ruleset_card(row: RulesetRow) -> RulesetCard:
    """Return a ruleset with its origin, its main facts and what is special about it."""
    facts, specials = comparison.list_main_facts(row.rules), summary.describe_specials(row.rules)
    return row, find_origin(row), facts, specials
