"""What there is to hear: a page that is shown a new cue plays its sound, whoever made it happen."""

from game.models import ShotRow
from game.pages.parts.view_of_game import ViewerGame

SOUNDS: dict[str, str] = {ShotRow.Outcome.BANK: "bank", ShotRow.Outcome.BUST: "bust"}


def find_sound_cue(game: ViewerGame) -> str:
    """Return the sound and the row that it belongs to, as in "throw 812"; empty where nothing is heard."""
    if game.state.finished:
        return "win"
    if game.throws:
        return f"throw {game.throws[-1].pk}"
    if game.previous and game.previous.outcome in SOUNDS:
        return f"{SOUNDS[game.previous.outcome]} {game.previous.pk}"
    return ""
