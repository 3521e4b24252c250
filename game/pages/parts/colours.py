"""The colours of a table: eight, chosen by the players or given by the seat, and no two alike where there are enough.

What is stored of a seat is its choice alone: what the others get follows from it, here.
"""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

COLOURS = range(1, 9)
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
    """Return the colour that a form names; None for none, and for what is no colour."""
    return int(text) if text in dict(COLOUR_NAMES) else None


def share_out_colours(chosen: Sequence[int | None]) -> tuple[int, ...]:
    """Return the colour of each seat, 1 to 8. `chosen`: what each of them chose, None for the colour of the seat.

    Who chose comes first, of two who chose the same the one who sits first. Whose usual colour is taken gets the first
    free one, so that a late guest changes nobody's colour. From the ninth player on colours come again.
    """
    given: dict[int, int] = {}
    usual = [seat % len(COLOURS) + 1 for seat in range(len(chosen))]
    for wishes in (chosen, usual):
        for seat, colour in enumerate(wishes):
            if seat not in given and colour is not None and colour not in given.values():
                given[seat] = colour
    for seat, again in enumerate(usual):
        if seat not in given:
            given[seat] = next((free for free in COLOURS if free not in given.values()), again)
    return tuple(given[seat] for seat in range(len(chosen)))
