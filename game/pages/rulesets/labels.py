"""What each setting is called in the editor and in the history, and how the editor groups them."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

Words = str | Promise

LABELS: dict[str, Words] = {
    "name": _("Name"),
    "slug": _("Name in links"),
    "entry_minimum": _("Points needed to get in"),
    "bank_minimum": _("Points needed per turn"),
    "six_of_a_kind_wins": _("Six alike in one throw win the game at once"),
    "straight": _("Straight, 1 to 6"),
    "low_straight": _("Low straight, 1 to 5"),
    "high_straight": _("High straight, 2 to 6"),
    "full_house": _("Full house (three and two alike)"),
    "three_pairs": _("Three pairs"),
    "two_triplets": _("Two triplets"),
    "four_and_two": _("Four alike and a pair"),
    "four_and_two_is_three_pairs": _("Four alike and a pair count as three pairs"),
    "three_pairs_across_throws": _("Three pairs may be completed over several throws"),
    "nothing_bonus": _("Six dice of which nothing scores"),
    "sweep": _("When all six dice have scored"),
    "last_die_throws": _("Tries with a single die that is left"),
    "pick_up": _("A player may go on with the dice and points that the player before left"),
    "target": _("Target"),
    "target_choices": _("Targets offered at the start"),
    "ending": _("When somebody reaches the target"),
    "tie": _("When the highest score is shared"),
    "first_player": _("Who begins"),
    "min_players": _("Fewest players"),
    "max_players": _("Most players"),
    "bust_streak": _("Busts in a row that cost points"),
    "bust_streak_penalty": _("Points that they cost"),
    "ante": _("Paid by everyone at the start"),
    "bust_penalty": _("Paid for each bust"),
    "currency": _("Currency"),
}

HELP: dict[str, Words] = {
    "slug": _("Small letters, digits and hyphens, as in house-rules. It stays as it is once saved."),
    "entry_minimum": _("Who is not in yet cannot bank less than this in one turn. 0: any points will do."),
    "bank_minimum": _("Who is in cannot bank less than this. 0: any points will do."),
    "six_of_a_kind_wins": _("The points of six alike are not used then."),
    "three_pairs_across_throws": _("With dice kept before; they replace the points of those dice."),
    "nothing_bonus": _("Points for bad luck instead of a bust; all six dice are thrown again."),
    "pick_up": _("Only who is in, and only after a bank. The player before keeps the points, too."),
    "target": _("From 1,000 to 100,000 in steps of 50. It can be changed for each game."),
    "target_choices": _("Separated by commas, without signs inside a number: 5000, 10000"),
    "bust_streak": _("0: never. Only for players who are in; a score never falls below 0."),
    "ante": _("Play money in the smallest coin: 25 means 25 cents. 0: no money. Nothing is ever charged."),
    "bust_penalty": _("In the smallest coin. Only for players who are in."),
    "currency": _("Three letters, as in USD or EUR."),
}

CHOICES: dict[str, tuple[tuple[str, Words], ...]] = {
    "sweep": (
        ("must_throw", _("The player has to throw all six again")),
        ("may_bank", _("The player may bank, or throw all six again")),
    ),
    "last_die_throws": (("1", _("One try")), ("3", _("Three tries, without banking in between"))),
    "ending": (
        ("complete_round", _("The round is played to its end, so that all have had the same number of turns")),
        ("last_shot_each", _("Every other player has one last turn")),
        ("at_once", _("The game ends there and then")),
    ),
    "tie": (
        ("extra_rounds", _("More rounds are played until one player is ahead")),
        ("leader_stands", _("Who reached it first wins")),
        ("shared", _("They share the win")),
    ),
    "first_player": (
        ("seat_order", _("The first player on the list")),
        ("throw_for_it", _("Each throws one die; the highest begins")),
    ),
}

SIZES: dict[str, Words] = {
    "1": _("One die"),
    "3": _("Three alike"),
    "4": _("Four alike"),
    "5": _("Five alike"),
    "6": _("Six alike"),
}

# A face in the plural, for "Three alike, 2s".
FACES: tuple[Words, ...] = tuple(pgettext_lazy("dice faces", f"{face}s") for face in range(1, 7))


@dataclass(frozen=True)
class Group:
    """Settings that belong together in the editor. `grid`: the table of single and equal dice stands first."""

    title: Words
    settings: tuple[str, ...]
    grid: bool = False


GROUPS: tuple[Group, ...] = (
    Group(_("What they are called"), ("name", "slug")),
    Group(_("Entry and minimums"), ("entry_minimum", "bank_minimum")),
    Group(_("Single dice and dice alike"), ("six_of_a_kind_wins",), grid=True),
    Group(
        _("Straights, pairs, triplets, full house"),
        (
            "straight",
            "low_straight",
            "high_straight",
            "full_house",
            "three_pairs",
            "two_triplets",
            "four_and_two",
            "four_and_two_is_three_pairs",
            "three_pairs_across_throws",
            "nothing_bonus",
        ),
    ),
    Group(_("All six score"), ("sweep",)),
    Group(_("The last die"), ("last_die_throws",)),
    Group(_("Going on with another player’s dice"), ("pick_up",)),
    Group(_("End of the game"), ("target", "target_choices", "ending")),
    Group(_("Ties"), ("tie",)),
    Group(_("Players"), ("min_players", "max_players", "first_player")),
    Group(_("Penalties"), ("bust_streak", "bust_streak_penalty")),
    Group(_("Pot"), ("ante", "bust_penalty", "currency")),
)


def cell_label(size: str, face: int) -> str:
    """A cell of the grid in words, as in: Three alike, 2s."""
    return f"{SIZES[size]}, {FACES[face - 1]}"
