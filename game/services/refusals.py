"""Why a change of a game was not made. Each carries the status of its answer; its text is a sentence for the person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from game.models import Game


class Refusal(Exception):
    """Nothing was changed. `status` is the HTTP status that `safety.md` 3 gives the case."""

    status = 409

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else self.sentence()

    def sentence(self) -> str:
        raise NotImplementedError


class NoSuchGame(Refusal):
    status = 404

    def sentence(self) -> str:
        return _("There is no game here. Check the link, or start a new game.")


class NotYourSeat(Refusal):
    status = 403

    def sentence(self) -> str:
        return _("You can watch this game, but not change it.")


class NotForYou(Refusal):
    """A seat holder asks for what only the host, or only the others, may do."""

    status = 403
    OTHERS = gettext_lazy("One of the other players has to allow it.")
    SEAT = gettext_lazy("That seat is not one of yours.")
    NOBODY = gettext_lazy("Nobody sits there who could be the host.")

    def sentence(self) -> str:
        return _("Only the host of this game can do that.")


class KeyUsed(Refusal):
    status = 422

    def sentence(self) -> str:
        return _("That form was already used.")


class GameOver(Refusal):
    def sentence(self) -> str:
        return _("This game is over.")


class NotOver(Refusal):
    def sentence(self) -> str:
        return _("The analysis comes after the end of the game.")


class NotStarted(Refusal):
    def sentence(self) -> str:
        return _("This game has not started yet.")


class AlreadyStarted(Refusal):
    def sentence(self) -> str:
        return _("This game has started already.")


class CannotStart(Refusal):
    """What is missing before the first throw."""

    FREE = gettext_lazy("Nobody has taken the seat of %(name)s yet. Wait, or remove it.")
    FEW = gettext_lazy("Add one more player to start.")


class SeatTaken(Refusal):
    def sentence(self) -> str:
        return _("That seat was just taken. Choose another one.")


class Full(Refusal):
    def sentence(self) -> str:
        return _("All seats are taken. You can watch.")


class LinkEnded(Refusal):
    """An invite or a transfer that is used, renewed or too old. `game`: where the link has not lost it."""

    status = 410
    INVITE = gettext_lazy("This invite has ended. Ask for a new one.")
    STARTED = gettext_lazy("This game has started without you. Ask to join the next one.")
    TRANSFER = gettext_lazy("This link has ended. Make a new one on the device that you played on.")

    def __init__(self, why: object, game: Game | None = None) -> None:
        super().__init__(why)
        self.game = game


class NotSilent(Refusal):
    """Skipping is for a player who has not been heard of for a while."""

    def __init__(self, name: str) -> None:
        super().__init__(_("%(name)s has played within the last three minutes. Wait a little.") % {"name": name})


class NothingAsked(Refusal):
    def sentence(self) -> str:
        return _("Nobody asks to take a turn back any more.")


class NotYourShot(Refusal):
    def __init__(self, name: str) -> None:
        super().__init__(_("It is %(name)s’s turn.") % {"name": name})


class ComputersShot(Refusal):
    """Nobody plays for a computer."""

    status = 403

    def __init__(self, name: str) -> None:
        super().__init__(_("%(name)s plays by itself.") % {"name": name})


class StaleMove(Refusal):
    def sentence(self) -> str:
        return _("The game has moved on. Nothing was changed.")


class UnknownVersion(Refusal):
    """A version that this game has not reached yet."""

    status = 400

    def sentence(self) -> str:
        return _("This page is out of date. Load it again.")


class PointsChanged(Refusal):
    """What the form showed is not what the selection is worth: banking would surprise."""

    status = 422

    def __init__(self, points: int) -> None:
        super().__init__(_("The points changed to %(n)s. Press Bank again.") % {"n": points})


class AlreadyDone(Exception):
    """The same request was seen before: its answer stands, and the board is shown as it is now."""
