"""The links from step to step of a replay, which people can share."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter

from game.history.replay import Turn
from game.pages.parts.language import gettext as _
from game.pages.replay.components import Link

# Shown at every step; hidden at this step and those that follow; or shown at this step on request, and hidden later.
SHOWN, HIDDEN, ASKED = "", "hidden", "asked"

LAST = "last"

BAR_LEFT, BAR_RIGHT = "M5 5h2.5v14H5z", "M16.5 5H19v14h-2.5z"
BACK, ON = "M16 5l-2-2-9 9 9 9 2-2-7-7z", "M8 5l2-2 9 9-9 9-2-2 7-7z"
BACK_TWICE = "M13 5l-2-2-9 9 9 9 2-2-7-7zM22 5l-2-2-9 9 9 9 2-2-7-7z"
ON_TWICE = "M2 5l2-2 9 9-9 9-2-2 7-7zM11 5l2-2 9 9-9 9-2-2 7-7z"


@dataclass(frozen=True)
class Steps:
    """The steps of one game. There is a step 0 if dice were thrown for the first player."""

    url: str
    turns: Sequence[Turn]
    first: int
    last: int
    now: int
    choices: str

    def to(self, step: int) -> str:
        """Return the address of a step, on which choices stay hidden if they are now."""
        return self.address(step, HIDDEN if self.choices else SHOWN)

    def address(self, step: int, choices: str) -> str:
        """Return the address of a step with choices shown, hidden or hidden later."""
        return f"{self.url}?at={step}" + (f"&choices={choices}" if choices else "")

    @cached_property
    def index(self) -> int | None:
        """Which turn is shown; None while dice are thrown for the first player."""
        place = bisect_right(self.turns, self.now, key=attrgetter("first")) - 1
        return place if place >= 0 else None

    @property
    def turn_before(self) -> int:
        """The first step of this turn or, if that is the one shown, of the turn before."""
        if self.index is None:
            return self.first
        begins = self.turns[self.index].first
        return begins if begins < self.now else self.turns[self.index - 1].first if self.index else self.first

    @property
    def turn_after(self) -> int:
        """The first step of the next turn, or the last step."""
        following = 0 if self.index is None else self.index + 1
        return self.turns[following].first if following < len(self.turns) else self.last

    def links_back(self) -> tuple[Link, ...]:
        """Return the links to earlier steps."""
        return (
            self._make_link("first", self.first, _("First throw"), "Home", BAR_LEFT + BACK),
            self._make_link("turn-before", self.turn_before, _("Previous turn"), "Shift+ArrowLeft ArrowUp", BACK_TWICE),
            self._make_link("before", max(self.now - 1, self.first), _("Previous throw"), "ArrowLeft", BACK),
        )

    def links_onward(self) -> tuple[Link, ...]:
        """Return the links to later steps."""
        return (
            self._make_link("next", min(self.now + 1, self.last), _("Next throw"), "ArrowRight", ON),
            self._make_link("turn-next", self.turn_after, _("Next turn"), "Shift+ArrowRight ArrowDown", ON_TWICE),
            self._make_link("last", self.last, _("Last throw"), "End", ON + BAR_RIGHT),
        )

    def _make_link(self, name: str, step: int, label: str, keys: str, drawing: str) -> Link:
        return Link(name, self.to(step), label, keys, drawing, step != self.now)


def parse_step(text: str, first: int, last: int) -> int:
    """Return the step that a URL asks for, a number or "last"; the nearest one for anything else."""
    if text == LAST:
        return last
    if not (text.isascii() and text.isdigit()):
        return first
    return min(max(int(text[:10]), first), last)
