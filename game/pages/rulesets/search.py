"""Search for rulesets: by name, by region, by their features and by what scores."""

import re
import unicodedata
from collections.abc import Iterable

from django.utils import translation

from game.models import RulesetRow
from game.pages.parts.text import format_dice_count
from game.pages.rulesets.names import describe_region, find_origin, name_ruleset
from game.pages.rulesets.summary import describe_end, list_scoring_dice, list_specials
from game.pages.rulesets.values import describe_value
from game.rules import Ruleset
from game.services.shipped_rulesets import WorldTable, find_world_table

QUERY_LONGEST = 60
SHORT_WORD = 2  # letters
THOUSANDS = r"(?<=\d)\W(?=\d{3}\b)"  # what stands between the thousands of a number, in each language


def is_found(query: str, row: RulesetRow) -> bool:
    """Return whether every word of a query begins a word about a ruleset, in the reader's language or in English.

    They may stand in different texts, except for what scores: "three pairs 1500" asks for both in one line.
    """
    ruleset, table = row.rules, find_world_table(row)
    texts = [*list_names(row), find_origin(row), *describe_features(ruleset)]
    lines = describe_scoring(ruleset)
    with translation.override("en"):
        texts += describe_features(ruleset)
        lines += describe_scoring(ruleset)
    if table:
        texts += [*list_names_and_countries(table), table.source]
    return has_words(query, texts) or any(has_words(query, [line]) for line in lines)


def is_named(query: str, row: RulesetRow) -> bool:
    """Return whether every word of a query begins a word of a ruleset's names."""
    return has_words(query, list_names(row))


def has_words(query: str, texts: Iterable[str]) -> bool:
    """Return whether every word of a query begins a word of these texts, whatever the case and the accents.

    Figures and words of one or two letters have to be whole: "5" is not found in 500, nor "UK" in Ukraine.
    """
    searched = fold_searched(" · ".join(texts))
    return all(re.search(_build_pattern(word), searched) for word in fold_searched(query).split())


def _build_pattern(word: str) -> str:
    """Return the regular expression that finds a word of a query. A figure is not found within 1,500 either."""
    if word.isdecimal():
        return rf"(?<!\w)(?<!\d\W){word}(?!\w|\W\d{{3}}\b)"
    return rf"(?<!\w){re.escape(word)}" + (r"(?!\w)" if len(word) <= SHORT_WORD else "")


def list_names(row: RulesetRow) -> list[str]:
    """Return the names of a ruleset: in the reader's language, as it is stored, and of a table of the world, all."""
    table = find_world_table(row)
    return [name_ruleset(row), row.name, *(name for _language, name in (table.names if table else ()))]


def list_names_and_countries(table: WorldTable) -> list[str]:
    """Return all names of a table and its countries, as its file has them and in the reader's language."""
    names = [name for _language, name in table.names]
    return [*names, *table.also_known_as, table.region, describe_region(table)]


def describe_features(ruleset: Ruleset) -> list[str]:
    """Return how a ruleset ends, its dice and its special features, in words."""
    dice = f"{format_dice_count(ruleset.dice)} ({describe_value('dice', ruleset.dice)})"
    return [describe_end(ruleset), dice, *list_specials(ruleset)]


def describe_scoring(ruleset: Ruleset) -> list[str]:
    """Return each line of the table of what scores, with its numbers also in one piece: "Straight 1,500 1500"."""
    return [f"{line.name} {line.points} · {re.sub(THOUSANDS, '', line.points)}" for line in list_scoring_dice(ruleset)]


def fold_searched(text: str) -> str:
    """Return a text without case and accents, so that "Tysiac" finds "Tysiąc"."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in plain if not unicodedata.combining(character)).replace("ł", "l")
