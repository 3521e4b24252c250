"""One throw under a ruleset, for a player on the board with nothing set aside: its keeps, or what follows it."""

from dataclasses import dataclass

from game import rules
from game.pages.parts.event_sentences import describe_throw_event
from game.pages.parts.language import gettext as _
from game.pages.rulesets.patterns import describe_effect
from game.rules import Dice, Keep, Ruleset, events
from game.rules.play.playable import await_dice
from game.rules.scoring import find_effect


@dataclass(frozen=True)
class ScoredThrow:
    """A throw and its legal keeps, best first; if there are none, `outcome` says what follows.

    `short` says the same in a word or two, for a table.
    """

    dice: Dice
    keeps: tuple[Keep, ...]
    outcome: str = ""
    short: str = ""


def score_throw(ruleset: Ruleset, dice: Dice, *, named: bool = True) -> ScoredThrow:
    """Return the dice with all their legal keeps. `named`: False if users' own words may not be shown."""
    step = rules.throw(await_dice(ruleset, len(dice)), dice)
    if choices := rules.keeps_now(step.state):
        return ScoredThrow(dice, tuple(sorted(choices, key=lambda keep: not keep.wins)))
    return ScoredThrow(dice, (), *_describe_outcome(ruleset, dice, step, named))


def _describe_outcome(ruleset: Ruleset, dice: Dice, step: rules.Step, named: bool) -> tuple[str, str]:
    """Return what follows a throw with nothing to keep, as a sentence and in a word or two."""
    happened = {type(event): event for event in step.events}
    effect = find_effect(ruleset, dice)
    for again in (events.ThrownAgain, events.Missed):
        if again in happened:
            return describe_throw_event(happened[again], "", True, ruleset.last_die_throws), _("thrown again")
    if events.Eliminated in happened and effect:
        return describe_effect(effect, named=named), _("out of the game")
    if events.Over in happened:
        return _("Every keep goes beyond the target: the turn is over."), _("turn over")
    if effect:
        return describe_effect(effect, named=named), _("bust")
    if rules.keeps(ruleset, dice):
        return _("None of it may be kept: it’s a bust."), _("bust")
    return _("Nothing scores: it’s a bust."), _("bust")
