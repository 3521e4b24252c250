"""What all open pages of a game are told at once and nobody keeps: a choice while it is being made, a reaction."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["choice", "reaction"]


@dataclass(frozen=True)
class Broadcast:
    """A line for the pages of one game. No row stands behind it: what a restart loses is lost."""

    kind: Kind
    text: str  # one line, nothing that not every one of these pages may see
