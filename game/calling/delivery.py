"""What became of a message that was sent."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Delivered:
    """It was taken."""


@dataclass(frozen=True)
class Gone:
    """Nobody will ever be reached there again."""


@dataclass(frozen=True)
class Later:
    """It did not go through for now. `seconds`: how long we are asked to wait, None where nothing is said."""

    seconds: float | None = None


@dataclass(frozen=True)
class Refused:
    """It was refused, and a second try would be too."""

    status: int


Delivery = Delivered | Gone | Later | Refused
