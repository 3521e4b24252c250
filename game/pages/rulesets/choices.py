"""The values that settings of a ruleset can have, in words: every page takes the wording from here."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from game.pages.rulesets.labels import Words


@dataclass(frozen=True)
class Choice:
    """A value of a setting. `sentence` stands alone in the prose and the editor, `short` in tables and the history."""

    value: str
    sentence: Words
    short: Words


CHOICES: dict[str, tuple[Choice, ...]] = {
    "dice": (
        Choice("6", _("Play with six dice."), _("six")),
        Choice("5", _("Play with five dice."), _("five")),
    ),
    "entry_in": (
        Choice("shot", _("The points for the first bank can come from several throws of a turn."), _("one turn")),
        Choice(
            "throw",
            _("The points for the first bank must come from one throw. Points of other throws in that turn are added."),
            _("one throw"),
        ),
    ),
    "entry_needs": (
        Choice("any", _("Before the first bank everything scores as it does later."), _("everything scores")),
        Choice("singles", _("Before the first bank only single dice score, no sets."), _("only single dice score")),
        Choice(
            "set",
            _("The first bank needs a combination of three dice or more in its turn."),
            _("a combination of three dice or more is needed"),
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
            _("If points are set above, the throw scores them and counts as hot dice. If not, it’s a bust."),
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
        Choice("no", _("The target doesn’t have to be made exactly: going beyond it counts too."), _("no")),
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


def find_choice(name: str, value: object) -> Choice:
    """Return the wording of a setting's value. Raises `StopIteration` for an invalid value."""
    return next(choice for choice in CHOICES[name] if choice.value == str(value))
