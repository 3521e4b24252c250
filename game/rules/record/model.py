"""A whole game as data: its ruleset, its players and everything that happened, cancelled shots included."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from game.rules.play.moves import Faces, Hand, Join, Manual, Rename, SetTarget, StepIn, StepOut
from game.rules.play.start import Entry
from game.rules.refusals import IllegalMove
from game.rules.ruleset import Ruleset

FORMAT = "ten-thousand-game"
VERSION = 1
PROBLEMS_MOST = 5

End = Literal["bank", "bust", "win", "out", "skip", "over", "eliminated"]


@dataclass(frozen=True)
class ShotRecord:
    """One shot as it was played."""

    player: int
    end: End | None = None
    """None while the shot still runs."""
    throws: tuple[Faces, ...] = ()
    points: int | None = None
    """The points that were banked, including those picked up; None unless `end` is "bank"."""
    manual: bool = False
    """With real dice."""
    pick_up: int | None = None
    """How many dice were taken over from the player before; None for fresh dice."""
    dice_left: int | None = None
    """How many dice a manual bank left for the next player to pick up; None for none."""
    lost: int = 0
    """The points that a manual bust had gathered, under rules in which it costs them."""
    nothing: bool = False
    """A manual bust was a throw of nothing, under rules in which that costs points."""
    cancelled: bool = False
    """Undone: it stays in its place but does not count."""

    def find_entry(self) -> Manual | None:
        """Return what was entered for a turn with real dice; None for one whose dice fell here, or that was cut off."""
        if self.manual and self.end in ("bank", "bust", "win", "over", "eliminated"):
            points = self.points or 0
            return Manual(points, self.end, self.pick_up, self.dice_left, self.throws, self.lost, self.nothing)
        return None


RecordEvent = ShotRecord | SetTarget | Rename | Join | StepOut | StepIn | Hand


@dataclass(frozen=True)
class RecordResult:
    """What the record claims: the score of every seat, and the seats that have won."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]


@dataclass(frozen=True)
class Epoch:
    """A seed of the dice, in hex, with its seal and the number of its first throw in the record."""

    epoch: int
    seal: str
    seed: str
    first: int


@dataclass(frozen=True)
class Proof:
    """The proof that the dice were fixed beforehand: see docs/tt-dice-1.md. It is not checked here."""

    code: str
    words: tuple[str, ...]
    """The words of the players at the start, by seat."""
    epochs: tuple[Epoch, ...]
    numbers: tuple[int | None, ...]
    """The number of each throw in the order of the record; None for real or loaded dice."""


@dataclass(frozen=True)
class Record:
    """A whole game."""

    ruleset: Ruleset
    target: int
    """The target at the start, in points."""
    players: tuple[Entry, ...]
    """The players at the start, by seat."""
    start: tuple[tuple[int | None, ...], ...] | None = None
    """The rounds of throws for the first player, a face per seat, None if it took no part; None for seat order."""
    events: tuple[RecordEvent, ...] = ()
    result: RecordResult | None = None
    proof: Proof | None = None


@dataclass(frozen=True)
class Flaw:
    """A fault at one place of a record: an English `sentence` with placeholders for `args`."""

    place: str
    sentence: str
    args: Mapping[str, object] = field(default_factory=dict)

    @property
    def reason(self) -> str:
        """The sentence with its numbers and words, without the full stop."""
        return (self.sentence % self.write_args(str)).rstrip(".")

    def write_args(self, write: Callable[[int], str]) -> dict[str, object]:
        """Return what fills the placeholders, with numbers and tuples of numbers as `write` writes them."""
        args = {name: (value,) if isinstance(value, int) else value for name, value in self.args.items()}
        return {
            name: ", ".join(map(write, value)) if isinstance(value, tuple) else value for name, value in args.items()
        }

    def __str__(self) -> str:
        """Return the place and the reason in English."""
        return f"{self.place}: {self.reason}"


class RecordError(ValueError):
    """An invalid record: up to five `problems`, each with its place."""

    def __init__(self, problems: Iterable[Flaw]) -> None:
        """Say the first five problems, a line each."""
        self.problems = tuple(problems)[:PROBLEMS_MOST]
        super().__init__("\n".join(str(problem) for problem in self.problems))


def refusal_at(place: str, refusal: IllegalMove) -> RecordError:
    """Return a refusal of the rules as a fault at its place; it names the throw at fault if the rules know it."""
    throw = refusal.data.get("throw")
    place = f"{place}, throw {throw}" if throw else place
    return RecordError([Flaw(place, refusal.sentence, refusal.shown)])


def event_place(index: int) -> str:
    """Return the place of an event as refusals name it, counted from 1."""
    return f"event {index + 1}"
