"""Rulesets as rows, one for each version; rules that were played, and those that visitors keep."""

from __future__ import annotations

import json
from functools import cached_property, lru_cache
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from game.addresses import find_address
from game.rules import Ruleset
from game.rules.setting_values import SLUG_LONGEST


def read_rules(settings: dict[str, Any]) -> Ruleset:
    """Return the ruleset of stored settings."""
    return _read_rules(json.dumps(settings))


@lru_cache(maxsize=256)  # few rulesets are in play at a time, and checking all settings takes longer than a query
def _read_rules(settings: str) -> Ruleset:
    return Ruleset.from_json(json.loads(settings))


class RulesetRow(models.Model):
    """One version of a ruleset. An edit makes a new row; earlier ones stay for the games that began under them."""

    slug = models.SlugField(_("name in links"), max_length=SLUG_LONGEST)
    version = models.PositiveIntegerField(_("version"), default=1)
    latest = models.BooleanField(_("newest version"), default=True)
    name = models.CharField(_("name"), max_length=60)
    settings = models.JSONField(_("settings"), encoder=DjangoJSONEncoder)
    shipped = models.BooleanField(_("comes with the app"), default=False)
    retired = models.DateTimeField(_("archived"), null=True, blank=True)
    created = models.DateTimeField(_("saved"), auto_now_add=True)
    # How the site presents it: not part of the rules, so it changes without a new version.
    place = models.PositiveSmallIntegerField(_("place in front"), null=True, blank=True)
    home = models.BooleanField(_("played from the home page"), default=False)
    origin = models.CharField(_("origin"), max_length=120, blank=True, default="")
    description = models.CharField(_("description"), max_length=500, blank=True, default="")
    keeps_seats = models.BooleanField(_("the same player begins in a rematch"), default=False)

    class Meta:
        db_table = "game_ruleset"
        ordering = ["-shipped", "pk"]
        verbose_name = _("ruleset")
        verbose_name_plural = _("rulesets")
        constraints = [
            models.UniqueConstraint(fields=["slug", "version"], name="one_row_per_version"),
            models.UniqueConstraint(fields=["slug"], condition=models.Q(latest=True), name="one_newest_version"),
            models.UniqueConstraint(
                fields=["home"], condition=models.Q(home=True, latest=True), name="one_ruleset_of_the_home_page"
            ),
        ]

    def __str__(self) -> str:
        return gettext("%(name)s, version %(n)s") % {"name": self.name, "n": self.version}

    def get_absolute_url(self) -> str:
        """Return the address of its page."""
        return find_address("game:ruleset", self.slug)

    @staticmethod
    def query_offered() -> models.QuerySet[RulesetRow]:
        """Return the rulesets on offer for new games: the newest version of each, unless it is retired."""
        return RulesetRow.objects.filter(latest=True, retired=None)

    @cached_property
    def rules(self) -> Ruleset:
        """The ruleset as the rules know it."""
        return read_rules(self.settings)


class PlayedRuleset(models.Model):
    """Rules chosen for a game: one row for all that play the same, without any names.

    `played`: a game has begun by them. Rules that were only chosen are deleted once no waiting game can have them and
    if nobody keeps them.
    """

    digest = models.CharField(max_length=20, unique=True)
    settings = models.JSONField(encoder=DjangoJSONEncoder)
    played = models.BooleanField(default=False)
    created = models.DateTimeField(auto_now_add=True, help_text="Or chosen again, as long as nobody has played by it.")

    def __str__(self) -> str:
        return self.digest

    def get_absolute_url(self) -> str:
        """Return the address of its page."""
        return find_address("game:played-ruleset", self.digest)

    @property
    def name(self) -> str:
        """A name without any user's own words."""
        return gettext("Rules %(code)s") % {"code": self.digest[:6]}

    @cached_property
    def rules(self) -> Ruleset:
        """The ruleset as the rules know it, under a placeholder name."""
        return read_rules(self.settings)


class KeptRuleset(models.Model):
    """Rules that a visitor keeps for other games, under a name that only this visitor sees."""

    visitor = models.ForeignKey("Visitor", models.CASCADE, related_name="kept_rulesets")
    played = models.ForeignKey(PlayedRuleset, models.PROTECT, related_name="kept")
    name = models.CharField(max_length=60, blank=True, default="")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["visitor", "played"], name="kept_once")]

    def __str__(self) -> str:
        return self.name
