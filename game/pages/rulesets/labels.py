"""The names of a ruleset's settings, choices and scoring sets: the only wording, which every page takes from here."""

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
    "entry_in": _("Points to get on the board in"),
    "entry_needs": _("Before the first bank"),
    "bank_minimum": _("Points needed to bank"),
    "bank_step": _("Banks in steps of"),
    "bank_dice_left_most": _("Dice left at a bank, at most"),
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
    "nothing": _("What such a throw of nothing counts as"),
    "nothing_when": _("When a throw of nothing counts"),
    "nothing_cost": _("Points a throw of nothing costs"),
    "confirm": _("Points that must be proved before they can be banked"),
    "confirm_by": _("What proves them"),
    "sweep": _("Hot dice: all dice have scored"),
    "sweep_multiplier": _("After hot dice, points count up to this many times"),
    "throws_most": _("Throws in a turn, at most"),
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

HELP: dict[str, Words] = {
    "grid": _("Points by the number of dice and their face. 0: does not score."),
    "slug": _("Small letters, digits and hyphens, such as house-rules. It cannot change once saved."),
    "entry_minimum": _("A player’s first bank must be at least this. 0: any points will do."),
    "bank_minimum": _("Players on the board must bank at least this. 0: any points will do."),
    "bank_step": _("Such as 100: then 350 can’t be banked. 0: any points will do."),
    "bank_dice_left_most": _("A player with more dice left must throw on. 0: any number of dice may be left."),
    "six_of_a_kind_wins": _("The points for six of a kind are then not used."),
    **{combination.setting: " ".join(map(str, combination.dice)) for combination in SETS},
    "three_pairs_across_throws": _("With dice kept earlier in the turn; they replace the points of those dice."),
    "combinations": _(
        "A digit is that number; equal letters are equal numbers. AAABB is a full house, 1234 a row of four. "
        "Points: one number, or six for the numbers 1 to 6 of the letter A."
    ),
    "sets_need_all_dice": _("Otherwise only single dice score."),
    "nothing_bonus": _("Points for bad luck instead of a bust; all dice are thrown again."),
    "nothing_cost": _("The throw is still a bust. 0: nothing more."),
    "confirm": _("After such a keep you must keep something more before you can bank."),
    "sweep_multiplier": _("1: they always count once. 3: twice after the first hot dice, three times after the next."),
    "throws_most": _("On the last throw you must bank, or it’s a bust. 0: as many as you like."),
    "pick_up_cost": _("0: only the points of the turn are lost."),
    "rounds": _("Only where a number of rounds ends the game."),
    "pick_up": _("Only for players on the board, and only after a bank. The last player keeps the points too."),
    "target": _("From 100 to 100,000 in steps of 50. It can be changed for each game."),
    "target_choices": _("Separated by commas, with no signs inside a number: 5000, 10000"),
    "bust_streak": _("0: never."),
    "ante": _("Play money in the smallest coin: 25 means 25 cents. 0: no money. Nothing is ever charged."),
    "bust_penalty": _("In the smallest coin. Only for players on the board."),
    "currency": _("Three letters, such as USD or EUR."),
}

