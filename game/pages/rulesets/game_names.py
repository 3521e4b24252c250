"""The names of the game in each country, and each name with the rules played under it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from game.pages.parts.language import gettext as _
from game.pages.rulesets.names import describe_region, split_region
from game.pages.rulesets.search import fold_searched, has_words, list_names_and_countries
from game.pages.rulesets.summary import describe_end, describe_specials
from game.rules import PRESETS, Ruleset
from game.services.shipped_rulesets import WorldTable, read_world_tables

Named = tuple[str, str, str]  # slug, name and region; the region is "" for a ruleset of the documents


@dataclass(frozen=True)
class NamedRules:
    """Rules as they are played in a country: their names there, and the slug of their page."""

    slug: str
    names: tuple[tuple[str, str], ...]  # (language, name)
    others: tuple[str, ...]  # other names for these rules
    facts: str


def list_regions(tables: Mapping[str, WorldTable]) -> list[tuple[str, list[NamedRules]]]:
    """Return (country, rules) of these tables, from A to Z in the reader's language; last those played anywhere."""
    by_region: dict[str, list[WorldTable]] = {}
    for table in tables.values():
        for region in split_region(table):
            by_region.setdefault(region, []).append(table)
    named = {_(region): rows for region, rows in by_region.items() if region}
    regions = [(name, _list_rules(named[name])) for name in sorted(named, key=fold_searched)]
    return [*regions, (_("Online and everywhere"), _list_rules(by_region[""]))] if "" in by_region else regions


def list_names(tables: Mapping[str, WorldTable], presets: Mapping[str, Ruleset]) -> list[tuple[str, list[Named]]]:
    """Return every name that these rules go by, from A to Z across alphabets, with all rules of that name."""
    by_name: dict[str, list[Named]] = {}
    for slug, ruleset in presets.items():
        by_name.setdefault(ruleset.name, []).append((slug, ruleset.name, ""))
    for slug, table in tables.items():
        link = (slug, table.ruleset.name, describe_region(table))
        for name in dict.fromkeys((*(name for _language, name in table.names), *table.also_known_as)):
            by_name.setdefault(name, []).append(link)
    return [(name, by_name[name]) for name in sorted(by_name, key=fold_searched)]


def find_presets(query: str, offered: Collection[str]) -> dict[str, Ruleset]:
    """Return the offered rulesets of the documents, by slug, in whose name every word of a query begins a word."""
    rulesets = {slug: ruleset for slug, ruleset in PRESETS.items() if slug in offered}
    return {slug: ruleset for slug, ruleset in rulesets.items() if has_words(query, [ruleset.name])}


def find_world_tables(query: str, offered: Collection[str]) -> dict[str, WorldTable]:
    """Return the offered tables, by slug, in whose names and countries every word of a query begins a word."""
    tables = {slug: table for slug, table in read_world_tables().items() if slug in offered}
    return {slug: table for slug, table in tables.items() if has_words(query, list_names_and_countries(table))}


def _list_rules(tables: list[WorldTable]) -> list[NamedRules]:
    return [
        NamedRules(
            slug=table.ruleset.slug,
            names=tuple({name: (language, name) for language, name in reversed(table.names)}.values())[::-1],
            others=tuple(name for name in table.also_known_as if name not in {own for _language, own in table.names}),
            facts=" · ".join(filter(None, (describe_end(table.ruleset), describe_specials(table.ruleset, 1)))),
        )
        for table in tables
    ]
