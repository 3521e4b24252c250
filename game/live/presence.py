"""Who is at a game now, as its pages show it. Ages are computed on reading, so nothing has to be cleaned up."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from django.utils import timezone

from game.models import Audience, Game, Player
from game.models.compiled import CompiledQuery

AWAY = timedelta(seconds=30)
GONE = timedelta(minutes=5)
UNHEARD = timedelta(seconds=45)  # the spectators of a process that is silent for this long don't count

Contact = Literal["here", "away", "gone"]


@dataclass(frozen=True)
class Presence:
    """Who is at a game: `seats` in seating order, where a computer is always here, and the number of spectators."""

    seats: tuple[Contact, ...]
    watching: int

    @property
    def mark(self) -> str:
        """A text that stays the same as long as nobody comes or goes."""
        return "".join(contact[0] for contact in self.seats) + str(self.watching)


AUDIENCES = CompiledQuery(lambda game: Audience.objects.filter(game=game), -1)  # one for each process


def find_presence(game: Game) -> Presence:
    """Return who is at a game. One query beside the players. When a game is over, all players count as here."""
    now = timezone.now()
    if game.is_over:
        seats: list[Contact] = ["here"] * len(game.seats)
    else:
        seats = [find_contact(seat, game.created, now) for seat in game.seats]
    heard = (audience.watchers for audience in AUDIENCES(game.pk) if audience.seen > now - UNHEARD)
    return Presence(tuple(seats), sum(heard))


def find_contact(seat: Player, created: datetime, now: datetime) -> Contact:
    """Return, in a word, how long ago a seat's page was last heard of; nobody is away before the game exists."""
    silent = now - max(seat.seen or created, created)
    if seat.level or silent < AWAY:
        return "here"
    return "away" if silent < GONE else "gone"
