"""When to call somebody: if it is their turn, they have not seen that, and these are not their quiet hours."""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from game.live.presence import AWAY
from game.models import Game, Player
from game.storage import load_state

ZONE_LONGEST = 64
# By preference name: the hours (from, until) in which nobody is called, in their own time zone.
QUIET_HOURS = {"night": (time(22), time(8)), "long": (time(20), time(10))}


def find_due_person(game: Game) -> Player | None:
    """Return the seat of the person who is to begin a turn; None if a computer is due, or the turn has begun."""
    if game.status != Game.Status.RUNNING:
        return None
    state = load_state(game)
    seat = game.seats[state.player]
    begun = state.shot is not None or game.draft
    return None if seat.level or seat.visitor_id is None or begun else seat


def when_to_call(game: Game, seat: Player, now: datetime) -> datetime | None:
    """Return the moment from which a seat may be called for this turn, judging by its pages; None for never.

    Whoever had a page open when the turn came knows about it. A page that closed just before gets a moment's grace,
    since its last report arrives a little late.
    """
    if seat.seen and seat.seen >= game.dice_changed_at:
        return None
    return max(now, seat.seen + AWAY) if seat.seen else now


def end_of_quiet_hours(quiet: str, zone: str, now: datetime) -> datetime:
    """Return when the present quiet hours end; `now` itself outside of them."""
    if quiet not in QUIET_HOURS:
        return now
    begin, end = QUIET_HOURS[quiet]
    there = now.astimezone(find_zone(zone))
    if end <= there.time() < begin:
        return now
    day = there.date() + timedelta(days=int(there.time() >= begin))
    return datetime.combine(day, end, there.tzinfo).astimezone(now.tzinfo)


def find_zone(name: str) -> ZoneInfo:
    """Return the time zone of this name, or UTC if there is none."""
    return ZoneInfo(name if is_zone(name) else "UTC")


def is_zone(name: str) -> bool:
    """Return whether we know a time zone of this name: browsers may know newer ones."""
    try:
        return len(name) <= ZONE_LONGEST and bool(ZoneInfo(name).key)
    except (ValueError, KeyError, OSError):
        return False
