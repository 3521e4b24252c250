"""The tray of a position, with dice to choose from or as they were chosen."""

from dataclasses import replace

from game.pages.parts.choices import build_choice_tray
from game.pages.parts.components import Tray
from game.pages.parts.dice import fill_tray, lay_aside, lay_shown
from game.pages.parts.view_of_game import list_keeps
from game.pages.practice.positions import Position, chosen_faces
from game.prefs import Prefs
from game.rules import find_keep, points_with


def build_choice(at: Position, prefs: Prefs, ticked: tuple[int, ...] | None = None) -> Tray:
    """Return the tray of this position; Bank and Throw post to its address."""

    def address(action: str) -> str:
        return f"{at.address}&then={action}"

    free = prefs.first == "choose"
    tray = build_choice_tray(at.state, list_keeps(at.state), at.thrown, at.aside, ticked, free=free, address=address)
    return replace(tray, seat=1, plain=True)


def show_keep(at: Position, kept: tuple[int, ...]) -> Tray:
    """Return the tray with the dice as they were chosen, to look at."""
    shot, keep = at.state.shot, find_keep(at.state, chosen_faces(at, kept))
    assert shot is not None and keep is not None
    return fill_tray(
        lay_aside(at.aside) + lay_shown(at.thrown, kept),
        shot.points,
        points_with(shot, keep) - shot.points,
        yours=False,
        rules=at.state.ruleset,
        throw_number=at.thrown.pk,
        seat=1,
        plain=True,
    )
