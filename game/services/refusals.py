"""The reasons why a change of a game is refused. Each has its HTTP status, and as its text a sentence for the user."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from game.models import Game
from game.sentences import Sentence


class Refusal(Exception):
    """Nothing was changed. The text is the sentence it was raised with, or else that of its class, filled in.

    `status` is the HTTP status of the answer: 409 if this is not the time for it, 403 if only others may do it, 404 if
    the game does not exist for this visitor, 410 for an expired link, 422 for the impossible, and 400 for what our
    pages never send.
    """

    status = 409
    sentence: str | Promise = ""

    def __init__(self, why: str | Promise = "", **places: object) -> None:
        super().__init__(why, places)

    def __str__(self) -> str:
        why, places = self.args
        text = str(why or self.sentence)
        return Sentence(text) % places if places else text  # a finished sentence may contain a percent sign in a name


class NoSuchGame(Refusal):
    """There is no such game, or this visitor may not see it and must not learn that it exists."""

    status = 404
    sentence = gettext_lazy("There is no game here. Check the link, or start a new game.")


class NotYourSeat(Refusal):
    """A spectator tries to act."""

    status = 403
    sentence = gettext_lazy("You can watch this game, but not change it.")


class NotForYou(Refusal):
    """A seat holder tries what only the host, or only the others, may do."""

    status = 403
    sentence = gettext_lazy("Only the host of this game can do that.")
    OTHERS = gettext_lazy("One of the other players has to allow it.")
    OWNER = gettext_lazy("Only the player whose turn it was can ask to undo it.")
    SEAT = gettext_lazy("That seat is not one of yours.")
    NOBODY = gettext_lazy("There is nobody in that seat who could be host.")
    ALONE = gettext_lazy("The others have left this game. It would be gone for good.")
    TOGETHER = gettext_lazy("Others are in this game now. You can resign from it.")


class KeyUsed(Refusal):
    """A form's key comes again with other content: a second command posing as the first."""

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
    """A change that is possible only before the start."""

    sentence = gettext_lazy("This game has already started.")


class CannotStart(Refusal):
    """Something is missing before the first throw."""

    FREE = gettext_lazy("Nobody has taken %(name)s’s seat yet. Wait, or remove it.")
    ALONE = gettext_lazy("Nobody else is here yet. Wait, or play alone.")
    ONE = gettext_lazy("Only %(name)s is here. Wait for more players, or take a seat yourself.")


class SeatTaken(Refusal):
    """Somebody else was quicker."""

    sentence = gettext_lazy("That seat was just taken. Choose another one.")


class ColourTaken(Refusal):
    """Two players at one table cannot have the same colour."""

    sentence = gettext_lazy("%(name)s has chosen this colour. Choose another one.")


class GameFull(Refusal):
    """There are as many players as the ruleset allows."""

    WATCH = gettext_lazy("All seats are taken. You can watch.")
    sentence = gettext_lazy("All seats are taken.")


class LinkEnded(Refusal):
    """An invite or a transfer that is used, renewed or too old. `game`: the one it belongs to, if still known."""

    status = 410
    INVITE = gettext_lazy("Ask for a new one.")
    STARTED = gettext_lazy("This game has already started. Watch it, or ask for a seat in the next one.")
    STARTED_UNSEEN = gettext_lazy("This game has already started. Ask for a seat in the next one.")
    OVER = gettext_lazy("This game is over. See how it went, or ask for a seat in the next one.")
    OVER_UNSEEN = gettext_lazy("This game is over. Ask for a seat in the next one.")
    SPOKEN = gettext_lazy(
        "No game is waiting for these words. Check them with whoever invited you: they may have expired."
    )
    TRANSFER = gettext_lazy(
        "A link to another device works once, within 10 minutes. Make a new one on the device you played on."
    )

    def __init__(self, why: Promise, game: Game | None = None) -> None:
        super().__init__(why)
        self.game = game


class NotSilent(Refusal):
    """The player who is due has played within the last three minutes, and cannot be skipped."""

    sentence = gettext_lazy("%(name)s played less than three minutes ago. Wait a little.")


class NothingAsked(Refusal):
    """Nobody is waiting for an answer any more, about undoing a turn or about real dice."""

    sentence = gettext_lazy("That request is no longer open.")


class NotYourShot(Refusal):
    """Somebody else is due."""

    sentence = gettext_lazy("It is %(name)s’s turn.")


class ComputersShot(Refusal):
    """A computer is due, and people cannot play for it."""

    status = 403
    sentence = gettext_lazy("%(name)s plays by itself.")


class StaleMove(Refusal):
    """The form was made before the last change of the dice or the legal moves."""

    sentence = gettext_lazy("Someone moved first, so your tap didn’t count.")


class NotCorrectable(Refusal):
    """A turn whose points were not typed, or that was undone, or that others have a say in."""

    sentence = gettext_lazy("That turn can no longer be corrected here. Undo it instead.")


class TurnsWouldDiffer(Refusal):
    """With the corrected points the game would have ended, or somebody else would have been due."""

    status = 422
    sentence = gettext_lazy(
        "With these points, the turns after it would have gone differently. Undo them one by one instead."
    )


class UnknownVersion(Refusal):
    """The form has a version that this game has not reached yet."""

    status = 400
    sentence = gettext_lazy("This page is out of date. Load it again.")


class PointsChanged(Refusal):
    """The form showed other points than the selection is worth: banking would be a surprise."""

    status = 422
    sentence = gettext_lazy("The points changed to %(n)s. Press Bank again.")


class AlreadyDone(Exception):
    """The same command was applied before: its effect stands, and the board is shown as it is now."""
