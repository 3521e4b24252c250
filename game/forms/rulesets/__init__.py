"""Rulesets as people edit them: labels, the form, doubts about odd settings, differences in words, dice to try."""

from game.forms.rulesets.form import RulesetForm
from game.pages.rulesets.changes import differences
from game.pages.rulesets.sample_throws import Bench, bench
from game.pages.rulesets.warnings import doubts

__all__ = ["Bench", "RulesetForm", "bench", "differences", "doubts"]
