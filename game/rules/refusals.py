"""What the rules refuse, with the reason as data, so that a page can say it in the reader's language."""

from __future__ import annotations

from typing import Any

from game.rules.marking import gettext_noop

SENTENCES = {
    # Moves
    "over": gettext_noop("The game is over."),
    "throw_first": gettext_noop("The dice have to be thrown first."),
    "not_due": gettext_noop("No dice are due to be thrown."),
    "dice": gettext_noop("%(need)s dice have to be thrown."),
    "starting": gettext_noop("The throws for the first player come first."),
    "keep_something": gettext_noop("At least one die that scores has to be kept."),
    "not_thrown": gettext_noop("%(dice)s was not thrown."),
    "cannot_keep": gettext_noop("%(dice)s cannot be kept."),
    "keep_wins": gettext_noop("Six equal dice, all kept, win the game."),
    "no_win": gettext_noop("Only six equal dice win the game at once, where the rules say so."),
    "nothing_to_keep": gettext_noop("There are no dice on the table to keep."),
    "must_throw": gettext_noop("All six dice score: they have to be thrown again before banking."),
    "tries": gettext_noop("The last die has to be thrown again before anything else."),
    "entry_minimum": gettext_noop("%(need)s points are needed to get in; these are %(have)s."),
    "bank_minimum": gettext_noop("%(need)s points are needed to bank; these are %(have)s."),
    "pick_up": gettext_noop("There are no dice to pick up."),
    "mode": gettext_noop("Points are entered by hand only with real dice."),
    "real_dice": gettext_noop("The points of this turn are entered by hand."),
    # Points entered by hand
    "shot_begun": gettext_noop("The turn has already begun."),
    "cannot_make": gettext_noop("No turn makes %(points)s in these rules."),
    "pick_up_dice": gettext_noop("%(need)s dice were left to pick up."),
    "dice_left": gettext_noop("The number of dice left does not go with this turn."),
    "shot_ended": gettext_noop("The turn has ended before this throw."),
    "has_bust": gettext_noop("The last throw is a bust."),
    "no_bust": gettext_noop("The last throw is no bust."),
    "not_due_player": gettext_noop("It is the turn of player %(due)s, not of player %(player)s."),
    "throws_points": gettext_noop("The throws make %(have)s points, not %(points)s."),
    # Changes
    "target": gettext_noop("Choose a target from 1,000 to 100,000 in steps of 50."),
    "no_player": gettext_noop("There is no such player."),
    "is_out": gettext_noop("This player is already out."),
    "is_in": gettext_noop("This player is already in."),
    "final_round": gettext_noop("Nobody can join once the final round has begun."),
    "full": gettext_noop("No more than %(most)s can play."),
    "players": gettext_noop("%(least)s to %(most)s can play."),
    "level": gettext_noop("There is no such level."),
    "person": gettext_noop("Only a computer has a level: a name that begins with *."),
    # Names
    "name_text": gettext_noop("The name is not text."),
    "name_empty": gettext_noop("A name needs at least one letter, digit or sign."),
    "name_long": gettext_noop("A name has at most %(most)s characters."),
    "name_character": gettext_noop("The name has a character that cannot be used."),
    "name_marks": gettext_noop("The name has too many marks on one letter."),
    "name_taken": gettext_noop("That name is taken in this game."),
    # Undo
    "nothing_to_undo": gettext_noop("There is no turn to take back."),
    "undo": gettext_noop("This turn cannot be taken back any more."),
}  # fmt: skip


class IllegalMove(Exception):
    """A move or change that the rules do not allow: `code` says why, `args` with which numbers.

    `str()` is a plain English sentence. Dice are given as a tuple of faces.
    """

    def __init__(self, code: str, **data: Any) -> None:
        super().__init__(code)
        self.code = code
        self.data = data

    @property
    def sentence(self) -> str:
        """The reason in English, with places for what `shown` has."""
        return SENTENCES[self.code]

    @property
    def shown(self) -> dict[str, str]:
        """The data as people write it."""
        return {name: _say(value) for name, value in self.data.items()}

    def __str__(self) -> str:
        return self.sentence % self.shown


def _say(value: object) -> str:
    if isinstance(value, tuple):
        return " ".join(str(each) for each in value)
    return str(value)
