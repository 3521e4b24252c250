"""The banner above the dice: what people on other devices ask or have begun, and who plays for somebody away."""

from dataclasses import dataclass

from game import history, services
from game.live import Presence
from game.models import Player, ShotRow
from game.pages.parts.language import gettext as _
from game.pages.parts.turn_log import describe_change
from game.pages.parts.view_of_game import ViewerGame


@dataclass(frozen=True)
class PendingQuestion:
    """A player's question to those on other devices: whether to undo a turn, or to switch to other dice."""

    shot: ShotRow | None  # the turn that others are asked to undo, which may still run
    name: str  # identifies the question, so that an answer to an earlier one is refused
    allows: bool  # the viewer may allow or refuse it
    withdraws: bool  # the viewer asked


@dataclass(frozen=True)
class HandedSeat:
    """A person's seat on this device that a computer plays."""

    player: Player
    turns: int  # that the computer has played
    alone: bool  # nobody else plays on this device


def mark_presence(presence: Presence, is_silent: bool, has_acting_host: bool) -> str:
    """Return a string that changes when somebody comes or goes, or has been silent so long that others may act."""
    return presence.mark + "w" * is_silent + "h" * has_acting_host


def build_question(game: ViewerGame) -> PendingQuestion | None:
    """Return the pending question, which other devices than the asking one can answer; None if there is none."""
    asking, row = game.row.asking, game.row
    if asking is None or game.is_abandoned:
        return None
    own = asking.seat in game.held
    viewer = next((game.players[seat].visitor_id for seat in game.held), None)  # also while a computer stands in
    cancels_shot = row.question == "undo" and not own and not row.draft  # an undo cancels a draft first, which is none
    shot = history.find_undoable_shot(row) if cancels_shot else None
    return PendingQuestion(shot, services.name_question(row), services.may_allow(row, viewer), own)


def describe_unheard_question(game: ViewerGame) -> str:
    """Return that somebody has said no to a question, until anything else happens; empty otherwise.

    Whoever asked also reads that dice were thrown before an answer, until something follows that turn.
    """
    row, state = game.row, game.state
    is_news, throws_on = row.table_version >= row.version, game.is_yours and bool(game.throws)
    hidden = row.asking_id or game.is_abandoned or (state.final and not state.finished)
    concerns_others = not is_news and (throws_on or not game.held)  # looking for it would cost a query
    last = None if hidden or concerns_others else next(iter(game.changes), None)
    if last is None or last.player is None:
        return ""
    is_refused = last.kind == "refused" and is_news and last.place >= row.place
    is_lapsed = last.kind == "expired" and last.player.seat in game.held and last.place >= row.place - 1
    return describe_change(last) if is_refused or is_lapsed else ""


def find_handed_seat(game: ViewerGame) -> HandedSeat | None:
    """Return the first seat of the viewer that a computer plays for a person; None after the end. Two queries."""
    handed = [seat for seat in sorted(game.held - game.people) if game.players[seat].is_person]
    if game.is_over or not handed:
        return None
    player = game.players[handed[0]]
    turns = history.count_turns_since_handed(game.row, player)
    return HandedSeat(player, turns, not game.people and len(handed) == 1)


def announce_rematch(game: ViewerGame) -> str:
    """Return the sentence that calls the viewer to a rematch; empty if there is none yet, and for whoever opened it."""
    starter = game.row.find_person(game.rematch.host_id) if game.rematch else None
    return "" if starter and starter.seat in game.held else describe_rematch(game)


def describe_rematch(game: ViewerGame) -> str:
    """Return the sentence that there is a rematch, and who opened it if they play in this game; empty without one."""
    if game.rematch is None:
        return ""
    starter = game.row.find_person(game.rematch.host_id)
    return _("%(name)s has started a rematch.") % {"name": starter.name} if starter else _("There is a rematch.")
