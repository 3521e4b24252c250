"""Refusals of the rules, with the reason as data, so that a page can word it in the reader's language."""

from __future__ import annotations

from typing import Any

from game.rules.marking import gettext_noop

SENTENCES = {
    # Moves
    "over": gettext_noop("The game is over."),
    "throw_first": gettext_noop("Throw the dice first."),
    "not_due": gettext_noop("There are no dice to throw now."),
    "dice": gettext_noop("The number of dice to throw is %(need)s."),
    "starting": gettext_noop("Throw to see who goes first."),
    "keep_something": gettext_noop("Keep at least one scoring die."),
    "not_thrown": gettext_noop("This throw has no %(dice)s."),
    "cannot_keep": gettext_noop("%(dice)s cannot be kept."),
    "keep_wins": gettext_noop("These dice win the game: keep them all."),
    "no_win": gettext_noop("These dice do not win at once: only those that the rules name do."),
    "nothing_to_keep": gettext_noop("There are no dice on the table to keep."),
    "must_throw": gettext_noop("Hot dice: throw all dice again before you bank."),
    "tries": gettext_noop("Finish your three tries with the last die first."),
    "two_tries": gettext_noop("Finish your two tries with the last die first."),
    "last_throw": gettext_noop("That was the last throw of this turn. Bank now."),
    "throw_again": gettext_noop("The dice must be thrown again."),
    "bank_step": gettext_noop("A bank must be a multiple of %(step)s points. This one is %(have)s."),
    "bank_dice_left": gettext_noop("You have too many dice left to bank: the most is %(most)s. Throw again."),
    "unproved": gettext_noop("Prove your points first: keep any more dice."),
    "unproved_single": gettext_noop("Prove your points first: keep a single scoring die."),
    "unproved_points": gettext_noop("Prove your points first: keep dice for %(need)s more points."),
    "entry_throw": gettext_noop("The first bank needs one throw with at least %(need)s points."),
    "entry_set": gettext_noop("The first bank needs a combination of at least three dice."),
    "above_target": gettext_noop("The score would go above the target of %(target)s."),
    "entry_minimum": gettext_noop("The first bank must be at least %(need)s points. This one is %(have)s."),
    "bank_minimum": gettext_noop("A bank must be at least %(need)s points. This one is %(have)s."),
    "pick_up": gettext_noop("There are no dice to pick up."),
    "mode": gettext_noop("Points are entered only with real dice. This turn is played with the dice on screen."),
    "real_dice": gettext_noop("This turn is played with real dice. Enter its points."),
    # Points entered by hand
    "shot_begun": gettext_noop("The turn has already begun on screen."),
    "cannot_make": gettext_noop("No turn can make %(points)s points under these rules."),
    "without_base": gettext_noop("The turn started from %(base)s points. Enter its total, including those points."),
    "pick_up_dice": gettext_noop("The number of dice to pick up is %(need)s."),
    "dice_left": gettext_noop("This turn cannot leave that number of dice."),
    "shot_ended": gettext_noop("The turn ended before this throw."),
    "has_bust": gettext_noop("The last throw is a bust."),
    "no_bust": gettext_noop("The last throw is not a bust."),
    "has_over": gettext_noop("The last throw goes beyond the target: the turn is over."),
    "no_over": gettext_noop("The last throw does not go beyond the target."),
    "has_eliminated": gettext_noop("The last throw eliminates the player."),
    "no_eliminated": gettext_noop("The last throw does not eliminate the player."),
    "lost": gettext_noop(
        "Points lost are entered only where a bust costs the points of its turn, and dice must be able to make them."
    ),
    "nothing": gettext_noop("A bust can be entered as a throw of nothing only where that costs points."),
    "nothing_first": gettext_noop(
        "A throw of nothing costs points only as the first throw of a turn in which no dice were picked up."
    ),
    "not_due_player": gettext_noop("It is player %(due)s’s turn, not player %(player)s’s."),
    "throws_points": gettext_noop("The throws make %(have)s points, not %(points)s."),
    # Changes
    "target": gettext_noop("Choose a target from 100 to 100,000 in steps of 50."),
    "target_rounds": gettext_noop("This game ends after a number of rounds: there is no target to change."),
    "target_exact": gettext_noop("Choose a target that is above every score and a multiple of %(least)s."),
    "target_entry": gettext_noop("Choose a target of at least %(need)s points: the first bank needs that many."),
    "target_turn": gettext_noop("An exact target can only be changed between two turns."),
    "is_eliminated": gettext_noop("This player has been eliminated."),
    "no_player": gettext_noop("There is no such player in this game."),
    "is_out": gettext_noop("This player is already sitting out."),
    "is_in": gettext_noop("This player is already playing."),
    "final_round": gettext_noop("Nobody can join once the final round has begun."),
    "full": gettext_noop("The table is full: these rules allow up to %(most)s players."),
    "players": gettext_noop("The number of players must be from %(least)s to %(most)s."),
    "players_exact": gettext_noop("The number of players must be %(most)s."),
    "level": gettext_noop("There is no such level."),
    "person": gettext_noop("Only a computer has a level: a player whose name begins with *."),
    # Names
    "name_text": gettext_noop("A name must be text."),
    "name_empty": gettext_noop("Enter a name of up to 24 characters."),
    "name_long": gettext_noop("A name can have at most %(most)s characters."),
    "name_character": gettext_noop(
        "This name has a character that cannot be used. Use letters, digits, signs or emoji."
    ),
    "name_marks": gettext_noop("This name has too many marks on one letter. Up to three are fine."),
    "star_after_end": gettext_noop(
        "The game is over: a star at the beginning of a name can no longer be added or removed."
    ),
    "name_taken": gettext_noop("That name is taken. Choose another one."),
    # Undo
    "nothing_to_undo": gettext_noop("There is nothing to undo."),
    "undo": gettext_noop("This turn can no longer be undone."),
}  # fmt: skip


class IllegalMove(Exception):
    """A move or change that the rules do not allow.

    `code` is a key of `SENTENCES`, and `data` fills the placeholders of its sentence. Dice are given as a tuple of
    faces. `str()` is the sentence in English.
    """

    def __init__(self, code: str, **data: Any) -> None:
        """Refuse for this reason."""
        super().__init__(code)
        self.code = code
        self.data = data

    def with_data(self, **more: Any) -> IllegalMove:
        """Return the same refusal with more data: where it happened, or what would be allowed instead."""
        return IllegalMove(self.code, **self.data, **more)

    @property
    def sentence(self) -> str:
        """The reason in English, with placeholders that `shown` fills."""
        return SENTENCES[self.code]

    @property
    def shown(self) -> dict[str, Any]:
        """The data with dice as people write them; numbers are left to the reader's language."""
        return {
            name: " ".join(map(str, value)) if isinstance(value, tuple) else value for name, value in self.data.items()
        }

    def __str__(self) -> str:
        """Return the reason in English."""
        return self.sentence % self.shown
