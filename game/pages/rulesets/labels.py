"""The names of a ruleset's settings, choices and scoring sets: the one wording that every page takes from here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

Words: TypeAlias = "str | _StrPromise"


@dataclass(frozen=True)
class Choice:
    """A value of a setting. `sentence` stands alone in the prose and the editor, `short` in tables and the history."""

    value: str
    sentence: Words
    short: Words


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

# Rows of the grid of single dice and dice of a kind, by the number of dice.
SIZES: dict[str, Words] = {
    "1": _("Single die"),
    "3": _("Three of a kind"),
    "4": _("Four of a kind"),
    "5": _("Five of a kind"),
    "6": _("Six of a kind"),
}

# A face in the plural, for "Three of a kind, 2s".
FACE_PLURALS: tuple[Words, ...] = tuple(pgettext_lazy("dice faces", f"{face}s") for face in range(1, 7))

LABELS: dict[str, Words] = {
    "name": _("Name"),
    "slug": _("Name in links"),
    "entry_minimum": _("Points to get on the board"),
    "bank_minimum": _("Points needed to bank"),
    "six_of_a_kind_wins": _("Six of a kind in one throw wins the game"),
    **{combination.setting: combination.name for combination in SETS},
    "four_and_two_is_three_pairs": _("Four of a kind and a pair count as three pairs"),
    "three_pairs_across_throws": _("Three pairs can grow over several throws"),
    "nothing_bonus": _("Six dice, nothing scores"),
    "sweep": _("Hot dice: all six have scored"),
    "last_die_throws": _("Tries with the last die"),
    "pick_up": _("Players may pick up the dice and points the last player left"),
    "target": _("Target"),
    "target_choices": _("Targets offered at the start"),
    "ending": _("At the target"),
    "tie": _("If there is a tie"),
    "first_player": _("Who goes first"),
    "min_players": _("Minimum players"),
    "max_players": _("Maximum players"),
    "bust_streak": _("Busts in a row that cost points"),
    "bust_streak_penalty": _("Points they cost"),
    "ante": _("Everyone pays at the start"),
    "bust_penalty": _("Each bust pays"),
    "currency": _("Currency"),
}

HELP: dict[str, Words] = {
    "slug": _("Small letters, digits and hyphens, such as house-rules. It cannot change once saved."),
    "entry_minimum": _("A player’s first bank must be at least this. 0: any points will do."),
    "bank_minimum": _("Players on the board must bank at least this. 0: any points will do."),
    "six_of_a_kind_wins": _("The points for six of a kind are then not used."),
    **{combination.setting: " ".join(map(str, combination.dice)) for combination in SETS},
    "three_pairs_across_throws": _("With dice kept earlier in the turn; they replace the points of those dice."),
    "nothing_bonus": _("Points for bad luck instead of a bust; all six dice are thrown again."),
    "pick_up": _("Only for players on the board, and only after a bank. The last player keeps the points too."),
    "target": _("From 100 to 100,000 in steps of 50. It can be changed for each game."),
    "target_choices": _("Separated by commas, with no signs inside a number: 5000, 10000"),
    "bust_streak": _("0: never. Only for players on the board; a score never falls below 0."),
    "ante": _("Play money in the smallest coin: 25 means 25 cents. 0: no money. Nothing is ever charged."),
    "bust_penalty": _("In the smallest coin. Only for players on the board."),
    "currency": _("Three letters, such as USD or EUR."),
}

CHOICES: dict[str, tuple[Choice, ...]] = {
    "sweep": (
        Choice(
            "must_throw",
            _("You must throw all six again. If you would rather bank, keep fewer dice."),
            _("throw all six again"),
        ),
        Choice("may_bank", _("You may throw all six again, or bank."), _("throw all six or bank")),
    ),
    "last_die_throws": (
        Choice("1", _("The last die has one try, like any other throw."), _("one")),
        Choice("3", _("The last die has three tries. You cannot bank between them."), _("three")),
    ),
    "ending": (
        Choice(
            "complete_round",
            _(
                "Once a player reaches the target, finish the round so everyone has had the same number of turns. "
                "Then the highest score wins."
            ),
            _("finish the round"),
        ),
        Choice(
            "last_shot_each",
            _(
                "Once a player reaches the target, everyone else has exactly one more turn, in order. "
                "Then the highest score wins, no matter who reached the target first."
            ),
            _("one last turn for the others"),
        ),
        Choice("at_once", _("The first player to reach the target wins at once."), _("the game is over")),
    ),
    "tie": (
        Choice(
            "extra_rounds",
            _("If there is a tie, play extra rounds until one player is ahead."),
            _("extra rounds"),
        ),
        Choice(
            "leader_stands",
            _("If there is a tie, the first to reach that score wins: a score has to be beaten."),
            _("first to reach it wins"),
        ),
        Choice("shared", _("If there is a tie, the win is shared."), _("shared win")),
    ),
    "first_player": (
        Choice("seat_order", _("Players take turns in the order listed."), _("first on the list")),
        Choice(
            "throw_for_it",
            _("Everyone throws one die and the highest goes first; ties throw again. Then play goes round the table."),
            _("highest die"),
        ),
    ),
}


@dataclass(frozen=True)
class Group:
    """Settings that belong together in the editor. `grid`: the table of dice of a kind stands first."""

    title: Words
    settings: tuple[str, ...]
    grid: bool = False


GROUPS: tuple[Group, ...] = (
    Group(_("Name"), ("name", "slug")),
    Group(_("Minimums"), ("entry_minimum", "bank_minimum")),
    Group(_("Single dice and dice of a kind"), ("six_of_a_kind_wins",), grid=True),
    Group(
        _("Straights, pairs, triplets, full house"),
        (
            *(combination.setting for combination in SETS),
            "four_and_two_is_three_pairs",
            "three_pairs_across_throws",
            "nothing_bonus",
        ),
    ),
    Group(_("Hot dice"), ("sweep",)),
    Group(_("The last die"), ("last_die_throws",)),
    Group(_("Picking up another player’s dice"), ("pick_up",)),
    Group(_("End of the game"), ("target", "target_choices", "ending")),
    Group(_("Ties"), ("tie",)),
    Group(_("Players"), ("min_players", "max_players", "first_player")),
    Group(_("Penalties"), ("bust_streak", "bust_streak_penalty")),
    Group(_("Pot"), ("ante", "bust_penalty", "currency")),
)


def find_choice(name: str, value: object) -> Choice:
    """Return the wording of a setting's value. Raises `StopIteration` for a value that the setting does not take."""
    return next(choice for choice in CHOICES[name] if choice.value == str(value))


def name_cell(size: str, face: int) -> str:
    """Return the name of a cell of the grid, such as "Three of a kind, 2s"."""
    return f"{SIZES[size]}, {FACE_PLURALS[face - 1]}"
