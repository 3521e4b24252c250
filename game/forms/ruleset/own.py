"""The form of a ruleset for people at a table."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from game import rules
from game.forms.ruleset.form import RulesetForm
from game.forms.ruleset.texts import SENTENCES, Group
from game.forms.shared_rules import read_shared_rules, write_shared_rules
from game.pages.rulesets.names import name_ruleset
from game.pages.rulesets.problems import describe_problem
from game.rules.names import shorten_name
from game.rules.ruleset import RULESET_NAME_LONGEST

OWN_SLUG = "custom"


def name_changed(ruleset: rules.Ruleset) -> rules.Ruleset:
    """Return the rules under the default name for changed rules; rules that were changed before keep theirs."""
    if ruleset.slug == OWN_SLUG:
        return ruleset
    name = _("%(name)s, changed") % {"name": name_ruleset(ruleset)}
    name = " ".join(name.split())  # a number may contain a narrow space, which names may not
    return replace(ruleset, slug=OWN_SLUG, name=shorten_name(name, RULESET_NAME_LONGEST))


class OwnRulesetForm(RulesetForm):
    """The settings as people at a table change them: the common ones in sentences, and no name in links."""

    def __init__(self, data: Mapping[str, Any] | None = None, *, settings: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, settings=settings or rules.Ruleset().to_json(), slug=OWN_SLUG)
        del self.fields["slug"]

    def find_rules(self) -> rules.Ruleset | None:
        """Return the posted rules; None if they are invalid or too long, which the form's errors then say."""
        if not self.is_valid():
            return None
        try:
            return read_shared_rules(write_shared_rules(self.rules))
        except rules.RulesetError as error:
            self.add_error(None, describe_problem(error.problems[0]))
            return None

    def sentences(self) -> list[tuple[forms.BoundField, str, str]]:
        """Return the settings that people change most, each field with the words before and after it."""
        parts = [(name, str(sentence).partition("%(field)s")) for name, sentence in SENTENCES.items()]
        return [(self[name], before, after) for name, (before, _place, after) in parts]

    def more(self) -> list[tuple[Group, list[forms.BoundField]]]:
        """Return all other settings, in their groups."""
        return self.groups(leave_out=(*SENTENCES, "slug"))
