"""What the rules refuse, with the reason as data, so that a page can say it in the reader's language."""

from __future__ import annotations

from typing import Any

SENTENCES = {
    # Moves
    "over": "The game is over.",
    "throw_first": "The dice have to be thrown first.",
    "not_due": "No dice are due to be thrown.",
    "dice": "%(need)s dice have to be thrown.",
    "starting": "The throws for the first player come first.",
    "keep_something": "At least one die that scores has to be kept.",
    "not_thrown": "%(dice)s was not thrown.",
    "cannot_keep": "%(dice)s cannot be kept.",
    "keep_wins": "Six equal dice, all kept, win the game.",
    "no_win": "Only six equal dice win the game at once, where the rules say so.",
    "nothing_to_keep": "There are no dice on the table to keep.",
    "must_throw": "All six dice score: they have to be thrown again before banking.",
    "tries": "The last die has to be thrown again before anything else.",
    "entry_minimum": "%(need)s points are needed to get in; these are %(have)s.",
    "bank_minimum": "%(need)s points are needed to bank; these are %(have)s.",
    "pick_up": "There are no dice to pick up.",
    "mode": "Points are entered by hand only with real dice.",
    "real_dice": "The points of this turn are entered by hand.",
    # Points entered by hand
    "shot_begun": "The turn has already begun.",
    "cannot_make": "No turn makes %(points)s in these rules.",
    "pick_up_dice": "%(need)s dice were left to pick up.",
    "dice_left": "The number of dice left does not go with this turn.",
    "shot_ended": "The turn has ended before this throw.",
    "has_bust": "The last throw is a bust.",
    "no_bust": "The last throw is no bust.",
    "not_due_player": "It is the turn of player %(due)s, not of player %(player)s.",
    "throws_points": "The throws make %(have)s points, not %(points)s.",
    # Changes
    "target": "Choose a target from 1,000 to 100,000 in steps of 50.",
    "no_player": "There is no such player.",
    "is_out": "This player is already out.",
    "is_in": "This player is already in.",
    "final_round": "Nobody can join once the final round has begun.",
    "full": "No more than %(most)s can play.",
    "players": "%(least)s to %(most)s can play.",
    "level": "There is no such level.",
    "person": "Only a computer has a level: a name that begins with *.",
    # Names
    "name_text": "The name is not text.",
    "name_empty": "A name needs at least one letter, digit or sign.",
    "name_long": "A name has at most %(most)s characters.",
    "name_character": "The name has a character that cannot be used.",
    "name_marks": "The name has too many marks on one letter.",
    "name_taken": "That name is taken in this game.",
    # Undo
    "nothing_to_undo": "There is no turn to take back.",
    "undo": "This turn cannot be taken back any more.",
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
