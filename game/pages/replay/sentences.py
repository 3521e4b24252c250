"""One step of a replay in whole sentences."""

from collections.abc import Sequence

from game.history.replay import Turn
from game.models import ShotRow, ThrowRow
from game.pages.parts.language import gettext as _
from game.pages.parts.language import ngettext
from game.pages.parts.text import format_dice, format_dice_count, number


def describe_move_made(turn: Turn, throws: Sequence[ThrowRow], index: int, total: int) -> str:
    """Return what was done with the throw at `index`. `total`: the points of the turn including it."""
    if not throws:
        return _describe_real_dice(turn)
    throw = throws[index]
    if index + 1 < len(throws):
        return _describe_next_throw(throw, throws[index + 1])
    values = {"dice": format_dice(throw.kept_faces), "total": number(total), "points": number(turn.points)}
    sentences = {
        ShotRow.Outcome.BANK: _("Kept %(dice)s and banked %(points)s."),
        ShotRow.Outcome.BUST: _("Bust! %(points)s points lost.") if turn.points else _("Bust!"),
        ShotRow.Outcome.WIN: _("Kept %(dice)s and won at once."),
        ShotRow.Outcome.OVER: _("Every keep went beyond the target: the turn counted for nothing."),
        ShotRow.Outcome.ELIMINATED: _("This throw eliminated the player."),
        ShotRow.Outcome.OUT: _("Sat out and lost the points of this turn."),
        ShotRow.Outcome.SKIP: _("Was skipped and lost the points of this turn."),
    }
    sentence = sentences.get(ShotRow.Outcome(turn.outcome), _("The turn ended here.")) % values
    return f"{sentence} {_describe_cost(turn)}".rstrip()


def _describe_cost(turn: Turn) -> str:
    return _("%(cost)s points were taken off the score.") % {"cost": number(turn.cost)} if turn.cost else ""


def _describe_next_throw(throw: ThrowRow, after: ThrowRow) -> str:
    if not throw.kept and len(throw.dice) == 1:
        return _("Missed. The last die was thrown again.")
    if not throw.kept and throw.points:
        return _("Nothing scored: that was worth %(points)s, and the dice were thrown again.") % {
            "points": number(throw.points)
        }
    if not throw.kept:
        return _("No bust: these dice were thrown again.")
    return ngettext(
        "Kept %(dice)s for %(points)s, then threw %(n)s die.",
        "Kept %(dice)s for %(points)s, then threw %(n)s dice.",
        len(after.dice),
    ) % {"dice": format_dice(throw.kept_faces), "points": number(throw.points), "n": len(after.dice)}


def _describe_real_dice(turn: Turn) -> str:
    """Return a sentence for a turn without known throws: it was played with real dice, or nothing was thrown."""
    sentences = {
        ShotRow.Outcome.BANK: _("Banked %(points)s with real dice."),
        ShotRow.Outcome.BUST: _("Bust with real dice."),
        ShotRow.Outcome.WIN: _("Won at once with real dice."),
        ShotRow.Outcome.OVER: _("Went beyond the target with real dice."),
        ShotRow.Outcome.ELIMINATED: _("Eliminated with real dice."),
        ShotRow.Outcome.OUT: _("Sat out and lost the points of this turn."),
    }
    sentence = sentences.get(ShotRow.Outcome(turn.outcome), _("Was skipped.")) % {"points": number(turn.points)}
    return f"{sentence} {_describe_cost(turn)}".rstrip()


def describe_pick_up(turn: Turn, base: int) -> str:
    """Return what was picked up."""
    values = {"dice": format_dice_count(turn.picked_up or 0), "points": number(base)}
    return _("Picked up %(dice)s, starting from %(points)s.") % values


def describe_dice(throw: ThrowRow) -> str:
    """Return the dice as they fell."""
    return _("The dice: %(dice)s.") % {"dice": format_dice(throw.faces)}
