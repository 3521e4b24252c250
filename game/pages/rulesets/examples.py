"""Sample throws with what they score under a ruleset, and the bust chances by number of dice."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from game import rules
from game.pages.parts.choices import is_six_of_a_kind
from game.pages.parts.event_sentences import describe_throw_event
from game.pages.parts.language import gettext as _
from game.pages.parts.language import ngettext
from game.pages.parts.text import format_dice, format_dice_count, name_all_dice, number, write_percent
from game.pages.rulesets.patterns import describe_effect, find_sample
from game.rules import Dice, Keep, Ruleset, events
from game.rules.play.playable import await_dice
from game.rules.scoring import find_effect
from game.strategy.odds import chance_to_end_with

# Throws, each with the setting that makes it worth showing; throws without one are always shown. A game with five dice
# shows the first five dice of each.
THROWS = (
    ((1, 2, 2, 2, 4, 5), ""),
    ((1, 5, 5, 2, 3, 6), ""),
    ((4, 4, 4, 4, 2, 3), ""),
    ((5, 5, 5, 5, 5, 5), ""),
    ((1, 2, 3, 4, 5, 6), "straight"),
    ((1, 2, 3, 4, 5, 2), "low_straight"),
    ((2, 3, 4, 5, 6, 6), "high_straight"),
    ((2, 2, 2, 6, 6, 4), "full_house"),
    ((1, 1, 5, 5, 6, 6), "three_pairs"),
    ((3, 3, 3, 6, 6, 6), "two_triplets"),
    ((2, 2, 2, 2, 6, 6), "four_and_two"),
    ((3, 3, 3, 3, 2, 2), "four_and_two_is_three_pairs"),
    ((2, 3, 4, 6, 6, 3), ""),
)
KEEPS_SHOWN = 3
RARE = 0.2  # below this, a chance reads as "one time in n"


def list_examples(ruleset: Ruleset, *, named: bool) -> list[tuple[Dice, str]]:
    """Return throws that show what a ruleset scores, each with what to say about it.

    `named`: False if users' own names for combinations may not be shown.
    """
    shown = [dice[: ruleset.dice] for dice, setting in THROWS if not setting or getattr(ruleset, setting)]
    shown += [find_sample(combination) for combination in ruleset.combinations]
    return [(dice, _describe_throw(ruleset, dice, named)) for dice in dict.fromkeys(shown)]


def _describe_throw(ruleset: Ruleset, dice: Dice, named: bool) -> str:
    scored = score_throw(ruleset, dice, named=named)
    return scored.outcome or _describe_keeps(scored.keeps, ruleset.dice)


def _describe_keeps(keeps: Sequence[Keep], all_dice: int) -> str:
    """Return the best keep of a throw in words, and some others."""
    best = keeps[0]
    if wins := next((keep for keep in keeps if keep.wins), None):
        if is_six_of_a_kind(wins.dice):
            return _("Six of a kind: keep them all and you win the game.")
        return _("Keep %(dice)s and you win the game.") % {"dice": _join_faces(wins.dice)}
    if len(best.dice) == all_dice:
        return _("Keep all %(all)s for %(points)s.") % {"all": name_all_dice(all_dice), "points": number(best.points)}
    sentence = _("Keep %(dice)s for %(points)s.") % {"dice": _join_faces(best.dice), "points": number(best.points)}
    return f"{sentence} {_describe_others(keeps[1:])}".strip()


def _describe_others(keeps: Sequence[Keep]) -> str:
    if not keeps:
        return ""
    shown = " · ".join(f"{_join_faces(keep.dice)}\u00a0= {number(keep.points)}" for keep in keeps[:KEEPS_SHOWN])
    more = len(keeps) - KEEPS_SHOWN
    if more <= 0:
        return _("You could also keep: %(keeps)s.") % {"keeps": shown}
    return ngettext(
        "You could also keep: %(keeps)s, or %(n)s other set.",
        "You could also keep: %(keeps)s, or %(n)s other sets.",
        more,
    ) % {"keeps": shown, "n": more}


def _join_faces(dice: Sequence[int]) -> str:
    """Return the faces, joined by spaces at which no line breaks."""
    return format_dice(dice).replace(" ", "\u00a0")


def list_bust_chances(ruleset: Ruleset) -> list[tuple[str, str, str]]:
    """Return (dice, bust chance, the same in words) from all dice down to one; a last die with all its tries.

    Where a turn's first throw is a bust less often than later ones of all dice, it has a row of its own.
    """
    rows, first, later = [], chance_to_end_with(ruleset, ruleset.dice), _chance_of_later_throw(ruleset)
    if first != later:
        label = _("%(dice)s, first throw") % {"dice": format_dice_count(ruleset.dice)}
        rows.append((label, write_percent(first), describe_chance(first)))
    for dice in range(ruleset.dice, 0, -1):
        tries = ruleset.last_die_throws if dice == 1 else 1
        risk, label = chance_to_end_with(ruleset, dice) if dice < ruleset.dice else later, format_dice_count(dice)
        if tries > 1:
            label = ngettext("%(dice)s, %(n)s try", "%(dice)s, %(n)s tries", tries) % {"dice": label, "n": tries}
        rows.append((label, write_percent(risk), describe_chance(risk)))
    return rows


def _chance_of_later_throw(ruleset: Ruleset) -> float:
    """Return the chance that throwing all dice ends a turn when it is not the first throw, nor the last one allowed."""
    differs = ruleset.nothing_when == "first_throw" and ruleset.throws_most not in (1, 2)
    return chance_to_end_with(ruleset, ruleset.dice, throws=1 if differs else 0)


def describe_chance(risk: float) -> str:
    """Return a chance (0–1) in words, as in "about 2 times in 7"."""
    if risk in (0, 1):
        return _("always") if risk else _("never")
    if risk < RARE:
        return _("about one time in %(n)s") % {"n": number(round(1 / risk))}
    part = Fraction(risk).limit_denominator(9)
    if part == 1:
        return _("nearly always")
    if part.numerator == 1:
        return _("about one time in %(n)s") % {"n": number(part.denominator)}
    return _("about %(k)s times in %(n)s") % {"k": part.numerator, "n": part.denominator}


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
