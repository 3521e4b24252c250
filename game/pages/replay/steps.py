"""The links from step to step of a replay, which people can share."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter

from game.history.replay import Turn

# Shown at every step; hidden at this step and those that follow; or shown at this step on request, and hidden later.
SHOWN, HIDDEN, ASKED = "", "hidden", "asked"

LAST = "last"


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

    @property
    def here(self) -> str:
        """The address of this very step."""
        return self.address(self.now, self.choices)

    @property
    def hidden(self) -> bool:
        """Whether the choice made at this step is not shown yet."""
        return self.choices == HIDDEN

    @property
    def switched(self) -> str:
        """The address that hides the choice, or shows it."""
        return self.address(self.now, ASKED if self.hidden else HIDDEN)

    @property
    def revealed(self) -> str:
        """The address at which choices are no longer hidden."""
        return self.address(self.now, SHOWN)

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


def parse_step(text: str, first: int, last: int) -> int:
    """Return the step that a URL asks for, a number or "last"; the nearest one for anything else."""
    if text == LAST:
        return last
    if not (text.isascii() and text.isdigit()):
        return first
    return min(max(int(text[:10]), first), last)
