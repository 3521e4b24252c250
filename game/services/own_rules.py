"""Rulesets made at the table: checked before play, remembered by their content, and kept for a visitor."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy

from game.identity import Browser
from game.lock import write_lock
from game.models import KeptRuleset, PlayedRuleset, RulesetRow, Visitor
from game.rules import Ruleset
from game.rules.play.playable import why_unplayable
from game.rules.ruleset import RULESET_NAME_LONGEST
from game.services.refusals import Refusal

KEPT_MOST = 50


class UnplayableRules(Refusal):
    """No game can be played by these rules."""

    status = 422
    sentence = gettext_lazy("No game can be played by these rules.")


class TooManyKept(Refusal):
    """The visitor already keeps as many rulesets as allowed."""

    sentence = gettext_lazy("You keep 50 sets of rules already. Remove one first.")


def check_chosen_rules(chosen: RulesetRow | Ruleset) -> tuple[RulesetRow | None, Ruleset]:
    """Return the row of the rules chosen for a game, None if they were made at the table, and the rules themselves.

    Raises `UnplayableRules`.
    """
    row, rules = (chosen, chosen.rules) if isinstance(chosen, RulesetRow) else (None, chosen)
    if row is None or not row.shipped:
        check_playable(rules)
    return row, rules


def check_playable(rules: Ruleset) -> None:
    """Raise `UnplayableRules` for unplayable rules. Takes up to a second for complex ones."""
    if why_unplayable(rules):
        raise UnplayableRules


def remember_chosen(rules: Ruleset) -> None:
    """Remember rules chosen for a game, without anybody's own words; rules that play the same share a row."""
    settings = {"settings": rules.bare_settings()}
    chosen, is_new = PlayedRuleset.objects.get_or_create(digest=rules.digest, defaults=settings)
    if not is_new and not chosen.played:
        PlayedRuleset.objects.filter(pk=chosen.pk).update(created=timezone.now())


def remember_played(rules: Ruleset) -> None:
    """Remember rules by which a game begins, for ever. One statement, since two games may begin by them at once."""
    played = PlayedRuleset(digest=rules.digest, settings=rules.bare_settings(), played=True)
    PlayedRuleset.objects.bulk_create(
        [played], update_conflicts=True, unique_fields=["digest"], update_fields=["played"]
    )


def find_played(digest: str) -> PlayedRuleset | None:
    """Return the rules behind a digest, if a game has begun by them or they were chosen for one."""
    # An address may contain a NUL, which PostgreSQL answers with an error.
    return PlayedRuleset.objects.filter(digest=digest).first() if digest.isprintable() else None


def keep_ruleset(browser: Browser, played: PlayedRuleset, name: str) -> None:
    """Keep rules for this browser, under a name that nobody else sees. Raises `TooManyKept`."""
    with write_lock(), transaction.atomic():
        visitor = browser.visitor_or_new()
        others = KeptRuleset.objects.filter(visitor=visitor).exclude(played=played)
        if others.count() >= KEPT_MOST:
            raise TooManyKept
        named = {"name": name[:RULESET_NAME_LONGEST]}
        KeptRuleset.objects.update_or_create(visitor=visitor, played=played, defaults=named)


def forget_kept(visitor: Visitor | None, played: PlayedRuleset) -> None:
    """Stop keeping rules for this visitor."""
    with write_lock():
        KeptRuleset.objects.filter(visitor=visitor, played=played).delete()


def list_kept(visitor: Visitor | None) -> list[KeptRuleset]:
    """Return the rules that a visitor keeps, the newest first."""
    return list(KeptRuleset.objects.filter(visitor=visitor).select_related("played")) if visitor else []


def copy_played(played: PlayedRuleset) -> Mapping[str, Any]:
    """Return the settings of played rules, to be edited and published under a name of their own."""
    return {**played.settings, "slug": f"rules-{played.digest[:8]}"}


def find_row_played_alike(rules: Ruleset) -> RulesetRow | None:
    """Return this site's ruleset that plays the same as these rules, if there is one."""
    return next((row for row in RulesetRow.query_offered() if row.rules.digest == rules.digest), None)
