"""Sounds and short headlines: a page that receives a new cue plays its sound, whoever caused it."""

from game import history
from game.models import ShotRow
from game.pages.parts.language import gettext as _
from game.pages.parts.text import number
from game.pages.parts.view_of_game import ViewerGame


def find_cue(game: ViewerGame) -> tuple[str, str]:
    """Return the sound and the row that it belongs to, as in "throw 812", and a headline that goes with it.

    Either may be empty. Both are empty after an undo, since the turn that is then the last was heard when it ended. A
    later bank than the first has a headline for the others only, since the player has pressed the button, unless it
    takes the lead. One query for a bank of a player who had no points.
    """
    before = game.previous
    if game.state.finished and game.rematch:
        return f"turn {game.rematch.pk}", ""
    if game.state.finished:
        return "win" if not game.people or game.people & set(game.state.winners) else "over", ""
    if game.throws:
        return f"throw {game.throws[-1].pk}", ""
    if before is None or before is not game.latest[0]:
        return "", ""
    if before.outcome not in (ShotRow.Outcome.BANK, ShotRow.Outcome.BUST):
        return "", ""
    values = {"name": before.player.name, "points": number(before.points)}
    if before.outcome == ShotRow.Outcome.BUST:
        return f"bust {before.pk}", ""
    if not is_first_bank(before):
        banks = "" if before.player.seat in game.people else _("%(name)s banks %(points)s") % values
        return f"bank {before.pk}", describe_lead(game, before, yours=game.people == {before.player.seat}) or banks
    if game.people == {before.player.seat}:
        return f"in {before.pk}", _("You’re on the board!")
    return f"in {before.pk}", _("%(name)s is on the board!") % values


def is_first_bank(bank: ShotRow) -> bool:
    """Return whether this bank got its player on the board. One query for a player who had no points.

    A player who is on the board may have lost all points, and one who is not may have less than none.
    """
    return bank.score <= bank.points and not history.has_banked_before(bank)


def describe_lead(game: ViewerGame, bank: ShotRow, *, yours: bool) -> str:
    """Return that the last turn, a bank, took the lead from others; empty if it did not, or was a first bank.

    One query for a bank of a player who had no points.
    """
    state, seat = game.state, bank.player.seat
    others = [state.players[other].score for other in state.active if other != seat]
    if not others or bank.score - bank.points > max(others) or state.leaders != (seat,) or is_first_bank(bank):
        return ""
    return _("You take the lead!") if yours else _("%(name)s takes the lead!") % {"name": bank.player.name}