CHOICES: dict[str, tuple[Choice, ...]] = {
    "dice": (
        Choice("6", _("Play with six dice."), _("six")),
        Choice("5", _("Play with five dice."), _("five")),
    ),
    "entry_in": (
        Choice("shot", _("The points for the first bank can come from several throws of a turn."), _("one turn")),
        Choice("throw", _("The points for the first bank must come from one throw."), _("one throw")),
    ),
    "entry_needs": (
        Choice("any", _("Before the first bank everything scores as it does later."), _("everything scores")),
        Choice("singles", _("Before the first bank only single dice score, no sets."), _("only single dice score")),
        Choice(
            "set",
            _("The first bank needs a set of three dice or more in its turn."),
            _("a set of three dice or more is needed"),
        ),
    ),
    "sets_grow": (
        Choice("never", _("Dice you keep later do not make a set larger."), _("no")),
        Choice(
            "of_a_kind",
            _("Three or more of a kind can grow: keep matching dice from later throws, and the larger set counts."),
            _("three of a kind or more"),
        ),
    ),
    "must_keep": (
        Choice("one", _("Keep at least one die or set that scores. The rest is up to you."), _("one at least")),
        Choice("all", _("Keep every die that scores."), _("all that scores")),
    ),
    "lone_five": (
        Choice("keep", _("A single 5 scores like any other die."), _("it is kept")),
        Choice(
            "rethrow",
            _("If a single 5 is all that scores in a throw of several dice, throw these dice again. It’s not a bust."),
            _("thrown again"),
        ),
    ),
    "nothing": (
        Choice(
            "sweep",
            _("With points set above, it scores them and counts as hot dice. Without, it’s a bust."),
            _("hot dice"),
        ),
        Choice(
            "again",
            _("It’s not a bust: it scores the points set above, and you must throw again before you bank."),
            _("thrown again"),
        ),
    ),
    "nothing_when": (
        Choice("all_dice", _("In every throw of all dice."), _("every throw of all dice")),
        Choice("first_throw", _("Only in the first throw of a turn."), _("the first throw of a turn")),
    ),
    "confirm_by": (
        Choice("any", _("Any later keep proves them."), _("any later keep")),
        Choice("single", _("Only a later keep with a single scoring die proves them."), _("a single die")),
    ),
    "sweep": (
        Choice(
            "must_throw",
            _("You must throw all dice again. If you would rather bank, keep fewer dice."),
            _("throw all dice again"),
        ),
        Choice("may_bank", _("You may throw all dice again, or bank."), _("throw all dice or bank")),
    ),
    "last_die_throws": (
        Choice("1", _("The last die has one try, like any other throw."), _("one")),
        Choice("2", _("The last die has two tries. You cannot bank between them."), _("two")),
        Choice("3", _("The last die has three tries. You cannot bank between them."), _("three")),
    ),
    "pick_up_by": (
        Choice("entered", _("Only players on the board may pick up."), _("players on the board")),
        Choice(
            "all",
            _("Everyone may pick up, and the points count for the first bank."),
            _("everyone"),
        ),
    ),
    "pick_up_worth": (Choice("banked", _("The turn starts with the points that were banked."), _("those banked")),),
    "exact": (
        Choice("no", _("A score of the target or more has reached it."), _("no")),
        Choice(
            "bust",
            _("The target must be made exactly. If every keep goes beyond it, it’s a bust."),
            _("yes, beyond it is a bust"),
        ),
        Choice(
            "stay",
            _(
                "The target must be made exactly. If every keep goes beyond it, the turn ends without points, "
                "and costs nothing."
            ),
            _("yes, beyond it ends the turn"),
        ),
    ),
    "bust_cost": (
        Choice("fixed", _("They cost the number of points set above."), _("a set number of points")),
        Choice("shot", _("They cost the points that the last of these turns had gathered."), _("the turn’s points")),
        Choice("everything", _("They cost the whole score."), _("the whole score")),
    ),
    "below_zero": (
        Choice("never", _("No score falls below 0."), _("never")),
        Choice("entered", _("Costs can take the score of a player on the board below 0."), _("once on the board")),
        Choice(
            "always",
            _("Costs can take a score below 0, and count before a player is on the board, too."),
            _("from the start"),
        ),
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
        Choice("rounds", _("After a fixed number of rounds the highest score wins."), _("a number of rounds ends it")),
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
        Choice(
            "tied_only",
            _("If there is a tie, those who share the lead play extra rounds until one of them is ahead."),
            _("extra rounds for those who tie"),
        ),
    ),
    "first_player": (
        Choice("seat_order", _("Players take turns in the order listed."), _("first on the list")),
        Choice(
            "throw_for_it",
            _("Everyone throws one die and the highest goes first; ties throw again. Then play goes round the table."),
            _("highest die"),
        ),
        Choice(
            "lowest",
            _("Everyone throws one die and the lowest goes first; ties throw again. Then play goes round the table."),
            _("lowest die"),
        ),
    ),
}


