"""What a player may do with the dice, and what may be changed while a game runs."""

from dataclasses import dataclass
from typing import Literal

from game.rules.combinations import Dice

Mode = Literal["auto", "manual"]


def read_mode(text: str) -> Mode:
    """Return the mode that a text names: dice on screen unless it is "manual"."""
    return "manual" if text == "manual" else "auto"


@dataclass(frozen=True)
class Throw:
    """Keep these of the dice on the table and throw the rest."""

    keep: Dice = ()
    """Empty for the first throw of a shot, and for another try with the last die."""
    pick_up: bool = False
    """Begin with the dice and the points that the player before left."""


@dataclass(frozen=True)
class Bank:
    """Keep these of the dice on the table and end the shot with its points."""

    keep: Dice


@dataclass(frozen=True)
class Win:
    """Keep dice that win the game at once."""

    keep: Dice


@dataclass(frozen=True)
class Faces:
    """A throw whose faces are known: how the dice fell, and which were kept, None if none were."""

    dice: Dice
    keep: Dice | None = None


@dataclass(frozen=True)
class Manual:
    """Enter a whole shot with real dice."""

    points: int
    """The points that were banked, including those picked up; 0 unless `end` is "bank"."""
    end: Literal["bank", "bust", "win", "over", "eliminated"] = "bank"
    pick_up: int | None = None
    """How many dice were taken over from the player before; None for fresh dice."""
    dice_left: int | None = None
    """How many dice the next player may pick up; None for none."""
    throws: tuple[Faces, ...] = ()
    """The throws, if their faces were entered."""
    lost: int = 0
    """The points gathered before a bust, under rules in which the bust costs them."""
    nothing: bool = False
    """The bust was a throw of nothing, under rules in which that costs points."""


@dataclass(frozen=True)
class SetTarget:
    """Play to another target."""

    value: int


@dataclass(frozen=True)
class Rename:
    """Give a player another name."""

    player: int
    name: str


@dataclass(frozen=True)
class Join:
    """Add a player at the end of the order of play."""

    name: str
    level: str | None = None


@dataclass(frozen=True)
class StepOut:
    """Skip a player from now on; points of a running shot are lost."""

    player: int


@dataclass(frozen=True)
class StepIn:
    """Let a player who is out take part again."""

    player: int


@dataclass(frozen=True)
class Hand:
    """Give a seat to a computer of this level, or back to a person (None)."""

    player: int
    level: str | None = None


@dataclass(frozen=True)
class Skip:
    """Skip the shot of the player who is due; points of a running shot are lost."""


@dataclass(frozen=True)
class SetMode:
    """Throw dice here, or enter points of real dice, from the next shot on."""

    mode: Mode


Move = Throw | Bank | Win
Change = Manual | SetTarget | Rename | Join | StepOut | StepIn | Hand | Skip | SetMode
