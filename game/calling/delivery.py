"""What became of a message that was sent."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Delivered:
    """The push service or the mail server accepted the message."""


@dataclass(frozen=True)
class Gone:
    """Nobody can be reached at this address any more."""


@dataclass(frozen=True)
class Later:
    """It did not go through this time. `seconds`: how long we were asked to wait, None if nothing was said."""

    seconds: float | None = None


@dataclass(frozen=True)
class Refused:
    """It was refused, and another try would be refused as well."""

    status: int


Delivery = Delivered | Gone | Later | Refused
