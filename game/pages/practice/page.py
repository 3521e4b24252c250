"""The practice page: a position with its tray, and the modes and rulesets to choose from."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from django.utils.translation import gettext_lazy

from game.models import RulesetRow, share_out_colours
from game.pages.parts.choices import build_choice_tray
from game.pages.parts.colours import read_colour
from game.pages.parts.components import Tray
from game.pages.parts.dice import fill_tray, lay_aside, lay_shown
from game.pages.parts.view_of_game import list_keeps
from game.pages.practice.positions import Position, list_chosen_faces, make_practice_address
from game.pages.practice.verdict import Verdict
from game.pages.rulesets.labels import Words
from game.prefs import Prefs
from game.rules import find_keep, points_needed, points_with
from game.strategy.practice import PositionKind

MODES: dict[PositionKind | Literal["mine"], Words] = {
    "mine": gettext_lazy("From my games"),
    "entry": gettext_lazy("First bank"),
    "late": gettext_lazy("Late game"),
    "keep": gettext_lazy("Choosing dice"),
}


def build_menu(rows: Sequence[RulesetRow], mode: str, row: RulesetRow | None) -> dict[str, object]:
    """Return what the page shows with every position: the modes, and the rulesets."""
    row = row or next(iter(rows), None)
    tabs = [
        (words, make_practice_address({"mode": name} | ({"ruleset": row.slug} if row else {})), name)
        for name, words in MODES.items()
    ]
    return {"tabs": tabs, "mode": mode, "rows": rows, "row": row}


def build_position(
    at: Position,
    prefs: Prefs,
    *,
    kept: tuple[int, ...] = (),
    ticked: tuple[int, ...] | None = None,
    verdict: Verdict | None = None,
) -> dict[str, object]:
    """Return what the page shows of a position: the dice to choose from, or a verdict with the columns `kept`."""
    tray = show_keep(at, kept) if verdict else build_choice(at, prefs, ticked)
    return {
        "at": at,
        "seat_colours": share_out_colours((read_colour(prefs.colour),)),
        "need": points_needed(at.state),
        "tray": tray,
        "detail": tray.choices[tray.chosen].detail if tray.choices else "",
        "verdict": verdict,
        "following": make_practice_address(at.following),
    }


def build_choice(at: Position, prefs: Prefs, ticked: tuple[int, ...] | None = None) -> Tray:
    """Return the tray of this position; Bank and Throw post to its address."""

    def address(action: str) -> str:
        return f"{at.address}&then={action}"

    free = prefs.first == "choose"
    tray = build_choice_tray(at.state, list_keeps(at.state), at.thrown, at.aside, ticked, free=free, address=address)
    return replace(tray, seat=1, plain=True)


def show_keep(at: Position, kept: tuple[int, ...]) -> Tray:
    """Return the tray with the dice as they were chosen, to look at."""
    shot, keep = at.state.shot, find_keep(at.state, list_chosen_faces(at, kept))
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
