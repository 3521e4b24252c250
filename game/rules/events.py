"""What happened: the one list of words from which rows, logs, announcements, game files and tests are made.

`player` is always a seat, counted from 0. Points, scores and coins are whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

Dice = tuple[int, ...]


@dataclass(frozen=True)
class StartThrown:
    """A round of throwing for the first player: a face per seat, None for those who took no part."""

    faces: tuple[int | None, ...]


@dataclass(frozen=True)
class Starts:
    """The first player is settled."""

    player: int


@dataclass(frozen=True)
class Began:
    """A shot began with so many fresh dice."""

    player: int
    dice: int


@dataclass(frozen=True)
class PickedUp:
    """A shot began with the dice, and the points, that the player before left."""

    player: int
    dice: int
    points: int


@dataclass(frozen=True)
class Threw:
    """Dice fell, in this order."""

    player: int
    dice: Dice


@dataclass(frozen=True)
class Kept:
    """Dice were set aside for points; `with_aside`: in the place of those of the dice set aside before."""

    player: int
    dice: Dice
    points: int
    with_aside: bool


@dataclass(frozen=True)
class Swept:
    """All six dice are set aside, with so many points in the shot."""

    player: int
    points: int


@dataclass(frozen=True)
class Missed:
    """The last die missed, for the first or second time of three: it is thrown again."""

    player: int
    tries: int


@dataclass(frozen=True)
class Bust:
    """The shot ended with nothing."""

    player: int
    lost: int


@dataclass(frozen=True)
class Banked:
    """The shot ended with points, which made this score."""

    player: int
    points: int
    score: int


@dataclass(frozen=True)
class Entered:
    """The player banked for the first time."""

    player: int


@dataclass(frozen=True)
class Penalty:
    """So many busts in a row cost points."""

    player: int
    points: int


@dataclass(frozen=True)
class Paid:
    """Coins went from a player into the pot."""

    player: int
    coins: int


@dataclass(frozen=True)
class FinalRound:
    """The final round has begun: this player leads, at the target or above."""

    player: int
    score: int


@dataclass(frozen=True)
class FinalRoundOff:
    """The final round is called off: nobody is at the target any more."""


@dataclass(frozen=True)
class Tie:
    """The highest score is shared: one more whole round is played."""

    score: int
    players: tuple[int, ...]


@dataclass(frozen=True)
class Won:
    """The game is over; without winners if the last active player stepped out.

    `at_once`: by six equal dice, or as the first at the target where nobody has a last shot.
    """

    winners: tuple[int, ...]
    at_once: bool


@dataclass(frozen=True)
class Skipped:
    """A silent player was skipped, and lost so many points."""

    player: int
    lost: int


@dataclass(frozen=True)
class SteppedOut:
    """A player stepped out, and lost so many points of a running shot."""

    player: int
    lost: int


@dataclass(frozen=True)
class SteppedIn:
    """A player stepped in again."""

    player: int


@dataclass(frozen=True)
class Joined:
    """A new player joined; `waiting` for the next round, or playing in this one."""

    player: int
    name: str
    waiting: bool


@dataclass(frozen=True)
class Renamed:
    """A player has another name."""

    player: int
    name: str


@dataclass(frozen=True)
class TargetSet:
    """The target is another one, judged when the next shot ends."""

    value: int


@dataclass(frozen=True)
class Handed:
    """A seat went to a computer of this level, or back to a person (None)."""

    player: int
    level: str | None


@dataclass(frozen=True)
class ModeSet:
    """From the next shot on dice are thrown here (`auto`) or on the table (`manual`)."""

    value: str


Event = (
    StartThrown | Starts | Began | PickedUp | Threw | Kept | Swept | Missed | Bust | Banked | Entered | Penalty | Paid
    | FinalRound | FinalRoundOff | Tie | Won | Skipped | SteppedOut | SteppedIn | Joined | Renamed | TargetSet
    | Handed | ModeSet
)  # fmt: skip
