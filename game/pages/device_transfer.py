"""The pages of a link that moves seats to another device."""

from game import services
from game.models import Transfer
from game.pages.parts.text import join_names


def list_movers(link: Transfer) -> dict[str, object]:
    """Return who will play on the other device, as "Ana and Bruno" ("" for a host without a seat), and how many.

    `watches`: this device keeps no seat, because the link moves all of them; `free`: nobody holds the seats yet.
    """
    seats = [seat for seat in services.list_moving(link.game, link) if not seat.level]
    names = [seat.name for seat in seats]
    is_free = bool(seats) and all(seat.visitor_id is None for seat in seats)
    return {"who": join_names(names), "people": len(names), "watches": link.player_id is None, "free": is_free}
