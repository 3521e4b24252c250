"""The name of a ruleset in the reader's language, and where it is played.

The names of the rulesets that come with the app are translated if they are English; a name that people in some other
country give their game is the same in every language.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from game.models import RulesetRow
from game.pages.parts.language import find_language, gettext
from game.rules import PRESETS, Ruleset
from game.services.gallery import WorldTable, read_tables

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
        return gettext(SHOWN_NAMES.get(name, name)) if name == PRESETS[slug].name else name
    table = read_tables().get(slug)
    if table is None or table.ruleset.name != name:
        return name
    if language in dict(table.names):
        return next(own for code, own in table.names if code == language)
    return gettext(name) if table.names[0][0] == "en" else name


def split_region(table: WorldTable) -> list[str]:
    """Return the countries of a table as its file names them; an empty one at the end stands for anywhere."""
    regions = table.region.split(", ")
    countries = [region for region in regions if region not in ANYWHERE]
    return [*countries, ""] if len(countries) < len(regions) else countries


def describe_region(table: WorldTable) -> str:
    """Return where a ruleset is played, as in "Germany, Austria"."""
    return ", ".join(gettext(region) if region else gettext("online") for region in split_region(table))


def describe_player_count(table: WorldTable) -> str:
    """Return how many play at a table, as in "2–10" or "2 or more"."""
    return str(_("%(n)s or more")) % {"n": table.players.split()[0]} if "or more" in table.players else table.players
