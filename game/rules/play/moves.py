"""What a player may do with the dice, and what may be changed while a game runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Dice = tuple[int, ...]
Mode = Literal["auto", "manual"]


@dataclass(frozen=True)
class Throw:
    """Keep these of the dice on the table and throw the rest.

    `keep` is empty for the first throw of a shot and for another try with the last die. `pick_up`: begin with the dice
    that the player before left.
    """

    keep: Dice = ()
    pick_up: bool = False


@dataclass(frozen=True)
class Bank:
    """Keep these of the dice on the table and end the shot with its points."""

    keep: Dice


@dataclass(frozen=True)
class Win:
    """Keep six equal dice, where that wins the game at once."""

    keep: Dice


@dataclass(frozen=True)
class Faces:
    """A throw of real dice: how they fell and what was kept, None where nothing was."""

    dice: Dice
    keep: Dice | None = None


@dataclass(frozen=True)
class Manual:
    """A whole shot with real dice.

    `points` of the shot with `end` "bank" (picked-up points included), 0 otherwise. `pick_up`: how many dice were taken
    over; `dice_left`: how many the next player could take over, None for no pick-up; `throws` where faces were entered.
    """

    points: int
    end: Literal["bank", "bust", "win"] = "bank"
    pick_up: int | None = None
    dice_left: int | None = None
    throws: tuple[Faces, ...] = ()


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
    """A new player at the end of the order of play."""

    name: str
    level: str | None = None


@dataclass(frozen=True)
class StepOut:
    """A player is passed over from now on; a running shot of his is lost."""

    player: int


@dataclass(frozen=True)
class StepIn:
    """A player who is out takes part again."""

    player: int


@dataclass(frozen=True)
class Hand:
    """Give a seat to a computer of this level, or back to a person (None)."""

    player: int
    level: str | None = None


@dataclass(frozen=True)
class Skip:
    """Pass over the shot of the player who is due; points of a running shot are lost."""


@dataclass(frozen=True)
class SetMode:
    """Throw dice here, or enter points of real dice, from the next shot on."""

    mode: Mode


Move = Throw | Bank | Win
Change = Manual | SetTarget | Rename | Join | StepOut | StepIn | Hand | Skip | SetMode
