"""Rulesets as people edit them: labels, the form, doubts about odd settings, differences in words, dice to try."""

from game.forms.rulesets.bench import Bench, bench
from game.forms.rulesets.differences import differences
from game.forms.rulesets.doubts import doubts
from game.forms.rulesets.form import RulesetForm

__all__ = ["Bench", "RulesetForm", "bench", "differences", "doubts"]
