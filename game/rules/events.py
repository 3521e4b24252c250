"""The events of a game: the one vocabulary from which rows, logs, announcements, game files and tests are made.

`player` is always a seat, counted from 0. Points, scores and coins are whole numbers.
"""

from dataclasses import dataclass

from game.rules.combinations import Dice


@dataclass(frozen=True)
class StartThrown:
    """A round of throws for the first player: a face per seat, None for those who took no part."""

    faces: tuple[int | None, ...]


@dataclass(frozen=True)
class Starts:
    """The first player is settled."""

    player: int


@dataclass(frozen=True)
class Began:
    """A shot began with this many fresh dice."""

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
    """Dice were set aside for points.

    `with_aside`: they make three pairs with dice that were set aside before, whose points they replace.
    """

    player: int
    dice: Dice
    points: int
    with_aside: bool


@dataclass(frozen=True)
class Swept:
    """All dice have been set aside (hot dice), with this many points in the shot."""

    player: int
    points: int


@dataclass(frozen=True)
class Missed:
    """The last die missed and is thrown again, because a try is left. `tries`: the misses so far."""

    player: int
    tries: int


@dataclass(frozen=True)
class ThrownAgain:
    """A throw left nothing to keep but added this many points, and all its dice have to be thrown again."""

    player: int
    points: int


@dataclass(frozen=True)
class Bust:
    """The shot ended with nothing, and lost this many points."""

    player: int
    lost: int


@dataclass(frozen=True)
class Over:
    """Every keep would have gone beyond the target: the shot ended without its points, and counts for nothing."""

    player: int
    lost: int


@dataclass(frozen=True)
class Eliminated:
    """A throw put the player out of the game for good, and lost this many points of the shot."""

    player: int
    lost: int


@dataclass(frozen=True)
class Banked:
    """The shot ended with points, which made this the player's score."""

    player: int
    points: int
    score: int


@dataclass(frozen=True)
class Entered:
    """The player banked for the first time and is on the board."""

    player: int


@dataclass(frozen=True)
class Penalty:
    """Too many busts in a row cost points."""

    player: int
    points: int


@dataclass(frozen=True)
class Cost:
    """A bust cost points because of the dice thrown, or because the player had picked up."""

    player: int
    points: int


@dataclass(frozen=True)
class Paid:
    """A player paid into the pot, in the smallest coin."""

    player: int
    coins: int


@dataclass(frozen=True)
class FinalRound:
    """The final round has begun: this player leads, at the target or above."""

    player: int
    score: int


@dataclass(frozen=True)
class LastRound:
    """The last of a fixed number of rounds has begun."""


@dataclass(frozen=True)
class FinalRoundOff:
    """The final round was called off: nobody is at the target any longer."""


@dataclass(frozen=True)
class Tie:
    """The highest score is shared, and an extra round is played."""

    score: int
    players: tuple[int, ...]


@dataclass(frozen=True)
class Won:
    """The game is over; without winners if no active player was left.

    `at_once`: by dice that win at once, or as the first at the target where nobody has a last shot.
    """

    winners: tuple[int, ...]
    at_once: bool


@dataclass(frozen=True)
class Skipped:
    """The host skipped a silent player, who lost this many points."""

    player: int
    lost: int


@dataclass(frozen=True)
class SteppedOut:
    """A player stepped out, and lost this many points of the running shot."""

    player: int
    lost: int


@dataclass(frozen=True)
class SteppedIn:
    """A player stepped in again."""

    player: int


@dataclass(frozen=True)
class Joined:
    """A player joined, `waiting` for the next round or playing in this one."""

    player: int
    name: str
    waiting: bool


@dataclass(frozen=True)
class Renamed:
    """A player was renamed."""

    player: int
    name: str


@dataclass(frozen=True)
class TargetSet:
    """The target was changed. Whether somebody is at the new one is judged when the next shot ends."""

    value: int


@dataclass(frozen=True)
class Handed:
    """A seat was handed to a computer of this level, or back to a person (None)."""

    player: int
    level: str | None


@dataclass(frozen=True)
class ModeSet:
    """From the next shot on, dice are thrown here ("auto") or on a table ("manual")."""

    value: str


Event = (
    StartThrown | Starts | Began | PickedUp | Threw | Kept | Swept | Missed | ThrownAgain | Bust | Over | Eliminated
    | Banked | Entered | Penalty | Cost | Paid | FinalRound | LastRound | FinalRoundOff | Tie | Won | Skipped
    | SteppedOut | SteppedIn | Joined | Renamed | TargetSet | Handed | ModeSet
)  # fmt: skip
