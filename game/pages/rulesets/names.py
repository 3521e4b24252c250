"""The name of a ruleset in the reader's language, where it is played, and where it comes from.

The names of the rulesets that come with the app are translated if they are English; a name that people in some other
country give their game is the same in every language.
"""

import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext_lazy, gettext_noop

from game.models import RulesetRow
from game.pages.parts.language import find_language
from game.pages.parts.language import gettext as _
from game.rules import PRESETS, Ruleset
from game.services.shipped_rulesets import WorldTable, find_world_table, read_world_tables

# Names of the rulesets of the documents; the world's tables have theirs in their files, where makemessages finds them.
ENGLISH_NAMES = (
    gettext_noop("Dice 10,000"),
    gettext_noop("Boxcars"),
    gettext_noop("The Pot"),
    gettext_noop("Farkle"),
    gettext_noop("Quick Farkle"),
    gettext_noop("Greed"),
    gettext_noop("Quick Greed"),
)
# The sources of the shipped rulesets, by slug.
ORIGINS = {
    "classic": gettext_lazy("From “Game rules” of the computer game Classic 10000"),
    "wikipedia": gettext_lazy("From “Dice 10000” in Wikipedia, the free encyclopedia"),
    "boxcars": gettext_lazy("From “Dice 10000” in Wikipedia, with the alternative scoring set"),
    "pot": gettext_lazy("From “The Game of 10,000”"),
    "farkle": gettext_lazy("From “Farkle, or 10,000”"),
    "farkle-quick": gettext_lazy("From “Farkle, or 10,000”, in the version that speeds up the game"),
    "greed": gettext_lazy("From “My Dice Game Rules”, also known as Greed"),
    "greed-5000": gettext_lazy("From “My Dice Game Rules”, also known as Greed, to 5,000"),
}
ANYWHERE = ("apps", "audio game", "web", "worldwide")


# Stored name → shown name: game files and links keep the former, but on the screen a number has its comma.
SHOWN_NAMES = {"Classic 10000": gettext_noop("Classic 10,000")}


def name_ruleset(ruleset: Ruleset | RulesetRow) -> str:
    """Return the name of a ruleset in the reader's language; a name given on this site stays as it is."""
    return _name_ruleset(ruleset.slug, ruleset.name, find_language())


def name_stored(settings: Mapping[str, Any]) -> str:
    """Return what `name_ruleset` returns, from the settings of a game, without loading the rest of its ruleset."""
    return _name_ruleset(settings["slug"], settings["name"], find_language())


@lru_cache(maxsize=1024)
def _name_ruleset(slug: str, name: str, language: str | None) -> str:
    if slug in PRESETS:
        return _(SHOWN_NAMES.get(name, name)) if name == PRESETS[slug].name else name
    table = read_world_tables().get(slug)
    if table is None or table.ruleset.name != name:
        return name
    if language in dict(table.names):
        return next(own for code, own in table.names if code == language)
    return _(name) if table.names[0][0] == "en" else name


def split_region(table: WorldTable) -> list[str]:
    """Return the countries of a table as its file names them; an empty one at the end stands for anywhere."""
    regions = table.region.split(", ")
    countries = [region for region in regions if region not in ANYWHERE]
    return [*countries, ""] if len(countries) < len(regions) else countries


def describe_region(table: WorldTable) -> str:
    """Return where a ruleset is played, as in "Germany, Austria"."""
    return ", ".join(_(region) if region else _("online") for region in split_region(table))


def describe_player_count(table: WorldTable) -> str:
    """Return how many play at a table, as in "2–10" or "2 or more"."""
    return _("%(n)s or more") % {"n": table.players.split()[0]} if "or more" in table.players else table.players


def find_origin(row: RulesetRow) -> str:
    """Return where a ruleset comes from, in the site operator's words or else in the app's."""
    if row.origin:
        return row.origin
    if row.shipped and row.slug in ORIGINS:
        return str(ORIGINS[row.slug])
    if table := find_world_table(row):
        return _("Where it is played: %(region)s") % {"region": describe_region(table)}
    return _("House rules of this site")


def place_in_list(row: RulesetRow) -> tuple[int, int, str]:
    """Return a sort key: rulesets of the documents come first, then this site's own, then the tables of the world.

    Those are in the order of their names in the reader's language.
    """
    if row.shipped and row.slug in ORIGINS:
        return 0, list(ORIGINS).index(row.slug), ""
    if find_world_table(row):
        return 2, 0, unicodedata.normalize("NFKD", name_ruleset(row).casefold())
    return 1, row.pk, ""
