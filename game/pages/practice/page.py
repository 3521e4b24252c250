"""The practice page: a position with its tray, and the modes and rulesets to choose from."""

from collections.abc import Sequence
from typing import Literal

from django.utils.translation import gettext_lazy

from game.models import RulesetRow
from game.pages.parts.colours import read_colour, share_out_colours
from game.pages.practice.positions import Position, practice_address
from game.pages.practice.tray import build_choice, show_keep
from game.pages.practice.verdict import Verdict
from game.pages.rulesets.labels import Words
from game.prefs import Prefs
from game.rules import points_needed
from game.strategy.practice import PositionKind

MODES: dict[PositionKind | Literal["mine"], Words] = {
    "mine": gettext_lazy("From my games"),
    "entry": gettext_lazy("First bank"),
    "late": gettext_lazy("Late game"),
    "keep": gettext_lazy("Choosing dice"),
}


def list_modes(rows: Sequence[RulesetRow], mode: str, row: RulesetRow | None) -> dict[str, object]:
    """Return what the page shows with every position: the modes, and the rulesets."""
    row = row or next(iter(rows), None)
    tabs = [
        (words, practice_address({"mode": name} | ({"ruleset": row.slug} if row else {})), name)
        for name, words in MODES.items()
    ]
    return {"tabs": tabs, "mode": mode, "rows": rows, "row": row}


def describe_position(
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
        "needed": points_needed(at.state),
        "tray": tray,
        "detail": tray.choices[tray.chosen].detail if tray.choices else "",
        "verdict": verdict,
        "following": practice_address(at.following),
    }
