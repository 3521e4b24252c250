"""How the site's dice fell lately, from the tallies: faces and busts, and how many were to be expected."""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date
from math import sqrt

from game.models import Tally

LATELY = 1_000_000  # throws; the day on which the count is reached is included whole
FEWEST = 10_000  # below this no figures are shown

# A fair figure lies within this many standard deviations 999 times in 1,000.
DEVIATIONS = 3.2905


@dataclass(frozen=True)
class Figure:
    """How often something happened, `count` times out of `of`, and the chance, 0 to 1, that was to be expected."""

    count: int
    of: int
    expected: float

    @property
    def share(self) -> float:
        """How often it happened, 0 to 1."""
        return self.count / self.of

    @property
    def reach(self) -> tuple[float, float]:
        """The range of shares in which fair dice stay 999 times in 1,000."""
        off = DEVIATIONS * sqrt(self.expected * (1 - self.expected) / self.of)
        return max(0.0, self.expected - off), min(1.0, self.expected + off)

    @property
    def is_within(self) -> bool:
        """Whether the share lies in that range."""
        least, most = self.reach
        return least <= self.share <= most


@dataclass
class GroupCounts:
    """What people, or computers, threw: the faces, and the rest by number of dice thrown."""

    faces: list[int] = field(default_factory=lambda: [0] * 6)
    throws: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    busts: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    expected: dict[int, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, tally: Tally) -> None:
        """Add a tally."""
        self.faces = [count + more for count, more in zip(self.faces, tally.faces, strict=True)]
        self.throws[tally.dice] += tally.throws
        self.busts[tally.dice] += tally.busts
        self.expected[tally.dice] += tally.expected

    def face(self, face: int) -> Figure | None:
        """Return how often a face fell; None before any die was thrown."""
        dice = sum(self.faces)
        return Figure(self.faces[face - 1], dice, 1 / 6) if dice else None

    def bust(self, dice: int) -> Figure | None:
        """Return how often this many dice were a bust, beside the mean chance under the rules of each throw."""
        throws = self.throws[dice]
        return Figure(self.busts[dice], throws, self.expected[dice] / throws) if throws else None


@dataclass(frozen=True)
class Frequencies:
    """How the dice fell lately, from the day `since`, for people and for computers."""

    throws: int
    since: date | None
    people: GroupCounts
    computers: GroupCounts

    @property
    def is_enough(self) -> bool:
        """Whether there are enough throws to say anything."""
        return self.throws >= FEWEST


def read_frequencies() -> Frequencies:
    """Return how the site's last throws fell: in whole days, as many as it takes to reach `LATELY`. One query."""
    people, computers = GroupCounts(), GroupCounts()
    throws, since = 0, None
    for tally in Tally.objects.order_by("-day").iterator():
        if throws >= LATELY and tally.day != since:
            break
        throws, since = throws + tally.throws, tally.day
        (computers if tally.computer else people).add(tally)
    return Frequencies(throws, since, people, computers)
