"""Why a change of a game was not made. Each carries the status of its answer; its text is a sentence for the person."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from game.models import Game


class Refusal(Exception):
    """Nothing was changed. The text is the sentence of the class, or the one that it was raised with, with its places.

    `status` is the HTTP status of the answer: 409 where it is not the time for it, 403 where it is for others to do,
    404 where the game does not exist for this visitor, 410 for a link that has expired, 422 for what cannot be, and 400
    for what no page of ours sends.
    """

    status = 409
    sentence: str | Promise = ""

    def __init__(self, why: str | Promise = "", **places: object) -> None:
        super().__init__(why, places)

    def __str__(self) -> str:
        why, places = self.args
        text = str(why or self.sentence)
        return text % places if places else text  # what is whole may have a percent sign in a name


class NoSuchGame(Refusal):
    """There is no such game, or it is none for this visitor, who must not learn which."""

    status = 404
    sentence = gettext_lazy("There is no game here. Check the link, or start a new game.")


class NotYourSeat(Refusal):
    """A spectator acts."""

    status = 403
    sentence = gettext_lazy("You can watch this game, but not change it.")


class NotForYou(Refusal):
    """A seat holder asks for what only the host, or only the others, may do."""

    status = 403
    sentence = gettext_lazy("Only the host of this game can do that.")
    OTHERS = gettext_lazy("One of the other players has to allow it.")
    SEAT = gettext_lazy("That seat is not one of yours.")
    NOBODY = gettext_lazy("There is nobody in that seat who could be host.")


class KeyUsed(Refusal):
    """The key of a form comes again with other content: it would be a second command under the name of the first."""

    status = 422
    sentence = gettext_lazy("That form was already used.")


class GameOver(Refusal):
    """The game has been won, ended or abandoned."""

    sentence = gettext_lazy("This game is over.")


class NotOver(Refusal):
    """A review of a game that still runs would tell what the best moves are."""

    sentence = gettext_lazy("You can review this game once it is over.")


class NotStarted(Refusal):
    """A move before the start."""

    sentence = gettext_lazy("This game has not started yet.")


class AlreadyStarted(Refusal):
    """What could be settled only before the start."""

    sentence = gettext_lazy("This game has already started.")


class CannotStart(Refusal):
    """What is missing before the first throw."""

    FREE = gettext_lazy("Nobody has taken %(name)s’s seat yet. Wait, or remove it.")
    FEW = gettext_lazy("Add one more player to start.")
    ALONE = gettext_lazy("Nobody else is here yet. Wait, or play alone.")


class SeatTaken(Refusal):
    """Somebody was quicker."""

    sentence = gettext_lazy("That seat was just taken. Choose another one.")


class ColourTaken(Refusal):
    """Two players of one table have different colours."""

    sentence = gettext_lazy("%(name)s has chosen this colour. Choose another one.")


class GameFull(Refusal):
    """There are as many players as the ruleset allows."""

    sentence = gettext_lazy("All seats are taken. You can watch.")
    RULES = gettext_lazy("These rules are for at most %(n)s players.")


class LinkEnded(Refusal):
    """An invite or a transfer that is used, renewed or too old. `game`: where the link has not lost it."""

    status = 410
    INVITE = gettext_lazy("This invite has expired. Ask for a new one.")
    STARTED = gettext_lazy("This game has already started. Watch it, or ask for a seat in the next one.")
    SPOKEN = gettext_lazy("No game waits for these words. Check them with whoever invited you: they may have expired.")
    TRANSFER = gettext_lazy("This link has expired. Make a new one on the device you played on.")

    def __init__(self, why: Promise, game: Game | None = None) -> None:
        super().__init__(why)
        self.game = game


class NotSilent(Refusal):
    """The player who is due has played within three minutes, and cannot be skipped."""

    sentence = gettext_lazy("%(name)s played less than three minutes ago. Wait a little.")


class NothingAsked(Refusal):
    """Nobody waits for an answer whether a turn may be undone."""

    sentence = gettext_lazy("That undo request is no longer open.")


class NotYourShot(Refusal):
    """Somebody else is due."""

    sentence = gettext_lazy("It is %(name)s’s turn.")


class ComputersShot(Refusal):
    """A computer is due, and nobody plays for it."""

    status = 403
    sentence = gettext_lazy("%(name)s plays by itself.")


class StaleMove(Refusal):
    """The form was made before the last change of the dice or the legal moves."""

    sentence = gettext_lazy("Someone moved first, so your tap didn’t count.")


class UnknownVersion(Refusal):
    """The form has a version that this game has not reached yet."""

    status = 400
    sentence = gettext_lazy("This page is out of date. Load it again.")


class PointsChanged(Refusal):
    """What the form showed is not what the selection is worth: banking it would be a surprise."""

    status = 422
    sentence = gettext_lazy("The points changed to %(n)s. Press Bank again.")


class AlreadyDone(Exception):
    """The same command was applied before: its answer stands, and the board is shown as it is now."""
