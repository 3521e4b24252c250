"""What the form of a ruleset says besides the names of its settings: help, sentences, and groups."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from game.pages.rulesets.labels import SETS, Words

HELP: dict[str, Words] = {
    "grid": _("Points by the number of dice and their face. 0: does not score."),
    "slug": _("Lowercase letters, digits and hyphens, such as house-rules. It cannot change once saved."),
    "entry_minimum": _("A player’s first bank must be at least this. 0: any points will do."),
    "bank_minimum": _("Players on the board must bank at least this. 0: any points will do."),
    "bank_step": _("Such as 100: then 350 can’t be banked. 0: any points will do."),
    "bank_dice_left_most": _("A player with more dice left must throw again. 0: any number of dice may be left."),
    "six_of_a_kind_wins": _("The points for six of a kind are then not used."),
    **{combination.setting: " ".join(map(str, combination.dice)) for combination in SETS},
    "three_pairs_across_throws": _("With dice kept earlier in the turn; they replace the points of those dice."),
    "combinations": _(
        "A digit stands for that number, and the same letter for the same number. AAABB is a full house, 1234 a run of "
        "four. Points: one number, or six for the letter A as each of the numbers 1 to 6."
    ),
    "sets_need_all_dice": _("Otherwise only single dice score."),
    "nothing_bonus": _("Points for bad luck instead of a bust."),
    "nothing_cost": _("The throw is still a bust. 0: nothing more."),
    "confirm": _("After such a keep you must keep something more before you can bank."),
    "sweep_multiplier": _("1: they always count once. 3: twice after the first hot dice, three times after the next."),
    "throws_most": _("On the last throw you must bank, or it’s a bust. 0: as many as you like."),
    "pick_up_cost": _("0: only the points of the turn are lost."),
    "rounds": _("Only where a number of rounds ends the game."),
    "pick_up": _("Only after a bank. The last player keeps the points too."),
    "target": _("From 100 to 100,000 in steps of 50. It can be changed for each game."),
    "target_choices": _("Separated by commas, with no signs inside a number: 5000, 10000"),
    "bust_streak": _("0: never."),
    "ante": _("Play money in the smallest coin: 25 means 25 cents, or 25 yen. 0: no money. Nothing is ever charged."),
    "bust_penalty": _("In the smallest coin. Only for players on the board."),
    "currency": _("Three letters, such as USD or EUR."),
}

# What people change at the table, in the order in which they would mention it. A placeholder stands for the field of a
# number or a text; other settings have fields that speak for themselves.
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
    "rounds": _("A game of rounds lasts %(field)s rounds."),
    "tie": _("A tie"),
    "ante": _("Everyone pays %(field)s coins of play money into the pot at the start."),
    "bust_penalty": _("Each bust adds %(field)s coins to the pot."),
    "currency": _("The currency of the pot is %(field)s."),
}

# The fields of a ruleset's own combination, each with its column heading.
COMBINATION_FIELDS: dict[str, Words] = {
    "pattern": _("Dice"),
    "effect": _("What it does"),
    "points": _("Points"),
    "cost": _("Cost of the bust"),
    "name": _("Name"),
}


@dataclass(frozen=True)
class Group:
    """Settings that belong together in the editor. `grid`, `rows`: it begins with a table of points or combinations."""

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
    Group(
        _("Single dice and three or more of a kind"),
        ("six_of_a_kind_wins", "sets_grow", "sets_need_all_dice"),
        grid=True,
    ),
    Group(
        _("Straights, pairs, triplets, full house"),
        (
            *(combination.setting for combination in SETS),
            "four_and_two_is_three_pairs",
            "three_pairs_across_throws",
        ),
    ),
    Group(_("Combinations of your own"), (), rows=True),
    Group(_("When nothing scores"), ("nothing_bonus", "nothing", "nothing_when", "nothing_cost")),
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
