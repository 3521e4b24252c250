"""The names of a ruleset's settings and scoring sets: every page takes the wording from here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

Words: TypeAlias = "str | _StrPromise"


@dataclass(frozen=True)
class ScoringSet:
    """A combination with one value, and dice that show it."""

    setting: str
    name: Words
    dice: tuple[int, ...]


SETS = (
    ScoringSet("straight", _("Straight"), (1, 2, 3, 4, 5, 6)),
    ScoringSet("low_straight", _("Low straight"), (1, 2, 3, 4, 5)),
    ScoringSet("high_straight", _("High straight"), (2, 3, 4, 5, 6)),
    ScoringSet("full_house", _("Full house"), (3, 3, 3, 2, 2)),
    ScoringSet("three_pairs", _("Three pairs"), (2, 2, 3, 3, 6, 6)),
    ScoringSet("two_triplets", _("Two triplets"), (2, 2, 2, 4, 4, 4)),
    ScoringSet("four_and_two", _("Four of a kind and a pair"), (2, 2, 2, 2, 3, 3)),
)

# The rows of the grid for single dice and dice of a kind, by the number of dice.
SIZES: dict[str, Words] = {
    "1": _("Single die"),
    "3": _("Three of a kind"),
    "4": _("Four of a kind"),
    "5": _("Five of a kind"),
    "6": _("Six of a kind"),
}

# A face in the plural, for "Three of a kind, 2s".
FACE_PLURALS: tuple[Words, ...] = (
    pgettext_lazy("dice faces", "1s"),
    pgettext_lazy("dice faces", "2s"),
    pgettext_lazy("dice faces", "3s"),
    pgettext_lazy("dice faces", "4s"),
    pgettext_lazy("dice faces", "5s"),
    pgettext_lazy("dice faces", "6s"),
)

LABELS: dict[str, Words] = {
    "name": _("Name"),
    "slug": _("Name in links"),
    "dice": _("Number of dice"),
    "entry_minimum": _("Points to get on the board"),
    "entry_in": _("Points to get on the board come from"),
    "entry_needs": _("Before the first bank"),
    "bank_minimum": _("Points needed to bank"),
    "bank_step": _("Banks in steps of"),
    "bank_dice_left_most": _("Maximum dice left at a bank"),
    "six_of_a_kind_wins": _("Six of a kind in one throw wins the game"),
    **{combination.setting: combination.name for combination in SETS},
    "four_and_two_is_three_pairs": _("Four of a kind and a pair count as three pairs"),
    "three_pairs_across_throws": _("Three pairs can grow over several throws"),
    "combinations": _("Combinations of your own"),
    "sets_need_all_dice": _("Sets only score when all dice are thrown"),
    "sets_grow": _("Growing sets"),
    "must_keep": _("What must be kept"),
    "lone_five": _("If a single 5 is all that scores"),
    "nothing_bonus": _("All dice thrown, nothing scores"),
    "nothing": _("What a throw of nothing counts as"),
    "nothing_when": _("When a throw of nothing counts"),
    "nothing_cost": _("Points a throw of nothing costs"),
    "confirm": _("Points that must be proved before they can be banked"),
    "confirm_by": _("What proves them"),
    "sweep": _("Hot dice: all dice have scored"),
    "sweep_multiplier": _("After hot dice, points count up to this many times"),
    "throws_most": _("Maximum throws in a turn"),
    "last_die_throws": _("Tries with the last die"),
    "pick_up": _("Players may pick up the dice and points the last player left"),
    "pick_up_by": _("Who may pick up"),
    "pick_up_worth": _("Points that come with the dice"),
    "pick_up_cost": _("Points a bust costs after picking up"),
    "target": _("Target"),
    "target_choices": _("Targets offered at the start"),
    "exact": _("Exact target"),
    "ending": _("At the target"),
    "rounds": _("Rounds"),
    "tie": _("If there is a tie"),
    "first_player": _("Who goes first"),
    "min_players": _("Minimum players"),
    "max_players": _("Maximum players"),
    "bust_streak": _("Busts in a row that cost points"),
    "bust_cost": _("What they cost"),
    "bust_streak_penalty": _("Points they cost"),
    "below_zero": _("Scores below 0"),
    "ante": _("Everyone pays at the start"),
    "bust_penalty": _("Each bust pays"),
    "currency": _("Currency"),
}

# The fields of a ruleset's own combination.
COMBINATION_LABELS: dict[str, Words] = {
    "pattern": _("Combination %(n)s: dice"),
    "effect": _("Combination %(n)s: what it does"),
    "points": _("Combination %(n)s: points"),
    "cost": _("Combination %(n)s: what the bust costs"),
    "name": _("Combination %(n)s: name"),
}

# The kinds of combinations that a ruleset may require to be proved.
CONFIRM_KINDS: dict[str, Words] = {
    "of_a_kind": _("three or more of a kind"),
    "straights": _("straights"),
    "groups": _("full house, pairs and triplets"),
    "combinations": _("combinations of your own"),
    "sweep": _("hot dice"),
}

# What a ruleset has of these kinds, within a sentence.
KINDS_TO_PROVE: dict[str, Words] = {
    **CONFIRM_KINDS,
    "full_house": _("full house"),
    "three_pairs": _("three pairs"),
    "two_triplets": _("two triplets"),
    "four_and_two": _("four of a kind and a pair"),
}

# What a ruleset's own combination does.
EFFECTS: dict[str, Words] = {
    "": _("scores points"),
    "wins": _("wins the game at once"),
    "bust": _("is always a bust"),
    "out": _("puts the player out of the game"),
}


def name_cell(size: str, face: int) -> str:
    """Return the name of a cell of the grid, such as "Three of a kind, 2s"."""
    return f"{SIZES[size]}, {FACE_PLURALS[face - 1]}"
