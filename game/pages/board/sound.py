"""What there is to hear, and to read for a moment: a page that is shown a new cue plays it, whoever made it happen."""

from django.utils.translation import gettext as _

from game.models import ShotRow
from game.pages.parts.view_of_game import ViewerGame

SOUNDS: dict[str, str] = {ShotRow.Outcome.BANK: "bank", ShotRow.Outcome.BUST: "bust"}


def find_sound_cue(game: ViewerGame) -> str:
    """Return the sound and the row that it belongs to, as in "throw 812"; empty where nothing is heard."""
    if game.state.finished:
        return "win" if not game.people or game.people & set(game.state.winners) else "over"
    if game.throws:
        return f"throw {game.throws[-1].pk}"
    if game.previous and is_first_bank(game.previous):
        return f"in {game.previous.pk}"
    if game.previous and game.previous.outcome in SOUNDS:
        return f"{SOUNDS[game.previous.outcome]} {game.previous.pk}"
    return ""


def is_first_bank(shot: ShotRow) -> bool:
    """Tell whether the turn brought its player onto the board: all that they have is what it banked."""
    return shot.outcome == ShotRow.Outcome.BANK and shot.score == shot.points > 0


def describe_moment(game: ViewerGame) -> str:
    """Return the headline of a first bank, while it is the newest thing that happened; else nothing."""
    before = game.previous
    if game.is_over or before is None or not is_first_bank(before):
        return ""
    if game.people == {before.player.seat}:
        return _("You’re on the board!")
    return _("%(name)s is on the board!") % {"name": before.player.name}
