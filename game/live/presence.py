"""Who is at a game now, as its pages show it. Ages are counted on reading; nothing has to be tidied for it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from django.utils import timezone

from game.models import Audience, Game, Player
from game.models.compiled_query import CompiledQuery

AWAY = timedelta(seconds=30)
GONE = timedelta(minutes=5)
UNHEARD = timedelta(seconds=45)  # a process that says nothing for so long counts nobody

Contact = Literal["here", "away", "gone"]


@dataclass(frozen=True)
class Presence:
    """`seats` by their number; a computer is always here."""

    seats: tuple[Contact, ...]
    watching: int

    @property
    def mark(self) -> str:
        """The same for as long as nobody comes or goes."""
        return "".join(contact[0] for contact in self.seats) + str(self.watching)


def presence_at(game: Game) -> Presence:
    """One query beside the players. A game that is over has nobody to wait for."""
    now = timezone.now()
    if game.is_over:
        seats: tuple[Contact, ...] = ("here",) * len(game.seats)
    else:
        seats = tuple(contact_of(seat, game.created, now) for seat in game.seats)
    heard = (audience.watchers for audience in AUDIENCES(game.pk) if audience.seen > now - UNHEARD)
    return Presence(seats, sum(heard))


AUDIENCES = CompiledQuery(
    lambda game: Audience.objects.filter(game=game), sample=-1
)  # one for each process of the site


def contact_of(seat: Player, created: datetime, now: datetime) -> Contact:
    silent = now - max(seat.seen or created, created)
    if seat.level or silent < AWAY:
        return "here"
    return "away" if silent < GONE else "gone"
