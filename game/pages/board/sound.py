"""What there is to hear: a page that is shown a new cue plays its sound, whoever made it happen."""

from __future__ import annotations

from game.models import ShotRow
from game.pages.parts.view_of_game import Facts

HEARD = {ShotRow.Outcome.BANK: "bank", ShotRow.Outcome.BUST: "bust"}


def cue(facts: Facts) -> str:
    """Its name and the row that it belongs to; empty where nothing is heard."""
    if facts.state.finished:
        return "win"
    if facts.throws:
        return f"throw {facts.throws[-1].pk}"
    if facts.previous and facts.previous.outcome in HEARD:
        return f"{HEARD[facts.previous.outcome]} {facts.previous.pk}"
    return ""
