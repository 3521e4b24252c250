"""Rulesets as rows: load the shipped ones, save an edit as a new version, retire one and offer it again."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from itertools import count
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from game.lock import write_lock
from game.models import RulesetRow
from game.rules import Ruleset
from game.rules.names import shorten_name
from game.rules.ruleset import RULESET_NAME_LONGEST
from game.rules.setting_values import SLUG_LONGEST
from game.services.own_rules import check_playable
from game.services.refusals import Refusal
from game.services.shipped_rulesets import list_shipped_rulesets
from game.services.win_tables import solve_in_background

# The featured ones on a new site: four games that differ.
IN_FRONT = ("classic", "pot", "farkle-quick", "greed")
# In these "player 1 always goes first"; under all other rules a rematch rotates the seats by one.
KEEP_SEATS = ("greed", "greed-5000")
# What the site itself calls the page that changes rules, and rules that were made at a table.
NAMES_OF_THE_SITE = ("change", "custom", "own")


class ShippedRuleset(Refusal):
    """A ruleset that comes with the app stays as it is."""

    status = 403
    sentence = gettext_lazy("This ruleset comes with the app and cannot be changed. Copy it, and change the copy.")


class SlugTaken(Refusal):
    """Another ruleset has this name in links, or the site itself uses it."""

    status = 422
    sentence = gettext_lazy("That name is taken. Choose another one.")


class RulesetMovedOn(Refusal):
    """Somebody saved a version after the one that this edit began from."""

    sentence = gettext_lazy(
        "Somebody else saved this ruleset while you were editing it. Your changes are not saved yet."
    )


def load_shipped_rulesets() -> None:
    """Add the shipped rulesets whose slug does not exist yet; existing ones stay as they are."""
    with write_lock(), transaction.atomic():
        shipped = list_shipped_rulesets()
        there = set(RulesetRow.objects.filter(slug__in=shipped).values_list("slug", flat=True))
        missing = [
            RulesetRow(
                slug=slug,
                name=rules.name,
                settings=rules.to_json(),
                shipped=True,
                place=IN_FRONT.index(slug) + 1 if slug in IN_FRONT else None,
                keeps_seats=slug in KEEP_SEATS,
            )
            for slug, rules in shipped.items()
            if slug not in there
        ]
        # Two processes that start together both find them missing; the second one's rows are ignored.
        RulesetRow.objects.bulk_create(missing, ignore_conflicts=True)


def save_ruleset(row: RulesetRow | None, settings: Mapping[str, Any]) -> RulesetRow:
    """Save a new ruleset, or the version after `row`, and return it; return `row` itself if nothing differs.

    Raises `rules.RulesetError` for invalid settings, and a `Refusal` for unplayable rules, a taken slug, a shipped
    ruleset or a `row` that is no longer the newest version.
    """
    rules = Ruleset.from_json(dict(settings))
    check_playable(rules)
    saved = _make_first_version(rules) if row is None else _make_next_version(row, rules)
    solve_in_background(rules)
    return saved


def _make_first_version(rules: Ruleset) -> RulesetRow:
    try:
        with write_lock(), transaction.atomic():
            if rules.slug in NAMES_OF_THE_SITE or RulesetRow.objects.filter(slug=rules.slug).exists():
                raise SlugTaken
            return RulesetRow.objects.create(slug=rules.slug, name=rules.name, settings=rules.to_json())
    except IntegrityError as error:  # taken since the query above
        raise SlugTaken from error


def _make_next_version(row: RulesetRow, rules: Ruleset) -> RulesetRow:
    if row.shipped:
        raise ShippedRuleset
    settings = {**rules.to_json(), "slug": row.slug}
    if settings == row.rules.to_json():
        return row
    with write_lock(), transaction.atomic():
        # This statement is the lock: of two simultaneous saves the second waits here and then finds a newer version.
        newest = RulesetRow.objects.filter(slug=row.slug, version=row.version, latest=True)
        if not newest.update(latest=False):
            raise RulesetMovedOn
        # Read again: it may have been retired, or its presentation changed, since `row` was read.
        kept = RulesetRow.objects.values("retired", *(setting.name for setting in fields(Presentation))).get(pk=row.pk)
        return RulesetRow.objects.create(
            slug=row.slug, version=row.version + 1, name=rules.name, settings=settings, **kept
        )


@dataclass(frozen=True)
class Presentation:
    """How the site presents a ruleset: its place among the featured ones, whether it is the home page's, two texts.

    `keeps_seats`: in a rematch the same player begins.
    """

    place: int | None
    home: bool
    origin: str
    description: str
    keeps_seats: bool


def present_ruleset(row: RulesetRow, chosen: Presentation) -> None:
    """Set how all versions of a ruleset are presented. Only one ruleset is the home page's default.

    Older versions count, too: the rematch of a game that began by one asks it whether seats rotate.
    """
    with write_lock(), transaction.atomic():
        if chosen.home:
            RulesetRow.objects.filter(home=True).exclude(slug=row.slug).update(home=False)
        RulesetRow.objects.filter(slug=row.slug).update(**asdict(chosen))


def copy_ruleset(row: RulesetRow) -> dict[str, Any]:
    """Return the settings of a copy under a free name, to be edited and then saved as a new ruleset. Stores nothing."""
    taken = set(RulesetRow.objects.values_list("slug", flat=True))
    slugs = (_copy_slug(row.slug, n) for n in count(1))
    name = shorten_name(_("Copy of %(name)s") % {"name": row.name}, RULESET_NAME_LONGEST)
    return {**row.settings, "slug": next(slug for slug in slugs if slug not in taken), "name": name}


def _copy_slug(slug: str, n: int) -> str:
    ending = "-copy" if n == 1 else f"-copy-{n}"
    return slug.removesuffix("-copy")[: SLUG_LONGEST - len(ending)].strip("-") + ending


def retire_ruleset(row: RulesetRow) -> None:
    """Take a ruleset off the list for new games. Games that began with it continue, and its page stays readable."""
    with write_lock():
        RulesetRow.query_offered().filter(slug=row.slug).update(retired=timezone.now())


def offer_ruleset_again(row: RulesetRow) -> None:
    """Put a ruleset back on the list for new games."""
    with write_lock():
        RulesetRow.objects.filter(slug=row.slug, latest=True).update(retired=None)
