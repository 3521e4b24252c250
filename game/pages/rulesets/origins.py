"""Where rulesets come from, and the order in which the gallery shows them."""

from django.utils.translation import gettext_lazy

from game.models import RulesetRow
from game.pages.parts.language import gettext as _
from game.pages.rulesets.names import describe_region
from game.services.gallery import find_world_table, read_tables

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


def find_origin(row: RulesetRow) -> str:
    """Return where a ruleset comes from, in the site operator's words or else in the app's."""
    if row.origin:
        return row.origin
    if row.shipped and row.slug in ORIGINS:
        return str(ORIGINS[row.slug])
    if table := find_world_table(row):
        return _("Played in: %(region)s") % {"region": describe_region(table)}
    return _("House rules of this site")


def place_in_gallery(row: RulesetRow) -> tuple[int, int]:
    """Return a sort key: rulesets of the documents come first, then this site's own, then the tables of the world."""
    if row.shipped and row.slug in ORIGINS:
        return 0, list(ORIGINS).index(row.slug)
    return (2, list(read_tables()).index(row.slug)) if find_world_table(row) else (1, row.pk)
