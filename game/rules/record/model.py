"""A whole game as data: its ruleset, its players and everything that happened, cancelled shots included."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from game.rules.play.moves import Faces, Hand, Join, Rename, SetTarget, StepIn, StepOut
from game.rules.play.start import Entry
from game.rules.refusals import IllegalMove
from game.rules.ruleset import Ruleset

FORMAT = "ten-thousand-game"
VERSION = 1
PROBLEMS_MOST = 5

End = Literal["bank", "bust", "win", "out", "skip"]


@dataclass(frozen=True)
class ShotRecord:
    """One shot as it was played. No `end`: it still runs. `points` stand with a bank only.

    `pick_up`: how many dice were taken over; `dice_left`: how many a manual bank left to be taken over.
    """

    player: int
    end: End | None = None
    throws: tuple[Faces, ...] = ()
    points: int | None = None
    manual: bool = False
    pick_up: int | None = None
    dice_left: int | None = None
    cancelled: bool = False


RecordEvent = ShotRecord | SetTarget | Rename | Join | StepOut | StepIn | Hand


@dataclass(frozen=True)
class Result:
    """What the writer of a record believed: the score of every seat, and the seats that have won."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]


@dataclass(frozen=True)
class Epoch:
    """A seed, in hex, with its seal and the number of its first throw in the record."""

    epoch: int
    seal: str
    seed: str
    first: int


@dataclass(frozen=True)
class Proof:
    """What shows that the dice were fixed beforehand: `numbers` of all throws, None for real or loaded dice."""

    code: str
    words: tuple[str, ...]
    epochs: tuple[Epoch, ...]
    numbers: tuple[int | None, ...]


@dataclass(frozen=True)
class Record:
    """A whole game. `target` is the one at the start; `start` the throws for the first player, None for seat order."""

    ruleset: Ruleset
    target: int
    players: tuple[Entry, ...]
    start: tuple[tuple[int | None, ...], ...] | None = None
    events: tuple[RecordEvent, ...] = ()
    result: Result | None = None
    proof: Proof | None = None


@dataclass(frozen=True)
class Flaw:
    """Something wrong at one place of a record: an English sentence with places for `args`."""

    place: str
    sentence: str
    args: Mapping[str, object] = field(default_factory=dict)

    @property
    def reason(self) -> str:
        """The sentence with its numbers and words, without the full stop."""
        return (self.sentence % self.args).rstrip(".")

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"


class RecordError(ValueError):
    """A record that cannot be: up to five `problems`, each named by its place."""

    def __init__(self, problems: Iterable[Flaw]) -> None:
        self.problems = tuple(problems)[:PROBLEMS_MOST]
        super().__init__("\n".join(str(problem) for problem in self.problems))


def refused(place: str, refusal: IllegalMove) -> RecordError:
    """What the rules refuse, at its place in the record; the throw at fault is named if the rules know it."""
    throw = refusal.data.get("throw")
    place = f"{place}, throw {throw}" if throw else place
    return RecordError([Flaw(place, refusal.sentence, refusal.shown)])


def event_place(index: int) -> str:
    """What an event is called: they count from 1."""
    return f"event {index + 1}"
