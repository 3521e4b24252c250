"""Search for rulesets: by name, by region and by their features."""

import re
import unicodedata
from collections.abc import Iterable

from django.utils import translation

from game.pages.rulesets.names import describe_region
from game.pages.rulesets.summary import describe_end, list_specials
from game.rules import Ruleset
from game.services.gallery import WorldTable

QUERY_LONGEST = 60


def is_found(query: str, ruleset: Ruleset, table: WorldTable | None, origin: str) -> bool:
    """Tell whether every word of a query begins a word about a ruleset, in the reader's language or in English."""
    return has_words(query, list_searched_texts(ruleset, table, origin))


def has_words(query: str, texts: Iterable[str]) -> bool:
    """Tell whether every word of a query begins a word of these texts, whatever the case and the accents."""
    searched = fold_searched(" ".join(texts))
    return all(re.search(rf"(?<!\w){re.escape(word)}", searched) for word in fold_searched(query).split())


def list_searched_texts(ruleset: Ruleset, table: WorldTable | None, origin: str) -> list[str]:
    """Return all texts in which a search for a ruleset looks."""
    words = [ruleset.name, origin, *describe_features(ruleset)]
    with translation.override("en"):
        words += describe_features(ruleset)
    if table:
        words += [name for _language, name in table.names]
        words += [table.region, describe_region(table), *table.also_known_as, table.source]
    return words


def describe_features(ruleset: Ruleset) -> list[str]:
    """Return how a ruleset ends, and its special features, in words."""
    return [describe_end(ruleset), *list_specials(ruleset)]


def fold_searched(text: str) -> str:
    """Return a text without case and accents, so that "Tysiac" finds "Tysiąc"."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in plain if not unicodedata.combining(character)).replace("ł", "l")
