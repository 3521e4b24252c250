"""A ruleset's own combinations in words, with sample dice."""

from django.utils.translation import gettext_lazy

from game.pages.parts.language import gettext as _
from game.pages.parts.language import mark_places
from game.pages.parts.text import format_dice, number
from game.pages.rulesets.face_points import describe_points
from game.pages.rulesets.labels import EFFECTS, Words
from game.rules import Dice
from game.rules.combinations import Combination

# What a combination does: the sentence for its exact dice or its name, and the sentence for dice like these.
EFFECT_SENTENCES: dict[str, tuple[Words, Words]] = {
    "wins": (
        gettext_lazy("Keep %(dice)s from one throw, and you win the game at once."),
        gettext_lazy("Keep dice like %(dice)s from one throw, and you win the game at once."),
    ),
    "out": (
        gettext_lazy("A throw with %(dice)s puts you out of the game."),
        gettext_lazy("A throw with dice like %(dice)s puts you out of the game."),
    ),
    "bust": (
        gettext_lazy("A throw with %(dice)s is always a bust, whatever else scores."),
        gettext_lazy("A throw with dice like %(dice)s is always a bust, whatever else scores."),
    ),
    "costly bust": (
        gettext_lazy("A throw with %(dice)s is always a bust, and takes %(points)s points off your score."),
        gettext_lazy("A throw with dice like %(dice)s is always a bust, and takes %(points)s points off your score."),
    ),
}


# Names that rulesets which come with the site give to combinations, by the name in their file.
SHIPPED_NAMES = {
    "Full House": gettext_lazy("Full house"),
    "Full House of four": gettext_lazy("Full house of four"),
    "Sextet of ones": gettext_lazy("Sextet of ones"),
    "Toxic twos": gettext_lazy("Toxic twos"),
}


def find_sample(combination: Combination) -> Dice:
    """Return sample dice that make the combination: some that score the most for it."""
    worth = combination.all_dice()
    return max(worth, key=lambda dice: worth[dice])


def name_combination(combination: Combination, *, named: bool = True) -> str:
    """Return a combination's own name, else its dice, or "dice like …" if several make it.

    Use it as a caption only, never within a sentence: some languages would have to inflect it. `named`: False if users'
    own words may not be shown.
    """
    if named and combination.name:
        return str(SHIPPED_NAMES.get(combination.name, combination.name))
    dice = format_dice(find_sample(combination))
    return dice if combination.pattern.isdigit() else _("dice like %(dice)s") % {"dice": dice}


def describe_combination_worth(combination: Combination) -> str:
    """Return what a combination is worth or does, in a word or two."""
    if combination.effect:
        return str(EFFECTS[combination.effect])
    points = combination.points or 0
    return describe_points(points) if isinstance(points, tuple) else number(points)


def describe_effect(combination: Combination, *, named: bool = True) -> str:
    """Return what a combination with an effect does, in a whole sentence."""
    assert combination.effect
    name = combination.name if named and combination.name not in SHIPPED_NAMES else ""
    of_these, of_dice_like_these = EFFECT_SENTENCES["costly bust" if combination.cost else combination.effect]
    sentence = of_these if name or combination.pattern.isdigit() else of_dice_like_these
    return mark_places(str(sentence)) % {
        "dice": name or format_dice(find_sample(combination)),
        "points": number(combination.cost),
    }
