"""What people on several devices have to settle with each other: a turn to take back, somebody who went away."""

from __future__ import annotations

from django.utils.translation import gettext as _

from game import history, services
from game.live import Presence
from game.models import Game, Player, ShotRow
from game.pages.parts.components import AbsenceNotice, Banner, UndoRequest
from game.pages.parts.text import number
from game.pages.parts.view_of_game import Facts


def there(game: Game, presence: Presence) -> str:
    """What time alone changes on a page: the same until somebody comes, goes, or has been waited for too long."""
    waited = game.status == Game.Status.RUNNING and services.is_silent(game)
    return presence.mark + ("w" if waited else "")


def asks(facts: Facts) -> UndoRequest | None:
    """The question of an undo: to be answered on other devices than the one that it comes from."""
    asking = facts.game.asks_undo
    if asking is None or facts.abandoned:
        return None
    mine = asking.seat in facts.mine
    return UndoRequest(
        text=_("You asked to take a turn back. Waiting for the others.") if mine else question(facts, asking),
        url=facts.address("undo/answer"),
        allows=not mine and bool(facts.people),
        withdraws=mine,
    )


def question(facts: Facts, asking: Player) -> str:
    shot = history.shot_to_take_back(facts.game)
    said = {"name": asking.name, "who": shot.player.name if shot else "", "points": number(shot.points if shot else 0)}
    own = shot is not None and shot.player_id == asking.pk
    match shot.outcome if shot else None:
        case ShotRow.Outcome.BANK if own:
            return _("%(name)s asks to take back the bank of %(points)s.") % said
        case ShotRow.Outcome.BANK:
            return _("%(name)s asks to take back the bank of %(points)s by %(who)s.") % said
        case ShotRow.Outcome.BUST:
            return _("%(name)s asks to take back the bust of %(who)s.") % said
        case ShotRow.Outcome.RUNNING:
            return _("%(name)s asks to take back the throws of this turn.") % said
    return _("%(name)s asks to take back the last turn.") % said


def refused(facts: Facts) -> Banner | None:
    """The last that happened is that somebody refused to take a turn back."""
    moved_on = facts.game.arranged < facts.game.version
    if moved_on or not facts.elsewhere or facts.game.asks_undo_id:
        return None
    last = next(iter(facts.changes), None)
    if last is None or last.kind != "refused" or last.place < facts.game.place or not last.player:
        return None
    return Banner("info", _("%(name)s does not want it taken back.") % {"name": last.player.name})


def silence(facts: Facts) -> AbsenceNotice | None:
    """Somebody on another device is due and has done nothing for minutes: the host may go on, the others know it."""
    if facts.over or facts.computer_due or facts.yours or not (facts.mine or facts.host):
        return None
    if not services.is_silent(facts.game):
        return None
    said = {"name": facts.name_due}
    if not facts.host:
        return AbsenceNotice(without_the_host(facts) % said, "", "")
    return AbsenceNotice(
        text=_("%(name)s seems to be away. Wait a little, or go on without.") % said,
        url=facts.address("skip"),
        hand=_("Let the computer play for %(name)s") % said,
    )


def without_the_host(facts: Facts) -> str:
    """What those hear who cannot go on by themselves."""
    if facts.players[facts.state.player].visitor_id == services.host_of(facts.game):
        return _("%(name)s, the host, seems to be away. After 10 minutes somebody else is the host.")
    return _("%(name)s seems to be away. The host can go on without.")
