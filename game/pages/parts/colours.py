"""The eight colours of a table, chosen by the players or given by the seat: no two alike while there are enough.

A seat's choice is stored and, in a rematch, its usual colour before; the colours of the others are worked out here.
"""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from game.models import COLOURS, Player

COLOUR_NAMES = (
    ("1", _("Red")),
    ("2", _("Blue")),
    ("3", _("Purple")),
    ("4", _("Green")),
    ("5", _("Ochre")),
    ("6", _("Pink")),
    ("7", _("Olive")),
    ("8", _("Grey")),
)
COLOUR_CHOICES = (("", _("By seat")), *COLOUR_NAMES)


def read_colour(text: str) -> int | None:
    """Return the colour that a form names, 1 to 8; None for an empty text or anything else."""
    return int(text) if text in dict(COLOUR_NAMES) else None


def list_seat_colours(
    seats: Sequence[Player], own: Sequence[Player] = (), preferred: int | None = None
) -> tuple[int, ...]:
    """Return the colour of each seat of a game, 1 to 8, as everybody sees them, with one exception.

    `own`: the seats of somebody who prefers a colour. If that is one seat, and no colour was chosen for it at this
    table, they see it in the colour that they prefer, unless somebody else has chosen that.
    """
    chosen = [seat.colour for seat in seats]
    if len(own) == 1 and preferred and not own[0].colour and preferred not in chosen:
        chosen[own[0].seat] = preferred
    return share_out_colours(chosen, [seat.default_colour for seat in seats])


def share_out_colours(chosen: Sequence[int | None], usual: Sequence[int] = ()) -> tuple[int, ...]:
    """Return the colour of each seat, 1 to 8. `chosen`: what each of them chose, None for the usual colour.

    `usual`: the usual colour of each, by default that of the seat. Choices come first; if two are equal, the earlier
    seat's counts. A player whose usual colour is taken gets the first free one, so a late guest changes nobody's
    colour. From the ninth player on, colours repeat.
    """
    given: dict[int, int] = {}
    usual = usual or [seat % len(COLOURS) + 1 for seat in range(len(chosen))]
    for wishes in (chosen, usual):
        for seat, colour in enumerate(wishes):
            if seat not in given and colour is not None and colour not in given.values():
                given[seat] = colour
    for seat, again in enumerate(usual):
        if seat not in given:
            given[seat] = next((free for free in COLOURS if free not in given.values()), again)
    return tuple(given[seat] for seat in range(len(chosen)))
