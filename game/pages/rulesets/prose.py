"""What the prose of a ruleset says, which its template writes from the settings."""

from game.pages.parts.text import format_dice_count, format_money, join_names, name_all_dice
from game.pages.rulesets.choices import CHOICES
from game.pages.rulesets.labels import CONFIRM_KINDS
from game.pages.rulesets.patterns import describe_effect
from game.rules import Ruleset
from game.rules.totals import may_bank_sweep


def list_prose_values(ruleset: Ruleset, *, named: bool = True) -> dict[str, object]:
    """Return what the template needs besides the settings. `named`: False if users' own words may not be shown.

    `chosen`: the sentence of each setting that is in words.
    """
    values = {name: str(getattr(ruleset, name)) for name in CHOICES} | {"sweep": ruleset.after_sweep}
    return {
        "rules": ruleset,
        "chosen": {
            name: choice.sentence for name, value in values.items() for choice in CHOICES[name] if choice.value == value
        },
        "all_dice": name_all_dice(ruleset.dice),
        "effects": [describe_effect(made, named=named) for made in ruleset.combinations if made.effect],
        "kinds": join_names([str(CONFIRM_KINDS[kind]) for kind in ruleset.confirm]),
        "dice_left": format_dice_count(ruleset.bank_dice_left_most),
        "leaves_all_dice": may_bank_sweep(ruleset, at_target=False) and "sweep" not in ruleset.confirm,
        "ante": format_money(ruleset.ante),
        "bust_penalty": format_money(ruleset.bust_penalty),
    }
