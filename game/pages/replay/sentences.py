"""What happened in one step of a replay, in whole sentences."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.history.replay import Turn
from game.models import ShotRow, ThrowRow
from game.pages.parts.text import format_dice, format_dice_count, number


def describe_choice(turn: Turn, throws: Sequence[ThrowRow], index: int, total: int) -> str:
    """Return what was done with the throw at `index`. `total`: the points of the turn with it."""
    if not throws:
        return _describe_real_dice(turn)
    throw = throws[index]
    if index + 1 < len(throws):
        return _describe_next_throw(throw, throws[index + 1])
    values = {"dice": format_dice(throw.kept_faces), "total": number(total), "points": number(turn.points)}
    sentences = {
        ShotRow.Outcome.BANK: _("Kept %(dice)s and banked %(points)s."),
        ShotRow.Outcome.BUST: _("Bust! %(points)s points lost.") if turn.points else _("Bust!"),
        ShotRow.Outcome.WIN: _("Kept six of a kind and won."),
        ShotRow.Outcome.OUT: _("Sat out and lost the points of this turn."),
        ShotRow.Outcome.SKIP: _("Was skipped and lost the points of this turn."),
    }
    return sentences.get(ShotRow.Outcome(turn.outcome), _("The turn ended here.")) % values


def _describe_next_throw(throw: ThrowRow, after: ThrowRow) -> str:
    if not throw.kept:
        return _("Missed. The last die was thrown again.")
    return ngettext(
        "Kept %(dice)s for %(points)s, then threw %(n)s die.",
        "Kept %(dice)s for %(points)s, then threw %(n)s dice.",
        len(after.dice),
    ) % {"dice": format_dice(throw.kept_faces), "points": number(throw.points), "n": len(after.dice)}


def _describe_real_dice(turn: Turn) -> str:
    """Return a turn of which no throw is known: real dice, or none was thrown."""
    sentences = {
        ShotRow.Outcome.BANK: _("Banked %(points)s with real dice."),
        ShotRow.Outcome.BUST: _("Bust with real dice."),
        ShotRow.Outcome.WIN: _("Six of a kind with real dice: won the game."),
        ShotRow.Outcome.OUT: _("Sat out and lost the points of this turn."),
    }
    return sentences.get(ShotRow.Outcome(turn.outcome), _("Was skipped.")) % {"points": number(turn.points)}


def describe_pick_up(turn: Turn, base: int) -> str:
    """Return what was picked up."""
    values = {"dice": format_dice_count(turn.picked_up or 0), "points": number(base)}
    return _("Picked up %(dice)s, starting from %(points)s.") % values


def describe_dice(throw: ThrowRow) -> str:
    """Return the dice as they fell."""
    return _("The dice: %(dice)s.") % {"dice": format_dice(throw.faces)}