# What people change at the table, in the order in which they would mention it. If there is a placeholder, it takes a
# number or a text; the other settings speak for themselves.
SENTENCES: dict[str, Words] = {
    "name": _("We call these rules %(field)s"),
    "dice": _("Dice"),
    "target": _("The game is played to %(field)s points."),
    "entry_minimum": _("The first bank must be worth at least %(field)s points."),
    "bank_minimum": _("Every later bank must be worth at least %(field)s points."),
    "straight": _("A straight from 1 to 6 scores %(field)s"),
    "low_straight": _("A straight from 1 to 5 scores %(field)s"),
    "high_straight": _("A straight from 2 to 6 scores %(field)s"),
    "full_house": _("A full house scores %(field)s"),
    "three_pairs": _("Three pairs score %(field)s"),
    "two_triplets": _("Two triplets score %(field)s"),
    "six_of_a_kind_wins": _("Six of a kind in one throw wins the game"),
    "must_keep": _("What must be kept"),
    "sweep": _("Hot dice"),
    "last_die_throws": _("The last die"),
    "pick_up": _("Players may pick up the dice and points the last player left"),
    "bust_streak": _("After %(field)s busts in a row a player pays points."),
    "bust_streak_penalty": _("That costs %(field)s points."),
    "exact": _("The target"),
    "ending": _("The end of the game"),
    "rounds": _("If rounds end the game, there are %(field)s of them."),
    "tie": _("A tie"),
    "ante": _("Everyone pays %(field)s cents of play money into the pot at the start."),
    "bust_penalty": _("Each bust adds %(field)s cents to the pot."),
}

# Kinds of combinations that can have to be proved.
CONFIRM_KINDS: dict[str, Words] = {
    "of_a_kind": _("three or more of a kind"),
    "straights": _("straights"),
    "groups": _("full house, pairs and triplets"),
    "combinations": _("combinations of your own"),
    "sweep": _("hot dice"),
}

# The fields of a ruleset's own combination, each with the head of its column.
COMBINATION_FIELDS: dict[str, Words] = {
    "pattern": _("Dice"),
    "effect": _("What it does"),
    "points": _("Points"),
    "cost": _("Cost of the bust"),
    "name": _("Name"),
}

# What a ruleset's own combination does.
EFFECTS: dict[str, Words] = {
    "": _("scores points"),
    "wins": _("wins the game at once"),
    "bust": _("is always a bust"),
    "out": _("puts the player out of the game"),
}


@dataclass(frozen=True)
class Group:
    """Settings that belong together in the editor. `grid`, `rows`: a table of points, or of combinations, is first."""

    title: Words
    settings: tuple[str, ...]
    grid: bool = False
    rows: bool = False


GROUPS: tuple[Group, ...] = (
    Group(_("Name"), ("name", "slug")),
    Group(_("How many dice"), ("dice",)),
    Group(
        _("Minimums"),
        ("entry_minimum", "entry_in", "entry_needs", "bank_minimum", "bank_step", "bank_dice_left_most"),
    ),
    Group(_("Single dice and dice of a kind"), ("six_of_a_kind_wins", "sets_grow", "sets_need_all_dice"), grid=True),
    Group(
        _("Straights, pairs, triplets, full house"),
        (
            *(combination.setting for combination in SETS),
            "four_and_two_is_three_pairs",
            "three_pairs_across_throws",
        ),
    ),
    Group(_("Combinations of your own"), (), rows=True),
    Group(_("A throw of nothing"), ("nothing_bonus", "nothing", "nothing_when", "nothing_cost")),
    Group(_("What you keep"), ("must_keep", "lone_five")),
    Group(_("Proving points"), ("confirm", "confirm_by")),
    Group(_("Hot dice"), ("sweep", "sweep_multiplier")),
    Group(_("Throws, and the last die"), ("throws_most", "last_die_throws")),
    Group(_("Picking up another player’s dice"), ("pick_up", "pick_up_by", "pick_up_worth", "pick_up_cost")),
    Group(_("End of the game"), ("target", "target_choices", "exact", "ending", "rounds")),
    Group(_("Ties"), ("tie",)),
    Group(_("Players"), ("min_players", "max_players", "first_player")),
    Group(_("Penalties"), ("bust_streak", "bust_streak_penalty", "bust_cost", "below_zero")),
    Group(_("Pot"), ("ante", "bust_penalty", "currency")),
)


def find_choice(name: str, value: object) -> Choice:
    """Return the wording of a setting's value. Raises `StopIteration` for an invalid value."""
    return next(choice for choice in CHOICES[name] if choice.value == str(value))


def name_cell(size: str, face: int) -> str:
    """Return the name of a cell of the grid, such as "Three of a kind, 2s"."""
    return f"{SIZES[size]}, {FACE_PLURALS[face - 1]}"
