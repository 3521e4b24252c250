"""Messages to all open pages of a game that are not stored: a choice while it is being made, a reaction."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["choice", "reaction"]


@dataclass(frozen=True)
class Broadcast:
    """A line for the pages of one game. It is not stored: a restart loses it."""

    kind: Kind
    text: str  # one line, and only what all of these pages may see
