"""What somebody is told who did not do it: from how the game stands now, since events are not kept."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from game import history
from game.models import ChangeRow, Game, ShotRow
from game.pages.board.announcements import sentence
from game.pages.board.status import decision, ending
from game.pages.parts.text import faces, winner_sentence
from game.pages.parts.turn_log import table_text
from game.pages.parts.view_of_game import Facts
from game.rules import events


def told_since(facts: Facts, moved: bool) -> str:
    """The last thing that happened, in a sentence or two. `moved`: it was one of the dice or the legal moves."""
    if facts.state.finished and moved:
        return winner_sentence(facts.state, facts.by_six_alike)
    if not moved:
        return told_of_the_table(facts) or told_of_a_rematch(facts)
    if not facts.throws:
        return told_of_an_end(facts)
    thrown = facts.throws[-1]
    if not facts.running.dice:
        return _("%(name)s is deciding") % {"name": facts.name_due}
    if facts.yours:
        return decision(facts, thrown.faces)
    return _("%(name)s threw %(dice)s.") % {"name": facts.name_due, "dice": faces(thrown.faces)}


def told_of_an_end(facts: Facts) -> str:
    """How the turn before ended, or that it was taken back, and whose turn is next."""
    next_ = _("It is your turn.") if facts.yours else _("%(name)s is next.") % {"name": facts.name_due}
    newest = next(iter(facts.latest), None)
    if newest and newest.cancelled:
        return _("%(name)s’s turn was taken back.") % {"name": newest.player.name} + " " + next_
    change = next(iter(facts.changes), None)
    told = told_of_a_change(facts, change) if change and newest and change.place > newest.place else ""
    if not told and facts.previous:
        told = told_of_a_shot(facts, facts.previous)
    return f"{told} {next_}".lstrip()


def told_of_a_shot(facts: Facts, shot: ShotRow) -> str:
    if shot.outcome != ShotRow.Outcome.BANK:
        return ending(facts, shot)
    return sentence(events.Banked(shot.player.seat, shot.points, shot.score), facts.state, facts.people)


def told_of_the_table(facts: Facts) -> str:
    """The newest change beside the dice, if nothing came after it."""
    change = newest_change(facts.game, facts.changes)
    return told_of_a_change(facts, change) if change else ""


def told_of_a_rematch(facts: Facts) -> str:
    return _("There is a rematch.") if facts.state.finished and history.rematch_of(facts.game) else ""


def told_of_a_change(facts: Facts, change: ChangeRow) -> str:
    if event := event_of(change):
        return sentence(event, facts.state, facts.people)
    said = {"name": change.player.name if change.player else ""}
    match change.kind:
        case "host":
            return _("%(name)s is the host now.") % said
        case "moved":
            return _("%(name)s goes on on another device.") % said
        case "refused":
            return _("%(name)s does not want it taken back.") % said
        case "watching":
            return table_text(change)
    return ""


def newest_change(game: Game, changes: Sequence[ChangeRow]) -> ChangeRow | None:
    """The last change beside the dice, where nothing came after it but the turn that it fell into."""
    change = next(iter(changes), None)
    return change if change and change.place >= game.place - 1 else None


def event_of(change: ChangeRow) -> events.Event | None:
    seat = change.player.seat if change.player else 0
    match change.kind:
        case "rename":
            return events.Renamed(seat, change.data["name"])
        case "join":
            return events.Joined(seat, change.data.get("name", ""), False)
        case "out":
            return events.SteppedOut(seat, 0)
        case "in":
            return events.SteppedIn(seat)
        case "hand":
            return events.Handed(seat, change.data["level"])
        case "target":
            return events.TargetSet(change.data["value"])
        case "mode":
            return events.ModeSet(change.data["value"])
    return None
